#!/usr/bin/env bats
# stackrecord --wall --turns: what blocks event loops. tests/unit/turns.c tests which records lead
# to which output.
load ../lib
load waits

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o turns "$ROOT/tests/record/app/turns.c"
    stackrecord --wall --turns -o turns.data --text turns.perf -- ./turns 3 >measured 2>said || true
    awk '$2 >= 50000' measured >figures # also short ones, where the machine is busy
}

setup() {
    running=''
    cd "$BATS_TEST_TMPDIR" || return 1
    [[ $BATS_TEST_DESCRIPTION != *'without tracepoints'* ]] || return 0
    [ "$(id -u)" -eq 0 ] || skip "only root may read the numbers of tracepoints"
    [ -r /sys/kernel/tracing/events/syscalls/sys_enter_epoll_wait/id ] ||
        skip "tracefs is not mounted, or has no epoll_wait"
    needs_recorder
    cp "$BATS_FILE_TMPDIR"/{turns,figures,said,turns.data,turns.perf} .
}

# Prints the samples of a turn, folded: those of its thread whose time is the turn's end.
stacks_of() { # TID TIME
    awk -v tid="$1" -v time="$2:" '
        /^[^\t]/ { split($2, id, "/"); taken = id[2] == tid && $4 == time && $6 == "wall:" }
        taken' turns.perf | stackcollapse -q
}

@test "each turn is as long as the program measures, and has the function that took the time" {
    same '' "$(<said)"
    grep ' turn: ' turns.perf >ends
    same "$(wc -l <figures)" "$(wc -l <ends)"
    local name us line tid time period text
    while read -r name us <&3 && read -r line <&4; do
        read -r tid time period text < <(awk '{ split($2, id, "/"); print id[2], substr($4, 1, length($4) - 1), $5, $7 }' <<<"$line")
        same ended "$text"
        near "$period" "$us" 0
        stacks_of "$tid" "$time" >folded
        [ "$(sum ";${name}[;.]" <folded)" -ge $((period * 8 / 10)) ] || [ "$(sum ";$name " <folded)" -ge $((period * 8 / 10)) ]
        near "$(sum '' <folded)" "$period" 0
    done 3<figures 4<ends
}

@test "with --turns a thread's samples still add up to its time" {
    local all
    all=$(awk '$6 == "wall:" { sum += $5 } END { print sum }' turns.perf)
    [ "$all" -ge "$(awk '{ sum += $2 } END { print sum }' figures)" ]
    same "$all" "$(stackcollapse -q turns.perf | sum '')" # the samples of turns are not in it
    perf-script -q -F +pid --wall turns.data >other.perf
    near "$(stackcollapse -q other.perf | sum '')" "$all" 0
}

@test "perf-script --wall --turns prints the same text of the recording, with another length other turns" {
    perf-script -q -F +pid --wall --turns turns.data | cmp - turns.perf
    same "$(awk '$6 == "turn:" && $5 >= 70000 { print $5 }' turns.perf)" \
        "$(perf-script -q -F +pid --wall --turns=70 turns.data | awk '$6 == "turn:" { print $5 }')"
    same 0 "$(perf-script -q --wall --turns=10000 turns.data | grep -c ' turn: ')"
    [ "$(perf-script -q --wall --turns=4 turns.data | grep -c ' turn: ')" -ge 15 ]
    run ! grep -q ' turn: ' <(perf-script -q --wall turns.data)
}

@test "a turn that goes on at the end, and one in which the process is stopped, are said to be that" {
    command -v node >where || skip 'no node here'
    node -e 'setInterval(() => {}, 20); setTimeout(() => { for (;;) ; }, 3000)' 3>&- &
    running=$!
    ready() { [ "$(cat /proc/"$running"/wchan)" = ep_poll ] || [ "$(awk '{ print $1 }' /proc/"$running"/syscall)" != running ]; }
    soon ready
    stackrecord -q --wall --turns -p "$running" --duration 5 >out.perf &
    local recorder=$!
    sleep 1
    kill -STOP "$running"
    sleep 0.8
    kill -CONT "$running"
    wait "$recorder"
    grep -E " $running/$running .* turn: ended, stopped [0-9]{6,} us$" out.perf
    grep -E " $running/$running .* turn: going on$" out.perf
}

@test "a loop that was blocked already when the recording began is a turn that goes on, with its function" {
    command -v node >where || skip 'no node here'
    nm "$(command -v node)" 2>/dev/null | grep -q ' default_loop_struct$' || skip 'this node has no symbol of its loop'
    echo 'function pegged() { for (;;) ; } setTimeout(pegged, 100);' >app.js
    node app.js 3>&- &
    running=$!
    sleep 2
    stackrecord -q --wall --turns --text turns.perf -p "$running" --duration 1
    read -r tid time period < <(awk '$6 == "turn:" && /going on$/ { split($2, id, "/"); print id[2], substr($4, 1, length($4) - 1), $5 }' turns.perf)
    same "$running" "$tid"
    [ "$period" -ge 1500000 ]
    stacks_of "$tid" "$time" >folded
    [ "$(sum 'pegged ' <folded)" -gt 0 ]
}

@test "a JavaScript loop, execSync and pbkdf2Sync that block node's event loop are turns with their functions" {
    command -v node >where || skip 'no node here'
    cat >app.js <<'END'
const { execSync } = require('child_process');
const { pbkdf2Sync } = require('crypto');
function spinning() { for (const end = Date.now() + 150; Date.now() < end;) ; }
function running() { execSync('sleep 0.15'); }
function hashing() { pbkdf2Sync('a', 'b', 600000, 64, 'sha512'); }
const jobs = [spinning, running, hashing];
setTimeout(function next() {
    const job = jobs.shift(), began = process.hrtime.bigint();
    if (job === undefined)
        return;
    job();
    console.log(job.name, Number(process.hrtime.bigint() - began) / 1000);
    setTimeout(next, 100);
}, 500);
END
    stackrecord -q --wall --turns=100 --text turns.perf -- node app.js >figures
    local name us tid time period part
    while read -r name us; do
        while read -r tid time period; do
            stacks_of "$tid" "$time" >folded
            part=$(sum ";[^;]*${name} [^;]*app.js" <folded)
            [ "$part" -lt $((period / 2)) ] || echo "$name $period $part"
        done < <(awk '$6 == "turn:" { split($2, id, "/"); print id[2], substr($4, 1, length($4) - 1), $5 }' turns.perf) >found
        # In addition, the turn contains node's work before and after that.
        [ "$(awk 'NR == 1 { print $2 }' found)" -ge "${us%.*}" ]
        near "$(awk 'NR == 1 { print $3 }' found)" "${us%.*}" 10
    done <figures
}

@test "--turns is refused without --wall, with --folded and with what is no number of milliseconds" {
    answers 2 '' '*--turns goes with --wall*' stackrecord --turns -- true
    answers 2 '' '*--turns does not go with it*' stackrecord --wall --turns --folded -- true
    answers 2 '' '*is not a whole number from 1*' stackrecord --wall --turns=0.5 -- true
}

# Records as a user who may not read the numbers of tracepoints.
without_tracepoints() { # ARGUMENT...
    needs_recorder
    as_nobody=()
    [ "$(id -u)" -ne 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
    let_others_in
    cp "$BIN/stackrecord" "$BATS_FILE_TMPDIR/turns" .
    chmod a+rwx .
    "${as_nobody[@]}" ./turns 0 || skip 'no program can be run as another user here'
    "${as_nobody[@]}" ./stackrecord -q -- true || skip 'another user may not record here'
    ! "${as_nobody[@]}" test -r /sys/kernel/tracing/events/syscalls/sys_enter_epoll_wait/id ||
        skip 'all users may read the numbers of tracepoints'
}

@test "without tracepoints the turns of any event loop are found by looking at it, and it is said so" {
    without_tracepoints
    "${as_nobody[@]}" ./stackrecord --wall --turns --text out.perf -- ./turns 3 >measured 2>said
    grep -q 'turns are found by looking at event loops every 10 ms' said
    [ "$(grep -c ' turn: ended$' out.perf)" -ge 8 ] # of 9
    "${as_nobody[@]}" ./stackrecord -q --wall --turns -o out.data --text out.perf -- ./turns 3 >measured
    grep -q ' turn: ended$' out.perf
    perf-script -q -F +pid --wall --turns out.data | cmp - out.perf
}

@test "without tracepoints, turns of node's loop are found by its own clock, under load, too" {
    command -v node >where || skip 'no node here'
    nm "$(command -v node)" 2>/dev/null | grep -q ' default_loop_struct$' || skip 'this node has no symbol of its loop'
    cat >app.js <<'END'
function turn_over() { if (Date.now() < end) setImmediate(turn_over); }
function blocking() { for (const until = Date.now() + 200; Date.now() < until;) ; }
const end = Date.now() + 2500;
turn_over();
setTimeout(blocking, 1000);
setTimeout(blocking, 1500);
END
    without_tracepoints
    "${as_nobody[@]}" "$(command -v node)" -e 0 || skip 'another user may not run this node'
    "${as_nobody[@]}" ./stackrecord -q --wall --turns=150 -- "$(command -v node)" app.js >out.perf
    [ "$(awk '$6 == "turn:" && $5 >= 180000' out.perf | wc -l)" -ge 2 ]
    # The loop never waits. Without its clock, everything would be one turn.
    [ "$(awk '$6 == "turn:" && $5 >= 1000000' out.perf | wc -l)" -eq 0 ]
    # A loop that always waits is in no turn.
    "${as_nobody[@]}" ./stackrecord -q --wall --turns=900 -- "$(command -v node)" -e 'setTimeout(() => {}, 1500)' >out.perf
    run ! grep ' turn: ' out.perf
}
