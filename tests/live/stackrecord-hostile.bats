# stackrecord beside processes that make it keep more and more data.
# shellcheck disable=SC2030,SC2031 # teardown ends what the test has started
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    cd "$WORK" || return 1
    stackrecord -q -a --duration 0.1 > /dev/null 2> why || true
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recording "$WORK/why"
    [ "$(id -u)" -eq 0 ] || skip "needs root, to record all processes"
    pids=
}

teardown() {
    for pid in $pids; do
        kill -- "$pid" 2> /dev/null || :
        rm -f "/tmp/perf-$pid.map"
    done
}

# Prints the value of a line "VALUE WHAT..." of $output.
figure() { # WHAT
    printf '%s\n' "$output" | sed -n "s/^\([0-9]*\) $1.*/\1/p"
}

# HOSTILE_SECONDS, HOSTILE_PROCESSES and HOSTILE_MB make the tests longer and larger.
among() { # WHAT...
    try env BIN="$BIN" "$ROOT/tests/record/hostile.sh" "${HOSTILE_SECONDS-3}" "${HOSTILE_PROCESSES-20}" \
        "${HOSTILE_MB-128}" "$@"
    printf '%s\n' "$output"
    [ "$status" -eq 0 ]
    [[ "$output" == *$'\nstatus 0\n'* ]]
    [ "$(figure 'ms to end')" -lt 3000 ]
}

# Checks that the samples of the process that is not hostile are complete, except for some at the
# start and end.
complete() {
    local samples ran
    samples=$(figure 'samples of')
    ran=$(printf '%s\n' "$output" | sed -n 's/^[0-9]* samples of .* for //p')
    [ "$samples" -ge $((ran * 3 / 4 - 3)) ]
    [[ "$output" != *' that were not: the ring buffers were full'* ]]
}

@test "among processes with ever new names, mappings, children and perf maps the memory is bounded, and no sample lost" {
    among names maps files forks perfmap
    if [ -z "${SAN-}" ]; then [ "$(figure MB)" -lt "${HOSTILE_MB-128}" ]; fi
    complete
}

@test "--folded keeps to its memory, too" {
    export RECORD=--folded
    among names maps files perfmap
    if [ -z "${SAN-}" ]; then [ "$(figure MB)" -lt "${HOSTILE_MB-128}" ]; fi
}

# A process with anonymous code, and a perf map of this number of megabytes.
start_with_map() { # MB
    [ -x "$WORK/anonymous" ] || gcc -O1 -x c -o "$WORK/anonymous" - <<'C'
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    static const unsigned char loop[] = {0xeb, 0xfe}; /* jmp . */
    char *code = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(code, loop, sizeof loop);
    ((void (*)(void))code)();
}
C
    timeout 60 "$WORK/anonymous" &
    pids+=" $!"
    local pid
    soon pgrep -P $! > child
    pid=$(cat child)
    pids+=" $pid"
    awk -v bytes=$(($1 << 20)) 'BEGIN {
        for (i = 1; n < bytes; i++) {
            line = sprintf("%x 1c0 JS:*function%d /srv/application/lib/module%d.js:%d:17\n", 268435456 + i * 512, i, i % 977, i % 4000)
            n += length(line)
            printf "%s", line
        }
        print "10000000 10 anonymous_loop"
    }' > "/tmp/perf-$pid.map"
}

@test "large perf maps delay no samples for long, and take less memory than the budget" {
    [ "$(uname -m)" = x86_64 ] || skip "has machine code of x86-64"
    start_with_map 60
    start_with_map 60
    local recorder begin
    # In addition, there are unwinding tables of everything else that runs on the machine.
    stackrecord -a --memory 64 --call-graph fp > out 2> err &
    recorder=$!
    pids+=" $recorder"
    sleep 3
    local kb
    kb=$(awk '$1 == "VmHWM:" { print $2 }' "/proc/$recorder/status")
    begin=$EPOCHREALTIME
    kill "$recorder"
    wait "$recorder"
    awk "BEGIN { exit !($EPOCHREALTIME - $begin < 3) }"
    echo "$kb kB"
    if [ -z "${SAN-}" ]; then [ "$kb" -lt $((64 * 1024)) ]; fi
    [ "$(grep -c '^anonymous ' out)" -gt 10 ]
    run ! grep 'records were lost' err
    grep -q "the perf map of process [0-9]* (anonymous) is larger than its share of --memory (8 MB): its newest names are not known" err
}

@test "of all processes, however many run already, the first sample has its command and its mappings" {
    gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
    for _ in {1..300}; do
        sleep 60 3>&- &
        pids+=" $!"
    done
    ./spin 2 60 >spinning 3>&- &
    local spin=$!
    pids+=" $spin"
    soon test -s spinning
    stackrecord -q -a -F 999 --memory 16 --duration 0.5 >out
    [ "$(grep -c "^spin *$spin/" out)" -gt 20 ]
    same '' "$(grep "^:[0-9]* *$spin/" out)"
    same '' "$(awk '/^[^\t]/ { is = $1 == "spin" } is && /\[unknown\] \(\[unknown\]\)/' out)"
}

@test "a recording ends at once, however much of a perf map is not read" {
    [ "$(uname -m)" = x86_64 ] || skip "has machine code of x86-64"
    start_with_map 100
    local recorder begin
    stackrecord -a > out 2> err &
    recorder=$!
    pids+=" $recorder"
    sleep 0.4
    begin=$EPOCHREALTIME
    kill "$recorder"
    wait "$recorder"
    awk "BEGIN { exit !($EPOCHREALTIME - $begin < 2) }"
}

@test "debug information that takes long to read costs no sample, and a recording ends in spite of it" {
    local i list
    printf 'int main(void) { for (volatile long x = 0;; x++) continue; }' | gcc -x c -no-pie -o busy -
    python3 "$ROOT/tests/robust/hostile/dwarf.py" entries .
    objcopy --add-section .debug_info=info --add-section .debug_abbrev=abbrev busy
    for i in 1 2 3 4 5 6 7 8; do
        cp busy "busy$i"
        chown 65534 "busy$i" # a stranger's
        "./busy$i" 3>&- &
        pids+=" $!"
    done
    list=${pids# }
    # Reading each takes more than a second.
    try bash -c "ulimit -t 4; exec timeout 20 stackrecord --inline --duration 0.5 -p ${list// /,}"
    [ "$status" -eq 0 ]
    [[ $stderr != *' were lost, '* ]]
    [[ $stderr == *'/busy'[1-8]': '*'; inlined calls are missing: perf-script --inline prints them of a recording that was made with -o'* ]]
    [ "$(sed -n 's/^\(busy[1-8]\) .*/\1/p' <<< "$output" | sort -u | wc -l)" -gt 1 ]
    [ "$(grep -c $'^\t.* main+0x[0-9a-f]* (.*/busy[1-8])$' <<< "$output")" -gt 4 ]
}

# Starts a process that cannot be examined: see tests/robust/hostile/silentfs.c. Sets $silent to its
# pid.
silent_process() { # HOW FOLDER
    gcc -O1 -pthread -o silentfs "$ROOT/tests/robust/hostile/silentfs.c"
    ./silentfs "$1" "$2" > said 3>&- &
    silent=$!
    pids+=" -$silent"
    soon test -s said
    [ "$(< said)" = ready ] || skip "there is no FUSE here, or it may not be mounted"
}

@test "a stack that can never be read, in a file of another user's file system, does not keep --wall from its end" {
    mkdir folder
    silent_process stack "$PWD/folder"
    try timeout -s KILL 20 stackrecord --wall --folded --duration 0.2 -p "$silent"
    [ "$status" -eq 0 ]
    same "stackrecord: of 1 thread that waited all the time the stack could not be read in time
stackrecord: process $silent (silentfs): its file system or memory did not answer in time: its functions may have no names" "$stderr"
    grep -Eq '^silentfs;\[not seen running\] [0-9]+$' <<< "$output"
    grep -Eq '^silentfs;.*;\[wait: signal\] [0-9]+$' <<< "$output" # the other thread, in pause()
}

@test "a process whose /tmp never answers is recorded without names, and beside it others with theirs" {
    [ "$(uname -m)" = x86_64 ] || skip "the process runs code of x86"
    silent_process tmp /tmp
    try timeout -s KILL 20 stackrecord --folded --duration 0.5 -p "$silent"
    [ "$status" -eq 0 ]
    grep -Eq "^silentfs;.*\[perf-$silent\.map\] [0-9]+\$" <<< "$output"
    [[ "$stderr" = *"process $silent (silentfs): its file system or memory did not answer in time"* ]]
    gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
    ./spin 1 60 > /dev/null 3>&- &
    pids+=" $!"
    try timeout -s KILL 20 stackrecord --folded --duration 0.5 -a
    [ "$status" -eq 0 ]
    grep -q '^spin;.*spin_here' <<< "$output"
}

@test "a process that holds the lock of its memory delays neither -n, nor --wall, nor a recording of all" {
    mkdir folder
    gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
    silent_process lock "$PWD/folder"
    soon grep -q D "/proc/$silent/stat"
    ./spin 1 60 > /dev/null 3>&- &
    pids+=" $!"
    for options in "-n spin" "-p $silent --wall" -a; do
        read -ra words <<< "$options"
        try timeout -s KILL 20 stackrecord --folded --duration 0.2 "${words[@]}"
        [ "$status" -eq 0 ]
        [[ "$stderr" = *"process $silent (silentfs): its file system or memory did not answer in time"* ]]
    done
}
