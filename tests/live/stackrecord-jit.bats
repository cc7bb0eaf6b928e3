# stackrecord: names of JIT-compiled code, and of containers' binaries.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    export HOME=$BATS_FILE_TMPDIR # where perf keeps its copies of binaries
    cd "$WORK" || return 1
    cat > spin.js <<'JS'
'use strict';
function inner(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function outer(n) { return inner(n) + 1; }
const end = Date.now() + 1000 * Number(process.argv[2]);
if (process.argv[3])
    require('fs').writeFileSync(process.argv[3], 'begun');
let sum = 0;
while (Date.now() < end)
    sum += outer(20000);
JS
    gcc -O1 -g -fno-omit-frame-pointer -pthread -o spin "$ROOT/tests/record/app/spin.c"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recorder
    command -v node > /dev/null || skip "no node on this machine"
    running=
}

teardown() {
    [ -z "$running" ] || kill "$running" 2> /dev/null || :
    [ -z "$running" ] || rm -f "/tmp/perf-$running.map"
}

# Starts node with a perf map in the background, and waits until the map has grown.
start_node() { # OPTION... FILE ARGUMENT...
    node --perf-basic-prof --interpreted-frames-native-stack "$@" > /dev/null &
    running=$!
    soon grep -qs ':[~^+*]' "/tmp/perf-$running.map"
}

# Starts node without a perf map in the background, and waits until it runs the program.
start_unnamed() {
    node "$WORK/spin.js" 60 begun > /dev/null &
    running=$!
    soon test -s begun
}

can_unshare() {
    unshare --pid --mount --mount-proc --fork mount -t tmpfs none /tmp 2> /dev/null || skip "may not make namespaces"
}

# Runs a shell command in the background, in separate namespaces with an empty /tmp. It has its own
# standard input.
start_container() { # COMMAND
    unshare --pid --mount --mount-proc --fork sh -c "mount -t tmpfs none /tmp && cd /tmp && $1" > log <&0 &
    container=$!
    soon test -s log
    running=$(pgrep -P "$container")
}

# Prints the frames of JIT-compiled code.
jit() { # FILE
    grep -E '\((/tmp/perf-[0-9]+\.map|.*/jitted-[0-9]+-[0-9]+\.so)\)$' "$1"
}

named() { # FILE
    jit "$1" | grep -vc '\[unknown\]' || :
}

nameless() { # FILE
    jit "$1" | grep -c '\[unknown\]' || :
}

# Succeeds if at most one JIT frame of a hundred has no name: Node 18 writes none for some of V8's
# own code.
hardly_nameless() { # FILE
    echo "# $(nameless "$1") without a name, $(named "$1") with one"
    [ "$(($(nameless "$1") * 100))" -le "$(named "$1")" ]
}

@test "a program's JIT frames have the names of its perf map" {
    start_node "$WORK/spin.js" 60
    try stackrecord -F 499 -p "$running" --duration 2
    [ "$status" -eq 0 ]
    [[ "$stderr" != *'perf map'* ]]
    printf '%s\n' "$output" > out
    [ "$(named out)" -gt 0 ]
    hardly_nameless out
    grep -q ":.outer $WORK/spin.js:3\(:15\)\?+0x" out # node 18 has no columns
}

@test "a program that is started has its names, though its map did not exist before" {
    try stackrecord -q -F 499 -- node --perf-basic-prof --interpreted-frames-native-stack "$WORK/spin.js" 1
    [ "$status" -eq 0 ]
    printf '%s\n' "$output" > out
    rm -f "$(jit out | head -n 1 | sed 's/.*(\(.*\))/\1/')"
    [ "$(named out)" -gt 0 ]
    hardly_nameless out
}

@test "names survive the end of a container" {
    can_unshare
    start_container 'cat > app.js; echo begun; exec node --perf-basic-prof --interpreted-frames-native-stack app.js 2' \
        < "$WORK/spin.js"
    stackrecord -q -F 499 -p "$running" > ours
    wait
    [ ! -e "/proc/$running" ]
    [ ! -e "/tmp/perf-$running.map" ]
    running=
    [ "$(named ours)" -gt 0 ]
    [ "$(nameless ours)" -eq 0 ]
    grep -q ':.outer /tmp/app.js:3\(:15\)\?+0x' ours
}

@test "the functions of a container's binary have names when it is gone" {
    can_unshare
    start_container 'cat > program; chmod 755 program; echo begun; exec ./program 1 1' < "$WORK/spin"
    stackrecord -q -F 499 -p "$running" > out
    wait "$container"
    running=
    # If the tests run under chroot, the kernel names files from the machine's root.
    grep -q 'spin_here+0x[0-9a-f]* (.*/tmp/program)' out
}

@test "the functions of a deleted binary have names" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    cp "$WORK/spin" program
    ./program 1 1 > started &
    soon test -s started
    rm program
    stackrecord -q -F 499 -p $! > out
    grep -q "spin_here+0x[0-9a-f]* ($PWD/program (deleted))" out
}

@test "a symbolic link in a container does not lead to a file outside" {
    can_unshare
    echo '0 ffffffffffffffff outside' > "$WORK/secret"
    start_container "cat > app.js; ln -s '$WORK/secret' perf-1.map; echo begun; exec node app.js 2" < "$WORK/spin.js"
    stackrecord -q -F 499 --no-js-names -p "$running" > out # until it ends
    [ "$(nameless out)" -gt 0 ]
    [ "$(named out)" -eq 0 ]
}

# Compiles a program that generates code.
build_jitting() {
    gcc -O1 -o jitting "$ROOT/tests/record/app/jitting.c" 2> why || skip "it makes no code for this machine"
}

@test "a jitdump is read while it grows, and a frame has the name of the code that was there at its time" {
    build_jitting
    try stackrecord -F 999 -- ./jitting 1.5
    [ "$status" -eq 0 ]
    [[ "$stderr" != *jitdump* && "$stderr" != *'perf map'* ]]
    # All functions are at the same address, one after the other.
    jit <(printf '%s\n' "$output") | grep -o ' f[0-9]*()+' | uniq > names
    [ "$(wc -l < names)" -gt 1 ]
    same "$(sort -V names)" "$(cat names)"
}

@test "the jitdump of a process that runs already is read, and that of -o is read by perf-script" {
    build_jitting
    ./jitting 60 &
    running=$!
    soon test -s "jit-$running.dump"
    stackrecord -q -F 499 -p "$running" --duration 1 > out
    [ "$(named out)" -gt 0 ]
    hardly_nameless out
    stackrecord -q -F 499 -p "$running" --duration 1 -o out.data
    perf-script -q out.data > file
    grep -q ' f[0-9]*()+0x[0-9a-f]* (.*/jitted-' file
}

@test "a jitdump with the times of another clock is read as a perf map is" {
    build_jitting
    stackrecord -q -F 499 -- ./jitting 1 clock > out
    [ "$(named out)" -gt 0 ]
    hardly_nameless out
}

@test "names of a jitdump survive the end of a container" {
    can_unshare
    build_jitting
    start_container 'cat > program; chmod 755 program; echo begun; exec ./program 1.5' < jitting
    stackrecord -q -F 499 -p "$running" > out
    wait
    running=
    [ "$(named out)" -gt 0 ]
    hardly_nameless out
}

@test "a file of -o of a starting program has the names of its jitdump, from its first sample on" {
    cp "$ROOT/tests/record/app/startup.js" app.js
    stackrecord -q -F 1999 -o out.data -- node --perf-basic-prof --perf-prof --interpreted-frames-native-stack app.js
    perf-script -q out.data > dumped
    mv jit-*.dump dump
    perf-script -q out.data | remove_maps
    perf-script -q out.data > kept
    for file in dumped kept; do # Node 18 writes other prefixes
        sed -nE 's/.* (JS|LazyCompile|Function):.(.*)\+0x.*/\2/p' $file > $file.names
    done
    [ "$(wc -l < dumped.names)" -gt 500 ]
    cmp dumped.names kept.names
}

@test "a node that runs in huge pages (--use-largepages) has the names of its binary" {
    grep -q '\[never\]' /sys/kernel/mm/transparent_hugepage/enabled && skip "no transparent huge pages here"
    ! node --use-largepages=on -e 0 2>&1 | grep -F 'not supported' || skip "this node cannot use them"
    local start
    start_node --use-largepages=on "$WORK/spin.js" 60
    stackrecord -q -F 999 -p "$running" --duration 0.5 > attached
    stackrecord -q -F 999 -- node --use-largepages=on --perf-basic-prof --interpreted-frames-native-stack \
        "$WORK/spin.js" 1 > started
    remove_maps < started
    for start in attached started; do
        grep -q ' Builtins_[A-Za-z]*+0x[0-9a-f]* (.*/node)$' "$start"
        [ "$(nameless "$start")" -lt "$(($(grep -c '/node)$' "$start") / 10))" ]
    done
}

@test "a node without a perf map whose memory is not to be read is reported, with how to start it" {
    start_unnamed
    try stackrecord -F 499 --no-js-names -p "$running" --duration 0.5
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"stackrecord: process $running (node) has no perf map, so that its JIT-compiled code has no names: \
start node with --perf-basic-prof"* ]]
    try stackrecord -q -F 499 --no-js-names -p "$running" --duration 0.2
    [ "$stderr" = "" ]
}

@test "--perf-map names the map of a process" {
    start_unnamed
    echo '0 ffffffffffffffff everywhere' > given
    try stackrecord -q -F 499 -p "$running" --perf-map "$running=given" --duration 0.5
    [ "$status" -eq 0 ]
    [ "$stderr" = "" ]
    printf '%s\n' "$output" > out
    [ "$(jit out | grep -c ' everywhere+0x')" -gt 0 ]
    hardly_nameless out
}

# Prints the most memory that a command used, in KiB.
peak() { # COMMAND...
    python3 -c 'import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
print(os.wait4(process.pid, 0)[2].ru_maxrss)' "$@"
}

@test "a map of 100,000 functions takes at most 24 MB" {
    command -v python3 > /dev/null || skip "no python3 on this machine"
    start_unnamed
    echo '0 0 none' > small
    awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%x 40 JS:*someFunction%d /srv/app/lib/file.js:%d:17\n", i * 64, i, i }' > large
    local without with
    without=$(peak stackrecord -q -p "$running" --perf-map "$running=small" --duration 0.5)
    with=$(peak stackrecord -q -p "$running" --perf-map "$running=large" --duration 0.5)
    echo "# $(((with - without) / 1024)) MB" >&3
    [ "$((with - without))" -lt $((24 * 1024)) ]
}
