#!/usr/bin/env bats
# stackrecord --off-cpu: where threads wait, and how long.
load lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits "$ROOT/tests/record/app/waits.c"
}

setup() {
    [ "$(id -u)" -eq 0 ] || skip "only root may record sched:sched_switch"
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip "tracefs is not mounted"
    cd "$BATS_TEST_TMPDIR" || return 1
    waits=$BATS_FILE_TMPDIR/waits
    running=
}

teardown() {
    [ -z "$running" ] || kill "$running"
}

# The microseconds that the program measured for a function itself, or those of folded stacks with it.
measured() { # FUNCTION
    awk -v name="$1" '$1 == name { print $2 }' figures
}
folded() { # FUNCTION < FOLDED
    awk -v name="$1" 'index(";" $0, ";" name ";") { sum += $NF } END { print sum + 0 }'
}

# Fails if the two numbers differ by more than so many percent of the second, and shows by how much.
near() { # NUMBER WANTED PERCENT
    awk -v n="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
        off = 100 * (n - wanted) / wanted
        printf "# %d of %d: %+.2f %%\n", n, wanted, off
        exit !(off <= percent && off >= -percent)
    }'
}

# The measurements and the kernel's are of the same run, so that a busy machine changes both alike.
check_figures() { # FOLDED WITH THREADS
    local function tid wall cpu
    for function in wait_sleep wait_lock wait_pipe wait_disk; do
        # A disk that answers from memory leaves nothing to measure.
        [ "$function" = wait_disk ] && [ "$(measured wait_disk)" -lt 5000 ] && continue
        near "$(folded "$function" <"$1")" "$(measured "$function")" 3
    done
    read -r _ tid wall cpu < <(grep ^thread figures)
    near $(($(awk -v tid="/$tid;" 'index($0, tid) { sum += $NF } END { print sum }' "$1") + cpu)) "$wall" 2
}

@test "the time that each function waits, and a thread's whole time, are what the program measures itself" {
    try stackrecord --off-cpu -- "$waits" figures file 10
    [ "$status" -eq 0 ]
    printf '%s\n' "$output" >out.perf
    stackcollapse --tid out.perf >out.folded
    check_figures out.folded
}

@test "--folded prints the same, as folded stacks" {
    try stackrecord --off-cpu --folded -- "$waits" figures file 10
    [ "$status" -eq 0 ]
    printf '%s\n' "$output" >out.folded
    for function in wait_sleep wait_lock wait_pipe; do
        near "$(folded "$function" <out.folded)" "$(measured "$function")" 3
    done
    same '' "$(grep -Ev '^waits;[^ ].* [0-9]+$' out.folded)"
    same "$output" "$(LC_ALL=C sort out.folded)"
}

@test "a wait is a sample of the event off-cpu, with the state and the microseconds" {
    try stackrecord --off-cpu -- "$waits" figures file 1
    [ "$status" -eq 0 ]
    grep -Eq '^waits +[0-9]+(/[0-9]+)? +\[[0-9]+\] +[0-9]+\.[0-9]{6}: +[0-9]+ +off-cpu: state S$' <<<"$output"
    ! grep -q sched_switch <(grep -v '^[[:space:]]' <<<"$output")
}

@test "a thread that still waits at the end is a sample too, which says so" {
    "$waits" figures file 1 forever 3>&- &
    running=$!
    while [ ! -s figures ]; do sleep 0.05; done
    # Its wait has to begin while it is recorded. A process that was stopped goes on to wait.
    { sleep 0.5; kill -STOP "$running"; sleep 0.2; kill -CONT "$running"; } 3>&- &
    try stackrecord --off-cpu -p "$running" --duration 1.5
    [ "$status" -eq 0 ]
    grep -A40 'off-cpu: state S, still waiting$' <<<"$output" | grep -q wait_forever
}

@test "--min-block leaves shorter waits out" {
    try stackrecord --off-cpu --min-block=20000 -- "$waits" figures file 3
    [ "$status" -eq 0 ]
    stackcollapse <<<"$output" >out.folded
    [ "$(folded wait_disk <out.folded)" -eq 0 ]
    near "$(folded wait_sleep <out.folded)" "$(measured wait_sleep)" 3
}
