# Inlined calls and source lines from debug information, compared with those of llvm-addr2line, which reads all versions
# of DWARF. GNU addr2line lacks some forms that clang uses.
load lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cp -p "$DATA"/dwarf/*.cc .
    # Kept beside the build: the run of the sanitized programs reads them too.
    export KEPT=${BUILD%/san}/dwarf
    mkdir -p "$KEPT"
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    tool=${BIN%/bin}/tool/inlinedcalls
}

# Builds the program, unless it is newer than its sources, and sets `plain` to its name.
build_plain() { # COMPILER OPTION...
    plain="$KEPT/$*"
    command -v "$1" > /dev/null || skip "no $1"
    [[ ! $plain -nt one.cc || ! $plain -nt two.cc ]] || return 0
    "$@" -O2 -o "$plain.new" one.cc two.cc 2> why || { cat why; skip "$1 cannot build that"; }
    mv "$plain.new" "$plain"
}

compare() { # COMPILER OPTION...
    command -v llvm-addr2line > /dev/null || skip 'no llvm-addr2line to compare with'
    echo "$*"
    build_plain "$@"
    "$ROOT/tests/inlinedcalls.py" "$tool" "$plain" 5000
}

@test "calls and lines are those of llvm-addr2line, with gcc's DWARF 4 and 5" {
    compare g++ -gdwarf-4
    compare g++ -gdwarf-5
}

@test "calls and lines are those of llvm-addr2line, with clang's DWARF 4 and 5" {
    compare clang++ -gdwarf-4
    compare clang++ -gdwarf-5
}

@test "calls and lines are those of llvm-addr2line, with DWARF 2 and 3" {
    compare g++ -gdwarf-3
    compare g++ -gdwarf-2
}

@test "calls and lines are those of llvm-addr2line, with type units" {
    compare g++ -gdwarf-4 -fdebug-types-section
    compare g++ -gdwarf-5 -fdebug-types-section
}

@test "calls and lines are those of llvm-addr2line, with compressed sections" {
    compare g++ -g -gz
    compare g++ -g -gz=zlib-gnu
}

@test "calls and lines are those of llvm-addr2line, with code that the linker removed or moved" {
    compare g++ -g -ffunction-sections -Wl,--gc-sections
    compare g++ -g -flto
}

@test "calls and lines are those of llvm-addr2line, with lld and equal code merged" {
    command -v ld.lld > /dev/null || skip 'no lld'
    compare clang++ -g -ffunction-sections -fuse-ld=lld -Wl,--gc-sections,--icf=all
}

@test "calls and lines are those of llvm-addr2line, with rustc" {
    command -v rustc > /dev/null || skip 'no rustc'
    cat > many.rs << 'END'
use std::collections::HashMap;

fn main() {
    let mut by_name: HashMap<String, Vec<u64>> = HashMap::new();
    for i in 0..1000u64 {
        by_name.entry(format!("{}", i % 37)).or_default().push(i * i);
    }
    let mut sums: Vec<_> =
        by_name.iter().map(|(k, v)| (v.iter().filter(|n| *n % 3 == 0).sum::<u64>(), k)).collect();
    sums.sort();
    println!("{:?}", sums.last());
}
END
    rustc -O -g -o many many.rs
    "$ROOT/tests/inlinedcalls.py" "$tool" "$PWD/many"
}

@test "calls and lines are those of llvm-addr2line, with the debug file of Debian's C library" {
    command -v llvm-addr2line > /dev/null || skip 'no llvm-addr2line to compare with'
    id=$(LC_ALL=C readelf -n "$("${CC:-cc}" -print-file-name=libc.so.6)" | awk '/Build ID:/ { print $3 }')
    file=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
    [ -n "$id" ] && [ -e "$file" ] || skip 'no libc6-dbg, or of another version than libc6'
    "$ROOT/tests/inlinedcalls.py" "$tool" "$file"
}

# Compares the program with what llvm-addr2line says of another one with the same code.
compare_to() { # OTHER
    command -v llvm-addr2line > /dev/null || skip 'no llvm-addr2line to compare with'
    "$ROOT/tests/inlinedcalls.py" "$tool" "$PWD/program" 1000 "$1"
}

# Prints what stackcollapse makes of a sample in main() of the program; its messages are in $stderr.
fold_main() {
    printf 'p 1 1.1: 1 cycles:\n\t%s main+0x0 (%s)\n\n' "$(nm program | awk '$3 == "main" { print $1 }')" \
        "$PWD/program" > in
    try stackcollapse --inline in
    [ "$status" = 0 ]
}

@test "calls and lines are those of the same program before zstd compressed its sections" {
    command -v zstd > /dev/null || skip 'no zstd'
    build_plain g++ -gdwarf-5
    objcopy --compress-debug-sections=zstd "$plain" program 2> why || skip 'an objcopy without zstd'
    compare_to "$plain"
}

@test "calls and lines are those that the program had before dwz moved parts of two programs to one file" {
    command -v dwz > /dev/null || skip 'no dwz'
    for version in 4 5; do
        build_plain g++ "-gdwarf-$version"
        cp "$plain" program
        cp "$plain" same
        dwz -m common.debug program same
        readelf -S program | grep -F .gnu_debugaltlink
        compare_to "$plain"
    done
}

@test "a file that dwz made and that is missing is reported once, and calls are still found" {
    command -v dwz > /dev/null || skip 'no dwz'
    build_plain g++ -gdwarf-5
    cp "$plain" program
    cp "$plain" same
    dwz -m common.debug program same
    rm common.debug
    fold_main
    same "stackcollapse: $PWD/common.debug: this part of the debug information of $PWD/program is not there, or of \
another build; inlined calls are missing or have no names" "$stderr"
    [[ $output = p\;main* ]]
}

# As compare, with each unit's entries in a file of its own.
compare_split() { # COMPILER VERSION
    command -v "$1" > /dev/null || skip "no $1"
    rm -f ./*.dwo ./*.dwp
    build_plain "$1" "-gdwarf-$2"
    "$1" -O2 "-gdwarf-$2" -gsplit-dwarf -o program one.cc two.cc
    ls ./*.dwo
    compare_to "$plain"
}

@test "calls and lines of split DWARF are those of the same program in one file" {
    for version in 4 5; do
        compare_split g++ $version
        compare_split clang++ $version
    done
}

@test "calls and lines of split DWARF are found in one .dwp file too" {
    local dwp
    dwp=$(compgen -c llvm-dwp | head -n 1)
    [ -n "$dwp" ] || skip 'no llvm-dwp'
    for version in 4 5; do
        compare_split clang++ $version
        "$dwp" -e program -o program.dwp
        rm ./*.dwo
        compare_to "$plain"
    done
}

@test "a .dwo file that is missing is reported once, and functions and lines are still found" {
    command -v clang++ > /dev/null || skip 'no clang++'
    compare_split clang++ 5
    mkdir -p moved
    mv program moved
    mv one.dwo moved/one.other
    cd moved
    fold_main
    same "stackcollapse: $BATS_FILE_TMPDIR/one.dwo: this part of the debug information of $PWD/program is not there, or of \
another build; inlined calls are missing or have no names" "$stderr"
    same 'p;main 1' "$output"
    mv one.other one.dwo
    fold_main
    same '' "$stderr"
}

# Builds `app`, stripped, whose debug symbols are in `symbols`; visible() holds outer(), which holds inner(). Sets `id` to
# its build-id, and writes a sample in inner() to the file `in`.
build_stripped() {
    cd "$BATS_TEST_TMPDIR" || return 1
    cat > app.c << 'C'
static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + 1; }
static inline __attribute__((always_inline)) int outer(volatile int *p) { return inner(p) * 2; }
int __attribute__((noinline)) visible(volatile int *p) { return outer(p); }
int main(void) { volatile int x = 1; return visible(&x); }
C
    gcc -g -O1 -Wl,--build-id -no-pie -o app app.c
    id=$(readelf -n app | awk '/Build ID/ { print $3 }')
    printf 'p 1 1.1: 1 cycles:\n\t%s visible+0x0 (%s)\n\n' "$(nm app | awk '$3 == "visible" { print $1 }')" "$PWD/app" > in
    objcopy --only-keep-debug app symbols
    strip app
    export DEBUGINFOD_CACHE_PATH=$PWD/cache
}

@test "debug information is found in --debug-dir by the build-id, and beside the program by its debug link" {
    build_stripped
    prints 'p;visible 1' stackcollapse --inline in
    mkdir -p "debug/.build-id/${id:0:2}"
    cp symbols "debug/.build-id/${id:0:2}/${id:2}.debug"
    prints 'p;visible;outer_[i];inner_[i] 1' stackcollapse --inline --kernel --debug-dir="$PWD/debug" in
    objcopy --add-gnu-debuglink=symbols app
    prints 'p;visible;outer;inner 1' stackcollapse --inline in
}

@test "a program that has symbols, but no debug information, has it from another file" {
    build_stripped
    gcc -g -O1 -Wl,--build-id -no-pie -o app app.c
    strip -g app
    mkdir -p "debug/.build-id/${id:0:2}"
    cp symbols "debug/.build-id/${id:0:2}/${id:2}.debug"
    prints 'p;visible;outer;inner 1' stackcollapse --inline --debug-dir="$PWD/debug" in
}

@test "debug files in debuginfod's cache are used, and an empty one is none" {
    build_stripped
    mkdir -p "cache/$id"
    : > "cache/$id/debuginfo"
    prints 'p;visible 1' stackcollapse --inline in
    cp symbols "cache/$id/debuginfo"
    prints 'p;visible;outer;inner 1' stackcollapse --inline in
    mkdir -p home/.cache xdg
    cp -r cache xdg/debuginfod_client
    mv cache home/.cache/debuginfod_client
    unset DEBUGINFOD_CACHE_PATH
    HOME=$PWD/home XDG_CACHE_HOME='' prints 'p;visible;outer;inner 1' stackcollapse --inline in
    XDG_CACHE_HOME=$PWD/xdg prints 'p;visible;outer;inner 1' stackcollapse --inline in
}

# A debuginfod-find that writes what it was asked to the file `asked`.
fake_server() {
    mkdir bin
    cat > bin/debuginfod-find << 'END'
#!/bin/sh
echo "$@" >> asked
[ "$1" != --version ] || exit 0
[ -e symbols ] || exit 1
mkdir -p "$DEBUGINFOD_CACHE_PATH/$2"
cp symbols "$DEBUGINFOD_CACHE_PATH/$2/debuginfo"
echo "$DEBUGINFOD_CACHE_PATH/$2/debuginfo"
END
    chmod +x bin/debuginfod-find
    PATH=$PWD/bin:$PATH
    export DEBUGINFOD_URLS=http://localhost:1
}

@test "--debuginfod asks debuginfod-find once for what is missing; without it nothing is fetched" {
    build_stripped
    fake_server
    prints 'p;visible 1' stackcollapse --inline in
    [ ! -e asked ]
    prints 'p;visible;outer;inner 1' stackcollapse --inline --debuginfod in
    same "--version
debuginfo $id" "$(cat asked)"
    rm -r asked cache symbols
    prints 'p;visible 1' stackcollapse --inline --debuginfod in
}

@test "--debuginfod without debuginfod-find, or without servers, says so" {
    build_stripped
    fake_server
    DEBUGINFOD_URLS='' answers 0 '*' 'stackcollapse: --debuginfod: no server is named in the variable DEBUGINFOD_URLS' \
        stackcollapse --inline --debuginfod in
    answers 1 '*' 'stackcollapse: --debuginfod: cannot run debuginfod-find: No such file or directory' \
        env PATH="$BIN" stackcollapse --inline --debuginfod in
}

