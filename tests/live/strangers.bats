# Files from other users and containers where root looks for names: links, pipes, devices, other
# users' files.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    gcc -O1 -static -o "$WORK/stranger" "$ROOT/tests/record/app/stranger.c"
    stackrecord -q -- true > /dev/null 2> "$WORK/why" || true
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    export HOME=$BATS_TEST_TMPDIR # no build-id cache
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    let_others_in
    running='' theirs=65534
    echo '60000000 1000 planted' > map
}

teardown() {
    [ -z "$running" ] || kill -KILL "$running" 2> /dev/null || :
    [ -z "$running" ] || rm -f "/tmp/perf-$running.map" "/tmp/jit-$running.dump"
}

runs() {
    [[ $(readlink "/proc/$running/exe") == */stranger ]]
}

runs_in_box() {
    running=$(pgrep -P "$container") && runs
}

in_user_namespace() { # PID
    [[ $(readlink "/proc/$1/ns/user") != "$(readlink /proc/self/ns/user)" ]]
}

# Starts the program as another user.
start_other() {
    setpriv --reuid="$theirs" --regid="$theirs" --clear-groups "$WORK/stranger" 20 &
    running=$!
    soon runs
}

# Starts the program in a container whose root is the folder "box", which the command prepares.
start_in_box() { # COMMAND
    mkdir box box/tmp
    cp "$WORK/stranger" box/
    unshare --mount true || skip 'no mount namespaces'
    unshare --pid --mount --fork sh -c "$1; exec chroot box /stranger 20" &
    container=$!
    soon runs_in_box
}

# Records the process. On a busy machine, it may not run for a while; then tries again.
record() {
    timeout 10 stackrecord -F 999 -p "$running" --duration 0.3 > out.record 2> err.record
    grep '(/tmp/perf-' out.record > frames
}

# Runs perf-script and stackrecord on the process. Their output is in out.* and err.*.
look() {
    python3 "$ROOT/tests/record/stream.py" jit "$running" > data
    timeout 10 perf-script data > out.script 2> err.script
    [ -s "$WORK/why" ] || soon record
}

# Fails unless both give the code this name, or neither names it: [unknown].
both_name() { # NAME
    look
    grep -qF " 60000010 $1" out.script
    [ -s "$WORK/why" ] || [ "$(grep -cvF " $1" frames)" -eq 0 ]
}

# Fails unless both print why they do not read the map.
both_say() { # PATTERN
    grep -q "$1" err.script
    [ -s "$WORK/why" ] || grep -q "$1" err.record
}

@test "a container whose /tmp is a link to a folder of the host is not followed there" {
    mkdir outside
    cp map outside/perf-1.map
    start_in_box "rmdir box/tmp; ln -s '$PWD/outside' box/tmp"
    both_name '[unknown]'
    rm box/tmp
    ln -s "../..$PWD/outside" box/tmp
    both_name '[unknown]'
    rm box/tmp
    ln -s "/proc/self/root$PWD/outside" box/tmp
    both_name '[unknown]'
}

@test "a container whose /tmp is a link to a folder of its own has the names there" {
    start_in_box 'rmdir box/tmp; mkdir box/scratch; ln -s /scratch box/tmp; cp map box/scratch/perf-1.map'
    both_name planted+0x
}

@test "a perf map that is a link, a pipe, a device or a folder is not read, and that is said" {
    start_in_box 'cp map box/other'
    ln -s /other box/tmp/perf-1.map
    both_name '[unknown]'
    both_say 'tmp/perf-1.map: is a symbolic link, which is not followed'
    rm box/tmp/perf-1.map
    mkfifo box/tmp/perf-1.map
    both_name '[unknown]'
    both_say 'tmp/perf-1.map: is not a regular file'
    rm box/tmp/perf-1.map
    mknod box/tmp/perf-1.map c 1 5 # zero
    both_name '[unknown]'
    both_say 'tmp/perf-1.map: is not a regular file'
}

@test "a perf map belongs to its process's user, or to root, or to you; that of another user is not read" {
    start_other
    cp map "/tmp/perf-$running.map"
    chown 65533 "/tmp/perf-$running.map"
    both_name '[unknown]'
    both_say "/tmp/perf-$running.map: belongs neither to its process's user, nor to you, nor to root"
    grep -qF -- "; --perf-map PID=FILE reads a regular file of any owner" err.script
    chown "$theirs" "/tmp/perf-$running.map"
    both_name planted+0x
    chown root "/tmp/perf-$running.map"
    both_name planted+0x
}

@test "of a process that has ended the map must be root's or yours, and --perf-map reads any" {
    start_other
    local pid=$running
    cp map "/tmp/perf-$pid.map"
    chown "$theirs" "/tmp/perf-$pid.map"
    python3 "$ROOT/tests/record/stream.py" jit "$pid" > data
    kill -KILL "$pid"
    wait "$pid" || :
    answers 0 "*60000010 [unknown] (/tmp/perf-$pid.map)*" \
        "*: belongs neither to its process's user, nor to you, nor to root; --perf-map PID=FILE reads a regular file of any owner*" \
        perf-script data
    [[ $stderr != *"there is no /tmp/perf-"* ]]
    answers 0 '*60000010 planted+0x10 *' '*' perf-script --perf-map "$pid=/tmp/perf-$pid.map" data
}

@test "a second name of root's file is not read as a perf map" {
    start_other
    cp map "/tmp/stranger-$running"
    ln "/tmp/stranger-$running" "/tmp/perf-$running.map"
    both_name '[unknown]'
    rm "/tmp/stranger-$running"
    both_say "/tmp/perf-$running.map: has another name (a hard link)"
    both_name planted+0x
}

@test "the root of a container's user namespace may own a map of any of its processes" {
    unshare --user true 2> why || skip "no user namespace can be made here: $(cat why)"
    unshare --user sleep 20 &
    local holder=$!
    soon in_user_namespace $holder
    echo '0 100000 10' > "/proc/$holder/uid_map"
    echo '0 100000 10' > "/proc/$holder/gid_map"
    nsenter --user="/proc/$holder/ns/user" --setuid 5 --setgid 5 "$WORK/stranger" 20 &
    running=$!
    soon runs
    kill -KILL $holder
    cp map "/tmp/perf-$running.map"
    chown 100000 "/tmp/perf-$running.map"
    both_name planted+0x
    chown 100005 "/tmp/perf-$running.map"
    both_name planted+0x
    chown 100006 "/tmp/perf-$running.map"
    both_name '[unknown]'
}

@test "a jitdump that is a link, a pipe or another user's is not read, and that is said" {
    start_other
    local dump=/tmp/jit-$running.dump
    python3 "$ROOT/tests/record/stream.py" jit "$running" "$dump" > data
    ln -s "$PWD/map" "$dump"
    answers 0 '*' "*$dump: is a symbolic link, which is not followed*" timeout 10 perf-script data
    rm "$dump"
    mkfifo "$dump"
    answers 0 '*' "*$dump: is not a regular file*" timeout 10 perf-script data
    rm "$dump"
    cp map "$dump"
    chown 65533 "$dump"
    answers 0 '*' "*$dump: belongs neither to its process's user, nor to you, nor to root*" perf-script data
    chown "$theirs" "$dump"
    answers 0 '*' "*$dump: is too short for a jitdump*" perf-script data
}
