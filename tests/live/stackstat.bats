#!/usr/bin/env bats
# stackstat beside perf stat, and what ends it.
load ../lib

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR"
}

@test "page faults and system calls of a command are those that perf stat counts" {
    command -v perf > /dev/null || skip "no perf"
    local event=page-faults
    [ ! -r /sys/kernel/tracing/available_events ] || event+=,syscalls:sys_enter_openat
    stackstat -x, -e $event -o ours -- ls / > list
    perf stat -x, -e $event -o theirs -- ls / > list
    awk -F, 'FNR == 1 { file++ } !/^#/ && NF { if (file == 1) ours[$3] = $1; else { n++; d = ours[$3] - $1
        if (d * d > 4) exit 1 } } END { exit n == 0 }' ours theirs
}

@test "the processes' end, a signal and the duration end the counting" {
    sleep 0.2 &
    try stackstat -x, -e context-switches -p $!
    [ "$status" -eq 0 ]
    try stackstat -x, -e task-clock --duration 0.1 -- sleep 60
    [ "$status" -eq 0 ]
    like "*,msec,task-clock,*" "$stderr"
    try timeout -s INT 0.3 stackstat -I 50 -x, -e page-faults -- sleep 60
    [ "${#stderr_lines[@]}" -ge 2 ]
}
