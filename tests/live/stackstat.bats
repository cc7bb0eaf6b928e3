#!/usr/bin/env bats
# stackstat beside perf stat, and how it ends.
load ../lib

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR"
}

# Ends the process that a test has started and named.
teardown() {
    [ -z "${sleeper-}" ] || kill "$sleeper"
}

# Fails unless the count of each event differs from perf stat's by at most 1 %, or by at most 2.
# Uses the median of three runs, since other work in a run, such as reading a file that another
# program changes, differs.
counts_as_perf() { # EVENT,... COMMAND...
    local i events=$1
    shift
    for i in 1 2 3; do
        stackstat -x, -e "$events" -o ours$i -- "$@" > list
        perf stat -x, -e "$events" -o theirs$i -- "$@" > list
    done
    awk -F, '!/^#/ && NF { count[$3, FILENAME] = $1; names[$3] }
        function middle(event, who, i, a) {
            for (i = 1; i <= 3; i++) a[i] = count[event, who i]
            return a[1] + a[2] + a[3] - max(a) - min(a)
        }
        function max(a, m) { m = a[1] > a[2] ? a[1] : a[2]; return m > a[3] ? m : a[3] }
        function min(a, m) { m = a[1] < a[2] ? a[1] : a[2]; return m < a[3] ? m : a[3] }
        END {
            for (event in names) {
                n++
                ours = middle(event, "ours"); theirs = middle(event, "theirs")
                apart = ours > theirs ? ours - theirs : theirs - ours
                if (apart > 2 && apart > theirs / 100) { print event, ours, theirs; bad = 1 }
            }
            exit bad || n == 0
        }' ours? theirs?
}

@test "page faults and system calls of a command are those that perf stat counts" {
    command -v perf > /dev/null || skip "no perf"
    local event=page-faults,minor-faults
    [ ! -r /sys/kernel/tracing/available_events ] || event+=,syscalls:sys_enter_openat,syscalls:sys_enter_close
    counts_as_perf $event ls /
}

@test "the threads and processes that a process starts later are counted, and those in a group at the same times" {
    # The shell waits for a line until the counters are open.
    mkfifo go
    bash -c 'read -r < go; for i in 1 2 3; do ls / > list; done; exit 0' &
    try stackstat -x, -e '{page-faults,minor-faults},context-switches' -p $! -- sh -c 'echo > go; sleep 1'
    [ "$status" -eq 0 ]
    [ "${stderr_lines[0]%%,*}" -gt 100 ]
    same "${stderr_lines[0]%%,*}" "${stderr_lines[1]%%,*}"
    try stackstat -x, -e '{page-faults,minor-faults,context-switches}' -- sh -c 'ls / > list; ls / > list'
    [ "${stderr_lines[0]%%,*}" -gt 100 ]
    same "${stderr_lines[0]%%,*}" "${stderr_lines[1]%%,*}"
}

@test "the counts of all CPUs, of some, and of a cgroup" {
    try stackstat -a -A -x, -e context-switches --duration 0.1
    same "$(nproc --all)" "$(grep -c '^CPU[0-9]*,[0-9]*,,context-switches,' <<< "$stderr")"
    try stackstat -a -A -I 50 -e context-switches -C 0 --duration 0.12
    like '#           time CPU                    counts unit events*' "${stderr_lines[0]}"
    [ "$(grep -c ' CPU0 ' <<< "$stderr")" -ge 2 ]
    try stackstat --json -t $$ --per-thread -e page-faults -- true
    same "$(cat /proc/$$/comm)-$$" "$(python3 -c 'import json, sys; print(json.loads(sys.stdin.read())["thread"])' <<< "$stderr")"
    try stackstat -x, --cgroup "$(sed -n 's/^0:://p' /proc/self/cgroup)" -e cpu-clock -- sh -c ':'
    [ "$status" -eq 0 ] || [[ $stderr = *'that is not the directory of a cgroup'* ]] || [[ $stderr = *'cgroup '*': '* ]]
}

@test "a pattern of more events than descriptors counts some of them, and says how many it left out" {
    stackstat --list | grep -q '^syscalls:sys_enter_close ' || skip "no tracepoints of system calls"
    # shellcheck disable=SC2016 # for the shell
    try bash -c 'ulimit -n 64; exec stackstat -x, -e "syscalls:sys_enter_*" -o counts -- true'
    like 'stackstat: * of * events are not counted, since each counter is an open file*' "$stderr"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^[0-9]' counts)" -gt 20 ]
    # A process is seen to run, and to end, even if its counters have taken all other descriptors.
    sleep 3 & # on a busy machine it takes a second until it is counted
    # shellcheck disable=SC2016 # for the shell
    try bash -c 'ulimit -n 64; exec stackstat -q -x, -e "syscalls:sys_enter_exit*,syscalls:sys_enter_*" -o counts -p $1' - $!
    [ "$status" -eq 0 ]
    grep -q '^1,,syscalls:sys_enter_exit_group,' counts
}

@test "the forms of perf stat: each command of ours in flamepipe-recipes(7) counts, or says what the machine lacks" {
    local recipe n=0
    sleep 100 &
    sleeper=$!
    while IFS= read -r recipe; do
        n=$((n + 1))
        recipe=$(sed "s/COMMAND/true/; s/PID/$sleeper/; s/FILE/counts/; s/-I 1000/-I 20/; s/ --duration [0-9]*//" <<< "$recipe")
        [[ $recipe = *' -- '* ]] || recipe+=' --duration 0.05'
        echo "$recipe"
        try bash -c "$recipe"
        echo "$stderr"
        [ "$status" -eq 0 ] || [[ $stderr = *'nothing was counted'* || $stderr = *': no such '* ]]
    done < <(beside_perf flamepipe-recipes.7 | grep '^stackstat')
    [ "$n" -eq 23 ]
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
