# stackrecord -o: perf and perf-script must read its output, and perf-script must print the same as
# stackrecord for the same records. tests/replay checks with stored recordings that perf prints the
# same.
load ../lib

setup_file() {
    export HOME=$BATS_FILE_TMPDIR PERF_CONFIG=/dev/null # perf copies binaries to it
    cd "$HOME" || return
    gcc -O1 -g -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
    needs_recorder
}

@test "perf script, perf report and perf inject accept what -o wrote, of a file and of a pipe" {
    command -v perf > /dev/null || skip "no perf on this machine"
    stackrecord -q -F 999 -o data -- ./spin 3 0.3 > out
    perf report --stdio --no-inline --no-children -g none -i data > hottest
    grep -q ' spin .*spin_here' hottest
    perf report --header-only -i data > header
    grep -qF "# hostname : $(uname -n)" header
    grep -qF "# cmdline : " header
    grep -qF ' -F 999 -o data -- ./spin' header
    perf inject -b -i data -o injected
    perf script --no-inline -i data > wanted
    grep -q ' spin_here+' wanted
    perf script --no-inline -i injected | cmp wanted -
    stackrecord -q -F 999 -o - -- ./spin 3 0.3 2> out > through
    perf script --no-inline -i - < through > theirs
    same "$(grep -c cpu-clock theirs)" "$(perf-script -q - < through | grep -c cpu-clock)"
}

# Fails unless perf-script prints the same for the file as stackrecord printed for the same records.
# Programs that ran are in both.text.
same_text() { # [--off-cpu] OPTION... -- COMMAND...
    local derived=()
    [ "$1" != --off-cpu ] || derived=("$1")
    stackrecord -q -o both.data --text both.text "$@" > out
    perf-script -q -F +pid "${derived[@]}" both.data | cmp - both.text
}

@test "-o FILE --text FILE writes both, and perf-script prints the same text of the records" {
    local options
    for options in '' '--call-graph fp' '--call-graph dwarf' '--call-graph auto' '--call-graph dwarf --keep-stacks'; do
        # shellcheck disable=SC2086 # words
        same_text -F 499 $options -- ./spin 3 0.3
        grep -q ' spin_here+' both.text
    done
    try stackrecord -o both --text both -- touch started
    [ "$status" -eq 2 ]
    try stackrecord --keep-stacks -- touch started
    [ "$status" -eq 2 ]
    [ ! -e started ]
}

@test "so it does of a process that ran before all processes were recorded" {
    ./spin 3 60 > spinning & work=$!
    soon test -s spinning
    stackrecord -q -a -F 499 -o both.data --text both.text --duration 0.3
    kill $work
    perf-script -q --comm spin both.text > wanted
    perf-script -q -F +pid --comm spin both.data | cmp - wanted
    grep -q ' spin_here+' wanted
}

@test "so it does of code that took the place of other code, with a perf map that grows, also in a container" {
    gcc -O1 -fno-omit-frame-pointer -o code "$ROOT/tests/replay/app/code.c"
    same_text -F 499 -- ./code 20 /tmp pause
    remove_maps < both.text
    grep -o ' made[0-9]* ' both.text | uniq > names
    [ "$(wc -l < names)" -gt 10 ]
    same "$(sort -V names)" "$(cat names)"
    unshare --pid --mount --fork mount -t tmpfs none /tmp 2> why || skip "may not make namespaces"
    same_text -F 499 -- unshare --pid --mount --fork sh -c 'mount -t tmpfs none /tmp && ./code 20 /tmp pause'
    grep -q ' made19 ' both.text
}

@test "so it does of tracepoints and functions with their texts, and of JavaScript functions without their perf map" {
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    same_text -e sched:sched_switch,cpu-clock,libc.so.6:malloc -- sh -c 'seq 2000 | sort'
    grep -q ' sched:sched_switch: prev_comm=' both.text
    grep -q ' libc.so.6:malloc: ([0-9a-f]*)$' both.text
    command -v node > /dev/null || skip "no node on this machine"
    echo 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } fib(32)' > fib.js
    stackrecord -q -F 499 -o both.data --text both.text -- node --perf-basic-prof fib.js
    remove_maps < both.text
    perf-script -q -F +pid both.data | cmp - both.text
    grep -q 'fib .*fib.js' both.text
}

@test "so it does of waits" {
    local options
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    for options in '' '--call-graph dwarf'; do
        # shellcheck disable=SC2086 # words
        same_text --off-cpu $options -- sh -c 'seq 2000 | sort; sleep 0.1'
        grep -q '^sleep .* off-cpu: state S$' both.text
    done
}

@test "so it does of code that a jitdump describes, also of V8's own code, which lies in node's file" {
    gcc -O1 -fno-omit-frame-pointer -o jitting "$ROOT/tests/record/app/jitting.c" 2> why || skip "it makes no code for this machine"
    same_text -F 499 -- ./jitting 0.5
    grep -q ' f[0-9]*()+0x[0-9a-f]* (.*/jitted-[0-9]*-[0-9]*.so)$' both.text
    command -v node > /dev/null || skip "no node on this machine"
    echo 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } fib(32)' > fib.js
    same_text -F 499 -- node --perf-prof --interpreted-frames-native-stack fib.js
    grep -q 'fib .*fib.js.* (.*/jitted-[0-9]*-[0-9]*.so)$' both.text
    grep -q ' Builtin:[^ ]* (.*/jitted-[0-9]*-[0-9]*.so)$' both.text
}

@test "a FIFO gets the format for pipes too" {
    rm -f fifo; mkfifo fifo
    perf-script -q - < fifo > ours &
    stackrecord -q -F 999 -o fifo -- ./spin 3 0.3
    wait $!
    grep -q 'spin_here' ours
}

@test "perf-script reads the file of a recorder that was killed" {
    ./spin 3 100 & work=$!
    stackrecord -q -F 4999 -o killed -p $work & recorder=$!
    soon eval '[ "$(stat -c %s killed 2> why || echo 0)" -gt 20000 ]'
    kill -KILL $recorder
    kill $work 2> /dev/null || true
    wait $recorder $work 2> /dev/null || true
    answers 0 '*spin_here*' '*perf-script: killed: the recorder did not finish it: what is there is read*' \
        perf-script killed
    [ "$(grep -c '^spin ' <<< "$output")" -gt 20 ]
}

@test "where all processes had to be recorded, the file has the samples of those that were wanted" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, to record all processes"
    ./spin 3 100 & work=$!
    soon eval '[ "$(find /proc/$work/task -maxdepth 1 | wc -l)" -eq 5 ]'
    # There is no room for the counters of its four threads on all CPUs, in addition to the open
    # files.
    try bash -c 'ulimit -n $(($(ls /proc/self/fd | wc -l) + $(nproc) + 7)) &&
        exec stackrecord -F 999 -o some --duration 0.5 -p "$1"' bash "$work"
    kill $work 2> /dev/null || true
    wait $work 2> /dev/null || true
    [ "$status" -eq 0 ]
    [[ $stderr == *'all processes are recorded, and the samples of others dropped'* ]]
    same spin "$(perf-script -q some | sed -n 's/^\([^ \t]*\) .*/\1/p' | sort -u | grep -vxF :-1)"
}

@test "a full disk ends the recording with a message" {
    try stackrecord -o /dev/full -- true
    [ "$status" -eq 1 ]
    # On a busy machine, true may not have ended yet.
    [[ $stderr =~ 'stackrecord: /dev/full: No space left on device'($'\n''stackrecord: the command goes on as process '.*)?$ ]]
}

@test "a file that cannot be created is reported before anything is recorded" {
    answers 1 '*' '*stackrecord: no-such-folder/file: No such file or directory' \
        stackrecord -o no-such-folder/file -- touch started
    [ ! -e started ]
}

@test "a recording that cannot begin leaves the file that was there, and creates none" {
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
    [ "$(id -u)" -eq 0 ] || skip "needs root, to make another user's files"
    cd "$BATS_TEST_TMPDIR"
    echo old > target
    ln -s target link
    mkfifo trap
    chown -h nobody link trap
    for name in link trap; do
        answers 1 '*' "stackrecord: $name: is another user's *" stackrecord -q -o $name -- touch started
    done
    [ "$(cat target)" = old ]
    [ ! -e started ]
    ln -s target own
    try stackrecord -q -o own -- true
    [ "$status" -eq 0 ]
    perf-script -q target > text
}

@test "-o with an option that changes what is printed is wrong usage, unless --text prints" {
    for option in --folded '--off-cpu --min-block=5' --perf-map=1=spin.c; do
        # shellcheck disable=SC2086 # two words
        answers 2 '*' '*are for what is printed: -o writes records as they are*' \
            stackrecord -o file $option -- touch started
    done
    [ ! -e started ]
}

@test "records are not written to a terminal" {
    command -v script > /dev/null || skip "no script(1) on this machine"
    answers 1 '*stackrecord: standard output: is a terminal, and the records are not text*' '*' \
        script -qec 'stackrecord -o - -- touch started' /dev/null
    [ ! -e started ]
}

@test "--check of a file counts the stacks that are cut among all, as of its text" {
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
