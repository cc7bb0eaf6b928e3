load ../lib

# A copy of the project with one program and what it needs, which may be changed, and has been built.
setup_file() {
    export BUILT=$BATS_FILE_TMPDIR/built
    mkdir -p "$BUILT/cmd" "$BUILT/common" "$BUILT/man"
    cp -r "$ROOT/Makefile" "$ROOT/config.mk" "$BUILT"
    cp -r "$ROOT/cmd/stackdiff" "$BUILT/cmd"
    cp -r "$ROOT/common"/{base,stack,demangle} "$BUILT/common"
    cd "$BUILT"
    find . -type f | sort >"$BATS_FILE_TMPDIR/sources"
    build >"$BATS_FILE_TMPDIR/out" 2>"$BATS_FILE_TMPDIR/err"
}

setup() {
    cp -a "$BUILT" "$BATS_TEST_TMPDIR/copy"
    cd "$BATS_TEST_TMPDIR/copy"
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
    try build
    [ "$status" = 0 ]
    [ "$output" = "make: Nothing to be done for 'all'." ] || [ "$output" = "" ]
}

@test "make prints a short line for each step, with V=1 the commands, and with -s nothing" {
    same '' "$(<"$BATS_FILE_TMPDIR/err")"
    same "$({
        find common cmd -name '*.c' | sed 's/^/CC /'
        echo AR build/common.a
        echo LD build/bin/stackdiff
        echo SH build/compat/difffolded.pl
    } | sort)" "$(grep -v '^make' "$BATS_FILE_TMPDIR/out" | sort)"
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
    rm -r build
    build BUILD="$BATS_TEST_TMPDIR/elsewhere"
    try find . -type f
    same "$(<"$BATS_FILE_TMPDIR/sources")" "$(sort <<<"$output")"
    try "$BATS_TEST_TMPDIR/elsewhere/compat/difffolded.pl"
    [ "$status" = 2 ]
}

@test "after a change to a header what includes it is compiled again, and nothing else" {
    echo 'extern int extra;' >common/base/extra.h
    sed -i '1i #include "common/base/extra.h"' common/base/utf8.c common/stack/text/foldedtext.c
    build
    touch common/base/extra.h
    same $'foldedtext.c\nutf8.c' "$(compiled)"
    touch common/base/extra.h
    same $'foldedtext.c\nutf8.c' "$(compiled BUILD="$PWD/build")"
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

@test "other flags compile everything again, those of the linker nothing, another version what prints it" {
    all=$(find common cmd -name '*.c' | wc -l)
    [ "$(compiled CFLAGS='-O0 -g' | wc -l)" = "$all" ]
    [ "$(compiled CFLAGS='-O0 -g' | wc -l)" = 0 ]
    try build CFLAGS='-O0 -g' LDFLAGS=-s
    same $'LD build/bin/stackdiff\nSH build/compat/difffolded.pl' "$(grep -v '^make' <<<"$output")"
    same opt.c "$(compiled CFLAGS='-O0 -g' VERSION=9.9)"
    try build/bin/stackdiff --version
    [ "$output" = "stackdiff (flamepipe) 9.9" ]
}

@test "a build with sanitizers has a folder of its own" {
    try build -n V=1 SAN=address,undefined
    [ "$status" = 0 ]
    same 'build/san/common/base/utf8.o' "$(sed -n 's/.*-fsanitize=address,undefined.* -o \(.*utf8.o\) .*/\1/p' <<<"$output")"
    [[ $output = *'-fsanitize=address,undefined'*' -o build/san/bin/stackdiff '* ]]
    [[ $output != *' build/common'* ]]
}

@test "clean leaves the sources alone" {
    build clean
    try find . -type f
    same "$(<"$BATS_FILE_TMPDIR/sources")" "$(sort <<<"$output")"
}
