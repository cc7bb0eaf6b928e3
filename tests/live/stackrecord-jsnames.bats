# stackrecord: names of JavaScript functions, read from the memory of a node that was started
# without options.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    export HOME=$BATS_FILE_TMPDIR # where perf keeps its copies of binaries
    cd "$WORK" || return 1
    cat > app.js << 'JS'
'use strict';
function leaf(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function middle(n) { return leaf(n) + 1; }
function rest() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); }
const end = Date.now() + 1000 * Number(process.argv[2]);
if (process.argv[3])
    require('fs').writeFileSync(process.argv[3], 'begun');
let sum = 0;
while (Date.now() < end) {
    sum += middle(2e6);
    rest();
}
JS
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    needs_recorder
    command -v node > /dev/null || skip "no node on this machine"
    [ "$(uname -m)" = x86_64 ] || skip "names are read on x86-64 only"
    running=
}

teardown() {
    [ -z "$running" ] || kill "$running" 2> /dev/null || :
}

# Starts the program in the background, and waits until it runs.
start_app() { # [NODE]
    "${1:-node}" "$WORK/app.js" 60 begun > /dev/null &
    running=$!
    soon test -s begun
}

# Fails unless the program's functions have their names in the text: V8 compiles `leaf`, and
# interprets the function of node's library that loaded the program. Most frames of compiled code
# must have names: all but those of the first moments, and those that could not be looked up in time
# on a busy machine.
names_all() { # FILE
    awk -v app="${APP:-$WORK/app.js}" '
        /perf-[0-9]+[.]map/ { code++; unnamed += /\[unknown\]/ }
        /^\t/ { frames = frames " " $2 " " $3; next }
        /^$/ {
            compiled += frames ~ "[*+^]leaf " app ":2(:14)?[+].*middle " app ":3"
            interpreted += frames ~ ":~Module[.]_compile node:internal"
            frames = ""
        }
        END {
            print compiled + 0 " compiled, " interpreted + 0 " interpreted; " unnamed + 0 " of " code " without a name"
            exit !(compiled > 0 && interpreted > 0 && unnamed * 4 < code)
        }' "$1"
}

@test "functions of a node that runs already have names, also those that V8 interprets" {
    start_app
    try stackrecord -e cpu-clock -F 499 -p "$running" --duration 2
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    printf '%s\n\n' "$output" > out
    names_all out
    [ ! -e "/tmp/perf-$running.map" ]
}

@test "a command's functions have names" {
    try stackrecord -e cpu-clock -F 499 -- node "$WORK/app.js" 2
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    printf '%s\n\n' "$output" > out
    names_all out
}

@test "functions of a program that runs for a tenth of a second have names, by its memory and by its perf map" {
    echo 'function spin() { for (let s = 0, i = 0; i < 3e7; i++) s = (s * 31 + i) | 0; } spin()' > short.js
    for options in '' '--no-js-names -- node --perf-basic-prof'; do
        # shellcheck disable=SC2086 # words
        try stackrecord -e cpu-clock -F 499 ${options:--- node} short.js
        [ "$status" -eq 0 ]
        [ "$stderr" = '' ]
        [ "$(grep -c ':[~^*+]spin .*/short.js:1' <<< "$output")" -gt 20 ] # of about 50
    done
    remove_maps <<< "$output"
}

@test "WebAssembly is told from JavaScript by the type of its frames, also where V8 has compiled the calls" {
    cat > wasm.js << 'JS'
const wasm = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from([
    '0061736d01000000', '010601' + '60017f017f', '03020100', '070801' + '047370696e0000', // i32 to i32: "spin"
    '0a1b01' + '1901017f' + '0340200120006a2101200041016b22000d000b' + '20010b',
].join(''), 'hex')));
function caller(n) { return wasm.exports.spin(n); }
const end = Date.now() + 2000;
let sum = 0;
while (Date.now() < end)
    sum += caller(20000);
JS
    stackrecord -q -e cpu-clock -F 199 -o data -- node wasm.js
    perf-script data > text
    awk '/^\t/ { frames = frames " " $2 " " $3 } /^$/ { wasm += frames ~ /^ [(]WebAssembly without .*[/]wasm[.]js:/; frames = "" }
         END { print wasm + 0 " stacks"; exit !(wasm > 20) }' text
    stackfilter -q --node text | stackcollapse | grep -q '/wasm[.]js[^;]*;(WebAssembly without names) [0-9]*$'
}

@test "perf-script prints the same text of the file, and the same stacks folded" {
    start_app
    stackrecord -e cpu-clock -F 499 -p "$running" --duration 1 -o file --text live
    names_all live
    answers 0 "$(< live)" '' perf-script -F +pid file
    perf-script --folded file > folded
    stackcollapse live | cmp - folded
    grep -q ";[A-Za-z]*:.middle $WORK/app.js:3\(:16\)\?;" folded
}

# A program whose functions call each other in only one way: main -> all -> through -> spin0 to
# spin5. V8 inlines `through`, but not its callees, since there are many.
write_inlining() {
    cat > inlining.js << 'JS'
'use strict';
const several = [];
for (let k = 0; k < 6; k++)
    several.push(eval(`(function spin${k}(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s + ${k}; })`));
function through(f, n) { return f(n) + 1; }
function all(n) { let s = 0; for (let i = 0; i < several.length; i++) s += through(several[i], n); return s; }
const end = Date.now() + 1000 * Number(process.argv[2]);
function main() { let s = 0; while (Date.now() < end) s += all(2000); return s; }
main();
JS
}

# Prints the number of stacks in the text with a call of spin0 and the like by an inlined `through`,
# and the number of stacks with a call by another function. Leaves that may have no frame yet, or no
# longer, do not count.
count_inlined() { # FILE
    awk '
        function finish() {
            if (frames ~ "^ spin[^ ]* through[(]inlined[)] all") inlined++
            else if (frames ~ "^ spin[^ ]* all") lost++
            frames = ""
        }
        /^\t/ && match($0, /JS:[~^+*]\047?[a-z]+/) {
            name = substr($0, RSTART, RLENGTH)
            sub(/^JS:[~^+*]\047?/, "", name)
            frames = frames " " name (/[(]inlined[)]$/ ? "(inlined)" : "")
        }
        /^$/ { finish() }
        END { print inlined + 0, lost + 0 }' "$1"
}

@test "with --inline calls that V8 inlined are frames, and those of a file are printed by perf-script --inline" {
    case $(node -p 'process.versions.v8') in
        11.3.* | 12.4.* | 13.6.* | 14.6.*) ;;
        *) skip "inlined calls are known of Node 20, 22, 24 and 26" ;;
    esac
    write_inlining
    stackrecord --inline -e cpu-clock -F 499 -o file --text live -- node inlining.js 3
    read -r inlined lost < <(count_inlined live)
    echo "$inlined inlined, $lost lost"
    ((inlined > 20 && lost * 10 < inlined))
    perf-script --inline -F +pid file | cmp - live
    perf-script file > without
    [ "$(grep -c ' JS:.*(inlined)$' without)" -eq 0 ]
    stackrecord -e cpu-clock -F 499 --text without -- node inlining.js 2
    [ "$(grep -c ' JS:.*(inlined)$' without)" -eq 0 ]
}

@test "with --inline and -o alone the inlined calls are in the file" {
    case $(node -p 'process.versions.v8') in
        11.3.* | 12.4.* | 13.6.* | 14.6.*) ;;
        *) skip "inlined calls are known of Node 20, 22, 24 and 26" ;;
    esac
    write_inlining
    try stackrecord --inline -e cpu-clock -F 499 -o file -- node inlining.js 3
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    perf-script --inline file > out
    grep -q ' JS:[+*]through .*(inlined)$' out
}

@test "with --wall there are the same names" {
    start_app
    stackrecord --wall -F 499 -p "$running" --duration 1 > out
    names_all out
}

@test "with --off-cpu functions that wait have names" {
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    start_app
    try stackrecord --off-cpu -p "$running" --duration 1
    [ "$status" -eq 0 ]
    [[ "$output" == *:[~^+*]rest\ "$WORK/app.js":4* ]]
}

@test "with --no-js-names no memory is read, and a message says what to do about names" {
    start_app
    try stackrecord -e cpu-clock -F 499 --no-js-names -p "$running" --duration 1.5
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"process $running (node) has no perf map"* ]]
    [[ "$output" != *leaf* ]]
}

@test "a perf map that is there is taken" {
    node --perf-basic-prof "$WORK/app.js" 60 begun > /dev/null &
    running=$!
    soon test -s begun
    try stackrecord -e cpu-clock -F 499 -p "$running" --duration 1 -o file --text live
    rm -f "/tmp/perf-$running.map"
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    grep -q 'leaf' live
    run ! grep -q fpjscode file
}

@test "workers and processes of a cluster have names" {
    cat > threads.js << 'JS'
const cluster = require('cluster'), { Worker, isMainThread } = require('worker_threads');
function in_worker(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function in_child(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function work(f) { const end = Date.now() + 2000; while (Date.now() < end) f(1e6); }
if (!isMainThread) work(in_worker);
else if (cluster.isPrimary) { new Worker(__filename); cluster.fork(); }
else { work(in_child); process.exit(); }
JS
    try stackrecord -e cpu-clock -F 499 -- node threads.js
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    [[ "$output" == *:?in_worker\ * ]]
    [[ "$output" == *:?in_child\ * ]]
}

@test "a process that runs another program has the names of that one" {
    cat > second.js << 'JS'
function second(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
const end = Date.now() + 1000;
while (Date.now() < end) second(1e6);
JS
    try stackrecord -e cpu-clock -F 499 -- sh -c "node '$WORK/app.js' 1; exec node second.js"
    [ "$status" -eq 0 ]
    [[ "$output" == *:?leaf\ * ]]
    [[ "$output" == *:?second\ * ]]
}

@test "functions of a node in a container have names when it is gone" {
    unshare --pid --mount --mount-proc --fork mount -t tmpfs none /tmp 2> /dev/null || skip "may not make namespaces"
    unshare --pid --mount --mount-proc --fork sh -c \
        'mount -t tmpfs none /tmp && cd /tmp && cat > app.js; echo begun; exec node app.js 2' < "$WORK/app.js" > log &
    container=$!
    soon test -s log
    running=$(pgrep -P "$container")
    stackrecord -e cpu-clock -F 499 -p "$running" > out
    running=
    APP=/tmp/app.js names_all out
}

# Copies node, with one of its exported numbers changed.
copy_node() { # SYMBOL NUMBER
    cp "$(realpath "$(command -v node)")" ./node
    python3 - "$@" << 'PYTHON' || skip "this node does not export $1"
import struct, subprocess, sys
symbols = subprocess.run(['nm', '-D', 'node'], capture_output=True, text=True).stdout.split('\n')
address = [int(s.split()[0], 16) for s in symbols if s.endswith(' ' + sys.argv[1])]
if not address:
    sys.exit(1)
with open('node', 'r+b') as f:
    header = f.read(64)
    at, size, count = struct.unpack_from('<Q', header, 32)[0], *struct.unpack_from('<HH', header, 54)
    for i in range(count):
        f.seek(at + i * size)
        kind, _, offset, start, _, length = struct.unpack('<IIQQQQ', f.read(40))
        if kind == 1 and start <= address[0] < start + length:
            f.seek(offset + address[0] - start)
            f.write(struct.pack('<i', int(sys.argv[2])))
PYTHON
}

# Fails unless samples have code without names, and there is one message.
has_no_names() { # WHY
    start_app ./node
    try stackrecord -e cpu-clock -F 499 -p "$running" --duration 1
    [ "$status" -eq 0 ]
    like "stackrecord: process $running (node): its functions of JavaScript have no names: $1" "$stderr"
    [[ "$output" != *leaf* ]]
    [[ "$output" == *"[unknown] (/tmp/perf-$running.map)"* ]]
}

@test "a V8 whose pointers are compressed, as that of Electron, is said once" {
    copy_node v8dbg_TaggedSize 4
    has_no_names 'its pointers are compressed: start node with --perf-basic-prof, whose names are taken'
}

@test "a V8 that does not export all numbers is said once" {
    python3 - "$(realpath "$(command -v node)")" << 'PYTHON'
import sys
data = open(sys.argv[1], 'rb').read()
open('node', 'wb').write(data.replace(b'v8dbg_class_JSFunction__shared', b'v8dbg_class_XXFunction__shared'))
PYTHON
    chmod 755 node
    has_no_names 'v8dbg_class_JSFunction__shared__SharedFunctionInfo is missing: start node with --perf-basic-prof, whose names are taken'
}

# Records without the right to examine other users' processes.
without_ptrace() { # OPTION...
    [ "$(id -u)" -eq 0 ] || skip "needs root, to give up a right of root's alone"
    command -v setpriv > /dev/null || skip "no setpriv here"
    try setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace stackrecord -e cpu-clock -F 499 --duration 1 "$@"
    [ "$status" -eq 0 ]
    [ "$(grep -c ": process $running (node): its functions of JavaScript have no names: its files may not be read: record as root" <<< "$stderr")" -eq 1 ]
    [ "$(grep -c '^node ' <<< "$output")" -gt 20 ]
    [[ "$output" != *leaf* ]]
}

@test "a process whose memory may not be read is said once, and its samples go on" {
    start_app
    without_ptrace -p "$running"
}

@test "where yama forbids to read memory, the message says so, and what to do" {
    start_app
    mkdir kernel kernel/yama
    cp /proc/sys/kernel/perf_event_* kernel
    echo 1 > kernel/yama/ptrace_scope
    # The kernel of this machine may lack Yama: the message names it as the reason if memory may not
    # be read.
    gcc -DFORBIDDEN=SYS_process_vm_readv -o forbid "$ROOT/tests/record/app/forbid.c" || skip 'no seccomp here'
    cat > yama <<- 'END'
	mount --bind kernel /proc/sys/kernel && exec ./forbid "$BIN/stackrecord" -e cpu-clock -F 499 --duration 0.5 -p "$1"
	END
    unshare --mount true || skip "may not make namespaces"
    try unshare --mount sh yama "$running"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^node ' <<< "$output")" -gt 5 ]
    same "stackrecord: process $running (node): its functions of JavaScript have no names: kernel.yama.ptrace_scope keeps us \
from reading its memory: record as root, or start it by stackrecord, or set that to 0 (sysctl)" "$stderr"
}

@test "a process of another user, too, of all processes" {
    let_others_in
    cp "$WORK/app.js" app.js
    chmod a+r app.js
    setpriv --reuid=65534 --regid=65534 --clear-groups node app.js 60 > /dev/null 3>&- &
    running=$!
    soon grep -q '^node$' "/proc/$running/comm"
    without_ptrace -a
    try stackrecord -e cpu-clock -F 499 --duration 1 -p "$running" # as root
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    [[ "$output" == *leaf* ]]
}

@test "a process in a user namespace has names" {
    unshare --user --map-root-user true 2> /dev/null || skip "may not make namespaces"
    unshare --user --map-root-user node "$WORK/app.js" 60 begun > /dev/null 3>&- &
    running=$!
    soon test -s begun
    try stackrecord -e cpu-clock -F 499 --duration 1 -p "$running"
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    [[ "$output" == *leaf* ]]
}
