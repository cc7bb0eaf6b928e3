# Runs the recipes of the README and of flamepipe-recipes(7) that record with stackrecord or
# flamepipe, each on a Node program that calculates, waits and connects; the commands of
# stackrecord(1) and stackrecord-events(7); and those that stand beside perf's. examples.bats runs
# all others, with substitutes for some programs.
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
const kept = [];
function keep() { kept.push(new Array(2000).fill(kept.length)); }
const timer = setInterval(() => { calculate(Date.now() + 20); connect(); keep(); }, 30);
setTimeout(() => clearInterval(timer), Number(process.argv[2] || 1000));
require('fs').writeFileSync('begun', '');
END
}

# The server that the recipes record, and small programs in C and Python.
make_processes() {
    # After half a minute, V8 would inline calculate into its caller.
    (exec node --no-turbo-inlining app.js 600000 3>&-) &
    export SERVER=$!
    printf '#!/bin/sh\necho %s\n' $SERVER > pgrep
    chmod +x pgrep
    cat > app.c << 'END'
volatile double sum;
static void add(void) { for (int i = 0; i < 50000000; i++) sum += i; }
__attribute__((noinline)) void parse(const char *name, int len) { __asm__ volatile("" : : "r"(name), "r"(len)); }
int main(void) { parse("short", 5); parse("long", 500); add(); }
END
    gcc -g -O1 -fno-omit-frame-pointer -o app app.c
    echo 'print(sum(i * i for i in range(5000000)))' > app.py
    soon [ -e begun ]
}

teardown_file() {
    [ -z "${SERVER-}" ] || kill "$SERVER"
}

setup() {
    needs_recording "$HOME/refusal"
    [ ! -s "$HOME/why" ] || skip "$(cat "$HOME/why")"
    cd "$BATS_TEST_TMPDIR"
    ln -s "$HOME/app" "$HOME/app.js" "$HOME/app.py" .
    mkdir before after
    cp app.js before
    cp app.js after
    PATH=$HOME:$PATH
}

# Prints the indented blocks of the README and the displays of flamepipe-recipes(7) in which one of
# our programs records and that are not about perf, each followed by a blank line. Recordings are
# shortened. The first lines of the README need an installation, a PID and a file. Deno and Bun are
# in deno-bun.bats; archives are in archive.bats and live/archive.bats.
recipes() {
    { sed -n '1,/^## /d; s/^    //p; t; s/.*//p' "$ROOT/README.md" && awk -f "$ROOT/tests/examples.awk" "$ROOT/man/flamepipe-recipes.7"; } |
        awk -v RS= '/(^|\n)(stackrecord|flamepipe) / && !/perf record|deno run|--archive|--last|--between/ { print $0 "\n" }' |
        sed 's/--duration [0-9]*/--duration 1/; s/-p PID /-p "$pid" /; s/^\(flamepipe -.*\) [0-9]*$/\1 1/'
}

# Runs the recipes that match. Each must draw pictures; the last one must contain these names.
draws() { # PATTERN PICTURE [NAME...], regular expressions
    local recipe name count=0
    while IFS= read -r -d '' recipe; do
        # shellcheck disable=SC2053 # a pattern
        [[ $recipe = $1 ]] || continue
        count=$((count + 1))
        echo "$recipe"
        rm -f ./*.svg ./*.html
        pid=$SERVER try bash -e -o pipefail -c "$recipe" < /dev/null
        echo "$stderr"
        [ "$status" = 0 ]
        for picture in *.svg *.html; do
            [ -e "$picture" ] || continue
            [[ $picture = *.html ]] || well_formed "$picture"
            [ "$(grep -c '<title>' "$picture")" -gt 2 ] || [[ $picture = *.html ]]
        done
    done < <(recipes | sed 's/^$/\x0/')
    [ "$count" -gt 0 ]
    for name in "${@:3}"; do
        grep -q "<title>$name" "$2"
    done
}

@test "the recipes: flamepipe" {
    draws '*flamepipe -[-pa] *' flame.svg 'calculate .*app.js:2'
}

@test "the recipes: before and after" {
    draws '*flamepipe --compare*' diff.svg 'calculate .*app.js:2'
}

@test "the recipes: the quick start's pipe, a running Node process, and only the JavaScript" {
    draws '*stackrecord -p "$(pgrep -n node)"*flamesvg --colors=node > flame.svg*' flame.svg 'calculate .*app.js:2'
    draws '*> out.svg*' out.svg
    draws '*> flame1.svg*' flame1.svg 'calculate .*app.js:2'
}

@test "the recipes: a process in a container, also one that forbids to sample" {
    draws '*flamepipe --inspect*' flame.svg 'calculate .*app.js:2'
    draws '*> container.svg*' container.svg 'calculate .*app.js:2'
}

@test "the recipes: where a program waits, and its whole time" {
    # libuv may lack both names and frame pointers
    draws '*> waits.svg*' waits.svg 'all ([0-9.]* m*s, 100%)' 'uv_run\|<title>uv__io_poll\|<title>epoll_'
    draws '*> wall.svg*' wall.svg 'all ([0-9.]* m*s, 100%)' 'calculate .*app.js:2' '\[wait: '
}

@test "the recipes: what blocks the event loop" {
    draws '*flamepipe --stalls*' stalls.html 'node .*app.js .*: stalls'
}

@test "the recipes: what fills the memory" {
    draws '*flamepipe --heap*' heap.svg 'keep .*app.js:'
}

@test "the recipes: tracepoints" {
    draws '*> connect.svg*' connect.svg '.*connect'
    grep -q 'calls' connect.svg
}

@test "the recipes: system calls" {
    draws '*> syscalls.svg*' syscalls.svg 'all ([0-9.]* m*s, 100%)' '\[syscall: '
}

@test "the recipes: probes" {
    draws '*> parse.svg*' parse.svg 'parse (1 calls, 100.00%)'
}

@test "the recipes: C and C++, and Python" {
    draws '*> app.svg*' app.svg 'add '
    ! command -v python3 > where || draws '*python.svg*' flame.svg
}

@test "the recipes: source lines and instructions" {
    draws '*stackreport --lines*' none
    [[ $output = *'sum += i;'* ]]
}

@test "every recipe that records with our programs is run above" {
    local recipe pattern run
    while IFS= read -r -d '' recipe; do
        run=0
        while read -r pattern; do
            # shellcheck disable=SC2053
            [[ $recipe != $pattern ]] || run=1
        done < <(sed -n "s/.*draws '\([^']*\)'.*/\1/p" "$BATS_TEST_FILENAME")
        echo "$recipe"
        [ $run = 1 ]
    done < <(recipes | sed 's/^$/\x0/')
}

# Prints our commands that flamepipe(7) has beside perf's, and flamepipe-recipes(7) beside perf
# trace. Recordings are shortened. The commands beside perf probe are in stackrecord-probes.bats.
commands() {
    { beside_perf flamepipe.7 && beside_perf flamepipe-recipes.7 | grep '^stackrecord --syscalls'; } | sed '
        s/PID/"$pid"/
        s/FILE/other.data/
        s/--duration [0-9]*/--duration 0.2/
        /--duration/!s/^stackrecord\(.* -[ap] \)/stackrecord --duration 0.2\1/'
}

@test "the commands beside those of perf work, one after the other" {
    local command count=0
    printf 'app;main 10\n' | tee before.folded > after.folded
    while read -r command; do
        count=$((count + 1))
        echo "$command"
        pid=$SERVER try bash -e -o pipefail -c "$command" < /dev/null
        echo "$stderr"
        [ "$status" = 0 ]
        [ -n "$output" ] || [[ $command = *' -o '* || $command = *' > '* || $command = stackstat* ]]
    done < <(commands)
    [ "$count" -ge 20 ]
}

@test "make demo: where it may record it draws what it recorded" {
    try "$ROOT/tests/demo/demo.sh" "$BIN" demo.svg
    [ "$status" -eq 0 ]
    [[ $output == 'demo: node v'*', recorded here: demo.svg' ]]
    well_formed demo.svg
    grep -q '<title>.*work.js' demo.svg
}

@test "what the pages ask of stackrecord, it records" {
    local example count=0
    while read -r example; do
        count=$((count + 1))
        echo "$example"
        try bash -e -c "$example"
        [ "$status" = 0 ]
    done < <(sed -n 's/--duration [0-9]*/--duration 0.1/; s/^\(stackrecord [^|>]*\).*/\1/p' \
        "$ROOT/man/stackrecord.1" "$ROOT/man/stackrecord-events.7")
    [ "$count" -ge 8 ]
}
