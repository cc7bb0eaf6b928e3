# flamepipe with real recorders, at a terminal, and ended by signals.
load ../lib
load ../flamepipe

setup_file() {
    make_recorders
    find_recorders
}

# Starts a process that uses a CPU, and sets SPINNER to its pid.
start_spinner() {
    sh -c 'while :; do :; done' 3>&- & SPINNER=$!
}

# Writes to HOME/NAME.why why that recorder cannot be used here; nothing if it can.
find_recorders() {
    cd "$HOME" || return
    perf record -F 99 -g -o probe.data -- true > out 2> perf.why && : > perf.why
    stackrecord -- true > out 2> stackrecord.why && : > stackrecord.why
    return 0
}

# Uses the real recorder. Skips the test if it may not record, or if a command is missing.
live() { # perf|stackrecord COMMAND ...
    records_with=$1
    [ "$1" = perf ] || needs_recording "$HOME/$1.why"
    [ ! -s "$HOME/$1.why" ] || skip "$(grep -m 1 . "$HOME/$1.why")"
    PATH=$FAKE/none:$ELSEWHERE
    [ "$1" != stackrecord ] || PATH=$BIN:$ELSEWHERE
    shift
    for tool; do
        command -v "$tool" || skip "no $tool here"
    done
}

# Succeeds if the terminal whose output is in the file "shown" has shown the text.
shows() { # TEXT
    grep -qF "$1" shown
}

# ---- files

@test "Ctrl-C ends a writer whose output flamepipe reads, and what that prints is drawn" {
    gunzip -c "$DATA/node-http.perf.txt.gz" > text
    echo 'trap "cat text; exit" INT; : > waits; while :; do sleep 0.02; done' > writer
    {
        soon [ -e waits ] || :
        soon compgen -G "$TMPDIR/flamepipe.*/input" > input || :
        printf '\003'
    } | at_terminal 'bash writer | flamepipe -q -; echo ${PIPESTATUS[1]} > ended'
    [ "$(cat ended)" = 0 ]
    same "$(by_hand text -)" "$(cat flame.svg)"
}

# ---- recording

@test "the methods of a java have names, its output is its own, and its perf map is removed (stackrecord)" {
    live stackrecord java javac
    cat > Burn.java <<- 'END'
	public class Burn {
	    static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
	    public static void main(String[] a) throws Exception {
	        long end = System.currentTimeMillis() + 1500, sum = 0;
	        while (System.currentTimeMillis() < end)
	            sum += fib(25);
	        System.out.println(sum > 0 ? new java.io.File("/proc/self").getCanonicalFile().getName() : "");
	    }
	}
	END
    javac -J-XX:-UsePerfData -d . Burn.java || skip 'this javac does not run'
    [[ $(java -XX:-UsePerfData -version 2>&1) =~ version\ \"(1[7-9]|[2-9][0-9]) ]] || skip 'java before version 17 has no perf map at its end'
    try flamepipe -- java -XX:-UsePerfData -XX:TieredStopAtLevel=1 -cp . Burn
    [ "$status" = 0 ]
    pid=$output
    [[ $pid =~ ^[0-9]+$ ]]
    [[ $stderr = *"flamepipe: flame.svg: "*" samples"*" Burn.fib"* ]]
    titles flame.svg | grep -q '>Burn.fib (.* samples, '
    [ ! -e "/tmp/perf-$pid.map" ]
}

@test "Python functions have names, called from threads and processes too, and stacks are whole (stackrecord)" {
    live stackrecord python3
    ! command -v pyenv || PYENV_VERSION=$(pyenv versions --bare | grep -E '^3\.1[2-9]' | tail -n 1)
    export PYENV_VERSION
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 12))' || skip 'Python before 3.12 does not name its functions'
    cat > app.py <<- 'END'
	import os, sys, threading, time
	def burn(end):
	    n = 0
	    while time.thread_time() < end:
	        n = (n * 31 + 7) & 0xffff
	def outer():
	    return sorted([1], key=lambda _: burn(time.thread_time() + 0.4))
	if os.fork() == 0:
	    outer()
	    os._exit(0)
	os.wait()
	threads = [threading.Thread(target=outer) for _ in range(2)]
	[t.start() for t in threads]
	[t.join() for t in threads]
	print(os.environ["PYTHONPERFSUPPORT"])
	END
    unset PYTHONPERFSUPPORT
    answers 0 1 '*' flamepipe --keep -F 499 -- python3 app.py
    stackcollapse -q flame.perf > folded
    burns='(;[^;]*)*;py::outer:[^;]*app.py(;[^;]*)*;py::[^;]*<lambda>:[^;]*app.py(;[^;]*)*;py::burn:'
    all=$(awk '/py::/ { sum += $NF } END { print sum }' folded)
    whole=$(grep -E ";(_start|start_thread|clone3?|__clone3?)$burns" folded | awk '{ sum += $NF } END { print sum }')
    echo "# $whole of $all samples are whole"
    [ "$all" -gt 60 ]
    [ "${whole:-0}" -gt $((all * 8 / 10)) ]
    PYTHONPERFSUPPORT=0 answers 0 0 '*' flamepipe -q -- python3 app.py
}

@test "--stalls says while it records, and at the end, what blocked a node, and a page marks it" {
    live stackrecord node
    [ "$(id -u)" -eq 0 ] || skip "only root may read the numbers of tracepoints"
    cat > app.js << 'JS'
require('fs').writeFileSync('pid', String(process.pid));
let left = 4;
function blockLoop() {
    const end = Date.now() + 300;
    while (Date.now() < end);
    if (--left > 0)
        setTimeout(blockLoop, 100);
}
setTimeout(blockLoop, 500);
JS
    try flamepipe --stalls=200 --html -- node app.js
    [ "$status" -eq 0 ]
    same '' "$output"
    [ "$(grep -c '^stackreport: .*: stall of ' <<< "$stderr")" -ge 4 ]
    [ "$(grep -c '^stackreport: .*: stall of .*blockLoop ' <<< "$stderr")" -ge 2 ] # V8 may replace its code meanwhile
    [ "$(sed '1,/ stalls of 200 ms and longer/d' <<< "$stderr" | grep -c '^    .*blockLoop ')" -ge 2 ]
    python3 "$ROOT/tests/tool/frametable.py" turns flame.html > stacks
    [ "$(cut -d ';' -f 1 stacks | sort -u | wc -l)" -ge 4 ]
    grep -q ';blockLoop ' stacks
}

@test "an allocating node shows its garbage collection, on its main thread and on V8's pool" {
    live stackrecord node
    cat > app.js << 'JS'
require('fs').writeFileSync('pid', String(process.pid));
const kept = [], end = Date.now() + 1500;
globalThis.fib = new Function('n', 'return n < 2 ? n : fib(n - 1) + fib(n - 2);');
for (let i = 0; Date.now() < end; i++) {
    kept[i % 100000] = { i, list: [i, fib(9)] };
}
JS
    try flamepipe -F 499 --keep -o app.svg -- node app.js
    [ "$status" -eq 0 ]
    grep -q '<title>(garbage collector) (' app.svg
    stackfilter -q --node app.perf | stackcollapse -q --tid > app.folded
    grep -q '/app.js.*;(garbage collector)' app.folded
    run ! grep ';(garbage collector).*;(garbage collector)' app.folded
    run ! grep ';v8::internal::' app.folded
    stackfilter -q --node --only app app.perf | stackcollapse -q > app.functions
    grep -qE ' :[0-9]+(:[0-9]+)? ' app.functions # Node 18 has no column
}

@test "functions of new Function are the application's: they stay, with its kind and colour" {
    local colours='s/.*<title>\([^<]*\) ([0-9.]* samples.* fill="rgb(\([0-9,]*\))".*/\2 \1/p'
    live stackrecord node
    cat > app.js << 'JS'
require('fs').writeFileSync('pid', String(process.pid));
// As a compiler of schemas makes them, a named one within the text, and as one of templates does.
const validate = new Function('limit', `
"use strict";
return function validate11(list) { let n = 0; for (const x of list) n += x.size % limit; return n; }`)(7);
const template = Function.apply(null, ['list', 'lines', 'let s = ""; for (const x of list) s += lines(x); return s.length']);
const evaluated = eval('(function sum(list) { let n = 0; for (const x of list) n ^= x.size * 3; return n; })');
const list = Array.from({ length: 5000 }, (_, i) => ({ size: i }));
for (const end = Date.now() + 1500; Date.now() < end;) {
    template(list, x => '<' + x.size);
    for (let i = 0; i < 20; i++)
        validate(list) + evaluated(list);
}
JS
    try flamepipe -F 499 --keep -o app.svg -- node --no-turbo-inlining app.js
    [ "$status" -eq 0 ]
    stackfilter -q --node --only app app.perf | stackcollapse -q > app.functions
    stackfilter -q --node app.perf | stackreport -q --top 1000 > app.table
    sed -n "$colours" app.svg > app.colours
    for name in 'validate11 :5' '(anonymous) :1' 'sum :1'; do # Node 18 has no column
        grep -qF ";$name" app.functions
        grep -F " $name" app.table | grep -q ' app  '
        grep -qF " $name" app.colours
        run ! grep -vE '^([0-9]+),[0-9]+,\1 ' <(grep -F " $name" app.colours) # green
    done
}

@test "a full disk ends the recording of a command, which is waited for, and what was recorded can be drawn" {
    live stackrecord
    mkdir small
    mount -t tmpfs -o size=500k none small || skip "no small disk can be mounted here"
    echo 'timeout 3 sh -c "while :; do :; done"; echo > ended' > work
    TMPDIR=$PWD/small try flamepipe -F 9999 -- sh work
    cp small/*/recording . || true
    umount small
    [ -e ended ] && [ "$status" = 1 ]
    [[ $stderr != *'I/O error'* && $stderr != *'write error'* ]]
    try flamepipe recording
    titles flame.svg | grep -q '>sh ('
}

@test "where there is no room for a recording, that is what is said" {
    live stackrecord
    mkdir small
    mount -t tmpfs -o size=100k none small || skip "no small disk can be mounted here"
    head -c 200000 /dev/zero > small/file || true # as much as there is room
    TMPDIR=$PWD/small try flamepipe -- timeout 0.3 sh -c 'while :; do :; done'
    umount small
    [ "$status" = 1 ]
    [[ $stderr = *"flamepipe: $PWD/small is full: the variable TMPDIR can name another folder for temporary files"* ]]
    [[ $stderr != *'no samples'* ]]
}

# ---- other users' files

# The command of a recording runs this in a folder in which everybody may make files, for one of the
# pids of the recording.
among_others() { # COMMANDS
    mkdir shared
    chmod 1777 shared
    cd shared
    tid=$(perf-script -q -G -F tid "$RECORDED" | sed -n '1s/ //gp')
    echo precious > precious
    answers 0 '*' "" timeout 20 flamepipe -q -o "$BATS_TEST_TMPDIR/flame.svg" -- sh -c "sleep 0.02; tid=$tid; $1"
    same precious "$(cat precious)"
}

@test "V8's logs are removed if they are empty, and what only looks like one is not" {
    among_others 'echo v8-version,11 > isolate-0x5581c0-$tid-v8.log
        echo v8-version,11 > isolate-0x5581c0-1-v8.log
        echo v8-version,11 > isolate-home-$tid-v8.log
        printf "v8-version,11\ntick,0x1\n" > isolate-0x5581c1-$tid-v8.log'
    same "isolate-0x5581c0-1-v8.log
isolate-0x5581c1-$tid-v8.log
isolate-home-$tid-v8.log
precious" "$(ls)"
}

@test "a name with newlines or with a dash does not remove another file, and a FIFO or a link does not hang" {
    among_others 'echo v8-version,11 > "isolate-0x1
precious
-$tid-v8.log"
        echo > "isolate-0x1
-rf
*-$tid-v8.log"
        mkfifo isolate-0x2-$tid-v8.log; ln -s /dev/zero isolate-0x3-$tid-v8.log
        ln precious isolate-0x4-$tid-v8.log; mkdir isolate-0x5-$tid-v8.log'
    [ -p "isolate-0x2-$tid-v8.log" ]
    [ "$(find . ! -name . -prune | tr '\n' _ | grep -o isolate | wc -l)" = 6 ]
}

@test "no file of another user is removed" {
    [ "$(id -u)" = 0 ] || skip 'only root can give files to another user'
    among_others 'echo v8-version,11 > isolate-0x1-$tid-v8.log; chown 65534 isolate-0x1-$tid-v8.log'
    same "isolate-0x1-$tid-v8.log
precious" "$(ls)"
}

# ---- how it ends

@test "ended by a signal while it draws, it leaves no temporary file" {
    mkdir slow
    cp "$BIN/"* slow
    printf '#!/bin/sh\ntouch drawing\nexec sleep 2\n' > slow/flamesvg
    chmod +x slow/flamesvg
    slow/flamepipe -q "$RECORDED" 3>&- &
    soon [ -e drawing ]
    kill -TERM $!
    status=0
    wait $! || status=$?
    [ "$status" = 143 ]
    [ ! -e flame.svg ]
    same '' "$(ls -A "$TMPDIR")"
}

# ---- real recordings

draws_node() { # RECORDER
    live "$1" node
    mkdir run
    cd run
    answers 3 "done" '*' \
        flamepipe -F 999 -- sh -c 'node "$1" 1000 & echo $! > ../pid; wait; exit 3' sh "$ROOT/tests/demo/work.js"
    [[ $(messages) = *'flamepipe: flame.svg: '*' samples' ]]
    [[ $stderr != *'without a name: start node'* ]]
    well_formed flame.svg
    titles flame.svg | grep -q '>handleRequest .*/work.js:[0-9]'
    titles flame.svg | grep -q '>collatz .*/work.js:[0-9]'
    # neither V8's log nor the perf map, which node writes for perf
    same flame.svg "$(ls -A)"
    [ ! -e "/tmp/perf-$(cat ../pid).map" ]
}

@test "node is recorded with the names of its functions, below a shell too, and leaves no file (perf)" {
    draws_node perf
}

@test "node is recorded with the names of its functions, below a shell too, and leaves no file (stackrecord)" {
    draws_node stackrecord
}

@test "node in a pid namespace of its own has another number there, so the log of that number stays (stackrecord)" {
    live stackrecord node unshare
    mkdir run
    cd run
    # shellcheck disable=SC2016
    inside=(sh -c 'exec < "$2" && mount -t tmpfs none /tmp && echo $$ > "$1" && exec node - 1000' \
        sh ../pid "$ROOT/tests/demo/work.js") # the project may be in /tmp
    unshare -p -f --mount-proc true || skip "no pid namespace here"
    try flamepipe -q --write-perf-map -- unshare -p -f --mount-proc "${inside[@]}"
    echo "status $status: $stderr"
    [ "$status" = 0 ]
    [ "$(cat ../pid)" -lt 10 ]
    rm isolate-0x*-"$(cat ../pid)"-v8.log
    same flame.svg "$(ls -A)"
}

@test "--keep keeps the perf map, too, and a log in which the user had V8 log something stays" {
    live perf node
    try flamepipe --keep -q -- sh -c 'echo $$ > pid; exec node --prof "$1" 500' sh "$ROOT/tests/demo/work.js"
    [ "$status" = 0 ]
    rm "/tmp/perf-$(cat pid).map"
    rm isolate-*-"$(cat pid)"-v8.log
    try flamepipe -q -- sh -c 'echo $$ > pid; exec node --prof "$1" 500' sh "$ROOT/tests/demo/work.js"
    [ "$status" = 0 ]
    [ ! -e "/tmp/perf-$(cat pid).map" ]
    grep -q ^tick, isolate-*-"$(cat pid)"-v8.log
}

# Runs a command, and sends a signal to it and its children, like a terminal at Ctrl-C.
interrupt() { # SIGNAL COMMAND ...
    env --default-signal=INT setsid "${@:2}" 3>&- &
    wait_for_recording
    kill -s "$1" -- "-$!"
    wait "$!"
}

# Does the same, but sends the signal only to the command.
interrupt_alone() { # SIGNAL COMMAND ...
    env --default-signal=INT "${@:2}" 3>&- &
    wait_for_recording
    kill -s "$1" "$!"
    wait "$!"
}

# perf's file has a header before perf records.
wait_for_recording() {
    soon has_recording
    [ ! -e work.js ] || soon [ -e runs ]
    if [ "$records_with" = perf ]; then sleep 1; else sleep 0.3; fi
}

has_recording() {
    [ -n "$(find "$TMPDIR" -name recording -size +0)" ]
}

is_ended_by_ctrl_c() { # RECORDER
    live "$1" node
    # On a busy machine, just starting node may take a second.
    { echo "require('fs').writeFileSync('runs', '');" && cat "$ROOT/tests/demo/work.js"; } > work.js
    try interrupt INT flamepipe -- node "$PWD/work.js" 60000
    rm work.js
    [ "$status" = 0 ]
    [[ $(messages) = *'flamepipe: flame.svg: '*' samples' ]]
    titles flame.svg | grep -q 'work.js'
    rm flame.svg
    try interrupt TERM flamepipe -q -F 999 -- sh -c 'while :; do :; done'
    [ "$status" = 0 ]
    [ -s flame.svg ]
}

@test "Ctrl-C ends the recording of a command, and what was recorded is drawn (perf)" {
    is_ended_by_ctrl_c perf
}

@test "Ctrl-C ends the recording of a command, and what was recorded is drawn (stackrecord)" {
    is_ended_by_ctrl_c stackrecord
}

@test "Ctrl-C pressed three times within a second counts once (stackrecord)" {
    live stackrecord
    start_spinner
    for words in "-p $SPINNER" '-- sh -c "while :; do :; done"'; do
        rm -f flame.svg shown
        {
            soon shows 'stackrecord: 1 s' || :
            for pause in 0.05 0.4 0; do printf '\003' && sleep $pause; done
        } | at_terminal "flamepipe -q -F 999 $words; echo \$? > ended" > shown 3>&-
        [ "$(cat ended)" = 0 ]
        [ -s flame.svg ]
    done
}

@test "a command that ignores Ctrl-C is reported, and another Ctrl-C draws what was recorded (stackrecord)" {
    live stackrecord
    echo 'trap "" INT; echo $$ > pid; while [ ! -e end ]; do :; done' > server
    {
        soon shows 'stackrecord: 1 s' || :
        printf '\003'
        soon shows "process $(cat pid) still runs, two seconds after" || touch end
        printf '\003'
    } | at_terminal 'flamepipe -F 999 -- bash server; echo $? > ended' > shown 3>&-
    kill -0 "$(cat pid)"
    touch end
    [ "$(cat ended)" = 0 ]
    [ -s flame.svg ]
}

is_ended_by_signal() { # RECORDER
    live "$1"
    start_spinner
    for signal in INT TERM HUP; do
        rm -f flame.svg
        try interrupt_alone "$signal" flamepipe -F 499 -p $SPINNER
        [ "$status" = 0 ]
        [[ $(messages) = *'flamepipe: recording until Ctrl-C'*'flamepipe: flame.svg: '*' samples' ]]
        [ -s flame.svg ]
    done
}

@test "a recording without an end is ended by a signal to flamepipe alone, and drawn (perf)" {
    is_ended_by_signal perf
}

@test "a recording without an end is ended by a signal to flamepipe alone, and drawn (stackrecord)" {
    is_ended_by_signal stackrecord
}

# Checks what is left when flamepipe is killed: the folder for temporary files, but no recorder.
ends_with_flamepipe() { # RECORDER
    live "$1"
    [ "$1" != perf ] || setpriv --pdeathsig TERM true || skip 'no setpriv that can end perf'
    start_spinner
    for words in "-p $SPINNER" '-- sh -c "while :; do :; done"'; do
        eval "exec flamepipe $words" 2> messages 3>&- & script=$!
        soon pgrep -P "$script" -x "$1" > found
        sleep 0.3
        recorder=$(pgrep -P "$script" -x "$1")
        kill -KILL "$script"
        soon eval '! kill -0 "$recorder"'
    done
    rm -r "$TMPDIR"/flamepipe.*
}

@test "the recorder ends when flamepipe is killed (perf)" {
    ends_with_flamepipe perf
}

@test "the recorder ends when flamepipe is killed (stackrecord)" {
    ends_with_flamepipe stackrecord
}

records_processes() { # RECORDER
    live "$1"
    start_spinner
    try flamepipe -F 999 -p $SPINNER 1
    [ "$status" = 0 ]
    [[ $(messages) = *'flamepipe: flame.svg: '*' samples' ]]
    titles flame.svg | grep -q '>sh '
    try flamepipe -F 499 -p $SPINNER,99999999 0.5
    [ "$status" = 1 ]
    [[ $stderr = *$'\nflamepipe: nothing was recorded' ]]
    try flamepipe -F 499 -a 1
    if [ "$(id -u)" != 0 ]; then skip 'only root may record all processes everywhere'; fi
    [ "$status" = 0 ]
    [[ $(messages) = *'flamepipe: flame.svg: '*' samples' ]]
    titles flame.svg | grep -q '>sh '
}

@test "running processes, and the whole machine, are recorded for some seconds (perf)" {
    records_processes perf
}

@test "running processes, and the whole machine, are recorded for some seconds (stackrecord)" {
    records_processes stackrecord
}

ends_command() { # RECORDER
    live "$1"
    try flamepipe -F 999 --duration 1 -- sh -c 'while :; do :; done'
    [ "$status" = 0 ]
    [[ $(messages) = *'flamepipe: flame.svg: '*' samples' ]]
    titles flame.svg | grep -q '>sh '
    try flamepipe -F 499 --duration 10 -- sh -c 'exit 3'
    [ "$status" = 3 ]
}

@test "--duration ends a command that runs longer (perf)" {
    ends_command perf
}

@test "--duration ends a command that runs longer (stackrecord)" {
    ends_command stackrecord
}

@test "with --off-cpu the picture has the time that a command waits (stackrecord)" {
    live stackrecord
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    try flamepipe --off-cpu -- sleep 0.5
    [[ $(messages) =~ flame\.svg:\ [1-9][0-9]*\ samples?$'\n' ]]
    titles flame.svg | grep -q '>all ([0-9.]* m*s, 100%)'
    titles flame.svg | grep -q '>sleep ('
}

@test "with --off-cpu the idle threads of node's pool are left out and counted, and --idle-threads shows them (stackrecord)" {
    live stackrecord node
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    cat > app.js <<- 'END'
	const http = require('http');
	const server = http.createServer((q, r) => r.end('x')).listen(0, '127.0.0.1', () => {
	    setInterval(() => http.get({ host: '127.0.0.1', port: server.address().port }, (r) => r.resume()), 20);
	    require('fs').readFile(__filename, () => {});
	    setTimeout(() => process.exit(0), 1500);
	});
	END
    try flamepipe --off-cpu --idle-threads -o all.svg -- node app.js
    [[ $stderr != *'left out'* ]]
    titles all.svg | grep -q '>[^ ]*cond_wait' || skip 'this node has no names of what its pool waits in'
    try flamepipe --off-cpu -- node app.js
    [ "$status" = 0 ]
    [[ $stderr =~ 'flamepipe: left out: waits for work of '([0-9]+)' threads, '[0-9.]+' s ('([0-9]+)\.[0-9]' % of all waits); --idle-threads shows them' ]]
    ((BASH_REMATCH[1] >= 4 && BASH_REMATCH[2] >= 60))
    titles flame.svg | grep -q '>[^ ]*epoll_p*wait\|>uv__io_poll'
    # What is left of the pool's threads is waits for locks and for a CPU.
    [ "$(titles flame.svg | sed -n 's/.*PlatformWorkerThread (.* \([0-9]*\)\.[0-9]*%).*/\1/p' | awk '{ all += $1 } END { print all < 20 }')" = 1 ]
}

@test "with --off-cpu threads that wait for a lock, for a pipe or for another thread all the time stay (stackrecord)" {
    live stackrecord gcc
    [ -r /sys/kernel/tracing/events/sched/sched_switch/id ] || skip 'needs root and tracefs'
    cat > app.c <<- 'END'
	#include <pthread.h>
	#include <unistd.h>
	static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, free_one = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
	static int ends[2];
	static void *works(void *a) { pthread_mutex_lock(&free_one); for (;;) pthread_cond_wait(&work, &free_one); return a; }
	static void *blocks(void *a) { pthread_mutex_lock(&held); return a; }
	static void *reads(void *a) { char c; if (read(ends[0], &c, 1)) {} return a; }
	static void *joins(void *a) { pthread_join(*(pthread_t *)a, NULL); return a; }
	int main(void)
	{
	    void *(*const functions[])(void *) = {blocks, reads, joins, works};
	    static pthread_t threads[4];
	    if (pipe(ends)) return 1;
	    pthread_mutex_lock(&held);
	    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], &threads[0]);
	    for (int i = 0; i < 8; i++) { usleep(50000); pthread_cond_signal(&work); }
	    return 0;
	}
	END
    gcc -O1 -fno-inline -fno-optimize-sibling-calls -pthread -o app app.c
    answers 0 '*' '*flamepipe: left out: waits for work of 1 thread, 0.* s (* % of all waits); --idle-threads shows them*' \
        flamepipe --off-cpu -- ./app
    for function in blocks reads joins main; do
        titles flame.svg | grep -q ">$function ("
    done
    [ "$(titles flame.svg | grep -c '>works (')" = 0 ]
    try flamepipe --off-cpu --idle-threads -- ./app
    titles flame.svg | grep -q '>works ('
}

reports_full_disk() { # RECORDER
    live "$1"
    start_spinner
    mkdir small
    mount -t tmpfs -o size=300k none small || skip "no small disk can be mounted here"
    TMPDIR=$PWD/small try flamepipe -F 4999 -a 2
    left=$(find small -maxdepth 1 -name "flamepipe.*" -printf "%f") # perf leaves files of its own
    umount small
    [ "$status" = 1 ]
    [[ $stderr = *"flamepipe: $PWD/small is full: the variable TMPDIR can name another folder for temporary files"* ]]
    [[ $left = flamepipe.+([!$IFS]) ]]
    [[ $stderr = *"flamepipe: what has been recorded stays in $PWD/small/$left/recording: 'TMPDIR=FOLDER flamepipe $PWD/small/$left/recording' draws it"* ]]
}

@test "a full disk is reported (perf)" {
    reports_full_disk perf
    [[ $stderr = *'did not finish it: what is there is read'* ]]
}

@test "a full disk is reported (stackrecord)" {
    reports_full_disk stackrecord
    [[ $stderr = *'stackrecord: '*'/recording: No space left on device'* ]]
}

@test "calls that the compiler inlined are shown, and --no-inline leaves them out" {
    live stackrecord gcc
    cat > app.c << 'C'
static inline __attribute__((always_inline)) int inner(volatile int *p)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += *p;
    return sum;
}
int __attribute__((noinline)) visible(volatile int *p) { return inner(p) + 1; }
int main(void)
{
    volatile int x = 1;
    int sum = 0;
    for (int i = 0; i < 300000; i++)
        sum += visible(&x);
    return sum == 1;
}
C
    gcc -g -O1 -o app app.c
    try flamepipe -o app.svg -- ./app
    [ "$status" = 0 ]
    grep -q '<title>inner' app.svg
    try flamepipe --no-inline -o app.svg -- ./app
    [ "$status" = 0 ]
    grep -q '<title>visible' app.svg
    run ! grep -q '<title>inner' app.svg
}

# Sends a signal to a flamepipe that reads a FIFO, and sets `status` to its exit status.
ended_by() { # SIGNAL
    local pid
    rm -rf fifo
    mkfifo fifo
    env --default-signal="$1" flamepipe -q -o - fifo > /dev/null 3>&- &
    pid=$!
    exec 5> fifo
    soon compgen -G "$TMPDIR/flamepipe.*/input"
    kill -s "$1" "$pid"
    exec 5>&- # a shell acts on the signal when its command has ended
    status=0
    wait "$pid" || status=$?
}

@test "whatever signal ends flamepipe, it leaves no temporary files" {
    ulimit -c 0
    for signal in HUP:129 INT:130 QUIT:131 ABRT:134 ALRM:142 TERM:143 XCPU:152 XFSZ:153 RTMAX:192; do
        ended_by "${signal%:*}"
        same "${signal#*:}" "$status"
        same '' "$(ls -A "$TMPDIR")"
    done
}

@test "what stackrecord takes for wrong usage is wrong usage, and perf does not record in its place" {
    live stackrecord
    answers 2 '*' 'flamepipe: option --freq: 4000000000 is not from 1 to 2,147,483,647' \
        flamepipe -F 4000000000 -- touch recorded
    [ ! -e recorded ]
}
