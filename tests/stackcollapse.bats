#!/usr/bin/env bats
# stackcollapse, under its own name and as stackcollapse-perf.pl.
load lib

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
    answers 0 "$perl" '*' "$COMPAT/stackcollapse-perf.pl" "$@" in
    answers 0 "$own" '*' stackcollapse --weight=period "$@" in
    if [ -n "${FLAMEGRAPH_DIR:-}" ]; then
        answers 0 "$perl" '*' perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" "$@" in
    fi
}

# --- what both dialects do

@test "both dialects do the same with each of these inputs" {
    echo 'a sample becomes one line, root first, weighed by its period'
    sample 'node 12 [000] 1.5:  250 cycles:' '1f leaf+0x4 (/bin/node)' '2f root (/bin/node)' >in
    both 'node;root;leaf 250' 'node;root;leaf 250'
    echo 'a sample without a period counts one'
    sample 'node 12 1.5: sched:sched_switch: prev=a' '1f leaf (/bin/node)' >in
    both 'node;leaf 1' 'node;leaf 1'
    echo "where the blank line between samples is lost, the script asks each frame's own header for java"
    { sample 'java 1 1.1: 1 cycles:' '1 Lorg/a:::b (/x)'; sample 'perf 2 1.2: 1 cycles:' '2 Lorg/c:::d (/x)'
      sample 'java 3 1.3: 1 cycles:' '3 Lorg/e:::f (/x)'; } | sed '3d;6d' >in
    both 'java;org/e:::f;Lorg/c:::d;org/a:::b 1' $'java;Lorg/a:::b 1\njava;Lorg/e:::f 1\nperf;Lorg/c:::d 1'
    echo 'blanks in a command name become underscores'
    sample 'V8 Worker 12 1.5: 1 cycles:' '1f leaf (/bin/node)' >in
    both 'V8_Worker;leaf 1' 'V8_Worker;leaf 1'
    echo '--pid and --tid append the numbers to the command name'
    sample 'node 12/34 [000] 1.5: 1 cycles:' '1f leaf (/n)' >in
    both 'node-12;leaf 1' 'node-12;leaf 1' --pid
    both 'node-12/34;leaf 1' 'node-12/34;leaf 1' --tid
    sample 'node 34 [000] 1.5: 1 cycles:' '1f leaf (/n)' >in
    both 'node-?/34;leaf 1' 'node-?/34;leaf 1' --tid
    echo '--kernel, --jit and --all annotate frames'
    sample 'node 12 1.5: 1 cycles:' 'ff read ([kernel.kallsyms])' '2f f (/tmp/perf-12.map)' '1 m (/n)' >in
    both 'node;m;f;read_[k] 1' 'node;m;f;read_[k] 1' --kernel
    both 'node;m;f_[j];read 1' 'node;m;f_[j];read 1' --jit
    both 'node;m;f_[j];read_[k] 1' 'node;m;f_[j];read_[k] 1' --all
    echo 'a frame without a symbol shows its DSO, and with --addrs its address'
    sample 'node 12 1.5: 1 cycles:' '1f [unknown] (/usr/lib/libc.so.6)' '2f [unknown] ([unknown])' >in
    both 'node;[unknown];[libc.so.6] 1' 'node;[unknown];[libc.so.6] 1'
    both 'node;[unknown <2f>];[libc.so.6 <1f>] 1' 'node;[unknown <2f>];[libc.so.6 <1f>] 1' --addrs
    echo 'a semicolon in a symbol becomes a colon'
    sample 'a1 1 1.1: 1 cycles:' '1 f;g (/x)' >in
    both 'a1;f:g 1' 'a1;f:g 1'
    echo 'a sample without frames is its command name'
    printf 'a1 1 1.1: 3 cycles:\n\n' >in
    both 'a1 3' 'a1 3'
    echo '--srcline appends the source lines of perf script -F +srcline to the names'
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 f (/x)' '  f.c:12' $'\t2 g (/x)' '  x[27b25]' '' >in
    both 'a1;g:x;f:f.c:12 1' 'a1;g:x;f:f.c:12 1' --srcline
    echo 'methods inlined by Java are frames of their own, marked _[i]'
    sample 'java 1 1.1: 1 cycles:' '1 La/B;::c->Ld/E;::f (/tmp/perf-1.map)' >in
    both 'java;a/B:::c;d/E:::f_[i] 1' 'java;a/B:::c;d/E:::f_[i] 1'
    echo 'a semicolon in a source line, and what the Perl script makes of it'
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 f (/x)' '  a;b.c:3' '' >in
    both 'a1;f:a;b.c:3 1' 'a1;f:a:b.c:3 1' --srcline
    echo '--srcline: frames of a sample that is not folded eat no line of another'
    { printf 'java 1/2 [0] 4.1: 7 cpu-clock:\n\nt 9 1.0:   1 cycles: \n\t1 [unknown] ()\n'
      printf 'java 1/2 [0] 4.1: 7 cpu-clock:\n\n'; } >in
    both 'java 14' 'java 14' --srcline
}

@test "equal stacks are summed and lines are sorted by bytes" {
    { sample 'b 1/1 1.1: 2 cycles:' '1 f (/x)'; sample 'aa 1/1 1.2: 3 cycles:' '1 f (/x)'
      sample 'aa 1/1 1.3: 4 cycles:' '1 f (/x)'; sample 'aa 1/1 1.4: 1 cycles:' '1 f.x (/x)' '2 f (/x)'
      sample 'aa 1/1 1.4: 1 cycles:' '2 f.b (/x)'; sample 'aa 1/1 1.4: 1 cycles:' '3 g (/x)' '2 f.b (/x)'
    } >in
    prints $'aa;f 7\naa;f.b 1\naa;f.b;g 1\naa;f;f.x 1\nb;f 2' stackcollapse --weight=period in
    same "$output" "$(LC_ALL=C sort <<<"$output")"
}

@test "difference: an area of a process in brackets is not the kernel, and Android's caches are JIT-compiled code" {
    sample 'app 12 1.5: 1 cycles:' '1f int a.b.C.d() ([JIT app cache])' '2f [unknown] ([JIT zygote cache])' \
        '3f g ([some cache])' '4f h ([nf_conntrack])' >in
    both 'app;h_[k];g_[k];[[JIT zygote cache]]_[k];int a.b.C.d_[k] 1' 'app;h_[k];g;[[JIT zygote cache]]_[j];a.b.C.d_[j] 1' --all
    prints '*2f (JIT-compiled code without names) ([JIT zygote cache])*' stackfilter --node in
    answers 0 '*' '' stackreport --by=kind --format=tsv in
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
    answers 0 $'a1;f 1\na1;g 1' 'stackcollapse: 1 of 3 samples are of other events and left out' stackcollapse --event='syscalls:*' in
    answers 0 $'a1;f 1\na1;h 1' '*' stackcollapse --event=cycles:u,syscalls:sys_enter_read in
    prints $'a1;f 1\na1;g 1\na1;h 1' stackcollapse --event all in
}

@test "an event that the input does not have is an error that names those it has" {
    three_events
    for option in --event=cycles --event-filter=cycles; do
        answers 1 '' \
            "stackcollapse: no sample of 'cycles'; the input has: cycles:u (1), syscalls:sys_enter_futex (1), syscalls:sys_enter_read (1)" \
            stackcollapse "$option" in
    done
    answers 2 '' "stackcollapse: option --event: '' names no event*" stackcollapse --event= in
}

@test "under the Perl script's name --event still abbreviates --event-filter" {
    { sample 'a1 1 1.1: 5 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 7 faults:' '1 g (/x)'; } >in
    answers 0 'a1;g 7' '*' "$COMPAT/stackcollapse-perf.pl" --event=faults in
}

@test "a sample counts one, or under --weight=period its period, and one that prints none is reported" {
    { sample 'a1 1 1.1: 5 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 7 cycles:' '1 f (/x)'; sample 'a1 1 1.2: cycles:' '1 f (/x)'; } >in
    prints 'a1;f 3' stackcollapse in
    answers 0 'a1;f 13' \
        'stackcollapse: samples without a period: 1, each counts 1 (perf-script -F +period perf.data prints it)' \
        stackcollapse --weight=period in
}

@test "samples of off-cpu and offcpu-time count their periods unasked, and one without a period is reported" {
    for event in off-cpu offcpu-time; do
        { sample "a1 1 1.1: 500 $event:" '1 f (/x)'; sample "a1 1 1.2: 1700 $event:" '1 f (/x)'; } >in
        both 'a1;f 2200' 'a1;f 2200'
        prints 'a1;f 2200' stackcollapse in
        prints 'a1;f 2' stackcollapse --weight=samples in
    done
    sample 'a1 1 1.1: off-cpu:' '1 f (/x)' >in
    answers 0 'a1;f 1' \
        'stackcollapse: samples without a period: 1, each counts 1 (perf-script -F +period perf.data prints it)' \
        stackcollapse in
}

@test "with several events each sample counts as its own event does" {
    { sample 'a1 1 1.1: 500 off-cpu:' '1 f (/x)'; sample 'a1 1 1.2: 10101010 cpu-clock:' '1 f (/x)'
      sample 'a1 1 1.3: 7 off-cpu:u:' '1 g (/x)'; } >in
    prints $'a1;f 501\na1;g 1' stackcollapse --event=all in
}

@test "a period counts also where no event is printed" {
    sample 'a1 1 1.1:        250 ' '1 f (/x)' >in
    prints 'a1;f 250' stackcollapse --weight=period in
}

@test "a header without the thread gives the command's name, not its time" {
    sample 'node 1234.5678:        250 cycles:' '1 f (/x)' >in
    prints 'node;f 1' stackcollapse in
}

@test "--pid says that the input has thread ids only" {
    sample 'node 12 1.1: 1 cycles:' '1 f (/x)' >in
    answers 0 'node-?;f 1' \
        "stackcollapse: samples without a process id: 1, shown as '?' (perf-script -F +pid perf.data prints it)" \
        stackcollapse --pid in
}

@test "input without one usable line is an error that says what it looks like" {
    printf '{"a":[{"b":1}],\n"c":[1]}\n' >other.json
    answers 1 '' '*stackcollapse: other.json: no line could be used; this looks like *JSON*' stackcollapse other.json
    printf 'a\nb\n' >in
    answers 1 '' '*stackcollapse: in: no line could be used*' stackcollapse in
}

@test "JSON that is no profile, or of a profiler that is not read, is named in one error" {
    local row
    for row in '{"name": "x", "version": 3}>JSON of a format that is not known (see stackcollapse(1))' \
        '{"version":1,"recording":{"displayName":"x","instrumentTypes":[]}}>a timeline of Safari' \
        '{"snapshot":{"meta":{"node_fields":["type"]}}}>a heap snapshot of V8' \
        '{"resourceProfiles":[{"scopeProfiles":[]}]}>a profile of OpenTelemetry'; do
        printf '%s' "${row%>*}" >other.json
        answers 1 '' '*' stackcollapse other.json
        same 1 "${#stderr_lines[@]}"
        [[ $stderr == "stackcollapse: other.json: no line could be used; this looks like ${row#*>}"* ]]
    done
    { printf '{"a":"'; head -c 1100000 /dev/zero | tr '\0' x; printf '", "b": 5'; } >long.json
    answers 1 '' \
        'stackcollapse: long.json: no line could be used; this looks like JSON of a format that is not known (see stackcollapse(1))' \
        stackcollapse long.json
}

@test "text after a line of JSON is read" {
    { echo '{"level":30,"msg":"listening"}'; sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; } >in
    answers 0 'a1;f 1' '*' stackcollapse in
}

@test "binary data is refused, with what it seems to be" {
    printf '\12\3Z\20\3\12\6\10\6\20\1\60\2\12\5\10\2\20\1\60\12\10\10\2main 1\12\5\10\2\20\1\60' >trace.pb
    answers 1 '' \
        'stackcollapse: trace.pb: no line could be used; this looks like a Perfetto trace in Protocol Buffers: record it as JSON (chromium --trace-startup-format=json), and fold that with stackcollapse' \
        stackcollapse trace.pb
    for option in --from=guess --from=perf --from=folded; do
        answers 1 '' 'stackcollapse: /*: no line could be used*' stackcollapse $option "$(command -v stackcollapse)"
        same 1 "${#stderr_lines[@]}"
    done
    [[ $stderr != *' skipped'* ]]
    printf 'a\0b;\1 1\n' >text
    answers 0 '*' '' stackcollapse text
}

@test "what node --prof and --prof-process write is an error that says what to run instead" {
    printf '%s\n' v8-version,11,3,244,8,-node.38,0 v8-platform,linux,linux 'tick,0x7f,1,0,0x0,6' >isolate.log
    answers 1 '' \
        '*isolate.log: no line could be used; this looks like a log of node --prof: run node --prof-process --preprocess -j FILE, and fold what it prints with stackcollapse*' \
        stackcollapse isolate.log
    printf '%s\n' 'Statistical profiling result from isolate.log, (582 ticks, 75 unaccounted, 0 excluded).' '' \
        ' [Shared libraries]:' '   ticks  total  nonlib   name' '      4    0.7%          /usr/lib/libc.so.6' >table
    answers 1 '' \
        '*table: no line could be used; this looks like a table of node --prof-process, which has no stacks: run it with --preprocess -j,*' \
        stackcollapse table
}

@test "a file of which more than half is skipped is an error, which says what it looks like" {
    printf 'some words\nof a text\n\nwith number 9\nand more\n' >text
    answers 1 'with number 9' '*' stackcollapse --from=folded text
    [[ $stderr == *$'\nstackcollapse: text: 3 of 5 lines could not be used: is this the right file?\n'* ]]
    answers 1 '' \
        'stackcollapse: text: no line could be used: this is none of the formats of stackcollapse --help' \
        stackcollapse -q text
    printf '%s\n' '{"nodes": [{' '  "id": 1,' '  "callFrame": {' '   "lineNumber": 12' '}}]}' >profile
    answers 1 $'   "lineNumber": 12\nwith number 9' 'stackcollapse: profile: 4 of 5 lines could not be used: this looks like a V8 CPU profile (.cpuprofile), which is JSON
stackcollapse: text: 3 of 5 lines could not be used: is this the right file?' stackcollapse -q --from=folded profile text
    { seq 9 | sed 's/.*/step & done in phase &/'; for i in 1 2 3 4; do sample "a1 1 1.$i: 1 cycles:" '1 f (/x)' '2 g (/x)' '3 h (/x)'; done; } >mixed
    prints 'a1;h;g;f 4' stackcollapse -q mixed
    answers 1 '*step 9 done in phase 9*' \
        'stackcollapse: mixed: 16 of 29 lines could not be used: this looks like perf script text' \
        stackcollapse -q --from=folded mixed
}

@test "--strict: a skipped line makes the status 1, and the rest is still folded" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; echo what; } >in
    try stackcollapse in
    [ "$status" -eq 0 ]
    answers 1 'a1;f 1' '*' stackcollapse --strict in
}

@test "--skip-after may cut all frames of a header that replaced another under the Perl script's name" {
    { sample 'java 1 1.1: 1 cycles:' '1 f (/x)' '2 stop (/x)'; sample 'perf 2 1.2: 1 cycles:' '3 g (/x)'; } | sed '4d' >in
    prints 'perf;stop;f 1' "$COMPAT/stackcollapse-perf.pl" --skip-after=stop in
}

@test "where the Perl script loses or mangles something: the differences of stackcollapse-scripts(7), one by one" {
    echo 'the last sample counts without a blank line after it'
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)' >in
    both '' 'a1;f 1'
    echo 'a command name of one letter is a name'
    sample 't 99 1.1: 4 cycles:' '1 f (/x)' >in
    both 't_99_1.1:;f 4' 't;f 4'
    echo 'a number inside a command name is part of it'
    sample 'worker 3 42 [001] 1.1: 1 cycles:' '1 f (/x)' >in
    both 'worker;f 1' 'worker_3;f 1'
    echo 'a header with blanks before it is a header'
    sample '      f1  95 [001] 1.1: 1 cycles:' '1 f (/x)' >in
    both '' 'f1;f 1'
    echo 'a header ends the sample before it, blank line or not'
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)\nb1 1 1.2: 2 cycles:\n\t2 g (/x)\n\n' >in
    both 'b1;g;f 2' $'a1;f 1\nb1;g 2'
    echo 'a blank line inside a stack does not end it'
    printf 'a1 1 1.1: 1 cycles:\n\t1 f (/x)\n\n\t2 g (/x)\n\n' >in
    both 'a1;f 1' 'a1;g;f 1'
    echo 'text after the event neither hides the event nor the period'
    { sample 'a1 1 1.1: 5 cycles: x y' '1 f (/x)'; sample 'a1 1 1.2: 7 faults: z' '1 g (/x)'; } >in
    both $'a1;f 1\na1;g 1' 'a1;g 7' --event-filter=faults
    echo "a frame on the header's line is the sample's stack"
    echo 'a1 1 1.1: 9 cycles:  1f read+0x1 (/x)' >in
    both '' 'a1;read 9'
    echo 'records are no samples'
    { echo 'a1 1/1 1.0: PERF_RECORD_COMM exec: a1:1/1'; echo
      sample 'a1 1/1 1.1: 2 cycles:' '1 f (/x)'; } >in
    both $'a1 1\na1;f 2' 'a1;f 2'
    echo 'lines that end in CR LF'
    sample 'a1 1 1.1: 2 cycles:' '1 f (/x)' | sed 's/$/\r/' >in
    both '' 'a1;f 2'
    echo 'a name in an anonymous namespace is a frame'
    sample 'a1 1 1.1: 1 cycles:' '1 (anonymous namespace)::f(int) (/x)' '2 main (/x)' >in
    both 'a1;main 1' 'a1;main;(anonymous namespace)::f 1'
    echo 'only argument lists go from a C++ name'
    sample 'a1 1 1.1: 1 cycles:' \
        '1 a::b(int)::{lambda(int)#1}::operator()(int) const (/x)' \
        '2 std::function<void (int)>::operator()(int) const (/x)' \
        '3 X::operator<(X const&) (/x)' '4 Y::operator->() (/x)' '5 f(int, char) [clone .cold] (/x)' >in
    both 'a1;f;Y::operator;_[i];X::operator<;std::function<void ;a::b 1' \
        'a1;f;Y::operator->;X::operator<;std::function<void (int)>::operator();a::b::{lambda(int)#1}::operator() 1'
    echo "of a Java or .NET method in a perf map, type and arguments go; the VM's own names stay"
    sample 'java 1 1.1: 1 cycles:' '1 void A$B.<init>(Busy, int) (/tmp/perf-1.map)' \
        '2 byte[] B.f(int[], java.lang.String[][]) (/tmp/perf-1.map)' \
        '3 int32 [App] App.Program::Fib(int32)[Tier1] (/tmp/perf-1.map)' \
        '4 Interpreter (/tmp/perf-1.map)' '5 StubRoutines (1) (/tmp/perf-1.map)' \
        '6 vtable stub (/tmp/perf-1.map)' '7 int main(int) (/x)' >in
    both 'java;int main;vtable stub;StubRoutines ;Interpreter;int32 [App] App.Program::Fib;byte[] B.f;void A$B.<init> 1' \
        'java;int main;vtable stub;StubRoutines (1);Interpreter;App.Program::Fib;B.f;A$B.<init> 1'
    echo 'regular expressions keep their parentheses, quotes and arrows'
    sample 'node 1 1.1: 1 cycles:' '1 RegExp:(?:^|\/)"x->y (/tmp/perf-1.map)' >in
    both 'node;RegExp:;y_[i] 1' 'node;RegExp:(?:^|\/)"x->y 1'
    sample 'bun 1 1.1: 1 cycles:' '1 JSC-YarrJIT: /(a+)+b/ (/tmp/jitted-1-1.so)' >in
    both 'bun;JSC-YarrJIT: / 1' 'bun;JSC-YarrJIT: /(a+)+b/ 1'
    echo 'the L of a Java class goes whatever the thread is called'
    sample 'C2 Thread 1 1.1: 1 cycles:' '1 La/B;::c (/tmp/perf-1.map)' >in
    both 'C2_Thread;La/B:::c 1' 'C2_Thread;a/B:::c 1'
    echo "a deleted file's name, and one with parentheses, is the DSO"
    sample 'a1 1 1.1: 1 cycles:' '1 [unknown] (/bin/x (deleted))' '2 [unknown] (/opt/my app/l (v2).so)' >in
    both 'a1;[unknown] ;[unknown]  1' 'a1;[l (v2).so];[x (deleted)] 1'
    echo 'the kernel is the kernel, and [vdso] is not'
    sample 'a1 1 1.1: 1 cycles:' '1 a (/usr/lib/debug/vmlinux-5.4)' '2 b (/lib/modules/5.4/x.ko.xz)' '3 c ([vdso])' >in
    both 'a1;c_[k];b;a 1' 'a1;c;b_[k];a_[k] 1' --kernel
    echo 'code of a jitdump is JIT code, wherever its files are'
    sample 'a1 1 1.1: 1 cycles:' '1 a (/tmp/jitted-1-2.so)' '2 b (/home/u/perf-1.map)' >in
    both 'a1;b;a 1' 'a1;b_[j];a_[j] 1' --jit
    echo 'thread 0 of process 0 has both numbers'
    sample 'swapper 0/0 [001] 1.1: 1 cycles:' '1 f ([kernel.kallsyms])' >in
    both 'swapper-?/0;f 1' 'swapper-0/0;f 1' --tid
    echo 'an empty symbol is unknown'
    sample 'a1 1 1.1: 1 cycles:' '7f1e  (/lib/libc.so)' >in
    both 'a1;  1' 'a1;[libc.so] 1'
}
@test "an empty symbol of JIT code is unknown too, and an arrow alone is a name" {
    sample 'a1 1 1.1: 1 cycles:' '7f1e  (/tmp/perf-1.map)' '2 -> (/tmp/perf-1.map)' >in
    prints 'a1;->;[perf-1.map] 1' stackcollapse in
}

@test "difference: a blank source line takes no sample apart" {
    printf '%s\n' 'a1 1 1.1: 1 cycles:' $'\t1 [unknown] ([unknown])' '' $'\t2 g (/x)' '  g.c:3' '' >in
    prints 'a1;g:g.c:3;[unknown] 1' stackcollapse --srcline in
}

# --- what only stackcollapse has

@test "--weight=samples counts samples, whatever their period" {
    { sample 'a1 1 1.1: 500 cycles:' '1 f (/x)'; sample 'a1 1 1.2: 700 cycles:' '1 f (/x)'; } >in
    prints 'a1;f 2' stackcollapse --weight=samples in
}

@test "--skip-after drops the callers of a frame that matches, and keeps the command name" {
    sample 'a1 1 1.1: 1 cycles:' '1 leaf (/x)' '2 handler (/x)' '3 main (/x)' >in
    prints 'a1;handler;leaf 1' stackcollapse --skip-after='^hand' in
}

@test "--no-comm leaves the command name out, and says which samples are empty then" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; sample 'b1 1 1.2: 2 cycles:'; } >in
    answers 0 'f 1' 'stackcollapse: 1 of 2 samples have no frames and are left out' stackcollapse --no-comm in
}

@test "--comm-digits=2 makes one of threads whose names differ in numbers" {
    { sample 'pool-12 1 1.1: 1 cycles:' '1 f (/x)'; sample 'pool-345 2 1.2: 2 cycles:' '1 f (/x)'
      sample 'pool-6 3 1.3: 4 cycles:' '1 f (/x)'; } >in
    prints $'pool-6;f 4\npool-<N>;f 3' stackcollapse --weight=period --comm-digits=2 in
}

@test "--tidy=none leaves names alone, --tidy=perl cuts as the Perl script does" {
    sample 'a1 1 1.1: 1 cycles:' '1 a::b(int)::c(int) (/x)' >in
    prints 'a1;a::b(int)::c(int) 1' stackcollapse --tidy=none in
    prints 'a1;a::b 1' stackcollapse --tidy=perl in
    prints 'a1;a::b::c 1' stackcollapse in
}

@test "folded input is merged: any split of the work in any order gives the same bytes" {
    for i in 1 2 3 4 5 6 7 8 9; do
        sample "c$((i % 3))x $i 1.$i: $i cycles:" "1 f$((i % 2)) (/x)" '2 main (/x)' >"part$i"
    done
    cat part? >all
    try stackcollapse all
    local whole=$output
    for i in 1 2 3 4 5 6 7 8 9; do stackcollapse "part$i" >"folded$i"; done
    prints "$whole" stackcollapse folded9 folded1 folded5 folded2 folded8 folded3 folded7 folded4 folded6
    stackcollapse folded4 folded1 folded7 >a
    stackcollapse folded2 folded3 folded9 folded8 folded5 folded6 >b
    prints "$whole" stackcollapse b a
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
    prints $'a;b 3\na;b.c 4\na;b;c 3\nb 5' stackcollapse in
    local sorted=$output
    sort -r in >reverse
    prints "$sorted" stackcollapse reverse
    prints $'a;b 6\na;b.c 8\na;b;c 6\nb 10' stackcollapse --from=folded <(stackcollapse in) <(stackcollapse reverse)
}

@test "perf script text and folded stacks can be mixed" {
    sample 'a1 1 1.1: 1 cycles:' '1 f (/x)' >perf
    echo 'a1;f 2' >folded
    prints 'a1;f 3' stackcollapse perf folded
}

@test "fractional counts are summed exactly" {
    printf 'a;b 0.1\na;b 0.2\na;c 19.0\na;b 0.7\nd 0.30000000000000000001\n' >in
    prints $'a;b 1\na;c 19\nd 0.3' stackcollapse --from=folded in
}

@test "folded stacks with two counts keep both" {
    printf 'a;b 1 2\na;c 3 4\na;b 10 20.5\n' >in
    prints $'a;b 11 22.5\na;c 3 4' stackcollapse in
}

@test "of what is no folded stack at all, two counts are not asked for" {
    printf 'a;b\n' >in
    answers 1 '' '*' stackcollapse --from=folded in
    same 'stackcollapse: in:1: not a folded stack' "${stderr_lines[0]}"
}

@test "a frame that ends in a number is not taken for a count where a line has one count only" {
    printf 'a;Thread 5 2\na;Thread 5 3\na;main 1\n' >in
    prints $'a;Thread 5 5\na;main 1' stackcollapse in
}

@test "a count alone is that of an empty stack" {
    prints $' 7\na 1' stackcollapse --from=folded < <(printf ' 5\na 1\n 2\n')
}

@test "a count past 64 bits saturates" {
    printf 'a 18446744073709551615\na 5\nb 99999999999999999999999\n' >in
    answers 1 $'a 18446744073709551615\nb 18446744073709551615' '*' stackcollapse in
}

@test "lines that are no folded stacks are skipped, said and counted" {
    printf 'a;b 1\nBAD\n\na;b x\na;c 2\n' >in
    answers 0 $'a;b 1\na;c 2' "stackcollapse: in:2: not a folded stack
stackcollapse: in:4: not a folded stack
stackcollapse: 2 folded lines, 2 lines skipped (first at line 2)" stackcollapse in
}

@test "lines that are no perf script text are skipped, said and counted, and the rest is folded" {
    { sample 'a1 1 1.1: 1 cycles:' '1 f (/x)'; echo 'what is this'; sample 'a1 1 1.2: 1 cycles:' '1 f (/x)'
      printf 'junk\n\njunk\njunk\n'; } >in
    answers 0 'a1;f 2' "stackcollapse: in:4: not a line of perf script text
stackcollapse: in:8: not a line of perf script text
stackcollapse: in:10: not a line of perf script text
stackcollapse: 2 samples, 4 lines skipped (first at line 4)" stackcollapse in
    answers 0 '*' '' stackcollapse -q in
}

@test "--from forces a format" {
    echo 'a;b 1' >in
    answers 1 '' '*' stackcollapse --from=perf in
    answers 2 '' "*'nonsense' is not one of perf|*|folded|*|guess*" stackcollapse --from=nonsense in
}

@test "an invalid regular expression is wrong usage" {
    answers 2 '' "stackcollapse: option --skip-after: '('*" stackcollapse --skip-after='(' /dev/null
}

@test "empty input gives no output, a message and status 0" {
    answers 0 '' 'stackcollapse: no samples in the input' stackcollapse /dev/null
}

@test "a file that is not there is an error, and the others are still folded" {
    echo 'a;b 1' >in
    answers 1 'a;b 1' 'stackcollapse: nowhere: No such file or directory' stackcollapse nowhere in
}

@test "under the Perl script's name wrong usage exits 255, and a missing file 0, as there" {
    answers 255 '' "stackcollapse-perf.pl: unknown option '--nonsense'*" "$COMPAT/stackcollapse-perf.pl" --nonsense
    answers 0 '' "stackcollapse-perf.pl: nowhere: No such file or directory*" "$COMPAT/stackcollapse-perf.pl" nowhere
}

@test "stacks that end in the middle are reported once, by program" {
    for i in 1 2 3 4 5 6 7 8; do sample "a1 1 1.$i: 1 c:" '1 f (/x)' '2 main (/x)' '3 _start (/x)'; done >in
    for i in 1 2; do sample "a1 1 2.$i: 1 c:" '4 aes_encrypt (/x)'; done >>in
    answers 0 $'a1;_start;main;f 8\na1;aes_encrypt 2' \
        'stackcollapse: 2 of 10 stacks do not reach a root, most often those of a1 that end in aes_encrypt (see perf-script --check)' \
        stackcollapse in
    head -40 in >whole
    answers 0 '*' '' stackcollapse whole
}

@test "a last line without newline in the middle of a sample is reported as perhaps cut" {
    printf 'a1 1 1.1: 1 c:\n\t1 f (/x)\n\t2 ma' >in
    answers 0 '*' 'stackcollapse: in:3: *perhaps the file was cut*' stackcollapse in
    try "$COMPAT/stackcollapse-perf.pl" in
    [[ $stderr != *cut* ]]
}

# ---- slices of time

@test "--slice begins each stack with the slice that it was seen in" {
    sample 'a1 1 9.999999: 1 c:' '1 f (/x)' '2 main (/x)' >in
    for time in 12.340000 12.359999 12.360000 12.36; do sample "a1 1 $time: 1 c:" '1 f (/x)' '2 main (/x)'; done >>in
    prints $'@12.340;a1;main;f 2\n@12.360;a1;main;f 2\n@9.980;a1;main;f 1' stackcollapse --slice=20 in
    prints $'@12.000;main;f 4\n@9.000;main;f 1' stackcollapse --slice=1000 --no-comm in
}

@test "samples without a time are in no slice and are reported, and input without times is an error" {
    { sample 'a1 1 1.5: 1 c:' '1 f (/x)'; sample 'a1 1 1 c:' '1 g (/x)'; } >in
    answers 1 $'@1.500;a1;f 1\na1;g 1' \
        'stackcollapse: samples without a time: 1, in no slice (perf-script -F +time perf.data prints it)' \
        stackcollapse --slice=100 in
    echo 'a;b 1' >folded
    answers 1 '' \
        'stackcollapse: folded: option --slice needs the times of perf script text; this is read as folded*' \
        stackcollapse --slice=100 folded
    try stackcollapse --slice=0 in
    [ "$status" -eq 2 ]
}

@test "a sample without frames is left out with --no-comm, also of a slice" {
    sample 'a1 1 1.5: 1 c:' >in
    answers 1 '' '*1 of 1 samples have no frames and are left out*' stackcollapse --slice=100 --no-comm in
}

@test "slices stay in what is merged and filtered, and tables add them up" {
    printf '%s\n' '@12.340;a1;main;f 2' '@12.360;a1;main;f 2' '@12.340;a1;main;g 1' '@x;a1;main 1' >in
    prints $'@12.340;a1;main;f 4\n@12.340;a1;main;g 2\n@12.360;a1;main;f 4\n@x;a1;main 2' stackcollapse in in
    head -3 in >sliced
    answers 0 $'@12.340;a1;g 1' '*' stackfilter --drop '@|a1|f' --root-at g sliced
    prints $'@12.340;(no frames) 2\n@12.360;(no frames) 2\n@12.340;(no frames) 1' stackfilter --drop . --no-comm sliced
    same "$(sed 's/^@[^;]*;//' sliced | stackreport)" "$(stackreport sliced)"
    same "$(sed 's/^@[^;]*;//' sliced | stackcollapse)" "$(stackdiff sliced sliced | sed 's/ [0-9]*$//')"
}
