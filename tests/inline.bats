#!/usr/bin/env bats
# stackcollapse --inline and --context, under its own name and as stackcollapse-perf.pl.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    for tool in g++ addr2line nm; do
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
    try "$COMPAT/stackcollapse-perf.pl" "$@" in
    [ "$status" -eq 0 ]
    same "$perl" "$output"
    try stackcollapse "$@" in
    [ "$status" -eq 0 ]
    same "$own" "$output"
    if [ -n "${FLAMEGRAPH_DIR:-}" ]; then
        try perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" "$@" in
        same "$perl" "$output"
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

# Puts an addr2line before the real one in the PATH that stackcollapse gets in `stand_in`; it runs the
# commands on standard input, with the real one's path in $real.
replace_addr2line() {
    mkdir stand-in
    { printf '#!/bin/sh\nreal=%s\n' "$(command -v addr2line)"; cat; } >stand-in/addr2line
    chmod +x stand-in/addr2line
    stand_in=$PWD/stand-in:$PATH
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
    try stackcollapse --context in
    [ "$status" = 2 ]
    [ -z "$output" ]
    same 'stackcollapse: option --context needs --inline' "$(head -n 1 <<<"$stderr")"
    try "$COMPAT/stackcollapse-perf.pl" --context in
    [ "$status" = 0 ]
    same 'p1;f 1' "$output"
}

@test "--inline finds an address of the process through the symbol and its offset" {
    build_c
    sample "7fff00001000 visible+0x0 ($PWD/p)" >in
    both 'p1;visible;outer;inner 1' 'p1;visible;outer;inner 1' --inline
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
            try "$program" --inline --context $input
            [ "$status" -eq 0 ]
            printf '%s\n' "$output" >$input.folded
        done
        cmp in.folded reversed.folded
        try stackcollapse third.folded others.folded
        same "$(cat in.folded)" "$output"
        if [ "$program" != stackcollapse ] && [ -n "${FLAMEGRAPH_DIR:-}" ]; then
            try perl "$FLAMEGRAPH_DIR/stackcollapse-perf.pl" --inline --context in
            same "$(sort <<<"$output")" "$(cat in.folded)"
        fi
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
    try stackcollapse --inline in
    same 'p1;work::run;ns::twice 1' "$output"
    try stackcollapse --inline --tidy=none in
    [[ $output =~ ^'p1;work::run(int volatile*);'.*twice ]]
    both 'p1;work::run(int volatile*):a;b.cc:2;ns::twice(int volatile*, int):a;b.cc:1 1' \
        'p1;work::run:a:b.cc:2;ns::twice:a:b.cc:1 1' --inline --context
}

@test "--inline shows addr2line's name where perf knows no symbol" {
    build_c
    sample "$addr [unknown] ($PWD/p)" "1 [unknown] ($PWD/p)" >in
    both 'p1;[p];visible;outer;inner 1' 'p1;[p];visible;outer;inner 1' --inline
}

@test "--inline runs addr2line once for each different address, itself and not by a shell" {
    # Confined as stackcollapse is, the script can write only what is open.
    replace_addr2line <<'END'
echo "$(cat /proc/$PPID/comm): $*" >&8
while read -r line; do echo "$line" >&7; echo "$line"; done | "$real" "$@"
END
    exec 7>>questions 8>>starts
    local name main
    echo 'int main(void) { return 0; }' >p.c
    gcc -g -O1 -o one p.c
    gcc -g -O1 -o two p.c
    main=$(nm one | awk '$3 == "main" { print $1 }')
    for name in one two one two one; do
        sample "$main main+0x0 ($PWD/$name)" "$main main ($PWD/$name)"
    done >in
    PATH=$stand_in try stackcollapse --inline in
    [ "$status" -eq 0 ]
    same 'p1;main;main 5' "$output"
    main=$(printf '%x' "0x$main")
    same "stackcollapse: -a -i -f -s -C -e $PWD/one
stackcollapse: -a -i -f -s -C -e $PWD/two" "$(sort starts)"
    same "$main $main $main $main" "$(grep -v '^fffffff0f' questions | xargs)"
    [ "$(grep -c '^fffffff0f' questions)" = 4 ]
}

@test "--inline holds no more files open for a hundred binaries than for one" {
    build_c
    for i in {1..100}; do
        ln -s p "p$i"
        sample "$addr visible+0x0 ($PWD/p$i)"
    done >in
    try bash -c 'ulimit -n 16 && exec stackcollapse --inline in'
    [ "$status" -eq 0 ]
    same 'p1;visible;outer;inner 100' "$output"
    same '' "$stderr"
}

@test "--inline takes names of binaries with blanks, quotes, a leading - or @" {
    build_c
    for name in '-e' '@p.c' 'a b' "a'b" '$(false)'; do
        cp -- p "$name"
        sample "$addr visible+0x0 ($name)" "7fff00001000 visible+0x0 ($name)"
    done >in
    try stackcollapse --inline in
    [ "$status" -eq 0 ]
    same 'p1;visible;outer;inner;visible;outer;inner 5' "$output"
}

@test "--inline shows the symbol, and says why, where a binary cannot be read" {
    mkfifo fifo
    sample '10 f+0x1 (/nonexistent/p)' "10 g+0x1 ($PWD)" "10 h+0x1 ($PWD/fifo)" '10 i+0x1 (inlined)' >in
    try timeout 60 stackcollapse --inline in
    [ "$status" -eq 0 ]
    same 'p1;i;h;g;f 1' "$output"
    same "stackcollapse: /nonexistent/p: No such file or directory: calls inlined there are not shown
stackcollapse: $PWD/fifo: not a regular file: calls inlined there are not shown
stackcollapse: $PWD: not a regular file: calls inlined there are not shown" "$(sort <<<"$stderr")"
}

@test "--inline without addr2line shows the symbols and says so once" {
    build_c
    sample "$addr visible+0x0 ($PWD/p)" "1 f+0x0 ($PWD/p)" >in
    try env PATH=/nonexistent "$BIN/stackcollapse" --inline in
    [ "$status" -eq 0 ]
    same 'p1;f;visible 1' "$output"
    same 'stackcollapse: addr2line cannot be run, inlined calls are not shown: install binutils' "$stderr"
}

@test "--inline takes no half call from an addr2line that dies" {
    build_c
    replace_addr2line <<'END'
printf '0x1\ninner\np.c:1\nouter\n'
echo 'a message' >&2
kill -9 $$
END
    sample "$addr visible+0x0 ($PWD/p)" >in
    PATH=$stand_in try stackcollapse --inline in
    [ "$status" -eq 0 ]
    same 'p1;visible 1' "$output"
    same "stackcollapse: addr2line failed on 0x$(printf %x "0x$addr") in $PWD/p: try it by hand" "$stderr"
}

@test "--inline leaves standard input to stackcollapse" {
    build_c
    { sample "$addr visible+0x0 ($PWD/p)"; sample '1 f ([kernel.kallsyms])'; } >in
    try timeout 60 bash -c 'stackcollapse --inline <in'
    [ "$status" -eq 0 ]
    same $'p1;f 1\np1;visible;outer;inner 1' "$output"
}

# addr2line calls it by that function's name: see add_inlined().
@test "--inline shows no recursion where an inlined function begins where the function around it does" {
    cat >p.cc <<'C'
static inline __attribute__((always_inline)) int twice(volatile int *p, int n) { return *p * n; }
int __attribute__((noinline)) visible(volatile int *p) { return twice(p, 2); }
int main() { volatile int x = 1; return visible(&x); }
C
    g++ -g -O1 -no-pie -o p p.cc
    addr=$(nm p | awk '$3 ~ /visible/ { print $1 }')
    sample "$addr visible(int volatile*)+0x0 ($PWD/p)" >in
    try stackcollapse --inline --context in
    [ "$status" -eq 0 ]
    [[ $output == 'p1;visible:p.cc:2 1' || $output == 'p1;visible:p.cc:2;twice:p.cc:1 1' ]]
}

# The answer to the address that is asked for next is not what the name pretends.
@test "--inline: a function's name with newlines, or like an address, neither hangs nor misplaces an answer" {
    local no='0xffffffffffffffff\n??\n??:0' wanted name
    for name in '0xabc' 'in\nner' "in\n$no\n??\nx" "x\ny.c:1\n$no" "x\ny.c:1\n$no\nin"; do
        build_named "$name"
        next=$(nm p | awk '$3 == "main" { print $1 }')
        sample "$addr visible+0x0 ($PWD/p)" "$next main+0x0 ($PWD/p)" >in
        try timeout 20 stackcollapse --inline --context in
        [ "$status" -eq 0 ]
        [[ $output = 'p1;main:p.c:4;visible'* ]]
        case $name in
        0xabc) wanted= ;;
        'in\nner') wanted="stackcollapse: addr2line failed on 0x$(printf %x "0x$addr") in $PWD/p: try it by hand" ;;
        *) continue ;;
        esac
        same "$wanted" "$stderr"
    done
    build_named 0xabc
    sample "$addr visible+0x0 ($PWD/p)" >in
    try stackcollapse --inline --context in
    same 'p1;visible:p.c:3;outer:p.c:2;0xabc:p.c:1 1' "$output"
}
