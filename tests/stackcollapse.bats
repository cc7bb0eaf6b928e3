#!/usr/bin/env bats
# stackcollapse, under its own name and as stackcollapse-perf.pl.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# One sample with the frames given, leaf first.
sample() { # HEADER FRAME...
    printf '%s\n' "$1"
    shift
    for frame; do printf '\t%s\n' "$frame"; done
    echo
}

# Checks what each dialect makes of `in`, by periods; the Perl script itself is asked too, where there is one.
both() { # PERL OWN [OPTION...]
    local perl=$1 own=$2
    shift 2
    try "$COMPAT/stackcollapse-perf.pl" "$@" in
    [ "$status" -eq 0 ]
    same "$perl" "$output"
    try stackcollapse --weight=period "$@" in
    [ "$status" -eq 0 ]
    same "$own" "$output"
    if [ -n "${FLAMEGRAPH_DIR:-}" ]; then
        try perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" "$@" in
        same "$perl" "$output"
    fi
}

# --- what both dialects do

@test "a sample becomes one line, root first, weighed by its period" {
    sample 'node 12 [000] 1.5:  250 cycles:' '1f leaf+0x4 (/bin/node)' '2f root (/bin/node)' >in
    both 'node;root;leaf 250' 'node;root;leaf 250'
}

@test "equal stacks are summed and lines are sorted by bytes" {
    { sample 'b 1/1 1.1: 2 cycles:' '1 f (/x)'; sample 'aa 1/1 1.2: 3 cycles:' '1 f (/x)'
      sample 'aa 1/1 1.3: 4 cycles:' '1 f (/x)'; sample 'aa 1/1 1.4: 1 cycles:' '1 f.x (/x)' '2 f (/x)'
      sample 'aa 1/1 1.4: 1 cycles:' '2 f.b (/x)'; sample 'aa 1/1 1.4: 1 cycles:' '3 g (/x)' '2 f.b (/x)'
    } >in
    try stackcollapse --weight=period in
    [ "$status" -eq 0 ]
    same $'aa;f 7\naa;f.b 1\naa;f.b;g 1\naa;f;f.x 1\nb;f 2' "$output"
    same "$output" "$(LC_ALL=C sort <<<"$output")"
}

@test "a sample without a period counts one" {
    sample 'node 12 1.5: sched:sched_switch: prev=a' '1f leaf (/bin/node)' >in
    both 'node;leaf 1' 'node;leaf 1'
}

@test "where the blank line between samples is lost, the script asks each frame's own header for java" {
    { sample 'java 1 1.1: 1 cycles:' '1 Lorg/a:::b (/x)'; sample 'perf 2 1.2: 1 cycles:' '2 Lorg/c:::d (/x)'
      sample 'java 3 1.3: 1 cycles:' '3 Lorg/e:::f (/x)'; } | sed '3d;6d' >in
    both 'java;org/e:::f;Lorg/c:::d;org/a:::b 1' $'java;Lorg/a:::b 1\njava;Lorg/e:::f 1\nperf;Lorg/c:::d 1'
}

@test "blanks in a command name become underscores" {
    sample 'V8 Worker 12 1.5: 1 cycles:' '1f leaf (/bin/node)' >in
    both 'V8_Worker;leaf 1' 'V8_Worker;leaf 1'
}

@test "--pid and --tid append the numbers to the command name" {
    sample 'node 12/34 [000] 1.5: 1 cycles:' '1f leaf (/n)' >in
    both 'node-12;leaf 1' 'node-12;leaf 1' --pid
    both 'node-12/34;leaf 1' 'node-12/34;leaf 1' --tid
    sample 'node 34 [000] 1.5: 1 cycles:' '1f leaf (/n)' >in
    both 'node-?/34;leaf 1' 'node-?/34;leaf 1' --tid
}

@test "--kernel, --jit and --all annotate frames" {
    sample 'node 12 1.5: 1 cycles:' 'ff read ([kernel.kallsyms])' '2f f (/tmp/perf-12.map)' '1 m (/n)' >in
    both 'node;m;f;read_[k] 1' 'node;m;f;read_[k] 1' --kernel
    both 'node;m;f_[j];read 1' 'node;m;f_[j];read 1' --jit
    both 'node;m;f_[j];read_[k] 1' 'node;m;f_[j];read_[k] 1' --all
}

@test "a frame without a symbol shows its DSO, and with --addrs its address" {
    sample 'node 12 1.5: 1 cycles:' '1f [unknown] (/usr/lib/libc.so.6)' '2f [unknown] ([unknown])' >in
    both 'node;[unknown];[libc.so.6] 1' 'node;[unknown];[libc.so.6] 1'
    both 'node;[unknown <2f>];[libc.so.6 <1f>] 1' 'node;[unknown <2f>];[libc.so.6 <1f>] 1' --addrs
}

@test "difference: an area of a process in brackets is not the kernel, and Android's caches are JIT-compiled code" {
    sample 'app 12 1.5: 1 cycles:' '1f int a.b.C.d() ([JIT app cache])' '2f [unknown] ([JIT zygote cache])' \
        '3f g ([some cache])' '4f h ([nf_conntrack])' >in
    both 'app;h_[k];g_[k];[[JIT zygote cache]]_[k];int a.b.C.d_[k] 1' 'app;h_[k];g;[[JIT zygote cache]]_[j];a.b.C.d_[j] 1' --all
    try stackfilter --node in
    [ "$status" -eq 0 ]
    [[ $output = *'2f (JIT-compiled code without names) ([JIT zygote cache])'* ]]
    try stackreport --by=kind --format=tsv in
    [ "$status" -eq 0 ]
    [[ $output = *$'\n1\t100.00\t1\t100.00\tnative'* ]]
    [[ $output = *nameless* && $output = *kernel* ]]
    try perf-script --check in
    [[ $output = *'JIT frames without a name'* && $output != *'kernel frames without a name'* ]]
}

@test "only samples of the first event count, or of the one that --event-filter names" {
    { sample 'a1 1 1.1: 5 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 7 faults:' '1 g (/x)'; } >in
    both 'a1;f 5' 'a1;f 5'
    both 'a1;g 7' 'a1;g 7' --event-filter=faults
    try stackcollapse in
    same 'stackcollapse: 1 of 2 samples are of other events and left out (--event=LIST folds others, --event=all every one): faults (1)' "$stderr"
}

three_events() {
    { sample 'a1 1 1.1: 5 syscalls:sys_enter_read: fd: 1' '1 f (/x)'; sample 'a1 1 1.2: syscalls:sys_enter_futex:' '1 g (/x)'
      sample 'a1 1 1.3: 9 cycles:u:' '1 h (/x)'; } >in
}

@test "--event folds the events of a list, by names and patterns, or all" {
    three_events
    try stackcollapse --event='syscalls:*' in
    [ "$status" -eq 0 ]
    same $'a1;f 1\na1;g 1' "$output"
    same 'stackcollapse: 1 of 3 samples are of other events and left out' "$stderr"
    try stackcollapse --event=cycles:u,syscalls:sys_enter_read in
    same $'a1;f 1\na1;h 1' "$output"
    try stackcollapse --event all in
    same $'a1;f 1\na1;g 1\na1;h 1' "$output"
    [ -z "$stderr" ]
}

@test "an event that the input does not have is an error that names those it has" {
    three_events
    for option in --event=cycles --event-filter=cycles; do
        try stackcollapse "$option" in
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        same "stackcollapse: no sample of 'cycles'; the input has: cycles:u (1), syscalls:sys_enter_futex (1), syscalls:sys_enter_read (1)" "$stderr"
    done
    try stackcollapse --event= in
    [ "$status" -eq 2 ]
    [[ $stderr == "stackcollapse: option --event: '' names no event"* ]]
}

@test "under the Perl script's name --event still abbreviates --event-filter" {
    { sample 'a1 1 1.1: 5 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 7 faults:' '1 g (/x)'; } >in
    try "$COMPAT/stackcollapse-perf.pl" --event=faults in
    same 'a1;g 7' "$output"
}

@test "a sample counts one, or under --weight=period its period, and one that prints none is reported" {
    { sample 'a1 1 1.1: 5 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 7 cycles:' '1 f (/x)'; sample 'a1 1 1.2: cycles:' '1 f (/x)'; } >in
    try stackcollapse in
    same 'a1;f 3' "$output"
    [ -z "$stderr" ]
    try stackcollapse --weight=period in
    same 'a1;f 13' "$output"
    same 'stackcollapse: samples without a period: 1, each counts 1 (perf-script -F +period perf.data prints it)' "$stderr"
}

@test "samples of off-cpu and offcpu-time count their periods unasked, and one without a period is reported" {
    for event in off-cpu offcpu-time; do
        { sample "a1 1 1.1: 500 $event:" '1 f (/x)'; sample "a1 1 1.2: 1700 $event:" '1 f (/x)'; } >in
        both 'a1;f 2200' 'a1;f 2200'
        try stackcollapse in
        same 'a1;f 2200' "$output"
        [ -z "$stderr" ]
        try stackcollapse --weight=samples in
        same 'a1;f 2' "$output"
    done
    sample 'a1 1 1.1: off-cpu:' '1 f (/x)' >in
    try stackcollapse in
    same 'a1;f 1' "$output"
    same 'stackcollapse: samples without a period: 1, each counts 1 (perf-script -F +period perf.data prints it)' "$stderr"
}

@test "with several events each sample counts as its own event does" {
    { sample 'a1 1 1.1: 500 off-cpu:' '1 f (/x)'; sample 'a1 1 1.2: 10101010 cpu-clock:' '1 f (/x)'
      sample 'a1 1 1.3: 7 off-cpu:u:' '1 g (/x)'; } >in
    try stackcollapse --event=all in
    same $'a1;f 501\na1;g 1' "$output"
}

@test "a period counts also where no event is printed" {
    sample 'a1 1 1.1:        250 ' '1 f (/x)' >in
    try stackcollapse --weight=period in
    same 'a1;f 250' "$output"
}

@test "a header without the thread gives the command's name, not its time" {
    sample 'node 1234.5678:        250 cycles:' '1 f (/x)' >in
    try stackcollapse in
    same 'node;f 1' "$output"
}

@test "--pid says that the input has thread ids only" {
    sample 'node 12 1.1: 1 cycles:' '1 f (/x)' >in
    try stackcollapse --pid in
    same 'node-?;f 1' "$output"
    same "stackcollapse: samples without a process id: 1, shown as '?' (perf-script -F +pid perf.data prints it)" "$stderr"
}

@test "input without one usable line is an error that says what it looks like" {
    printf '{"a":[{"b":1}],\n"c":[1]}\n' >other.json
    try stackcollapse other.json
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *'stackcollapse: other.json: no line could be used; this looks like '*JSON* ]]
    printf 'a\nb\n' >in
    try stackcollapse in
    [ "$status" -eq 1 ]
    [[ $stderr == *'stackcollapse: in: no line could be used'* ]]
}

@test "JSON that is no profile, or of a profiler that is not read, is named in one error" {
    local row
    for row in '{"name": "x", "version": 3}>JSON of a format that is not known (see stackcollapse(1))' \
        '{"version":1,"recording":{"displayName":"x","instrumentTypes":[]}}>a timeline of Safari' \
        '{"snapshot":{"meta":{"node_fields":["type"]}}}>a heap snapshot of V8' \
        '{"resourceProfiles":[{"scopeProfiles":[]}]}>a profile of OpenTelemetry'; do
        printf '%s' "${row%>*}" >other.json
        try stackcollapse other.json
        [ "$status" -eq 1 ]
        same '' "$output"
        same 1 "${#stderr_lines[@]}"
        [[ $stderr == "stackcollapse: other.json: no line could be used; this looks like ${row#*>}"* ]]
    done
    { printf '{"a":"'; head -c 1100000 /dev/zero | tr '\0' x; printf '", "b": 5'; } >long.json
    try stackcollapse long.json
    [ "$status" -eq 1 ]
    same '' "$output"
    same 'stackcollapse: long.json: no line could be used; this looks like JSON of a format that is not known (see stackcollapse(1))' "$stderr"
}

@test "text after a line of JSON is read" {
    { echo '{"level":30,"msg":"listening"}'; sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; } >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    same 'a1;f 1' "$output"
}

@test "binary data is refused, with what it seems to be" {
    printf '\12\3Z\20\3\12\6\10\6\20\1\60\2\12\5\10\2\20\1\60\12\10\10\2main 1\12\5\10\2\20\1\60' >trace.pb
    try stackcollapse trace.pb
    [ "$status" -eq 1 ]
    same '' "$output"
    same 'stackcollapse: trace.pb: no line could be used; this looks like a Perfetto trace in Protocol Buffers: record it as JSON (chromium --trace-startup-format=json), and fold that with stackcollapse' "$stderr"
    for option in --from=guess --from=perf --from=folded; do
        try stackcollapse $option "$(command -v stackcollapse)"
        [ "$status" -eq 1 ]
        same '' "$output"
        [[ $stderr == 'stackcollapse: /'*': no line could be used'* ]]
        same 1 "${#stderr_lines[@]}"
    done
    [[ $stderr != *' skipped'* ]]
    printf 'a\0b;\1 1\n' >text
    try stackcollapse text
    [ "$status" -eq 0 ]
    same '' "$stderr"
}

@test "what node --prof and --prof-process write is an error that says what to run instead" {
    printf '%s\n' v8-version,11,3,244,8,-node.38,0 v8-platform,linux,linux 'tick,0x7f,1,0,0x0,6' >isolate.log
    try stackcollapse isolate.log
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == *'isolate.log: no line could be used; this looks like a log of node --prof: run node --prof-process --preprocess -j FILE, and fold what it prints with stackcollapse'* ]]
    printf '%s\n' 'Statistical profiling result from isolate.log, (582 ticks, 75 unaccounted, 0 excluded).' '' \
        ' [Shared libraries]:' '   ticks  total  nonlib   name' '      4    0.7%          /usr/lib/libc.so.6' >table
    try stackcollapse table
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == *'table: no line could be used; this looks like a table of node --prof-process, which has no stacks: run it with --preprocess -j,'* ]]
}

@test "a file of which more than half is skipped is an error, which says what it looks like" {
    printf 'some words\nof a text\n\nwith number 9\nand more\n' >text
    try stackcollapse --from=folded text
    [ "$status" -eq 1 ]
    same 'with number 9' "$output"
    [[ $stderr == *$'\nstackcollapse: text: 3 of 5 lines could not be used: is this the right file?\n'* ]]
    try stackcollapse -q text
    [ "$status" -eq 1 ]
    same '' "$output"
    same 'stackcollapse: text: no line could be used: this is none of the formats of stackcollapse --help' "$stderr"
    printf '%s\n' '{"nodes": [{' '  "id": 1,' '  "callFrame": {' '   "lineNumber": 12' '}}]}' >profile
    try stackcollapse -q --from=folded profile text
    [ "$status" -eq 1 ]
    same $'   "lineNumber": 12\nwith number 9' "$output"
    same 'stackcollapse: profile: 4 of 5 lines could not be used: this looks like a V8 CPU profile (.cpuprofile), which is JSON
stackcollapse: text: 3 of 5 lines could not be used: is this the right file?' "$stderr"
    { seq 9 | sed 's/.*/step & done in phase &/'; for i in 1 2 3 4; do sample "a1 1 1.$i: 1 cycles:" '1 f (/x)' '2 g (/x)' '3 h (/x)'; done; } >mixed
    try stackcollapse -q mixed
    [ "$status" -eq 0 ]
    same 'a1;h;g;f 4' "$output"
    try stackcollapse -q --from=folded mixed
    [ "$status" -eq 1 ]
    [[ $output == *'step 9 done in phase 9'* ]]
    same 'stackcollapse: mixed: 16 of 29 lines could not be used: this looks like perf script text' "$stderr"
}

@test "--strict: a skipped line makes the status 1, and the rest is still folded" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; echo what; } >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    try stackcollapse --strict in
    [ "$status" -eq 1 ]
    same 'a1;f 1' "$output"
}

@test "--skip-after may cut all frames of a header that replaced another under the Perl script's name" {
    { sample 'java 1 1.1: 1 cycles:' '1 f (/x)' '2 stop (/x)'; sample 'perf 2 1.2: 1 cycles:' '3 g (/x)'; } | sed '4d' >in
    try "$COMPAT/stackcollapse-perf.pl" --skip-after=stop in
    [ "$status" -eq 0 ]
    same 'perf;stop;f 1' "$output"
}

@test "a semicolon in a symbol becomes a colon" {
    sample 'a1 1 1.1: 1 cycles:' '1 f;g (/x)' >in
    both 'a1;f:g 1' 'a1;f:g 1'
}

@test "a sample without frames is its command name" {
    printf 'a1 1 1.1: 3 cycles:\n\n' >in
    both 'a1 3' 'a1 3'
}

@test "--srcline appends the source lines of perf script -F +srcline to the names" {
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 f (/x)' '  f.c:12' $'\t2 g (/x)' '  x[27b25]' '' >in
    both 'a1;g:x;f:f.c:12 1' 'a1;g:x;f:f.c:12 1' --srcline
}

@test "methods inlined by Java are frames of their own, marked _[i]" {
    sample 'java 1 1.1: 1 cycles:' '1 La/B;::c->Ld/E;::f (/tmp/perf-1.map)' >in
    both 'java;a/B:::c;d/E:::f_[i] 1' 'java;a/B:::c;d/E:::f_[i] 1'
}

# --- where the Perl script loses or mangles something: the man page's DIFFERENCES, one by one

@test "difference: the last sample counts without a blank line after it" {
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)' >in
    both '' 'a1;f 1'
}

@test "difference: a command name of one letter is a name" {
    sample 't 99 1.1: 4 cycles:' '1 f (/x)' >in
    both 't_99_1.1:;f 4' 't;f 4'
}

@test "difference: a number inside a command name is part of it" {
    sample 'worker 3 42 [001] 1.1: 1 cycles:' '1 f (/x)' >in
    both 'worker;f 1' 'worker_3;f 1'
}

@test "difference: a header with blanks before it is a header" {
    sample '      f1  95 [001] 1.1: 1 cycles:' '1 f (/x)' >in
    both '' 'f1;f 1'
}

@test "difference: a header ends the sample before it, blank line or not" {
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)\nb1 1 1.2: 2 cycles:\n\t2 g (/x)\n\n' >in
    both 'b1;g;f 2' $'a1;f 1\nb1;g 2'
}

@test "difference: a blank line inside a stack does not end it" {
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)\n\n\t2 g (/x)\n\n' >in
    both 'a1;f 1' 'a1;g;f 1'
}

@test "difference: text after the event neither hides the event nor the period" {
    { sample 'a1 1 1.1: 5 cycles: x y' '1 f (/x)'; sample 'a1 1 1.2: 7 faults: z' '1 g (/x)'; } >in
    both $'a1;f 1\na1;g 1' 'a1;g 7' --event-filter=faults
}

@test "difference: a frame on the header's line is the sample's stack" {
    echo 'a1 1 1.1: 9 cycles:  1f read+0x1 (/x)' >in
    both '' 'a1;read 9'
}

@test "difference: records are no samples" {
    { echo 'a1 1/1 1.0: PERF_RECORD_COMM exec: a1:1/1'; echo
      sample 'a1 1/1 1.1: 2 cycles:' '1 f (/x)'; } >in
    both $'a1 1\na1;f 2' 'a1;f 2'
}

@test "difference: lines that end in CR LF" {
    sample 'a1 1 1.1: 2 cycles:' '1 f (/x)' | sed 's/$/\r/' >in
    both '' 'a1;f 2'
}

@test "difference: a name in an anonymous namespace is a frame" {
    sample 'a1 1 1.1: 1 cycles:' '1 (anonymous namespace)::f(int) (/x)' '2 main (/x)' >in
    both 'a1;main 1' 'a1;main;(anonymous namespace)::f 1'
}

@test "difference: only argument lists go from a C++ name" {
    sample 'a1 1 1.1: 1 cycles:' \
        '1 a::b(int)::{lambda(int)#1}::operator()(int) const (/x)' \
        '2 std::function<void (int)>::operator()(int) const (/x)' \
        '3 X::operator<(X const&) (/x)' '4 Y::operator->() (/x)' '5 f(int, char) [clone .cold] (/x)' >in
    both 'a1;f;Y::operator;_[i];X::operator<;std::function<void ;a::b 1' \
        'a1;f;Y::operator->;X::operator<;std::function<void (int)>::operator();a::b::{lambda(int)#1}::operator() 1'
}

@test "difference: of a Java or .NET method in a perf map, type and arguments go; the VM's own names stay" {
    sample 'java 1 1.1: 1 cycles:' '1 void A$B.<init>(Busy, int) (/tmp/perf-1.map)' \
        '2 byte[] B.f(int[], java.lang.String[][]) (/tmp/perf-1.map)' \
        '3 int32 [App] App.Program::Fib(int32)[Tier1] (/tmp/perf-1.map)' \
        '4 Interpreter (/tmp/perf-1.map)' '5 StubRoutines (1) (/tmp/perf-1.map)' \
        '6 vtable stub (/tmp/perf-1.map)' '7 int main(int) (/x)' >in
    both 'java;int main;vtable stub;StubRoutines ;Interpreter;int32 [App] App.Program::Fib;byte[] B.f;void A$B.<init> 1' \
        'java;int main;vtable stub;StubRoutines (1);Interpreter;App.Program::Fib;B.f;A$B.<init> 1'
}

@test "difference: regular expressions keep their parentheses, quotes and arrows" {
    sample 'node 1 1.1: 1 cycles:' '1 RegExp:(?:^|\/)"x->y (/tmp/perf-1.map)' >in
    both 'node;RegExp:;y_[i] 1' 'node;RegExp:(?:^|\/)"x->y 1'
    sample 'bun 1 1.1: 1 cycles:' '1 JSC-YarrJIT: /(a+)+b/ (/tmp/jitted-1-1.so)' >in
    both 'bun;JSC-YarrJIT: / 1' 'bun;JSC-YarrJIT: /(a+)+b/ 1'
}

@test "difference: the L of a Java class goes whatever the thread is called" {
    sample 'C2 Thread 1 1.1: 1 cycles:' '1 La/B;::c (/tmp/perf-1.map)' >in
    both 'C2_Thread;La/B:::c 1' 'C2_Thread;a/B:::c 1'
}

@test "difference: a deleted file's name, and one with parentheses, is the DSO" {
    sample 'a1 1 1.1: 1 cycles:' '1 [unknown] (/bin/x (deleted))' '2 [unknown] (/opt/my app/l (v2).so)' >in
    both 'a1;[unknown] ;[unknown]  1' 'a1;[l (v2).so];[x (deleted)] 1'
}

@test "difference: the kernel is the kernel, and [vdso] is not" {
    sample 'a1 1 1.1: 1 cycles:' '1 a (/usr/lib/debug/vmlinux-5.4)' '2 b (/lib/modules/5.4/x.ko.xz)' '3 c ([vdso])' >in
    both 'a1;c_[k];b;a 1' 'a1;c;b_[k];a_[k] 1' --kernel
}

@test "difference: code of a jitdump is JIT code, wherever its files are" {
    sample 'a1 1 1.1: 1 cycles:' '1 a (/tmp/jitted-1-2.so)' '2 b (/home/u/perf-1.map)' >in
    both 'a1;b;a 1' 'a1;b_[j];a_[j] 1' --jit
}

@test "difference: thread 0 of process 0 has both numbers" {
    sample 'swapper 0/0 [001] 1.1: 1 cycles:' '1 f ([kernel.kallsyms])' >in
    both 'swapper-?/0;f 1' 'swapper-0/0;f 1' --tid
}

@test "difference: an empty symbol is unknown" {
    sample 'a1 1 1.1: 1 cycles:' '7f1e  (/lib/libc.so)' >in
    both 'a1;  1' 'a1;[libc.so] 1'
}

@test "an empty symbol of JIT code is unknown too, and an arrow alone is a name" {
    sample 'a1 1 1.1: 1 cycles:' '7f1e  (/tmp/perf-1.map)' '2 -> (/tmp/perf-1.map)' >in
    try stackcollapse in
    same 'a1;->;[perf-1.map] 1' "$output"
}

@test "difference: a blank source line takes no sample apart" {
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 [unknown] ([unknown])' '' $'\t2 g (/x)' '  g.c:3' '' >in
    try stackcollapse --srcline in
    same 'a1;g:g.c:3;[unknown] 1' "$output"
}

# --- what only stackcollapse has

@test "--weight=samples counts samples, whatever their period" {
    { sample 'a1 1 1.1: 500 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 700 cycles:' '1 f (/x)'; } >in
    try stackcollapse --weight=samples in
    same 'a1;f 2' "$output"
}

@test "--skip-after drops the callers of a frame that matches, and keeps the command name" {
    sample 'a1 1 1.1: 1 cycles:' '1 leaf (/x)' '2 handler (/x)' '3 main (/x)' >in
    try stackcollapse --skip-after='^hand' in
    [ "$status" -eq 0 ]
    same 'a1;handler;leaf 1' "$output"
}

@test "--no-comm leaves the command name out, and says which samples are empty then" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; sample 'b1 1 1.2: 2 cycles:'; } >in
    try stackcollapse --no-comm in
    same 'f 1' "$output"
    same 'stackcollapse: 1 of 2 samples have no frames and are left out' "$stderr"
}

@test "--comm-digits=2 makes one of threads whose names differ in numbers" {
    { sample 'pool-12 1 1.1: 1 cycles:' '1 f (/x)'; sample 'pool-345 2 1.2: 2 cycles:' '1 f (/x)'
      sample 'pool-6 3 1.3: 4 cycles:' '1 f (/x)'; } >in
    try stackcollapse --weight=period --comm-digits=2 in
    same $'pool-6;f 4\npool-<N>;f 3' "$output"
}

@test "--tidy=none leaves names alone, --tidy=perl cuts as the Perl script does" {
    sample 'a1 1 1.1: 1 cycles:' '1 a::b(int)::c(int) (/x)' >in
    try stackcollapse --tidy=none in
    same 'a1;a::b(int)::c(int) 1' "$output"
    try stackcollapse --tidy=perl in
    same 'a1;a::b 1' "$output"
    try stackcollapse in
    same 'a1;a::b::c 1' "$output"
}

@test "folded input is merged: any split of the work in any order gives the same bytes" {
    for i in 1 2 3 4 5 6 7 8 9; do
        sample "c$((i % 3))x $i 1.$i: $i cycles:" "1 f$((i % 2)) (/x)" '2 main (/x)' >"part$i"
    done
    cat part? >all
    try stackcollapse all
    local whole=$output
    for i in 1 2 3 4 5 6 7 8 9; do stackcollapse "part$i" >"folded$i"; done
    try stackcollapse folded9 folded1 folded5 folded2 folded8 folded3 folded7 folded4 folded6
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    same "$whole" "$output"
    stackcollapse folded4 folded1 folded7 >a
    stackcollapse folded2 folded3 folded9 folded8 folded5 folded6 >b
    try stackcollapse b a
    same "$whole" "$output"
}

# Forty folded files, as of so many hosts: parts of the same stacks, and some of their own. `whole` is their merge.
make_hosts() {
    local host
    for host in {1..40}; do
        awk -v host="$host" 'BEGIN {
            for (i = 0; i < 50; i++)
                if ((i * 7 + host) % 3)
                    printf "app;main;f%d;g%d%s %d\n", i % 5, i, i % 10 ? "" : ";host" host, i * host % 100 + 1
        }' | sort >"host$host.folded"
    done
    stackcollapse host*.folded >whole
}

@test "a tree of merges in parallel gives the same bytes" {
    make_hosts
    # shellcheck disable=SC2016
    printf '%s\n' host*.folded | xargs -n 7 -P 4 sh -c 'stackcollapse --from=folded "$@" >"part.$1"' sh
    [ "$(printf "%s\n" part.* | wc -l)" -eq 6 ]
    stackcollapse part.* | cmp - whole
    printf '%s\n' part.* | xargs -n 2 -P 4 sh -c 'stackcollapse --from=folded "$@" >"half.$1"' sh
    stackcollapse half.* | cmp - whole
}

@test "a tree of merges with GNU parallel gives the same bytes" {
    [[ $(parallel --version 2>&1) = 'GNU parallel'* ]] || skip "no GNU parallel"
    make_hosts
    printf '%s\n' host*.folded | HOME=$PWD parallel -N 7 stackcollapse --from=folded |
        stackcollapse --from=folded >merged
    cmp merged whole
    cat host*.folded | HOME=$PWD parallel --pipe --block 2k stackcollapse --from=folded |
        stackcollapse --from=folded >merged
    cmp merged whole
}

@test "folded input in order, out of order, and in order with equal neighbours give the same bytes" {
    printf 'a;b 1\na;b 2\na;b;c 3\na;b.c 4\nb 5\n' | LC_ALL=C sort >in
    try stackcollapse in
    same $'a;b 3\na;b.c 4\na;b;c 3\nb 5' "$output"
    local sorted=$output
    sort -r in >reverse
    try stackcollapse reverse
    same "$sorted" "$output"
    try stackcollapse --from=folded <(stackcollapse in) <(stackcollapse reverse)
    same $'a;b 6\na;b.c 8\na;b;c 6\nb 10' "$output"
}

@test "perf script text and folded stacks can be mixed" {
    sample 'a1 1 1.1: 1 cycles:' '1 f (/x)' >perf
    echo 'a1;f 2' >folded
    try stackcollapse perf folded
    same 'a1;f 3' "$output"
}

@test "fractional counts are summed exactly" {
    printf 'a;b 0.1\na;b 0.2\na;c 19.0\na;b 0.7\nd 0.30000000000000000001\n' >in
    try stackcollapse --from=folded in
    same $'a;b 1\na;c 19\nd 0.3' "$output"
}

@test "folded stacks with two counts keep both" {
    printf 'a;b 1 2\na;c 3 4\na;b 10 20.5\n' >in
    try stackcollapse in
    same $'a;b 11 22.5\na;c 3 4' "$output"
}

@test "of what is no folded stack at all, two counts are not asked for" {
    printf 'a;b\n' >in
    try stackcollapse --from=folded in
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same 'stackcollapse: in:1: not a folded stack' "${stderr_lines[0]}"
}

@test "a frame that ends in a number is not taken for a count where a line has one count only" {
    printf 'a;Thread 5 2\na;Thread 5 3\na;main 1\n' >in
    try stackcollapse in
    same $'a;Thread 5 5\na;main 1' "$output"
    [ -z "$stderr" ]
}

@test "a semicolon in a source line, and what the Perl script makes of it" {
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 f (/x)' '  a;b.c:3' '' >in
    both 'a1;f:a;b.c:3 1' 'a1;f:a:b.c:3 1' --srcline
}

@test "--srcline: frames of a sample that is not folded eat no line of another" {
    { printf 'java 1/2 [0] 4.1: 7 cpu-clock:\n\nt 9 1.0:   1 cycles: \n\t1 [unknown] ()\n'
      printf 'java 1/2 [0] 4.1: 7 cpu-clock:\n\n'; } >in
    both 'java 14' 'java 14' --srcline
}

@test "a count alone is that of an empty stack" {
    try stackcollapse --from=folded < <(printf ' 5\na 1\n 2\n')
    [ "$status" -eq 0 ]
    same $' 7\na 1' "$output"
    [ -z "$stderr" ]
}

@test "a count past 64 bits saturates" {
    printf 'a 18446744073709551615\na 5\nb 99999999999999999999999\n' >in
    try stackcollapse in
    same $'a 18446744073709551615\nb 18446744073709551615' "$output"
}

@test "lines that are no folded stacks are skipped, said and counted" {
    printf 'a;b 1\nBAD\n\na;b x\na;c 2\n' >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    same $'a;b 1\na;c 2' "$output"
    same "stackcollapse: in:2: not a folded stack
stackcollapse: in:4: not a folded stack
stackcollapse: 2 folded lines, 2 lines skipped (first at line 2)" "$stderr"
}

@test "lines that are no perf script text are skipped, said and counted, and the rest is folded" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; echo 'what is this'; sample 'a1 1 1.2: 1 cycles:' '1 f (/x)'
      printf 'junk\n\njunk\njunk\n'; } >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    same 'a1;f 2' "$output"
    same "stackcollapse: in:4: not a line of perf script text
stackcollapse: in:8: not a line of perf script text
stackcollapse: in:10: not a line of perf script text
stackcollapse: 2 samples, 4 lines skipped (first at line 4)" "$stderr"
    try stackcollapse -q in
    [ -z "$stderr" ]
}

@test "--from forces a format" {
    echo 'a;b 1' >in
    try stackcollapse --from=perf in
    [ -z "$output" ]
    try stackcollapse --from=nonsense in
    [ "$status" -eq 2 ]
    [[ $stderr == *"'nonsense' is not one of perf|"*"|folded|"*"|guess"* ]]
}

@test "an invalid regular expression is wrong usage" {
    try stackcollapse --skip-after='(' /dev/null
    [ "$status" -eq 2 ]
    [[ $stderr == "stackcollapse: option --skip-after: '('"* ]]
}

@test "empty input gives no output, a message and status 0" {
    try stackcollapse /dev/null
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    same 'stackcollapse: no samples in the input' "$stderr"
}

@test "a file that is not there is an error, and the others are still folded" {
    echo 'a;b 1' >in
    try stackcollapse nowhere in
    [ "$status" -eq 1 ]
    same 'a;b 1' "$output"
    same 'stackcollapse: nowhere: No such file or directory' "$stderr"
}

@test "under the Perl script's name wrong usage exits 255, and a missing file 0, as there" {
    try "$COMPAT/stackcollapse-perf.pl" --nonsense
    [ "$status" -eq 255 ]
    [ -z "$output" ]
    [[ $stderr == "stackcollapse-perf.pl: unknown option '--nonsense'"* ]]
    try "$COMPAT/stackcollapse-perf.pl" nowhere
    [ "$status" -eq 0 ]
    [[ $stderr == "stackcollapse-perf.pl: nowhere: No such file or directory"* ]]
}

@test "stacks that end in the middle are reported once, by program" {
    for i in 1 2 3 4 5 6 7 8; do sample "a1 1 1.$i: 1 c:" '1 f (/x)' '2 main (/x)' '3 _start (/x)'; done >in
    for i in 1 2; do sample "a1 1 2.$i: 1 c:" '4 aes_encrypt (/x)'; done >>in
    try stackcollapse in
    [ "$status" -eq 0 ]
    same $'a1;_start;main;f 8\na1;aes_encrypt 2' "$output"
    same 'stackcollapse: 2 of 10 stacks do not reach a root, most often those of a1 that end in aes_encrypt (see perf-script --check)' "$stderr"
    head -40 in >whole
    try stackcollapse whole
    [ -z "$stderr" ]
}

@test "a last line without newline in the middle of a sample is reported as perhaps cut" {
    printf 'a1 1 1.1: 1 c:\n\t1 f (/x)\n\t2 ma' >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    [[ $stderr == 'stackcollapse: in:3: '*'perhaps the file was cut'* ]]
    try "$COMPAT/stackcollapse-perf.pl" in
    [[ $stderr != *cut* ]]
}

# ---- slices of time

@test "--slice begins each stack with the slice that it was seen in" {
    sample 'a1 1 9.999999: 1 c:' '1 f (/x)' '2 main (/x)' >in
    for time in 12.340000 12.359999 12.360000 12.36; do sample "a1 1 $time: 1 c:" '1 f (/x)' '2 main (/x)'; done >>in
    try stackcollapse --slice=20 in
    [ "$status" -eq 0 ]
    same $'@12.340;a1;main;f 2\n@12.360;a1;main;f 2\n@9.980;a1;main;f 1' "$output"
    same '' "$stderr"
    try stackcollapse --slice=1000 --no-comm in
    same $'@12.000;main;f 4\n@9.000;main;f 1' "$output"
}

@test "samples without a time are in no slice and are reported, and input without times is an error" {
    { sample 'a1 1 1.5: 1 c:' '1 f (/x)'; sample 'a1 1 1 c:' '1 g (/x)'; } >in
    try stackcollapse --slice=100 in
    [ "$status" -eq 1 ]
    same $'@1.500;a1;f 1\na1;g 1' "$output"
    same 'stackcollapse: samples without a time: 1, in no slice (perf-script -F +time perf.data prints it)' "$stderr"
    echo 'a;b 1' >folded
    try stackcollapse --slice=100 folded
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == 'stackcollapse: folded: option --slice needs the times of perf script text; this is read as folded'* ]]
    try stackcollapse --slice=0 in
    [ "$status" -eq 2 ]
}

@test "a sample without frames is left out with --no-comm, also of a slice" {
    sample 'a1 1 1.5: 1 c:' >in
    try stackcollapse --slice=100 --no-comm in
    [ -z "$output" ]
    [[ $stderr == *'1 of 1 samples have no frames and are left out'* ]]
}

@test "slices stay in what is merged and filtered, and tables add them up" {
    printf '%s\n' '@12.340;a1;main;f 2' '@12.360;a1;main;f 2' '@12.340;a1;main;g 1' '@x;a1;main 1' >in
    try stackcollapse in in
    same $'@12.340;a1;main;f 4\n@12.340;a1;main;g 2\n@12.360;a1;main;f 4\n@x;a1;main 2' "$output"
    head -3 in >sliced
    try stackfilter --drop '@|a1|f' --root-at g sliced
    same $'@12.340;a1;g 1' "$output"
    try stackfilter --drop . --no-comm sliced
    same $'@12.340;(no frames) 2\n@12.360;(no frames) 2\n@12.340;(no frames) 1' "$output"
    same "$(sed 's/^@[^;]*;//' sliced | stackreport)" "$(stackreport sliced)"
    same "$(sed 's/^@[^;]*;//' sliced | stackcollapse)" "$(stackdiff sliced sliced | sed 's/ [0-9]*$//')"
}
