load lib

# A copy of the project with one program, which may be changed, and its own build.
setup() {
    COPY=$BATS_TEST_TMPDIR/copy
    mkdir -p "$COPY/cmd" "$COPY/man"
    cp -r "$ROOT/Makefile" "$ROOT/config.mk" "$ROOT/common" "$COPY"
    cp -r "$ROOT/cmd/stackdiff" "$COPY/cmd"
    cd "$COPY"
}

build() {
    make -j2 PROGRAMS=stackdiff SCRIPTS= COMPAT=difffolded.pl:stackdiff CFLAGS=-O0 "$@"
}

# The files that a build compiles, without their folders.
compiled() { # MAKE-ARGUMENTS ...
    try build "$@"
    [ "$status" = 0 ]
    grep -oE '[a-z0-9]+\.c$' <<<"$output" | LC_ALL=C sort
}

@test "a second make does nothing" {
    build
    try build
    [ "$status" = 0 ]
    [ "$output" = "make: Nothing to be done for 'all'." ] || [ "$output" = "" ]
}

@test "make prints a short line for each step, with V=1 the commands, and with -s nothing" {
    try build
    [ "$status" = 0 ]
    [ "$stderr" = "" ]
    same "$({
        find common cmd -name '*.c' | sed 's/^/CC /'
        echo AR build/common.a
        echo LD build/bin/stackdiff
        echo SH build/compat/difffolded.pl
    } | sort)" "$(grep -v '^make' <<<"$output" | sort)"
    touch common/base/utf8.c
    try build V=1
    [[ $output = *'-c -o build/common/base/utf8.o common/base/utf8.c'* ]]
    [[ $output != *'CC common'* ]]
    touch common/base/utf8.c
    try build -s
    [ "$output" = "" ]
    [ "$stderr" = "" ]
}

@test "everything that is built is in the build folder" {
    find . -type f | sort >"$BATS_TEST_TMPDIR/before"
    build BUILD="$BATS_TEST_TMPDIR/elsewhere"
    try find . -type f
    same "$(cat "$BATS_TEST_TMPDIR/before")" "$(sort <<<"$output")"
    try "$BATS_TEST_TMPDIR/elsewhere/compat/difffolded.pl"
    [ "$status" = 2 ]
}

@test "after a change to a header what includes it is compiled again, and nothing else" {
    echo 'extern int extra;' >common/base/extra.h
    sed -i '1i #include "common/base/extra.h"' common/base/utf8.c common/stack/foldedtext.c
    build
    touch common/base/extra.h
    same $'foldedtext.c\nutf8.c' "$(compiled)"
}

@test "a deleted header that nothing includes any more does not stop the build" {
    echo 'int extra;' >common/base/extra.h
    sed -i '1i #include "common/base/extra.h"' common/base/utf8.c
    build
    rm common/base/extra.h
    sed -i 1d common/base/utf8.c
    [ "$(compiled)" = utf8.c ]
}

@test "a deleted source is removed from the library" {
    echo 'int extra;' >common/base/extra.c
    build
    try nm build/common.a
    [[ $output = *" extra"* ]]
    rm common/base/extra.c
    build
    try nm build/common.a
    [[ $output != *" extra"* ]]
}

@test "other flags, another compiler and another version compile everything again" {
    build
    all=$(find common cmd -name '*.c' | wc -l)
    [ "$(compiled CFLAGS='-O0 -g' | wc -l)" = "$all" ]
    [ "$(compiled CFLAGS='-O0 -g' | wc -l)" = 0 ]
    [ "$(compiled CFLAGS='-O0 -g' VERSION=9.9 | wc -l)" = "$all" ]
    try build/bin/stackdiff --version
    [ "$output" = "stackdiff (flamepipe) 9.9" ]
}

@test "clang builds it too" {
    command -v clang || skip "no clang"
    build CC=clang
    try build/bin/stackdiff --version
    [ "$status" = 0 ]
}

# Builds in a folder of its own, and runs what it built.
build_and_run() { # CC
    build BUILD=build/other CC="$1"
    try build/other/bin/stackdiff --version
    [ "$status" = 0 ]
    [ "$output" = "stackdiff (flamepipe) $(sed -n 's/^VERSION = //p' config.mk)" ]
}

@test "it builds with musl, without warnings" {
    command -v musl-gcc || skip "no musl-gcc"
    build_and_run "musl-gcc -Werror"
}

@test "it builds for 32 bits, without warnings" {
    echo 'int main(void) { return 0; }' >one.c
    gcc -m32 -o one one.c || skip "no 32-bit C library"
    build_and_run "gcc -m32 -Werror"
}

@test "a build with sanitizers has a folder of its own" {
    build
    build SAN=address,undefined
    try nm build/san/bin/stackdiff
    [[ $output = *__asan_init* ]]
    try nm build/bin/stackdiff
    [[ $output != *__asan_init* ]]
}

@test "clean leaves the sources alone" {
    find . -type f | sort >"$BATS_TEST_TMPDIR/before"
    build
    build clean
    try find . -type f
    same "$(cat "$BATS_TEST_TMPDIR/before")" "$(sort <<<"$output")"
}
