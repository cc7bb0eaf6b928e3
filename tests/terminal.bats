# What the programs do at a terminal: see tests/tool/terminal.py.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    printf 'a;b 200\n' > in
}

# Types the text at a terminal that is the streams named, 0, 1 and 2. $stderr is what it shows, and what is typed is
# shown too.
at_terminal() { # STREAMS TEXT COMMAND [ARGUMENT ...]
    try python3 "$ROOT/tests/tool/terminal.py" "$@"
}

@test "flamesvg writes no picture to a terminal, and says what to do; but under the Perl script's name" {
    at_terminal 12 '' flamesvg in
    [ "$status" -eq 2 ]
    same "flamesvg: standard output is a terminal: name a file for the picture, with -o FILE or with > FILE
usage: flamesvg [option ...] [file ...] > out.svg
try 'flamesvg --help' for the options" "$stderr"
    at_terminal 1 '' "$COMPAT/flamegraph.pl" in
    [ "$status" -eq 0 ]
    [[ $stderr == '<?xml'*'</svg>'* ]]
}

@test "flamesvg -o - writes the picture to a terminal too, and -o FILE to the file" {
    at_terminal 1 '' flamesvg -o - in
    [ "$status" -eq 0 ]
    same "$(flamesvg in)" "${stderr%$'\n'}"
    at_terminal 12 '' flamesvg -o out.svg in
    [ "$status" -eq 0 ]
    same $'\e[K' "$stderr" # the line of progress, wiped
    cmp out.svg <(flamesvg in)
}

@test "a program that reads a terminal says so, and -q silences it" {
    local program
    for program in perf-script stackfilter stackcollapse stackreport; do
        at_terminal 02 $'\x04' "$program" -
        echo "$program: $stderr"
        [ "$status" -eq 0 ]
        [[ $stderr == *"$program: reading standard input, a terminal; Ctrl-D ends it"* ]]
        at_terminal 02 $'\x04' "$program" -q -
        [[ $stderr != *reading* ]]
    done
    at_terminal 02 $'a;b 200\n\x04' flamesvg
    [ "$status" -eq 0 ]
    [[ $stderr == *'flamesvg: reading standard input, a terminal; Ctrl-D ends it'* ]]
    [ "$output" = "$(flamesvg in)" ]
    at_terminal 02 $'a;b 200\n\x04' stackdiff in -
    [ "$status" -eq 0 ]
    [[ $stderr == *'stackdiff: reading standard input, a terminal; Ctrl-D ends it'* ]]
    same 'a;b 200 200' "$output"
    at_terminal 02 $'a;b 200\n\x04' flamepipe -
    [ "$status" -eq 0 ]
    [[ $stderr == *'flamepipe: reading standard input, a terminal; Ctrl-D ends it'*'flamepipe: flame.svg'* ]]
}

@test "the note on a terminal's input is for terminals alone: not in a pipe, and not in a log" {
    at_terminal 0 $'a;b 200\n\x04' flamesvg
    [ "$status" -eq 0 ]
    [[ $stderr != *reading* ]]
    at_terminal 2 '' stackcollapse - < in
    [ "$status" -eq 0 ]
    same $'\e[K' "$stderr" # the line of progress, wiped
    same 'a;b 200' "$output"
}

@test "stackreport --flame has colours at a terminal, but none for NO_COLOR, TERM=dumb, --color=never and a pipe" {
    at_terminal 1 '' env -u NO_COLOR TERM=xterm stackreport --flame in
    [ "$status" -eq 0 ]
    [[ $stderr == *$'\e[38;5;16;48;5;254m|all (200)'*$'\e[0m|'* ]]
    at_terminal 1 '' env NO_COLOR=1 TERM=xterm stackreport --flame in
    [[ $stderr == *'|all (200)'* && $stderr != *$'\e'* ]]
    at_terminal 1 '' env -u NO_COLOR TERM=dumb stackreport --flame in
    [[ $stderr == *'|all (200)'* && $stderr != *$'\e'* ]]
    at_terminal 1 '' env -u NO_COLOR TERM=xterm stackreport --flame --color=never in
    [[ $stderr == *'|all (200)'* && $stderr != *$'\e'* ]]
    try env -u NO_COLOR TERM=xterm stackreport --flame in
    [[ $output == *'|all (200)'* && $output != *$'\e'* ]]
}

# ---- the flame graph of flamepipe

# What flamepipe prints to a terminal of this size, without colours and the line of progress.
shown_by_flamepipe() { # ROWSxCOLUMNS [OPTION ...] FILE
    TERMINAL_SIZE=$1 NO_COLOR=1 at_terminal 2 '' flamepipe "${@:2}"
    same 0 "$status"
    same '' "$output"
    stderr=${stderr//$'\r\e[K'/} stderr=${stderr//$'\e[K'/}
}

@test "flamepipe without -o prints to a terminal the flame graph, too, as wide as it is, under the table" {
    shown_by_flamepipe 24x60 in
    same "flamepipe: flame.svg
$(stackreport --top 10 in)
$(stackreport --flame --width=60 in)" "${stderr%$'\n'}"
}

@test "flamepipe prints no flame graph with -o, --no-flame or -q, to no terminal, and to one without the rows" {
    shown_by_flamepipe 24x60 -o flame.svg in
    same "flamepipe: flame.svg
$(stackreport --top 10 in)" "${stderr%$'\n'}"
    wanted=$stderr
    for arguments in '24x60 --no-flame in' '7x60 in' '0x0 in' '24x9 in'; do
        # shellcheck disable=SC2086
        shown_by_flamepipe $arguments
        same "$wanted" "$stderr"
    done
    shown_by_flamepipe 24x60 -q in
    same '' "$stderr"
    try flamepipe in
    same "${wanted%$'\n'}" "$stderr"
}

@test "a flame graph that is too high for the terminal is printed without the narrowest frames, or not at all" {
    { echo 'a;wide 197'; printf 'a;tower%s 3\n' "$(printf ';t%d' {1..40})"; } > high
    shown_by_flamepipe 80x100 high
    [[ $stderr == *"$(stackreport --flame --width=100 high)"* ]]
    shown_by_flamepipe 30x100 high
    [[ $stderr == *"$(stackreport --flame --width=100 --min=2 high)"* && $stderr != *'|t40'* ]]
    printf 'a%s 200\n' "$(printf ';t%d' {1..40})" > narrow
    shown_by_flamepipe 30x100 narrow
    [[ $stderr != *'|'* ]]
}

@test "the flame graph of flamepipe has colours where the terminal has" {
    TERM=xterm TERMINAL_SIZE=24x60 at_terminal 2 '' flamepipe in
    [[ $stderr == *$'\e['*'all (200)'*$'\e[0m'* ]]
}
