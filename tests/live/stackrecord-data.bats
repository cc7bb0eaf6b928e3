# stackrecord -o: perf and perf-script must read what it writes, and print what stackrecord prints of the same samples.
# shellcheck disable=SC2016
load ../lib
load perfdata

cxx_program() {
    cat << 'EOF'
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace {

template <typename T> __attribute__((noinline)) void fill(std::vector<T> &v, const std::function<T(int)> &make)
{
    for (size_t i = 0; i < v.size(); i++)
        v[i] = make(static_cast<int>(i));
}

void work(int seed, int rounds)
{
    std::vector<double> v(4096);
    for (int round = 0; round < rounds; round++) {
        fill<double>(v, [=](int i) { return std::sin(i * seed + round); });
        std::sort(v.begin(), v.end(), [](double a, double b) { return a * a < b * b; });
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<std::thread> threads;
    for (int i = 1; i < 4; i++)
        threads.emplace_back(work, i, argc > 1 ? std::atoi(argv[1]) : 300);
    for (std::thread &t : threads)
        t.join();
}
EOF
}

take() { # NAME OPTION...
    stackrecord -o "$1" "${@:2}" > "$1.out" 2> "$1.why" || { echo "status $?" >> "$1.why"; rm -f "$1"; }
}

setup_file() {
    own_home
    cxx_program > shapes.cc
    printf '%s\n' 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }' \
        'const end = Date.now() + 700; while (Date.now() < end) fib(20);' > node.js
    # Without a PLT, whose entries perf names in another way in each format.
    if g++ -O1 -g -fno-omit-frame-pointer -fno-plt -pthread -o shapes shapes.cc 2> cxx.why; then
        take cxx -F 999 -- ./shapes
    fi
    take all -a -F 999 --duration 1
    touch all.of-all
    take events -e sched:sched_switch,cpu-clock,libc.so.6:malloc -- sh -c 'seq 2000 | sort | wc -l >&2'
    if command -v node > /dev/null; then
        # Its perf map is still there when the recording is read.
        take node -F 999 -- sh -c 'echo $$ > node.pid; exec node --perf-basic-prof node.js'
    else
        echo "no node on this machine" > node.why
    fi
}

teardown_file() {
    cd "$BATS_FILE_TMPDIR"
    for file in *.pid; do
        [ ! -s "$file" ] || rm -f "/tmp/perf-$(cat "$file").map"
    done
}

# As in perfdata.bash, but that stackrecord records nothing is a fault, unless the kernel forbids it.
need() { # NAME...
    local name
    cd "$BATS_FILE_TMPDIR" || return
    for name; do
        [ ! -s "$name" ] || continue
        ! grep -q '^status ' "$name.why" || needs_recording "$name.why"
        skip "$(head -n 1 "$name.why")"
    done
}

# Skips the test if there is no perf.
need_perf() {
    command -v perf > /dev/null || skip "no perf on this machine"
}

@test "perf script and perf-script print the same of what -o wrote" {
    need_perf
    need cxx all node
    equal_to_perf cxx
    equal_to_perf node
    of_perf all > theirs
    perf-script -q --as-perf all > ours
    nearly_equal 1000 || excused all # the machine may be making programs anew
}

@test "perf report and perf inject accept what -o wrote" {
    need_perf
    need cxx
    perf report --stdio --no-inline --no-children -g none -i cxx > hottest
    grep -q ' shapes .*work' hottest
    perf report --header-only -i cxx > header
    grep -qF "# hostname : $(uname -n)" header
    grep -qF "# cmdline : " header
    grep -qF ' -F 999 -- ./shapes' header
    perf inject -b -i cxx -o injected
    of_perf cxx > wanted
    of_perf injected > got
    cmp wanted got
}

# Two recorders at a time take the same samples of an event whose every occurrence is one, but each at a time of its own,
# so that threads may come in another order. Writes the samples of each thread, without times, to a file in the folder.
by_thread() { # FOLDER COMMAND
    mkdir "$1"
    sed 's/^\([^\t].*\]\) *[0-9]*\.[0-9]*: */\1 /' | awk -v folder="$1" -v command="$2" -v RS= '
        $1 == command { thread = $2; sub(".*/", "", thread); print > (folder "/" thread) }'
}

# Fails if what one recorder has printed, in the file both.text, is not what perf-script prints of the other one's file.
same_samples() { # COMMAND
    rm -rf of-file of-text
    perf-script -q -F +pid both | by_thread of-file "$1"
    by_thread of-text "$1" < both.text
    diff -r of-text of-file > differences || { head -n 20 differences; return 1; }
    [ -n "$(ls of-file)" ]
}

both_record() { # EVENT COMMAND...
    stackrecord -q --call-graph fp -e "$1" -c 1 -o both -- stackrecord -q --call-graph fp -e "$1" -c 1 -- "${@:2}" > both.text
}

@test "the text that stackrecord prints is that of perf-script of the same samples" {
    need cxx
    both_record page-faults sh -c 'exec ./shapes 20'
    same_samples shapes
    grep -q '::work' both.text
}

@test "text and file have the same samples of a process that ran before all processes were recorded" {
    need cxx all
    rm -f start # of an earlier try
    mkfifo start
    sh -c 'read -r go < start; exec ./shapes 100' & work=$!
    stackrecord --memory 512 -a --call-graph fp -e context-switches -c 1 > both.text 2> one.said & one=$!
    stackrecord --memory 512 -a --call-graph fp -e context-switches -c 1 -o both 2> other.said & other=$!
    soon test -s both.text
    soon test -s both
    echo go > start
    wait $work
    kill $one $other
    wait $one
    wait $other
    # Other tests have processes come and go faster than a slow recorder reads of them.
    ! grep -h ' were lost' one.said other.said || skip 'records were lost: this machine is busy'
    same_samples shapes
    grep -q '::work' both.text
}

@test "JavaScript functions have the same names in the text and in what perf-script prints" {
    need node
    printf '%s\n' 'function touch(bytes, at) { for (; at < bytes.length; at += 4096) bytes[at] = 1; }' \
        'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }' \
        'const end = Date.now() + 500; while (Date.now() < end) { touch(new Uint8Array(1 << 17), 0); fib(20); }' > touch.js
    both_record page-faults sh -c 'echo $$ > touch.pid; exec node --perf-basic-prof touch.js'
    same_samples node
    grep -q 'touch .*touch.js' both.text
}

@test "tracepoints and functions have their texts in the file" {
    need_perf
    need events
    equal_to_perf events
    grep -q ' sched:sched_switch: prev_comm=' ours
    grep -q ' libc.so.6:malloc: ([0-9a-f]*)$' ours
    perf-script -q events > file
    grep -q ' sched:sched_switch: prev_comm=' file
    # One process: where several that were forked are on one CPU after the other, the kernel misses calls.
    seq 2000 > numbers
    both_record sched:sched_switch,libc.so.6:malloc sort -o sorted numbers
    same_samples sort
    grep -q ' libc.so.6:malloc: ([0-9a-f]*)$' both.text
}

@test "-o - writes the format that perf script and perf-script read from a pipe" {
    need_perf
    need cxx
    stackrecord -q -F 999 -o - -- ./shapes > through
    perf script --no-inline -i - < through > theirs
    perf-script -q --as-perf - < through > ours
    grep -q 'fill<double>' ours
    grep -q ' \(cpu-clock\|cycles\)\(:u\)\?: $' theirs
    nearly_equal 10000
}

@test "a FIFO gets the format for pipes too" {
    need cxx
    rm -f fifo; mkfifo fifo
    perf-script -q - < fifo > ours &
    stackrecord -q -F 999 -o fifo -- ./shapes
    wait $!
    grep -q 'fill<double>' ours
}

@test "perf-script reads the file of a recorder that was killed" {
    need cxx
    ./shapes 100000 & work=$!
    stackrecord -q -F 4999 -o killed -p $work & recorder=$!
    soon eval '[ "$(stat -c %s killed 2> why || echo 0)" -gt 20000 ]'
    kill -KILL $recorder
    kill $work 2> /dev/null || true
    wait $recorder $work 2> /dev/null || true
    try perf-script killed
    [ "$status" -eq 0 ]
    [[ $stderr == *"perf-script: killed: the recorder did not finish it: what is there is read"* ]]
    [ "$(grep -c '^shapes ' <<< "$output")" -gt 20 ]
    [[ $output == *'fill<double>'* ]]
}

@test "where all processes had to be recorded, the file has the samples of those that were wanted" {
    need cxx
    [ "$(id -u)" -eq 0 ] || skip "needs root, to record all processes"
    ./shapes 100000 & work=$!
    soon eval '[ "$(find /proc/$work/task -maxdepth 1 | wc -l)" -eq 5 ]'
    # No room for the counters of its four threads on all CPUs, beside what is open already.
    try bash -c 'ulimit -n $(($(ls /proc/self/fd | wc -l) + $(nproc) + 7)) &&
        exec stackrecord -F 999 -o some --duration 0.5 -p "$1"' bash "$work"
    kill $work 2> /dev/null || true
    wait $work 2> /dev/null || true
    [ "$status" -eq 0 ]
    [[ $stderr == *'all processes are recorded, and the samples of others dropped'* ]]
    same shapes "$(perf-script -q some | sed -n 's/^\([^ \t]*\) .*/\1/p' | sort -u | grep -vxF :-1)"
}

@test "a full disk ends the recording with a message" {
    need cxx
    try stackrecord -o /dev/full -- true
    [ "$status" -eq 1 ]
    # Where the machine is busy, true may not have ended yet.
    [[ $stderr =~ 'stackrecord: /dev/full: No space left on device'($'\n''stackrecord: the command goes on as process '.*)?$ ]]
}

@test "a file that cannot be created is reported before anything is recorded" {
    needs_recorder
    try stackrecord -o no-such-folder/file -- touch started
    [ "$status" -eq 1 ]
    [[ $stderr == *'stackrecord: no-such-folder/file: No such file or directory' ]]
    [ ! -e started ]
}

@test "a recording that cannot begin leaves the file that was there, and creates none" {
    need cxx
    cd "$BATS_TEST_TMPDIR"
    echo old > old
    for name in old new; do
        run -127 stackrecord -o $name -- ./no-such-command
        run -1 stackrecord -o $name -p 999999999
    done
    [ "$(cat old)" = old ]
    [ ! -e new ]
}

@test "-o follows no link of another user, and opens no FIFO of another user" {
    needs_recorder
    [ "$(id -u)" -eq 0 ] || skip "needs root, to make another user's files"
    cd "$BATS_TEST_TMPDIR"
    echo old > target
    ln -s target link
    mkfifo trap
    chown -h nobody link trap
    for name in link trap; do
        try stackrecord -q -o $name -- touch started
        [ "$status" -eq 1 ]
        [[ $stderr == "stackrecord: $name: is another user's "* ]]
    done
    [ "$(cat target)" = old ]
    [ ! -e started ]
    ln -s target own
    try stackrecord -q -o own -- true
    [ "$status" -eq 0 ]
    perf-script -q target > text
}

@test "-o with an option that changes what is printed is wrong usage, unless --text prints" {
    for option in --folded '--off-cpu --min-block=5' --perf-map=1=shapes.cc; do
        # shellcheck disable=SC2086 # two words
        try stackrecord -o file $option -- touch started
        [ "$status" -eq 2 ]
        [[ $stderr == *'are for what is printed: -o writes records as they are'* ]]
    done
    [ ! -e started ]
}

@test "-o FILE --text FILE writes both, and perf-script prints the same text of the records" {
    needs_recorder
    for options in '' '--call-graph fp' '--call-graph dwarf' '--call-graph dwarf --keep-stacks'; do
        # shellcheck disable=SC2086 # words
        try stackrecord -q -F 499 $options -o both.data --text both.text -- ./shapes 20
        [ "$status" -eq 0 ]
        [ -s both.text ]
        perf-script -q -F +pid both.data | cmp - both.text
    done
    try stackrecord -o both --text both -- touch started
    [ "$status" -eq 2 ]
    try stackrecord --keep-stacks -- touch started
    [ "$status" -eq 2 ]
    [ ! -e started ]
}

@test "records are not written to a terminal" {
    needs_recorder
    command -v script > /dev/null || skip "no script(1) on this machine"
    try script -qec 'stackrecord -o - -- touch started' /dev/null
    [ "$status" -eq 1 ]
    [[ $output == *'stackrecord: standard output: is a terminal, and the records are not text'* ]]
    [ ! -e started ]
}

@test "--check of a file counts the stacks that are cut among all, as of its text" {
    needs_recorder
    # shellcheck disable=SC2016
    printf '%s\n' '#include <time.h>' 'static volatile long n;' 'static void spin(void) {' \
        '    for (clock_t end = clock() + CLOCKS_PER_SEC / 5; clock() < end;) n++; }' \
        '__attribute__((noinline)) static int deep(int k) { volatile char frame[1024];' \
        '    frame[0] = 1; if (k == 0) spin(); else deep(k - 1); return frame[0]; }' \
        'int main(void) { spin(); deep(100); return 0; }' > deep-check.c
    gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep-check.c
    try stackrecord -q -F 499 --call-graph dwarf,4096 -o deep.data -- ./deep
    [ "$status" -eq 0 ]
    perf-script -q deep.data > deep.txt
    grep -q '\[cut\]' deep.txt
    perf-script -q --check deep.data | sed -n '/^unwound stacks/,/^$/p' > check-of-file
    perf-script -q --check deep.txt | sed -n '/^unwound stacks/,/^$/p' > check-of-text
    grep -Eq '^ +[1-9].* reach the root$' check-of-file
    diff check-of-text check-of-file
}
