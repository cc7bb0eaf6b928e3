#!/usr/bin/env bats
# stackrecord --wall: what threads do with all of their time. tests/unit/wall.c tests which records
# lead to which output.
load ../lib
load waits

setup_file() {
    build_waits
    clocked stackrecord --wall -- ./waits figures file 10 >out.perf 2>said || true
}

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$BATS_FILE_TMPDIR"/{figures,passed,out.perf} .
    waits=$BATS_FILE_TMPDIR/waits stuck=$BATS_FILE_TMPDIR/stuck
    running=''
}

# Succeeds if the files of the test are not on a disk.
in_memory() {
    [ "$(stat -f -c %T .)" = tmpfs ]
}

@test "a thread's sum is its whole time, and each wait has its kind and the time that the program measures itself" {
    [ "$(id -u)" -eq 0 ] || skip "only root sees the kernel's functions everywhere"
    stackcollapse -q --tid out.perf >out.folded
    local wait kind tid
    while read -r wait kind; do
        # On a busy machine, the thread also waits for a CPU; the program measures the sum.
        near "$(sum "$wait;.*;\\[wait: ($kind|run queue)\\] " <out.folded)" "$(measured "$wait")" 5
        [ "$(sum "$wait;.*;\\[wait: $kind\\] " <out.folded)" -gt 0 ]
    done < <(printf '%s\n' 'wait_sleep sleep' 'wait_lock futex' 'wait_pipe pipe' && in_memory || echo 'wait_disk disk')
    tid=$(awk '/^thread/ { print $2 }' figures)
    whole_time "$(sum "/$tid;" <out.folded)" "$(<passed)"
}

@test "the text says what the thread does, and its frames of waits are no functions" {
    grep -Eq '^waits +[0-9]+(/[0-9]+)? +\[[0-9]+\] +[0-9]+\.[0-9]{6}: +[0-9]+ +wall: waiting$' out.perf
    grep -Eq '^waits .* wall: running$' out.perf
    grep -q $'^\t *0 \\[wait.*\\] (\\[unknown\\])$' out.perf
    stackcollapse -q out.perf >out.folded
    same "$(stackfilter --only wait out.folded | sum '\[wait')" "$(sum '\[wait' <out.folded)"
    same '' "$(stackfilter --hide wait out.folded | grep '\[wait')"
}

@test "each of 200 threads has its time" {
    try stackrecord --wall -- "$stuck" naps
    [ "$status" -eq 0 ]
    stackcollapse -q --tid <<<"$output" | sed 's/;.* / /' | awk '{ sum[$1] += $2 } END { for (i in sum) print i, sum[i] }' >sums
    [ "$(wc -l <sums)" -eq 201 ]
    [ "$(awk '$2 >= 299000' sums | wc -l)" -ge 200 ]
}

@test "a process that waits all the time has a sample of it, with the stack with which it waits" {
    sleep 100 3>&- &
    running=$!
    try stackrecord -q --wall -p "$running" --duration 0.5
    [ "$status" -eq 0 ]
    same '' "$stderr"
    stackcollapse -q <<<"$output" >out.folded
    if [ "$(id -u)" -eq 0 ]; then
        grep -Eq '^sleep;.*clock_nanosleep[^;]*;\[wait: sleep\] [0-9]+$' out.folded
    fi
    [ "$(sum '' <out.folded)" -ge 490000 ]
}

@test "of threads in a deadlock, which never run, each has the stack with which it waits; flamepipe shows them, too" {
    [ "$(id -u)" -eq 0 ] || skip 'others may not be permitted to look at the process'
    "$stuck" deadlock 3>&- &
    running=$!
    waiting() { [ "$(cat /proc/"$running"/task/*/wchan | grep -o futex | wc -l)" -eq 2 ]; }
    soon waiting
    try stackrecord --wall -p "$running" --duration 0.5
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 'wall: waiting
wall: waiting' "$(grep -o 'wall: .*' <<<"$output")"
    try stackrecord --wall --folded -p "$running" --duration 0.5
    grep -Eq '^stuck;.*;start_thread;take_both;take_other;pthread_mutex_lock[^;]*;.*\[wait: futex\] [0-9]+$' <<<"$output"
    grep -Eq '^stuck;.*;main;(deadlock;)?take_both;take_other;pthread_mutex_lock[^;]*;.*\[wait: futex\] [0-9]+$' <<<"$output"
    same 2 "$(wc -l <<<"$output")"
    # Without registers, the waiting function is there.
    try stackrecord --wall --folded --call-graph fp -p "$running" --duration 0.5
    grep -Eq '^stuck;[^;]*;\[wait: futex\] [0-9]+$' <<<"$output"
    try flamepipe --wall -o wall.svg -p "$running" 0.5
    [ "$status" -eq 0 ]
    grep -q '>take_both' wall.svg
    grep -q '>take_other' wall.svg
}

# Sets `as_nobody` to the command that runs another one without privileges, and copies the program
# to where it can be read then. Skips the test if a user without privileges may not record their own
# processes.
without_root() { # PARANOID
    local paranoid
    paranoid=$(</proc/sys/kernel/perf_event_paranoid)
    [ "$paranoid" -le "$1" ] || skip "kernel.perf_event_paranoid is $paranoid, and only root can record what this test is about"
    as_nobody=()
    [ "$(id -u)" -ne 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
    let_others_in
    cp "$waits" "$BIN/stackrecord" .
    rm figures
    chmod a+rwx .
    "${as_nobody[@]}" ./waits figures file 1 >/dev/null 2>&1 || skip 'no program can be run as another user here'
}

check_unprivileged() { # STACK
    try "${as_nobody[@]}" ./stackrecord --wall --folded -- ./waits figures file 3
    [ "$status" -eq 0 ]
    [ "$(sum "$1" <<<"$output")" -ge 89000 ] # it sleeps three times 30 ms
}

@test "without root the times are the same, and waits have no stacks where the kernel does not give them" {
    without_root 2
    [ "$(</proc/sys/kernel/perf_event_paranoid)" -eq 2 ] || skip 'kernel.perf_event_paranoid is not 2'
    check_unprivileged '^waits;\[wait\] '
    [[ $stderr == *'the waits of --wall have times and no stacks'* ]]
}

@test "without root, but with kernel.perf_event_paranoid at 1, waits have their stacks" {
    without_root 1
    check_unprivileged 'wait_sleep;.*;\[wait: sleep\] '
}

@test "the wait of node's event loop is told from the waits of JavaScript, for locks and for files" {
    command -v node >where || skip 'no node here'
    [ "$(id -u)" -eq 0 ] || skip "only root sees the kernel's functions everywhere"
    mkfifo slow
    cat >app.js <<'END'
const fs = require('fs');
fs.writeFileSync('pid', String(process.pid));
function wait_for_lock() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); }
function read_slowly(from) { fs.readSync(from, Buffer.alloc(1)); }
const writer = require('child_process').spawn('sh', ['-c', 'exec >slow; until [ -e reads ]; do sleep 0.05; done; sleep 0.3; echo x']);
const from = fs.openSync('slow');
setTimeout(() => {
    wait_for_lock();
    fs.writeFileSync('reads', '');
    read_slowly(from);
    process.exit();
}, 500);
END
    try stackrecord -q --wall --memory 1024 -- node --perf-basic-prof --interpreted-frames-native-stack app.js
    [ "$status" -eq 0 ]
    stackfilter -q --node <<<"$output" | stackcollapse -q --tid | grep -E '^[^;]*-([0-9]+)/\1;' >main.folded
    [ "$(sum '\[wait: event loop\] ' <main.folded)" -gt 0 ]
    # These stacks are complete, although libuv has 12 KB of events on them. Of a deeper stack, as when JavaScript
    # that an event has called is preempted, less may be copied than it has.
    run ! grep -E '\[cut\].*(\[wait: event loop\] |wait_for_lock |read_slowly )' main.folded
    [ "$(sum 'wait_for_lock .*\[wait: futex\] ' <main.folded)" -gt 200000 ] # of 400 ms, less what it was ready
    [ "$(sum 'read_slowly .*\[wait: pipe\] ' <main.folded)" -gt 0 ]
}

@test "the event loop of a libuv.so without symbols is known by the one function there that calls epoll_wait" {
    cat >uv.c <<'END'
#include <sys/epoll.h>
static __attribute__((noinline)) int
wait_for_events(int fd)
{
    struct epoll_event e;
    return epoll_wait(fd, &e, 1, 200);
}
int uv_run(int fd) { return wait_for_events(fd) + 1; }
END
    gcc -O1 -fno-omit-frame-pointer -shared -fPIC -s -o libuv.so.1 uv.c
    echo 'int uv_run(int), epoll_create1(int); int main(void) { return uv_run(epoll_create1(0)) - 1; }' >loop.c
    gcc -O1 -fno-omit-frame-pointer -o loop loop.c ./libuv.so.1
    try stackrecord -q --wall --folded -- ./loop
    [ "$status" -eq 0 ]
    grep -Eq '^loop;.*;main;uv_run;\[libuv\.so\.1\];epoll_wait;.*\[wait: event loop\] [0-9]+$' <<<"$output"
}

@test "-o keeps what --wall is made of: perf-script --wall prints the same text of it, and perf reads the file" {
    sleep 100 3>&- &
    running=$!
    for options in '' '--call-graph fp' '--call-graph dwarf --keep-stacks' '--user'; do
        # shellcheck disable=SC2086 # words
        try stackrecord -q --wall -F 499 $options -o wall.data --text wall.text -p "$running",$$ --duration 0.3
        [ "$status" -eq 0 ]
        grep -q 'wall: waiting' wall.text
        perf-script -q -F +pid --wall wall.data | cmp - wall.text
    done
    try stackrecord -q --wall -o naps.data --text naps.text -- "$stuck" naps
    perf-script -q -F +pid --wall --min-block 5 naps.data >long.text
    perf-script -q -F +pid --wall naps.data | cmp - naps.text
    [ "$(wc -l <long.text)" -le "$(wc -l <naps.text)" ]
    try stackrecord -q --wall -o alone.data -p "$running" --duration 0.3
    [ "$(perf-script -q --wall alone.data | grep -c 'wall: waiting')" -eq 1 ]
    if command -v perf >/dev/null; then
        same "$(perf-script -q naps.data | grep -c '^[^[:space:]]')" \
            "$(perf script -i naps.data 2>/dev/null | grep -c '^[^[:space:]]')"
    fi
}
