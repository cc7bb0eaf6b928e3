#!/usr/bin/env bats
# The input formats of stackcollapse: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$DATA/stackcollapse" || return 1
}

@test "every case of every script has the script's answer to the byte under its name" {
    local script format input options n=0
    while read -r script format input options; do
        echo "$script $format/$input $options"
        # shellcheck disable=SC2086 # options are words
        try "$COMPAT/$script" $options "$format/$input"
        [ "$format" != perf-sched ] || output=$(sort <<<"$output") # the script has no order
        same "$(<"$format/$input${options// /}.folded")" "$output"
        n=$((n + 1))
    done <cases
    [ "$n" -gt 50 ]
}

@test "every input gives the stacks and messages beside it, whether its format is guessed or named, and JSON also in one line" {
    local input format stacks said
    for input in */*; do
        [[ $input != *.@(own|folded|said) ]] || continue
        echo "$input"
        format=${input%/*} stacks=$input.own said=
        [ -e "$stacks" ] || stacks=$input.folded
        [ ! -e "$input.said" ] || said=$'\n'$(<"$input.said")
        # Three formats are never guessed: they look as folded text, and perf script text.
        [[ $format =~ ^(recursive|perf-sched|pkgsplit)$ ]] && options=(-v --from="$format") || options=(-v)
        answers 0 "$(<"$stacks")" "stackcollapse: $input: read as $format$said" stackcollapse "${options[@]}" "$input"
        prints "$(<"$stacks")" stackcollapse -q --from="$format" <"$input"
        [ "$(head -c 1 "$input" | tr -d '\0')" != '{' ] ||
            prints "$(<"$stacks")" stackcollapse -q --from="$format" < <(tr '\n' ' ' <"$input")
    done
}

# With a checkout of the scripts.
@test "a thousand changed inputs of every format get the answer of its script" {
    [ -n "${FLAMEGRAPH_DIR:-}" ] || skip "FLAMEGRAPH_DIR is not set"
    command -v gawk >/dev/null || skip "gawk is missing"
    command -v php >/dev/null || skip "php is missing"
    local formats
    formats=$(cut -d' ' -f2 cases | sort -u)
    cd "$BATS_TEST_TMPDIR"
    xargs -P "$(nproc)" -I{} python3 "$ROOT/tests/differential.py" "$COMPAT" "$FLAMEGRAPH_DIR" {} 1000 <<<"$formats"
}

@test "every row of the scripts' table has its name in the folder of the scripts, and cases" {
    cd "$ROOT"
    try grep -oE '"[a-z][^"]*\.(pl|awk|php|py)"' cmd/stackcollapse/script/scripts.c
    while read -r name; do
        [ -x "$COMPAT/${name//\"/}" ]
        [ "$name" = '"stackcollapse-perf.pl"' ] || grep -qF "${name//\"/} " tests/data/stackcollapse/cases
    done <<<"$output"
}

@test "a file that is of no format is an error that says where they are listed" {
    echo 'what is this' >"$BATS_TEST_TMPDIR/in"
    answers 1 '' \
        "*/in: no line could be used: this is none of the formats of stackcollapse --help*" \
        stackcollapse "$BATS_TEST_TMPDIR/in"
    answers 1 '' "*no line could be used: this is not gdb*" stackcollapse --from=gdb <<<'#1 nonsense'
}

@test "with --from a file that is of another format is an error that says how it is read without, in every format" {
    printf 'some text\n\nand more\n' >"$BATS_TEST_TMPDIR/text"
    for format in $(stackcollapse --help | grep -o 'perf|[^ ]*' | tr '|' ' '); do
        [ "$format" != guess ] || continue
        echo "$format"
        answers 1 '' "*/text: no line could be used: this is not $format*" stackcollapse "--from=$format" "$BATS_TEST_TMPDIR/text"
    done
    for format in gdb jstack faulthandler bpftrace go java-exceptions ibmjava wcp aix sample xdebug; do
        answers 1 '' \
            "stackcollapse: perf-trace/app: no line could be used: this is not $format; without --from it is read as perf-trace" \
            stackcollapse "--from=$format" perf-trace/app
    done
}

@test "a file without samples that is of the format asked for is an error, and one with comments only is none" {
    local row
    printf 'Attaching 1 probe...\n\n' >"$BATS_TEST_TMPDIR/bpftrace"
    printf '# only\n\n# comments\n' >"$BATS_TEST_TMPDIR/perf"
    for row in bpftrace:1 perf:0; do
        try stackcollapse --from="${row%:*}" "$BATS_TEST_TMPDIR/${row%:*}"
        same '' "$output"
        same 'stackcollapse: no samples in the input' "$stderr"
        [ "$status" -eq "${row#*:}" ]
    done
}

@test "under a script's name several files are one text, under ours each ends its last stack" {
    printf '#1  0x1 in b ()\n' >"$BATS_TEST_TMPDIR/one"
    printf '#2  0x2 in a () from x\n' >"$BATS_TEST_TMPDIR/two"
    cd "$BATS_TEST_TMPDIR"
    prints 'a;a 1' "$COMPAT/stackcollapse-gdb.pl" two two
    prints $'a 1\nb 1' stackcollapse -q one two
}

@test "--shorten-pkgs and --no-pkgs shorten the methods of Java, --no-comm and --tid change the thread's name" {
    try stackcollapse -q --shorten-pkgs --no-comm jstack/classic
    [[ $output == *$'j.l.Thread.run;main;c.e.w.Cache$Entry.lookup;j.u.HashMap.get 2'* ]]
    try stackcollapse -q --no-pkgs --tid jstack/classic
    [[ $output == *$'http-bio-8080-exec-12;Thread.run;main;Cache$Entry.lookup;HashMap.get 1'* ]]
}

@test "--shorten-pkgs and --no-pkgs take no part of a hidden class's name for a package" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '"w" #9 prio=5' '   java.lang.Thread.State: RUNNABLE' '	at a.b.W$$Lambda$14/0x00007f.run(Unknown Source)' \
        '	at a/b/W$$Lambda/0x00007f.run(Unknown Source)' '	at W$$Lambda$1/0x00007f.run(Unknown Source)' '' > in
    prints 'W$$Lambda$1/0x00007f.run;a/b/W$$Lambda/0x00007f.run;a.b.W$$Lambda$14/0x00007f.run 1' \
        stackcollapse --from=jstack --no-comm --shorten-pkgs in
    prints 'W$$Lambda$1/0x00007f.run;W$$Lambda/0x00007f.run;W$$Lambda$14/0x00007f.run 1' \
        stackcollapse --from=jstack --no-comm --no-pkgs in
}

@test "--pid and --tid begin the stacks of eu-stack with the numbers" {
    try stackcollapse -q --pid --tid elfutils/unnamed
    same $'PID=4242;TID=4242;[unknown];main;[unknown] 1\nPID=4242;TID=4243;[unknown];a:b 1\nPID=4300;TID=4300;main 1' "$output"
}

@test "--includeoffset keeps the offsets of DTrace's frames, except the leaf's" {
    prints "*unix\`sys_syscall+0x10e;genunix\`syscall_mstate 3*" stackcollapse -q --includeoffset dtrace/profile
}

@test "many different frame lines are read in bounded memory, and right" {
    cd "$BATS_TEST_TMPDIR"
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf "#0  0x%x in leaf (n=%d) at a.c:1\n#1  0x%x in main (n=%d) at a.c:2\n\n", i, i, i, i }' >in
    prints 'main;leaf 200000' stackcollapse in
}

@test "gdb: names have no argument lists, as those of perf, unless --tidy=none is given" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' '#0  0x00007f2e in json::Scan(bool) ()' '#1  0x00007f2f in operator()(int) const ()' '#2  0x0000552e in main ()' > in
    prints 'main;operator();json::Scan 1' stackcollapse --from=gdb in
    prints 'main;operator()(int) const;json::Scan(bool) 1' stackcollapse --from=gdb --tidy=none in
    prints 'main;operator()(int);json::Scan(bool) 1' "$COMPAT/stackcollapse-gdb.pl" in
}

@test "wcp: a stack ends where the next one begins, also without a blank line" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'Full stacks with at least 0.100% of samples:' '' '60.0% == (6 samples)' '   1: a   (at a.c:1)' \
        '40.0% == (4 samples)' '   1: b   (at b.c:1)' >report
    prints $'a   (at a.c:1) 6\nb   (at b.c:1) 4' stackcollapse report
}

@test "wcp: a count without frames, and frames without a count, are reported" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'Full stacks with at least 0.100% of samples:' '' '60.0% == (6 samples)' '' '40.0% == (4 samples)' \
        '   1: b   (at b.c:1)' '' '   1: c   (at c.c:1)' >report
    answers 0 'b   (at b.c:1) 4' 'stackcollapse: report:4: a stack without frames ends here
stackcollapse: report:8: not a line of wallClockProfiler
stackcollapse: 1 sample, 2 lines skipped (first at line 4)' stackcollapse report
}

@test "vsprof and vtune: without the line of the columns, or a column, a message says what is missing" {
    answers 1 '' '*1: a line before that of the columns, Level,Function Name,...*' stackcollapse --from=vsprof <<<'1,"main",5,5,'
    answers 1 '' \
        '*1: there is no column of exclusive samples or time: export one too*' \
        stackcollapse <<<'Level,Function Name,Inclusive Samples,'
    answers 1 '' '*1: a line before that of the columns, Function Stack,...*' stackcollapse --from=vtune <<<'main,5,a.exe'
    answers 1 '' '*1: there is no column CPU Time:Self: have VTune print it*' stackcollapse <<<'Function Stack,CPU Time:Total,Module'
    answers 1 '' \
        '*1: there is no column Allocation Size:Self: have VTune print it*' \
        stackcollapse --size <<<'Function Stack,Allocations:Self,Module'
}

@test "vtune: tabs may separate the columns, of which the one of another event counts where there is no time" {
    prints 'Total;a.out!f, g 2000' stackcollapse <<<$'Function Stack\tModule\tClockticks:Self\r\nTotal\t\t0\r\n f, g\ta.out\t2000\r'
}

@test "vtune: quotation marks are removed from names, modules and counts" {
    for n in 0 60; do
        pad=$(printf '%*s' "$n" '')
        answers 0 "m!${pad// /x}(a, b) 1000
m!${pad// /x}(a, b);mx!${pad// /x}<\"a\", b> 2000
m!${pad// /x}(a, b);mx!${pad// /x}<\"a\", b>;${pad// /x}operator\"\"_y 3000" '*:5: there is no count*' stackcollapse <<<"Function Stack,CPU Time:Self,Module
\"${pad// /x}(a, b)\",1,\"m\"
 \"${pad// /x}<\"\"a\"\", b>\",\"2\",\"m\"x
  ${pad// /x}operator\"\"_y,3,
   \"${pad// /x}, 4"
    done
}

@test "vtune-mc: --size counts bytes" {
    try stackcollapse --size vtune-mc/allocations
    same "$(sed 's/(\[Unknown\])//g; / 0$/d' vtune-mc/allocations--size.folded | sort)" "$output"
}

@test "the scripts that read CSV take one file, and have Perl's status where they die" {
    for name in vsprof:0 vtune:0 vtune-mc:255; do
        try "$COMPAT/stackcollapse-${name%:*}.pl"
        [ "$status" -eq "${name#*:}" ]
        [[ $stderr == "stackcollapse-${name%:*}.pl: which file?"* ]]
        answers 2 '' "stackcollapse-${name%:*}.pl: missing: No such file or directory" "$COMPAT/stackcollapse-${name%:*}.pl" missing
        answers 25 '' '*: the script ends here' "$COMPAT/stackcollapse-${name%:*}.pl" gdb/threads
    done
    printf 'columns\nnothing' >"$BATS_TEST_TMPDIR/cut"
    try "$COMPAT/stackcollapse-vsprof.pl" "$BATS_TEST_TMPDIR/cut"
    [ "$status" -eq 255 ]
}

@test "ghcprof: the tree of cost centres counts ticks, or where there are none the percentage of time" {
    same 'MAIN.MAIN;Main.CAF:main6;Main.main;Main.naïve 2' "$(grep naïve ghcprof/ticks.own)"
    same "$(awk '/ticks @/ { print substr($6, 2) }' ghcprof/ticks)" "$(awk '{ sum += $NF } END { print sum }' ghcprof/ticks.own)"
}

@test "ghcprof: --size counts bytes, or where there are none the percentage of allocation" {
    answers 0 '*' '' stackcollapse --size ghcprof/ticks
    same "$(awk '/total alloc/ { gsub(",", "", $4); print $4 }' ghcprof/ticks)" "$(awk '{ sum += $NF } END { print sum }' <<<"$output")"
    prints '*;Report.counts 69.8*' stackcollapse --size ghcprof/percent
}

@test "ghcprof: two reports add up, and a report that is cut before its tree is an error" {
    prints "$(awk '{ $NF *= 2; print }' ghcprof/ticks.own)" stackcollapse ghcprof/ticks ghcprof/ticks
    head -15 ghcprof/ticks >"$BATS_TEST_TMPDIR/cut"
    answers 1 '' '*/cut:15: there is no tree of cost centres, with a column "entries"*' stackcollapse "$BATS_TEST_TMPDIR/cut"
}

@test "ghcprof: a line that does not fit is reported, with those below it" {
    printf 'COST CENTRE MODULE no. entries %%time %%alloc %%time %%alloc\n\nMAIN MAIN 1 0 4.5 0.0 1.0 0.0\n f M 2 x\n  g M 3 1 1.0 0.0 1.0 0.0\n' >"$BATS_TEST_TMPDIR/in"
    answers 0 'MAIN.MAIN 4.5' \
        "*in:4: not a line of the tree of cost centres*in:5: the line of this function's caller is missing*1 sample, 2 lines skipped (first at line 4)" \
        stackcollapse "$BATS_TEST_TMPDIR/in"
}

@test "xctrace: rows count their weight, and references to elements repeat them" {
    tr '\n' ' ' <xctrace/cycles >"$BATS_TEST_TMPDIR/one-line"
    prints "$(cat xctrace/cycles.own)" stackcollapse "$BATS_TEST_TMPDIR/one-line"
}

@test "xctrace: --no-comm leaves the process out, --pid adds its number" {
    prints $'main 100\nmain;draw "all" 644366' stackcollapse --no-comm xctrace/cycles
    prints '*helper (old)-49380;start;0x7000 1000*render-49374;start;[dyld] 1000*' stackcollapse --pid xctrace/time
}

@test "xctrace: rows without a stack, and with a reference to what is not there, are reported" {
    cat >"$BATS_TEST_TMPDIR/in" <<'END'
<trace-query-result><node><row><backtrace id="1"><frame id="2" name="a"/></backtrace></row>
<row><backtrace ref="3"/></row>
<row><backtrace ref="2"/></row>
<row><sentinel/></row>
<row><backtrace ref="1"/></row></node></trace-query-result>
END
    answers 0 'a 2' \
        '*in:2: a row that refers to an id that is not there*in:3: a row that refers to an id that is not there*1 of 3 samples have no frames and are left out*3 samples, 2 lines skipped (first at line 2)' \
        stackcollapse "$BATS_TEST_TMPDIR/in"
}

@test "xctrace: an export that is cut is an error with its place, and what came before it counts" {
    local size at
    size=$(wc -c <xctrace/cycles)
    for ((at = 0; at < size - 22; at += 29)); do
        head -c "$at" xctrace/cycles >"$BATS_TEST_TMPDIR/cut"
        try stackcollapse --from=xctrace "$BATS_TEST_TMPDIR/cut"
        [ "$status" -eq 1 ]
        [[ $stderr == *'/cut'*': '@('the XML text ends '*|'no trace-query-result') ]]
    done
    same $'render;main 100\nrender;main;draw "all" 644266' "$output"
}

@test "folded text of other profilers is folded text, with their marks, blanks and numbers" {
    for input in async-profiler-diff py-spy rbspy bcc; do
        same "$(sort "folded/$input")" "$(cat "folded/$input.own")"
    done
    grep -q ';DefNewGeneration::FastEvacuateFollowersClosure::do_void 12$' folded/async-profiler.own
}

@test "async-profiler's marks tell the kernel, and how a method ran does not make another function of it" {
    answers 0 '*' '' stackreport --format=tsv folded/async-profiler
    [[ $output == *$'\tkernel\tksys_write\n'* ]]
    [[ $output == *$'0\t0.00\t19\t61.29\tnative\tFileConverter.saveResult\n'* ]]
    [[ $output != *'_['* ]]
    try stackreport --no-comm --format=tsv folded/py-spy folded/rbspy
    [[ $output == *$'0\t0.00\t99\t72.79\tnative\t<main> - ci/ruby-programs/short_program.rb:18\n'* ]]
    [[ $output == *$'0\t0.00\t35\t25.74\tnative\t<module> (app.py:20)\n'* ]]
}

@test "flamesvg draws async-profiler's marks in the colours of the palettes java and node" {
    fill() { # PALETTE TITLE
        try flamesvg -q --colors="$1" folded/async-profiler
        grep -oE "<title>$2 [^/]*/title><rect [^>]*fill=\"rgb\([0-9,]*" <<<"$output" | sed 's/.*(//; s/,/ /g' | head -1
    }
    # Green, turquoise and orange: which channel is the strongest, and which the weakest.
    order='{ print ($1 > $2 ? "r" : "") ($2 > $1 && $2 > $3 + 60 ? "g" : "") ($3 > $1 + 60 ? "b" : "") }'
    same g "$(fill java 'java/io/DataOutputStream.writeUTF' | awk "$order")"
    same b "$(fill java 'java/lang/String.length' | awk "$order")"
    same r "$(fill java ksys_write | awk "$order")"
    [ "$(fill node ksys_write)" != "$(fill node 'java/lang/String.length')" ]
}

@test "--wakers adds who woke a thread, and who woke that one while the thread waited" {
    try stackcollapse -q --from=perf-sched --wakers=one perf-sched/sleeps
    [[ $output == *'node;node::Run;uv__io_poll;schedule;__schedule;try_to_wake_up;net_send;mysqld 500000'* ]]
    try stackcollapse -q --from=perf-sched --wakers=all perf-sched/sleeps
    [[ $output == *';net_send;mysqld;-;[mysqld (deleted)];ha_innobase::write;io_schedule;__schedule;try_to_wake_up;blk_done;irq/9 500000'* ]]
    # The waker's own wait had ended before this one began.
    [[ $output == *'mysqld;idle;__schedule;try_to_wake_up;query;node 90000'* ]]
}

@test "a wait lasts until the thread is switched in, where the kernel measured no sleep" {
    printf '%s\n' 'app 1/2 [000] 5.000100: sched:sched_switch: app:2 [120] S ==> other:3 [120]' \
        $'\t1 main (app)' '' \
        'other 3/3 [000] 5.000350: sched:sched_switch: other:3 [120] X ==> app:2 [120]' \
        $'\t1 exit (app)' '' >"$BATS_TEST_TMPDIR/in"
    prints 'app;main 250' stackcollapse --from=perf-sched "$BATS_TEST_TMPDIR/in"
}

@test "a variable that the awk script does not have is wrong usage, one before the files is set" {
    answers 255 '' "*the script has no variable 'nosuch=1'*" "$COMPAT/stackcollapse-perf-sched.awk" -v nosuch=1 perf-sched/sleeps
    try "$COMPAT/stackcollapse-perf-sched.awk" record_tid=1 perf-sched/sleeps
    [[ $output == *'node-4250;node::Run(int, char**);'* ]]
}

@test "--no-modules leaves the libraries out of macOS's samples, and samples of waits are reported" {
    try stackcollapse --no-modules sample/report
    [[ $output == *'com.apple.main-thread;start;main;work;-[NSPool take:withTimeout:];objc_msgSend 900'* ]]
    same 'stackcollapse: 6,420 of 8,043 samples are of threads that wait, and are left out' "$stderr"
}

@test "instruments: a deep copy of Instruments 13 counts cycles, one of 16 has no empty column and pads shares" {
    cd "$BATS_TEST_TMPDIR" || return 1
    printf '%s\n' $'Weight\tSelf Weight\t\tSymbol Name' $'2.40 Gc  100.0%\t-\t \tapp (42)' $'2.40 Gc  100.0%\t404.75 Mc\t \t main' \
        $'2.00 Gc   83.1%\t2.00 Gc\t \t  hot(int)' $'1.34 Kc    0.0%\t1.34 Kc\t \t  print' $'532 cycles    0.0%\t532 cycles\t \t print' >cycles
    answers 0 'app (42);main 404750000
app (42);main;hot(int) 2000000000
app (42);main;print 1340
app (42);print 532' 'stackcollapse: cycles: read as instruments' stackcollapse --verbose cycles
    printf '%s\n' $'Weight\tSelf Weight\tSymbol Names' $'4.93 s  100.0%\t0 s\t   start' $'4.92 s  99.9%\t10.00 ms\t    main' \
        $'846.00 ms  \xe2\x80\x870.0%\t846.00 ms\t     delta()' $'1.00 ms \xc2\xa0\xe2\x80\x870.0%\t-\t      free' $'9.00 ms  \xe2\x80\x870.0%\t9.00 ms\t    exit' >ms
    answers 0 'start;exit 9
start;main 10
start;main;delta() 846' 'stackcollapse: ms: read as instruments' stackcollapse --verbose ms
    sed 1d ms >headless
    prints 'start;exit 9
start;main 10
start;main;delta() 846' stackcollapse headless
}

@test "dtrace: stacks whose frames have no offset are known by their modules, and other lines with a backquote are not" {
    cd "$BATS_TEST_TMPDIR" || return 1
    printf '%s\n' '' '' '              libsystem_kernel.dylib`mach_msg_trap' '              CoreFoundation`-[A b:c:]' '              0x7fff2035' '                3' '' \
        '              libc++.1.dylib`std::map<int, long>::operator[](int const&)' '              dyld`start' '                4' >frames
    answers 0 '0x7fff2035;CoreFoundation`-[A b:c:];libsystem_kernel.dylib`mach_msg_trap 3
dyld`start;libc++.1.dylib`std::map<int, long>::operator[] 4' 'stackcollapse: frames: read as dtrace' stackcollapse --verbose frames
    echo ' app`main;app`work 12' >folded
    answers 0 '*' 'stackcollapse: folded: read as folded' stackcollapse --verbose folded
    printf '%s\n' '(lldb) bt' '  * frame #0: 0x0000000100f68190 dyld`start + 444' >lldb
    try stackcollapse --verbose lldb
    [[ $stderr != *'read as dtrace'* ]]
}

@test "instruments: times seen before mean the same after any other, however many there are" {
    awk 'BEGIN { print "Running Time\tSelf (ms)\t\tSymbol Name"
        for (turn = 0; turn < 2; turn++)
            for (i = 1; i <= 70000; i++)
                printf "%d.00 ms    0.1%%\t%d.00 ms\t \t%s\n", i, i, i % 2 ? "odd" : "even  " }' >"$BATS_TEST_TMPDIR/times"
    prints "$(printf 'even 2450070000\nodd 2450000000')" stackcollapse --from=instruments "$BATS_TEST_TMPDIR/times"
    printf '%s\n' $'1.00 ms    0.1%\t1.00 ms\t \ta\tb' $'1.00 ms    0.1%\t1.00 ms\t \t' $'1.00 ms\t0.1%\t1.00 ms\t \tc' \
        $'1.00 ms    0.1%\t1.00 ms\t \tc' >"$BATS_TEST_TMPDIR/times"
    answers 0 "$(printf 'a\tb 1\nc 2')" "*:2: not a line of Instruments' call tree*" \
        stackcollapse --from=instruments "$BATS_TEST_TMPDIR/times"
}

@test "--weight=samples counts the calls of functions that call no other" {
    prints $'{main};lost 1\n{main};ret_ord;a:b 1\n{main};ret_ord;ord 2\n{main};str_split 1' \
        stackcollapse --weight=samples xdebug/documented
}

@test "stackcollapse-xdebug.php reads one file, which it wants" {
    try "$COMPAT/stackcollapse-xdebug.php"
    [ "$status" -eq 1 ]
    prints "$(cat xdebug/documented-c.folded)" "$COMPAT/stackcollapse-xdebug.php" -c xdebug/documented xdebug/app
}

@test "perf-trace: every call that ended counts one, and the others are reported" {
    answers 0 '*' '*1 calls had not ended, and are left out*' stackcollapse perf-trace/kinds
    [[ $stderr == *'12 events were lost by perf trace'* ]]
    calls=$(grep -v '^ \{20\}' perf-trace/app | grep -vc '\.\.\. *$')
    try stackcollapse -q perf-trace/app
    same "$calls" "$(awk '{ n += $NF } END { print n }' <<<"$output")"
}

@test "perf-trace: --weight=period counts microseconds, --kernel marks the calls" {
    answers 0 $'exit_group_[k] 1\nmain;read_[k] 3016' \
        'stackcollapse: 1 calls have no duration, each counts 1' \
        stackcollapse --from=perf-trace --weight=period --kernel --no-comm <<'END'
     0.000 ( 1.016 ms): app/7 read(fd: 4) = 832
                                       main (/home/user/app)
     3.000 ( 2.000 ms): app/7 read(fd: 4) = 832
                                       main (/home/user/app)
     6.000 (         ): app/7 exit_group() = ?
END
}

@test "perf-trace: a line of another form is reported with its place" {
    answers 1 'app;read 1' \
        '*standard input:1: not a frame of a call*standard input:3: not a line of perf trace*' \
        stackcollapse --from=perf-trace <<'END'
                                       main (/home/user/app)
     0.000 ( 1.016 ms): app/7 read(fd: 4) = 832
     what
END
}

@test "bpftrace: --includeoffset keeps the offsets, except the leaf's" {
    prints $'main+1;moo 7\nmain+24;moo 9' stackcollapse --includeoffset bpftrace/offsets
}

@test "go: with --strict a negative count is an error, and if there is no other nothing is left" {
    answers 1 '*' '*a value below 0*' stackcollapse --strict go/negative
    answers 1 '' '*a value below 0*' stackcollapse <(sed 5d go/negative)
}

@test "--tid keeps the numbers of Java's threads, in each form of their dumps" {
    local input
    for input in jstack/dump-21 jstack/dump-25 jstack-json/dump-21 jstack-json/dump-25; do
        prints 'mailer (1)-7;*virtual thread-31;*' stackcollapse -q --tid "$input"
    done
    prints '*mailer-7;*virtual thread-31;*' stackcollapse -q --tid jstack/carriers
    try stackcollapse -q --no-comm jstack/carriers
    [[ $output == *$'\nshop.Mail.send 1'* ]]
}

@test "two dumps of Java's threads in one file add up, and a list of numbered titles is none" {
    prints "$(sed 's/ 1$/ 2/' jstack/dump-21.own)" stackcollapse -q <(cat jstack/dump-21 jstack/dump-25)
    answers 1 '' '*no line could be used*' stackcollapse <<<$'reports:\n#1 "main" is slow\n#2 "worker" waits'
}
