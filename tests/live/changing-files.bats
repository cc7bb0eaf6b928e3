# Files that their owner changes while stackrecord and perf-script read them. With
# CHANGING_SECONDS=60, each test runs for a minute.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR SECONDS_EACH=${CHANGING_SECONDS:-2}
    cd "$WORK" || return 1
    gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
    gcc -O1 -o changing "$ROOT/tests/record/app/changing.c" -ldl || [ "$(getconf LONG_BIT)" != 64 ]
    # Its symbols and their names take some hundred kilobytes, after everything that is loaded.
    for ((i = 0; i < 40; i++)); do
        echo "unsigned work_$i(unsigned n) { volatile unsigned x = $i; while (n--) x += n; return x; }"
    done > library.c
    for ((i = 0; i < 4000; i++)); do
        echo "static int a_function_that_only_has_a_name_$i(void) { return $i; }"
    done >> library.c
    gcc -O0 -fno-omit-frame-pointer -shared -fPIC -w -o library.so library.c
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recorder
    [ -x "$WORK/changing" ] || skip "the program is for 64-bit machines"
    running=()
}

teardown() {
    [ "${#running[@]}" -eq 0 ] || kill "${running[@]}" 2> /dev/null || :
    wait
    for pid in "${running[@]}"; do rm -f "/tmp/perf-$pid.map"; done
}

# Starts a program in the background, and waits until it runs.
start() { # COMMAND...
    "$@" > started &
    running+=("$!")
    soon test -s started
    : > started
}

# Prints the CPU time of a process so far, in hundredths of a second.
ticks() { # PID
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# Prints the number of samples of a command in perf script text.
samples_of() { # NAME FILE
    grep -c "^ *$1 .*: *$" "$2"
}

@test "a process that cuts, overwrites and replaces its libraries does not end stackrecord -a, nor costs others samples" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    start "$WORK/spin" 1 $((SECONDS_EACH + 60))
    for _ in 1 2 3; do start "$WORK/changing" "$WORK/library.so" $((SECONDS_EACH + 60)); done
    before=$(ticks "${running[0]}")
    timeout $((SECONDS_EACH + 30)) stackrecord -a -F 199 --duration "$SECONDS_EACH" > out 2> said
    # 199 samples per second of CPU time; a part of that time is before and after the recording.
    wanted=$(($(ticks "${running[0]}") - before))
    [ "$wanted" -gt 0 ]
    # Count samples, not names. Under sanitizers, the recorder may be slower than the recorded
    # program.
    [ -n "${SAN-}" ] || run ! grep 'records were lost, beside' said
    [ "$(samples_of changing out)" -gt 10 ]
    [ "$(samples_of spin out)" -gt "$wanted" ]
    [ "$(grep -c ' spin_here+0x.*/spin)$\| main+0x.*/spin)$' out)" -gt $((wanted * 9 / 10)) ]
}

@test "with --folded all stacks are printed at the end" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    start "$WORK/spin" 1 $((SECONDS_EACH + 60))
    for _ in 1 2 3; do start "$WORK/changing" "$WORK/library.so" $((SECONDS_EACH + 60)); done
    before=$(ticks "${running[0]}")
    timeout $((SECONDS_EACH + 30)) stackrecord -a -F 199 --duration "$SECONDS_EACH" --folded > out
    wanted=$(($(ticks "${running[0]}") - before))
    [ "$wanted" -gt 0 ]
    [ "$(awk '/^spin/ { n += $NF } END { print n + 0 }' out)" -gt "$wanted" ]
}

@test "perf-script reads a recording while the libraries in it are changed: it prints all samples, each time" {
    start "$WORK/changing" "$WORK/library.so" $((SECONDS_EACH + 60))
    stackrecord -q -F 1999 --duration 1 -p "${running[0]}" -o data
    wanted=$(perf-script -q -F comm data | wc -l)
    [ "$wanted" -gt 10 ]
    end=$(($(date +%s) + SECONDS_EACH))
    while [ "$(date +%s)" -lt "$end" ]; do
        timeout 20 perf-script data > out 2> said
        [ "$(samples_of changing out)" -eq "$wanted" ]
    done
}
