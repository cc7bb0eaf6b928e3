# Running Deno and Bun: their names, and what flamepipe removes after them.
load ../lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR
    export HOME=$BATS_FILE_TMPDIR
    cd "$WORK" || return 1
    cat > app.ts <<'TS'
function burn(n: number): number { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
const outer = (n: number) => burn(n) + 1;
const end = Date.now() + 800;
let sum = 0;
while (Date.now() < end) sum += outer(20000);
console.log(sum !== 0.5);
TS
}

setup() {
    needs_recorder
    cd "$BATS_TEST_TMPDIR" || return 1
    unset NODE_OPTIONS DENO_V8_FLAGS BUN_JSC_useJITDump BUN_JSC_jitDumpDirectory PYTHONPERFSUPPORT
}

@test "flamepipe removes the jitdump of the bun that it has started, and no other" {
    cat > bun <<'END'
#!/bin/sh
: > "$BUN_JSC_jitDumpDirectory/jit-$$-$$.dump"
: > "$BUN_JSC_jitDumpDirectory/jit-$$.dump"
echo "$BUN_JSC_jitDumpDirectory/jit-$$"
n=0
while [ $n -lt 300000 ]; do n=$((n + 1)); done
END
    chmod +x bun
    try flamepipe -q -F 499 -o bun.svg -- ./bun
    [ "$status" = 0 ]
    local dump=$output
    [[ $dump = /tmp/jit-* ]]
    [ ! -e "$dump-${dump##*-}.dump" ]
    [ -e "$dump.dump" ]
    rm "$dump.dump"
    mkdir own
    BUN_JSC_jitDumpDirectory=own try flamepipe -q -F 499 -o bun.svg -- ./bun
    [ "$(find own -name 'jit-*' | wc -l)" = 2 ]
}

@test "the functions of a deno have names, and so has V8's built-in code in it" {
    command -v deno > /dev/null || skip 'no deno (npm has it: @deno/linux-x64-glibc)'
    DENO_DIR=$PWD DENO_NO_UPDATE_CHECK=1 try flamepipe --keep -F 499 -o deno.svg -- deno run "$WORK/app.ts"
    [ "$status" = 0 ]
    same true "$output"
    grep -q "JS:[*+]'*burn file://$WORK/app.ts:1:14+0x" deno.perf
    grep -q 'Builtin:[A-Za-z]*+0x[0-9a-f]* (.*deno)$' deno.perf
    grep -q "<title>burn file://$WORK/app.ts" deno.svg
    pid=$(sed -n '/perf-/ { s/.*perf-\([0-9]*\).*/\1/p; q }' deno.perf)
    rm -f "/tmp/perf-$pid.map"
}

@test "the functions of a bun have names while it runs, and nothing stays" {
    command -v bun > /dev/null || skip 'no bun (npm has it: @oven/bun-linux-x64)'
    touch before
    try flamepipe -F 499 -o bun.svg -- bun "$WORK/app.ts"
    [ "$status" = 0 ]
    same true "$output"
    [[ $stderr != *'without names'* && $stderr != *jitdump* ]]
    grep -q '<title>burn #[A-E]' bun.svg
    [ -z "$(find /tmp -maxdepth 1 -name 'jit-*.dump' -newer before)" ]
}
