# Runs those recipes of the README and of flamepipe(7) that record with stackrecord or flamepipe, each against a Node
# program that calculates, waits and connects. Skipped where the kernel does not permit to record.
load ../lib

setup_file() {
    export HOME=$BATS_FILE_TMPDIR
    cd "$HOME"
    why_not > why
    program > app.js
    [ -s why ] || make_processes
}

# Prints why the recipes cannot be run here; nothing if they can.
why_not() {
    command -v node > where || { echo 'no node here' && return; }
    stackrecord -q -a -e syscalls:sys_enter_connect --duration 0.01 > out 2> refusal || head -n 1 refusal
}

program() {
    cat << 'END'
const net = require('net');
function calculate(end) { let sum = 0; while (Date.now() < end) sum += Math.sqrt(sum + 1); return sum; }
function connect() { net.connect(9, '127.0.0.1').on('error', () => {}); }
const timer = setInterval(() => { calculate(Date.now() + 20); connect(); }, 30);
setTimeout(() => clearInterval(timer), Number(process.argv[2] || 1000));
END
}

# The server that the recipes record, and small programs in C and Python.
make_processes() {
    # V8 would put calculate into its caller after half a minute.
    (exec node --perf-basic-prof --interpreted-frames-native-stack --no-turbo-inlining app.js 600000 3>&-) &
    export SERVER=$!
    printf '#!/bin/sh\necho %s\n' $SERVER > pgrep
    chmod +x pgrep
    cat > app.c << 'END'
volatile double sum;
static void add(void) { for (int i = 0; i < 50000000; i++) sum += i; }
int main(void) { add(); }
END
    gcc -g -O1 -fno-omit-frame-pointer -o app app.c
    echo 'print(sum(i * i for i in range(5000000)))' > app.py
}

teardown_file() {
    [ -n "${SERVER-}" ] || return 0
    kill "$SERVER"
    rm -f "/tmp/perf-$SERVER.map"
}

setup() {
    needs_recording "$HOME/refusal"
    [ ! -s "$HOME/why" ] || skip "$(cat "$HOME/why")"
    cd "$BATS_TEST_TMPDIR"
    ln -s "$HOME/app" "$HOME/app.js" "$HOME/app.py" .
    cp "$DATA/two-events.data" perf.data
    PATH=$HOME:$PATH
}

# The indented blocks of the README and the displays of flamepipe(7) in which one of our programs records and that are
# not about perf, each ended by a blank line. What records is shorter here. The README's first lines need npm's registry,
# a PID and a file; Deno and Bun are in deno-bun.bats.
recipes() {
    { sed -n '1,/^## /d; s/^    //p; t; s/.*//p' "$ROOT/README.md" && awk -f "$ROOT/tests/examples.awk" "$ROOT/man/flamepipe.7"; } |
        awk -v RS= '/(^|\n)(stackrecord|flamepipe) / && !/perf record|deno run/ { print $0 "\n" }' |
        sed 's/--duration [0-9]*/--duration 1/; s/^\(flamepipe -.*\) [0-9]*$/\1 1/'
}

# Runs the recipes that match; each must draw a picture.
run_recipes() { # PATTERN
    local recipe count=0
    while IFS= read -r -d '' recipe; do
        # shellcheck disable=SC2053 # a pattern
        [[ $recipe = $1 ]] || continue
        count=$((count + 1))
        echo "$recipe"
        rm -f ./*.svg
        pid=$SERVER try bash -e -o pipefail -c "$recipe" < /dev/null
        echo "$stderr"
        [ "$status" = 0 ]
        for picture in *.svg; do
            well_formed "$picture"
            [ "$(grep -c '<title>' "$picture")" -gt 2 ]
        done
    done < <(recipes | sed 's/^$/\x0/')
    [ "$count" -gt 0 ]
}

names_javascript() { # PICTURE
    grep -q '<title>calculate .*app.js:2' "$1"
}

@test "the recipes: flamepipe" {
    run_recipes '*flamepipe -[-pa] *'
    names_javascript flame.svg
}

@test "the recipes: a container that forbids to sample" {
    run_recipes '*flamepipe --inspect*'
    names_javascript flame.svg
}

@test "the recipes: before and after" {
    mkdir before after
    cp app.js before
    cp app.js after
    run_recipes '*flamepipe --compare*'
    names_javascript diff.svg
}

@test "the recipes: the quick start's pipe" {
    run_recipes '*stackrecord -p "$(pgrep -n node)"*flamesvg --colors=node > flame.svg*'
    names_javascript flame.svg
}

@test "the recipes: a running Node process" {
    run_recipes '*> out.svg*'
}

@test "the recipes: only the JavaScript" {
    run_recipes '*> flame1.svg*'
    names_javascript flame1.svg
}

@test "the recipes: a process in a container" {
    run_recipes '*> container.svg*'
    names_javascript container.svg
}

@test "the recipes: tracepoints" {
    run_recipes '*> connect.svg*'
    grep -q 'calls' connect.svg
    grep -q '<title>.*connect' connect.svg
}

@test "the recipes: where a program waits" {
    run_recipes '*> waits.svg*'
    grep -q '<title>all ([0-9.]* m*s, 100%)' waits.svg
    grep -q '<title>uv_run\|<title>uv__io_poll\|<title>epoll_' waits.svg # libuv may have neither names nor frame pointers
}

@test "the recipes: the whole time of a program" {
    run_recipes '*> wall.svg*'
    grep -q '<title>all ([0-9.]* m*s, 100%)' wall.svg
    grep -q '<title>calculate .*app.js:2' wall.svg
    grep -q '<title>\[wait: event loop\] ' wall.svg
}

@test "the recipes: C and C++" {
    run_recipes '*> app.svg*'
    grep -q '<title>add ' app.svg
}

@test "the recipes: Python" {
    command -v python3 > /dev/null || skip 'no python3 here'
    run_recipes '*python.svg*'
}

@test "every recipe that records with our programs is run above" {
    local recipe pattern
    while IFS= read -r -d '' recipe; do
        run=0
        while read -r pattern; do
            # shellcheck disable=SC2053
            [[ $recipe != $pattern ]] || run=1
        done < <(sed -n "s/^    run_recipes '\(.*\)'$/\1/p" "$BATS_TEST_FILENAME")
        echo "$recipe"
        [ $run = 1 ]
    done < <(recipes | sed 's/^$/\x0/')
}

@test "make demo: where it may record it draws what it recorded" {
    try "$ROOT/tests/demo/demo.sh" "$BIN" demo.svg
    [ "$status" -eq 0 ]
    [[ $output == 'demo: node v'*', recorded here: demo.svg' ]]
    well_formed demo.svg
    grep -q '<title>.*work.js' demo.svg
}
