# Lines that take the time of programs in several languages are found by recording them.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Fails unless, of the function's lines with samples, that with the most self is the one with the mark in the file, or one
# next to it, and has most of the function's time.
finds() { # FUNCTION FILE
    local line
    line=$(grep -n HOT "$2" | head -n 1 | cut -d : -f 1)
    stackreport --lines="$1" --source-dir . recorded > list
    cat list
    grep -q HOT list
    # The rows of the file near the line, and those of the function.
    awk -v line="$line" '
        /: self / { split($0, parts, ": self "); whole = parts[2] + 0 }
        $1 ~ /^[0-9]+[.][0-9]+$/ && $2 ~ /^[0-9]+[.][0-9]+$/ {
            number = $3 == ">" ? $4 : $3
            if ($1 + 0 > most) { most = $1 + 0; at = number }
            if (number - line <= 1 && line - number <= 1) near += $1
        }
        END { exit !(at - line <= 1 && line - at <= 1 && near > whole / 2) }' list
}

record() { # COMMAND...
    needs_recorder
    try stackrecord --inline --lines --text recorded -- "$@"
    same 0 "$status"
}

# Makes hot.c, a program that takes about half a second.
write_c() {
    command -v gcc > /dev/null || skip 'no gcc'
    cat > hot.c << 'C'
static volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n)
{
    sink = 1;
    for (unsigned i = 0; i < n; i++)
        sink = sink * 7 / 3 % 1000003 / 7 + i; /* HOT */
    sink = 2;
}
int main(void)
{
    work(60000000);
    return 0;
}
C
}

@test "stackrecord --lines prints the lines that perf-script prints of the recording" {
    write_c
    gcc -g -O1 -o hot hot.c
    needs_recorder
    try stackrecord --inline --lines -o data --text text -- ./hot
    same 0 "$status"
    grep -q "^  $PWD/hot.c:$(grep -n HOT hot.c | cut -d : -f 1)\$" text
    perf-script -q --inline -F +pid,+srcline --full-source-path data > printed
    cmp printed text
}

@test "of C, in which one line of a loop takes the time" {
    write_c
    gcc -g -O1 -o hot hot.c
    record ./hot
    finds '^work$' hot.c
}

@test "of C++, in a function that was inlined" {
    command -v g++ > /dev/null || skip 'no g++'
    cat > hot.h << 'C'
static volatile unsigned sink;
struct mixer {
    void mix(unsigned i)
    {
        sink = sink * 7 / 3 % 1000003 / 7 + i; // HOT
    }
};
C
    cat > main.cc << 'C'
#include "hot.h"
int main()
{
    mixer m;
    for (unsigned i = 0; i < 60000000; i++)
        m.mix(i); // CALL
}
C
    g++ -g -O2 -o hot main.cc
    record ./hot
    finds '^mixer::mix' hot.h
    stackreport --lines='^main$' --source-dir . recorded > list
    grep -q '^ *0[.]00 .* CALL$' list
}

@test "of Rust" {
    command -v rustc > /dev/null || skip 'no rustc'
    cat > hot.rs << 'R'
#[inline(never)]
fn work(n: u32) -> u32 {
    let mut sink = 1u32;
    for i in 0..n {
        sink = std::hint::black_box(sink).wrapping_mul(7) / 3 % 1000003 / 7 + (i & 7); // HOT
    }
    sink
}
fn main() {
    std::hint::black_box(work(60000000));
}
R
    rustc -g -C opt-level=1 -o hot hot.rs
    record ./hot
    finds '^hot::work' hot.rs
}

@test "of Go" {
    command -v go > /dev/null || skip 'no go'
    cat > hot.go << 'G'
package main

var sink uint32

//go:noinline
func work(n uint32) {
	for i := uint32(0); i < n; i++ {
		sink = sink*7/3%1000003/7 + i&7 // HOT
	}
}

func main() {
	work(60000000)
}
G
    HOME=$PWD GOFLAGS=-mod=mod go build -o hot hot.go
    record ./hot
    finds '^main.work$' hot.go
}

# Makes hot.js, a program that takes the CPU seconds of its argument. TurboFan compiles work(); call() is called once.
write_js() {
    command -v node > /dev/null || skip 'no node'
    cat > hot.js << 'J'
function work(n) {
    let sink = 1;
    for (let i = 0; i < n; i++) {
        sink = Math.sqrt(sink * 7 / 3) % 1000003 + i % 7; // HOT
    }
    return sink;
}
function call(seconds) {
    let sink = 0;
    while (process.cpuUsage().user < 1e6 * seconds) {
        sink += work(3e5); // CALL
    }
    return sink;
}
console.log(call(process.argv[2]));
J
}

@test "of JavaScript, in node's memory, also of calls, and in a recording" {
    write_js
    needs_recorder
    try stackrecord --inline --lines -e cpu-clock -F 499 -o data --text recorded -- node hot.js 2
    same 0 "$status"
    finds '[*]work ' hot.js
    stackreport --lines='[~^*+]call ' --source-dir . recorded > list
    grep -q '^ *0[.]00 .* CALL$' list
    grep -q "^  $PWD/hot.js:$(grep -n CALL hot.js | cut -d : -f 1)\$" recorded
    perf-script -q --inline -F +pid,+srcline --full-source-path data | cmp - recorded
}

@test "of JavaScript, by node --cpu-prof" {
    write_js
    node --cpu-prof --cpu-prof-name=recorded hot.js 0.3 > out
    finds '^work ' hot.js
}
