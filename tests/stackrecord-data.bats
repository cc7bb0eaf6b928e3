# stackrecord -o: perf and perf-script must read what it writes, and print what stackrecord prints of the same samples.
load lib
load live
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

# The variable makes stackrecord print text too, of the same samples.
take() { # NAME OPTION...
    STACKRECORD_TEXT_TOO=1 stackrecord -o "$1" "${@:2}" > "$1.text" 2> "$1.why" || { echo "status $?" >> "$1.why"; rm -f "$1"; }
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
    [ ! -s node.pid ] || rm -f "/tmp/perf-$(cat node.pid).map"
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
    nearly_equal 1000 # the machine may be making programs anew
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

# Files of other processes may be gone or made anew, and perf maps be longer, before perf-script reads them.
all_again() {
    take all -a -F 999 --duration 0.3
    perf-script -q -F +pid all | without_jit > ours
    without_jit < all.text > theirs
    nearly_equal 1000
}

without_jit() {
    sed 's/ [^ ].* (\/tmp\/perf-[0-9]*\.map)$//'
}

@test "the text that stackrecord prints is that of perf-script of the same samples" {
    need cxx all
    perf-script -q -F +pid cxx > got
    cmp cxx.text got
    [ -s got ]
    thrice all_again
}

@test "JavaScript functions have the same names in the text and in what perf-script prints" {
    need node
    perf-script -q -F +pid node > got
    grep -q 'fib' got
    cmp node.text got
}

@test "tracepoints and functions have their texts in the file" {
    need_perf
    need events
    equal_to_perf events
    grep -q ' sched:sched_switch: prev_comm=' ours
    grep -q ' libc.so.6:malloc: ([0-9a-f]*)$' ours
    without_jit < events.text > wanted
    perf-script -q -F +pid events | without_jit > got
    cmp wanted got
}

@test "-o - writes the format that perf script and perf-script read from a pipe" {
    need_perf
    need cxx
    stackrecord -q -F 999 -o - -- ./shapes > through
    perf script --no-inline -i - < through > theirs
    perf-script -q --as-perf - < through > ours
    grep -q 'fill<double>' ours
    grep -q ' cpu-clock: $\| cycles: $' theirs
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
    # shellcheck disable=SC2016
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
    [[ $stderr == *'stackrecord: /dev/full: No space left on device' ]]
}

@test "a file that cannot be created is reported before anything is recorded" {
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

@test "-o with an option that changes what is printed is wrong usage" {
    for option in --folded --off-cpu --perf-map=1=shapes.cc; do
        try stackrecord -o file $option -- touch started
        [ "$status" -eq 2 ]
        [[ $stderr == *'are for what is printed: -o writes records as they are'* ]]
    done
    [ ! -e started ]
}

@test "records are not written to a terminal" {
    command -v script > /dev/null || skip "no script(1) on this machine"
    try script -qec 'stackrecord -o - -- touch started' /dev/null
    [ "$status" -eq 1 ]
    [[ $output == *'stackrecord: standard output: is a terminal, and the records are not text'* ]]
    [ ! -e started ]
}
