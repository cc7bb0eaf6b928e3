# perf and V8's two profilers, of the same run of a node program: they agree on the share of its hot function.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    export HOME=$PWD # perf copies binaries to it
    command -v node perf >where || skip "no node or no perf"
    perf record -q -e cpu-clock -g -o trial -- true 2>why || skip "perf may not record: $(grep -m 1 . why)"
    program >program.js
}

teardown() {
    [ ! -e pid ] || rm -f "/tmp/perf-$(cat pid).map"
}

# Three fifths of its steps are in hot. While V8 makes a CPU profile it logs neither ticks nor new code for --prof, so
# one half of the run is for the log and the other for the profile, each so much processor time. It prints how much of
# the second half it ran, in percent.
program() {
    cat <<'END'
'use strict';
const { writeFileSync } = require('fs');
const { Session } = require('inspector');
function hot(n) { let x = 1; for (let i = 0; i < n; i++) x = (x * 31 + i) % 1000003; return x; }
function cold(n) { let x = 2; for (let i = 0; i < n; i++) x = (x * 31 + i) % 1000003; return x; }
function processorTime() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}
function work(ms) {
    let sum = 0;
    for (const end = processorTime() + ms; processorTime() < end;)
        sum += hot(600000) + cold(400000);
    return sum;
}
const session = new Session();
const post = (method, parameters, then) => session.post(method, parameters, (error, result) => {
    if (error)
        throw error;
    if (then)
        then(result);
});
session.connect();
post('Profiler.enable');
post('Profiler.setSamplingInterval', { interval: 500 });
work(1600);
const begin = Date.now(), used = processorTime();
post('Profiler.start');
work(1600);
post('Profiler.stop', {}, ({ profile }) => writeFileSync('run.cpuprofile', JSON.stringify(profile)));
console.log(Math.floor(100 * (processorTime() - used) / (Date.now() - begin)));
END
}

# Makes perf.data, run.cpuprofile and v8.json, and sets `ran` to what the program prints. With inlining, perf would
# not see the functions.
record_all() {
    local options=(--perf-basic-prof --prof --prof-sampling-interval=500 --no-turbo-inlining)
    ! node --v8-options | grep -q -e --maglev-inlining || options+=(--no-maglev-inlining)
    perf record -q -e cpu-clock -F 1999 -g -o perf.data -- sh -c 'echo $$ >pid; exec "$@"' sh \
        node "${options[@]}" program.js >ran
    ran=$(cat ran)
    node --prof-process --preprocess -j isolate*.log >v8.json 2>why
}

# The share of hot in percent, of the samples in hot and cold. perf has a few of V8's signal handler besides, which hides
# the function below it.
share() { # FOLDED
    awk '/;JS:[*~+^]?hot / { hot += $NF } /;JS:[*~+^]?cold / { cold += $NF }
        END { if (hot + cold > 0) printf "%.1f\n", 100 * hot / (hot + cold) }' "$1"
}

# Passes where two shares differ by 3 points at most.
agree() { # WHAT SHARE SHARE
    echo "$1: $2 $3"
    [ -n "$2" ] && [ -n "$3" ] && awk -v a="$2" -v b="$3" 'BEGIN { exit a - b > 3 || b - a > 3 }'
}

fold_all() {
    local pid
    pid=$(cat pid)
    perf-script -q --tid "$pid" perf.data | stackcollapse -q >perf.folded
    stackcollapse -q v8.json >v8.folded
    stackcollapse -q --weight=samples run.cpuprofile >samples.folded
    stackcollapse -q run.cpuprofile >microseconds.folded
}

@test "perf, V8's log and a CPU profile of the same run agree on the share of the hot function" {
    [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] ||
        skip "node is old: while the inspector takes a CPU profile, its log has no samples of the functions"
    record_all
    fold_all
    agree "perf, V8's log" "$(share perf.folded)" "$(share v8.folded)"
    agree 'perf, samples of the CPU profile' "$(share perf.folded)" "$(share samples.folded)"
    agree "V8's log, samples of the CPU profile" "$(share v8.folded)" "$(share samples.folded)"
}

@test "so does the CPU profile in microseconds, where node ran all the time" {
    record_all
    [ "$ran" -ge 95 ] || skip "the machine is busy: node ran $ran % of the time, and a CPU profile counts the rest too"
    fold_all
    agree 'perf, microseconds of the CPU profile' "$(share perf.folded)" "$(share microseconds.folded)"
    agree "V8's log, microseconds of the CPU profile" "$(share v8.folded)" "$(share microseconds.folded)"
}
