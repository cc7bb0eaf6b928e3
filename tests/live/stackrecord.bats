# stackrecord: what it records, how it ends, and its messages if it may not record.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    export HOME=$BATS_FILE_TMPDIR # where perf keeps its copies of binaries
    cd "$WORK" || return 1
    chmod 755 "$WORK"
    gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recorder
    spin=$WORK/spin
    running=
}

teardown() {
    [ -z "$running" ] || kill "$running" 2> /dev/null || :
    [ ! -d "${group-}" ] || soon rmdir "$group"
}

# Starts the program in the background, with this number of threads, for this number of seconds, and
# waits until they run.
start() { # THREADS SECONDS
    "$spin" "$@" > started &
    running=$!
    soon test -s started
}

only_root() {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
}

# Tries a command as a user without privileges, who may be unable to reach the build.
try_as_nobody() { # COMMAND...
    let_others_in
    cp "$BIN/stackrecord" "$spin" .
    PATH=$PWD:$PATH HOME=/nonexistent try setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# The recorder's messages to users without privileges are the same, except for a note, and the
# events, which end with ":u".
said() { # TEXT
    sed '/^stackrecord: only code in user mode is sampled: /d; s/^\(stackrecord: [a-z-]*\):u:/\1:/' <<< "$1"
}

paranoid() {
    cat /proc/sys/kernel/perf_event_paranoid
}

samples() { # FILE
    grep -c '^[^	 ].*: $' "$1"
}

# Prints the CPU time of a process, in hundredths of a second.
hundredths_run() { # PID
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

# Prints the last thread that a process started.
last_thread() { # PID
    printf '%s\n' "/proc/$1/task/"* | sed 's,.*/,,' | sort -n | tail -n 1
}

# Prints the threads that have samples.
threads() { # FILE
    awk '/^[^\t]/ && NF > 3 { sub(".*/", "", $2); print $2 }' "$1" | sort -u
}

# Records to the file "out" until the condition is met; how long that takes depends on the rest of
# the machine. The recorder's messages are in the file "said".
record_until() { # CONDITION OPTION...
    stackrecord "${@:2}" > out 2> said 3>&- &
    local recorder=$! result=0
    soon eval "$1" || result=1
    kill -TERM "$recorder"
    wait "$recorder" || return
    return $result
}

has_samples() {
    [ "$(samples out)" -ge 20 ]
}

# The command

@test "a command is recorded, and its exit status is passed on" {
    answers 7 '*' started stackrecord -q -- "$spin" 1 0.3 7
    [[ "$output" == *spin_here+0x* ]]
}

@test "a command that is ended by a signal gives 128 and the signal's number" {
    try stackrecord -q -- sh -c 'kill -9 $$'
    [ "$status" -eq 137 ]
}

@test "a command that does not exist gives status 127, one that is no program 126" {
    run -127 --separate-stderr stackrecord -q -- ./missing
    [ "$stderr" = "stackrecord: ./missing: No such file or directory" ]
    answers 126 '*' "stackrecord: /: Permission denied" stackrecord -q -- /
}

@test "what a command prints goes to standard error, and standard output has nothing but samples" {
    echo in > input
    try stackrecord -q -F 999 -- sh -c "cat; '$spin' 1 0.3 | sed 's/.*/step 10 done in phase 10/'" < input
    [ "$status" -eq 0 ]
    same $'in\nstep 10 done in phase 10' "$(head -n 2 <<< "$stderr")"
    [[ "$output" == *spin_here+0x* ]]
    printf '%s\n' "$output" > out
    answers 0 '*' '' perf-script out
}

@test "where a command has no standard error, what it prints is not among the samples either" {
    try sh -c 'exec stackrecord -q -F 999 -- sh -c "echo step 10; exec \"$1\" 1 0.3" 2>&-' sh "$spin"
    [ "$status" -eq 0 ]
    [[ "$output" == *spin_here+0x* ]]
    [[ "$output" != *step* ]]
}

@test "with -o a command keeps its standard output, and with -o - it goes to standard error" {
    answers 0 out err stackrecord -q -o data -- sh -c 'echo out; echo err >&2'
    stackrecord -q -F 999 -o - -- sh -c "echo to stderr; exec '$spin' 1 0.3" > data 2> err
    same 'to stderr' "$(head -n 1 err)"
    try perf-script data
    [ "$status" -eq 0 ]
    [[ "$output" == *spin_here+0x* ]]
}

@test "with --text the samples are in a file, and the command keeps its standard output" {
    answers 0 $'out\nstarted' err \
        stackrecord -q -F 999 --text samples -- sh -c "echo out; echo err >&2; exec '$spin' 1 0.3"
    grep -q spin_here+0x samples
    echo old > samples
    try stackrecord -q --folded -F 999 --text=samples -- "$spin" 1 0.3
    [ "$status" -eq 0 ]
    grep -q '^spin;.*spin_here ' samples
    run ! grep -q old samples
    [ "$(stat -c %s samples)" -gt 0 ]
}

@test "--header says before the samples what is recorded, and other programs take the text as without" {
    stackrecord -q --header -F 999 --text samples -- "$spin" 1 0.3
    same "# hostname : $(uname -n)" "$(sed -n 1p samples)"
    sed -n 2p samples | grep -Eq '^# captured on : 20[0-9-]{8}T[0-9:]{8}Z$'
    same "# command : $spin 1 0.3" "$(sed -n 3p samples)"
    sed -n 4p samples | grep -Eq '^# monotonic clock : [0-9]+\.[0-9]{6} at 20[0-9-]{8}T[0-9:]{8}\.[0-9]{6}Z$'
    same "$(grep -v '^#' samples | stackcollapse)" "$(stackcollapse samples)"
    same "$(grep -v '^#' samples | stackcollapse-perf.pl)" "$(stackcollapse-perf.pl samples)"
    bash -c 'exec -a "$1" "$2" 1 60' - $'two\nwords\e' "$spin" &
    local pid=$!
    until grep -q "^two" /proc/$pid/cmdline; do sleep 0.01; done
    try stackrecord -q --header -F 999 -p $pid --duration 0.2
    kill $pid
    same 0 "$status"
    same "# process : $pid : two?words? 1 60" "$(sed -n 3p <<<"$output")"
}

@test "a file of --text that cannot be written is found before the command is started" {
    answers 1 '*' "stackrecord: nowhere/samples: No such file or directory" \
        stackrecord -q --text nowhere/samples -- touch started
    [ ! -e started ]
    run -127 stackrecord -q --text full -- no-such-command
    [ ! -e full ]
}

@test "where standard output or error is closed, no file takes its place" {
    answers 1 '*' '*stackrecord: standard output: Bad file descriptor' sh -c 'exec stackrecord -- touch started >&-'
    [ ! -e started ]
    try sh -c 'exec stackrecord -q -o data -- touch started <&- >&-'
    [ "$status" -eq 0 ]
    [ -e started ]
    try perf-script data
    [ "$status" -eq 0 ]
    sh -c 'exec stackrecord -F 999 --text samples -- "$1" 1 0.3 2>&-' sh "$spin"
    run ! grep -q '^stackrecord: ' samples
}

@test "options of the command are its own" {
    answers 0 '*' "-p -F 3 --list -- -a" stackrecord -q -- sh -c 'echo "$@"' sh -p -F 3 --list -- -a
}

@test "what a command starts and executes is recorded with it" {
    stackrecord -q -F 999 -- sh -c "cp '$spin' ./child; ./child 1 0.2; exec '$spin' 1 0.2" > out
    grep -q '^child ' out
    grep -q '^spin ' out
}

@test "500 threads are recorded" {
    stackrecord -q --call-graph fp -e cpu-clock -c 200000 -- "$spin" 500 1 > out
    [ "$(threads out | wc -l)" -ge 500 ]
}

# The target

@test "-p records all threads of a process, also those that it starts later" {
    "$spin" 3 2 0 0.5 > started &
    running=$!
    soon test -s started
    stackrecord -q -F 999 -p "$running" > out
    [ "$(threads out | wc -l)" -ge 3 ]
    [ "$(threads out | grep -cvx "$running")" -ge 3 ]
}

@test "-p records a process whose first thread has ended, with the names of its functions" {
    cat > main-ends.c <<- 'END'
	#include <pthread.h>
	#include <unistd.h>

	__attribute__((noinline)) static void turn_here(void)
	{
	    for (volatile long i = 0; i < 1000000; i++)
	        ;
	}

	static void *run(void *arg)
	{
	    for (;;)
	        turn_here();
	    return arg;
	}

	int main(void)
	{
	    pthread_t thread;
	    pthread_create(&thread, NULL, run, NULL);
	    pthread_exit(NULL);
	}
	END
    gcc -O1 -fno-omit-frame-pointer -pthread -o main-ends main-ends.c
    ./main-ends &
    running=$!
    soon grep -q '^State:.*Z' "/proc/$running/status"
    record_until "grep -q ' turn_here+0x' out" -q -F 999 -p "$running"
}

@test "a thousand busy threads that share the CPUs are sampled from the first second on" {
    only_root
    nice -n 19 "$spin" 1000 30 > started & # so that the other tests get the CPUs
    running=$!
    soon [ -s started ]
    # On a busy machine, they run for little of the time. They must have at least a fifth of the
    # samples that this makes.
    local ran
    ran=-$(hundredths_run "$running")
    stackrecord -q --duration 2 -p "$running" > out
    ran=$((ran + $(hundredths_run "$running")))
    [ "$(samples out)" -gt 0 ]
    [ "$(samples out)" -ge $((ran / 5)) ]
    [ "$(threads out | wc -l)" -ge $((ran / 10)) ]
    run ! grep -v "^spin " <(grep '^[^	 ]' out)
}

@test "a process of many threads is recorded until the last of them ends, though the first one ended before" {
    only_root
    gcc -O1 -pthread -o leave "$ROOT/tests/record/app/leave.c"
    mkfifo stay
    ./leave $((51 * $(nproc))) < stay > started &
    running=$!
    exec 8> stay
    soon test -s started
    timeout 30 stackrecord -q -p "$running" > out 8>&- &
    local recorder=$!
    soon test -s out
    exec 8>&-
    wait "$recorder"
    grep -q '^after ' out
}

@test "the command keeps its priority" {
    answers 0 '*' "$(nice)" stackrecord -q -- nice
}

@test "without samples a message says what to do" {
    try stackrecord -e cpu-clock --duration 0.2 -- sleep 1
    [ "$status" -eq 0 ]
    same "stackrecord: no samples: nothing that was recorded ran on a CPU for long enough: record longer, or more often (-F)" "$(said "$stderr")"
}

@test "a signal that ends a recording without samples is named, and no longer recording is advised" {
    sleep 30 &
    running=$!
    stackrecord -e cpu-clock -p "$running" > out 2> said &
    local recorder=$!
    soon grep -q '^SigCgt:.*[4-7c-f][0-9a-f]\{3\}$' "/proc/$recorder/status" # SIGTERM is caught
    kill -TERM "$recorder"
    wait "$recorder"
    same 'stackrecord: no samples: a signal ended the recording before there was one' "$(said "$(<said)")"
}

@test "a command that the kernel protects from its user is run, and a message says that it is not recorded" {
    only_root # a file that another user may not read
    local mode
    for mode in 711 4755; do
        cp "$spin" protected
        chmod "$mode" protected
        try_as_nobody ./stackrecord -e cpu-clock -- ./protected 1 0.2
        [ "$status" -eq 0 ]
        same 'stackrecord: ./protected: runs and is not recorded: its file is set-user-ID, has capabilities, or may not be read by you, so the kernel ends the recording; record as root' "$(said "$stderr" | grep -v '^started')"
    done
    chmod 755 protected
    try_as_nobody ./stackrecord -e cpu-clock -- ./protected 1 0.2
    same started "$(said "$stderr")"
}

@test "-p ends when the process ends, and has its name" {
    start 2 1
    try stackrecord -q -p "$running"
    [ "$status" -eq 0 ]
    [[ "$output" == "spin "* ]]
    running=
}

@test "-p takes what pgrep prints" {
    start 1 20
    first=$running
    "$spin" 1 20 > /dev/null &
    local second=$!
    record_until '[ "$(threads out | wc -l)" -eq 2 ]' -q -p "$(printf '%s\n%s\n' "$first" $second)"
    kill $second
}

@test "-t records one thread" {
    start 3 20
    thread=$(last_thread "$running")
    record_until has_samples -q -F 999 -t "$thread"
    same "$thread" "$(threads out)"
}

@test "-n takes the newest process of that name, and says which" {
    start 1 20
    old=$running
    "$spin" 1 20 > /dev/null &
    new=$!
    soon eval '[ "$(last_thread "$new")" -ne "$new" ]'
    thread=$(last_thread "$new")
    record_until has_samples -n spin
    kill "$new"
    [ "$old" != "$new" ]
    grep -qF "spin is process $new: $spin 1 20" said
    same "$thread" "$(threads out)"
}

@test "-a records all processes, -C those on a CPU" {
    only_root
    start 2 20
    record_until "grep -q '^spin ' out" -q -a -F 999
    record_until has_samples -q -C 0 -F 999
    same '[000]' "$(grep -o '\[[0-9]*\] ' out | tr -d ' ' | sort -u)"
}

@test "--cgroup records the processes of a cgroup" {
    only_root
    mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    group=$mount/stackrecord-test-$$
    [ -n "$mount" ] && mkdir "$group" || skip "cgroups cannot be made here"
    sh -c 'echo $$ > "$1" && exec "$2" 1 20' sh "$group/cgroup.procs" "$spin" > started &
    running=$!
    "$spin" 1 20 > /dev/null &
    soon test -s started
    local other=$!
    record_until has_samples -q --cgroup "$group"
    thread=$(last_thread "$running")
    kill $other "$running"
    wait $other "$running" || :
    rmdir "$group"
    same "$thread" "$(threads out)"
}

# The text

@test "the output is what perf-script writes of it" {
    start 2 5
    stackrecord -q -F 999 -p "$running" --duration 0.5 > out
    perf-script out > again
    cmp out again
    stackcollapse out > folded
    grep -q 'start_thread;run;spin_here' folded
}

@test "without samples of another event than time, the message does not say that nothing ran" {
    start 1 20
    prints '' stackrecord -q -e alignment-faults -p "$running" --duration 0.1
    try stackrecord -e alignment-faults -p "$running" --duration 0.1
    same "stackrecord: no samples: the event did not happen often enough in what was recorded" "$(said "$stderr")"
}

@test "each sample has the number of its process, so that threads can be counted and selected by process" {
    start 2 5
    stackrecord -q -F 999 -p "$running" --duration 0.5 > out
    [ "$(threads out | wc -l)" -ge 2 ]
    answers 0 '*' '' stackcollapse --pid out
    same "spin-$running" "$(cut -d ';' -f 1 <<< "$output" | sort -u)"
    prints "$(cat out)" perf-script --pid "$running" out
    "$COMPAT/stackcollapse-perf.pl" --pid < out > folded
    same "spin-$running" "$(cut -d ';' -f 1 folded | sort -u)"
}

@test "samples are in the order of their times, over all CPUs" {
    stackrecord -q -F 4999 -- "$spin" 4 1 > out
    awk '/^spin/ { print $4 + 0 }' out > taken
    [ "$(wc -l < taken)" -gt 100 ]
    sort -c -n taken
}

# Counts samples by their innermost function, without those of the two recorders: "malloc 120 2970",
# where the last number is the number of all. A recorder's samples are those of its command, or of
# the child that perf runs.
leaves() { # < PERF_SCRIPT_TEXT
    stackcollapse -q | awk '
        { samples = $NF; sub(/ [0-9]+$/, ""); gsub(/ /, "_"); n = split($0, f, ";") }
        f[1] !~ /^(perf|stackrecord|swapper)/ { count[f[n]] += samples; all += samples }
        END { for (name in count) print name, count[name], all }' | sort
}

# Fails if a function's share of the samples, above 1 %, differs from perf's. With n samples, a
# share p has a standard error of sqrt(p (1 - p) / n), and the difference of two recordings is never
# above six times the root of the sum of their squares. Another half percent is for the influence of
# a busy machine on only one of them.
same_shares() { # OURS THEIRS
    join -a 1 -a 2 -e 0 -o 0,1.2,1.3,2.2,2.3 "$1" "$2" | awk '
        { name[NR] = $1; a[NR] = $2; b[NR] = $4 }
        $3 > 0 { n = $3 }
        $5 > 0 { m = $5 }
        END {
            for (i = 1; i <= NR; i++) {
                p = a[i] / n
                q = b[i] / m
                if (p < 0.01 && q < 0.01)
                    continue
                limit = 6 * sqrt(p * (1 - p) / n + q * (1 - q) / m) + 0.005
                off = p - q > limit || q - p > limit
                printf "# %s: %.2f %% of %d, perf %.2f %% of %d%s\n", name[i], 100 * p, n, 100 * q, m, off ? " WRONG" : ""
                wrong += off
                compared++
            }
            exit wrong > 0 || compared == 0
        }'
}

# Prints the time of the first or last sample of a recording.
time_of() { # FILE head|tail
    perf-script -q --fields time "$1" | grep -o '[0-9.]*' | "$2" -n 1
}

both_have_samples() {
    [ "$(samples out)" -gt 1000 ] && [ "$(stat -c %s data)" -gt 200000 ]
}

# Records with both at the same time, and compares the seconds that both recorded.
record_with_both() { # OPTION... (of both)
    local from to perf recorder
    perf record -q -F 999 -g -e cpu-clock -k mono "$@" -o data > /dev/null 2>&1 3>&- &
    perf=$!
    stackrecord -q -F 999 -e cpu-clock "$@" > out 3>&- &
    recorder=$!
    soon both_have_samples
    kill -TERM $perf $recorder
    wait $recorder
    wait $perf || :
    perf script --no-inline -i data > perf.out 2> /dev/null
    from=$(printf '%s\n' "$(time_of out head)" "$(time_of perf.out head)" | sort -n | tail -n 1)
    to=$(printf '%s\n' "$(time_of out tail)" "$(time_of perf.out tail)" | sort -n | head -n 1)
    echo "# seconds $from to $to"
    perf-script -q --time "$from,$to" out > ours
    perf-script -q --time "$from,$to" perf.out > theirs
    leaves < ours > ours.leaves
    leaves < theirs > theirs.leaves
    same_shares ours.leaves theirs.leaves
}

@test "each function of a C++ program with threads has the share of the time that perf gives it" {
    [ -z "${SAN-}" ] || skip "the plain programs are compared; under sanitizers other tests record the same way"
    command -v perf > /dev/null || skip "no perf on this machine"
    g++ -O1 -fno-omit-frame-pointer -pthread -o workers "$ROOT/tests/record/app/workers.cc"
    ./workers 3 60 &
    running=$!
    record_with_both -p "$running"
    grep -q 'board<double, 4096>::fill' ours
}

@test "--user and --kernel leave the other out, --max-depth cuts stacks" {
    only_root
    stackrecord -q --user -F 999 -- dd if=/dev/zero of=/dev/null bs=1M count=4000 > out 2> /dev/null
    run ! grep -q 'kernel.kallsyms' out
    stackrecord -q --kernel -F 999 -- dd if=/dev/zero of=/dev/null bs=1M count=4000 > out 2> /dev/null
    grep -q 'kernel.kallsyms' out
    stackrecord -q --max-depth 1 -F 999 -- "$spin" 1 0.3 > out
    [ "$(samples out)" -gt 0 ]
    [ "$(grep -c '^	' out)" -le "$(samples out)" ]
}

@test "-c takes a sample each time an event has happened so often" {
    stackrecord -q -e cpu-clock -c 5000000 -- "$spin" 1 0.3 > out
    grep -q '    5000000 cpu-clock' out
}

# The end

@test "SIGINT, SIGTERM and SIGHUP end a recording in order" {
    start 1 20
    for signal in INT TERM HUP; do
        stackrecord -q -p "$running" > out.$signal &
        recorder=$!
        soon test -s out.$signal
        kill -s $signal $recorder
        wait $recorder
        perf-script out.$signal > again
        cmp out.$signal again
    done
}

# Runs a pipe at a terminal, presses Ctrl-C twice once it records, and sets $status to the exit
# statuses of its programs.
interrupted() { # COMMAND CONDITION
    { soon "$2" || :; printf '\003'; sleep 0.05; printf '\003'; } |
        at_terminal "$1; echo \${PIPESTATUS[*]} > ended" > shown
    status=$(cat ended)
}

is_recording() {
    grep -q 'stackrecord: 1 s' shown
}

@test "Ctrl-C at a pipe ends the recording, and what was recorded is drawn; pressed twice it counts once" {
    start 1 20
    interrupted "stackrecord -q -p $running | stackfilter -q --node | stackcollapse -q | flamesvg -q > out.svg" is_recording
    same '0 0 0 0' "$status"
    well_formed out.svg
    grep -q '<title>spin_here ' out.svg
}

@test "Ctrl-C at a pipe that perf records to ends the recording, and what was recorded is drawn" {
    command -v perf > /dev/null || skip "no perf"
    start 1 20
    perf record -q -o trial -p "$running" -- true 2> why || skip "perf may not record: $(head -n 1 why)"
    copied() { [ "$(stat -c %s copy)" -gt 10000 ]; }
    # perf writes when half of a buffer is full: use a small one, so that this is soon.
    interrupted "perf record -q -m 4 -F 999 -g -p $running -o - | tee -i copy |
        perf-script -q | stackcollapse -q | flamesvg -q > out.svg" copied
    same '0 0 0 0' "${status#* }"
    grep -q '<title>spin_here ' out.svg
}

@test "a SIGHUP that nohup ignores does not end it" {
    start 1 60
    (trap '' HUP; exec stackrecord -q -p "$running" > out) &
    recorder=$!
    soon test -s out
    kill -s HUP $recorder
    kill "$running"
    wait $recorder
    run ! grep -q spin "/proc/$running/cmdline" # the recorder waited for the end of the process
    running=
}

@test "a signal is passed on to the command, whose status is that of the recording" {
    stackrecord -q -- sh -c 'trap "echo bye; exit 5" TERM; echo hi; while :; do sleep 0.05; done' > out 2> err &
    recorder=$!
    soon grep -q hi err
    kill $recorder
    result=0
    wait $recorder || result=$?
    [ "$result" -eq 5 ]
    grep -q bye err
}

@test "a command that ignores SIGINT is reported after two seconds, when all samples are printed" {
    echo 'trap "" INT; echo "$$"; while [ ! -e end ]; do sleep 0.1; done; exit 3' > server
    stackrecord -e cpu-clock:u -- bash server > out 2> err 3>&- &
    recorder=$!
    soon [ -s err ]
    server=$(cat err)
    kill -s INT $recorder
    said=yes
    soon grep -q "^stackrecord: process $server still runs, two seconds after the signal that was to end it: stackrecord waits for it; Ctrl-C" err || said=no
    touch samples end
    result=0
    wait $recorder || result=$?
    [ $said = yes ]
    [ $result -eq 3 ]
    [ ! out -nt samples ]
}

@test "--duration ends the recording and the command" {
    try stackrecord -q --duration 0.3 -- "$spin" 1 60
    [ "$status" -eq 0 ]
    [[ "$output" == *spin_here* ]]
}

@test "a reader of the pipe gets samples while they are taken" {
    start 1 20
    stackrecord -q -p "$running" | sed 3q > out
    kill -0 "$running"
    [ "$(wc -l < out)" -eq 3 ]
}

@test "a closed pipe ends the recording quietly" {
    start 1 20
    answers 0 '*' "" bash -c 'stackrecord -q -p "$1" | sed 1q; echo "${PIPESTATUS[0]}"' bash "$running"
    [ "${lines[1]}" = 141 ]
}

@test "a full disk is reported, and the command, which goes on, is waited for" {
    echo '"$1" 1 2; echo > ended' > work
    try bash -c 'stackrecord -q -F 4999 -- sh work "$1" > /dev/full' bash "$spin"
    [ "$status" -eq 1 ]
    [[ $stderr = $'started\nstackrecord: standard output: No space left on device\nstackrecord: the command goes on as process '+([0-9])', and is not recorded any more: stackrecord waits for it' ]]
    [ -e ended ]
}

@test "SIGTERM to a stackrecord that waits after a full disk ends the command, too" {
    stackrecord -q -F 4999 -- "$spin" 1 20 > /dev/full 2> said &
    running=$!
    soon grep -q 'goes on as process' said
    command=$(sed -n 's/.* as process \([0-9]*\),.*/\1/p' said)
    kill "$running"
    wait "$running" || true
    [ ! -e "/proc/$command" ]
}

@test "samples that are lost are counted, and the memory stays bounded" {
    start 4 20
    stackrecord -F 10000 --memory 16 --duration 4 -p "$running" 2> err | { sleep 5; cat > out; }
    grep -Eq '^stackrecord: [0-9,]+ records were lost, beside [0-9,]+ samples that were not: ' err
    said=$(grep -o 'beside [0-9,]*' err | tr -cd 0-9)
    [ "$said" -eq "$(samples out)" ]
}

@test "at a terminal a line shows how far the recording is" {
    command -v script > /dev/null || skip "no script(1) on this machine"
    script -qec "stackrecord -q --duration 1.5 -- $spin 1 3 > out" /dev/null < /dev/null > shown
    grep -Eq 'stackrecord: 1 s, [0-9]+ samples/s, 0 lost, 1 process, ring [0-9]+%' shown
}

# What the kernel refuses

@test "a process that does not exist is reported" {
    answers 1 '*' "stackrecord: there is no process 4194304: has it ended?" stackrecord -p 4194304
    answers 1 '*' "stackrecord: no process is called 'no-such-name': ps -e lists them" stackrecord -n no-such-name
}

@test "a machine without hardware counters gets cpu-clock, and a note" {
    try stackrecord -- "$spin" 1 0.2
    [ -e /sys/bus/event_source/devices/cpu ] && skip "this machine has hardware counters"
    same 'stackrecord: this machine has no counter of cycles: the event is cpu-clock instead
started' "$(said "$stderr")"
}

@test "a rate over the kernel's limit is lowered, and a note says so" {
    most=$(sed ':more; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; t more' /proc/sys/kernel/perf_event_max_sample_rate)
    stackrecord --call-graph fp -e page-faults -F 2000000 -- "$spin" 1 0.1 > out 2> messages
    same "stackrecord: page-faults: 2,000,000 samples a second are over kernel.perf_event_max_sample_rate: $most are taken
started" "$(said "$(< messages)")"
}

@test "clocks are sampled at most ten thousand times a second, which leaves the CPU time for other things" {
    for event in cpu-clock task-clock; do
        stackrecord --call-graph fp -e "$event" -F 20000 -- "$spin" 1 0.1 > out 2> messages
        same "stackrecord: $event: 20,000 samples a second are more than a clock's interrupts leave time for: 10,000 are taken
started" "$(said "$(< messages)")"
        stackrecord --call-graph fp -e "$event" -c 10 -- "$spin" 1 0.1 > out 2> messages
        same "stackrecord: $event: a sample each 10 ns is more than a clock's interrupts leave time for: one each 100,000 ns is taken
started" "$(said "$(< messages)")"
        [ "$(samples out)" -gt 0 ] && [ "$(samples out)" -lt 2000 ]
    done
}

@test "a user without privileges records code in user mode" {
    only_root
    [ "$(paranoid)" -eq 2 ] || skip "perf_event_paranoid is $(paranoid)"
    try_as_nobody stackrecord -- ./spin 1 0.3
    [ "$status" -eq 0 ]
    [[ "$output" == *spin_here* ]]
    [[ "$output" != *kernel.kallsyms* ]]
    [[ "$stderr" == *"only code in user mode is sampled: kernel.perf_event_paranoid is 2"* ]]
    [[ "$stderr" == *"sysctl kernel.perf_event_paranoid=1"* ]]
}

@test "a user without privileges is told what recording others takes" {
    only_root
    [ "$(paranoid)" -ge 1 ] || skip "perf_event_paranoid is $(paranoid)"
    try_as_nobody stackrecord -a
    [ "$status" -eq 1 ]
    [ "$output" = "" ]
    [[ "$stderr" == *"recording all processes (-a, -C) needs root, or CAP_PERFMON"* ]]
    try_as_nobody stackrecord -p 1
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"process 1 may not be recorded: it is another user's"* ]]
}

@test "a process of one's own that the kernel lets nobody trace is not called another user's" {
    only_root
    [ "$(paranoid)" -ge 1 ] || skip "perf_event_paranoid is $(paranoid)"
    printf '%s\n' '#include <stdio.h>' '#include <sys/prctl.h>' '#include <unistd.h>' \
        'int main(void) { prctl(PR_SET_DUMPABLE, 0); puts("ready"); fflush(stdout); return (int)pause(); }' > agent.c
    local pid
    gcc -o agent agent.c
    let_others_in
    setpriv --reuid=65534 --regid=65534 --clear-groups ./agent > ready 3>&- &
    pid=$!
    soon [ -s ready ]
    try_as_nobody stackrecord -p "$pid"
    kill "$pid"
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == *"may not be recorded, though it is yours: "*PR_SET_DUMPABLE* ]]
    [[ $stderr != *"another user"* ]]
}

@test "without /proc a process is not said to have ended, and what lacks names is recorded with a warning" {
    [ -z "${SAN-}" ] || skip "the sanitizers read /proc"
    unshare -Urm mount -t tmpfs none /proc || skip "no user namespaces"
    local where=(unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$@"' -)
    for target in '-p 1' '-t 1' '-n init'; do
        # shellcheck disable=SC2086
        answers 1 '' 'stackrecord: /proc is not mounted, so no process can be found; as root: mount -t proc proc /proc' \
            "${where[@]}" stackrecord $target
    done
    "${where[@]}" stackrecord -- true > out 2> messages || :
    grep -q '^stackrecord: /proc is not mounted, so processes that run already, and their functions, have no names; ' messages
}

@test "ring buffers get smaller where little memory may be locked" {
    only_root
    try_as_nobody sh -c 'ulimit -l 0; exec stackrecord -- ./spin 1 0.3'
    [ "$status" -eq 0 ]
    [[ "$output" == *spin_here* ]]
    [[ "$stderr" == *"the ring buffers are "*" KiB for each CPU: no more memory may be locked"* ]]
}

@test "the limit of open files is raised as far as permitted" {
    start 30 20
    (ulimit -Sn 16 && record_until has_samples -q -p "$running")
    grep -q spin_here out
    same '' "$(< said)"
}

@test "counters that just fit the limit of open files leave room for what else is opened" {
    start 1 20
    for limit in {8..20}; do
        # shellcheck disable=SC2016
        answers 0 '*' "" bash -c 'ulimit -Sn $(($(ls /proc/self/fd | wc -l) + $2))
            exec stackrecord -q --duration 0.1 -p "$1"' bash "$running" "$limit"
    done
}

@test "too many threads for the open files: all processes are recorded, and others dropped" {
    only_root
    start 30 20
    "$spin" 1 20 > /dev/null &
    other=$!
    # shellcheck disable=SC2016
    try bash -c 'ulimit -n $(($(ls /proc/self/fd | wc -l) + $(nproc) + 10))
        exec stackrecord --duration 0.5 -p "$1"' bash "$running"
    kill $other
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"there are too many threads for the limit of open files: all processes are recorded"* ]]
    printf '%s\n' "$output" > out
    [ "$(threads out | wc -l)" -gt 5 ]
    [ "$(threads out | grep -cx $other || :)" -eq 0 ]
}

@test "without privileges too many threads for the open files are an error with the remedy" {
    only_root
    [ "$(paranoid)" -ge 1 ] || skip "perf_event_paranoid is $(paranoid)"
    try_as_nobody sh -c 'ulimit -n 16; ./spin 30 3 > /dev/null & sleep 0.3
        stackrecord -p $!; status=$?; kill $!; exit $status'
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"too many threads for 16 open files"*"ulimit -Hn 1000000"* ]]
}

@test "a seccomp profile that forbids the system call is named" {
    gcc -o forbid "$ROOT/tests/record/app/forbid.c" || skip "no seccomp here"
    try ./forbid "$BIN/stackrecord" -a
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"the system call perf_event_open is forbidden"*"CAP_PERFMON"* ]]
}

# Wrong usage

@test "--parent ends the recording with the process that started it, and begins none if that has ended" {
    answers 1 '' 'stackrecord: --parent: process 99999999 has ended, so nothing is recorded' \
        stackrecord --parent 99999999 --duration 0.1 -p 1
    # one that has ended but was not waited for, and one that may have the pid of a process that has
    # ended
    sh -c 'sleep 0.3 & echo $! > zombie; exec sleep 20' 3>&- &
    local other=$! id
    soon grep -qs '^State:.Z' "/proc/$(soon [ -s zombie ] && cat zombie)/status"
    for id in "$(cat zombie)" $other; do
        answers 1 '*' "stackrecord: --parent: process $id has ended, so nothing is recorded" \
            stackrecord --parent "$id" --duration 0.1 -p 1
    done
    kill $other
    start 1 20
    sh -c 'stackrecord -q --parent $$ -p "$1" > out & echo $! > recorder; exec sleep 60' sh "$running" 3>&- &
    local parent=$!
    soon has_samples
    kill -KILL $parent
    soon eval '! kill -0 "$(cat recorder)"'
    perf-script -q out | cmp - out # it ended in order
}
