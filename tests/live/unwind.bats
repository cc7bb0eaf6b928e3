#!/usr/bin/env bats
# Stacks unwound by call frame information: the tables, and perf record --call-graph dwarf.

load ../lib
load perfdata
ASK=asked_once # perf says the same of a recording all the time

UNWIND=$ROOT/tests/unwind
WAYS='interrupted longjumps threads forks allocations tails calls contexts'

# A recording of all ways of a program; a frequency that gives some hundred samples of each.
record_ways() { # PROGRAM
    local ways=$WAYS
    [[ $1 = musl* ]] || ways+=' sorts' # its qsort has no call frame information at all
    record "$1.data" "${BUFFER[@]}" -e cpu-clock:u -F 3999 --call-graph dwarf -- sh -c \
        "for way in $ways 'recursion 50'; do $PWD/$1 \$way; done"
}

# Compiles paths.c and records it. That the compiler cannot is no fault.
build() { # NAME COMPILER...
    local name=$1
    shift
    command -v "$1" > /dev/null || { echo "no $1" > "$name.data.why"; return 0; }
    if "$@" -O2 -pthread -o "$name" "$UNWIND/paths.c" > "$name.data.why" 2>&1; then
        record_ways "$name"
    fi
}

setup_file() {
    own_home
    ! has_inputs || return 0
    # By default perf's buffer is full when perf gets no CPU for 15 ms, and then records of mappings may be lost as well:
    # a program without them has no callers until its end. A larger one is a user's right only as far as memory may be
    # locked.
    BUFFER=(-m 8M)
    perf record -q -o probe.data "${BUFFER[@]}" -e cpu-clock:u -- true > probe.why 2>&1 || BUFFER=()
    build gcc gcc
    build clang clang
    build lld clang -fuse-ld=lld
    build static gcc -static
    build static-pie gcc -static-pie
    build stripped gcc -s
    build lazy gcc -fno-pie -no-pie -Wl,-z,lazy
    build pointers gcc -fno-omit-frame-pointer
    build musl musl-gcc -static
    build musl-shared musl-gcc
    if g++ -O2 -o cxx "$UNWIND/paths.cc" 2> cxx.data.why; then
        record cxx.data -e cpu-clock:u -F 3999 --call-graph dwarf -- ./cxx
        record exceptions.data -e cpu-clock:u -F 3999 --call-graph dwarf -- ./cxx exceptions
    fi
    cat > sorts.rs << 'END'
fn main() {
    let mut sum = 0;
    for round in 0..8u64 {
        let mut words: Vec<String> = (0..4000u64).map(|i| format!("{}x{}", i * 7919 % 4001, round)).collect();
        words.sort_by(|a, b| b.cmp(a));
        sum += words[0].len();
    }
    println!("{}", sum);
}
END
    if command -v rustc > rust.data.why && rustc -O -o rust sorts.rs 2> rust.data.why; then
        record rust.data -e cpu-clock:u -F 3999 --call-graph dwarf -- ./rust
    fi
    if command -v python3 > python.data.why; then
        record python.data -e cpu-clock -F 999 --call-graph dwarf -- python3 -c \
            'import json
for i in range(30): json.loads(json.dumps({str(i): [i] * 5 for i in range(5000)}))'
    fi
    if command -v node > node.data.why; then
        record node.data -e cpu-clock -F 999 --call-graph dwarf,32768 -- node -e \
            'for (let i = 0; i < 300; i++) JSON.parse(JSON.stringify([...Array(5000).keys()].map(String).sort()))'
    fi
    keep_inputs
}

# ---- tables

readelfs_table() { # FILE
    readelf -W --debug-dump=frames-interp "$1" 2> /dev/null | awk -f "$UNWIND/readelf.awk" | sort -s -k1,2 |
        awk -v join=1 -f "$UNWIND/readelf.awk"
}

# Fails if the table of a file differs from what readelf says of it.
table_is_readelfs() { # FILE
    case $1 in
    "$BIN"/* | vdso) readelfs_table "$1" > wanted ;;
    *) asked_once readelfs_table "$1" > wanted ;;
    esac
    # Rows differ in other registers too in signal frames.
    "${BIN%/bin}/tool/cfitable" "$1" | sed '/^\.debug_frame$/,$d' | sed -E 's/ (r([abcd]x|sp|di|si|[0-9]+)|sp|x[12]?[0-8]|x19)=[^ ]*//g; s/ x30=/ ra=/' |
        awk '{ text = substr($0, length($1) + 2) } text != said { print; said = text }' > got
    [ -s wanted ]
    diff wanted got | head -20 > difference
    [ ! -s difference ] || { echo "$1"; cat difference; return 1; }
}

@test "tables say what readelf says of every address: of the C library, the dynamic linker, libstdc++, libcrypto, python3 and node" {
    command -v readelf > /dev/null || skip 'no readelf'
    local file
    for file in "$(gcc -print-file-name=libc.so.6)" "$(gcc -print-file-name=libstdc++.so.6)" \
        "$(gcc -print-file-name=libcrypto.so.3)" /lib64/ld-linux-x86-64.so.2 "$(readlink -f "$(command -v python3)")" \
        "$(readlink -f "$(command -v node)")" "$BIN/perf-script"; do
        [ -f "$file" ] && [ "$(head -c 4 "$file")" = $'\x7fELF' ] || continue
        table_is_readelfs "$file"
    done
}

@test "tables say what readelf says of arm64's C library" {
    local file=/usr/aarch64-linux-gnu/lib/libc.so.6
    command -v readelf > /dev/null || skip 'no readelf'
    [ -f $file ] || skip 'no C library of arm64 (libc6-arm64-cross)'
    table_is_readelfs $file
}

@test "tables say what readelf says of the vdso" {
    command -v readelf > /dev/null || skip 'no readelf'
    command -v python3 > /dev/null || skip 'no python3 to copy the vdso with'
    python3 - vdso << 'END'
import sys
for line in open('/proc/self/maps'):
    if '[vdso]' in line:
        start, end = (int(part, 16) for part in line.split()[0].split('-'))
        memory = open('/proc/self/mem', 'rb')
        memory.seek(start)
        open(sys.argv[1], 'wb').write(memory.read(end - start))
END
    [ -s vdso ] || skip 'no vdso'
    table_is_readelfs vdso
}

@test "an object without section headers has the same table, and .debug_frame has what .eh_frame lacks" {
    need gcc.data
    "${BIN%/bin}/tool/cfitable" gcc > whole
    # e_shoff, and e_shentsize, e_shnum and e_shstrndx
    cp gcc headless
    printf '\0\0\0\0\0\0\0\0' | dd of=headless bs=1 seek=40 conv=notrunc 2> /dev/null
    printf '\0\0\0\0\0\0' | dd of=headless bs=1 seek=58 conv=notrunc 2> /dev/null
    "${BIN%/bin}/tool/cfitable" headless | cmp whole -
    printf 'int f(int a) { return a ? f(a - 1) + 1 : 0; } int main(void) { return f(3); }' > frame.c
    gcc -O2 -g -fno-asynchronous-unwind-tables -fno-unwind-tables -o debug frame.c
    "${BIN%/bin}/tool/cfitable" debug | sed -n '/^\.debug_frame$/,$p' |
        grep -q "^$(nm debug | sed -n 's/^0*\(.*\) T f$/\1/p') rsp+8 ra=c-8$"
}

# ---- known paths

# Fails if a stack is neither on the path nor marked, or under 99 % are on it.
on_path() { # RECORDING PATH [LEAF]
    local samples right marked
    read -r samples right marked < <(perf-script -q -F +pid "$1" | awk -v path="$2" -v leaf="${3-}" -f "$UNWIND/judge.awk")
    echo "$1: $samples samples, $right on the path, $marked marked"
    ((samples >= 20 && right + marked == samples && right * 100 >= samples * 99))
}

# The functions that call main, or a thread's first function: they may have no names.
CALLERS='( [^ ]+)+$'

# So often the same, since not every awk knows {50}.
times() { # COUNT TEXT
    printf "$2%.0s" $(seq "$1")
}

# All ways to spin(), of which each stack is one.
all_ways() {
    local way ways=('compare( [^ ]+)+ sorts main' 'handler [^ ]+( ([^ ]+ )?copies| [^ ]*setitimer)? interrupted main'
        'returned longjumps main' 'threaded' 'forked forks main' 'allocates allocations main' 'tail tails main' 'in_context'
        "$(times 50 'recursion ')main")
    printf '^spin (%s' "${ways[0]}"
    for way in "${ways[@]:1}"; do
        printf '|%s' "$way"
    done
    printf ')%s' "$CALLERS"
}

@test "recursion, callbacks, signal handlers, longjmp, threads, forks, alloca, contexts and tail calls have the callers that the program has" {
    need gcc.data
    on_path gcc.data "$(all_ways)"
}

@test "a function called through the PLT has its caller, also while it is in the PLT" {
    local name
    need gcc.data lazy.data
    for name in gcc lazy; do
        on_path $name.data "^[^ ]+( calls)? main$CALLERS" '^(calls|labs|labs@plt)$'
    done
}

@test "so have they in static programs, of clang, with frame pointers, and of musl" {
    local name any=
    for name in clang lld static static-pie lazy pointers musl musl-shared; do
        [ -s "$BATS_FILE_TMPDIR/$name.data" ] || continue
        need $name.data
        on_path $name.data "$(all_ways)"
        any=$name
    done
    [ "$any" ] || skip 'no other compiler'
}

# Fails if more than one of so many stacks is marked, as one may be that was sampled while the program began or ended.
few_are_marked() { # RECORDING OF
    local marked
    perf-script -q "$1" > printed
    marked=$(grep -c '\[lost\]\|\[cut\]' printed || true)
    echo "$marked are marked"
    [ $((marked * $2)) -le "$(grep -c ' cpu-clock' printed)" ]
}

@test "stacks of stripped programs reach their root" {
    need stripped.data
    few_are_marked stripped.data 1000
}

@test "std::sort and exceptions of C++ have the callers that the program has" {
    need cxx.data exceptions.data
    on_path cxx.data "^spin before( [^ ]+)+ $(times 7 'descend ')main$CALLERS"
    on_path exceptions.data "^spin caught catches main$CALLERS"
    few_are_marked exceptions.data 100
}

# ---- perf

# Fails unless 99.9 % of the stacks that perf unwinds to a root are printed as perf prints them, and as many are.
as_perf() { # RECORDING
    local samples finished same ours
    of_perf "$1" > theirs.txt
    perf-script -q --as-perf "$1" > ours.txt
    read -r samples finished same ours < <(awk -f "$UNWIND/compare.awk" theirs.txt ours.txt)
    echo "$1: $samples samples, perf finishes $finished, of which $same are the same; perf-script finishes $ours"
    ((samples > 0 && same * 1000 >= finished * 999 && ours >= finished))
}

@test "stacks are those of perf where it finds the root, and more have one" {
    local name any=
    for name in gcc clang lld static static-pie lazy pointers cxx exceptions rust python node; do
        [ -s "$BATS_FILE_TMPDIR/$name.data" ] || continue
        need $name.data
        as_perf $name.data
        any=$name
    done
    [ "$any" ] || skip 'nothing could be recorded'
}

@test "a recording that comes through a pipe is unwound too" {
    need gcc.data
    perf-script -q gcc.data > of-file
    perf-script -q - < <(cat gcc.data) | cmp of-file -
}

@test "--symfs has the files of the recorded machine, whose call frame information counts" {
    need gcc.data
    mkdir -p "fs$PWD" elsewhere
    cp gcc "fs$PWD/gcc"
    mv gcc elsewhere
    perf-script -q --symfs fs gcc.data > moved.txt
    mv elsewhere/gcc .
    grep -q 'recursion+' moved.txt
}

@test "[cut] and [lost] are the outermost frames of stacks whose callers are missing, unless --no-marks or --as-perf is given" {
    need gcc.data
    record short -e cpu-clock:u -F 3999 --call-graph dwarf,256 -- ./gcc recursion 50
    need short
    perf-script -q short > marked.txt
    grep -q $'^\t               0 \[cut\] (\[unknown\])$' marked.txt
    same 0 "$(perf-script -q --no-marks short | grep -c '\[cut\]')"
    same 0 "$(perf-script -q --as-perf short | grep -c '\[cut\]')"
    same "$(perf-script -q --no-marks short)" "$(grep -v '\[cut\]\|\[lost\]' marked.txt)"
    try perf-script --check short
    [[ $output == *"are cut: the copy of the stack was too short"* ]]
    [[ $output == *"stacks are cut, since the copy of the stack was too short, most often in $PWD/gcc: record a larger one (stackrecord or perf record, with --call-graph dwarf,64512)"* ]]
}
