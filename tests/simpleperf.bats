#!/usr/bin/env bats
# The input format simpleperf of stackcollapse. The input is of tests/record/simpleperf.py.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    "$ROOT/tests/record/simpleperf.py" app >trace
}

@test "samples of simpleperf are folded by thread, with the file where there is no symbol" {
    answers 0 ':99;syscall 1
Binder:10_2 1
Binder:10_2;[libc.so];[unknown] 1
Binder:10_2;app.Main.run;[libc.so] 1
RenderThread;app.Main.loop:x;syscall;el0_svc 2' 'stackcollapse: trace: read as simpleperf
stackcollapse: 3 samples were lost while they were recorded
stackcollapse: 1 of 7 samples are of other events and left out (--event=LIST folds others, --event=all every one): sched:sched_switch (1)' stackcollapse --verbose trace
    gzip trace
    prints 'RenderThread;read 1' stackcollapse -q --event='sched:*' trace.gz
}

@test "the options for perf's text work: weights, numbers of threads, the kernel's functions, without the thread" {
    try stackcollapse -q --weight=period --pid --kernel trace
    same 'RenderThread-10;app.Main.loop:x;syscall;el0_svc_[k] 750000' "$(tail -n 1 <<<"$output")"
    answers 0 '*' '' stackcollapse -q --tid --no-comm trace
    same 'app.Main.loop:x;syscall;el0_svc 2' "$(sed -n '/loop/p' <<<"$output")"
}

@test "a report that is cut at any byte is an error that says where, and what can be read counts" {
    local at
    for ((at = 12; at < $(wc -c <trace) - 4; at += 7)); do
        head -c "$at" trace >short
        answers 1 '*' 'stackcollapse: short: at byte *: the file is cut*' stackcollapse -q short
    done
    head -c -4 trace >short
    try stackcollapse -q short
    [ "$status" -eq 1 ]
    [ "$(wc -l <<<"$output")" -eq 5 ]
}

@test "messages that cannot be are reported with their place, and another version is none of these" {
    printf 'SIMPLEPERF\1\0\3\0\0\0\12\5\1\0\0\0\0' >bad
    try stackcollapse bad
    [ "$status" -eq 1 ]
    same 'stackcollapse: bad: at byte 12: a field goes beyond the end' "$(head -n 1 <<<"$stderr")"
    printf 'SIMPLEPERF\1\0\5\0\0\0\12\3\32\5\1\0\0\0\0' >bad
    try stackcollapse bad
    [ "$status" -eq 1 ]
    same 'stackcollapse: bad: the sample at byte 18: a field goes beyond the end' "$(head -n 1 <<<"$stderr")"
    printf 'SIMPLEPERF\2\0\0\0\0\0' >other
    try stackcollapse --from=simpleperf other
    [ "$status" -eq 1 ]
    same 'stackcollapse: other: this is no report of simpleperf, version 1' "$(head -n 1 <<<"$stderr")"
}
