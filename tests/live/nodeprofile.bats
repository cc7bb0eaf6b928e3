# nodeprofile: the profile of a node that was started without options, and what nodeprofile leaves
# unchanged.
load ../lib

setup_file() {
    cat > "$BATS_FILE_TMPDIR/server.js" <<- 'END'
	const http = require('http');
	function burn(ms) { const end = Date.now() + ms; let sum = 0; while (Date.now() < end) sum += Math.sqrt(sum + 1); return sum; }
	function answer(req, res) { burn(4); res.end(); }
	const server = http.createServer(answer).listen(0, () => {
	    setInterval(() => http.get({ host: '127.0.0.1', port: server.address().port }, (res) => res.resume()), 20);
	    console.log('listens');
	});
	END
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    command -v node > where || skip 'no node on this machine'
    running=()
}

teardown() {
    [ "${#running[@]}" = 0 ] || kill -KILL "${running[@]}" 2> /dev/null || :
    touch go # for the child of a program of profile_waiter
}

# Starts a program, sets $pid, and waits until it prints something.
start() { # COMMAND ...
    rm -f started
    "$@" > started 2> said 3>&- & pid=$!
    running+=("$pid")
    soon test -s started
}

# Starts a server whose inspector uses any free port.
serve() {
    start node --inspect-port=0 "$BATS_FILE_TMPDIR/server.js"
}

# Prints the ports of 127.0.0.1 or of any address on which the process listens, in hexadecimal.
ports() {
    find "/proc/$pid/fd" -lname 'socket:*' -printf '%l\n' | tr -dc '0-9\n' |
        awk 'NR == FNR { own[$1]; next } $4 == "0A" && $2 ~ /^(0100007F|00000000):/ && $10 in own { print $2 }' - "/proc/$pid/net/tcp"
}

@test "the functions of a node that was started without options have names, it goes on, and its inspector is closed" {
    serve
    for _ in 1 2; do
        answers 0 '*' '' nodeprofile -d 0.5 "$pid"
        node -e 'JSON.parse(require("fs").readFileSync(0))' <<< "$output"
        stackcollapse <<< "$output" | grep -q ';JS:answer .*/server.js:3:16;JS:burn .*/server.js:2:14 [0-9]*$'
        same '' "$(ports)"
        kill -0 "$pid"
    done
    [ "$(grep -c 'Debugger listening on' said)" = 2 ]
}

# Prints the shares of the functions a to d in the profile.
shares() { # FILE
    stackcollapse -q "$1" | awk '{ n = $NF; all += n }
        match($0, /JS:[abcd] [^;]* [0-9]+$/) { at[substr($0, RSTART + 3, 1)] += n }
        END { for (i = 1; i <= 4; i++) printf "%.1f\n", 100 * at[substr("abcd", i, 1)] / all }'
}

@test "each function has its share of the time, within 8 points of what the program's own --cpu-prof says" {
    cat > shares.js <<- 'END'
	const a = (s) => { for (let i = 0; i < 8e5; i++) s += Math.sqrt(i); return s; }
	const b = (s) => { for (let i = 0; i < 6e5; i++) s += Math.sqrt(i); return s; }
	const c = (s) => { for (let i = 0; i < 4e5; i++) s += Math.sqrt(i); return s; }
	const d = (s) => { for (let i = 0; i < 2e5; i++) s += Math.sqrt(i); return s; }
	const end = Date.now() + 3500;
	console.log('runs');
	for (let s = 0; Date.now() < end;) s = d(c(b(a(s))));
	END
    start node --inspect-port=0 --cpu-prof --cpu-prof-dir=prof shares.js
    nodeprofile -d 3 "$pid" > ours
    wait "$pid"
    paste <(shares ours) <(shares prof/*) > both
    cat both
    # With 3,000 samples, a share of 0.4 has a standard error of 0.9 points, and the difference of
    # two has 1.3; six times that is 7.6.
    awk '{ n++ } $1 - $2 > 8 || $2 - $1 > 8 { far = 1 } END { exit n != 4 || far }' both
}

# A program whose workers never return to their event loops. SIGUSR2 ends the first one and starts
# another.
crew() { # NUMBER
    cat > crew.js <<- 'END'
	const { Worker, isMainThread } = require('worker_threads');
	const begin = () => new Worker(__filename).on('online', () => process.stdout.write('o'));
	function toil() { for (let sum = 0;;) sum += Math.sqrt(sum + 1); }
	function wait() { setTimeout(wait, 10); }
	if (!isMainThread) toil();
	const all = Array.from({ length: process.argv[2] }, begin);
	process.on('SIGUSR2', () => all[0].terminate().then(begin));
	wait();
	END
    start node --inspect-port=0 crew.js "$1"
    soon grep -q "^o\{$1\}" started
}

@test "each worker has a branch of its own, with all of its time, and so has the main thread" {
    crew 4
    answers 0 '*' '' nodeprofile -d 2 "$pid"
    same '' "$(ports)"
    kill -0 "$pid"
    stackcollapse <<< "$output" > folded
    for thread in 1 2 3 4; do
        grep -q "^(root);worker $thread: crew\.js;.*;JS:toil .*/crew\.js:3:14 [0-9]*$" folded
    done
    grep -q '^(root);main;(idle) [0-9]*$' folded
    awk -F '[; ]' '{ all[$2, $3] += $NF } END { for (i in all) { n++; wrong += all[i] < 1e6 }; exit n != 5 || wrong }' \
        <(sed 's/^(root);//; s/^main;/main 0;/; s/^/;/' folded)
    node -e '
        const p = JSON.parse(require("fs").readFileSync(0)), ids = new Set(p.nodes.map((node) => node.id));
        const called = p.nodes.flatMap((node) => node.children || []);
        const sum = p.timeDeltas.reduce((all, delta) => all + delta);
        console.log(ids.size - p.nodes.length, new Set(called).size - called.length, p.nodes.length - called.length,
            called.concat(p.samples).every((id) => ids.has(id)), p.samples.length - p.timeDeltas.length,
            p.endTime - p.startTime - sum, p.nodes[0].children.length)' <<< "$output" > whole
    same '0 0 1 true 0 0 5' "$(< whole)"
}

@test "a worker that begins while the others are profiled is there, and one that ends is missed" {
    crew 2
    set -m
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon grep -q 'Debugger attached' said
    sleep 0.3
    kill -USR2 "$pid"
    soon grep -q '^ooo' started
    sleep 0.5
    kill -INT "$profiler"
    wait "$profiler"
    same "nodeprofile: profiling until Ctrl-C
nodeprofile: process $pid: the profile lacks 1 of its workers, which ended before it or did not answer" "$(< notes)"
    same 'main worker 2: crew.js worker 3: crew.js' "$(stackcollapse -q profile | sed 's/ [0-9]*$//' | cut -d ';' -f 2 | sort -u | xargs)"
    same '' "$(ports)"
    kill -0 "$pid"
}

@test "a program that never returns to its event loop is profiled too, and its inspector closed" {
    start node --inspect-port=0 -e 'require("fs").writeSync(1, "runs\n"); for (;;);'
    answers 0 '*' '' nodeprofile -d 0.3 -i 500 "$pid"
    same '' "$(ports)"
}

@test "a node that the profile may hang, as Node 18 to 20 with --interpreted-frames-native-stack, is refused and goes on" {
    version=$(node -p 'parseInt(process.versions.node)')
    for words in 'node --interpreted-frames-native-stack' 'env NODE_OPTIONS=--interpreted_frames_native_stack node'; do
        # shellcheck disable=SC2086
        start $words --inspect-port=0 "$BATS_FILE_TMPDIR/server.js"
        try timeout 60 nodeprofile -d 0.5 "$pid"
        same '' "$(ports)"
        kill -0 "$pid"
        if [ "$version" -lt 18 ] || [ "$version" -gt 20 ]; then
            [ "$status" = 0 ]
            continue
        fi
        [ "$status" = 1 ]
        same '' "$output"
        same "nodeprofile: process $pid: it was started with --interpreted-frames-native-stack, with which Node 18 to 20 may hang \
for ever while V8 takes a profile: record it with stackrecord" "$stderr"
    done
    start node --no-interpreted-frames-native-stack --inspect-port=0 "$BATS_FILE_TMPDIR/server.js"
    try nodeprofile -d 0.5 "$pid"
    [ "$status" = 0 ]
}

@test "an inspector that was open is used, and stays open" {
    for address in 0 0.0.0.0:0; do
        start node --inspect="$address" "$BATS_FILE_TMPDIR/server.js"
        before=$(ports)
        [ -n "$before" ]
        try nodeprofile -d 0.3 "$pid"
        echo "$stderr"
        [ "$status" = 0 ]
        same '' "$stderr"
        same "$before" "$(ports)"
    done
}

# Succeeds once the process has reported this number of times that a debugger, such as nodeprofile,
# has connected.
has_debuggers() { # NUMBER
    [ "$(grep -c 'Debugger attached' said)" = "$1" ]
}

@test "an inspector to which a debugger has connected meanwhile stays open, since the process would halt" {
    serve
    set -m
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon grep -qs 'profiling until' notes
    sleep 0.3
    perl -MIO::Socket::INET -e '<STDIN> =~ m{ws://([^/]*)(/\S*)} or die;
        $s = IO::Socket::INET->new($1) or die;
        print $s "GET $2 HTTP/1.1\r\nHost: $1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: Zmxhbcpncm9maWxlci4uLg==\r\n\r\n"; sleep 60' < said 3>&- &
    running+=("$!")
    soon has_debuggers 2
    kill -INT "$profiler"
    status=0
    wait "$profiler" || status=$?
    [ "$status" = 1 ]
    port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' said)
    same "nodeprofile: profiling until Ctrl-C
nodeprofile: process $pid: its inspector stays open, on port $port of 127.0.0.1: another program is connected to it" "$(< notes)"
    stackcollapse -q profile | grep -q 'JS:answer'
    try nodeprofile -d 0.3 "$pid"
    [ "$status" = 0 ]
    stackcollapse -q <<< "$output" | grep -q 'JS:answer'
}

# Profiles a program that cannot open its inspector until the file `go` exists, for at most 20
# seconds. Returns when the program has got the signal.
profile_waiter() { # OPTION ...
    rm -f go
    start node --inspect-port=0 -e 'console.log("runs");
        require("child_process").execSync("for i in $(seq 400); do [ ! -e go ] || break; sleep 0.05; done");
        setInterval(() => 0, 10)'
    set -m
    nodeprofile "$@" "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon has_guard
    sleep 0.2
}

# Succeeds once nodeprofile has started the process that closes the inspector if nodeprofile is
# killed. This is just before the signal.
has_guard() {
    [ -n "$(children "$profiler")" ]
}

no_ports() {
    [ -z "$(ports)" ]
}

# A zombie that nobody waits for has ended, too.
has_ended() { # PID
    ! grep -qs '^State:.[^Z]' "/proc/$1/status"
}

# Prints the processes that a process has started.
children() { # PID
    local children
    read -ra children < "/proc/$1/task/$1/children" || :
    echo "${children[*]}"
}

# Kills a nodeprofile during a profile: its process group if the word is "group", otherwise the
# process.
kill_profiler() { # WORD
    rm -f notes # those of an earlier profile
    set -m
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon grep -q 'profiling until' notes
    guard=$(children "$profiler")
    kill -0 "$guard"
    if [ "$1" = group ]; then kill -KILL -- "-$profiler"; else kill -KILL "$profiler"; fi
    status=0
    wait "$profiler" || status=$?
    [ "$status" = 137 ]
}

@test "SIGKILL to nodeprofile, or to its group, leaves no inspector open, and no process behind" {
    for victim in process group; do
        serve
        kill_profiler $victim
        soon no_ports
        soon has_ended "$guard"
        kill -0 "$pid"
        same '' "$(< profile)"
    done
}

@test "SIGKILL to nodeprofile leaves no inspector open in a program that never returns to its event loop" {
    start node --inspect-port=0 -e 'require("fs").writeSync(1, "runs\n"); for (;;);'
    kill_profiler process
    soon no_ports
    soon has_ended "$guard"
}

@test "a second nodeprofile of the same process is refused, also while the inspector of a killed one is being closed" {
    profile_waiter -d 1
    try nodeprofile -d 0.1 "$pid"
    [ "$status" = 1 ]
    same '' "$output"
    same "nodeprofile: process $pid: another nodeprofile is at work on it" "$stderr"
    touch go
    wait "$profiler"
    same '' "$(< notes)"
    profile_waiter
    guard=$(children "$profiler")
    kill -KILL "$profiler"
    try nodeprofile -d 0.1 "$pid"
    same "nodeprofile: process $pid: another nodeprofile is at work on it" "$stderr"
    touch go
    soon has_ended "$guard"
    try nodeprofile -d 0.1 "$pid"
    [ "$status" = 0 ]
    same '' "$(ports)"
}

@test "an inspector that opens after SIGKILL to nodeprofile is closed" {
    profile_waiter
    guard=$(children "$profiler")
    kill -KILL "$profiler"
    touch go
    soon grep -q 'Debugger listening on' said
    soon has_ended "$guard"
    same '' "$(ports)"
    kill -0 "$pid"
}

@test "an inspector that was open stays open after SIGKILL to nodeprofile" {
    start node --inspect=0 "$BATS_FILE_TMPDIR/server.js"
    before=$(ports)
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    soon grep -q 'profiling until' notes
    same '' "$(children "$profiler")"
    kill -KILL "$profiler"
    sleep 0.5
    same "$before" "$(ports)"
}

@test "Ctrl-C before the inspector is open leaves none open" {
    profile_waiter
    kill -INT "$profiler"
    touch go
    wait "$profiler"
    stackcollapse -q profile > folded
    grep -q 'Debugger listening on' said
    same '' "$(ports)"
    kill -0 "$pid"
}

@test "a process that is stopped gets no signal, which would open its inspector when it goes on" {
    serve
    kill -STOP "$pid"
    soon grep -q '^State:.T' "/proc/$pid/status"
    answers 1 '' "nodeprofile: process $pid: it is stopped; 'kill -CONT $pid' lets it go on" nodeprofile -d 1 "$pid"
    grep -q '^ShdPnd:.0*$' "/proc/$pid/status"
    kill -CONT "$pid"
    try nodeprofile -d 0.3 "$pid"
    [ "$status" = 0 ]
    same '' "$(ports)"
}

@test "the message says if a process was stopped before it opened its inspector" {
    profile_waiter
    kill -STOP "$pid"
    status=0
    wait "$profiler" || status=$?
    [ "$status" = 1 ]
    same "nodeprofile: process $pid: it was stopped before it opened its inspector, and opens it when it goes on" "$(< notes)"
}

@test "a process that ends while it is profiled is not held, and its profile is of the time until then" {
    cat > ends.js <<- 'END'
	const { Worker } = require('worker_threads');
	function busy(ms) { const end = Date.now() + ms; let sum = 0; while (Date.now() < end) sum += Math.sqrt(sum + 1); return sum; }
	const runs = () => console.log('runs');
	const ends = {
	    returns() {},
	    exits() { process.exit(5); },
	    throws() { throw new Error('the end'); },
	};
	process.on('SIGTERM', ends.exits);
	const timer = setInterval(busy, 50, 20);
	process.on('SIGUSR2', () => { busy(300); clearInterval(timer); ends[process.argv[2]](); });
	if (process.argv[3] === 'worker')
	    new Worker('function toil() { for (let sum = 0;;) sum += Math.sqrt(sum + 1); } toil();', { eval: true }).on('online', runs);
	else
	    runs();
	END
    ends() { # STATUS SIGNAL WAY [WORKER]
        local status
        SECONDS=0
        rm -f notes
        start node --inspect-port=0 ends.js "${@:3}"
        nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
        running+=("$profiler")
        soon grep -qs 'profiling until' notes
        sleep 0.3
        kill -s "$2" "$pid"
        wait "$profiler"
        wait "$pid" && status=0 || status=$?
        same 'nodeprofile: profiling until Ctrl-C' "$(< notes)"
        [ "$status" = "$1" ]
        ((SECONDS < 50))
        stackcollapse profile > folded
        grep -q 'JS:busy .*/ends.js:2:14 ' folded
        awk '/;reallyExit / { held += $NF } END { exit held > 10e6 }' folded # microseconds
    }
    ends 0 USR2 returns
    ends 5 USR2 exits
    ends 1 USR2 throws
    ends 5 TERM waits
    ends 5 USR2 exits worker
    grep -q '^(root);worker 1.*;JS:toil ' folded
}

@test "a process that ends in the middle is an error" {
    serve
    nodeprofile -d 30 "$pid" > profile 2> notes 3>&- & profiler=$!
    running+=("$profiler")
    soon grep -q 'Debugger attached' said
    sleep 0.2
    kill -KILL "$pid"
    status=0
    wait "$profiler" || status=$?
    [ "$status" = 1 ]
    same '' "$(< profile)"
    same "nodeprofile: process $pid: it ended, or closed its inspector, before the profile was taken" "$(< notes)"
}

@test "what is no node, or does not catch the signal, gets none" {
    start sh -c 'echo runs; exec sleep 60'
    soon grep -q sleep "/proc/$pid/comm"
    answers 1 '' "nodeprofile: process $pid: it does not run node" nodeprofile -d 1 "$pid"
    for name in node nodejs node-20; do
        cp "$(command -v sleep)" $name
        start sh -c "echo runs; exec ./$name 60"
        soon grep -q node "/proc/$pid/comm"
        answers 1 '*' "nodeprofile: process $pid: it does not catch SIGUSR1, which would end it: it has just begun, or was started with --disable-sigusr1" \
            nodeprofile -d 1 "$pid"
        kill -0 "$pid"
    done
}

@test "a port that another program has taken is left alone, and the message says so" {
    start perl -MIO::Socket::INET -e '$| = 1; $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die;
        print $s->sockport, "\n"; $s->accept; print "touched\n"; sleep 60'
    taken=$(< started)
    cp started other
    start node --inspect-port="$taken" "$BATS_FILE_TMPDIR/server.js"
    answers 1 '' "nodeprofile: process $pid: another process has port $taken, at which its inspector would open" \
        nodeprofile -d 1 "$pid"
    same "$taken" "$(< other)"
}

@test "of several processes with one port, asked at once, those that do not get it say that another has it" {
    port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5)->sockport')
    servers=() profilers=() failed=0
    for _ in 1 2 3 4; do
        start node --inspect-port="$port" "$BATS_FILE_TMPDIR/server.js"
        servers+=("$pid")
    done
    for pid in "${servers[@]}"; do
        nodeprofile -d 2 "$pid" > "profile.$pid" 2> "notes.$pid" 3>&- &
        profilers+=("$!")
    done
    running+=("${profilers[@]}")
    for i in 0 1 2 3; do
        pid=${servers[i]} status=0
        wait "${profilers[i]}" || status=$?
        same '' "$(ports)"
        if [ "$status" = 0 ]; then
            same '' "$(< "notes.$pid")"
            continue
        fi
        failed=$((failed + 1))
        same "nodeprofile: process $pid: another process has port $port, at which its inspector would open" "$(< "notes.$pid")"
    done
    [ "$failed" = 3 ]
}

# A program called node that catches SIGUSR1 and tells this to everyone who connects; forever if
# `ends` is 0.
liar() { # ends TEXT
    [ -x node ] || cp "$(command -v perl)" node
    start ./node -MIO::Socket::INET -e '$| = 1; $SIG{PIPE} = "IGNORE"; $SIG{USR1} = sub {
            $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) };
        print "runs\n"; for (;;) { sleep 1 until $s; $c = $s->accept or next; $text = eval qq("$ARGV[1]");
            do { $n = syswrite $c, $text } while $n && !$ARGV[0]; sleep 60 if $ARGV[0] == 2; close $c }' "$@"
}

@test "a program that only pretends to be node costs neither time nor memory" {
    local lie ends liars=() profilers=()
    for lie in 'x' 'HTTP/1.0 200 OK\r\n\r\nx' 'HTTP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\n[' \
        'HTTP/1.0 200 OK\r\nContent-Length: 62\r\n\r\n[{\"webSocketDebuggerUrl\": \"ws://127.0.0.1/../../etc/passwd\"}]  '; do
        for ends in 0 1; do
            liar $ends "$lie"
            bash -c "${SAN:+: }ulimit -v 100000; exec timeout 60 nodeprofile -d 1 $pid" > "profile.$pid" 2> "notes.$pid" 3>&- &
            profilers+=("$!") liars+=("$pid")
        done
    done
    running+=("${profilers[@]}")
    for i in "${!liars[@]}"; do
        pid=${liars[i]} status=0
        wait "${profilers[i]}" || status=$?
        [ "$status" = 1 ]
        [ ! -s "profile.$pid" ]
        [[ $(< "notes.$pid") = "nodeprofile: process $pid: "* ]]
    done
}

@test "a program that pretends to be node, and to have any number of workers, costs neither time nor memory" {
    cat > speech.pl <<- 'END'
	use IO::Socket::INET;
	sub frame { my $n = length $_[0]; ($n < 126 ? pack "CC", 129, $n : pack "CCn", 129, 126, $n) . $_[0] }
	$SIG{PIPE} = "IGNORE";
	my $deep = "[" x 30000, my $escapes = '\\\\u' x 9000, my $nodes = '{\"nodes\":[' . '{\"id\":1,' x 5000;
	my $says = "NodeWorker.receivedMessageFromWorker";
	for my $k (1 .. 6000) {
	    my $info = '"workerInfo":{"title":"[worker 1] ' . "x" x ($k % 5000) . '","url":"a/b"}';
	    $speech .= frame(qq({"method":"NodeWorker.attachedToWorker","params":{"sessionId":"$k",$info}}));
	}
	for my $text ($deep, $escapes, qq({\\"id\\":5,\\"result\\":$deep), qq({\\"id\\":5,\\"result\\":{\\"profile\\":$nodes), "") {
	    for my $k (1 .. 60) { $speech .= frame(qq({"method":"$says","params":{"sessionId":"$k","message":"$text"}})) }
	}
	$speech .= frame(qq({"method":"$says","params":{"sessionId":"$_","message":"{\\"id\\":5}"}})) for 1 .. 6000;
	$speech .= frame(qq({"id":$_,"result":{"profile":{"nodes":[{"id":99999999999999999999},{"children":[]}]}}})) for 1 .. 30000;
	my $s;
	$SIG{USR1} = sub { $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) };
	$| = 1; print "runs\n"; sleep 1 until $s;
	my $page = '[{"webSocketDebuggerUrl": "ws://127.0.0.1/x"}]';
	my $first = $s->accept; syswrite $first, "HTTP/1.0 200 OK\r\nContent-Length: " . length($page) . "\r\n\r\n$page"; close $first;
	my $c = $s->accept;
	fork or do { 1 while sysread $c, my $asked, 65536; exit };
	syswrite $c, "HTTP/1.1 101 x\r\n\r\n" . frame('{"id":1,"result":{}}');
	1 while syswrite $c, $speech;
	close $s; sleep 60;
	END
    cp "$(command -v perl)" node
    start ./node speech.pl
    try bash -c "${SAN:+: }ulimit -v 150000; exec timeout 60 nodeprofile -d 0.1 $pid"
    echo "$status: $stderr"
    [ "$status" = 0 ]
    [[ $stderr = *"process $pid: the profile lacks "*' of its workers, '* ]]
}

@test "a process in a network namespace of its own is reached, as root" {
    [ "$(id -u)" = 0 ] || skip 'needs root'
    unshare -n true 2> why || skip "no network namespaces: $(< why)"
    command -v ip > /dev/null || skip 'no ip'
    start unshare -n sh -c 'ip link set lo up && exec node --inspect-port=0 "$0"' "$BATS_FILE_TMPDIR/server.js"
    answers 0 '*' '' nodeprofile -d 0.3 "$pid"
    stackcollapse -q <<< "$output" | grep -q 'JS:answer'
}

# Starts a node whose inspector is open, on $port of 127.0.0.1.
start_inspected() {
    start node --inspect=127.0.0.1:0 "$BATS_FILE_TMPDIR/server.js"
    port=$(sed -n 's|.* ws://127.0.0.1:\([0-9]*\)/.*|\1|p' said)
}

@test "a process that moves to another network namespace gets no profile of who has its port here" {
    command -v gcc > /dev/null || skip 'no gcc'
    start_inspected
    mv said said.other
    others=$pid
    gcc -x c -o node - <<- 'END'
	#define _GNU_SOURCE
	#include <netinet/in.h>
	#include <sched.h>
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <sys/socket.h>
	#include <unistd.h>
	static void move(int n) {}
	int main(int argc, char **argv) {
	    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
	    int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
	    sigset_t none, one;
	    sigemptyset(&none);
	    sigemptyset(&one);
	    sigaddset(&one, SIGUSR1);
	    sigprocmask(SIG_BLOCK, &one, 0);
	    signal(SIGUSR1, move);
	    puts("runs");
	    fflush(stdout);
	    if (argc > 2) sigsuspend(&none);
	    if (unshare(flags) != 0) return 1;
	    int s = socket(AF_INET, SOCK_STREAM, 0);
	    if (bind(s, (void *)&a, sizeof a) != 0 || listen(s, 5) != 0) return 1;
	    while (argc > 2) pause();
	    return 0;
	}
	END
    ./node "$port" > /dev/null || skip 'no network namespaces'
    start ./node "$port" moves
    answers 1 '' "nodeprofile: process $pid: it moved to another network namespace while it was asked" \
        nodeprofile -d 1 "$pid"
    pid=$others
    [ -n "$(ports)" ]
    same '' "$(grep 'Debugger attached' said.other)"
}

@test "a connection that another process has accepted is not used" {
    cat > pair.pl <<- 'END'
	use IO::Socket::INET;
	my $page = '[{"webSocketDebuggerUrl": "ws://127.0.0.1/x"}]';
	$SIG{USR1} = sub { exit };
	my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => $ARGV[0], Listen => 5) or die;
	$| = 1;
	fork or do {
	    print "runs\n";
	    my $first = $s->accept; syswrite $first, "HTTP/1.0 200 OK\r\nContent-Length: " . length($page) . "\r\n\r\n$page"; close $first;
	    my $c = $s->accept; sysread $c, my $asked, 65536;
	    syswrite $c, "HTTP/1.1 101 x\r\n\r\n";
	    sysread $c, $asked, 65536 and print "asked for more\n";
	    print "end\n"; exit
	};
	sleep 1 while 1;
	END
    port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5)->sockport')
    cp "$(command -v perl)" node
    start ./node pair.pl "$port" --inspect-port="$port"
    answers 1 '' "nodeprofile: process $pid: it ended" nodeprofile -d 0.1 "$pid"
    soon grep -q end started
    same $'runs\nend' "$(< started)"
}

@test "flamepipe --inspect draws the profile" {
    serve
    answers 0 '' '*' flamepipe --inspect -p "$pid" 0.5
    echo "$stderr"
    [[ $stderr = 'flamepipe: left out: (idle), '*$'\nflamepipe: flame.svg'*' app '*' burn '*'/server.js:2:14'* ]]
    grep -q '<title>burn .*/server.js:2:14 ([0-9.]* ms, ' flame.svg
    same '' "$(ports)"
    sleep 60 3>&- &
    local other=$!
    try flamepipe --inspect -q -p "$other" 1
    kill "$other"
    [ "$status" = 1 ]
    same "nodeprofile: process $other: it does not run node
flamepipe: nothing was recorded" "$stderr"
    crew 1
    try flamepipe --inspect -q -p "$pid" 0.5
    [ "$status" = 0 ]
    grep -q '<title>main (' flame.svg
    grep -q '<title>worker 1: crew.js (' flame.svg
}

# Starts a node whose main thread keeps what leak allocates, but not what waste allocates; its
# worker keeps what hoard allocates.
serve_leak() {
    cat > leak.js <<- 'END'
	const { Worker, isMainThread } = require('worker_threads');
	const kept = [];
	const fill = () => new Array(12500).fill(0.5);
	function leak() { kept.push(fill()); }
	function hoard() { kept.push(fill()); }
	function waste() { const all = []; for (let i = 0; i < 20000; i++) all.push({ i, list: [i] }); return all.length; }
	setInterval(isMainThread ? () => { leak(); waste(); } : hoard, 15);
	if (isMainThread) new Worker(__filename).on('online', () => console.log('runs'));
	END
    start node --inspect-port=0 leak.js
}

# Prints the share of a thread's function in all bytes of the thread, in a profile on standard
# input, in whole percent.
share_of() { # THREAD FUNCTION
    stackcollapse -q | awk -v thread="(root);$1" -v name=";JS:$2 " 'index($0, thread) == 1 { all += $NF }
        index($0, thread) == 1 && index($0, name) { its += $NF } END { printf "%d\n", all ? 100 * its / all : 0 }'
}

@test "--heap: at least 90 % of the bytes are those of the functions that leak, in each thread, and the rest of the memory is said" {
    serve_leak
    try nodeprofile --heap -d 2 "$pid"
    [ "$status" = 0 ]
    [[ $stderr = "nodeprofile: process $pid: V8's heap of the main thread has "*' MB in use, external memory such as Buffers is '*' MB ('*' meanwhile), resident '*' MB (+'*')' ]]
    printf '%s\n' "$output" > leak.heapprofile
    same '' "$(ports)"
    kill -0 "$pid"
    [ "$(share_of main leak < leak.heapprofile)" -ge 90 ]
    [ "$(share_of 'worker 1: leak.js' hoard < leak.heapprofile)" -ge 90 ]
    node -e '
        const p = JSON.parse(require("fs").readFileSync(0)), ids = [], all = [p.head];
        for (let node; (node = all.pop());) { ids.push(node.id); all.push(...node.children); }
        console.log(Object.keys(p).join(), new Set(ids).size === ids.length,
            p.head.children.map((node) => node.callFrame.functionName).join());' < leak.heapprofile > whole
    same 'head,samples true main,worker 1: leak.js' "$(< whole)"
}

@test "--heap=all has what the collector freed, too, in Node 22 and later; before, it is refused" {
    serve_leak
    try nodeprofile -q --heap=all -d 2 "$pid"
    same '' "$(ports)"
    if [ "$(node -p 'parseInt(process.versions.node)')" -ge 22 ]; then
        [ "$status" = 0 ]
        same '' "$stderr"
        printf '%s\n' "$output" > all.heapprofile
        [ "$(share_of main waste < all.heapprofile)" -ge 50 ]
    else
        [ "$status" = 1 ]
        same '' "$output"
        same "nodeprofile: process $pid: --heap=all needs Node 22 or later: before, V8 reports only what is still in use; use --heap" "$stderr"
    fi
}

@test "--heap of a process that exits meanwhile has what was allocated until then" {
    start node --inspect-port=0 -e 'const kept = []; function leak() { kept.push(new Array(12500).fill(0.5)); }
        setInterval(leak, 20); setTimeout(() => process.exit(5), 2000); console.log("runs")'
    try timeout 60 nodeprofile -q --heap "$pid"
    [ "$status" = 0 ]
    same '' "$stderr"
    [ "$(share_of '' leak <<< "$output")" -ge 90 ]
}

@test "--heap of a process that is killed meanwhile is an error" {
    serve
    nodeprofile --heap -d 30 "$pid" > profile 2> notes 3>&- & profiler=$!
    running+=("$profiler")
    soon grep -q 'Debugger attached' said
    sleep 0.2
    kill -KILL "$pid"
    status=0
    wait "$profiler" || status=$?
    [ "$status" = 1 ]
    same '' "$(< profile)"
    same "nodeprofile: process $pid: it ended, or closed its inspector, before the profile was taken" "$(< notes)"
}

@test "flamepipe --heap draws the bytes" {
    serve_leak
    answers 0 '' '*' flamepipe --heap -p "$pid" 2
    echo "$stderr"
    [[ $stderr = "nodeprofile: process $pid: V8's heap "*$'\nflamepipe: flame.svg\nflamepipe: the functions that allocated the most memory, in bytes:'* ]]
    grep -q '<title>leak .*/leak.js:4:14 ([0-9.]* [kM]B, ' flame.svg
    same '' "$(ports)"
}
