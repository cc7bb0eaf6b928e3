# nodeprofile: the profile of a node that was started without options, and what it leaves alone.
load lib
load live

setup_file() {
    cat > "$BATS_FILE_TMPDIR/server.js" <<- 'END'
	const http = require('http');
	function burn(ms) { const end = Date.now() + ms; let sum = 0; while (Date.now() < end) sum += Math.sqrt(sum + 1); return sum; }
	function answer(req, res) { burn(10); res.end(); }
	const server = http.createServer(answer).listen(0, () => {
	    setInterval(() => http.get({ port: server.address().port }, (res) => res.resume()), 20);
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
}

# Starts a program, whose number is $pid then, and waits until it says something.
start() { # COMMAND ...
    rm -f started
    "$@" > started 2> said 3>&- & pid=$!
    running+=("$pid")
    soon test -s started
}

# Starts a server whose inspector takes any port that is free.
serve() {
    start node --inspect-port=0 "$BATS_FILE_TMPDIR/server.js"
}

# The ports of 127.0.0.1 or of any address on which the process listens, in hexadecimal.
ports() {
    find "/proc/$pid/fd" -lname 'socket:*' -printf '%l\n' | tr -dc '0-9\n' |
        awk 'NR == FNR { own[$1]; next } $4 == "0A" && $2 ~ /^(0100007F|00000000):/ && $10 in own { print $2 }' - "/proc/$pid/net/tcp"
}

@test "the functions of a node that was started without options have names, it goes on, and its inspector is closed" {
    serve
    for _ in 1 2; do
        try nodeprofile -d 0.5 "$pid"
        [ "$status" = 0 ]
        same '' "$stderr"
        node -e 'JSON.parse(require("fs").readFileSync(0))' <<< "$output"
        stackcollapse <<< "$output" | grep -q ';JS:answer .*/server.js:3:16;JS:burn .*/server.js:2:14 [0-9]*$'
        same '' "$(ports)"
        kill -0 "$pid"
    done
    [ "$(grep -c 'Debugger listening on' said)" = 2 ]
}

@test "the profile has the time that burns, as the program's own --cpu-prof has it" {
    echo 'function hot() { let s = 0; for (let i = 0; i < 1e6; i++) s += Math.sqrt(i); return s }
        function warm() { let s = 0; for (let i = 0; i < 3e5; i++) s += Math.sqrt(i); return s }
        console.log("runs"); const end = Date.now() + 2500; while (Date.now() < end) { hot(); warm() }' > burn.js
    share() { stackcollapse "$1" | awk '{ n = $NF; all += n } /JS:hot[^;]* [0-9]+$/ { hot += n } END { print int(100 * hot / all + 0.5) }'; }
    start node --inspect-port=0 --cpu-prof --cpu-prof-dir=prof burn.js
    nodeprofile -d 1.5 "$pid" > ours
    wait "$pid"
    echo "$(share ours) $(share prof/*)"
    [ $(($(share ours) - $(share prof/*))) -le 8 ]
    [ $(($(share prof/*) - $(share ours))) -le 8 ]
}

@test "a program that never returns to its event loop is profiled too, and its inspector closed" {
    start node --inspect-port=0 -e 'require("fs").writeSync(1, "runs\n"); for (;;);'
    try nodeprofile -d 0.3 -i 500 "$pid"
    [ "$status" = 0 ]
    same '' "$stderr"
    same '' "$(ports)"
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

@test "Ctrl-C ends the profiling, and the profile is printed" {
    serve
    set -m # else what runs in the background ignores SIGINT
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon grep -q 'Debugger attached' said
    sleep 0.3
    kill -INT "$profiler"
    wait "$profiler"
    same 'nodeprofile: profiling until Ctrl-C' "$(< notes)"
    stackcollapse -q profile | grep -q 'JS:answer'
    same '' "$(ports)"
}

@test "Ctrl-C before the inspector is open leaves none open" {
    serve
    kill -STOP "$pid"
    set -m
    nodeprofile "$pid" > profile 2> notes 3>&- & profiler=$!
    set +m
    running+=("$profiler")
    soon grep -q '^ShdPnd:.*[2367abef]..$' "/proc/$pid/status" # SIGUSR1
    kill -INT "$profiler"
    sleep 0.2
    kill -CONT "$pid"
    wait "$profiler"
    stackcollapse -q profile > folded
    grep -q 'Debugger listening on' said
    same '' "$(ports)"
    kill -0 "$pid"
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
    try nodeprofile -d 1 "$pid"
    [ "$status" = 1 ]
    same '' "$output"
    same "nodeprofile: process $pid: it does not run node" "$stderr"
    for name in node nodejs node-20; do
        cp "$(command -v sleep)" $name
        start sh -c "echo runs; exec ./$name 60"
        soon grep -q node "/proc/$pid/comm"
        try nodeprofile -d 1 "$pid"
        [ "$status" = 1 ]
        same "nodeprofile: process $pid: it does not catch SIGUSR1, which would end it (node --disable-sigusr1?)" "$stderr"
        kill -0 "$pid"
    done
    try nodeprofile 99999999
    [ "$status" = 1 ]
    same 'nodeprofile: process 99999999: there is no such process' "$stderr"
}

@test "a port that another program has taken is left alone, and the message says so" {
    start perl -MIO::Socket::INET -e '$| = 1; $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) or die;
        print $s->sockport, "\n"; $s->accept; print "touched\n"; sleep 60'
    taken=$(< started)
    cp started other
    start node --inspect-port="$taken" "$BATS_FILE_TMPDIR/server.js"
    try nodeprofile -d 1 "$pid"
    [ "$status" = 1 ]
    same '' "$output"
    same "nodeprofile: process $pid: its inspector's port is taken by another program" "$stderr"
    same "$taken" "$(< other)"
}

# A program called node that catches SIGUSR1 and says this to whoever connects, for ever if `ends` is 0.
liar() { # ends TEXT
    cp "$(command -v perl)" node
    start ./node -MIO::Socket::INET -e '$| = 1; $SIG{PIPE} = "IGNORE"; $SIG{USR1} = sub {
            $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 5) };
        print "runs\n"; for (;;) { sleep 1 until $s; $c = $s->accept or next; $text = eval qq("$ARGV[1]");
            do { $n = syswrite $c, $text } while $n && !$ARGV[0]; sleep 60 if $ARGV[0] == 2; close $c }' "$@"
}

@test "a program that only pretends to be node costs neither time nor memory" {
    for lie in 'x' 'HTTP/1.0 200 OK\r\n\r\nx' 'HTTP/1.0 200 OK\r\nContent-Length: 99999999999\r\n\r\n[' \
        'HTTP/1.0 200 OK\r\nContent-Length: 62\r\n\r\n[{\"webSocketDebuggerUrl\": \"ws://127.0.0.1/../../etc/passwd\"}]  '; do
        for ends in 0 1; do
            liar $ends "$lie"
            try bash -c "${SAN:+: }ulimit -v 100000; exec timeout 60 nodeprofile -d 1 $pid"
            [ "$status" = 1 ]
            same '' "$output"
            [[ $stderr = "nodeprofile: process $pid: "* ]]
            kill -KILL "$pid"
        done
    done
}

@test "a process in a network namespace of its own is reached, as root" {
    [ "$(id -u)" = 0 ] || skip 'needs root'
    unshare -n true 2> why || skip "no network namespaces: $(< why)"
    start unshare -n sh -c 'ip link set lo up && exec node --inspect-port=0 "$0"' "$BATS_FILE_TMPDIR/server.js"
    try nodeprofile -d 0.3 "$pid"
    [ "$status" = 0 ]
    same '' "$stderr"
    stackcollapse -q <<< "$output" | grep -q 'JS:answer'
}

@test "wrong usage is reported on standard error with status 2" {
    for wrong in '' 'x' '1 2' '0' '-d 0 1' '-d x 1' '-i 0 1' '--nonsense 1'; do
        # shellcheck disable=SC2086 # several words
        try nodeprofile $wrong
        [ "$status" = 2 ]
        same '' "$output"
        [[ $stderr = nodeprofile:*"try 'nodeprofile --help' for the options" ]]
    done
}

@test "flamepipe --inspect draws the profile" {
    serve
    try flamepipe --inspect -p "$pid" 0.5
    [ "$status" = 0 ]
    same '' "$output"
    echo "$stderr"
    [[ $stderr = 'flamepipe: flame.svg'*' app '*' burn '*'/server.js:2:14'* ]]
    grep -q '<title>burn .*/server.js:2:14 ([0-9]* ms, ' flame.svg
    same '' "$(ports)"
    try flamepipe --inspect -q -p "$$" 1
    [ "$status" = 1 ]
    same "nodeprofile: process $$: it does not run node
flamepipe: nothing was recorded" "$stderr"
    try flamepipe --print --inspect -p 12 -F 500 30
    same 'nodeprofile -d 30 -i 2000 12 > out.cpuprofile' "${lines[0]}"
}

@test "flamepipe --inspect needs one process" {
    for wrong in '-a' '-p 1,2' '-n node' '--off-cpu -p 1' '-e page-faults -p 1' 'file' '-- true'; do
        # shellcheck disable=SC2086 # several words
        try flamepipe --inspect $wrong
        [ "$status" = 2 ]
        [[ $stderr = 'flamepipe: option --inspect'* ]]
    done
}
