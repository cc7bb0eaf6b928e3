#!/usr/bin/env bats
# stackrecord --off-cpu: where threads wait, and for how long. tests/unit/offcpu.c tests which
# records lead to which output.
load ../lib
load waits

setup_file() {
    build_waits
    clocked stackrecord --off-cpu -- ./waits figures file 10 >out.perf 2>said || true
}

setup() {
    [ "$(id -u)" -eq 0 ] || skip "only root may record sched:sched_switch"
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip "tracefs is not mounted"
    needs_recorder
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$BATS_FILE_TMPDIR"/{figures,passed,out.perf} .
    waits=$BATS_FILE_TMPDIR/waits
}

check_functions() {
    local function
    for function in wait_sleep wait_lock wait_pipe wait_disk; do
        near "$(sum ";$function;" <out.folded)" "$(measured "$function")" 3
    done
}

# The thread's waits and its time on a CPU add up to all of its time.
check_thread() {
    local tid cpu
    read -r _ tid _ cpu < <(grep ^thread figures)
    whole_time "$(($(sum "/$tid;" <out.folded) + cpu))" "$(<passed)"
}

@test "the time that each function waits, and a thread's whole time, are what the program measures itself" {
    stackcollapse -q --tid out.perf >out.folded
    check_functions
    check_thread
}

@test "a wait is a sample of the event off-cpu, with the state and the microseconds" {
    grep -Eq '^waits +[0-9]+(/[0-9]+)? +\[[0-9]+\] +[0-9]+\.[0-9]{6}: +[0-9]+ +off-cpu: state S$' out.perf
    same '' "$(grep '^[^[:space:]].*sched_switch' out.perf)"
}

@test "samples are in the order of their times, and those of one stack in a second are added up" {
    awk '/off-cpu: / { split($0, part, "]"); print part[2] + 0 }' out.perf >times.txt
    same "$(sort -n times.txt)" "$(<times.txt)"
    # For each second of the thread there is one sample of it, and one for each of the states S and
    # R.
    [ "$(grep -c wait_sleep out.perf)" -le $((2 * (2 + $(awk '/^thread/ { print $3 }' figures) / 1000000))) ]
}

@test "the same is measured where the whole machine is recorded, unless losses are reported" {
    stackrecord --off-cpu --memory 1024 -a >out.perf 2>said 3>&- &
    running=$!
    soon test -s out.perf
    clocked "$waits" figures file 5
    kill -TERM "$running"
    wait "$running"
    running=
    grep 'records were lost' said && return # of a busy machine: that is reported, and the sums lack it
    stackcollapse -q --tid out.perf >out.folded
    check_functions
    check_thread
}

@test "--folded prints the same times, as folded stacks" {
    try stackrecord --off-cpu --folded -- "$waits" figures file 3
    [ "$status" -eq 0 ]
    printf '%s\n' "$output" >out.folded
    check_functions
    same '' "$(grep -Ev '^waits;[^ ].* [0-9]+$' out.folded)"
    same "$output" "$(LC_ALL=C sort out.folded)"
}

@test "--folded counts the samples of other events" {
    printf '%s\n' 'i=0; while [ "$i" -lt 200000 ]; do i=$((i + 1)); done' >spin.sh
    try stackrecord -q -F 999 --folded -- sh spin.sh
    [ "$status" -eq 0 ]
    same '' "$(grep -Ev '^sh;[^ ].* [0-9]+$' <<<"$output")"
    [ "$(sum '' <<<"$output")" -gt 20 ]
}

@test "a thread that still waits at the end is a sample too, which says so" {
    "$waits" forever.figures file 1 forever 3>&- &
    running=$!
    soon test -s forever.figures
    stackrecord --off-cpu -p "$running" >out 3>&- &
    local recorder=$!
    # Its wait must begin during the recording. A process that was stopped continues to wait, and is
    # a sample then.
    stopped_once() { kill -STOP "$running" && sleep 0.05 && kill -CONT "$running" && [ -s out ]; }
    soon stopped_once
    kill -TERM "$recorder"
    wait "$recorder"
    grep -A40 'off-cpu: state S, still waiting$' out | grep -q wait_forever
}

@test "a process that waits all the time gives no sample, and a message" {
    sleep 100 3>&- &
    running=$!
    try stackrecord --off-cpu -p "$running" --duration 0.3
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    same 'stackrecord: no samples: what was recorded never began to wait, or waited all the time' "$stderr"
}
