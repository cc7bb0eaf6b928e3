load ../lib

# A copy of the project with one program and what it needs, which may be changed, and has been built: in a folder elsewhere,
# which then becomes its own.
setup_file() {
    export BUILT=$BATS_FILE_TMPDIR/built
    mkdir -p "$BUILT/cmd" "$BUILT/common" "$BUILT/man"
    cp -r "$ROOT/Makefile" "$ROOT/config.mk" "$BUILT"
    cp -r "$ROOT/cmd/stackdiff" "$BUILT/cmd"
    cp -r "$ROOT/common"/{base,stack,demangle} "$BUILT/common"
    cd "$BUILT"
    find . -type f | sort >"$BATS_FILE_TMPDIR/sources"
    build BUILD="$BATS_FILE_TMPDIR/elsewhere" >"$BATS_FILE_TMPDIR/out" 2>"$BATS_FILE_TMPDIR/err"
    find . -type f | sort >"$BATS_FILE_TMPDIR/after"
    mv "$BATS_FILE_TMPDIR/elsewhere" build
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
        echo "AR $BATS_FILE_TMPDIR/elsewhere/common.a"
        echo "LD $BATS_FILE_TMPDIR/elsewhere/bin/stackdiff"
        echo "SH $BATS_FILE_TMPDIR/elsewhere/compat/difffolded.pl"
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

@test "everything that is built is in the build folder, and runs where that is put" {
    cmp "$BATS_FILE_TMPDIR/sources" "$BATS_FILE_TMPDIR/after"
    try build/compat/difffolded.pl
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
    same opt.c "$(compiled VERSION=9.9)"
    try build/bin/stackdiff --version
    [ "$output" = "stackdiff (flamepipe) 9.9" ]
    # A compiler that makes empty files: here it is only asked what is compiled.
    printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n: >"$2"\n' >cc
    chmod +x cc
    all=$(find common cmd -name '*.c' | wc -l)
    [ "$(compiled CC=./cc | wc -l)" = "$all" ]
    [ "$(compiled CC=./cc CFLAGS='-O0 -g' | wc -l)" = "$all" ]
    [ "$(compiled CC=./cc CFLAGS='-O0 -g' | wc -l)" = 0 ]
    try build CC=./cc CFLAGS='-O0 -g' LDFLAGS=-s
    same $'LD build/bin/stackdiff\nSH build/compat/difffolded.pl' "$(grep -v '^make' <<<"$output")"
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
