#!/usr/bin/env bats
# stackcollapse --inline and --context, under its own name and as stackcollapse-perf.pl.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    for tool in g++ nm; do
        command -v $tool >/dev/null || skip "needs $tool"
    done
}

# Prints one sample with these frames, leaf first.
sample() { # FRAME...
    echo 'p1 1 1.1: 1 cycles:'
    printf '\t%s\n' "$@"
    echo
}

# Checks what each dialect makes of `in`; the Perl script itself is run too where there is one.
both() { # PERL OWN OPTION...
    local perl=$1 own=$2
    shift 2
    answers 0 "$perl" '*' "$COMPAT/stackcollapse-perf.pl" "$@" in
    answers 0 "$own" '*' stackcollapse "$@" in
    if [ -n "${FLAMEGRAPH_DIR:-}" ]; then
        answers 0 "$perl" '*' perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" "$@" in
    fi
}

# Builds `p`, where visible() holds outer(), which holds inner(), and sets `addr` to visible's address.
build_c() {
    cat >p.c <<'C'
static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + 1; }
static inline __attribute__((always_inline)) int outer(volatile int *p) { return inner(p) * 2; }
int __attribute__((noinline)) visible(volatile int *p) { return outer(p); }
int main(void) { volatile int x = 1; return visible(&x); }
C
    gcc -g -O1 -no-pie -o p p.c
    addr=$(nm p | awk '$3 == "visible" { print $1 }')
}

# As build_c, but in the debug information inner() has another name, written as in an assembler's string.
build_named() { # NAME
    build_c
    gcc -g -O1 -no-pie -S -o p.s p.c
    NAME=$1 awk '/\.string[ \t]*"inner"/ { print "\t.string \"" ENVIRON["NAME"] "\""; next } { print }' p.s > named.s
    ! cmp -s p.s named.s || skip "no such string in what this compiler writes"
    gcc -no-pie -o p named.s
    addr=$(nm p | awk '$3 == "visible" { print $1 }')
}

@test "--inline shows the calls that the compiler inlined" {
    build_c
    sample "$addr visible+0x0 ($PWD/p)" "9 [unknown] ([unknown])" >in
    both 'p1;[unknown];visible;outer;inner 1' 'p1;[unknown];visible;outer;inner 1' --inline
}

@test "--inline --context adds the source line to each call" {
    build_c
    sample "$addr visible+0x0 ($PWD/p)" >in
    both 'p1;visible:p.c:3;outer:p.c:2;inner:p.c:1 1' \
        'p1;visible:p.c:3;outer:p.c:2;inner:p.c:1 1' --inline --context
}

@test "--context without --inline is wrong usage, which the script ignores" {
    sample "9 f (/x)" >in
    answers 2 '' '*' stackcollapse --context in
    same 'stackcollapse: option --context needs --inline' "$(head -n 1 <<<"$stderr")"
    answers 0 'p1;f 1' '*' "$COMPAT/stackcollapse-perf.pl" --context in
}

@test "--inline finds an address of the process through the symbol and its offset" {
    build_c
    sample "7fff00001000 visible+0x0 ($PWD/p)" >in
    both 'p1;visible;outer;inner 1' 'p1;visible;outer;inner 1' --inline
}

@test "--inline finds each of many addresses of the process in the file" {
    build_c
    {
        sample "$addr visible+0x0 ($PWD/p)"
        for ((i = 1; i < 500; i++)); do
            sample "$(printf '7f%010x visible+0x%x' "$i" "$i") ($PWD/p)"
        done
    } >in
    answers 0 '*' '' stackcollapse --inline in
    same 'p1;visible;outer;inner' "$(sed -n 's/ [0-9]*$//; /inner/p' <<<"$output")"
    same 500 "$(awk '{ sum += $NF } END { print sum }' <<<"$output")"
}

@test "--inline: equal addresses of two processes may be two functions; in the script the first counts" {
    build_c
    { sample "7fff00001000 visible+0x0 ($PWD/p)"; sample "7fff00001000  main+0x0 ($PWD/p)"; } >in
    both 'p1;visible;outer;inner 2' $'p1;main 1\np1;visible;outer;inner 1' --inline
}

# The recording holds an address of every few bytes of a C++ program: far more than samples would
# show, and inlined functions of every kind.
@test "--inline gives the same answer in any order of samples, and for each sample alone" {
    g++ -O2 -g -o shapes "$ROOT/tests/record/app/shapes.cc"
    nm -S -C shapes | awk 'length($2) == 16 && $2 !~ /[^0-9a-f]/' | while read -r start size _ name; do
        for ((at = 0; at < 16#$size && at < 500; at += 29)); do
            printf '%x %s+0x%x (%s/shapes)\n' $((16#$start + at)) "$name" "$at" "$PWD"
        done
    done >frames
    [ "$(wc -l <frames)" -gt 50 ]
    while read -r frame; do sample "$frame"; done <frames >in
    while read -r frame; do sample "$frame"; done < <(tac frames) >reversed
    while read -r frame; do sample "$frame"; done < <(awk 'NR % 3 == 0' frames) >third
    while read -r frame; do sample "$frame"; done < <(awk 'NR % 3 != 0' frames | tac) >others
    for program in stackcollapse "$COMPAT/stackcollapse-perf.pl"; do
        for input in in reversed third others; do
            answers 0 '*' '' "$program" --inline --context $input
            printf '%s\n' "$output" >$input.folded
        done
        cmp in.folded reversed.folded
        prints "$(cat in.folded)" stackcollapse third.folded others.folded
    done
}

@test "--inline: perf names the outermost function, and names lose their arguments" {
    cat >'a;b.cc' <<'C'
namespace ns { inline __attribute__((always_inline)) int twice(volatile int *p, int n) { return *p * n; } }
struct work { int __attribute__((noinline)) run(volatile int *p) { *p = 3; return ns::twice(p, 2); } };
int main() { volatile int x = 1; work w; return w.run(&x); }
C
    g++ -g -O1 -no-pie -o p 'a;b.cc'
    # The instruction after the one that stores 3, which is six bytes long.
    addr=$(printf %x $((16#$(nm p | awk '$3 ~ /work.*run/ { print $1 }') + 6)))
    sample "$addr work::run(int volatile*)+0x6 ($PWD/p)" >in
    prints 'p1;work::run;ns::twice 1' stackcollapse --inline in
    try stackcollapse --inline --tidy=none in
    [[ $output =~ ^'p1;work::run(int volatile*);'.*twice ]]
    both 'p1;work::run(int volatile*):a;b.cc:2;ns::twice(int volatile*, int):a;b.cc:1 1' \
        'p1;work::run:a:b.cc:2;ns::twice:a:b.cc:1 1' --inline --context
}

@test "--inline shows the name of the debug information where perf knows no symbol" {
    build_c
    sample "$addr [unknown] ($PWD/p)" "1 [unknown] ($PWD/p)" >in
    both 'p1;[p];visible;outer;inner 1' 'p1;[p];visible;outer;inner 1' --inline
}

@test "--inline holds no more files open for a hundred binaries than for one" {
    build_c
    for i in {1..100}; do
        ln -s p "p$i"
        sample "$addr visible+0x0 ($PWD/p$i)"
    done >in
    prints 'p1;visible;outer;inner 100' bash -c 'ulimit -n 16 && exec stackcollapse --inline in'
}

@test "--inline takes names of binaries with blanks, quotes, a leading - or @" {
    build_c
    for name in '-e' '@p.c' 'a b' "a'b" '$(false)'; do
        cp -- p "$name"
        sample "$addr visible+0x0 ($name)" "7fff00001000 visible+0x0 ($name)"
    done >in
    prints 'p1;visible;outer;inner;visible;outer;inner 5' stackcollapse --inline in
}

@test "--inline shows the symbol, and says why, where a binary cannot be read" {
    mkfifo fifo
    sample '10 f+0x1 (/nonexistent/p)' "10 g+0x1 ($PWD)" "10 h+0x1 ($PWD/fifo)" '10 i+0x1 (inlined)' >in
    answers 0 'p1;i;h;g;f 1' '*' stackcollapse --inline in
    same "stackcollapse: /nonexistent/p: No such file or directory: calls inlined there are not shown
stackcollapse: $PWD/fifo: is not a regular file: calls inlined there are not shown
stackcollapse: $PWD: is not a regular file: calls inlined there are not shown" "$(sort <<<"$stderr")"
}

@test "--inline leaves standard input to stackcollapse" {
    build_c
    { sample "$addr visible+0x0 ($PWD/p)"; sample '1 f ([kernel.kallsyms])'; } >in
    prints $'p1;f 1\np1;visible;outer;inner 1' bash -c 'stackcollapse --inline <in'
}

@test "--inline shows an inlined function that begins where the function around it does" {
    cat >p.cc <<'C'
static inline __attribute__((always_inline)) int twice(volatile int *p, int n) { return *p * n; }
int __attribute__((noinline)) visible(volatile int *p) { return twice(p, 2); }
int main() { volatile int x = 1; return visible(&x); }
C
    g++ -g -O1 -no-pie -o p p.cc
    addr=$(nm p | awk '$3 ~ /visible/ { print $1 }')
    sample "$addr visible(int volatile*)+0x0 ($PWD/p)" >in
    prints 'p1;visible:p.cc:2;twice:p.cc:1 1' stackcollapse --inline --context in
}

@test "--inline shows the calls that clang inlined, in DWARF 5" {
    command -v clang >/dev/null || skip "no clang"
    build_c
    clang -g -gdwarf-5 -O2 -no-pie -o p p.c
    addr=$(nm p | awk '$3 == "visible" { print $1 }')
    sample "$addr visible+0x0 ($PWD/p)" >in
    both 'p1;visible;outer;inner 1' 'p1;visible;outer;inner 1' --inline
}

@test "--inline: a function's name may have newlines, or be like an address" {
    local name
    for name in 0xabc 'in\nner' 'x\ny.c:1\n??\n??:0'; do
        build_named "$name"
        next=$(nm p | awk '$3 == "main" { print $1 }')
        sample "$addr visible+0x0 ($PWD/p)" "$next main+0x0 ($PWD/p)" >in
        prints "p1;main:p.c:4;visible:p.c:3;outer:p.c:2;${name//\\n/?}:p.c:1 1" stackcollapse --inline --context in
    done
}
