# flamepipe --stalls: what blocks event loops; with a recorder that records nothing.
# not sanitized: it is a shell script
load lib
load flamepipe

setup_file() {
    make_recorders
    recording > "$FAKE/stalls.perf"
    export RECORDING=$FAKE/stalls.perf
}

# What stackrecord --wall --turns --header prints: a second of work and of waits, and two stalls of 412 and 150 ms.
recording() {
    printf '# hostname : web1\n# monotonic clock : 1000.000000 at 2026-11-28T14:02:09.938000Z\n# process : 4242 : node server.js\n'
    wall 1001.000000 200000 running serve
    wall 1001.724011 412011 running parse
    printf 'node 4242/4242 [000] 1001.724011: 412011 turn: ended\n\n'
    wall 1002.500000 150000 waiting readFileSync
    printf 'node 4242/4242 [000] 1002.500000: 150000 turn: going on\n\n'
}

wall() { # TIME MICROSECONDS STATE FUNCTION
    printf 'node 4242/4242 [000] %s: %s wall: %s\n' "${@:1:3}"
    printf '\t%d JS:*%s /srv/app.js:12:3+0x1 (/tmp/perf-4242.map)\n' 30 "$4" 20 onRequest
    printf '\t10 uv_run+0x1 (/usr/bin/node)\n\n'
}

@test "--stalls prints each stall when it has ended, and the table of all at the end, and draws nothing" {
    use stackrecord
    answers 0 '' '*' flamepipe --stalls -p 4242 0.1
    table=$(stackreport --stalls=50 "$RECORDING")
    [[ $table == *'parse /srv/app.js'* ]]
    ended=$(stackreport --stalls=50 --live "$RECORDING" 2>&1 > "$BATS_TEST_TMPDIR/table")
    [[ $ended == *'stall of 412 ms'*'stall of 150 ms'* ]]
    same "$ended
$table" "$(sed '/^flamepipe: recording /d' <<< "$stderr")"
    [ ! -e flame.svg ] && [ ! -e flame.html ]
    same '' "$(ls tmp)"
    grep -q -- '-p 4242 -F 99 --wall --turns=50 .*--header --text .*/live$' "$LOG"
}

@test "--stalls=MS is the shortest stall that is listed, of a command, too, whose status is that of flamepipe" {
    use stackrecord
    answers 7 'the command' '*' flamepipe -q --stalls=400 -- sh -c 'echo the command; exit 7'
    same "$(stackreport -q --stalls=400 "$RECORDING")" "$stderr"
    [[ $stderr == *'1 stall of 400 ms'*parse* && $stderr != *readFileSync* ]]
    grep -q -- '--wall --turns=400 .*/recording -- sh -c' "$LOG"
}

@test "with -o a page marks the stalls, with the time of day and each thread apart; with --html it is flame.html" {
    use stackrecord
    try flamepipe --stalls -o page.html -p 4242 0.1
    same 0 "$status"
    same $'@1001.312+0.412/4242;node-4242/4242;uv_run;onRequest /srv/app.js:12:3;parse /srv/app.js:12:3 412011
@1002.350+0.150../4242;node-4242/4242;uv_run;onRequest /srv/app.js:12:3;readFileSync /srv/app.js:12:3 150000' \
        "$("$BATS_TEST_DIRNAME/tool/frametable.py" turns page.html)"
    grep -q ' data-clock="1000.000000 at 2026-11-28T14:02:09.938000Z"' page.html
    grep -q '<title>node server.js (process 4242): stalls, ' page.html
    [[ $stderr == *'flamepipe: page.html: 3 samples'*"$(stackreport --stalls=50 "$RECORDING")" ]]
    try flamepipe -q --stalls --html --by-process -p 4242 0.1
    same $'node-4242' "$("$BATS_TEST_DIRNAME/tool/frametable.py" turns flame.html | cut -d ';' -f 2 | sort -u)"
}

@test "--keep keeps the recording, from which the table can be made again" {
    use stackrecord
    try flamepipe --stalls --keep -p 4242 0.1
    same 0 "$status"
    cmp "$RECORDING" flame.perf
}

@test "a recorder that does not start does not leave --stalls waiting" {
    use stackrecord
    mkdir late
    ln -s "$FAKE/stackrecord"/* late
    rm late/stackrecord late/flamepipe
    cp "$FAKE/stackrecord/flamepipe" late
    printf '#!/bin/sh\ncase $* in *--duration\\ 0.01*) exit 0 ;; esac\necho "stackrecord: no such process" >&2\nexit 1\n' > late/stackrecord
    chmod +x late/stackrecord
    PATH=$PWD/late:$ELSEWHERE
    answers 1 '' '*stackrecord: no such process*' flamepipe --stalls -p 4242 0.1
    same '' "$(ls tmp)"
}

@test "--print prints the pipe of --stalls" {
    use stackrecord
    prints 'stackrecord -p 12 -F 99 --wall --turns=80 --inline --duration 5 --header --text out.perf
stackfilter -q --source-maps out.perf | stackreport --stalls=80' flamepipe --stalls=80 --print -p 12 5
    prints '*
stackfilter --node --source-maps --no-idle-threads out.perf | stackcollapse --kernel --tid --slice=1000 | flamesvg --colors=node --countname=us --title='\''*: stalls'\'' -o a.html
stackfilter -q --source-maps out.perf | stackreport --stalls=50' flamepipe --stalls --print -o a.html -- true
}

@test "--stalls of a file prints its stalls, and with -o draws the page that a recording gives" {
    same "$(stackreport --stalls=400 "$RECORDING")" "$(flamepipe --stalls=400 "$RECORDING" 2>&1)"
    same "$(stackreport --stalls "$RECORDING")" "$(flamepipe --stalls - < "$RECORDING" 2>&1)"
    try flamepipe -q --stalls -o file.html --title=title "$RECORDING"
    same "0 $(stackreport -q --stalls "$RECORDING")" "$status $stderr"
    use stackrecord
    flamepipe -q --stalls -o recorded.html --title=title -p 4242 0.1 2> messages
    cmp recorded.html file.html
    cp "$RECORDING" in.perf
    prints 'stackfilter -q --source-maps in.perf | stackreport --stalls=50' flamepipe --stalls --print in.perf
}

@test "--stalls of perf.data makes the turns of it first" {
    gunzip -c "$DATA/wall/turns.data.gz" > turns.data
    perf-script -q --wall --turns=100 --inline -F +pid turns.data > turns.perf
    answers 0 '' "$(stackreport -q --stalls=100 turns.perf)" flamepipe -q --stalls=100 turns.data
    [[ $stderr == '2 stalls of 100 ms and longer: 243 ms in all'* ]]
}

@test "--stalls of a file without turns says how to record them" {
    echo 'main;parse 3' > stacks.folded
    for file in "$FAKE/two-events.perf" stacks.folded; do
        answers 1 '' "flamepipe: $file: says nothing of turns of event loops; 'flamepipe --stalls --keep -p PID' records them" \
            flamepipe --stalls "$file"
    done
    answers 1 '' "*two-events.data: does not say when threads stop and run again: for --wall, record with *'stackrecord --wall -o FILE'*" \
        flamepipe --stalls "$RECORDED"
    gunzip -c "$DATA/wall/pointers.data.gz" > pointers.data
    answers 0 '' "*pointers.data: does not say when turns of event loops begin and end: for --turns, record with 'stackrecord --wall --turns -o FILE'*" \
        flamepipe --stalls pointers.data
}

@test "--wall and --off-cpu of text that has no waits is an error" {
    answers 1 '' "flamepipe: $FAKE/two-events.perf: neither perf.data nor a recording of waits, which --wall needs" \
        flamepipe --wall "$FAKE/two-events.perf"
    answers 1 '' "flamepipe: $RECORDING: neither perf.data nor a recording of waits, which --off-cpu needs" \
        flamepipe --off-cpu "$RECORDING"
    answers 0 '' '' flamepipe -q --wall -o given.svg --title=title "$RECORDING"
    flamepipe -q -o found.svg --title=title "$RECORDING"
    cmp found.svg given.svg
}

@test "--stalls of what perf or V8 records, and of no number is wrong usage" {
    for arguments in '--off-cpu -p 1' '--inspect -p 1' '--heap -p 1' '-e cycles -p 1' '--compare -- true --vs -- true'; do
        # shellcheck disable=SC2086
        answers 2 '' 'flamepipe: option --stalls goes with none of *' flamepipe --stalls $arguments
    done
    for text in '' 0 x 1.5 1000000000; do
        answers 2 '' "flamepipe: option --stalls: '$text' is not a number of milliseconds*" flamepipe "--stalls=$text" -p 1
    done
}
