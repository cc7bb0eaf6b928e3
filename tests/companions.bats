# Files with parts of a program's debug information: which ones are opened, and whose.
load lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > app.c << 'C'
#include <stdio.h>
struct item { int weight, height; char name[20]; struct item *next; };
static inline __attribute__((always_inline)) int inner(volatile struct item *p) { return p->weight + p->height; }
static inline __attribute__((always_inline)) int outer(volatile struct item *p) { return inner(p) * 2; }
int __attribute__((noinline)) visible(volatile struct item *p) { return outer(p); }
int main(void) { volatile struct item x = {1, 2, "", NULL}; return visible(&x); }
C
    gcc -g -O1 -no-pie -Wl,--build-id -o plain app.c
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$BATS_FILE_TMPDIR/app.c" "$BATS_FILE_TMPDIR/plain" .
    export DEBUGINFOD_CACHE_PATH=$PWD/cache
}

# Folds a sample in inner() of the program; the output is $output, the messages are $stderr.
fold() { # PROGRAM OPTION...
    printf 'p 1 1.1: 1 cycles:\n\t%s visible+0x0 (%s)\n\n' "$(nm plain | awk '$3 == "visible" { print $1 }')" \
        "$(realpath "$1")" > in
    try stackcollapse --inline "${@:2}" in
    [ "$status" = 0 ]
}

whole='p;visible;outer;inner 1' calls='p;visible 1'

# Moves parts of `app` and `same` to common.debug, and sets `id` to the build-id of that.
share_parts() {
    command -v dwz > /dev/null || skip 'no dwz'
    cp plain app
    cp plain same
    dwz -m common.debug app same
    readelf -S app | grep -qF .gnu_debugaltlink
    id=$(readelf -n common.debug | awk '/Build ID/ { print $3 }')
}

# What is said of common.debug where it is of no use.
no_common() { # WHY
    printf 'stackcollapse: %s: this part of the debug information of %s %s; inlined calls are missing or have no names' \
        "${2:-$PWD/common.debug}" "$PWD/app" "$1"
}
no_build='is not there, or of another build'
not_theirs='belongs to another user than the file that names it'

@test "a file of dwz with another build-id is not used" {
    share_parts
    fold app
    same "$whole" "$output"
    same '' "$stderr"
    cp common.debug other.debug
    objcopy --remove-section=.note.gnu.build-id common.debug
    fold app
    [ "$output" != "$whole" ]
    same "$(no_common "$no_build")" "$stderr"
    printf '\0\0\0\0\0\0\0\0' | dd of=other.debug bs=1 conv=notrunc status=none \
        seek=$((16#$(readelf -SW other.debug | awk '/build-id/ { sub(/.*NOTE/, ""); print $2 }') + 20))
    mv other.debug common.debug
    readelf -n common.debug
    fold app
    [ "$output" != "$whole" ]
    same "$(no_common "$no_build")" "$stderr"
}

@test "a file of dwz is found by its build-id where its name leads nowhere" {
    share_parts
    mkdir -p "debug/.build-id/${id:0:2}" cache/"$id"
    mv common.debug "debug/.build-id/${id:0:2}/${id:2}.debug"
    fold app
    [ "$output" != "$whole" ]
    same "$(no_common "$no_build")" "$stderr"
    fold app --debug-dir="$PWD/debug"
    same "$whole" "$output"
    same '' "$stderr"
    mv "debug/.build-id/${id:0:2}/${id:2}.debug" "cache/$id/debuginfo"
    fold app
    same "$whole" "$output"
    same '' "$stderr"
    cp plain "cache/$id/debuginfo" # another build
    fold app
    [ "$output" != "$whole" ]
    same "$(no_common "$no_build")" "$stderr"
}

@test "--debuginfod asks for a file of dwz" {
    share_parts
    mkdir bin
    cat > bin/debuginfod-find << 'END'
#!/bin/sh
echo "$@" >> asked
[ "$1" = debuginfo ] && echo "$PWD/served"
END
    chmod +x bin/debuginfod-find
    mv common.debug served
    PATH=$PWD/bin:$PATH DEBUGINFOD_URLS=http://localhost:1 fold app --debuginfod
    same "$whole" "$output"
    same "debuginfo $id" "$(tail -n 1 asked)"
}

@test "a program whose sections zstd cannot unpack here is reported once" {
    command -v zstd > /dev/null || skip 'no zstd'
    objcopy --compress-debug-sections=zstd plain app 2> why || skip 'an objcopy without zstd'
    fold app
    same "$whole" "$output"
    same '' "$stderr"
    mkdir bin
    ln -s "$BIN/stackcollapse" bin/stackcollapse
    { cat in; cat in; } > twice
    try env PATH="$PWD/bin" stackcollapse --inline twice
    [ "$status" = 0 ]
    same 'p;visible 2' "$output"
    same "stackcollapse: $PWD/app: its debug information is compressed by zstd, which failed or is not installed; \
inlined calls are missing or have no names" "$stderr"
}

@test "a .dwo file whose sections zstd cannot unpack here is reported" {
    command -v zstd > /dev/null || skip 'no zstd'
    gcc -g -O1 -gsplit-dwarf -gdwarf-5 -c app.c
    gcc -no-pie -o app app.o
    local dwo=app.dwo
    objcopy --compress-debug-sections=zstd "$dwo" packed.dwo 2> why || skip 'an objcopy without zstd'
    readelf -t packed.dwo | grep -q ZSTD || skip 'an objcopy that does not compress .dwo sections'
    mv packed.dwo "$dwo"
    mkdir bin
    ln -s "$BIN/stackcollapse" bin/stackcollapse
    fold app
    try env PATH="$PWD/bin" stackcollapse --inline in
    [[ $stderr == *"$dwo: this part of the debug information of $PWD/app is compressed by zstd, which failed or is not \
installed"* ]]
}

# The rest is what another user tries, whose program root looks at.
needs_root() {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    let_others_in
    mkdir -m 700 secret
    mkdir theirs
}

@test "another user's program makes root open no .dwo file that is not that user's, by a path or a link" {
    needs_root
    (cd secret && gcc -g -O1 -gsplit-dwarf -gdwarf-5 -c ../app.c)
    gcc -no-pie -o theirs/app secret/app.o
    local dwo=app.dwo
    fold theirs/app # still root's
    same "$whole" "$output"
    chown -R 65534 theirs
    fold theirs/app
    [ "$output" != "$whole" ]
    same "$(no_common "$not_theirs" "$PWD/secret/$dwo" | sed "s|$PWD/app|$PWD/theirs/app|")" "$stderr"
    ln -s "../secret/$dwo" "theirs/$dwo"
    ln -s "../secret/$dwo" theirs/app.dwp
    fold theirs/app
    [ "$output" != "$whole" ]
    rm theirs/app.dwp "theirs/$dwo"
    ln "secret/$dwo" "theirs/$dwo" # as where hard links are not protected
    fold theirs/app
    [ "$output" != "$whole" ]
    rm "theirs/$dwo"
    cp "secret/$dwo" theirs/
    chown -R 65534 theirs
    fold theirs/app
    same "$whole" "$output"
    same '' "$stderr"
}

@test "another user's program makes root open no file of dwz that is not that user's" {
    needs_root
    share_parts
    mv app same theirs/
    mv common.debug secret/
    ln -s ../secret/common.debug theirs/common.debug
    fold theirs/app
    same "$whole" "$output"
    chown -R -h 65534 theirs
    fold theirs/app
    [ "$output" != "$whole" ]
    [[ $stderr == *"common.debug: this part of the debug information of $PWD/theirs/app $not_theirs"* ]]
    rm theirs/common.debug
    cp secret/common.debug theirs/
    chown -R 65534 theirs
    fold theirs/app
    same "$whole" "$output"
}

@test "another user's program makes root open no file by a debug link that is not that user's" {
    needs_root
    objcopy --only-keep-debug plain secret/app.debug
    objcopy --strip-all plain theirs/app
    (cd secret && objcopy --add-gnu-debuglink=app.debug ../theirs/app)
    ln -s ../secret/app.debug theirs/app.debug
    fold theirs/app
    same "$whole" "$output"
    chown -R -h 65534 theirs
    fold theirs/app
    same "$calls" "$output"
    rm theirs/app.debug
    cp secret/app.debug theirs/
    chown -R 65534 theirs
    fold theirs/app
    same "$whole" "$output"
}

@test "a debug link with a folder in it is not followed" {
    mkdir up down
    objcopy --only-keep-debug plain up/app.debug
    objcopy --strip-all plain down/app
    (cd up && objcopy --add-gnu-debuglink=app.debug ../down/app)
    cp up/app.debug down/
    fold down/app
    same "$whole" "$output"
    rm down/app.debug
    # of the same length: "app.debug"
    mkdir down/a
    sed 's|app\.debug\x00|a/p.debug\x00|' down/app > down/edited
    cmp -s down/app down/edited && return 1
    mv down/edited down/app
    cp up/app.debug down/a/p.debug
    fold down/app
    same "$calls" "$output"
}

@test "other users' programs are shown to somebody who is not root, too" {
    needs_root
    gcc -g -O1 -no-pie -gsplit-dwarf -gdwarf-5 -o theirs/app app.c
    fold theirs/app
    same "$whole" "$output"
    chown -R 65533 theirs
    try setpriv --reuid=65534 --regid=65534 --clear-groups "$BIN/stackcollapse" --inline in
    same "$whole" "$output"
}
