# FlameGraph's scripts that are neither stackcollapse-* nor draw or compare: range-perf.pl and files.pl (stackfiles).
load lib

# Where there is a checkout of the scripts, the one of this name must print what is in $output.
as_script() { # NAME [ARGUMENT ...]
    local ours=$output
    [ -n "${FLAMEGRAPH_DIR:-}" ] || return 0
    try perl "$FLAMEGRAPH_DIR/$1" "${@:2}"
    same "$output" "$ours"
}

# --- range-perf.pl

three_samples() {
    echo '# a comment'
    local time
    for time in 101.250000 102.250000 103.250000; do
        printf 'app 7 [000] %s: 1 cycles: \n\t1 f (/app)\n\n' $time
    done
}

@test "range-perf.pl prints the samples from its first second to its last, without comments" {
    three_samples >in
    prints $'app 7 [000] 102.250000: 1 cycles: \n\t1 f (/app)' "$COMPAT/range-perf.pl" 0.5 1.5 <in
    as_script range-perf.pl 0.5 1.5 <in
    prints "$(three_samples | sed 1d)" "$COMPAT/range-perf.pl" 0 inf <in
}

@test "range-perf.pl counts from the full second with --timezerosecs, and from zero with --timeraw" {
    three_samples >in
    prints $'app 7 [000] 102.250000: 1 cycles: \n\t1 f (/app)' "$COMPAT/range-perf.pl" -timezero 1.25 2 <in
    as_script range-perf.pl -timezero 1.25 2 <in
    prints $'app 7 [000] 103.250000: 1 cycles: \n\t1 f (/app)' "$COMPAT/range-perf.pl" 102.5 200 --timeraw <in
    as_script range-perf.pl 102.5 200 --timeraw <in
}

@test "range-perf.pl ends at the first sample after its range, and takes all before it" {
    { three_samples; three_samples; } >in
    prints $'app 7 [000] 102.250000: 1 cycles: \n\t1 f (/app)' "$COMPAT/range-perf.pl" 1 1 <in
    { three_samples | tail -n 3; three_samples; } >in
    prints "$(three_samples | tail -n 3; three_samples | sed 1d)" "$COMPAT/range-perf.pl" 0 0 <in
    as_script range-perf.pl 0 0 <in
}

@test "range-perf.pl keeps a last line without newline" {
    printf 'app 7 1.5: 1 cycles:\n\t1 f (/a' >in
    "$COMPAT/range-perf.pl" 0 1 <in >out
    cmp in out
}

@test "range-perf.pl without both of its operands, or with an unknown option, is wrong usage" {
    local arguments
    for arguments in '' 1 '--nonsense 1 2' --help; do
        # shellcheck disable=SC2086 # words
        answers 255 '' '*usage: range-perf.pl *' "$COMPAT/range-perf.pl" $arguments </dev/null
    done
}

@test "range-perf.pl: changed inputs get the script's answer" {
    [ -n "${FLAMEGRAPH_DIR:-}" ] || skip "FLAMEGRAPH_DIR is not set"
    python3 "$ROOT/tests/differential.py" "$COMPAT" "$FLAMEGRAPH_DIR" range-perf 1000
}

# --- files.pl and stackfiles

# A folder "top" with names of all kinds.
make_files() {
    mkdir -p top/b top/a/deep 'top/blank and;semicolon' top/ünïcode
    head -c 10 /dev/zero >top/b/ten.txt
    head -c 300 /dev/zero >top/a/deep/_300
    head -c 7 /dev/zero >'top/blank and;semicolon/x 12'
    ln -s a/deep top/link
    ln -s nowhere top/b/dangling
}

# Replaces the sizes of folders, which depend on the file system.
without_folder_sizes() {
    sed -E '/(txt|_300|x_12|link|dangling) [0-9]+$/! s/ [0-9]+$/ N/'
}

@test "stackfiles prints each file and folder below a folder, by name, with its size" {
    make_files
    answers 0 '*' '' stackfiles top
    same 'top N
top;link 6
top;a N
top;a;deep N
top;a;deep;_300 300
top;b N
top;b;dangling 7
top;b;ten.txt 10
top;blank_and_semicolon N
top;blank_and_semicolon;x_12 7
top;ünïcode N' "$(without_folder_sizes <<<"$output")"
    same "$(stat -c %s top)" "$(stackfiles top | sed -n '1s/.* //p')"
    try stackfiles --xdev top///
    same 11 "$(wc -l <<<"$output")"
}

@test "stackfiles reads the current folder by itself, files that are named, and a link with a slash" {
    make_files
    cd top/b
    same $'. N\n.;dangling 7\n.;ten.txt 10' "$(stackfiles | without_folder_sizes)"
    same $'ten.txt 10\n..;link 6' "$(stackfiles ten.txt ../link)"
    same $'..;link 6' "$(stackfiles ../link)"
    same $'..;link N\n..;link;_300 300' "$(stackfiles ../link/ | sed '1s/ [0-9]*$/ N/')"
}

@test "what stackfiles prints can be drawn, and its sum is that of the sizes" {
    make_files
    stackfiles top >folded
    flamesvg folded >picture
    well_formed picture
    same "$(find top -printf '%s\n' | awk '{ n += $1 } END { print n }')" "$(awk '{ n += $NF } END { print n }' folded)"
}

@test "stackfiles reports what it cannot read, and reads the rest" {
    make_files
    answers 1 '*' 'stackfiles: missing: No such file or directory' stackfiles missing top/b
    [ "$(wc -l <<<"$output")" -eq 3 ]
    try stackfiles --nonsense
    [ "$status" -eq 2 ]
}

# Makes a chain of folders whose path is longer than the kernel takes (4,096 bytes), and files on the way.
make_deep() { # LEVELS
    python3 - "$1" <<- 'END'
	import os, sys
	for i in range(int(sys.argv[1])):
	    name = "n" * 100
	    os.mkdir(name)
	    os.chdir(name)
	    open("f", "w").write("x" * 10)
	    os.mkdir("z")
	    open("z/g", "w").write("x" * 3)
	END
}

@test "stackfiles walks paths of any length" {
    mkdir deep
    (cd deep && make_deep 100) # 10,100 bytes
    answers 0 '*' '' bash -c 'ulimit -n 60; exec stackfiles deep'
    same "$(find deep -printf '%p %s\n' | tr / ';' | sort)" "$(sort <<<"$output")"
    same 401 "$(wc -l <<<"$output")"
}

@test "stackfiles reports the entries of a folder that may be read but not searched" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    mkdir -p top/closed top/open
    touch top/closed/{1,2,3,4,5} top/open/f
    chmod 755 top
    chmod 744 top/closed
    cp "$BIN/stackfiles" program
    chmod 755 program
    let_others_in
    try setpriv --reuid=65534 --regid=65534 --clear-groups ./program top
    [ "$status" -eq 1 ]
    same 'top N top;closed N top;open N top;open;f 0' "$(sed -E '/f 0$/! s/ [0-9]+$/ N/' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
    same 4 "$(wc -l <<<"$stderr")"
    same 3 "$(grep -c '^stackfiles: top/closed/[1-5]: Permission denied$' <<<"$stderr")"
    same 'stackfiles: 5 files whose size cannot be read in all' "$(tail -1 <<<"$stderr")"
}

@test "stackfiles prints no name that a terminal would act on" {
    mkdir top
    touch top/$'a\e[31m\xc2\x9bb\xe2\x80\xaec\xff\xc3\xa9'
    same $'top;a_[31m??b???c?\xc3\xa9 0' "$(stackfiles top | tail -1)"
}

@test "stackfiles --xdev leaves out other file systems, for each folder by itself" {
    [ "$(stat -c %d /dev/pts)" != "$(stat -c %d /dev)" ] || skip "/dev/pts is no file system of its own"
    mkdir folder
    try stackfiles --xdev folder /dev
    same "folder $(stat -c %s folder)" "${lines[0]}"
    grep -q '^dev;null 0$' <<<"$output"
    [[ $output != *$'\ndev;pts'* ]]
    try stackfiles /dev
    grep -q '^dev;pts ' <<<"$output"
}

@test "files.pl gives the script's answer" {
    make_files
    answers 0 '*' '' "$COMPAT/files.pl" top
    same 'top N
top;__n__code N
top;a N
top;a;deep N
top;a;deep;_300 300
top;b N
top;b;dangling 7
top;b;ten.txt 10
top;blank_and;semicolon N
top;blank_and;semicolon;x_12 7
top;link 6' "$(sort <<<"$output" | without_folder_sizes)"
    [ -n "${FLAMEGRAPH_DIR:-}" ] || return 0
    local folder
    for folder in top top/ top// ./top top/link top/link/ missing top/b/ten.txt 'top/blank and;semicolon/x 12'; do
        try "$COMPAT/files.pl" "$folder"
        as_script files.pl "$folder"
    done
    cd top/b
    for folder in ten.txt dangling . .. "$PWD"; do
        try "$COMPAT/files.pl" "$folder"
        as_script files.pl "$folder"
    done
    try "$COMPAT/files.pl" /dev --xdev /etc /dev
    as_script files.pl /dev --xdev /etc /dev
}

@test "files.pl without a folder, and with --help first, is wrong usage" {
    local arguments
    for arguments in '' --help '-h top'; do
        # shellcheck disable=SC2086 # words
        answers 1 '' '*usage: files.pl *' "$COMPAT/files.pl" $arguments
    done
    answers 0 '' 'files.pl: missing: No such file or directory' "$COMPAT/files.pl" missing
}

@test "jmaps: wrong usage is reported with status 2, and a process that is gone with 1" {
    try jmaps --nonsense
    [ "$status" -eq 2 ]
    same "jmaps: unknown option '--nonsense'" "$(head -n 1 <<< "$stderr")"
    try jmaps java
    [ "$status" -eq 2 ]
    same "jmaps: 'java' is not the number of a process" "$(head -n 1 <<< "$stderr")"
    answers 1 '*' 'jmaps: process 99999999: no map is made: it is gone' jmaps 99999999
    try sh -c 'jmaps 99999999 > /dev/full'
    [ "$status" -eq 1 ]
}
