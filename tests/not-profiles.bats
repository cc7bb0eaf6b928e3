#!/usr/bin/env bats
# Text that is no profile is refused, whatever numbers its lines end in; profiles with noise in them are read.
load lib

setup() {
    cd "$DATA/not-profiles" || return
}

@test "a hundred kinds of text that are no profiles are refused, with nothing on standard output" {
    local file n=0
    for file in *; do
        echo "$file"
        answers 1 '' "*stackcollapse: $file: *" stackcollapse "$file"
        n=$((n + 1))
        answers 1 '' '*' stackcollapse <"$file"
    done
    [ "$n" -ge 100 ]
}

@test "what a text is that is no profile is said, if it is known" {
    local row
    for row in 'perfetto.textproto:a Perfetto trace as text' 'systrace:a trace of ftrace' 'ftrace-stacktrace:a trace of ftrace' \
        'trace-cmd-report:a trace of ftrace' 'trace-cmd-graph:a trace of ftrace' 'gprof-flat:a table of gprof' \
        'gprof-darwin:a table of gprof' 'heaptrack:a recording of heaptrack' 'massif.out:a profile of massif' \
        'memcheck:what Valgrind' 'jfr-print:what jfr print writes' 'perf-stat:counts of perf stat' 'perf-report:a table of perf report' \
        'perf-annotate:a table of perf annotate' 'perf-script-raw-dump:a dump of perf script -D' 'perf-4242.map:a perf map' \
        'strace:calls that strace or ltrace prints' 'strace-f:calls that strace' 'ltrace:calls that strace' 'strace-c:a table of strace' \
        'access.log:a log of a web server' 'access-combined.log:a log of a web server' 'log4j.log:a log' 'syslog:a log' 'journal:a log' \
        'dmesg:a log of the kernel' 'dmesg-oops:a log of the kernel' 'page.html:HTML' 'systrace.html:HTML' 'data.xml:XML' \
        'changes.diff:a difference of texts' 'ps-aux:a table of processes' 'top-batch:a table of processes' 'vmstat:a table of processes' \
        'iostat:a table of processes' 'proc-stat:counters of the kernel' 'proc-vmstat:counters' 'metrics.prom:metrics of Prometheus' \
        'objdump:a disassembly' 'traceback:the stack trace of one error' 'shell-script:a script' 'records.jsonl:JSON'; do
        echo "$row"
        try stackcollapse -q "${row%%:*}"
        [ "$status" -eq 1 ]
        [[ $stderr == "stackcollapse: ${row%%:*}: "*"${row#*:}"* ]]
    done
    printf 'the server stopped\n see below\napp 12 cycles:\n\t          401136 main (/app)\n\nthe end\nof it\n' >"$BATS_TEST_TMPDIR/few"
    cd "$BATS_TEST_TMPDIR"
    answers 1 '' \
        'stackcollapse: few: few lines could be used: this is none of the formats of stackcollapse --help, though some lines are as perf script prints them (--from=perf reads these)' \
        stackcollapse -q few
}

@test "names that end in numbers are refused with the option that reads them" {
    cd "$BATS_TEST_TMPDIR"
    printf 'pid=12 5\nthread: io 6\n' >names
    answers 1 '' \
        'stackcollapse: names: no line could be used; this looks like text with numbers at the ends of its lines (--from=folded reads it)' \
        stackcollapse -q names
    prints $'pid=12 5\nthread: io 6' stackcollapse -q --from=folded names
    prints $'*sum 6\nmain; parse; read 5' stackcollapse -q <<<$'main; parse; read 5\n*sum 6'
}

@test "several files: those that are no profiles are refused, and the others are read" {
    printf 'main;a 3\n' >"$BATS_TEST_TMPDIR/good"
    answers 1 'main;a 3' '*' stackcollapse -q readelf "$BATS_TEST_TMPDIR/good" config.ini
}

@test "profiles with some other lines among theirs are read" {
    cd "$BATS_TEST_TMPDIR"
    local noise='INFO: started in 12
timeout = 30'
    # shellcheck disable=SC2016 # dtrace's backquotes
    printf '%s\n' "$noise" 'main;parse 3' 'main 4' '[kernel] 5' 'Web Content 6' '-[NSView draw] 7' 'f(int, char) 8' >folded
    printf '%s\n' "$noise" '#0  0x1 in b ()' '#1  0x2 in a () from x' '' >gdb
    printf '%s\n' "$noise" 'a log' '"w-1" #9 prio=5 tid=0x1 nid=0x2 runnable' '   java.lang.Thread.State: RUNNABLE' '	at a.B.c(B.java)' >jstack
    printf '%s\n' "$noise" 'node 1 [000] 1.000000: 1 cycles:' '	1000 f+0x1 (/x)' '	2000 main+0x1 (/x)' '' >perf
    printf '%s\n' 'noise' "$noise" 'noise' '@[' '    moo+1' ']: 3' >bpftrace
    for file in folded gdb jstack perf bpftrace; do
        echo "$file"
        try stackcollapse -v "$file"
        [ "$status" -eq 0 ]
        [ -n "$output" ]
        [[ $stderr == "stackcollapse: $file: read as $file"* ]]
    done
}

@test "folded stacks of one frame each, of whatever names, are read" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'operator= 3' 'operator()(int) const 4' 'std::map<int, long>::find 5' '<unknown> 6' '(idle) 7' 'swapper/0 8' \
        'kworker/0:1 9' 'JS:get total /srv/app.js:22 10' 'C2 CompilerThread 11' '~main 12' 'block in <main> 13' '#1 14' >flat
    answers 0 '*' '' stackcollapse flat
    same "$(LC_ALL=C sort flat)" "$output"
}
