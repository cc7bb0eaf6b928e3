# What every program promises. Each test runs all of them in turn, or those that the variable ONLY names;
# the last one named in its output is the one that failed.
load lib
load programs

helps() {
    local option
    for option in --help -h -HELP --hel; do
        prints "usage: $1 *--quiet*--help*--version*" "$1" $option
    done
}

prints_version() {
    local option
    for option in --version -V; do
        answers 0 '*' '' "$1" $option
        [[ $output =~ ^"$1 (flamepipe) "[0-9.]+$ ]]
    done
}

refuses() { # PROGRAM OPTION NAME
    answers 2 '' "$1: *$3*usage: $1 *--help*" "$1" "$2"
}

skips_file() { # PROGRAM FILE REASON
    with "$1" "$2" "$IN/good.$(format "$1")"
    keep "${command[@]}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"$1: ${2:-"''"}: $3"* ]]
    [ "$1" = stackdiff ] || has_good_sample "$1" # it needs both files
}

skips_unreadable() { # PROGRAM
    touch secret
    chmod 0 secret
    # root reads everything unless it gives up the right to
    if [ "$(id -u)" -eq 0 ]; then
        with setpriv --bounding-set=-dac_override,-dac_read_search "$1" secret "$IN/good.$(format "$1")"
    else
        with "$1" secret "$IN/good.$(format "$1")"
    fi
    keep "${command[@]}"
    [ "$status" -eq 1 ]
    [[ $stderr == *"$1: secret: Permission denied"* ]]
    [ "$1" = stackdiff ] || has_good_sample "$1"
}

reads_standard_input() {
    local wanted input
    with_good "$1"
    input=${command[1]}
    try "${command[@]}"
    wanted=$output
    with "$1" -
    answers 0 "$wanted" '*' "${command[@]}" < "$input"
    if [ "$1" != stackdiff ]; then
        answers 0 "$wanted" '*' "$1" < "$input"
    fi
}

takes_dashes() { # after "--" everything is a file
    cp "$IN/good.$(format "$1")" ./--help
    with "$1" -- --help
    [ "$1" != stackdiff ] || command+=("$IN/good.folded")
    keep "${command[@]}"
    [ "$status" -eq 0 ]
    has_good_sample "$1"
}

says_input_is_closed() {
    with "$1" -
    answers 1 '*' "*$1: standard input: Bad file descriptor*" bash -c '"$@" <&-' bash "${command[@]}"
}

says_output_failed() { # PROGRAM REDIRECTION REASON
    with_good "$1"
    try bash -c "\"\$@\" $2" bash "${command[@]}"
    [ "$status" -eq 1 ]
    same "$1: standard output: $3" "$(tail -n 1 <<< "$stderr")"
}

# A pipe that nobody reads: the descriptor that reads is closed before the program starts.
ends_quietly() {
    with "$1" "$IN/big.$(format "$1")"
    [ "$1" != stackdiff ] || command[2]=$IN/big.folded # profiles without a common stack get a note
    rm -f pipe
    mkfifo pipe
    try bash -c 'exec 3<> pipe 4> pipe 3<&-; "$@" >&4' bash "${command[@]}"
    [ "$status" -eq 141 ] # 128 + SIGPIPE
    [ -z "$stderr" ]
}

says_input_is_empty() {
    : > empty
    with "$1" empty
    try "${command[@]}"
    case $1 in
    flamesvg) wanted="1 flamesvg: no stacks in the input" ;;
    stackdiff) wanted="1 stackdiff: empty: no folded stacks: the input is empty" ;;
    *) wanted="0 $1: no samples in the input" ;;
    esac
    same "$wanted" "$status $(tail -n 1 <<< "$stderr")"
}

# Puts hostile text into a frame, a command name and a line of its own, before a sample that must still
# be in the output.
write_hostile() { # FORMAT < TEXT
    cat > text
    case $1 in
    perf)
        printf 'cmd 1 [000] 1.000000: 1 cycles:\n\t3 ' && cat text && printf ' (/bin/x)\n\n'
        cat text && printf ' 1 [000] 1.000000: 1 cycles:\n\t3 f (/bin/x)\n\n'
        cat text && printf '\n'
        ;;
    folded)
        printf 'cmd;' && cat text && printf ' 3\n'
        cat text && printf ';f 3\n'
        cat text && printf '\n'
        ;;
    esac
    cat "$IN/good.$1"
}

survives() { # PROGRAM TEXT
    printf %b "$2" | write_hostile "$(format "$1")" > hostile
    with "$1" hostile
    keep "${command[@]}"
    [ "$status" -eq 0 ]
    has_good_sample "$1"
}

survives_long_line() { # PROGRAM
    { printf 'cmd 1 [000] 1.000000: 1 cycles:\n\t3 ' && cat long && printf ' (/bin/x)\n\n' &&
        cat "$IN/good.perf"; } > long.perf
    { printf 'cmd;' && cat long && printf ' 3\n' && cat "$IN/good.folded"; } > long.folded
    with "$1" "long.$(format "$1")"
    keep "${command[@]}"
    [ "$status" -eq 0 ]
    has_good_sample "$1"
    [ "$(grep -c 'a line of more than 16 MB, left out' <<< "$stderr")" -eq 1 ]
    rm long.perf long.folded output
}

masks_its_command_line() { # PROGRAM
    answers 2 '*' "$1: unknown option '--no?[2J?2J'*" "$1" $'--no\e[2J\x9b2J'
    keep "$1" $'no\e[2J' $'no\e[2J'
    [ "$status" -eq 1 ]
    [[ $stderr == "$1: no?[2J: No such file"* ]]
}

skips_a_byte_order_mark() {
    { printf '\xef\xbb\xbf' && cat "$IN/good.$(format "$1")"; } > marked
    with_good "$1"
    try "${command[@]}"
    wanted=$output
    with "$1" marked
    answers 0 "$wanted" '*' "${command[@]}"
}

names_perf_data() {
    printf 'PERFILE2 and more\n' > perf.data
    with "$1" perf.data
    keep "${command[@]}"
    [ "$status" -eq 1 ]
    if [ "$1" = perf-script ]; then # it reads such files, if they are whole
        [[ $stderr == "perf-script: perf.data: "* ]]
    else
        [[ $stderr == *"$1: perf.data is perf's binary recording; run: perf-script perf.data | "* ]]
    fi
}

takes_crlf() {
    local format
    format=$(format "$1")
    sed 's/$/\r/' "$IN/big.$format" > crlf
    with "$1" "$IN/big.$format"
    keep "${command[@]}"
    mv output wanted
    with "$1" crlf
    keep "${command[@]}"
    [ "$status" -eq 0 ]
    if [ "$format" = perf ] && [[ $1 != stackreport && $1 != stackexport ]]; then # a frame may keep its CR, its name may not
        stackcollapse wanted > wanted.folded
        stackcollapse output > output.folded
        cmp wanted.folded output.folded
    else
        cmp wanted output
    fi
}

keeps_quiet() { # PROGRAM
    printf 'neither this\n' | write_hostile "$(format "$1")" > hostile
    with "$1" hostile
    keep "${command[@]}" -q
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    with "$1" missing "$IN/good.$(format "$1")"
    keep "${command[@]}" -q
    [ "$status" -eq 1 ]
    [[ $stderr == *missing* ]]
}

# Reads 60 MB in 16 MB of memory. flamesvg adds up some ten thousand lines at a time and takes more.
stays_small() {
    local format limit=16000
    format=$(format "$1")
    [ "$1" != flamesvg ] || limit=40000
    yes "$IN/big.$format" | head -n $((60000000 / $(stat -c %s "$IN/big.$format"))) | xargs cat > long
    with "$1" long
    try bash -c 'ulimit -v '$limit' && "$@" > output' bash "${command[@]}"
    [ "$status" -eq 0 ]
    [ -s output ]
    rm long output
}

is_deterministic() {
    with "$1" "$IN/big.$(format "$1")"
    keep "${command[@]}"
    mv output wanted
    local locale
    for locale in C C.UTF-8 POSIX xx_XX.none; do
        LC_ALL=$locale LANG=$locale keep "${command[@]}"
        cmp wanted output
    done
}

@test "--help prints the options on standard output and ends with 0" { each helps; }
@test "--version prints one line on standard output and ends with 0" { each prints_version; }
@test "an unknown option is reported on standard error, with status 2" {
    each refuses --no-such-option no-such-option
}
@test "a flag with a value is wrong usage" { each refuses --quiet=yes --quiet; }
@test "a missing file is reported, with status 1; the others are read" {
    each skips_file missing 'No such file or directory'
}
@test "an operand without a letter is shown as such" { each skips_file '' 'No such file or directory'; }
@test "a folder in place of a file is reported, with status 1; the others are read" {
    mkdir folder
    each skips_file folder 'Is a directory'
}
@test "a file without read permission is reported, with status 1; the others are read" { each skips_unreadable; }
@test "standard input is read if no file is named, and for -" { each reads_standard_input; }
@test "after -- a name that looks like an option is a file" { each takes_dashes; }
@test "a closed standard input is reported, with status 1" { each says_input_is_closed; }
@test "a full disk is reported, with status 1" {
    each says_output_failed '> /dev/full' 'No space left on device'
}
@test "a closed standard output is reported, with status 1" {
    each says_output_failed '>&-' 'Bad file descriptor'
}
@test "a pipe that nobody reads ends the program by SIGPIPE, without a message" { each ends_quietly; }
@test "empty input is reported" { each says_input_is_empty; }
@test "NUL bytes do no harm" { each survives 'a\0b'; }
@test "control bytes do no harm" { each survives '\0001\0033[31m\0177\0010x'; }
@test "invalid UTF-8 does no harm" { each survives '\0377\0300\0200\0355\0240\0200\0364\0220\0200\0200x'; }
@test "markup does no harm" { each survives '</text><script>alert(1)</script>]]>&amp;"'"'"'<!--'; }
@test "special characters of regular expressions do no harm" { each survives '(*[\\\\^$|+?{'; }
@test "CR LF reads as LF" { each takes_crlf; }
@test "control characters of the command line do not reach the terminal" { each masks_its_command_line; }
@test "a UTF-8 byte order mark is skipped" { each skips_a_byte_order_mark; }
@test "a perf.data file is an error that gives the commands to read it with, or perf-script reads it" { each names_perf_data; }
@test "--quiet silences warnings, but not errors" { each keeps_quiet; }
@test "the same input gives the same bytes in any locale and on any run" { each is_deterministic; }
@test "memory grows with the number of different stacks, not with the length of the input" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    each stays_small
}
@test "ten thousand commands take little memory" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    awk 'BEGIN { for (i = 0; i < 10000; i++)
        print "c" i " " i "/" i " [000] 1.500000: 1 cycles:\n\t7f1 f (/l)\n" }' > in
    answers 0 '*' '' bash -c 'ulimit -v 50000 && stackcollapse in'
    [ "${#lines[@]}" -eq 10000 ]
    answers 0 '*' '' bash -c 'ulimit -v 50000 && perf-script --check in'
}
@test "a line of 100 MB is left out, and reported" {
    head -c 100000000 /dev/zero | tr '\0' a > long
    each survives_long_line
}

