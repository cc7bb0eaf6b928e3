# jmaps makes Java processes write their perf maps, with no more rights than their users have.
load ../lib

# A Java machine, even that of jcmd, leaves a folder in /tmp for its user. The folders that
# were not there before are removed at the end, unless another program of the user uses them.
setup_file() {
    ls -d /tmp/hsperfdata_* > "$BATS_FILE_TMPDIR/before" 2>&1 || :
}

teardown_file() {
    local folder
    for folder in /tmp/hsperfdata_{"$(id -un)",nobody}; do
        [ ! -d "$folder" ] || grep -qxF "$folder" "$BATS_FILE_TMPDIR/before" || rmdir "$folder" || :
    done
}

setup() {
    WORK=$BATS_TEST_TMPDIR
    let_others_in
    cd "$WORK"
    user=$(id -u)
    mkdir -p jdk/bin agent/out
    touch agent/out/attach-main.jar agent/out/libperfmap.so
    export JAVA_HOME=$WORK/jdk AGENT_HOME=$WORK/agent
}

teardown() {
    [ -z "${pid:-}" ] || kill "$pid" || :
    wait # until a Java machine has removed its file in /tmp
    [ -z "${map:-}" ] || rm -rf "$map"
}

tool() { # NAME, the script on standard input
    { echo '#!/bin/sh' && cat; } > "$1"
    chmod 755 "$1"
}

# Starts a program that jmaps takes for Java, and sets $pid.
start_java() { # [COMMAND ...]
    if [ $# = 0 ]; then
        mkdir -p target/bin
        cp "$(command -v sleep)" target/bin/java
        set -- "$WORK/target/bin/java" 60
    fi
    "${as_user[@]}" "$@" 3>&- &
    pid=$!
    map=/tmp/perf-$pid.map
    soon grep -qx java "/proc/$pid/comm"
}

pretend_java() {
    start_java
    tool jdk/bin/java <<< "echo \"\$PWD \$*\" > $WORK/asked; echo '1000 10 agent' > $map"
    tool jdk/bin/jcmd <<< "[ \"\$*\" = '$pid Compiler.perfmap' ] && echo '1000 10 jcmd' > $map"
}

# Does the same as pretend_java, for another user, with a JDK whose jcmd belongs to that user. Its
# output is in the folder `theirs`.
pretend_stranger() { # the script of jcmd on standard input
    [ "$(id -u)" = 0 ] || skip 'only root can run something as another user'
    grep -q '^Seccomp:.0' /proc/self/status || skip 'for processes with a seccomp filter jmaps runs its own jcmd only'
    user=65534 as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    mkdir -p theirs target/bin
    tool target/bin/jcmd
    start_java
    chown -R 65534:65534 theirs target
    unset JAVA_HOME
}

@test "without /proc, where no process can be found, that is an error" {
    [ -z "${SAN-}" ] || skip "the sanitizers read /proc"
    unshare -Urm mount -t tmpfs none /proc || skip "no user namespaces"
    for operand in '' 1; do
        # shellcheck disable=SC2086
        answers 1 '' 'jmaps: /proc is not mounted, so no process can be found; as root: mount -t proc proc /proc' \
            unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$@"' - "$BIN/jmaps" $operand
    done
}

@test "jcmd is asked for the map of a Java process, in place of an older one" {
    pretend_java
    echo old > "$map"
    try "$COMPAT/jmaps" "$pid"
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same "Mapping PID $pid (user $(id -un)):
wc(1): $(wc "$map")" "$output"
    same '1000 10 jcmd' "$(cat "$map")"
}

@test "perf-map-agent runs where jcmd makes no map, and for -u" {
    pretend_java
    tool jdk/bin/jcmd <<< "echo 'java.lang.IllegalArgumentException: Unknown diagnostic command'; exit 1"
    try jmaps "$pid"
    [ "$status" -eq 0 ]
    same '1000 10 agent' "$(cat "$map")"
    local jars=$PWD/agent/out/attach-main.jar:$PWD/jdk/lib/tools.jar
    same "$PWD/agent/out -Xms32m -Xmx128m -cp $jars net.virtualvoid.perf.AttachOnce $pid" "$(cat asked)"
    tool jdk/bin/jcmd <<< 'exit 1'
    try jmaps -u "$pid"
    [ "$status" -eq 0 ]
    same "$PWD/agent/out -Xms32m -Xmx128m -cp $jars net.virtualvoid.perf.AttachOnce $pid unfoldall" "$(cat asked)"
}

@test "a map that was not made is explained" {
    pretend_java
    AGENT_HOME=$PWD/nowhere
    tool jdk/bin/jcmd <<< "echo 'java.lang.IllegalArgumentException: Unknown diagnostic command'; exit 1"
    answers 1 '*' "jmaps: process $pid: $map was not made; the answer was:
jmaps:   java.lang.IllegalArgumentException: Unknown diagnostic command
jmaps: process $pid: before JDK 17 perf-map-agent is needed, in the folder AGENT_HOME" jmaps "$pid"
    tool jdk/bin/jcmd <<< "echo 'Command executed successfully'"
    answers 1 '*' "*process $pid: it may be in the /tmp of its container, where perf-script finds it" jmaps "$pid"
    answers 1 '*' "jmaps: $AGENT_HOME: no perf-map-agent is there: attach-main.jar and libperfmap.so; AGENT_HOME names its folder" \
        jmaps --unfoldall "$pid"
}

@test "without operands all processes called java are mapped, and where none runs nothing is done" {
    unshare --pid --fork --mount-proc true || skip 'no namespace without other Java processes can be made here'
    answers 0 'Fetching maps for all java processes...' '*' unshare --pid --fork --mount-proc jmaps
    cp "$(command -v sleep)" java
    tool jdk/bin/jcmd <<< 'echo "$*"'
    AGENT_HOME=$PWD/nowhere answers 0 '*Mapping PID 2 *' '*jmaps:   2 Compiler.perfmap*' \
        unshare --pid --fork --mount-proc sh -c './java 60 & sleep 0.3; jmaps; kill $!'
}

@test "the jcmd of another user's process runs as that user, with nothing of root's" {
    pretend_stranger <<- 'END'
	cd "${0%/*}/../../theirs" || exit
	id -u > id; id -G >> id
	grep NoNewPrivs /proc/self/status > rights
	ls /proc/self/fd > open
	env | sed 's/=.*//' | sort > environment
	(: > /dev/tty) 2> /dev/null && echo tty > terminal
	readlink "/proc/$$/fd/0" > input
	END
    SECRET=password try jmaps "$pid" 9< /etc/shadow
    [ "$status" -eq 1 ]
    same $'65534\n65534' "$(cat theirs/id)"
    same $'NoNewPrivs:\t1' "$(cat theirs/rights)"
    same $'0\n1\n2\n3' "$(cat theirs/open)" # 3 is the folder that ls reads
    [[ $(cat theirs/environment) != *SECRET* ]]
    [ ! -e theirs/terminal ]
    same /dev/null "$(cat theirs/input)"
}

@test "root's own jcmd, too, runs as the process's user, and the map becomes root's" {
    pretend_stranger <<< 'echo stranger >> theirs/ran'
    JAVA_HOME=$WORK/jdk
    export JAVA_HOME
    tool jdk/bin/jcmd <<< "id -u > $map; chmod 666 $map"
    answers 0 '*' '' jmaps "$pid"
    same 65534 "$(cat "$map")"
    same '0 644' "$(stat -c '%u %a' "$map")"
    [ ! -e theirs/ran ]
}

@test "for a process of root a jcmd beside its program is not run, but that on PATH" {
    [ "$(id -u)" = 0 ] || skip 'not root'
    mkdir -p target/bin tools theirs
    tool target/bin/jcmd <<< "id -u > $WORK/theirs/ran"
    start_java
    tool tools/jcmd <<< "echo 'from PATH'"
    chown -R 65534:65534 target theirs
    unset JAVA_HOME
    AGENT_HOME=/nowhere PATH=$WORK/tools:$PATH answers 1 '*' '*jmaps:   from PATH*' jmaps "$pid"
    [ ! -e theirs/ran ]
}

@test "for a process with the rights of two users nothing is run" {
    pretend_stranger <<< 'id > theirs/ran'
    kill "$pid"
    as_user=(setpriv --euid=65534)
    start_java
    answers 1 '*' "jmaps: process $pid: no map is made: it has the rights of several users or groups" jmaps "$pid"
    [ ! -e theirs/ran ]
}

@test "a map that is a link, a FIFO, a folder, or another's file is refused, and left as it is" {
    pretend_stranger <<- 'END'
	. "${0%/*}/../../theirs/act"
	END
    AGENT_HOME=/nowhere
    is_refused() { # COMMAND MESSAGE
        echo "$1" > theirs/act
        answers 1 '*' "jmaps: process $pid: $map $2; the answer was:*" timeout 10 jmaps "$pid"
    }
    is_refused "ln -s /dev/zero $map" 'is a symbolic link, which is not followed'
    is_refused "mkfifo $map" 'is not a regular file'
    is_refused "truncate -s 2G $map" 'is larger than a gigabyte'
    is_refused "echo > $map; ln $map theirs/second || ln $map ${PWD}/theirs/second" "has another name (a hard link), and may be another user's file"
    echo secret > ours
    chmod 600 ours
    is_refused "rm -f theirs/*; ln -s $WORK/ours $map" 'is a symbolic link, which is not followed'
    same '0 600' "$(stat -c '%u %a' ours)"
    is_refused "mkdir $map" 'is not a regular file'
    answers 1 '*' "jmaps: $map: it cannot be removed: Is a directory" jmaps "$pid"
}

@test "a jcmd that prints without end, and one that leaves a process behind, hold nothing up" {
    pretend_stranger <<- 'END'
	sleep 20 &
	timeout 1 yes
	exit 1
	END
    AGENT_HOME=/nowhere
    try timeout 10 bash -c '[ -n "${SAN-}" ] || ulimit -v 200000; exec jmaps "$1"' bash "$pid"
    [ "$status" -eq 1 ]
    [ "$(wc -l <<< "$stderr")" -le 25 ]
}

@test "control characters in an answer do not reach the terminal" {
    pretend_java
    AGENT_HOME=/nowhere
    tool jdk/bin/jcmd <<< "printf 'a\\033]0;title\\007b\\n'"
    try jmaps "$pid"
    [[ $stderr = *'jmaps:   a?]0;title?b'* ]]
}

names_java() {
    for tool in java jcmd javac; do
        command -v $tool || skip "no $tool here"
    done
    unset JAVA_HOME
    javac -d . "$ROOT/tests/record/app/Busy.java"
    chmod 644 ./*.class
    start_java java -cp . Busy 30
    for ((i = 0; i < 20; i++)); do # its attach listener starts late
        try jmaps "$pid"
        grep -q 'Busy' "$map" && break
        sleep 0.2
    done
    [ "$status" -eq 0 ]
    same '' "$stderr"
    grep -q 'Busy' "$map"
    [[ $output = *"wc(1):  "*" $map"* ]]
    same "$(id -u)" "$(stat -c %u "$map")"
}

@test "the methods of a running Java program are named" {
    names_java
}

@test "the methods of another user's Java program are named, and the map is root's" {
    [ "$(id -u)" = 0 ] || skip 'only root can run something as another user'
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    names_java
}
