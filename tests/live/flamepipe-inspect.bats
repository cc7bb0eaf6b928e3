# flamepipe --inspect: V8 makes the profile itself, so the kernel need not permit sampling. This
# works for a command, from its first line on, and for several running processes, one after the
# other. If sampling is forbidden, a node is recorded in this way without the option.
load ../lib

setup_file() {
    export HOME=$BATS_FILE_TMPDIR
    gcc -o "$HOME/forbid" "$ROOT/tests/record/app/forbid.c" 2>"$HOME/why" || true
    cat >"$HOME/app.js" <<'END'
'use strict';
const { Worker, isMainThread } = require('worker_threads');
const cluster = require('cluster');
function burn(ms) {
    let sum = 0;
    for (const end = Date.now() + ms; Date.now() < end;)
        sum += Math.sqrt(sum);
    return sum;
}
function first() { return burn(30); }
function inWorker() { return burn(30); }
function inChild() { return burn(30); }
const kind = process.argv[2];
if (!isMainThread)
    inWorker();
else if (cluster.isWorker)
    inChild(), process.exit(0);
else {
    first();
    if (kind === 'threads') new Worker(__filename);
    if (kind === 'cluster') cluster.fork();
    if (kind === 'serves') setInterval(first, 40);
    if (kind === 'status') process.exit(7);
}
END
    cat >"$HOME/server.js" <<'END'
'use strict';
const cluster = require('cluster');
function serve() {
    let sum = 0;
    for (const end = Date.now() + 10; Date.now() < end;)
        sum += Math.sqrt(sum);
}
setInterval(serve, 20);
if (cluster.isPrimary && process.argv[2] === 'cluster')
    cluster.fork().on('message', (pid) => console.log(pid));
else if (cluster.isPrimary)
    console.log(process.pid);
else
    process.send(process.pid);
END
}

setup() {
    command -v node >"$HOME/where" || skip 'no node on this machine'
    cd "$BATS_TEST_TMPDIR" || return
    mkdir tmp
    export TMPDIR=$PWD/tmp
    unset NODE_OPTIONS
    cp "$HOME/app.js" .
}

teardown() {
    local pid
    for pid in ${STARTED-}; do
        kill "$pid" 2>>why || true
    done
    [ ! -d tmp ] || same '' "$(ls -A tmp)"
}

# Starts a server whose inspector uses a free port, and waits until it has printed the process.
start() { # [cluster]
    start_as node "$@"
}

start_as() { # COMMAND [cluster]
    "$1" --inspect-port="${PORT:-0}" "$HOME/server.js" "${@:2}" >serves 2>said 3>&- &
    SERVER=$!
    STARTED="${STARTED-} $SERVER"
    soon test -s serves
}

titles() {
    grep -o '<title>[^<]*' flame.svg
}

has() { # FUNCTION
    titles | grep -q "^<title>$1 "
}

@test "where the kernel forbids sampling, a node records itself, and that is said" {
    [ -x "$HOME/forbid" ] || skip 'no seccomp here'
    answers 7 '' 'flamepipe: the kernel forbids sampling, so node records itself, as with --inspect: JavaScript alone; the system call perf_event_open is forbidden: *docker run --cap-add PERFMON*' \
        "$HOME/forbid" "$BIN/flamepipe" -- node app.js status
    [[ $stderr == *'flamepipe: flame.svg'* ]]
    has first
    well_formed flame.svg
}

@test "where the kernel forbids sampling, other commands are not started, and what to change is said" {
    [ -x "$HOME/forbid" ] || skip 'no seccomp here'
    local args
    for args in '-- touch started' '-a 1' '-e cpu-clock -- node app.js' "-p $$ 1"; do
        # shellcheck disable=SC2086
        answers 1 '*' 'stackrecord: the system call perf_event_open is forbidden: *docker run --cap-add PERFMON*' \
            "$HOME/forbid" "$BIN/flamepipe" $args
        same "flamepipe: nothing was recorded; node needs no permission with --inspect: 'flamepipe --inspect -- node app.js', or -p PID" "${stderr_lines[1]}"
    done
    [ ! -e started ]
    [ ! -e flame.svg ]
}

@test "--inspect records a node from its first line on, with its arguments, output and status, and leaves no file" {
    answers 3 "[ \"it's\", 'a  b' ]" '*' \
        flamepipe --inspect -- node -e 'function burnt() { for (const end = Date.now() + 30; Date.now() < end;); } burnt(); console.log(process.argv.slice(1)); process.exit(3)' "it's" 'a  b'
    has burnt
    run ! grep -q 'worker\|node-[0-9]' flame.svg
    same 'app.js flame.svg tmp' "$(echo *)"
}

@test "--inspect shows the threads of a command apart, and the processes of a cluster" {
    try flamepipe -q --inspect -- node app.js threads
    [ "$status" -eq 0 ]
    has main
    has 'worker 1'
    has first
    has inWorker
    try flamepipe -q --inspect --keep -- node app.js cluster
    [ "$status" -eq 0 ]
    same 2 "$(titles | grep -c '^<title>node-[0-9]* ')"
    has first
    has inChild
    grep -q '^node-[0-9]*;.*first' flame.folded
    run ! grep '(idle)' flame.svg
}

@test "--inspect keeps the profile of a command that a signal ends" {
    try flamepipe -q --inspect --keep --duration 1 -- node app.js serves
    [ "$status" -eq 0 ]
    has first
    [ -s flame.cpuprofile ]
    answers 4 mine '*' \
        flamepipe -q --inspect -- node -e 'process.on("SIGTERM", () => { console.log("mine"); process.exit(4); }); setTimeout(() => process.kill(process.pid, "SIGTERM"), 50); setInterval(() => 0, 10)'
}

@test "--inspect profiles several processes one after the other, in one picture" {
    start
    local one=$SERVER
    start
    answers 0 '*' "flamepipe: 2 processes are profiled one after the other, for 0.3 s each: $one $SERVER*" \
        flamepipe --inspect -p "$one,$SERVER" 0.3
    has "node-$one"
    has "node-$SERVER"
    has serve
}

@test "--inspect profiles the processes of a cluster with the one that started them" {
    local child PORT # the child of one that has the port 0 would get the port 1
    PORT=$(node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close(); })')
    start cluster
    child=$(<serves)
    try flamepipe --inspect -p "$SERVER" 0.3
    [ "$status" -eq 0 ]
    has "node-$SERVER"
    has "node-$child"
}

@test "--inspect profiles the newest process of a name" {
    mkdir bin
    ln -s "$(command -v node)" "bin/node-$$"
    PATH=$PWD/bin:$PATH start_as "node-$$"
    try flamepipe -q --inspect -n "node-$$" 0.3
    [ "$status" -eq 0 ]
    has serve
    answers 1 '*' 'flamepipe: there is no process called no-such-name' flamepipe --inspect -n no-such-name 0.3
}

@test "of several processes those that can be profiled are drawn, with status 1" {
    start
    sleep 60 3>&- &
    STARTED="$STARTED $!"
    answers 1 '*' "*nodeprofile: process $!: *" flamepipe --inspect -p "$!,$SERVER" 0.3
    has serve
}

@test "what --print prints of --inspect can be run" {
    flamepipe --print --inspect -F 500 -- node app.js "it's" >commands
    same "node --cpu-prof --cpu-prof-interval=2000 --cpu-prof-name=out.cpuprofile app.js 'it'\\''s'" "$(head -n 1 commands)"
    try sh -e commands
    [ "$status" -eq 0 ]
    has first
}
