load lib

# The callers of every stack of node here.
node_root() {
    printf '\t1 %s+0x1 (/usr/bin/node)\n' uv_run node::Start _start
    echo
}

# A sample of the event wall: its header, and frames "SYMBOL+0x1 (DSO)", leaf first.
wall() { # HEADER FRAME...
    printf '%s\n' "$1"
    printf '\t5 %s\n' "${@:2}"
    node_root
}

JIT='(/tmp/perf-42.map)'
REQUEST=("JS:~onRequest /srv/app.js:12:3+0x1 $JIT" "JS:^emit node:events:519:3+0x1 $JIT")

# What stackrecord --wall --turns --header prints of two stalls: of the main thread of 42, and of another thread.
two_stalls() {
    echo '# hostname : web1'
    echo '# monotonic clock : 1000.000000 at 2026-11-28T14:02:09.938000Z'
    wall 'node 42/42 [000] 1001.000000: 900000 wall: waiting' '[wait: event loop] ([unknown])'
    wall 'node 42/42 [000] 1001.724011: 300000 wall: running' "JS:*parse /srv/app.js:30:15+0x3 $JIT" "${REQUEST[@]}"
    wall 'node 42/42 [000] 1001.724011: 98000 wall: running' \
        'v8::internal::Heap::CollectGarbage(v8::internal::AllocationSpace)+0x1 (/usr/bin/node)' \
        "JS:~parse /srv/app.js:30:15+0x9 $JIT" "${REQUEST[@]}"
    wall 'node 42/42 [000] 1001.724011: 14011 wall: ready' '[wait: run queue] ([unknown])' \
        'schedule+0x23 ([kernel.kallsyms])' "JS:~parse /srv/app.js:30:15+0x9 $JIT" "${REQUEST[@]}"
    printf '%s\n\n' 'node 42/42 [000] 1001.724011: 412011 turn:'
    wall 'node 42/44 [001] 1002.500000: 150000 wall: waiting' '[wait: process] ([unknown])' \
        'do_wait+0x23 ([kernel.kallsyms])' 'node::SyncProcessRunner::Run+0x1 (/usr/bin/node)' \
        "JS:*spawnSync node:internal/child_process:800:1+0x1 $JIT" \
        "JS:*execSync node:child_process:925:1+0x1 $JIT" "JS:*build /srv/worker.js:3:1+0x1 $JIT"
    printf '%s\n' 'node 42/44 [001] 1002.500000: 150000 turn:'
}

# One stall of 100 ms whose samples are on standard input: lines "MICROSECONDS STATE FRAME,FRAME,...", leaf first.
one_stall() { # [TEXT of the turn]
    local us state frames frame
    while read -r us state frames; do
        printf 'node 42/42 [000] 5.000000: %s wall: %s\n' "$us" "$state"
        IFS=, read -ra frames <<< "$frames"
        for frame in "${frames[@]}"; do
            case $frame in
            *:*:*) printf '\t5 %s+0x1 %s\n' "${frame//_/ }" "$JIT" ;;
            *) printf '\t5 %s+0x1 (/usr/bin/node)\n' "$frame" ;;
            esac
        done
        node_root
    done
    printf 'node 42/42 [000] 5.000000: 100000 turn:%s\n' "${1:+ $1}"
}

# The lines of the only stall's path, without their indentation.
path_of() {
    try stackreport --stalls
    same '' "$stderr"
    [ "$status" -eq 0 ]
    sed -n '4,$s/^    //p' <<< "$output"
}

@test "--stalls lists the turns that took long, the longest first, with their states and the path that explains them" {
    two_stalls > in
    answers 0 '2 stalls of 50 ms and longer: 562 ms in all; the recording began 2026-11-28 14:02:09 +0000

when            start      ms    CPU waiting ready    GC  thread
14:02:11.250    1.312     412    398       0    14    98  node 42
    onRequest /srv/app.js:12 > parse /srv/app.js:30
14:02:12.288    2.350     150      0     150     0     0  node 42/44
    build /srv/worker.js:3 > execSync node:child_process:925 ... [wait: process]' '' \
        env TZ=UTC stackreport --stalls in
}

@test "--stalls takes the samples also after stackfilter --node, and its time zone from TZ" {
    two_stalls | stackfilter --node > in
    try env TZ=XYZ-05:30 stackreport --stalls in
    [ "$status" -eq 0 ]
    like '*19:32:11.250    1.312     412    398       0    14*onRequest /srv/app.js:12 > parse /srv/app.js:30*' "$output"
    like '*began 2026-11-28 19:32:09 +0530*' "$output"
}

@test "--stalls counts days as the calendar does" {
    local day
    for day in 1970-01-01 2000-02-29 2024-02-29 2024-03-01 2100-03-01 2399-12-31; do
        echo "# monotonic clock : 5.0 at ${day}T23:59:59.5Z"
        one_stall <<< '100000 running f'
    done > in
    for day in 1970-01-01 2000-02-29 2024-02-29 2024-03-01; do
        grep -A 10 "$day" in | TZ=UTC stackreport --stalls > out
        grep -q "began $day 23:59:59 +0000" out
    done
}

@test "without the comment that says what time it was, --stalls gives seconds since the first sample" {
    two_stalls | grep -v '^#' > in
    answers 0 '2 stalls of 50 ms and longer: 562 ms in all

   start      ms    CPU waiting ready    GC  thread
   1.212     412    398       0    14    98  node 42
*' '' stackreport --stalls in
}

@test "--stalls=MS lists turns of at least that long" {
    two_stalls > in
    try stackreport --stalls=150.001 in
    [ "$status" -eq 0 ]
    like '1 stall of 150.001 ms and longer: 412 ms in all*' "$output"
    try stackreport --stalls=150 in
    like '2 stalls of 150 ms and longer*' "$output"
    answers 0 'no stall of 500 ms or longer; *' '' env TZ=UTC stackreport --stalls=500 in
    answers 2 '' "stackreport: option --stalls: '0' is not between 0.001 and 86400000 milliseconds*" \
        stackreport --stalls=0 in
}

@test "of more stalls than --top, 50 unless given, the longest are listed, and the sum of the others is said" {
    local i
    for i in $(seq 300); do
        printf 'node 42/42 [000] %d.000000: %d turn:\n\n' "$((i * 1000))" "$(((i * 7919 % 300 + 100) * 1000))"
    done > in
    try stackreport --stalls --top=2 in
    [ "$status" -eq 0 ]
    same '300 stalls of 50 ms and longer: 74,850 ms in all' "${lines[0]}"
    like '* 399 *node 42' "${lines[2]}"
    like '* 398 *node 42' "${lines[4]}"
    same 'and 298 that took no longer: 74,053 ms (--top=N lists more)' "${lines[6]}"
    try stackreport --stalls in
    same 50 "$(grep -c '(no stack)' <<< "$output")"
    like '*and 250 that took no longer: *' "$output"
}

@test "stalls of the same length are listed in the order of their times" {
    printf '%s 100000 turn:\n\n' 'b 2/2 8.0:' 'c 3/3 9.0:' 'a 1/1 7.0:' > in
    try stackreport --stalls in
    same $'a 1\nb 2\nc 3' "$(grep -oE '[abc] [123]$' <<< "$output")"
}

@test "the path leads through code that V8 compiled twice, and ends where no function has half of the time" {
    same 'handle /a.js:1 > work /a.js:2 ... v8::internal::JsonParser::Parse' "$(one_stall <<'END' | path_of
30000 running v8::internal::JsonParser::Parse,Builtins_JsonParse,JS:~work_/a.js:2:1,JS:~handle_/a.js:1:1
30000 running v8::internal::JsonParser::Parse,Builtins_JsonParse,JS:*work_/a.js:2:1,JS:*handle_/a.js:1:1
20000 running JS:*other_/a.js:3:1,JS:*handle_/a.js:1:1
20000 running JS:*another_/a.js:3:1,JS:*handle_/a.js:1:1
END
)"
}

@test "exactly half of the time is enough for the path, and a function that calls itself is on it once" {
    same 'a /a.js:1 > b /a.js:2' "$(one_stall <<'END' | path_of
50000 running JS:*b_/a.js:2:1,JS:*b_/a.js:2:9,JS:*a_/a.js:1:1
30000 running JS:*c_/a.js:2:1,JS:*a_/a.js:1:1
20000 running JS:*d_/a.js:2:1,JS:*a_/a.js:1:1
END
)"
}

@test "the path names the regular expression and the function of node's library that the application called" {
    same 'a /a.js:1 ... RegExp:^(a+)+$' \
        "$(one_stall <<< '100000 running RegExp:^(a+)+$,Builtins_RegExpPrototypeTest,JS:*a_/a.js:1:1' | path_of)"
    same 'a /a.js:1 > pbkdf2Sync node:internal/crypto/pbkdf2:62 ... sha512_block' "$(one_stall <<'END' | path_of
100000 running sha512_block,PKCS5_PBKDF2_HMAC,JS:*pbkdf2Sync_node:internal/crypto/pbkdf2:62:1,JS:*a_/a.js:1:1
END
)"
}

@test "without functions of the application the path is that of node's library, and in other programs of all functions" {
    same 'require node:internal/modules:9 ... v8::internal::Compiler::Compile' "$(one_stall <<'END' | path_of
100000 running v8::internal::Compiler::Compile,Builtins_Call,JS:*require_node:internal/modules:9:1
END
)"
    same 'v8::internal::Heap::CollectGarbage ... v8::platform::DefaultJobState::Join' "$(one_stall <<'END' | path_of
60000 running v8::platform::DefaultJobState::Join,v8::internal::Heap::Scavenge,v8::internal::Heap::CollectGarbage,node::Run
40000 running v8::internal::Heap::CollectGarbage,node::Run
END
)"
    same 'uv_run > f1 ... f5 > f6 > f7 > f8 > f9 > f10' \
        "$(one_stall <<< '100000 running f10,f9,f8,f7,f6,f5,f4,f3,f2,f1' | path_of)"
    printf '%s\n' 'redis 7/7 5.0: 100000 wall: running' $'\t1 sortCommand+0x1 (/usr/bin/redis)' \
        $'\t2 call+0x1 (/usr/bin/redis)' $'\t3 aeMain+0x1 (/usr/bin/redis)' $'\t4 main+0x1 (/usr/bin/redis)' '' \
        'redis 7/7 5.0: 100000 turn:' > in
    same 'aeMain > call > sortCommand' "$(path_of < in)"
}

@test "a stall that goes on at the end says so, and one of a process that was stopped that it is not slow" {
    same '(going on when the recording ended)
a /a.js:1' "$(one_stall 'going on' <<< '100000 running JS:*a_/a.js:1:1' | path_of)"
    one_stall 'going on, stopped 90000 us' <<'END' > in
5000 running JS:*a_/a.js:1:1
95000 waiting [wait],JS:*a_/a.js:1:1
END
    try stackreport --stalls in
    like '*    100      5       5     0     0      90  node 42
    (going on when the recording ended)
    (stopped, not slow: by a signal, a debugger or a frozen cgroup)
    a /a.js:1 > [wait]' "$output"
}

@test "where waits have no stack the path is that of the time on a CPU, and a line says so" {
    {
        printf '%s\n' 'node 42/42 5.0: 90000 wall: waiting' $'\t0 [wait] ([unknown])' ''
        wall 'node 42/42 5.0: 10000 wall: running' "JS:*a /a.js:1:1+0x1 $JIT"
        echo 'node 42/42 5.0: 100000 turn:'
    } > in
    same '(waits have no stack: the path is that of the time on a CPU)
a /a.js:1' "$(path_of < in)"
}

@test "samples of other threads, and of other times, are not those of a turn" {
    {
        wall 'node 42/42 4.9: 60000 wall: running' "JS:*old /a.js:1:1+0x1 $JIT"
        wall 'node 42/42 5.0: 30000 wall: running' "JS:*a /a.js:1:1+0x1 $JIT"
        wall 'node 42/43 5.0: 80000 wall: running' "JS:*worker /a.js:1:1+0x1 $JIT"
        wall 'node 43/43 5.0: 70000 wall: ready' "JS:*child /a.js:1:1+0x1 $JIT"
        printf '%s\n' 'node 42/42 5.0: 100000 turn:' 'node 42/43 5.0: 90000 turn:' 'node 43/43 5.0: 80000 turn:'
    } > in
    try stackreport --stalls in
    like '*100     30       0     0     0  node 42
    a /a.js:1
*90     80       0     0     0  node 42/43
    worker /a.js:1
*80      0       0    70     0  node 43
    child /a.js:1' "$output"
}

@test "at --width 80 the lines have 80 columns, and the path keeps the function that called and the deepest frame" {
    local long=/a/long/path/of/the/application
    one_stall <<< '100000 running v8::Deep,Builtins_Call,JS:*callee_/a/long/path/of/the/application/c.js:3:1,'\
'JS:*second_/a/long/path/of/the/application/b.js:2:1,JS:*first_/a/long/path/of/the/application/a.js:1:1' > in
    try stackreport --stalls --width=80 in
    same '    ... callee /a/long/path/of/the/application/c.js:3 ... v8::Deep' "${lines[3]}"
    try stackreport --stalls --width=40 in
    same '    ... callee /.../c.js:3 ... v8::Deep' "${lines[3]}"
    try stackreport --stalls in
    same "    first $long/a.js:1 > second $long/b.js:2 > callee $long/c.js:3 ... v8::Deep" "${lines[3]}"
    LC_ALL=C.UTF-8 try stackreport --stalls --width=80 in
    same '    … callee /a/long/path/of/the/application/c.js:3 … v8::Deep' "${lines[3]}"
    two_stalls > in
    TZ=UTC try stackreport --stalls --width=80 in
    same '' "$(grep -E '^.{81}' <<< "${output#*$'\n'}" || :)"
}

@test "names with control characters are masked" {
    printf '%s\n' $'no\e[31mde 42/42 5.0: 100000 wall: running' $'\t5 bad\e[2Jname+0x1 (/usr/bin/x)' '' \
        $'no\e[31mde 42/42 5.0: 100000 turn:' > in
    try stackreport --stalls --live in
    same '' "$(LC_ALL=C grep -l $'\e' <<< "$output$stderr" || :)"
    like '*no?[31mde 42
    bad?[2Jname' "$output"
}

@test "--stalls --live prints each stall on standard error in the order of the input" {
    two_stalls > in
    TZ=UTC try stackreport --stalls --live in
    [ "$status" -eq 0 ]
    same 'stackreport: 14:02:11.250, at 1.312 s, node 42: stall of 412 ms (CPU 398, waiting 0, ready 14, GC 98): onRequest '\
'/srv/app.js:12 > parse /srv/app.js:30' "${stderr_lines[0]}"
    same 2 "${#stderr_lines[@]}"
}

@test "input without turns is refused with how to record them" {
    local record='record with: stackrecord --wall --turns=50 -p PID'
    answers 1 '' "*: standard input: folded stacks do not say when *; $record" \
        stackreport --stalls <<< 'node;main 3'
    gunzip -c "$DATA/node-http.perf.txt.gz" > in
    answers 1 '' "stackreport: no samples of the events wall and turn, which --stalls needs: $record" \
        stackreport --stalls in
    answers 1 '' '*no line could be used*' stackreport --stalls --from=perf <<< 'this is plain text'
    answers 1 '' '* lack the thread, the time or the period' stackreport --stalls <<< 'node 42/42 5.0: turn:'
    two_stalls | grep -v 'turn:' > in
    answers 0 'no stall of 50 ms or longer; *' "*: no sample of the event turn: *; $record" \
        stackreport --stalls in
    answers 0 'no stall of 50 ms or longer; *' '' stackreport --stalls <<< "# turns : 50 ms"$'\n'"$(< in)"
}

@test "options that --stalls has no use for are refused" {
    local option
    for option in --by=kind --callers=x --flame --sort=total --format=json --event=wall --weight=period --latency \
        --no-comm; do
        answers 2 '' '*option --*' stackreport --stalls $option </dev/null
    done
    answers 2 '' '*option --live: with --stalls it takes no value*' stackreport --stalls --live=1 </dev/null
}
