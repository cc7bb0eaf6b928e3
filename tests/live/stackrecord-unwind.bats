#!/usr/bin/env bats
# stackrecord --call-graph: stacks of programs that were built without frame pointers, in all of its
# outputs.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir built
    # A callback called by libc's qsort, and a stack so deep that a small copy has only a part of
    # it.
    cat > paths.c << 'EOF'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static int
compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    for (unsigned i = 0; i < 20; i++)
        sink += x * i ^ y;
    return (x > y) - (x < y);
}

__attribute__((noinline)) static void
order(unsigned *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        numbers[i] = (unsigned)i * 2654435761U;
    qsort(numbers, n, sizeof *numbers, compare);
    sink += numbers[0];
}

__attribute__((noinline)) static void
deep(int depth, size_t n)
{
    unsigned numbers[1500]; /* 6,000 bytes of stack, written to: the kernel copies no page that was never touched */
    memset(numbers, depth, sizeof numbers);
    if (depth > 0)
        deep(depth - 1, n);
    else
        order(numbers, n);
    sink += numbers[sink % 1500];
}

__attribute__((noinline)) static void
rest(void)
{
    usleep(2000);
    sink++;
}

int
main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : 1500, depth = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < rounds; i++) {
        deep(depth, 1500);
        if (i % 20 == 0)
            rest();
    }
    return 0;
}
EOF
    "${CC:-cc}" -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o paths paths.c
    sed 'N; s/__attribute__((noinline)) static void\norder/static inline __attribute__((always_inline)) void\norder/; P; D' \
        paths.c > inlined.c
    printf '%s\n' 'function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }' \
        'const end = Date.now() + 1500; while (Date.now() < end) { fib(20); [3, 1, 2].sort((a, b) => a - b); }' > fib.js
}

setup() {
    [ "$(uname -m)" = x86_64 ] || skip "the kernel's frame pointers are all there is on this machine"
    needs_recorder
    cd "$BATS_FILE_TMPDIR" || return 1
}

# Records. Skips the test if the kernel forbids it.
record() { # OPTION...
    try stackrecord -F 999 "$@"
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
}

# Prints the share of the samples of a command in folded text that match an expression, in whole
# percent.
percent() { # COMMAND EXPRESSION < FOLDED
    awk -v command="$1" -v expression="$2" '
        index($0, command ";") == 1 { all += $NF; if ($0 ~ expression) matched += $NF }
        END { print (all ? int(100 * matched / all) : 0) }'
}

@test "the stacks of a program without frame pointers are whole, also with --folded" {
    record -- ./paths > /dev/null
    stackcollapse <<< "$output" > text.folded
    [ "$(percent paths ';_start;.*main' < text.folded)" -ge 97 ] # what is left is the dynamic linker
    # Frames of libc's sort are between the program's own.
    grep -qE '^paths;_start;.*;main;deep[^;]*;order[^;]*;[^ ]*sort[^ ]*;compare' text.folded
    record --folded -- ./paths
    [ "$(percent paths ';_start;.*main' <<< "$output")" -ge 97 ]
}

@test "--off-cpu has the whole stack of what waits" {
    [ "$(id -u)" -eq 0 ] || skip "only root may record sched:sched_switch"
    try stackrecord --off-cpu -- ./paths 0 200
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    stackcollapse <<< "$output" > off.folded
    grep -qE '^paths;_start;.*;main;rest;usleep;.*nanosleep' off.folded
}

@test "--call-graph fp takes what the kernel finds, dwarf unwinds alone, none records no callers" {
    record --call-graph fp -- ./paths
    stackcollapse -q <<< "$output" > fp.folded
    [ "$(percent paths ';main;' < fp.folded)" -le 50 ]
    record --call-graph dwarf -- ./paths
    stackcollapse <<< "$output" > dwarf.folded
    [ "$(percent paths ';_start;.*main' < dwarf.folded)" -ge 97 ]
    record --call-graph none -- ./paths
    stackcollapse -q <<< "$output" > none.folded
    same 0 "$(percent paths '^paths;[^;]*;' < none.folded)"
}

@test "a stack of which too little was copied is marked as cut" {
    record --call-graph dwarf,1024 -- ./paths 3
    stackcollapse -q <<< "$output" > cut.folded
    [ "$(percent paths '^paths;\\[cut\\];' < cut.folded)" -ge 90 ]
    record --no-marks --call-graph dwarf,1024 -- ./paths 3
    same '' "$(grep -F '[cut]' <<< "$output" || true)"
    record -F 199 --call-graph dwarf,32768 -- ./paths 3
    stackcollapse <<< "$output" > whole.folded
    [ "$(percent paths ';_start;.*main;deep[^;]*;deep[^;]*;deep[^;]*;deep[^;]*;order' < whole.folded)" -ge 90 ]
}

@test "--max-depth counts the frames that were unwound, and what it cuts is not marked" {
    record --max-depth 3 --user -- ./paths
    same '' "$(awk '/^\t/ { if (++n > 3) print } /^$/ { n = 0 }' <<< "$output")"
    same '' "$(grep -F '[cut]' <<< "$output" || true)"
}

@test "node's stacks reach main through JIT-compiled code" {
    command -v node > /dev/null || skip "no node on this machine"
    record -- node --perf-basic-prof --interpreted-frames-native-stack fib.js
    remove_maps <<< "$output"
    stackcollapse -q <<< "$output" > node.folded
    local js=';(JS|LazyCompile|Function):' # the last two are Node 18's
    [ "$(percent node "$js" < node.folded)" -ge 50 ]
    grep -E "$js" node.folded | sed 's/^node[^;]*/node/' > js.folded
    [ "$(percent node ';_start;' < js.folded)" -ge 97 ]
}

@test "so do those of functions that V8 has deoptimized, which go on at the start of one of its builtins" {
    command -v node > /dev/null || skip "no node on this machine"
    cat > deoptimized.js << 'EOF'
let sum = 0;
function each(list, call) { for (let i = 0; i < list.length; i++) call(list[i]); }
function total(list) { each(list, value => { sum = sum + value; }); }
function spin() { for (const end = Date.now() + 1000; Date.now() < end;); return 1; }
const numbers = Array.from({ length: 1000 }, (_, i) => i);
for (let i = 0; i < 20000; i++)
    total(numbers);
total([{ valueOf: spin }]); // which total was not optimized for
EOF
    record -- node --perf-basic-prof deoptimized.js
    remove_maps <<< "$output"
    stackcollapse -q <<< "$output" | sed -n '/spin/s/^node[^;]*/node/p' > spin.folded
    [ "$(awk '{ n += $NF } END { print n }' spin.folded)" -ge 50 ]
    [ "$(percent node ';_start;' < spin.folded)" -ge 97 ]
}

@test "a ring buffer without room for large copies gets smaller ones, which a note says" {
    record --memory 16 -F 9999 -- ./paths 0 20
    grep -qE 'stackrecord: [0-9,]+ bytes of each stack are copied, not 8,192, since the ring buffers have [0-9,]+ KiB' <<< "$stderr"
    record --call-graph auto,60000 --memory 16 -- ./paths 0 20
    grep -q 'bytes of each stack are copied, not 60,000, since' <<< "$stderr"
}

# Functions, one of them with a frame pointer and more stack than is copied; the others as told by
# compiler options.
program_of_frames() { # NAME COMPILER-OPTION...
    cat > "$1.c" << 'EOF'
#include <alloca.h>
#include <pthread.h>
volatile long n;
__attribute__((noinline)) void leaf(volatile char *p) { for (int i = 0; i < 1000000; i++) n += p[i & 1023]; }
__attribute__((noinline)) void large(int k) { volatile char *p = alloca(20000 + k); p[0] = 1; leaf(p); p[1] = 2; }
__attribute__((noinline)) long middle(int k)
{
    long a = k * 3, b = k * 5, c = k * 7, d = k * 11, e = k * 13, f = k + 17;
    large(k);
    long all = a ^ b ^ c ^ d ^ e ^ f;
    large(k + 1);
    return all + a * b * c + d * e * f;
}
__attribute__((noinline)) void *run(void *of) { for (int i = 0; i < 100; i++) n += middle(i) + 1; return of; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); return pthread_join(t, 0); }
EOF
    "${CC:-cc}" -O2 -fno-optimize-sibling-calls -pthread -o "$1" "${@:2}" "$1.c"
}

@test "where the kernel's chain continues a stack, it reaches the root, or else it is cut" {
    program_of_frames framed -fno-omit-frame-pointer
    program_of_frames frameless -fomit-frame-pointer
    record --folded --user -F 499 -- ./framed
    [ "$(percent framed '^framed;(__libc_start_call_main|start_thread).*;run;middle;large' <<< "$output")" -ge 90 ]
    same '' "$(grep -F '[cut]' <<< "$output" || true)"
    record --folded --user -F 499 -- ./frameless
    [ "$(percent frameless '^frameless;\\[cut\\];.*large' <<< "$output")" -ge 90 ]
}

# Makes built/NAME: a program of a hundred functions, each of which calls the next, with COUNT
# others that are not called.
program_of_many() { # NAME COUNT
    [ ! -e "built/$1" ] || return 0
    {
        printf '__asm__(".text\\n.rept %d\\n.cfi_startproc\\nnop\\n.cfi_def_cfa_offset 16\\nnop\\n.cfi_endproc\\n.endr\\n");\n' "$2"
        echo 'volatile long n; __attribute__((noinline)) long f0(void) { for (long i = 0; i < 300000; i++) n += i; return n; }'
        for i in {1..99}; do echo "__attribute__((noinline)) long f$i(void) { return f$((i - 1))() + 1; }"; done
        echo 'int main(void) { for (int i = 0; i < 1000; i++) f99(); return 0; }'
    } > "$1.c"
    "${CC:-cc}" -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -o "built/$1" "$1.c"
}

@test "a file whose table takes more than its share of --memory is unwound within that, and one much larger is lost" {
    program_of_many large 270000
    program_of_many larger 700000
    printf '%s\n' 'import os, subprocess, sys' 'p = subprocess.Popen(sys.argv[1:])' \
        'status, usage = os.wait4(p.pid, 0)[1:]' 'print("peak", usage.ru_maxrss >> 10, file=sys.stderr)' \
        'sys.exit(status != 0)' > peak.py
    try timeout -k 1 60 python3 peak.py stackrecord -F 199 --memory 16 --folded --duration 1 -- built/large
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    [ "$(percent large ';main;f99;f98;.*;f1;f0' <<< "$output")" -ge 90 ]
    [ -n "${SAN-}" ] || [ "$(sed -n 's/^peak //p' <<< "$stderr")" -lt 64 ]
    try timeout -k 1 60 python3 peak.py stackrecord -F 199 --memory 16 --folded --duration 1 -- built/larger
    [ "$status" -eq 0 ]
    [ "$(percent larger '^larger;\\[lost\\]' <<< "$output")" -ge 90 ]
    [ -n "${SAN-}" ] || [ "$(sed -n 's/^peak //p' <<< "$stderr")" -lt 64 ]
}

@test "a program that starts while the ring buffers are full of samples has the callers of its later samples" {
    command -v taskset > /dev/null || skip 'no taskset'
    cat > lasts.c << 'EOF'
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static void
spin(void)
{
    for (volatile unsigned long i = 0; i < 1000000; i++)
        continue;
}

int
main(int argc, char **argv)
{
    for (time_t end = time(NULL) + atoi(argv[argc - 1]); time(NULL) < end;)
        spin();
    return 0;
}
EOF
    rm -f later full
    "${CC:-cc}" -O2 -o lasts lasts.c
    # The small programs use up the memory that samples leave. One CPU has the largest ring buffer,
    # enough for a fifth of a second.
    stackrecord -q -F 9999 -e cpu-clock:u -C 0 --folded -- taskset -c 0 sh -c 'cp lasts later
./lasts 1; for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done; touch full; ./later 3' > out 2> err &
    recorder=$!
    for _ in {1..100}; do [ ! -e later ] || break; sleep 0.1; done
    sleep 0.2
    kill -STOP $recorder
    for _ in {1..300}; do [ ! -e full ] || break; sleep 0.1; done
    sleep 0.5
    kill -CONT $recorder
    wait $recorder || needs_recording err
    [ "$(percent later ';main;spin' < out)" -ge 99 ]
}

@test "--call-graph names what is wrong with its value" {
    for value in lbr auto,0 dwarf,65000 dwarf,x fp,8192 none,1 ''; do
        try stackrecord --call-graph "$value" -- true
        [ "$status" -eq 2 ]
        same '' "$output"
        grep -qF "stackrecord: option --call-graph: '$value'" <<< "$stderr"
    done
}

@test "--inline prints the calls that the compiler inlined" {
    "${CC:-cc}" -g -O2 -fno-optimize-sibling-calls -o inlined inlined.c
    record --inline -- ./inlined
    stackcollapse --kernel <<< "$output" > inlined.folded
    [ "$(percent inlined ';order_\\[i\\];.*sort.*;compare' < inlined.folded)" -ge 50 ]
    record --inline --folded -- ./inlined
    [ "$(percent inlined ';main;.*order;.*sort.*;compare' <<< "$output")" -ge 50 ]
    # A file contains the calls that V8 inlined. Calls that a compiler inlined are found when it is
    # printed.
    try stackrecord -q -F 499 --inline -o inlined.data -- ./inlined
    [ "$status" -eq 0 ]
    perf-script -q --inline inlined.data | stackcollapse --kernel > inlined.folded
    [ "$(percent inlined ';order_\\[i\\];.*sort.*;compare' < inlined.folded)" -ge 50 ]
}

@test "debug information that takes more than its share of --memory is left out, with a message" {
    { echo 'enum many {' && seq -f 'NAME_%.0f,' 400000 && echo '} one;' && cat inlined.c; } > many.c
    "${CC:-cc}" -g -O2 -fno-optimize-sibling-calls -o many many.c
    record --inline --memory 16 -- ./many
    grep -qF 'its debug information takes more than its share of memory; inlined calls are missing or have no names: raise --memory' <<< "$stderr"
    same 0 "$(grep -c ' order+.* (inlined)$' <<< "$output")" # the dynamic linker's debug information may be small
    record --inline --memory 512 -- ./many
    same 0 "$(grep -cF 'share of memory' <<< "$stderr")"
    grep -q ' order+.* (inlined)$' <<< "$output"
}

@test "functions that are not exported have their names from .gnu_debugdata" {
    command -v xz > /dev/null || skip 'no xz'
    "${CC:-cc}" -O2 -g -fno-optimize-sibling-calls -rdynamic -o packed paths.c
    nm -D --defined-only -f posix packed | awk '{ print $1 }' | sort > exported
    nm --defined-only -f posix packed | awk '$2 ~ /[Tt]/ { print $1 }' | sort | comm -13 exported - > kept
    objcopy --only-keep-debug packed packed.debug
    objcopy -S --keep-symbols=kept packed.debug mini
    strip --strip-all packed
    xz -f mini
    objcopy --add-section .gnu_debugdata=mini.xz packed
    record -- ./packed
    stackcollapse <<< "$output" > packed.folded
    [ "$(percent packed ';main;deep[^;]*;.*sort.*;compare' < packed.folded)" -ge 50 ]
}
