#!/usr/bin/env bats
# stackrecord -e: the events that it records, and that no uprobe is left behind.
load ../lib

TRACEFS=/sys/kernel/tracing

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR"
    export HOME=$PWD # where perf keeps its copies of binaries
}

needs_tracefs() {
    [ -w $TRACEFS/uprobe_events ] || skip "needs root and tracefs at $TRACEFS"
}

# A program that calls work(int) three times, and work(double) twice. With an argument, it waits.
build_program() {
    command -v g++ >/dev/null || skip "no g++"
    cat >program.cc <<'END'
#include <unistd.h>
__attribute__((noinline)) int work(int n) { asm volatile(""); return n + 1; }
__attribute__((noinline)) double work(double n) { asm volatile(""); return n + 1; }
namespace box { __attribute__((noinline)) int open(int n) { asm volatile(""); return n + 2; } }
int main(int argc, char **)
{
    int n = 0;
    for (int i = 0; i < 3; i++)
        n = work(n);
    n += (int)work(work(1.0)) + box::open(n);
    while (argc > 1)
        pause();
    return n == 0;
}
END
    g++ -O0 -o program program.cc
}

some_there() { # PID: of a recorder, whose uprobes are meant
    grep -q ":stackrecord_$1_" $TRACEFS/uprobe_events
}

none_left() { # PID
    ! some_there "$1"
}

# Records the waiting program's calls of work(int) in the background. Sets $recorder to the
# recorder's pid.
record_waiting() {
    build_program
    ./program wait 3>&- &
    target=$!
    "$BIN/stackrecord" -e ./program:_Z4worki -p $target >out 2>err 3>&- &
    recorder=$!
    soon some_there $recorder
    soon handles_signals
}

# Until then, SIGINT is ignored, since the shell started the recorder in the background.
handles_signals() {
    grep -q '^SigCgt:.*[2367abef]$' /proc/$recorder/status
}

events_of() { # FILE: the names of the events, with how often each was sampled
    awk '/^[^\t]/ { i = 1; while ($i !~ /^[0-9]+[.][0-9]+:$/) i++; sub(/:$/, "", $(i + 1)); print $(i + 1) }' "$1" |
        LC_ALL=C sort | uniq -c | sed 's/^ *//'
}

teardown() {
    [ -z "${target:-}" ] || kill $target
}

# While another recorder adds or removes uprobes, an entry may be missing in the kernel's list, or
# be there twice.
lists_tracepoints() {
    stackrecord --list | awk '$2 == "tracepoint" { print $1 }' >listed
    LC_ALL=C sort $TRACEFS/available_events | diff - listed >differences
}

@test "--list prints software events, aliases and tracepoints, a line each" {
    needs_tracefs
    answers 0 '*' '' stackrecord --list
    grep -qE '^cpu-clock +software$' <<<"$output"
    grep -qE '^cs +the same as context-switches$' <<<"$output"
    grep -qE '^sched:sched_switch +tracepoint$' <<<"$output"
    soon lists_tracepoints || { cat differences; false; }
}

@test "each software event and tracepoint that --list prints is accepted by -e" {
    needs_tracefs
    local names
    names=$(stackrecord --list | awk '$2 == "software" && $1 != "bpf-output" { print $1 }' | paste -sd,)
    try stackrecord -e "$names,sched:sched_process_exec,sched:sched_process_exit" -- true
    [ "$status" -eq 0 ]
    [ "$(grep -c 'sched:sched_process_exec: ' <<<"$output")" -eq 1 ]
}

@test "a tracepoint's samples have the text that perf prints" {
    needs_tracefs
    command -v perf >/dev/null || skip "no perf"
    stackrecord -e sched:sched_process_exec,sched:sched_process_exit -- true >ours
    perf record -q -g -e sched:sched_process_exec,sched:sched_process_exit -o perf.data -- true 2>/dev/null >/dev/null
    perf script -i perf.data >theirs
    # Without times, CPUs, pids and addresses.
    local mask='s/[0-9]+\.[0-9]+:/TIME:/; s/\[[0-9]+\]/[CPU]/; s|^([^ ]+ +)([0-9]+/)?[0-9]+ +|\1PID |; s/(pid=)[0-9]+/\1N/g; s/^\t +[0-9a-f]+/\tADDRESS/'
    same "$(grep $'^[^\t]' theirs | sed -E "$mask")" "$(grep $'^[^\t]' ours | sed -E "$mask")"
    [ "$(grep -c $'^[^\t]' ours)" -eq 2 ]
}

@test "a pattern records each tracepoint that matches it" {
    needs_tracefs
    stackrecord -e 'sched:sched_process_e*' -- true >out
    same '1 sched:sched_process_exec
1 sched:sched_process_exit' "$(events_of out)"
}

@test "a function's calls are recorded under the names of its file and itself" {
    needs_tracefs
    build_program
    answers 0 '*' '' sh -c 'echo $$ >pid; exec stackrecord -e ./program:_Z4worki,./program:box::open -- ./program'
    printf '%s\n' "$output" >out
    same '3 program:_Z4worki
1 program:box::open' "$(events_of out)"
    grep -qE '^program +[0-9]+/[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +program:box::open: \([0-9a-f]+\)$' out
    grep -qE '^	 +[0-9a-f]+ work\+0x0 \(.*/program\)$' out
    none_left "$(cat pid)"
}

@test "a name as in the source records all functions of that name" {
    needs_tracefs
    build_program
    stackrecord -e ./program:work -- ./program >out
    same '5 program:work' "$(events_of out)"
}

@test "a library is found by its name" {
    needs_tracefs
    stackrecord -e libc.so.6:exit -- true >out
    same '1 libc.so.6:exit' "$(events_of out)"
}

@test "what stackrecord prints of uprobes and tracepoints is read by perf-script and stackcollapse" {
    needs_tracefs
    build_program
    stackrecord -e ./program:work,sched:sched_process_exec -- ./program >out
    answers 0 "$(cat out)" '*' perf-script out
    try stackcollapse --event-filter program:work out
    [ "$status" -eq 0 ]
    [[ $output = program\;*\;work\ 5 ]]
}

ends_without_uprobes() { # SIGNAL
    needs_tracefs
    record_waiting
    kill -"$1" $recorder
    wait $recorder || :
    soon none_left $recorder
}

@test "uprobes are removed when SIGTERM ends the recorder" {
    ends_without_uprobes TERM
}

@test "uprobes are removed when SIGINT ends the recorder" {
    ends_without_uprobes INT
}

@test "uprobes are removed when SIGKILL ends the recorder" {
    ends_without_uprobes KILL
}

@test "uprobes are removed when nobody reads the output any more" {
    needs_tracefs
    build_program
    sh -c 'echo $$ >pid; exec stackrecord -e ./program:work,sched:sched_switch -a --duration 5' | head -n 1 >line
    [ -s line ]
    soon none_left "$(cat pid)"
}

@test "uprobes of a recorder that was killed with the process that guards them are removed by the next one" {
    needs_tracefs
    record_waiting
    # shellcheck disable=SC2046 # one word for each process
    kill -KILL $recorder $(pgrep -P $recorder -x stackrecord)
    wait $recorder || :
    some_there $recorder
    # Its counters are closed a moment later.
    next_removes() { stackrecord -e cs -- true >/dev/null && none_left $recorder; }
    soon next_removes
}

@test "the uprobes of a recorder that runs are left to it by another one" {
    needs_tracefs
    record_waiting
    stackrecord -e ./program:work -- ./program >out2
    some_there $recorder
    same '5 program:work' "$(events_of out2)"
    kill -TERM $recorder
    wait $recorder
    none_left $recorder
}

@test "a name that does not exist is wrong usage, and the nearest names are shown" {
    needs_tracefs
    answers 2 '*' "*sched:sched_swich: no such tracepoint; did you mean 'sched:sched_switch'*" \
        stackrecord -e sched:sched_swich -- true
    build_program
    answers 2 '*' "*program has no function 'wrok'; did you mean 'work'*" stackrecord -e ./program:wrok -- true
}

@test "a thousand functions of one name are watched" {
    needs_tracefs
    { python3 "$ROOT/tests/record/elf.py" twins 24024; head -c 100000 /dev/zero; } >file
    answers 0 '' 'stackrecord: no samples: *' stackrecord -e ./file:twin -- true
}

@test "where tracefs is not mounted, tracepoints are refused with what to do, and other events are recorded" {
    [ "$(id -u)" = 0 ] || skip "needs root"
    unshare -m umount -a -t tracefs || skip "tracefs is not mounted at $TRACEFS"
    answers 1 '*' 'stackrecord: sched:sched_switch: *mount -t tracefs tracefs /sys/kernel/tracing*' \
        unshare -m sh -c "umount -a -t tracefs && exec stackrecord -e sched:sched_switch -- true"
    answers 0 '*' '' unshare -m sh -c "umount -a -t tracefs && exec stackrecord -e page-faults -c 1 -- true"
    [ -n "$output" ]
}

@test "a user who may not read tracefs is told how to get at it" {
    needs_tracefs
    let_others_in
    cp "$BIN/stackrecord" .
    answers 1 '*' "stackrecord: sched:sched_switch: $TRACEFS/available_events: Permission denied: run this program as root, or let a group of yours read it; as root: mount -o remount,mode=750,gid=65534 $TRACEFS" \
        setpriv --reuid=65534 --regid=65534 --clear-groups ./stackrecord -e sched:sched_switch -- true
}

@test "a file that may not be read is no wrong usage of -e: the reason, and status 1" {
    local as_user=()
    [ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    let_others_in
    mkdir closed
    cp "$BIN/stackrecord" .
    cp "$BIN/stackrecord" secret
    chmod 0 closed secret
    for name in secret closed/program; do
        try "${as_user[@]}" ./stackrecord -e "$PWD/$name:main" -- true
        echo "$name $status $output $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        same "stackrecord: $PWD/$name:main: $PWD/$name: Permission denied" "$stderr"
    done
}
