#!/usr/bin/env bats
# stackrecord --wall: what threads do with all of their time.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits "$ROOT/tests/record/app/waits.c"
    cat >works.c <<'END'
/* works burn | exchange | threads | forks | deadlock | queue: prints the microseconds that passed and those on a CPU. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long
now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

__attribute__((noinline)) void
burn(long us)
{
    for (long end = now(CLOCK_THREAD_CPUTIME_ID) + us; now(CLOCK_THREAD_CPUTIME_ID) < end;)
        ;
}

/* Work and sleep in turn, for shorter than from one sample to the next. */
static void
alternate(void)
{
    for (int i = 0; i < 200; i++) {
        burn(1000);
        usleep(1000);
    }
}

static void
exchange(void)
{
    int there[2], back[2];
    char c = 'x';
    if (pipe(there) != 0 || pipe(back) != 0)
        exit(1);
    if (fork() == 0) {
        for (int i = 0; i < 10000; i++)
            if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
                _exit(1);
        _exit(0);
    }
    for (int i = 0; i < 10000; i++)
        if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
            exit(1);
}

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

__attribute__((noinline)) void
take_other(pthread_mutex_t *other)
{
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
}

/* Each of two threads takes a lock, and then wants the other's. */
static void *
take_both(void *first)
{
    pthread_mutex_lock(first);
    usleep(50000);
    take_other(&locks[first == locks]);
    return NULL;
}

static void
deadlock(void)
{
    pthread_t other;
    if (pthread_create(&other, NULL, take_both, &locks[0]) == 0)
        take_both(&locks[1]);
}

static void *
nap(void *arg)
{
    usleep(300000);
    return arg;
}

static void
start_threads(void)
{
    pthread_t threads[200];
    for (int i = 0; i < 200; i++)
        if (pthread_create(&threads[i], NULL, nap, NULL) != 0)
            exit(1);
    for (int i = 0; i < 200; i++)
        pthread_join(threads[i], NULL);
}

static void
start_processes(void)
{
    for (int i = 0; i < 20; i++) {
        if (fork() == 0) {
            usleep(20000);
            _exit(0);
        }
        wait(NULL);
    }
}

/* Sleep and work in turn, and say how long the kernel had us wait for a CPU. */
static void
queue(void)
{
    char line[100] = "";
    FILE *f = fopen("/proc/self/schedstat", "r");
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}); /* who is woken does not preempt who runs */
    for (long end = now(CLOCK_MONOTONIC) + 5000000; now(CLOCK_MONOTONIC) < end;) {
        usleep(2000);
        burn(300);
    }
    if (f == NULL || fgets(line, sizeof line, f) == NULL)
        exit(1);
    printf("queued %ld\n", strtol(strchr(line, ' '), NULL, 10) / 1000);
}

int
main(int argc, char **argv)
{
    long start = now(CLOCK_MONOTONIC);
    if (argc < 2)
        return 1;
    if (strcmp(argv[1], "burn") == 0)
        alternate();
    else if (strcmp(argv[1], "exchange") == 0)
        exchange();
    else if (strcmp(argv[1], "threads") == 0)
        start_threads();
    else if (strcmp(argv[1], "deadlock") == 0)
        deadlock();
    else if (strcmp(argv[1], "queue") == 0)
        queue();
    else
        start_processes();
    fprintf(stderr, "%ld %ld\n", now(CLOCK_MONOTONIC) - start, now(CLOCK_THREAD_CPUTIME_ID));
    return 0;
}
END
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o works works.c
    gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o stuck works.c
}

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR" || return 1
    waits=$BATS_FILE_TMPDIR/waits works=$BATS_FILE_TMPDIR/works
    running=''
}

teardown() {
    [ -z "$running" ] || kill "$running"
    [ ! -s pid ] || rm -f "/tmp/perf-$(<pid).map"
}

# Passes if the command does once in three times: a machine can be too busy to measure on.
thrice() { # COMMAND...
    "$@" || "$@" || "$@"
}

# The microseconds of the folded stacks that match, or those that the program measured for a function itself.
sum() { # PATTERN < FOLDED
    PATTERN=$1 awk '$0 ~ ENVIRON["PATTERN"] { sum += $NF } END { print sum + 0 }'
}
measured() { # FUNCTION
    awk -v name="$1" '$1 == name { print $2 }' figures
}

# Fails if the two numbers differ by more than so many percent of the second and 4 ms, and shows by how much.
near() { # NUMBER WANTED PERCENT
    awk -v n="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
        off = n - wanted
        most = wanted * percent / 100 + 4000
        printf "# %d of %d: %+d\n", n, wanted, off
        exit !(off <= most && off >= -most)
    }'
}

# The sum of each thread of folded stacks with --tid.
threads() {
    awk '{ split($0, part, ";"); sub(/ [0-9]+$/, "", part[1]); sum[part[1]] += $NF } END { for (i in sum) print i, sum[i] }'
}

# Whether the files of the test are on no disk.
in_memory() {
    [ "$(stat -f -c %T .)" = tmpfs ]
}

check_waits() {
    try stackrecord --wall -- "$waits" figures file 10
    [ "$status" -eq 0 ] || return
    stackcollapse -q --tid <<<"$output" >out.folded
    near "$(sum 'wait_sleep;.*;\[wait: sleep\] ' <out.folded)" "$(measured wait_sleep)" 3 &&
        near "$(sum 'wait_lock;.*;\[wait: futex\] ' <out.folded)" "$(measured wait_lock)" 3 &&
        near "$(sum 'wait_pipe;.*;\[wait: pipe\] ' <out.folded)" "$(measured wait_pipe)" 3 &&
        { in_memory || near "$(sum 'wait_disk;.*;\[wait: disk\] ' <out.folded)" "$(measured wait_disk)" 5; } || return
    local tid wall cpu
    read -r _ tid wall cpu < <(grep ^thread figures)
    near "$(sum "/$tid;" <out.folded)" "$wall" 1
}

@test "a thread's sum is its whole time, and each wait has its kind and the time that the program measures itself" {
    [ "$(id -u)" -eq 0 ] || skip "only root sees the kernel's functions everywhere"
    thrice check_waits
}

check_burn() {
    local wall cpu
    try stackrecord --wall --folded -- "$works" burn
    [ "$status" -eq 0 ] || return
    read -r wall cpu <<<"$stderr"
    # The program measures from main on: where the machine is busy it has waited before, in _start.
    near "$(sum ';main;' <<<"$output")" "$wall" 2 || return
    near "$(sum '' < <(grep -v '\[wait' <<<"$output"))" "$cpu" 3 || return
    # What ran for shorter than from one sample to the next has its time nevertheless.
    near "$(sum ';burn[; ]' < <(grep -v '\[wait' <<<"$output"))" "$cpu" 15
}

@test "short work between short sleeps has its share of the time on a CPU" {
    thrice check_burn
}

check_exchange() {
    local wall cpu sums
    try stackrecord --wall --folded -- "$works" exchange
    [ "$status" -eq 0 ] || return
    read -r wall cpu <<<"$stderr"
    sums=$(sum '' <<<"$output")
    near "$sums" "$((2 * wall))" 3
}

check_queue() {
    local wait
    taskset -c "$1" sh -c 'while :; do :; done' 3>&- &
    running=$!
    try stackrecord -q --wall --folded -- taskset -c "$1" "$works" queue
    kill "$running"
    running=''
    [ "$status" -eq 0 ] || return
    # The program's output goes to standard error, beside the line with its times.
    near "$(sum '\[wait: run queue\] ' <<<"$output")" "$(awk '$1 == "queued" { print $2 }' <<<"$stderr")" 20 || return
    wait=$(sum 'usleep;.*\[wait: run queue\] ' <<<"$output")
    [ "$wait" -gt 20000 ] # a hundredth of a millisecond after each of its naps, if not more
}

@test "a thread that is woken, and waits for a CPU that another one has, waits in the run queue" {
    command -v taskset >/dev/null || skip 'no taskset'
    [ -e /proc/self/schedstat ] || skip 'this kernel does not count how long threads are ready'
    thrice check_queue "$(taskset -pc $$ | sed 's/.*[ ,-]//')"
}

@test "processes that wait for each other forty thousand times have their whole time, and few samples" {
    thrice check_exchange
    try stackrecord --wall -- "$works" exchange
    [ "$(grep -c 'wall: ' <<<"$output")" -lt 2000 ]
}

@test "each of 200 threads, and of 20 processes, has its time" {
    try stackrecord --wall -- "$works" threads
    [ "$status" -eq 0 ]
    stackcollapse -q --tid <<<"$output" | threads >sums
    [ "$(wc -l <sums)" -eq 201 ]
    [ "$(awk '$2 >= 299000 && $2 < 600000' sums | wc -l)" -ge 200 ]
    try stackrecord --wall -- "$works" forks
    [ "$status" -eq 0 ]
    stackcollapse -q --tid <<<"$output" | threads >sums
    [ "$(wc -l <sums)" -eq 21 ]
    [ "$(awk '$2 >= 19900' sums | wc -l)" -eq 21 ]
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
    near "$(sum '' <out.folded)" 500000 5
}

@test "of threads in a deadlock, which never run, each has the stack with which it waits; flamepipe shows them, too" {
    [ "$(id -u)" -eq 0 ] || skip 'others may not be permitted to look at the process'
    "$BATS_FILE_TMPDIR/stuck" deadlock 3>&- &
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
    # Without registers there is the function that waits.
    try stackrecord --wall --folded --call-graph fp -p "$running" --duration 0.5
    grep -Eq '^stuck;[^;]*;\[wait: futex\] [0-9]+$' <<<"$output"
    try flamepipe --wall -o wall.svg -p "$running" 0.5
    [ "$status" -eq 0 ]
    grep -q '>take_both' wall.svg
    grep -q '>take_other' wall.svg
}

@test "the text says what the thread does, and its frames of waits are no functions" {
    try stackrecord --wall -- "$works" burn
    [ "$status" -eq 0 ]
    grep -Eq '^works +[0-9]+(/[0-9]+)? +\[[0-9]+\] +[0-9]+\.[0-9]{6}: +[0-9]+ +wall: waiting$' <<<"$output"
    grep -Eq '^works .* wall: running$' <<<"$output"
    grep -q $'^\t *0 \\[wait.*\\] (\\[unknown\\])$' <<<"$output"
    stackcollapse -q <<<"$output" >out.folded
    same "$(stackfilter --only wait out.folded | sum '\[wait')" "$(sum '\[wait' <out.folded)"
    same '' "$(stackfilter --hide wait out.folded | grep '\[wait')"
}

# Sets `as_nobody` to what runs a command without privileges, and puts the program where that may read it. Skips the test where that may not record itself.
without_root() { # PARANOID
    local paranoid
    paranoid=$(</proc/sys/kernel/perf_event_paranoid)
    [ "$paranoid" -le "$1" ] || skip "kernel.perf_event_paranoid is $paranoid, and only root can record what this test is about"
    as_nobody=()
    [ "$(id -u)" -ne 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
    let_others_in
    cp "$works" "$BIN/stackrecord" .
    "${as_nobody[@]}" ./works forks >/dev/null 2>&1 || skip 'no program can be run as another user here'
}

check_unprivileged() { # STACK
    local wall cpu
    try "${as_nobody[@]}" ./stackrecord --wall --folded -- ./works burn
    [ "$status" -eq 0 ] || return
    read -r wall cpu < <(grep -v : <<<"$stderr")
    near "$(sum '' <<<"$output")" "$wall" 2 || return
    near "$(sum '\[wait' <<<"$output")" "$((wall - cpu))" 4 || return
    [ "$(sum "$1" <<<"$output")" -ge 195000 ] # it sleeps 200 times a millisecond; other programs may delay it for longer
}

@test "without root the times are the same, and waits have no stacks where the kernel does not give them" {
    without_root 2
    [ "$(</proc/sys/kernel/perf_event_paranoid)" -eq 2 ] || skip 'kernel.perf_event_paranoid is not 2'
    thrice check_unprivileged '^works;\[wait\] '
    [[ $stderr == *'the waits of --wall have times and no stacks'* ]]
}

@test "without root, but with kernel.perf_event_paranoid at 1, waits have their stacks" {
    without_root 1
    thrice check_unprivileged 'main;.*;\[wait: sleep\] '
}

check_node() {
    [ ! -s pid ] || rm -f "/tmp/perf-$(<pid).map" # of the try before
    try stackrecord -q --wall --memory 1024 -- node --perf-basic-prof --interpreted-frames-native-stack app.js
    [ "$status" -eq 0 ] || return
    stackfilter -q --node <<<"$output" | stackcollapse -q --tid | grep -E '^[^;]*-([0-9]+)/\1;' >main.folded
    near "$(sum '\[wait: event loop\] ' <main.folded)" "$(measured idle)" 15 || return
    # The stack is whole, though libuv has 12 KB of events there.
    [ "$(sum '\[cut\]' <main.folded)" -eq 0 ] || return
    near "$(sum 'wait_for_lock .*\[wait: futex\] ' <main.folded)" "$(measured lock)" 10 &&
        near "$(sum 'read_slowly .*\[wait: pipe\] ' <main.folded)" "$(measured pipe)" 10
}

@test "the wait of node's event loop is told from the waits of JavaScript, for locks and for files" {
    command -v node >where || skip 'no node here'
    [ "$(id -u)" -eq 0 ] || skip "only root sees the kernel's functions everywhere"
    mkfifo slow
    cat >app.js <<'END'
const fs = require('fs'), { performance } = require('perf_hooks'), figures = [];
fs.writeFileSync('pid', String(process.pid));
function wait_for_lock() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); }
function read_slowly(from) { fs.readSync(from, Buffer.alloc(1)); }
function measure(name, work) {
    const start = performance.now();
    work();
    figures.push(`${name} ${Math.round(1000 * (performance.now() - start))}`);
}
const writer = require('child_process').spawn('sh', ['-c', 'exec >slow; sleep 1.2; echo x']);
const from = fs.openSync('slow'), start = performance.now();
setTimeout(() => {
    figures.push(`idle ${Math.round(1000 * (performance.now() - start))}`);
    measure('lock', wait_for_lock);
    measure('pipe', () => read_slowly(from));
    fs.writeFileSync('figures', figures.join('\n') + '\n');
    process.exit();
}, 500);
END
    thrice check_node
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

@test "--min-block leaves shorter waits out" {
    try stackrecord --wall --min-block=100000000 --folded -- "$works" burn
    [ "$status" -eq 0 ]
    same '' "$(grep '\[wait' <<<"$output")"
    [[ $stderr =~ 'stackrecord: '[0-9,]+' waits shorter than --min-block=100000000 are left out' ]]
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
    try stackrecord -q --wall -o works.data --text works.text -- "$BATS_FILE_TMPDIR/works" threads
    perf-script -q -F +pid --wall --min-block 5 works.data >long.text
    perf-script -q -F +pid --wall works.data | cmp - works.text
    [ "$(wc -l <long.text)" -le "$(wc -l <works.text)" ]
    try stackrecord -q --wall -o alone.data -p "$running" --duration 0.3
    [ "$(perf-script -q --wall alone.data | grep -c 'wall: waiting')" -eq 1 ]
    if command -v perf >/dev/null; then
        same "$(perf-script -q works.data | grep -c '^[^[:space:]]')" \
            "$(perf script -i works.data 2>/dev/null | grep -c '^[^[:space:]]')"
    fi
    kill "$running"
}

@test "perf-script --wall refuses a recording that does not say when threads run" {
    try stackrecord -q -e cpu-clock -o clock.data -- true
    try perf-script --wall clock.data
    [ "$status" -eq 1 ]
    [[ $stderr == *'does not say when threads stop and run again: for --wall, record with '* ]]
    try perf-script --wall --off-cpu clock.data
    [ "$status" -eq 2 ]
}
