#!/usr/bin/env bats
# stackrecord --off-cpu: where threads wait, and how long.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits "$ROOT/tests/record/app/waits.c"
}

setup() {
    [ "$(id -u)" -eq 0 ] || skip "only root may record sched:sched_switch"
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip "tracefs is not mounted"
    needs_recorder
    cd "$BATS_TEST_TMPDIR" || return 1
    waits=$BATS_FILE_TMPDIR/waits
    running=
}

# Passes if the command does once in three times: a machine can be too busy to measure on.
thrice() { # COMMAND...
    "$@" || "$@" || "$@"
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

# The program's measurements and the kernel's are of the same run, so that a busy machine changes both alike: they
# are then within 0.1 %, of the disk's short waits within 1 %.
check_functions() {
    local function
    for function in wait_sleep wait_lock wait_pipe wait_disk; do
        # A disk that answers from memory leaves nothing to measure.
        [ "$function" = wait_disk ] && [ "$(measured wait_disk)" -lt 5000 ] && continue
        near "$(folded "$function" <out.folded)" "$(measured "$function")" 3 || return
    done
}

check_thread() {
    local tid wall cpu off
    read -r _ tid wall cpu < <(grep ^thread figures)
    off=$(awk -v tid="/$tid;" 'index($0, tid) { sum += $NF } END { print sum }' out.folded)
    near "$((off + cpu))" "$wall" 2
}

record_text() {
    try stackrecord --off-cpu -- "$waits" figures file 10
    [ "$status" -eq 0 ] || return
    printf '%s\n' "$output" >out.perf
    stackcollapse -q --tid out.perf >out.folded
    check_functions && check_thread
}

record_folded() {
    try stackrecord --off-cpu --folded -- "$waits" figures file 10
    [ "$status" -eq 0 ] || return
    printf '%s\n' "$output" >out.folded
    check_functions
}

record_all() {
    stackrecord -q --off-cpu -a >out.perf 3>&- &
    running=$!
    sleep 0.7
    "$waits" figures file 5
    kill -TERM "$running"
    wait "$running" || return
    running=
    stackcollapse -q --tid out.perf >out.folded
    check_functions && check_thread
}

@test "the time that each function waits, and a thread's whole time, are what the program measures itself" {
    thrice record_text
}

@test "the same is measured where the whole machine is recorded" {
    thrice record_all
}

@test "--folded prints the same times, as folded stacks" {
    thrice record_folded
    same '' "$(grep -Ev '^waits;[^ ].* [0-9]+$' out.folded)"
    same "$output" "$(LC_ALL=C sort out.folded)"
}

@test "a wait is a sample of the event off-cpu, with the state and the microseconds" {
    try stackrecord --off-cpu -- "$waits" figures file 1
    [ "$status" -eq 0 ]
    grep -Eq '^waits +[0-9]+(/[0-9]+)? +\[[0-9]+\] +[0-9]+\.[0-9]{6}: +[0-9]+ +off-cpu: state S$' <<<"$output"
    same '' "$(grep '^[^[:space:]].*sched_switch' <<<"$output")"
}

@test "a thread that still waits at the end is a sample too, which says so" {
    "$waits" figures file 1 forever 3>&- &
    running=$!
    soon test -s figures
    # Its wait has to begin while it is recorded. A process that was stopped goes on to wait.
    { sleep 0.5; kill -STOP "$running"; sleep 0.2; kill -CONT "$running"; } 3>&- &
    try stackrecord --off-cpu -p "$running" --duration 1.5
    [ "$status" -eq 0 ]
    grep -A40 'off-cpu: state S, still waiting$' <<<"$output" | grep -q wait_forever
}

@test "a process that waits all the time gives no sample, and a message" {
    sleep 100 3>&- &
    running=$!
    try stackrecord --off-cpu -p "$running" --duration 0.3
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    same 'stackrecord: no samples: what was recorded never began to wait, or waited all the time' "$stderr"
}

@test "--min-block leaves shorter waits out" {
    try stackrecord --off-cpu --min-block=25000 -- "$waits" figures file 3
    [ "$status" -eq 0 ]
    stackcollapse -q <<<"$output" >out.folded
    near "$(folded wait_sleep <out.folded)" "$(measured wait_sleep)" 3
    [[ $stderr =~ 'stackrecord: '[0-9,]+' waits shorter than --min-block=25000 are left out' ]]
    try stackrecord --off-cpu --min-block=100000000 -- "$waits" figures file 3
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "samples are in the order of their times, and those of one stack are added up" {
    try stackrecord --off-cpu -- "$waits" figures file 10
    awk '/off-cpu: / { split($0, part, "]"); print part[2] + 0 }' <<<"$output" >times.txt
    same "$(sort -n times.txt)" "$(cat times.txt)"
    # Ten waits take a second, and each second there is one sample of them.
    [ "$(grep -c wait_sleep <<<"$output")" -lt 8 ]
}

@test "--folded counts the samples of other events" {
    printf '%s\n' 'i=0; while [ "$i" -lt 200000 ]; do i=$((i + 1)); done' >spin.sh
    try stackrecord -q -F 999 --folded -- sh spin.sh
    [ "$status" -eq 0 ]
    same '' "$(grep -Ev '^sh;[^ ].* [0-9]+$' <<<"$output")"
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -gt 20 ]
}
