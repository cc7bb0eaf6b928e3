# Text of other tools, and text that is no profile at all.
load lib

readers() {
    printf '%s\n' stackcollapse flamesvg stackreport stackfilter stackdiff
}

# Runs the program on the file; stackdiff compares it with itself.
reads() { # PROGRAM FILE
    local operands=("$2")
    [ "$1" != stackdiff ] || operands+=("$2")
    echo "$1 $2"
    try "$1" "${operands[@]}"
}

@test "notes, licences and logs with numbers at the ends of some lines are not folded stacks" {
    printf '%s\n' 'GNU GENERAL PUBLIC LICENSE Version 2' 'Everyone is permitted' 'to copy it' >licence
    printf '%s\n' 'shopping 3' '- apples' '- pears' >notes
    for file in licence notes; do
        answers 1 '' \
            "stackcollapse: $file: no line could be used: this is none of the formats of stackcollapse --help" \
            stackcollapse -q $file
    done
}

@test "a command line above a thread dump does not make folded stacks of it" {
    try stackcollapse "$DATA/stackcollapse/jstack/app"
    wanted=$output
    { echo 'user@host:~$ jstack 4242' && cat "$DATA/stackcollapse/jstack/app"; } >dump
    answers 0 "$wanted" '*dump: read as jstack*' stackcollapse -v dump
}

@test "folded stacks with other lines among them are folded stacks if they are half of the lines" {
    printf '%s\n' 'a title' 'main;a 3' 'main;b 4' 'and more' >mixed
    answers 0 $'main;a 3\nmain;b 4' '*' stackcollapse mixed
    echo 'and more' >>mixed
    answers 1 '' '*' stackcollapse mixed
}

@test "where more than half of folded text is skipped the status is 1, and 0 under the scripts' names" {
    # Blank lines and comments are neither used nor skipped.
    printf '%s\n' '# Title' '' 'some words' 'of a text' '' 'main;with number 9' '' '# The end' >text
    for program in 'stackcollapse --from=folded' flamesvg stackreport stackfilter 'stackdiff text'; do
        # shellcheck disable=SC2086 # an option or an operand may follow
        answers 1 '*' '*: text: 2 of 8 lines could not be used: is this the right file?*' $program text
    done
    for program in stackcollapse-recursive.pl flamegraph.pl 'difffolded.pl text'; do
        # shellcheck disable=SC2086
        try "$COMPAT"/$program text
        [ "$status" -eq 0 ]
        [[ $stderr != *'could not be used'* ]]
    done
}

@test "profiles that no program reads are named, with the tool that folds or shows them" {
    printf '# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevents: Ir\nfn=(1) main\n12 345\n+1 36893488147419103232\n' >callgrind
    printf 'version: 1\ncreator: xdebug 3.3.1 (PHP 8.3.6)\ncmd: a.php\nfn=(1) main\n12 345\n' >cachegrind.out
    printf 'desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: ./app\nevents: Ir\nfn=main\n12 345\n' >cachegrind
    printf 'desc: (none)\ncmd: ./app\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=0\n' >massif
    printf '{"dhatFileVersion":2\n,"mode":"heap"\n,"verb":"Allocated"\n}\n' >dhat
    printf 'positions: instr line\nevents: cpu(ms)\n\nob=(1) /srv/app\nfl=(1) app.c\nfn=(1) main\n0x1000 1 100\n* 1 10\n' >pprof.callgrind
    printf '\nob=(1) /srv/app\r\nfl=(1) app.c\r\n\r\nfn=(1) main\r\n16 400\r\ncfn=(2) hot\r\ncalls=3 5\r\n17 1200\r\n' >headless
    printf 'events: Ticks\nsummary: 9\n# a comment\nfn=main\n+3 9\n' >ticks
    printf '*version\n3\ndata-file-overflow=false\nclock=dual\n*threads\n' >art
    printf 'SLOW\363\0\40\0\304\221\236\54\232\0\0\0' >art-stream
    printf 'heap profile: 1: 10 [2: 20] @ heap/1048576\n1: 10 [2: 20] @ 0x46c3c1\n#\t0x46c3c0\tmain.main+0x40\t/srv/app/main.go:12\n' >go-heap
    printf 'goroutine profile: total 5\n4 @ 0x43a1a5 0x4072b2\n#\t0x6f1e2a\tmain.work+0x8a\t/srv/app/main.go:31\n' >go-goroutines
    printf 'goroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:12 +0x40\n' >go-dump
    printf 'threadcreate profile: total 7\n1 @ 0x44cb3 0x45045\n' >go-threads
    printf 'heap profile:  107:  4096 [  107:  4096] @ heap_v2/524288\n  1:  25 [ 5: 100] @ 0x5f8af58\n\nMAPPED_LIBRARIES:\n' >tcmalloc
    printf 'heap_v2/524288\n  t*: 13: 6688 [0: 0]\n@ 0x5f8af58\n  t*: 13: 6688 [0: 0]\n' >jemalloc
    printf '%s contention:\ncycles/second=3201000000\n4000 1 @ 0xbccc97 0xc61202\n' --- >contention
    printf 'File: app\nType: cpu\nShowing nodes accounting for 290ms, 100%% of 290ms total\n      flat  flat%%\n     270ms 93.10%%\n' >pprof-top
    printf 'Type: cpu\nDuration: 10s\n-----------+-----\n      10ms   main.hot\n' >pprof-traces
    printf 'sample:\n  event_type: cpu-clock\n  time: 12\n  thread_name: app\n  symbol: main\n' >simpleperf-text
    printf 'gmon\1\0\0\0abc' >gmon
    printf 'Flat profile:\n\nEach sample counts as 0.01 seconds.\n' >gprof
    printf 'FLR\0\0\2\0\1abc' >jfr
    printf 'Nettrace\x14\0\0\0!FastSerialization.1' >nettrace
    printf 'main;a 3\n' | iconv -f UTF-8 -t UTF-16LE >utf16le
    printf 'main;a 3\n' | iconv -f UTF-8 -t UTF-16BE >utf16be
    local row program
    for row in callgrind:callgrind_annotate cachegrind.out:callgrind_annotate cachegrind:cg_annotate massif:ms_print \
        go-heap:without go-goroutines:without go-dump:without go-threads:without tcmalloc:'jeprof --collapsed' \
        jemalloc:'jeprof --collapsed' contention:'pprof -proto' pprof-top:'pprof -raw' pprof-traces:'pprof -raw' \
        simpleperf-text:'report-sample --protobuf' \
        pprof.callgrind:callgrind_annotate headless:callgrind_annotate ticks:callgrind_annotate art:simpleperf art-stream:simpleperf \
        dhat:dh_view.html gmon:gprof gprof:gprof 'jfr:jfrconv -o collapsed' 'nettrace:dotnet-trace convert' \
        'utf16le:iconv -f UTF-16LE' 'utf16be:iconv -f UTF-16BE'; do
        for program in $(readers) perf-script; do
            reads "$program" "${row%%:*}"
            [ "$status" -eq 1 ]
            [[ $stderr == "$program: ${row%%:*}: "*"${row#*:}"* ]]
            [ "$program" = flamesvg ] || [ "$program" = stackreport ] || same '' "$output"
        done
    done
}

@test "folded stacks and text that begin as such profiles do are read" {
    local first
    for first in '{anonymous}' gmond 'Nettrace::read' 'desc: x' 'version: 1' 'Flat profiler' FLR 'fn=main' 'events: x' SLOW '*version' 'heap profile: x' 'goroutine 1 [x]' 'File: a' '--- contention' heap_v2; do
        printf '%s;a 3\n' "$first" >in
        prints "$first;a 3" stackcollapse in
    done
}

@test "text without a stack in it is an error, and no text is none" {
    echo '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1}}],"startTime":1,"endTime":2,"samples":[],"timeDeltas":[]}' >empty.cpuprofile
    answers 1 '' 'stackcollapse: no samples in the input' stackcollapse -q empty.cpuprofile
    try stackcollapse -q --event=all "$DATA/stackcollapse/jstack/app" empty.cpuprofile
    [ "$status" -eq 0 ]
    [ -n "$output" ]
    printf 'node 1 1.0: 1 cycles:\n\n' >no-frames.perf
    answers 1 '' 'stackcollapse: no sample of the input is left to fold' stackcollapse -q --no-comm no-frames.perf
    : >empty
    printf '\n \n' >blank
    printf '# captured on: Mon Jan  1 00:00:00 2024\n#\n' >header.perf
    for file in empty blank header.perf; do
        answers 0 '' 'stackcollapse: no samples in the input' stackcollapse $file
    done
    echo 'no profile' >words
    try "$COMPAT/stackcollapse-perf.pl" words
    [ "$status" -eq 0 ]
}

@test "'# key: value' is a comment in folded stacks, and a stack under the scripts' names" {
    printf '# austin: 3.4.1\n# mode: wall\n# duration: 23873\n\nP1;a 3\n\n# duration: 23873\n' >austin
    prints 'P1;a 3' stackcollapse austin
    prints 'P1;a 3 3' stackdiff austin austin
    answers 0 '*' '' stackreport --format=tsv --no-comm austin
    [[ $output != *duration* && $output == *P1* ]]
    prints "$(cat austin)" stackfilter austin
    answers 0 '*' '' flamesvg -q austin
    [[ $output != *duration* ]]
    prints '*# duration: (47,746 samples*' "$COMPAT/flamegraph.pl" austin
    try "$COMPAT/difffolded.pl" austin austin
    [[ $output == *'# duration: 23873 '* || $output == *'# duration: '* ]]
    printf '# a: 1\nmain;a 3 4\n' >two
    prints 'main;a 3 4' stackcollapse two
    printf '#include <x>;a 3\n# a;b: 3\n#1;main 5\n' >stacks
    prints "$(LC_ALL=C sort stacks)" stackcollapse stacks
}

@test "a folded first line of more than a megabyte is folded stacks to every program" {
    { head -c 1500000 /dev/zero | tr '\0' a && echo ';b 3' && echo 'c;d 4'; } >long
    local program
    for program in stackfilter stackcollapse; do
        answers 0 '*' '' bash -c "$program long | cmp - long"
    done
    answers 0 '*' '' stackreport --width=0 --format=tsv long
    [[ $output == *b* && $output == *d* ]]
}
