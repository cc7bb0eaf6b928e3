load lib

# A sample: TIME COMM IDS CPU EVENT, with one frame.
sample() {
    printf '%s %s [%03d] %s:          1 %s: \n\t            7f12 f+0x1 (/bin/x)\n\n' "$2" "$3" "$4" "$1" "$5"
}

# Ten samples, one a second from 100.5 on, by three processes on two CPUs.
ten() {
    local i
    for i in 0 1 2 3 4 5 6 7 8 9; do
        sample "$((100 + i)).500000" "app$((i % 3))" "$((i % 3 + 40))/$((i + 50))" $((i % 2)) \
            "$([ $i -lt 7 ] && echo cycles:u || echo cpu/event=0x3c,umask=0/)"
    done
}

# The times of the samples that the options select from "in", without their common part.
times() { # OPTION...
    try perf-script "$@" in
    [ "$status" -eq 0 ] && grep -o '10[0-9]\.500000' <<< "$output" | tr -d '\n' | sed 's/10\([0-9]\).500000/\1/g'
}

# What stackcollapse-perf.pl makes of a file: the Perl script where it is there, else our answer to it.
folded() { # FILE OPTION...
    if [ -n "${FLAMEGRAPH_DIR:-}" ]; then
        perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" "${@:2}" "$1" 2> /dev/null
    else
        "$COMPAT/stackcollapse-perf.pl" "${@:2}" "$1" 2> /dev/null
    fi
}

# Passes where "in" is made into a text that reads the same and that is made into itself.
canonical() {
    perf-script -q in > once
    perf-script -q once > twice
    cmp once twice
    local option
    for option in --pid --tid --all --addrs; do
        same "$(folded in $option)" "$(folded once $option)"
    done
}

recordings() {
    local file
    for file in "$DATA"/*.perf.txt.gz; do
        gunzip -c "$file" > "$(basename "$file" .gz)"
    done
}

# ---- the text

@test "what perf printed is canonical already" {
    recordings
    local file
    for file in *.perf.txt; do
        echo "$file"
        answers 0 '*' '' bash -c 'perf-script "$1" > out' bash "$file"
        cmp "$file" out
    done
}

@test "spacing becomes perf's, whatever it was" {
    printf 'Gecko\t25122 [7] 15.936601:\t\t1000000 task-clock:u:\n7f12 f+0x1 (/bin/x)\n\t\t  7f13\tg   (/bin/x) \n\n' > in
    printf 'V8 Worker 24636/25607 [000] 4794564.109216: 10 cycles:\n   7f12 f (/bin/x)\n\n' >> in
    prints "$(printf '%s\n' 'Gecko 25122 [007]    15.936601:    1000000 task-clock:u: ' \
        $'\t            7f12 f+0x1 (/bin/x)' $'\t            7f13 g   (/bin/x)' '' \
        'V8 Worker 24636/25607 [000] 4794564.109216:         10 cycles: ' \
        $'\t            7f12 f (/bin/x)')" perf-script in
    canonical
}

@test "a missing period stays missing, and so do time, CPU and process" {
    printf '%s\n' 'java 19983 cycles:' $'\t7f12 f (/bin/x)' '' \
        'java 5 99161.926202: cycles: ' $'\t7f12 f (/bin/x)' '' > in
    try perf-script in
    same "java 19983 cycles: " "$(sed -n 1p <<< "$output")"
    same "java     5 99161.926202: cycles: " "$(sed -n 4p <<< "$output")"
    canonical
}

@test "every form of a header reads the same afterwards" {
    local header
    for header in 'V8 WorkerThread 25607 4794564.109216:     104345 cycles:' \
        'foobar [worker] 21332 cycles:' '[ET_NET 0] 812 [002] 1.000000: 1 cycles:' \
        '(sd-pam) 99 1.500000: 7 cycles:' 'worker 3 4242 [001] 12.300000: 1 cycles:' \
        'java 19983 cycles:' 'java 24636/25607 [000] 4794564.109216: 1 cycles:' \
        'bash 25370 [003] d..1. 6036.991603:   10101010 cpu-clock:' \
        'node 11912 K      1386.735044:    1001001 cpu-clock: ' \
        'swapper       0 [083] 1518941.611704:   10101010 cpu-clock:  /' \
        'redis 4735/4735 921.700317: sched:sched_switch: redis:4735 [120] S ==> swapper:0' \
        'node 11912  1386.735044456:    1001001 cpu-clock: ' \
        'node 1/2     [-01]     1.500000:          1       cycles:ppp: ' \
        'abc 1/2 [000] 1.5: 12 cpu_atom/cycles:Pu/:' 'xy 1/2 cycles:' 'xy 1/2       7 cycles:'; do
        echo "$header"
        printf '%s\n' "$header" $'\t7f12 f+0x1 (/bin/x)' $'\t7f13 main (/bin/x)' '' > in
        canonical
    done
}

@test "a header without its thread or event has its command, time and period all the same" {
    printf '%s\n' 'java [001] 1.500000: 250 ' $'\t7f1 f (/l)' '' 'java 1.500000: 250' $'\t7f1 f (/l)' '' \
        'java 5 1.500000: 250 ' $'\t7f1 f (/l)' '' > in
    answers 0 '*' '' perf-script --comm java --time 1.5,1.5 in
    same 'java [001]     1.500000:        250 
java     1.500000:        250 
java     5     1.500000:        250 ' "$(grep java <<< "$output")"
    same "$output" "$(perf-script <<< "$output")"
    same "3 0" "$(stat_of samples) $(stat_of samples_without_period)"
    prints '*100.0 %  java*' perf-script --check in
}

@test "a command name that begins with # is no comment" {
    printf '#1 worker 12 [000] 1.500000: 250 cycles:\n\t7f1 f (/l)\n\n# a comment: 12\n' > in
    prints $'#1 worker    12 [000]     1.500000:        250 cycles: \n\t             7f1 f (/l)\n\n# a comment: 12' \
        perf-script --comm '#1 worker' in
}

@test "UTF-16 and lines that end in CR alone are errors that say how to convert them" {
    local form
    local -A head=([utf16]='\0377\0376a\0 \0' [cr]='a 1 2.5: 3 c:\r\t7f1 f (/l)\r')
    local -A says=([utf16]='UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8'
        [cr]="its lines end in CR alone: convert it with tr '\\r' '\\n'")
    sample 1.500000 a 1/1 0 cycles > good
    for form in utf16 cr; do
        printf '%b' "${head[$form]}" > in
        answers 1 '*' "perf-script: in: ${says[$form]}" perf-script in good
        [[ $output == "a "* ]]
    done
}

@test "binary data with two carriage returns and no newline is not taken for lines that end in CR" {
    printf '\177ELF\2\0a\rb\rc' > in
    try perf-script in
    [ "$status" -eq 1 ]
    [[ $stderr != *"CR alone"* ]]
    [ "${stderr_lines[-1]}" = "perf-script: no samples in the input: this looks like a program or library (ELF)" ]
}

@test "headers that stackcollapse-perf.pl misreads become what they say" {
    printf '%s\n' 't 99076 10314749.002559:   1 cycles:' '' 'swapper -1/-1 [3] 4.5: 1 cycles:' '' \
        '42 7/7 [000] 1.5: 1 cycles:' '' > in
    prints "$(printf '%s\n' 't 99076 10314749.002559:          1 cycles: ' '' \
        'swapper    -1/-1    [003]     4.5:          1 cycles: ' '' \
        '42     7/7     [000]     1.5:          1 cycles: ')" perf-script in
    perf-script in > once
    perf-script once | cmp once
}

@test "every form of a frame reads the same afterwards" {
    local frame
    for frame in 'ffffffff8106 native_write_msr+0x4 ([kernel.kallsyms])' \
        '7f12 tan@plt+0xfffffffffef9b000 (/lib/libm.so)' '7f12 f ([JIT app cache])' \
        '7f12 f (/opt/my app/lib (v2).so)' '7f12 [unknown] (/usr/bin/node (deleted))' \
        '7f12 [unknown] (/ (deleted))' '4b179f alloc_shared+0x10f (inlined)' \
        '7f12 A::b->C::d (/tmp/perf-1.map)' '7f12 Ljava/io/PrintStream;::print (/tmp/perf-1.map)' \
        '7f12 net/http.(*Client).Do (/bin/go)' '7f12 (anonymous namespace)::f(int) (/bin/x)' \
        '7f12 g(int)::{lambda(int)#1}::operator()() const (/bin/x)' '7f12 operator< (/bin/x)' \
        "7f12 RegExp:[&<>\\\"\\'] (/tmp/perf-1.map)" '7f12 RegExp:(?:^|\/)x (/tmp/perf-1.map)' \
        '7f1e2215d058  (/lib/libc-2.15.so)' '7f1e2215d058 (/lib/libc-2.15.so)' \
        '0 [unknown] ([unknown])' '7f12 main' '7f12' '7f12 LazyCompile:~  (/tmp/perf-1.map)'; do
        echo "$frame"
        printf '%s\n' 'java 1/2 1.500000:          1 cycles: ' $'\t'"$frame" $'\t7f13 main (/bin/x)' '' > in
        canonical
    done
}

@test "a tracepoint's text stays as it is" {
    gunzip -c "$DATA/sched-switch.perf.txt.gz" > in
    sed 's/^\t */ /; s/ (/  (/' in > spaced
    answers 0 '*' '' bash -c 'perf-script spaced > out'
    same "$(grep -o 'sched:sched_switch:.*' in)" "$(grep -o 'sched:sched_switch:.*' out)"
}

@test "a frame on the header's line stays there, without a blank line" {
    printf '%s\n' '   false 64414 20110.539270: 34467 cycles:u: ffffffff9aa3c8de [unknown] ([unknown])' \
        '   false 64414 20110.539271: 34467 cycles:u: 7f12 f (/bin/x)' > in
    prints "$(
        printf '%s\n' \
            '           false 64414 20110.539270:      34467 cycles:u:  ffffffff9aa3c8de [unknown] ([unknown])' \
            '           false 64414 20110.539271:      34467 cycles:u:              7f12 f (/bin/x)'
    )" perf-script in
    canonical
}

@test "source lines stay after their frames, blank ones too" {
    printf '%s\n' 'ab 1 1.500000:          1 cycles: ' $'\t7f12 f (/bin/x)' '    f.c:12' \
        $'\t7f13 g (/bin/x)' '' $'\t7f14 h (/bin/x)' '  x[7f14]' '' > in
    prints "$(printf '%s\n' 'ab     1     1.500000:          1 cycles: ' \
        $'\t            7f12 f (/bin/x)' '  f.c:12' $'\t            7f13 g (/bin/x)' '' \
        $'\t            7f14 h (/bin/x)' '  x[7f14]')" perf-script in
    canonical
    same "$(folded in --srcline)" "$(folded once --srcline)"
}

@test "comments and records pass through, in their places" {
    printf '%s\n' '# cmdline : perf record' 'ab 1 1.500000: PERF_RECORD_COMM: x:1/1' > in
    sample 1.500000 ab 1/1 0 cycles | perf-script >> in
    printf '%s\n' 'PERF_RECORD_LOST lost 3' ' instruction trace error type 1' \
        '              ab  9566 [001]     1.600000: kfree: call_site=1' '# between' \
        '              ab  9566 [001]     1.700000: kfree: call_site=2' >> in
    answers 0 '*' '' bash -c 'perf-script in > out'
    cmp in out
}

@test "a comment inside a stack is written after it" {
    sample 1.500000 ab 1/1 0 cycles | perf-script > wanted
    sed '1a# comment' wanted > in
    answers 0 '*' '' bash -c 'perf-script in > out'
    echo '# comment' >> wanted
    cmp wanted out
}

@test "a carriage return, a missing blank line and a missing newline are repaired" {
    sample 1.500000 a 1/1 0 cycles > wanted
    sample 1.600000 b 1/1 0 cycles >> wanted
    perf-script wanted > canonical
    sed '/^$/d; s/$/\r/' wanted | tr -d '\n' | tr '\r' '\n' | sed 's/$/\r/' | head -c -2 > in
    answers 0 '*' "*the last line has no newline*" bash -c 'perf-script in > out'
    cmp canonical out
}

@test "NUL and bytes that are not text are masked" {
    printf 'a\0\377 1 1.500000:          1 cycles: \n\t            7f12 f\0\033\376 (/bin/x)\n\n' > in
    answers 0 '*' '' bash -c 'perf-script in > out'
    printf 'a??     1     1.500000:          1 cycles: \n\t            7f12 f??? (/bin/x)\n\n' > wanted
    cmp wanted out
}

@test "several files come out as one" {
    ten > whole
    head -n 12 whole > a
    tail -n +13 whole > b
    answers 0 '*' '' bash -c 'perf-script a b > out'
    perf-script whole > wanted
    cmp wanted out
}

@test "a line that is not perf script text is reported with its place, skipped, and counted at the end" {
    sample 1.500000 a 1/1 0 cycles > good
    { cat good && echo 'what is this' && cat good && echo 'what now'; } > in
    answers 0 "$(cat good good | perf-script)" "perf-script: in:4: not a line of perf script text
perf-script: in:8: not a line of perf script text
perf-script: 2 samples, 2 lines skipped (first at line 4)" perf-script in
}

@test "a frame without a sample is reported and skipped" {
    { printf '\t7f12 f (/bin/x)\n' && sample 1.500000 a 1/1 0 cycles; } > in
    answers 0 '*' "perf-script: in:1: a frame outside of any sample
perf-script: 1 sample, 1 line skipped (first at line 1)" perf-script in
}

@test "with several files the closing line names the file of the first skipped line" {
    sample 1.500000 app 1/1 0 cycles > good
    echo what > bad
    answers 0 '*' "perf-script: bad:1: not a line of perf script text
perf-script: 1 sample, 1 line skipped (first at bad:1)" perf-script good bad
}

@test "an input without any usable line is an error that says what it looks like" {
    printf 'n;a 1\nn;b 2\n' > folded
    answers 1 '' "perf-script: folded:1: not a line of perf script text
perf-script: folded:2: not a line of perf script text
perf-script: 0 samples, 2 lines skipped (first at line 1)
perf-script: no samples in the input: this looks like folded stacks, which stackcollapse has made already" \
        perf-script folded
    printf '<?xml version="1.0"?>\n<svg>\n' > picture
    answers 1 '*' "perf-script: no samples in the input: this looks like an SVG picture" perf-script -q picture
    printf '{"nodes":[{"id":1,"callFrame":{}}]}\n' > profile
    answers 1 '*' "perf-script: no samples in the input: this looks like a V8 CPU profile (.cpuprofile), which is JSON" \
        perf-script -q --check profile
    echo 'one two' > unknown
    answers 1 '*' "perf-script: no samples in the input" perf-script -q unknown
}

@test "headers without time and event are known by the frames after them" {
    printf 'node 4123 \n\t    55d0c1a2 uv_run+0x1a (/usr/bin/node)\n\n' > in
    prints $'node  4123 \n\t        55d0c1a2 uv_run+0x1a (/usr/bin/node)' perf-script in
    printf '4123:\n' | cat - in > other
    answers 0 '*' "$(printf '%s\n' "perf-script: other:1: not a line of perf script text" \
        "perf-script: 1 sample, 1 line skipped (first at line 1)")" perf-script other
}

@test "--strict fails if any line was skipped" {
    sample 1.500000 a 1/1 0 cycles > good
    try perf-script --strict good
    [ "$status" -eq 0 ]
    { cat good && echo 'what is this'; } > bad
    try perf-script bad
    [ "$status" -eq 0 ]
    answers 1 "$(perf-script good)" "perf-script: bad:4: not a line of perf script text
perf-script: 1 sample, 1 line skipped (first at line 4)" perf-script --strict bad
    answers 1 '*' '' perf-script --strict -q --check bad
}

@test "a last line without newline is reported as perhaps cut, in each file" {
    sample 1.500000 a 1/1 0 cycles > whole
    printf 'a 1/1 [000] 1.6: 1 cycles:\n\t7f12 f+0x1 (/bi' > half
    answers 0 '*' "perf-script: half:2: the last line has no newline: perhaps the file was cut" \
        perf-script whole half whole
    [ "$(grep -c cycles <<< "$output")" -eq 3 ]
    try perf-script --time 0%,100% half
    same "perf-script: half:2: the last line has no newline: perhaps the file was cut" "$stderr"
}

# ---- selection

@test "an empty selection is wrong usage, since it would select everything" {
    ten > in
    local field value
    for field in pid tid comm cpu event; do
        for value in '' ',' ',,'; do
            answers 2 '' "perf-script: option --$field: '$value' is an empty list*" perf-script "--$field" "$value" in
        done
    done
    answers 2 '*' "perf-script: option --time: ',': neither FROM nor TO*" perf-script --time , in
}

@test "a value that is not a number is wrong usage where numbers are compared" {
    local wrong
    for wrong in --pid=abc --tid=x --cpu=x --cpu=0-3 --pid=1,node --pid=- --tid=1x,2; do
        answers 2 '' '*' perf-script "$wrong" /dev/null
        [[ $stderr == "perf-script: option ${wrong%%=*}: '${wrong#*=}' is not a list of numbers"* ]]
    done
    try perf-script --pid=1,,2 --tid=-1 --cpu=01,-1 --comm=x --event=x, /dev/null
    [ "$status" -eq 0 ]
}

@test "a percent of --time reads the input twice, and reports once what cannot be read" {
    ten > in
    printf '\377\376a\0 \0' > utf16
    local message="perf-script: utf16: UTF-16 text: convert it with iconv -f UTF-16 -t UTF-8"
    answers 1 "$(perf-script in)" "$message" perf-script --time 0%,100% utf16 in
    answers 1 '' "$message" perf-script --time 0%,100% utf16
}

@test "--pid, --tid, --comm, --cpu and --event each select by a list" {
    ten > in
    same 0369 "$(times --pid 40)"
    same 0134679 "$(times --pid=41,40 --tid 50,51,53,54,56,57,59)"
    same 14 "$(times --tid 51 --tid 54)"
    same 258 "$(times --comm app2)"
    same 02468 "$(times --cpu 0)"
    same 13579 "$(times --cpu 001)"
    same 0123456 "$(times --event cycles:u)"
}

@test "a comma between an event's slashes does not separate list items" {
    ten > in
    same 789 "$(times --event cpu/event=0x3c,umask=0/)"
    same 0123456789 "$(times --event cpu/event=0x3c,umask=0/,cycles:u)"
}

@test "all criteria must hold" {
    ten > in
    same 6 "$(times --pid 40 --cpu 0 --time 101,108)"
}

@test "--event takes patterns, and all" {
    ten > in
    same 0123456 "$(times --event 'cyc*')"
    same 789 "$(times --event 'cpu/*')"
    same 0123456789 "$(times --event '*u,cpu/*')"
    same 0123456789 "$(times --event all)"
    same 03 "$(times --event 'cycles:?' --comm app0 --time 0%,50%)"
}

@test "a filter that no sample matches is an error that names what the input has" {
    ten > in
    answers 1 '' "perf-script: no sample of 'cycles'; the input has: cycles:u (7), cpu/event=0x3c,umask=0/ (3)" \
        perf-script --event cycles in
    answers 1 '*' "perf-script: no sample of command 'app,application'; the input has: app0 (4), app1 (3), app2 (3)" \
        perf-script --check --comm app,application in
    answers 1 '*' "perf-script: no sample of process id '7'; the input has: 40 (4), 41 (3), 42 (3)
perf-script: no sample of CPU '3'; the input has: 0 (5), 1 (5)" perf-script -q --pid 7 --cpu 3 in
    answers 1 '*' "perf-script: no sample of that time; the input has times from 100.500000 to 109.500000 (9.000000 seconds)" \
        perf-script --time 5,6 in
    answers 1 '*' "perf-script: none of 10 samples fits all that is asked for" perf-script --pid 40 --comm app1 in
}

@test "--time selects seconds as printed, both ends included and either left out" {
    ten > in
    same 234 "$(times --time 102.5,104.5)"
    same 34 "$(times --time 102.500000001,104.500000000)"
    same 89 "$(times --time 108,)"
    same 01 "$(times --time ,101.5)"
    same 0 "$(times --time ,101.499999999)"
}

@test "times are compared digit by digit, not as floating-point numbers" {
    sample 9007199254.740993001 a 1/1 0 cycles > in
    try perf-script --time 9007199254.740993001,9007199254.740993001 in
    [ -n "$output" ]
    try perf-script --time 9007199254.740993002, in
    [ -z "$output" ]
    try perf-script --time ,9007199254.740993000 in
    [ -z "$output" ]
}

@test "--time selects percents of the whole input's time" {
    ten > in
    same 01 "$(times --time 0%,20%)"
    same 23 "$(times --time 20%,40%)"
    same 0123456789 "$(times --time 0%,100%)"
    same 9 "$(times --time 100%,)"
    same 56789 "$(times --time 50%,)"
    same 5 "$(times --time 50%,106)"
}

@test "slices by percent have each sample once, even on a slice's edge" {
    local i
    for i in 0 1 2 3 4; do
        sample "10$((i * 2)).500000" a 1/1 0 cycles
    done > in # 50% is 104.5
    same 02 "$(times --time 0%,50%)"
    same 468 "$(times --time 50%,100%)"
}

@test "--time by percent reads a pipe, a file and standard input alike, and leaves no temporary file" {
    mkdir tmp
    ten > in
    perf-script --time 20%,50% in > wanted
    [ "$(grep -c cycles wanted)" -eq 3 ]
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    perf-script --time 20%,50% < in | cmp wanted
    run bash -c 'cat in | perf-script --time 20%,50% | cmp wanted'
    [ "$status" -eq 0 ]
    run bash -c 'perf-script --time 20%,50% <(head -n 12 in) <(tail -n +13 in) | cmp wanted'
    [ "$status" -eq 0 ]
    run bash -c '{ IFS= read -r line; perf-script --time 0%,100% -q; } < in'
    [ -n "$output" ]
    [ -z "$(ls -A tmp)" ]
}

@test "a temporary file that cannot be created is an error that names TMPDIR" {
    ten > in
    TMPDIR=/nonexistent run --separate-stderr bash -c 'cat in | perf-script --time 20%,50%'
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == "perf-script: /nonexistent: No such file or directory: a percent of --time needs a temporary file; TMPDIR names its directory" ]]
}

@test "a missing file is reported once, even if the input is read twice" {
    ten > in
    answers 1 '*' "perf-script: missing: No such file or directory" perf-script --time 0%,100% missing in
    [ "$(grep -c 'app' <<< "$output")" -eq 10 ]
    answers 1 '' '*' perf-script --time 0%,100% missing
}

@test "--range counts from the first sample, whatever else is selected" {
    ten > in
    same 012 "$(times --range 0,2)"
    same 12 "$(times --range 0.000001,2)"
    same 89 "$(times --range 8,)"
    same 3 "$(times --range 1,4 --pid 40)"
}

@test "--timezerosecs counts from the first sample's full second, --timeraw from zero" {
    ten > in
    same 01 "$(times --range 0,1.5 --timezerosecs)"
    same 0 "$(times --range 0,1.4 --timezerosecs)"
    same 23 "$(times --range 102,103.5 --timeraw)"
    answers 2 '*' "perf-script: --timeraw and --timezerosecs need --range*" perf-script --timeraw in
}

@test "samples out of time order are each selected by their own time" {
    { sample 105.500000 a 1/1 0 cycles && sample 101.500000 a 1/1 0 cycles &&
        sample 106.500000 a 1/1 0 cycles; } > in
    same 51 "$(times --time 101,106)"
    same 1 "$(times --time 0%,50%)"
}

@test "a window that cannot be read, or goes backwards, is wrong usage" {
    local window
    for window in 10 a,b 1,2,3 101%,5 1e3,5 -1,5 '%,5'; do
        answers 2 '*' "perf-script: option --time: '$window': not FROM,TO*" perf-script --time "$window"
    done
    answers 2 '*' "*a percent is for --time*" perf-script --range 10%,20%
    for window in 10,5 20%,10% 1.5,1.4; do
        answers 2 '*' "perf-script: option --time: '$window': FROM is after TO*" perf-script --time "$window"
    done
    answers 2 '*' "perf-script: option --range: '10,5': FROM is after TO*" perf-script --range 10,5
}

@test "samples that do not print what is asked for are left out and counted" {
    printf 'java 19983 cycles:\n\t7f12 f (/bin/x)\n\n' > in
    answers 1 '' "perf-script: 1 sample left out: the text has no time: perf-script -F +time perf.data prints it
perf-script: none of 1 samples fits all that is asked for" perf-script --time 1,2 in
    cat in in > two
    sample 1.500000 java 1/1 1 cycles >> two
    answers 0 '*' "perf-script: 2 samples left out: the text has no CPU: perf-script -F +cpu perf.data prints it" \
        perf-script --cpu 1 two
}

@test "where only thread ids are printed, --pid says that it matches main threads alone" {
    printf 'java 19983 1.500000: 1 cycles:\n\t7f12 f (/bin/x)\n\n' > in
    answers 0 'java*' \
        "perf-script: the input has thread ids only, so --pid matched main threads alone: perf-script -F +pid perf.data prints both" \
        perf-script --pid 19983 in
    sample 1.500000 java 1/1 1 cycles >> in
    try perf-script --pid 19983 in
    same "perf-script: some samples have thread ids only, so --pid matched main threads alone: perf-script -F +pid perf.data prints both" "$stderr"
}

@test "under a selection records are judged by what they print, and comments pass" {
    {
        echo '# comment'
        echo 'app0 40/50 [000]   100.000000: PERF_RECORD_COMM: app0:40/50'
        echo 'app1 41/51 [001]   101.000000: PERF_RECORD_MMAP2 41/51: [0x1(0x2) @ 0x3]: r-xp /x'
        echo 'PERF_RECORD_LOST lost 1'
        ten
    } > in
    try perf-script --pid 41 --event none in
    same "$(printf '%s\n' '# comment' \
        'app1 41/51 [001]   101.000000: PERF_RECORD_MMAP2 41/51: [0x1(0x2) @ 0x3]: r-xp /x' \
        'PERF_RECORD_LOST lost 1')" "$output"
    try perf-script --time 101,102 in
    same 'app1 41/51 [001]   101.000000: PERF_RECORD_MMAP2 41/51: [0x1(0x2) @ 0x3]: r-xp /x' \
        "$(grep 'RECORD_[MC]' <<< "$output")"
}

@test "a selected sample without frames is written without its neighbours' frames" {
    printf '%s\n' 'a 1/1 [000] 1.5: 1 cycles:' $'\t1 f (/x)' '' 'b 2/2 [000] 1.6: 1 cycles:' '' \
        'a 1/1 [000] 1.7: 1 cycles:' $'\t1 f (/x)' '' > in
    try bash -c 'perf-script --pid 2 in > out'
    printf '%s\n' 'b     2/2     [000]     1.6:          1 cycles: ' '' > wanted
    cmp wanted out
}

# ---- perf maps

@test "a recording without its map gets the names that the map has" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > in
    gunzip -c "$DATA/node-unnamed.map.gz" > map
    local pid
    pid=$(awk '/cpu-clock/ { split($(NF - 3), ids, "/"); print ids[1]; exit }' in)
    answers 0 '*' '' bash -c 'perf-script --perf-map "$1=map" in > out' bash "$pid"
    # Each JIT frame by a plain search through the map, its last record first.
    tac map > backwards
    awk -v dso="(/tmp/perf-$pid.map)" '
        function number(hex, i, n) {
            n = 0
            for (i = 1; i <= length(hex); i++)
                n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
            return n
        }
        FNR == NR { start[++n] = number($1); size[n] = number($2); sub(/^[^ ]* [^ ]* /, ""); name[n] = $0; next }
        $2 == "[unknown]" && $3 == dso && !($1 in seen) {
            seen[$1]
            at = number($1)
            for (i = 1; i <= n; i++)
                if (at >= start[i] && at < start[i] + size[i]) {
                    printf "%s %s+0x%x\n", $1, name[i], at - start[i]
                    break
                }
        }' backwards in | sort > wanted
    [ "$(wc -l < wanted)" -gt 20 ]
    sed -n 's/^\t *\(.*\) (map)$/\1/p' out | sort -u > got
    cmp wanted got
    # and nothing else has changed
    diff <(grep -v "$(printf '(map)\\|(/tmp/perf-%s.map)' "$pid")" in) <(grep -v '(map)\|(/tmp/perf-[0-9]*.map)' out)
}

@test "frames in every kind of memory without a file get names, and no others" {
    printf '1000 100 JS:*f /x.js:1\n' > map
    local dso
    for dso in '[unknown]' //anon '[anon]' /tmp/perf-7.map /memfd:jit '/memfd:jit (deleted)' '[JIT] tid 7'; do
        printf 'a 7/8 1.5: 1 c:\n\t1010 [unknown] (%s)\n\n' "$dso" > in
        try perf-script --perf-map 7=map in
        same $'\t            1010 JS:*f /x.js:1+0x10 (map)' "$(sed -n 2p <<< "$output")"
    done
    printf 'a 7/8 1.5: 1 c:\n\t1010 [unknown] (/bin/x)\n\t1010 g ([unknown])\n\t2000 [unknown] ([unknown])\n\n' > in
    answers 0 "$(perf-script in)" "perf-script: no frame got a name from a perf map: perf may have named them already" \
        perf-script --perf-map 7=map in
}

@test "the same frame has another name in another process" {
    printf '1000 100 seven\n' > seven
    printf '1000 100 eight\n' > eight
    local pid
    for pid in 7 8 9 7; do
        printf 'a %d/%d 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' $pid $pid
    done > in
    try perf-script --perf-map 7=seven --perf-map 8=eight in
    same "seven+0x10 (seven) eight+0x10 (eight) [unknown] ([unknown]) seven+0x10 (seven)" \
        "$(sed -n 's/^\t *1010 //p' <<< "$output" | tr '\n' ' ' | sed 's/ $//')"
}

@test "--map-dir finds each process's map" {
    mkdir maps
    printf '1000 100 seven\n' > maps/perf-7.map
    printf 'a %d/9 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' 7 8 > in
    answers 0 '*' '' perf-script --map-dir maps in
    same "seven+0x10 (maps/perf-7.map) [unknown] ([unknown])" \
        "$(sed -n 's/^\t *1010 //p' <<< "$output" | tr '\n' ' ' | sed 's/ $//')"
}

@test "a --map-dir that cannot be opened is an error, and the samples are written all the same" {
    printf 'a 7/9 1.5: 1 c:\n\t1010 f (/x)\n\n' > in
    answers 1 "$(perf-script in)" "perf-script: nosuch: No such file or directory" perf-script --map-dir nosuch in
    answers 1 '*' "perf-script: in: Not a directory" perf-script --map-dir in in
}

@test "a map that was copied too early is reported with the number of frames that it lacks" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > in
    mkdir maps
    local pid
    pid=$(awk '/cpu-clock/ { split($(NF - 3), ids, "/"); print ids[1]; exit }' in)
    gunzip -c "$DATA/node-unnamed.map.gz" | head -n 400 > "maps/perf-$pid.map"
    try bash -c 'perf-script --map-dir maps in > out'
    [ "$status" -eq 0 ]
    [[ $stderr =~ ^"perf-script: "([0-9]+)" JIT frames without a name are not in maps/perf-$pid.map: was it copied before the recording ended?"$ ]]
    same "$(sed -n "s|^\t *\([0-9a-f]*\) \[unknown\] (/tmp/perf-$pid.map)|\1|p" out | sort -u | wc -l)" "${BASH_REMATCH[1]}"
    try perf-script --check --map-dir maps in
    [[ $output == *"JIT frames without a name are not in maps/perf-$pid.map: was it copied before the recording ended?"* ]]
    [[ $output != *"start node"* ]]
    gunzip -c "$DATA/node-unnamed.map.gz" > "maps/perf-$pid.map"
    answers 0 '*' '' perf-script --check --map-dir maps in
    [[ $output != *"JIT frames without a name"* ]]
}

@test "a process without a map in --map-dir, and a map without a process, are reported" {
    mkdir maps
    printf '1000 100 f\n' > maps/perf-1.map
    printf 'a 7/9 1.5: 1 c:\n\t1010 [unknown] (/tmp/perf-7.map)\n\n' > in
    try perf-script --map-dir maps in
    same "perf-script: no frame got a name from a perf map
perf-script: process 7 has JIT frames without a name, and there is no maps/perf-7.map; a container's map is named by the process id inside: rename it" "$stderr"
    answers 0 '*' "perf-script: no sample is of process 8, whose map is maps/perf-1.map
perf-script: no frame got a name from a perf map" perf-script --perf-map 8=maps/perf-1.map in
}

@test "that no frame got a name is reported only if one lacks it" {
    mkdir maps
    printf 'a 7/9 1.5: 1 c:\n\t1010 f (/x)\n\t1 [unknown] (/bin/x)\n\n' > in
    answers 0 '*' '' perf-script --map-dir maps in
    printf 'a 7/9 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' >> in
    try perf-script --map-dir maps in
    same "perf-script: no frame got a name from a perf map: perf may have named them already" "$stderr"
}

@test "--perf-map goes before --map-dir" {
    mkdir maps
    printf '1000 100 other\n' > maps/perf-7.map
    printf '1000 100 seven\n' > seven
    printf 'a 7/9 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' > in
    prints '*seven+0x10 (seven)*' perf-script --map-dir maps --perf-map 7=seven in
}

@test "a frame's source line and a frame on the header's line keep their places" {
    printf '1000 100 f\n' > map
    printf 'a 7/8 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n  x.c:1\n\n   b 7/8 1.5: 1 c:u: 1010 [unknown] ([unknown])\n' > in
    prints '*c:u:              1010 f+0x10 (map)' perf-script --perf-map 7=map in
    same $'\t            1010 f+0x10 (map)\n  x.c:1' "$(sed -n 2,3p <<< "$output")"
}

@test "lines of a map that are not records are reported, and the others used" {
    printf "1000 10 RegExp.> src: 'a\nb' flags: 'sy'\n1010 10 ok\n1020 1" > map
    printf 'a 7/8 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' > in
    answers 0 '*' "perf-script: map:2: not an address, a size and a name: 2 lines skipped, this is the first" \
        perf-script --perf-map 7=map in
    [[ $output == *'ok+0x0 (map)'* ]]
    printf '1010 10 ok\n1020 1' > map
    try perf-script --perf-map 7=map in
    same "perf-script: map:2: not an address, a size and a name: 1 line skipped" "$stderr"
}

@test "a map that is a link, a pipe or not there is refused with a message" {
    printf '1000 10 f\n' > map
    printf 'a 7/8 1.5: 1 c:\n\t1000 [unknown] ([unknown])\n\n' > in
    ln -s map link
    mkfifo pipe
    mkdir maps
    ln -s ../map maps/perf-7.map
    answers 1 "$(perf-script in)" '*' perf-script --perf-map 7=link --perf-map 7=pipe --perf-map 7=missing in
    same "perf-script: link: is a symbolic link, which is not followed
perf-script: pipe: is not a regular file
perf-script: missing: No such file or directory" "$(head -n 3 <<< "$stderr")"
    answers 0 '*' "perf-script: maps/perf-7.map: is a symbolic link, which is not followed*" \
        perf-script --map-dir maps in
    printf 'node 7/7 [000] 1.5: 1 c:\n\t1010 [unknown] (//anon)\n\n' > anon
    answers 0 '*' "perf-script: maps/perf-7.map: is a symbolic link, which is not followed*" \
        perf-script --map-dir maps anon
    [[ $stderr != *"there is no maps/perf-7.map"* ]]
}

@test "a thread id alone finds the map of the process with that id, and that is reported" {
    printf '1000 100 f\n' > map
    printf 'a 7 1.5: 1 c:\n\t1010 [unknown] ([unknown])\n\n' > in
    try perf-script --perf-map 7=map in
    [[ $output == *'f+0x10 (map)'* ]]
    same "perf-script: the input has thread ids only, so maps were found for main threads alone: perf-script -F +pid perf.data prints both" "$stderr"
}

@test "frames without addresses to look up are reported" {
    printf '1000 100 f\n' > map
    printf 'a 7/7 1.5: 1 c:\n\t[unknown] (/tmp/perf-7.map)\n\n' > in
    try perf-script --perf-map 7=map in
    [[ $stderr == *"frames without addresses cannot be named (perf script -F +ip prints them)"* ]]
}

@test "a --perf-map without a number and a file is wrong usage" {
    local value
    for value in map =map 7= x=map; do
        answers 2 '*' "perf-script: option --perf-map: '$value' is not PID=FILE*" perf-script --perf-map "$value"
    done
}

# ---- the check

# One number of --stats=json.
stat_of() { # KEY OPTION...
    perf-script -q --stats=json "${@:2}" in | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d : -f 2
}

@test "--check counts samples by event and command, and the time that they span" {
    ten > in
    answers 0 '*' '' perf-script --check in
    [[ $output == *"            10  samples"* ]]
    [[ $output == *"from 100.500000 to 109.500000: 9.000000 s, 1.1 samples a second"* ]]
    [[ $output == *"             7   70.0 %  cycles:u"* ]]
    [[ $output == *"             4   40.0 %  app0"* ]]
    [[ $output == *"            10  frames"* ]]
    [[ $output == *"             1  different frames"* ]]
}

@test "--check lists the ten most frequent commands and sums the rest" {
    local i
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        sample 1.500000 "c$i" 1/1 0 cycles
    done > in
    sample 1.500000 c12 1/1 0 cycles >> in
    prints '*             2   15.4 %  c12*             2   15.4 %  2 others*' perf-script --check in
    [ "$(grep -c '%  c[0-9]' <<< "$output")" -eq 10 ]
}

@test "--check counts what is selected" {
    ten > in
    same 4 "$(stat_of samples --pid 40)"
}

@test "--check: no callchains" {
    gunzip -c "$DATA/no-callchain.perf.txt.gz" > in
    try perf-script --check in
    [[ $output == *$'\n  no callchains: record with -g\n'* ]]
    same "$(wc -l < in)" "$(stat_of samples)"
    same 0 "$(stat_of callchains)"
    ten > in
    [[ $(perf-script --check in) != *"no callchains"* ]]
    printf 'a 1/1 [000] 1.5: 700 wall: running\n\n' > in
    [[ $(perf-script --check in) != *"record with -g"* ]] # stackrecord --wall takes what it may
}

@test "--check: where names of JIT-compiled code are from, which text does not tell of maps and memory" {
    printf 'x 7/8 [000] 1.5: 1 c:\n\t1 f (/tmp/jitted-7-2.so)\n\t2 JS:*g /x.js:1:2 (/tmp/perf-7.map)\n\t3 h (/bin/node)\n\n' > in
    try perf-script --check in
    [[ $output = *$'\n             1  JIT-compiled, with a name from a jitdump\n             1  JIT-compiled, with a name from a perf map, or read from memory'* ]]
    same 0,1,1 "$(stat_of memory_named_frames),$(stat_of jitdump_named_frames),$(stat_of map_named_frames)"
}

@test "--check: JIT frames without names, until a map names them" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > in
    gunzip -c "$DATA/node-unnamed.map.gz" > map
    local pid unnamed
    pid=$(awk '/cpu-clock/ { split($(NF - 3), ids, "/"); print ids[1]; exit }' in)
    unnamed=$(grep -c "\[unknown\] (/tmp/perf-$pid.map)" in)
    prints '*JIT frames without a name: stackrecord and flamepipe read *; for perf start node with --perf-basic-prof; print *' perf-script --check in
    same "$unnamed" "$(stat_of nameless_jit_frames)"
    try perf-script --check --perf-map "$pid=map" in
    [[ $output != *"JIT frames without a name"* ]]
}

@test "--check: stacks cut at 127 frames, if they are a hundredth" {
    gunzip -c "$DATA/deep.perf.txt.gz" > in
    answers 0 '*' '' perf-script --check in
    [[ $output == *$'\n  166 of 304 stacks are cut at 127 frames: raise kernel.perf_event_max_stack (sysctl) before recording'* ]]
    same "$(awk -v RS= -F '\n' 'NF == 128' in | grep -c cpu-clock)" "$(stat_of cut_stacks)"
    # One of 305.
    awk -v RS= -v ORS='\n\n' -F '\n' 'NF != 128 || !cut++' in > one
    for _ in 1 2 3; do awk -v RS= -v ORS='\n\n' -F '\n' 'NF != 128' in; done >> one
    mv one in
    answers 0 '*' '' perf-script --check in
    [[ $output == *"             1  stacks cut at 127 frames"* ]]
    [[ $output != *"raise kernel.perf_event_max_stack"* ]]
}

@test "--check: a thread that has only waited for a CPU has a whole stack" {
    printf 'a 1/1 1.000000: 1000 us:\n\t0 [wait: run queue] ([unknown])\n\na 1/1 1.100000: 1000 us:\n\t0 f (/app)\n\t0 [cut] ([unknown])\n\n' > "$BATS_TEST_TMPDIR/in"
    answers 0 '*' '' perf-script --check "$BATS_TEST_TMPDIR/in"
    [[ $output == *'1 of 2 stacks are cut, since the copy of the stack was too short, most often in /app:'* ]]
}

@test "--check: stacks lost in JIT-compiled code are explained with java's option only where the code may be java's" {
    lost() { # FILE-OF-THE-RUNTIME
        printf 'a 1/1 1.000000: 1000 us:\n\t7f12 [unknown] (/tmp/perf-1.map)\n\t0 [lost] ([unknown])\n\na 1/1 1.100000: 1000 us:\n\t7f13 f (%s)\n\n' "$1" > "$BATS_TEST_TMPDIR/in"
        answers 0 '*' '' perf-script --check "$BATS_TEST_TMPDIR/in"
        [[ $output == *'1 of 2 stacks are lost, most often in /tmp/perf-1.map: this is JIT-compiled code, which '* ]]
    }
    for runtime in /app /jdk/lib/server/libjvm.so; do
        lost $runtime
        [[ $output == *'which needs frame pointers (java -XX:+PreserveFramePointer)'* ]]
    done
    lost /usr/bin/node
    [[ $output == *'which has no frame pointer there'* ]]
    [[ $output != *java* ]]
}

@test "--check: lost records" {
    { ten && echo 'a 1 [000] 1.5: PERF_RECORD_LOST lost 12' && echo 'PERF_RECORD_LOST_SAMPLES lost 30'; } > in
    try perf-script --check in
    [[ $output == *"42 lost events, beside 10 samples: record with a lower -F, or with larger buffers (perf record -m, stackrecord --memory)"* ]]
    same "2 42 2" "$(stat_of lost_records) $(stat_of lost_events) $(stat_of records)"
}

@test "--check: several events, and the one that stackcollapse would take" {
    gunzip -c "$DATA/two-events.perf.txt.gz" > in
    try perf-script --check in
    [[ $output == *"several events: stackcollapse takes the first one, page-faults, unless --event names others"* ]]
}

@test "--check: fields that are not printed" {
    printf 'java 19983 cycles:\n\t7f12 f (/bin/x)\n\n' > in
    try perf-script --check in
    [[ $output == *$'\nfields\n  no pid, no cpu, no time, no period\n'*$'\n  1 of 1 samples have no time, so that --time and --range leave them out: perf-script -F +time perf.data prints times'* ]]
    [[ $output != *"from "*" to "* ]]
    same "1 1 1 1" "$(stat_of samples_without_time) $(stat_of samples_without_cpu) $(stat_of samples_without_pid) $(stat_of samples_without_period)"
    same "0 0" "$(stat_of samples_without_tid) $(stat_of samples_without_event)"
    same null "$(stat_of first)"
    sample 1.500000 a 1/1 0 cycles >> in
    try perf-script --check in
    [[ $output == *$'\nfields\n  not always pid, not always cpu, not always time, not always period\n'* ]]
    ten > in
    try perf-script --check in
    [[ $output != *fields* ]]
    printf 'java 1.500000: 1\n\t7f12 f (/bin/x)\n\n' > in
    try perf-script --check in
    [[ $output == *$'\nfields\n  no pid, no tid, no cpu, no event\n'* ]]
    same "1 1" "$(stat_of samples_without_tid) $(stat_of samples_without_event)"
}

@test "--check: names of JIT frames that a full buffer has cut, each counted once; a binary's are as long as they are" {
    name=$(printf '%0512d' 0 | tr 0 x)
    printf 'a 1/1 [000] 1.5: 1 c:\n\t7f12 %s (/tmp/perf-1.map)\n\t7f13 %s (/tmp/perf-1.map)\n\n' "$name" "$name" > in
    try perf-script --check in
    [[ $output == *"1 name seems cut, at 512 bytes or by V8 at 4,096; functions with the same name up to there are shown as one"* ]]
    sed 's/xxxx / /' in > short
    sed 's,/tmp/perf-1.map,/bin/x,' in > binary
    for each in short binary; do
        prints '*1  samples*' perf-script --check $each
        [[ $output != *"name seems cut"* ]]
    done
}

@test "--check: frames without names, by DSO, and the one whose symbols are missing" {
    printf 'a 1/1 [000] 1.5: 1 c:\n\t1 [unknown] (/lib/a.so)\n\t2 [unknown] (/lib/b.so)\n\t3 [unknown] (/lib/b.so)\n\t4 f (/lib/b.so)\n\n' > in
    prints '*             2   50.0 %  /lib/b.so*             1   25.0 %  /lib/a.so*' perf-script --check in
    [[ $output == *"frames without a name in /lib/b.so: install its debug symbols"* ]]
    same "4 3" "$(stat_of frames) $(stat_of nameless_frames)"
}

@test "--check: stacks of one user frame, as missing frame pointers leave them" {
    printf 'a 1/1 [000] 1.5: 1 c:\n\tffffffff81000000 k ([kernel.kallsyms])\n\t1 f (/lib/a.so)\n\t0 [unknown] ([unknown])\n\n' > in
    try perf-script --check in
    [[ $output == *"1 of 1 stacks do not reach a root, most often those of a that end in f: record with --call-graph dwarf, or with stackrecord, unless the recording limited the depth of stacks (--max-depth)"* ]]
    same "1 1" "$(stat_of single_frame_stacks) $(stat_of broken_stacks)"
    printf 'a 1/1 [000] 1.5: 1 c:\n\t1 f (/lib/a.so)\n\t2 main (/bin/a)\n\n' > in
    same 0 "$(stat_of single_frame_stacks)"
    # Programs that start have one frame in user code, and lack none.
    printf 'a 1/1 [000] 1.5: 1 c:\n\tffffffff81000000 asm_exc_page_fault ([kernel.kallsyms])\n\t1 _start (/bin/a)\n\n' > in
    try perf-script --check in
    [[ $output != *advice* ]]
}

@test "--check: where all stacks have one frame, callchains may not be recorded at all" {
    ten > in
    answers 0 '*' '' perf-script --check in
    [[ $output == *$'\nadvice\n  no stack has more than one frame: record with -g, and without a limit of the depth; if you did, record with --call-graph dwarf, or '* ]]
    # Nor are they printed here.
    ten | grep -v $'^\t' > in
    prints '*no callchains: record with -g, and print them: perf script -F +ip,+sym,+dso*' perf-script --check in
}

@test "--check asks who the process is that has JIT frames without a name" {
    local comm dso advice
    while IFS='|' read -r comm dso advice; do
        echo "$comm $dso"
        printf '%s 7/8 [000] 1.5: 1 c:\n\t1010 [unknown] (/tmp/perf-7.map)\n\t2020 run (%s)\n\t3030 main (/bin/x)\n\n' "$comm" "$dso" > in
        prints "*JIT frames without a name: $advice*" perf-script --check in
    done << 'END'
pool-1-thread-1|/usr/lib/jvm/java-17/lib/server/libjvm.so|before java ends run jcmd PID Compiler.perfmap (JDK 17 or later) or perf-map-agent; print the recording while its perf map is there
java|[unknown]|before java ends run jcmd PID Compiler.perfmap
Chrome_ChildIOT|/opt/google/chrome/chrome|start the browser with --js-flags=--perf-basic-prof --no-sandbox
.NET TP Worker|/usr/share/dotnet/shared/libcoreclr.so|start .NET with DOTNET_PerfMapEnabled=1
gunicorn|/usr/bin/python3.12|python (3.12 or later) names its functions with -X perf; print the recording while its perf map is there
V8 Worker|/usr/bin/node|stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof
1_scheduler|/usr/lib/erlang/erts-13.1.5/bin/beam.smp|start Erlang (OTP 24 or later) with +JPperf true
php-fpm: pool w|/usr/sbin/php-fpm8.2|php (8.0 or later) names what its JIT compiles with -d opcache.jit_debug=0x10; print
luajit|/usr/bin/luajit|luajit names its code only if it was built with -DLUAJIT_USE_PERFTOOLS
guile|/usr/bin/guile|let the program write a perf map, /tmp/perf-PID.map
END
    # A stack that does not reach its runtime, in a recording with one runtime.
    printf 'x 7/8 [000] 1.5: 1 c:\n\t1010 [unknown] (//anon)\n\nx 7/8 [000] 1.6: 1 c:\n\t9 f (/usr/lib/libjvm.so)\n\n' > in
    prints '*JIT frames without a name: before java ends run jcmd*' perf-script --check in
}

@test "--check asks for java's frame pointers where they are missing, and not where they are there" {
    local i
    gunzip -c "$DATA/java-omitted.perf.txt.gz" > in
    answers 0 '*' '' perf-script --check in
    [[ $output == *"37 of 38 stacks do not reach a root, most often those of java that end in /tmp/perf-"*".map: this is JIT-compiled code, for which java keeps frame pointers with -XX:+PreserveFramePointer"* ]]
    for i in {1..20}; do
        printf 'worker-0 7/8 [000] 1.5%02d: 1 c:\n\t7fb680ed1014 [unknown] (/tmp/perf-7.map)\n\n' "$i"
        printf 'java 7/7 [000] 1.6%02d: 1 c:\n\t829952 JavaCalls::call_virtual+0x1a2 (/usr/lib/jvm/libjvm.so)\n\t891f5 start_thread+0x305 (/lib/libc.so.6)\n\n' "$i"
    done > in
    answers 0 '*' '' perf-script --check in
    [[ $output == *"20 of 40 stacks do not reach a root, most often those of worker-0 that end in /tmp/perf-7.map: this is JIT-compiled code, for which java keeps frame pointers with -XX:+PreserveFramePointer"* ]]
    for i in {1..20}; do
        printf 'worker-0 7/8 [000] 1.5%02d: 1 c:\n\t7fb680ed1014 [unknown] (/tmp/perf-7.map)\n\t829952 JavaCalls::call_virtual+0x1a2 (/usr/lib/jvm/libjvm.so)\n\t891f5 start_thread+0x305 (/lib/libc.so.6)\n\n' "$i"
    done > in
    prints '*JIT frames without a name: before java ends run jcmd*' perf-script --check in
    [[ $output != *PreserveFramePointer* ]]
}

@test "--check: interpreted functions that share one frame" {
    {
        printf 'node 7/8 [000] 1.5: 1 c:\n\t1 Builtins_InterpreterEntryTrampoline+0x1 (/bin/node)\n\n'
        ten
    } > in
    try perf-script --check in
    [[ $output != *'(InterpreterEntryTrampoline)'* ]]
    printf 'node 7/8 [000] 1.5: 1 c:\n\t1 Builtin:InterpreterEntryTrampoline+0x1 (/tmp/perf-7.map)\n\n' >> in
    try perf-script --check in
    [[ $output == *"interpreted JavaScript functions have no names (InterpreterEntryTrampoline): stackrecord and flamepipe read them from the memory of a node that writes no perf map"* ]]
    same 2 "$(stat_of interpreted_samples)"
    # With the option interpreted functions have names; those of the snapshot from which each worker thread starts have
    # none even so.
    gunzip -c "$DATA/node-workers.perf.txt.gz" > in
    answers 0 '*' '' perf-script --check in
    [[ $output != *'(InterpreterEntryTrampoline)'* ]]
    [ "$(stat_of interpreted_samples)" -gt 10 ]
    local form
    for form in 'JS:~f /x.js:1:2' 'InterpretedFunction:f /x.js:1' 'LazyCompile:~f /x.js:1'; do
        printf 'node 7/8 [000] 1.5: 1 c:\n\t1 Builtins_InterpreterEntryTrampoline+0x1 (/bin/node)\n\t2 %s (/tmp/perf-7.map)\n\n' "$form" > in
        answers 0 '*' '' perf-script --check in
        [[ $output != *'(InterpreterEntryTrampoline)'* ]]
    done
}

@test "--check: functions that an interpreter hides, with the advice that is true for the language, unless a map names them" {
    local loop dso language advice
    while IFS='|' read -r loop dso language advice; do
        printf 'x 7/8 [000] 1.5: 1 c:\n\t2 malloc+0x1 (/lib/libc.so.6)\n\t1010 %s+0x1 (%s)\n\t3030 main+0x1 (%s)\n\n' "$loop" "$dso" "$dso" > in
        answers 0 '*' '' perf-script --check in
        [[ $output == *"  1 of 1 samples are in the interpreter of $language, which hides the functions that it runs: $advice"* ]]
        answers 0 '*' '' stackfilter --node in
        printf 'x 7/8 [000] 1.5: 1 c:\n\t2 f (/tmp/perf-7.map)\n\t1010 %s+0x1 (%s)\n\n' "$loop" "$dso" > in
        try perf-script --check in
        [[ $output != *"is in the interpreter"* ]]
    done << 'END'
_PyEval_EvalFrameDefault|/usr/bin/python3.11|Python|python (3.12 or later) names its functions with -X perf; of an older one draw what py-spy records (py-spy record -f raw)
_PyEval_EvalFrameDefault|/usr/bin/uwsgi|Python|python (3.12
PyEval_EvalFrameEx|/usr/lib/libpython2.7.so.1.0|Python|python (3.12
rb_vm_exec|/usr/lib/libruby-3.1.so.3.1.2|Ruby|ruby (3.3 or later) names what YJIT compiles with --yjit-perf; for all functions draw what rbspy records (rbspy record --format speedscope)
execute_ex|/usr/sbin/php-fpm8.2|PHP|php (8.0 or later) names what its JIT compiles with -d opcache.jit_debug=0x10; for all functions draw a trace of xdebug (xdebug.mode=trace, xdebug.trace_format=1)
Perl_runops_standard|/usr/bin/perl|Perl|perl has no names for recorders; draw what Devel::NYTProf records (perl -d:NYTProf; nytprofcalls nytprof.out)
END
    # One that takes less than a tenth of the samples is no reason for advice.
    { cat in; ten; } > many
    sed -i 's/perf-7.map/libc/' many
    try perf-script --check many
    [[ $output != *interpreter* ]]
}

@test "--check: stacks lost in code of V8, PHP or LuaJIT are not explained with java's option, beside python they may be" {
    local dso
    while read -r dso java; do
        printf 'x 7/8 [000] 1.5: 1 c:\n\t1010 f (/tmp/perf-7.map)\n\t0 [lost]\n\nx 7/8 [000] 1.6: 1 c:\n\t10 g (%s)\n\n' "$dso" > in
        try perf-script --check in
        [[ $output == *"1 of 2 stacks are lost, most often in /tmp/perf-7.map: this is JIT-compiled code, $java"* ]]
    done << 'END'
/usr/bin/luajit which has no frame pointer there
/usr/bin/php8.2 which has no frame pointer there
/opt/google/chrome/chrome which has no frame pointer there
/usr/bin/python3.11 which needs frame pointers (java -XX:+PreserveFramePointer)
END
}

@test "--check: kernel frames without a name" {
    printf 'a 7/8 [000] 1.5: 1 c:\n\tffffffff9aa3c8de [unknown] ([unknown])\n\tffffffff9aa3c8df [unknown] ([kernel.kallsyms])\n\t1 main (/bin/x)\n\n' > in
    try perf-script --check in
    [[ $output == *"kernel frames without a name: print them where they were recorded, as root or with kernel.kptr_restrict=0 and kernel.perf_event_paranoid=1 (sysctl), or give the names of that kernel (--kallsyms, --vmlinux)"* ]]
    same 2 "$(stat_of nameless_kernel_frames)"
    ten > in
    [[ $(perf-script --check in) != *kptr_restrict* ]]
    # What an unwinder took for an address of a caller; and a module without names among kernel functions with names.
    printf 'a 7/8 [000] 1.5: 1 c:\n\t1 f (/bin/x)\n\tffffa831c66d2db4 [unknown] ([unknown])\n\n' > in
    same 0 "$(stat_of nameless_kernel_frames)"
    printf 'a 7/8 [000] 1.5: 1 c:\n\tffffffffc0000010 [unknown] ([zfs])\n\tffffffff81000010 vfs_read ([kernel.kallsyms])\n\t1 main (/bin/x)\n\n' >> in
    answers 0 '*' '' perf-script --check in
    [[ $output != *kptr_restrict* ]]
    same 1 "$(stat_of nameless_kernel_frames)"
}

@test "--check: stacks that do not reach a root, the program that has most of them, and why" {
    gunzip -c "$DATA/node-http.perf.txt.gz" > in
    try perf-script --check in
    [[ $output == *"1,188 of 3,887 stacks do not reach a root, most often those of node that end in sha512_block_data_order_avx2: this is assembly code of OpenSSL, which keeps no frame pointers: record with --call-graph dwarf, or with stackrecord"* ]]
    [[ $output != *-fno-omit-frame-pointer* ]]
    same 1188 "$(stat_of broken_stacks)"
    for file in java cpp deep; do
        gunzip -c "$DATA/$file.perf.txt.gz" > in
        [[ $(perf-script --check in) != *"stacks do not reach a root"* ]]
    done
    # Of a pipeline without frame pointers, whether one stack of sort reaches a root or none.
    gunzip -c "$DATA/shell-pipe.perf.txt.gz" > in
    try perf-script --check in
    [[ $output == *"136 of 146 stacks do not reach a root, most often those of sort that end in /usr/bin/sort: record with --call-graph dwarf, or with stackrecord"* ]]
    printf 'sort 1/1 [000] 1.5: 1 c:\n\t1 f (/usr/bin/sort)\n\t2 _start (/usr/bin/sort)\n\n' >> in
    prints '*136 of 147 stacks do not reach a root, most often those of sort*' perf-script --check in
    # A filter drops roots.
    gunzip -c "$DATA/node-http.perf.txt.gz" | stackfilter --only app > in
    [[ $(perf-script --check in) != *"stacks do not reach a root"* ]]
}

@test "--check: samples without any frame" {
    printf 'a 1/1 [000] 1.5: 1 c:\n\na 1/1 [000] 1.6: 1 c:\n\t1 f (/x)\n\n' > in
    same 1 "$(stat_of empty_stacks)"
}

@test "--check: skipped lines, with their numbers" {
    { echo one && ten && echo two; } > in
    prints '*             2  lines skipped*in:1*in:32*' perf-script --check -q in
    same 2 "$(stat_of skipped)"
}

@test "--check shows no control bytes" {
    printf 'a\033[31m 1/1 [000] 1.5: 1 c\033:\n\t1 f (/x\033)\n\n' > in
    answers 0 '*' '' perf-script --check in
    [[ $output != *$'\033'* ]]
}

@test "--check of nothing says so" {
    answers 0 "             0  samples" "perf-script: no samples in the input" perf-script --check /dev/null
}

@test "no report is printed of a file that cannot be read" {
    for option in --check --stats=json; do
        answers 1 '' "perf-script: missing.data: No such file or directory" perf-script $option missing.data
    done
}

# Passes where python or jq takes the file for JSON.
is_json() {
    if command -v jq > /dev/null; then
        jq -e . "$1" > /dev/null
    else
        python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$1"
    fi
}

@test "--stats=json is well-formed whatever the bytes" {
    command -v jq python3 > /dev/null || skip "neither jq nor python3"
    recordings
    local file
    printf 'a"\\\0\001\177\377\355\240\200 1/1 [000] 1.5: 1 c"\303:\n\t1 f (/x"\\\t\376)\n\nwhat\n' > 'hos"tile\.perf.txt'
    printf '' > empty.perf.txt
    for file in *.perf.txt; do
        echo "$file"
        answers 0 '*' '' bash -c 'perf-script -q --stats=json "$1" > json' bash "$file"
        is_json json
        [ "$(wc -l < json)" -eq 1 ]
    done
}

@test "--stats=json has every key that the manual page names" {
    ten > in
    perf-script --stats=json in > json
    local key count=0
    while read -r key; do
        count=$((count + 1))
        echo "$key"
        grep -q "[{,]\"$key\":" json
    done < <(sed -n 's/^\.It Li \([a-z_]*\)$/\1/p' "$ROOT/man/perf-script-json.5")
    same "$(grep -o '"[a-z_]*":' json | sort -u | grep -vc '"name"\|"period"\|"nameless"\|"file"\|"line"')" "$count"
}

@test "--stats=text is --check, and another format is wrong usage" {
    ten > in
    same "$(perf-script --check in)" "$(perf-script --stats text in)"
    answers 2 '' "*'xml' is not one of text|json*" perf-script --stats=xml in
}

# ---- fields and names

@test "-F prints a list of fields, or the usual ones with some more or fewer" {
    sample 100.500000 app 40/50 1 cycles:u > in
    prints "             app    40   100.500000: " perf-script -F comm,pid,time in
    prints $'   50 cycles:u: \n\t            7f12 f' perf-script -F tid,event,ip,sym in
    try perf-script --fields=-period,-symoff,-cpu in
    same $'app    40/50      100.500000: cycles:u: \n\t            7f12 f (/bin/x)' "$output"
    prints "             app    40/50    [001]   100.500000:          1 cycles:u: " perf-script -F -ip in
}

@test "fields that do not exist, that are mixed with changes, or that need another are wrong usage" {
    local list
    for list in nosuch +nosuch comm,+tid symoff,ip sym ''; do
        answers 2 '' "perf-script: option --fields: '$list': *" perf-script -F "$list" < /dev/null
    done
}

@test "-G prints the leaf after the event, as perf prints events without callchains" {
    sample 100.500000 app 40/50 1 cycles:u > in
    prints "             app    40/50    [001]   100.500000:          1 cycles:u:              7f12 f+0x1 (/bin/x)" \
        perf-script -G in
}

@test "--demangle makes the names of C++ and Rust in text readable, with parameters or without" {
    sample 100.500000 app 40/50 1 cycles:u | sed 's/ f+/ _ZN1A1fEi+/' > in
    prints '* A::f+0x1 (/bin/x)*' perf-script --demangle=short in
    prints '* A::f(int)+0x1 (/bin/x)*' perf-script --demangle=full in
    prints '* _ZN1A1fEi+0x1 (/bin/x)*' perf-script in
}

# ---- perf.data

@test "records of perf.data are printed as perf prints them: thread, time and what they say" {
    answers 0 '*' '' perf-script -q --show-task-events "$DATA/two-events.data"
    same "perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:14973/14973
seq 14973 16495.928470: PERF_RECORD_COMM exec: seq:14973/14973
seq 14973 16495.944003: PERF_RECORD_EXIT(14973:14973):(14971:14971)" "$(grep RECORD <<< "$output")"
    answers 0 '*' '' perf-script -q -F comm,tid --show-mmap-events "$DATA/two-events.data"
    same "         swapper     0 PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1206448) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
             seq 14973 PERF_RECORD_MMAP2 14973/14973: [0x5606dce68000(0x9000) @ 0x2000 fe:00 248035 0]: r-xp /usr/bin/seq" \
        "$(grep -m 2 RECORD <<< "$output")"
}

@test "--time 0%,100% selects every sample of perf.data, whether times are printed in nanoseconds or not" {
    local all
    all=$(perf-script -q "$DATA/two-events.data" | grep -c ': $')
    same "$all" "$(perf-script -q --time 0%,100% "$DATA/two-events.data" | grep -c ': $')"
    same "$all" "$(perf-script -q --ns --time 0%,100% "$DATA/two-events.data" | grep -c ': $')"
}

@test "tracepoints that a pipe does not name get their names from its tracing data" {
    # Types of records: EVENT_UPDATE, which names an event, becomes TIME_CONV; the feature EVENT_DESC another one.
    python3 -c '
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at, updates = 16, 0
while at < len(data):
    kind, misc, size = struct.unpack_from("<IHH", data, at)
    if kind == 78:
        data[at] = 79
        updates += 1
    elif kind == 80 and data[at + 8] == 12:
        data[at + 8] = 63
    elif kind == 66:
        at += (struct.unpack_from("<I", data, at + 8)[0] + 7) & ~7
    at += size
assert updates
open("unnamed", "wb").write(data)' "$DATA/tracepoints.pipe.data"
    prints "$(perf-script -q "$DATA/tracepoints.pipe.data")" perf-script unnamed
    [[ $output == *' syscalls:sys_enter_close: '* ]]
}

# tracepoints.pipe.data with a LOST_SAMPLES record of 7 samples at its end, of that time in nanoseconds and that event.
with_lost_samples() { # TIME ID, both with escapes
    cat "$DATA/tracepoints.pipe.data"
    printf '\15\0\0\0\0\0\60\0\7\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0%b\0\0\0\0\0\0%b\0\0\0\0\0\0\0\0\0\0\0\0\0\0' "$@"
}

@test "samples that the kernel lost are counted once: the sums that perf record adds are neither shown nor counted" {
    with_lost_samples '\1\0' '\0\0' > lost.data
    answers 0 '*' '*7 samples were lost while recording, beside 15 that were not*' \
        perf-script --show-lost-events lost.data
    same "swapper     0 [000]     0.000000: PERF_RECORD_LOST_SAMPLES lost 7" "$(grep -o 'swapper .* lost .*' <<< "$output")"
    for id in '\264\52' '\0\0'; do # of several events, and of a single one
        with_lost_samples '\0\0' "$id" > sum.data
        prints "$(perf-script -q "$DATA/tracepoints.pipe.data")" perf-script --show-lost-events sum.data
        [[ $stderr != *lost* ]]
    done
}

@test "an impossible address in a stack of perf.data is left out; --as-perf leaves out the stack" {
    sed 's/\x78\x4b\xed\x45\x06\x7f\x00\x00/\xff\xff\xff\xff\xff\xff\xff\xff/g' "$DATA/two-events.data" > perf.data
    perf-script -q "$DATA/two-events.data" > whole
    [ "$(awk '$1 == "1ab78"' whole | wc -l)" -gt 1 ]
    perf-script -q perf.data > without
    same "$(awk '$1 != "1ab78"' whole)" "$(cat without)"
    perf-script -q --as-perf perf.data > as-perf
    same "$(awk -v RS= '/ 1ab78 /' whole | grep -c :)" "$(awk -v RS= 'NF == 5' as-perf | grep -c :)"
}

@test "a file that changed since the recording is reported, by the build-id that perf record noted" {
    mkdir -p fs/usr/bin
    cp "$BIN/perf-script" fs/usr/bin/seq
    HOME=$PWD try perf-script --symfs fs "$DATA/two-events.data"
    [ "$status" -eq 0 ]
    [[ $stderr == *"/usr/bin/seq: is not the recorded file (another build-id); its functions have no names; no file with its symbols and build-id 102c01a482486cf7464ac936350a657487b58268 in $PWD/.debug"* ]]
}

@test "-F with a name that is not a field lists those that are" {
    answers 2 '' "*'nosuch' is not a field: comm, pid, *, srcline*" perf-script -F comm,nosuch < /dev/null
}

@test "a program as input is called a program" {
    answers 1 '' '*' perf-script /bin/ls
    [ "$(tail -n 1 <<< "$stderr")" = "perf-script: no samples in the input: this looks like a program or library (ELF)" ]
}

# The DSOs of frames that are read, as one line.
dsos() {
    sed -n 's/.*(\(.*\))$/\1/p' | paste -sd ' '
}

@test "a module of the kernel is printed by its name; --as-perf prints its file where perf does" {
    cd "$BATS_TEST_TMPDIR"
    local folder=/lib/modules/6.1.0/kernel
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/modules.py" "+$folder/ath9k.ko" '+[ext4]' \
        "+$folder/xfs.ko.xz" "$folder/nf-nat.ko.gz" '[kvm_intel]' "+$folder/btrfs.ko.zst" "$folder/zfs.ko.zst" > modules
    same '[ath9k] [ext4] [xfs] [nf_nat] [kvm_intel] [btrfs] [zfs]' "$(perf-script -q modules | dsos)"
    local wanted="$folder/ath9k.ko [ext4] $folder/xfs.ko.xz [nf_nat] [kvm_intel] $folder/btrfs.ko.zst zfs.ko.zst"
    same "$wanted" "$(perf-script -q --as-perf modules | dsos)"
    ! command -v perf > /dev/null || same "$wanted" "$(perf script -i modules | dsos)"
}

@test "perf's own options are taken as they are typed" {
    ten > in
    local option
    for option in --comms --comm -c --com; do
        same 258 "$(times $option app2)"
    done
    same 13579 "$(times -C 1)"
    printf 'app 7/7 [000] 1.000000:          1 c: \n\t%s\n\t%s\n\t%s\n\n' '7f12 _ZN1a1bEv+0x1 (/bin/x)' '7f13 main (/bin/x)' '7f14 _start (/bin/x)' > in
    for option in -f --force '-f -i' --no-inline '--no-demangle' '--demangle=full --no-demangle'; do
        # shellcheck disable=SC2086 # words of options
        prints "$(perf-script in)" perf-script $option in
    done
    answers 0 '*' '' perf-script --max-stack 2 in
    [[ $output = *main* && $output != *_start* ]]
    prints '*"frames":1,*' perf-script --max-stack=1 --stats=json in
    prints "$(perf-script in)" perf-script --max-stack=3 in
    answers 2 '*' "perf-script: option --max-stack: '0' is below 1*" perf-script --max-stack=0 in
}

@test "-f alone is perf's --force and no list of fields, which -F is" {
    ten > in
    prints "$(perf-script -F comm,tid in)" perf-script -f -F comm,tid in
    prints "$(perf-script in)" perf-script -f in
}

@test "an option of perf that is not here says what does its work" {
    local option words
    ten > in
    while IFS='|' read -r option words; do
        # shellcheck disable=SC2086 # an option and its value
        answers 2 '' "perf-script: option $words*" perf-script $option in
    done << 'END'
-S f|--symbols: functions are not selected here; the samples that have one: perf-script ... | stackfilter --focus='RE'
--symbols=f,g|--symbols: functions are not selected here; the samples that have one: perf-script ... | stackfilter --focus='RE'
--dsos x|--dsos: functions are not selected here; the samples that have one: perf-script ... | stackfilter --focus='dso:RE'
--header|--header: perf's header is not printed; --check says what is in the recording
END
}

# ---- folded stacks

# Calls what it is given with each file of tests/data that perf-script reads, as "in", without compression.
each_recording() { # FUNCTION
    local file
    for file in "$DATA"/*.perf.txt.gz "$DATA"/*.data "$DATA"/*.data.gz; do
        case $file in *.gz) gunzip -c "$file" ;; *) cat "$file" ;; esac > in
        echo "$file"
        "$1"
    done
}

folded_equals_pipe() {
    local option
    for option in '' --inline --max-stack=3 --demangle=none; do
        # shellcheck disable=SC2086 # an option, or none
        perf-script -q $option in > text
        # shellcheck disable=SC2086
        cmp <(stackcollapse -q text) <(perf-script -q $option --folded in)
    done
    perf-script -q --inline in > text
    cmp <(stackcollapse -q --kernel text) <(perf-script -q --inline --folded --mark-kernel in)
    cmp <(stackfilter -q --node text | stackcollapse -q --kernel) \
        <(perf-script -q --inline --folded --mark-kernel --node in)
    cmp <(stackfilter -q --node --v8-work=hide text | stackcollapse -q) \
        <(perf-script -q --inline --folded --node --v8-work=hide in)
}

@test "--folded writes what stackcollapse makes of the text, and with --node what stackfilter makes of it before" {
    each_recording folded_equals_pipe
}

report_equals_check() {
    perf-script -q --check in > wanted
    perf-script -q --report=text.report in | cmp - <(perf-script -q in)
    cmp wanted text.report
    perf-script -q --report=folded.report --folded in | cmp - <(perf-script -q --folded in)
    cmp wanted folded.report
    perf-script -q --report=node.report --folded --node in > stacks
    sed '/^without names$/,$d' node.report | sed '${/^$/d}' | cmp - <(sed '${/^$/d}' wanted)
}

@test "--report writes what --check prints, beside the samples or the folded stacks" {
    each_recording report_equals_check
}

@test "of text without names --report with --node ends with how many samples that are" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > in
    answers 0 '*' '' perf-script --folded --node --report=report in
    same 'without names
  220 of 387 samples are in JavaScript without names
  13 of 387 samples are in WebAssembly without names' "$(tail -n 3 report)"
}

@test "--folded says what was skipped and lost as the text's reader does" {
    { ten && echo 'no sample' && ten | sed 's/app/other/'; } > in
    try perf-script --folded in
    local folded=$stderr
    try perf-script in
    same "$stderr" "$(grep -v 'other events\|a root' <<< "$folded")"
    [[ $folded = *'1 line skipped'* ]]
    { ten && echo 'app1 41/51 [001] 111.500000: PERF_RECORD_LOST lost 12'; } > in
    perf-script --check in | grep 'lost' > wanted
    grep -q '12  events lost' wanted
    perf-script -q --folded --report=report in > stacks
    same "$(cat wanted)" "$(grep lost report)"
}

@test "--folded with an option that says how text looks, or its options without it, are wrong usage" {
    ten > in
    local options
    for options in '--folded --check' '--folded --stats=json' '--check --report=x' '--folded -F comm' '--folded --ns' \
        '--folded -G' '--folded --as-perf' '--folded --show-lost-events' --mark-kernel --node \
        '--folded --v8-work=hide' '--folded --source-maps'; do
        # shellcheck disable=SC2086 # words of options
        answers 2 '' 'perf-script: --*' perf-script $options in
        [ ! -e x ]
    done
    answers 1 '*' 'perf-script: missing/report: No such file or directory' \
        perf-script --folded --report=missing/report in
}

@test "what a recording names does not leave the folder of --symfs, and links in that lead to files inside" {
    mkdir -p box/usr/bin box/store
    echo text > secret
    ln -s "$PWD/secret" box/usr/bin/seq
    HOME=$PWD answers 0 '*' '*/usr/bin/seq: No such file or directory*' perf-script --symfs box "$DATA/two-events.data"
    ln -sfn ../../../secret box/usr/bin/seq
    HOME=$PWD answers 0 '*' '*/usr/bin/seq: No such file or directory*' perf-script --symfs box "$DATA/two-events.data"
    ln -sfn /store/seq box/usr/bin/seq
    echo text > box/store/seq
    HOME=$PWD answers 0 '*' '*/usr/bin/seq: is not an ELF file*' perf-script --symfs box "$DATA/two-events.data"
}

@test "a few frames of JavaScript without a name are in a good recording, too: --check gives no advice on them" {
    jit() { # NAMED NAMELESS
        awk -v named="$1" -v nameless="$2" 'BEGIN {
            print "node 42 [000] 1.0: 1 cpu-clock: "
            for (i = 0; i < nameless; i++) printf "\t%x [unknown] (/tmp/perf-42.map)\n", 4096 + i
            for (i = 0; i < named; i++) printf "\t%x JS:*f /srv/a.js:1:1 (/tmp/perf-42.map)\n", 8192 + i
            print ""
        }'
    }
    jit 41 2 > good
    jit 39 2 > bad
    try perf-script --check good
    [ "$status" -eq 0 ]
    run ! grep 'JIT frames without a name, while' <<< "$output"
    try perf-script --check bad
    grep -q '^  JIT frames without a name, while others have one' <<< "$output"
}
