#!/bin/bash
# Makes the recordings of tests/data/replay again: tests/replay/record.sh [-o FOLDER] [NAME ...]
#
# Needs perf 6.1 as root, node 20, gcc, g++, clang, musl-gcc, zstd, for bundles npm, and the programs in build/bin (or BIN).
# Each recording is a function below, with a line on what it is for, and becomes a folder of that name:
#
#   data.gz        what perf record wrote, cut down and without the machine's names by cut.py
#   files.tar.gz   fs/        the ELF files that the addresses of the samples are in, cut down by hollow.py, for --symfs
#                  maps/      perf maps, for --map-dir; only the functions that samples are in
#                  kallsyms   the kernel's functions, for --kallsyms; only those that samples are in, and those beside them
#                  home/      a build-id cache with the vdso, which is no file
#   perf.txt.gz    what perf script printed of the cut recording; after "== OPTIONS" what it printed with options
#   injected.txt.gz  what perf script printed after perf inject --jit
#   as-perf.diff   how perf-script --as-perf differs from that, from the same options
#   ours.diff      how perf-script without --as-perf differs from what perf printed, after perf inject --jit if that was run
#   folded.gz      the stacks that stackcollapse makes of perf-script's text
#
# slower, profilers, latency, lbr and bundles have what is said there. Profilers and latency measure: on a busy machine they
# are made again until tests/replay/profiles.bats passes.
#
# The tests compare all of it, byte for byte. Here the recordings are compared with perf: a difference that known.awk does not
# list is an error.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/tests/data/replay
if [ "${1-}" = -o ]; then
    mkdir -p "$2"
    out=$(realpath "$2")
    shift 2
fi
PATH=${BIN:-$root/build/bin}:$PATH
scratch=$(mktemp -d)
work=/srv/replay # shows in the recordings, so it tells nothing about the machine
mkdir "$work"    # fails where somebody else has it
trap 'rm -rf "$scratch" "$work" "${theirs[@]}"' EXIT
trap 'exit 1' INT TERM
export TMPDIR=$scratch HOME=$work/home PERF_CONFIG=/dev/null
mkdir "$HOME"
theirs=() # files that perf reads at fixed places
cd "$work"

# Runs perf record with an environment and a name of the machine that tell nothing.
take() { # NAME OPTION...
    env -i PATH="/usr/bin:/bin" HOME="$HOME" PERF_CONFIG=/dev/null unshare --uts sh -c 'hostname host; exec "$@"' - \
        perf record -q -o "$scratch/$1.raw" "${@:2}" > "$scratch/$1.out" 2> "$scratch/why" || { cat "$scratch/why"; return 1; }
}

cut_down() { # OPTION... IN OUT
    "$here/cut.py" "$@"
}

# Fails if perf prints of a copy that stackrecord's code for writing makes another text than of the recording.
copied() {
    "${BIN:-$root/build/bin}/../tool/datacopy" "$scratch/$name/data" copy
    perf script --no-inline -i copy 2> why | cmp - <(perf script --no-inline -i "$scratch/$name/data" 2> why)
}

# Cuts the recording down and starts its folder: fresh NAME CUT-OPTION...
fresh() {
    name=$1 asked=('')
    rm -rf "${scratch:?}/$name" "${out:?}/$name"
    mkdir -p "$scratch/$name/fs" "$out/$name"
    cut_down "${@:2}" "$scratch/$name.raw" "$scratch/$name/data"
    cut_down --needs "$scratch/$name/data" > "$scratch/needs"
    keep_files
    keep_kernel
}

keep_files() {
    local file debug code=()
    [[ $name != unwind_* ]] || code=(--code)
    grep -o ' /.*' "$scratch/needs" | cut -c 2- | sort -u | while IFS= read -r file; do
        [ "$(head -c 4 "$file" 2> why | tail -c 3)" = ELF ] || continue
        awk -v f="$file" 'substr($0, index($0, " ") + 1) == f { print $1 }' "$scratch/needs" > offsets
        "$here/hollow.py" "${code[@]}" "$file" "$scratch/$name/fs$file" < offsets
        debug=/usr/lib/debug/.build-id/$(readelf -n "$file" 2> why | sed -n 's|.*Build ID: \(..\)\(.*\)|\1/\2.debug|p')
        [ ! -f "$debug" ] || "$here/hollow.py" "$debug" "$scratch/$name/fs$debug" "$file" < offsets
    done
}

keep_kernel() {
    grep ' \[kernel\]$' "$scratch/needs" | cut -d ' ' -f 1 > kernel || return 0
    python3 - kernel /proc/kallsyms > "$scratch/$name/kallsyms" << 'PYTHON'
import bisect, sys
lines = [line for line in open(sys.argv[2]) if '[' not in line]
starts = sorted({int(line.split()[0], 16) for line in lines} - {0})
kept = set(starts[:2] + starts[-2:])
for address in open(sys.argv[1]):
    i = bisect.bisect_right(starts, int(address, 16))
    kept.update(starts[max(i - 1, 0):i + 1])
edge = (' _text\n', ' _stext\n', ' _etext\n', ' _end\n')
sys.stdout.writelines(line for line in lines if int(line.split()[0], 16) in kept or line.endswith(edge))
PYTHON
}

# Asks perf for more than its text: asks OPTIONS...
asks() {
    asked+=("$@")
}

ours() { # OPTION...: what perf-script prints, with the places that perf knows
    (cd "$scratch/$name" && HOME=$PWD/home perf-script -q --symfs fs ${kernel:+--kallsyms kallsyms} ${maps:+--map-dir maps} "$@") |
        sed 's|(maps/perf-|(/tmp/perf-|'
}

# Compares with perf, and saves the recording.
done_with() { # [RECORDING-FOR-PERF [WHAT PERF INJECT MADE OF IT]]
    local options kernel='' maps='' folder=$out/$name
    [ ! -e "$scratch/$name/kallsyms" ] || kernel=yes
    [ ! -e "$scratch/$name/maps" ] || maps=yes
    : > of-perf
    : > as-perf
    for options in "${asked[@]}"; do
        printf '== %s\n' "$options" | tee -a of-perf >> as-perf
        # shellcheck disable=SC2086 # words
        perf script --no-inline -i "${1-$scratch/$name/data}" $options >> of-perf 2> why < "$scratch/$name/data"
        # shellcheck disable=SC2086
        ours --as-perf $options "${read_from-data}" >> as-perf
    done
    gzip -9n < of-perf > "$folder/perf.txt.gz"
    awk '/^== / { n++; next } n == 1' of-perf > first
    [ -z "${2-}" ] || {
        perf script --no-inline -i "$2" > first 2> why
        gzip -9n < first > "$folder/injected.txt.gz"
    }
    ours data > text
    diff of-perf as-perf > "$folder/as-perf.diff" || may_differ
    diff first text > "$folder/ours.diff" || compared
    stackcollapse -q text | gzip -9n > "$folder/folded.gz"
    gzip -9n < "$scratch/$name/data" > "$folder/data.gz"
    (cd "$scratch/$name" && rm data && tar -cS --sort=name --owner=0 --group=0 --mtime=@0 . | gzip -9n) > "$folder/files.tar.gz"
    find "$folder" -size 0 -delete
    printf '%9d %s\n' "$(du -sb "$folder" | cut -f 1)" "$name" >&2
}

# With --as-perf names that perf leaves mangled are demangled, addr2line's <artificial> is a file, and stacks are unwound on.
may_differ() {
    case $name in
    names | lines | lines_flat | unwind_*) ;;
    *) echo "$name: --as-perf differs:" && head -n 10 "$folder/as-perf.diff" && return 1 ;;
    esac
}

compared() {
    case $name in
    unwind_*) awk -f "$root/tests/unwind/compare.awk" first text | tee /dev/stderr | awk '{ exit $3 * 1000 < $2 * 999 || $4 < $2 }' ;;
    *) awk -f "$here/known.awk" first text >&2 ;;
    esac
}

shell='for i in 1 2; do seq 20000 | sort | wc -l; done'

# Callchains of two events; the lists of fields.
chain() {
    take chain -N -e cpu-clock/period=3000000/u -e page-faults/period=20/ -g -- sh -c "$shell"
    fresh chain --most 60
    for fields in comm tid pid,tid time ip comm,tid,ip,sym comm,pid,tid,time,period,event,ip,sym,symoff,dso \
        ip,sym,dso ip,sym,symoff ip,dso event,period comm,time,ip comm,ip,sym,flags \
        +pid +pid,-period -ip -comm,-tid -dso -time -event -period -symoff,-dso +flags; do
        asks "-F $fields"
    done
    copied
    asks --ns '-G --ns' '--comm sort' "--pid $(pid_of sort)"
    done_with
}

pid_of() { # COMM
    perf script -F comm,pid -i "$scratch/$name/data" 2> why | awk -v comm="$1" '$1 == comm { print $2; exit }'
}

# Without callchains: each sample in one line.
plain() {
    take plain -N -e cpu-clock -F 1999 -- sh -c "$shell"
    fresh plain --most 60
    for fields in ip comm,tid,ip,sym comm,tid,time,event,ip,sym,symoff,dso event,period comm,ip,sym,flags +pid -ip; do
        asks "-F $fields"
    done
    asks --ns '-G --ns' --show-mmap-events --show-task-events --show-lost-events '--show-mmap-events -F comm,ip'
    done_with
}

# Records of all processes, of which those of the command are kept: its number is in the file root.
take_all() { # NAME OPTION... COMMAND
    take "$1" -a "${@:2:$#-2}" -- sh -c "echo \$\$ > root; ${*: -1}"
}

# Forks and execs on several CPUs, and samples in the kernel.
system() {
    take_all system -e cpu-clock -F 499 -g "$shell; head -c 200000000 /dev/zero > /dev/null"
    fresh system --root "$(cat root)" --most 120
    copied
    asks '-F cpu,time,event' '-F -cpu' --ns '-G --ns' --show-mmap-events --show-task-events --show-lost-events \
        '--show-mmap-events -F comm,ip'
    done_with
}

# Build-ids in the records of maps, and processes as they go from CPU to CPU.
switches() {
    take_all switches -e cpu-clock -F 299 -g --buildid-mmap --switch-events "$shell"
    fresh switches --root "$(cat root)" --most 60
    done_with
}

tracepoints() {
    take_all tracepoints -g -e sched:sched_switch -e syscalls:sys_enter_read -e 'syscalls:sys_*_openat' "$shell"
    fresh tracepoints --root "$(cat root)" --most 80
    copied
    # Text and address in one line: there perf-script puts two blanks, so that the line can be read again.
    asks '-F comm,ip,sym,trace,period'
    ask_of_tracepoints
    asks --ns '-G --ns'
    done_with
}

ask_of_tracepoints() {
    for fields in comm,tid,cpu,time,event,trace comm,tid,ip,sym ip,sym,dso event,period comm,tid,time,event \
        trace trace,comm; do
        asks "-F $fields"
    done
}

# Tracepoints without callchains, beside an event that is none.
flat() {
    take_all flat -e sched:sched_switch,cpu-clock "$shell"
    fresh flat --root "$(cat root)" --most 60
    ask_of_tracepoints
    done_with
}

# Of a group each member has its samples, of the periods by which its counter grew.
group() {
    take_all group -e '{cpu-clock,page-faults,sched:sched_switch}:S' -F 999 -g "$shell"
    fresh group --root "$(cat root)" --most 60
    done_with
}

# What perf mem records: data addresses, sources and weights.
memory() {
    take memory -N -e cpu-clock -F 3999 -d -W -- sh -c "$shell"
    fresh memory --memory --most 40
    done_with
}

memory_stacks() {
    take memory_stacks -N -e cpu-clock -F 2999 -d -W -g -- sh -c "$shell"
    fresh memory_stacks --memory --most 40
    done_with
}

# A buffer of one page, which perf cannot empty in time.
lost() {
    take_all lost -e cpu-clock -F 10000 -m 1 -g "$shell"
    fresh lost --root "$(cat root)" --most 60
    asks --show-lost-events
    done_with
}

# Templates, lambdas and operators of C++, and calls through a PLT with branch protection.
cxx() {
    g++ -O1 -fno-omit-frame-pointer -fcf-protection -o shapes "$root/tests/record/app/shapes.cc"
    take cxx -N -e cpu-clock -F 499 -g -- ./shapes
    fresh cxx --most 100
    done_with
}

# Names that only demanglers of C++20 read, names of Rust, and a library that is called through a PLT without frames.
names() {
    gcc -O1 -fno-omit-frame-pointer -shared -fPIC -DLIBRARY -o libnames.so "$here/app/names.c"
    gcc -O1 -fno-omit-frame-pointer -o names "$here/app/names.c" -L. -lnames -Wl,-rpath,"$work"
    take names -N -e cpu-clock:u -F 299 -g -- ./names
    fresh names --most 60
    done_with
}

# perf record -o -
pipe() {
    g++ -O1 -fno-omit-frame-pointer -o shapes "$root/tests/record/app/shapes.cc"
    take pipe -N -e cpu-clock -F 499 -m 2 -g -o - -- ./shapes
    mv "$scratch/pipe.out" "$scratch/pipe.raw"
    fresh pipe --plain
    done_with -
}

# perf record -z, into a file and into a pipe
packed() {
    take packed -N -z -e cpu-clock -F 999 -- seq 1000000
    fresh packed --plain
    done_with
}

packed_pipe() {
    take packed_pipe -N -z -e cpu-clock -F 999 -o - -- seq 1000000
    mv "$scratch/packed_pipe.out" "$scratch/packed_pipe.raw"
    fresh packed_pipe --plain
    done_with -
}

# A stack whose frame pointer leads to an impossible address.
garbage() {
    gcc -O1 -mno-red-zone -static -nostdlib -o garbage "$here/app/garbage.c"
    take garbage -N -e cpu-clock:u -F 199 -g -- ./garbage
    fresh garbage --most 20
    done_with
}

# A 32-bit process, whose vdso is not that of 64-bit ones.
bits32() {
    gcc -m32 -O1 -static -w -o bits32 -x c - <<< 'int main(void) { for (int i = 0; i < 10000000; i++) time(0); }'
    take bits32 -N -e cpu-clock:u -F 199 -g -- ./bits32
    fresh bits32 --vdso --most 60
    done_with
}

# The last two samples get addresses behind the code of the program and of the kernel.
ended() {
    local end
    gcc -O1 -nostdlib -static -Wl,--undefined=etext,-z,noseparate-code -o ended "$here/app/ended.c"
    take ended -N -e cpu-clock -F 2999 -- ./ended
    end=$(nm ended | awk '$3 == "etext" { print $1 }')
    cut_down --most 60 --ends "$end,$(awk '$3 == "_etext" { print $1 }' /proc/kallsyms)" "$scratch/ended.raw" past
    mv past "$scratch/ended.raw"
    fresh ended
    asks '-F +srcline'
    done_with
}

# A program without any library, for all that is about its file.
moved() {
    gcc -O1 -fno-omit-frame-pointer -static -nostdlib -g -Wl,--build-id -o other "$here/app/other.c"
    take moved -N -e cpu-clock:u -F 199 -g -- ./other
    fresh moved --most 20
    done_with
}

# The vdso, whose copy is in the cache of build-ids.
vdso() {
    gcc -O1 -fno-omit-frame-pointer -o clock "$here/app/vdso.c"
    take vdso -e cpu-clock:u -F 499 -g -- ./clock
    fresh vdso --vdso --most 40
    (cd "$HOME" && find -L .debug/.build-id -name vdso) | while read -r file; do
        mkdir -p "$scratch/$name/home/${file%/*}"
        cp "$HOME/$file" "$scratch/$name/home/$file"
    done
    done_with
}

# Puts the perf map of a process among the maps of the recording, only with the functions of samples; perf gets the same one.
keep_map() { # MAP PID
    mkdir -p "$scratch/$name/maps"
    python3 - "$scratch/needs" "$1" > "$scratch/$name/maps/perf-$2.map" << 'PYTHON'
import sys
needed = [int(line.split()[0], 16) for line in open(sys.argv[1]) if '[anon]' in line]
for line in open(sys.argv[2]):
    start, size = (int(word, 16) for word in line.split()[:2])
    if any(start <= address < start + size for address in needed):
        sys.stdout.write(line)
PYTHON
    cp "$scratch/$name/maps/perf-$2.map" "/tmp/perf-$2.map"
    theirs+=("/tmp/perf-$2.map")
}

build_code() {
    gcc -O1 -g0 -fno-omit-frame-pointer -static -o code "$here/app/code.c"
}

# Each address is used again and again: perf prints the oldest name.
reused() {
    build_code
    take reused -N -e cpu-clock:u -F 199 -g -- ./code 12
    fresh reused --most 60
    keep_map "/tmp/perf-$(pid_of code).map" "$(pid_of code)"
    done_with
}

# A process in namespaces of its own, with a perf map in a /tmp of its own.
namespace() {
    build_code
    mkdir inner
    take namespace -N --namespaces -e cpu-clock:u -F 199 -g -- unshare --pid --mount --fork --kill-child sh -c \
        'mount --bind inner /tmp && ./code 4'
    fresh namespace --most 40
    keep_map inner/perf-*.map "$(pid_of code)"
    done_with
}

# A jitdump: perf reads what perf inject --jit has made of the recording.
jitdump() {
    gcc -O1 -fno-omit-frame-pointer -static -o jitting "$root/tests/record/app/jitting.c"
    take jitdump -N -k mono -e cpu-clock:u -F 499 -g -- ./jitting 0.4
    fresh jitdump --most 60
    mkdir -p "$scratch/$name/fs$work"
    cp jit-*.dump "$scratch/$name/fs$work"
    perf inject --jit -i "$scratch/$name/data" -o injected
    done_with "$scratch/$name/data" injected
}

# Recordings of stackrecord.
take_own() { # NAME OPTION...
    env -i PATH="$PATH" HOME="$HOME" unshare --uts sh -c 'hostname host; exec "$@"' - \
        stackrecord -q -o "$scratch/$1.raw" "${@:2}" > "$scratch/$1.out"
}

# Stacks of a program without frame pointers, which stackrecord has unwound: the file has their addresses.
own_stacks() {
    gcc -O2 -pthread -o paths "$root/tests/unwind/paths.c"
    take_own own_stacks -e cpu-clock:u -F 499 -- sh -c "for way in interrupted forks tails sorts 'recursion 50'; do ./paths \$way; done"
    fresh own_stacks --only /paths --most 60
    done_with
}

# A perf map that grew, whose lines are in the file with their times: perf has no names.
own_map() {
    build_code
    take_own own_map -e cpu-clock:u -F 199 -- ./code 12 /tmp pause
    fresh own_map --most 60
    rm "/tmp/perf-$(pid_of code).map"
    done_with
}

# A perf map in the /tmp of a container that is gone.
own_container() {
    build_code
    rm -rf inner
    mkdir inner
    take_own own_container -e cpu-clock:u -F 199 -- unshare --pid --mount --fork --kill-child sh -c \
        'mount --bind inner /tmp && ./code 6 /tmp pause'
    fresh own_container --most 40
    done_with
}

# Runs of a program, and of the same with a function made three times as slow, for stackdiff.
slower() {
    local i run
    cp "$root/tests/record/app/slower.js" .
    mkdir -p "$out/slower"
    for i in 1 2 3; do
        for run in before:1 after:1 slower:3; do
            take_own slower -F 1999 -e cpu-clock:u -- \
                node --perf-basic-prof --interpreted-frames-native-stack slower.js "${run#*:}" 500
            perf-script -q "$scratch/slower.raw" > text
            grep -o '/tmp/perf-[0-9]*\.map' text | sort -u | xargs rm
            stackfilter --node -q --focus 'slower\.js:1:1' text | stackcollapse -q | gzip -9n > "$out/slower/${run%:*}$i.folded.gz"
        done
    done
}

# One run of a node program as perf, V8's log and V8's CPU profile have it. With inlining, perf would not see the functions.
profilers() {
    cp "$root/tests/record/app/shares.js" .
    take profilers -N -e cpu-clock:u -F 499 -g -- sh -c 'echo $$ > root; exec node --perf-basic-prof --prof \
        --prof-sampling-interval=1000 --no-turbo-inlining --no-maglev-inlining shares.js'
    theirs+=("/tmp/perf-$(cat root).map")
    mkdir -p "$out/profilers"
    perf-script -q --tid "$(cat root)" "$scratch/profilers.raw" | stackcollapse -q | gzip -9n > "$out/profilers/perf.folded.gz"
    command node --prof-process --preprocess -j isolate*.log 2> why | stackcollapse -q | gzip -9n > "$out/profilers/v8.folded.gz"
    gzip -9n < run.cpuprofile > "$out/profilers/run.cpuprofile.gz"
}

# A program that measures the time that one thread takes and that sixteen take, for --latency, as stackrecord has it, as it
# has it with --wall, and as perf has it.
latency() {
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o parts "$root/tests/record/app/parts.c"
    mkdir -p "$out/latency"
    stackrecord -q -F 1000 -- ./parts 1800 200 > running.perf.txt 2> running.measured
    stackrecord -q -F 1000 --wall -- ./parts 1800 200 > wall.perf.txt 2> wall.measured
    perf record -q -F 1000 -g -o data -- ./parts 1800 200 > of-parts 2> perf.measured
    perf script -i data > perf.perf.txt 2> why
    gzip -9n ./*.perf.txt
    tail -qn 1 {running,wall,perf}.measured > "$out/latency/measured"
    mv ./*.perf.txt.gz "$out/latency"
}

# Made-up recordings of a processor that records calls (LBR). Of a sample without calls perf prints what it finds behind the
# record: it is left out.
lbr() {
    local kind
    mkdir -p "$out/lbr"
    for kind in calls branches 'calls 200'; do
        # shellcheck disable=SC2086 # words
        PYTHONDONTWRITEBYTECODE=1 python3 "$root/tests/record/lbr.py" $kind > data
        perf script -i data 2> why | awk -v RS= -v ORS='\n\n' '!/ 1.003000:/' > "$out/lbr/${kind// /-}.perf.txt"
    done
}

# The functions that V8 compiles of a program, but for node's own, as folded stacks.
compiled() { # NODE-OPTION... SCRIPT
    command node --perf-basic-prof --interpreted-frames-native-stack "$@" > printed &
    local pid=$!
    wait $pid
    sed -nE '/ node:/d; s/^[0-9a-f]+ [0-9a-f]+ (JS:.*)/node;\1 1/p' "/tmp/perf-$pid.map" | sort -u
    rm -f "/tmp/perf-$pid.map" isolate-*-$pid-v8.log
}

# Programs as esbuild, webpack and tsx of npm's registry write them, with the positions that the package source-map finds in
# their maps, and the functions that V8 compiles of them.
bundles() {
    local bundle esbuild='node_modules/.bin/esbuild --bundle --platform=node --log-level=error'
    npm install --silent --no-audit --no-fund esbuild@0.25 tsx@4 webpack@5 webpack-cli@6 source-map@0.7 > why
    mkdir src indexed tmp
    cp "$root"/tests/sourcemaps/*.[jt]s src
    $esbuild src/app.js --sourcemap --outfile=plain/main.js
    $esbuild src/app.js --sourcemap --minify --outfile=min/main.js
    $esbuild src/app.js --sourcemap=inline --minify --keep-names --outfile=keep/main.js
    $esbuild src/app.ts --sourcemap --minify --outfile=ts/main.js
    cat > webpack.config.js << END
module.exports = { mode: 'production', target: 'node', entry: './src/app.js', devtool: 'source-map',
    output: { filename: 'main.[contenthash].js', path: '$PWD/web' } };
END
    node_modules/.bin/webpack > why
    command node -e '
        const fs = require("fs"), read = f => JSON.parse(fs.readFileSync(f));
        fs.writeFileSync("indexed/main.js.map", JSON.stringify({ version: 3, sections: [
            { offset: { line: 0, column: 5 }, map: read("min/main.js.map") },
            { offset: { line: 9, column: 0 }, map: read("plain/main.js.map") },
            { offset: { line: 900, column: 77 }, map: read("ts/main.js.map") } ] }))'
    for bundle in plain min ts web indexed; do
        command node "$root/tests/sourcemaps/positions.mjs" "$PWD/$bundle"/main.*map > $bundle/positions
    done
    compiled src/app.js > src/folded
    for bundle in plain min keep web ts; do
        compiled $bundle/main*.js > $bundle/folded
    done
    TMPDIR=$PWD/tmp compiled --import "$PWD/node_modules/tsx/dist/loader.mjs" src/app.ts > tmp/folded
    mv tmp/tsx-* tmp/tsx
    mkdir -p "$out/bundles"
    tar -c --sort=name --owner=0 --group=0 --exclude='*.pipe' src plain min keep ts web indexed tmp/folded tmp/tsx |
        gzip -9n > "$out/bundles/files.tar.gz"
}

# perf record --threads makes a folder; this is one of its files, which is not read.
threads() {
    take threads -N --threads -e cpu-clock -F 999 -- true
    mkdir -p "$out/threads"
    cut_down --plain "$scratch/threads.raw/data" data
    gzip -9n < data > "$out/threads/data.gz"
    tar -czf "$out/threads/files.tar.gz" -T /dev/null
}

node_program() {
    cat << 'EOF'
const made = [];
const end = Date.now() + 700;
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
for (let n = 1; Date.now() < end; n++) {
    const f = new Function('a', `let s = 0; for (let i = 0; i < 3000; i++) s += a * i % ${n}; return s;`);
    for (let i = 0; i < 30; i++)
        made[n % 50] = f(i);
    fib(21);
    JSON.stringify(made.map(String).sort());
}
EOF
}

# node with a perf map.
node() {
    node_program > node.js
    take node -N -e cpu-clock:u -F 499 -g -- node --perf-basic-prof --interpreted-frames-native-stack node.js
    fresh node --most 50
    keep_map "/tmp/perf-$(pid_of node).map" "$(pid_of node)"
    done_with
}

# node with a jitdump, of which the functions of samples are kept.
javascript() {
    node_program > node.js
    take javascript -N -k mono -e cpu-clock:u -F 499 -g -- node --perf-prof node.js
    fresh javascript --most 60
    mkdir -p "$scratch/$name/fs$work"
    "$here/cut.py" --dump "$scratch/needs" jit-*.dump "$scratch/$name/fs$work/jit-$(pid_of node).dump"
    cp "$scratch/$name/fs$work"/*.dump .
    perf inject --jit -i "$scratch/$name/data" -o injected
    done_with "$scratch/$name/data" injected
}

# Programs with source lines in all ways that they are built; no library is in it.
lines() {
    local build
    for build in 'pie -g -static-pie' 'fixed -g -static' 'symbols -static' 'stripped -s -static' 'lto -g -flto -static' \
        'dwarf4 -gdwarf-4 -static'; do
        # shellcheck disable=SC2086 # words
        g++ -O2 -fno-omit-frame-pointer -nostdlib ${build#* } -o "bin-${build%% *}" "$here/app/lines.cc"
    done
    take lines -N -e cpu-clock:u -F 299 -g -- sh -c 'for program in bin-*; do ./$program; done'
    fresh lines --only bin- --most 90
    asks '-F +srcline' '-F ip,srcline' '-F ip,dso,srcline' '-F comm,ip,sym,symoff,dso,srcline'
    done_with
    take lines_flat -N -e cpu-clock:u -F 299 -- sh -c './bin-pie; ./bin-lto'
    fresh lines_flat --only bin- --most 30
    asks '-F +srcline' '-F ip,srcline' '-F ip,sym,srcline' '-F ip,dso,srcline' '-F +srcline,-dso' \
        '-F comm,ip,sym,symoff,dso,srcline'
    done_with
}

# Stacks without frame pointers: of samples that perf unwinds to a root, 99.9 % must be the same.
unwound() { # NAME COMPILER...
    local ways="interrupted longjumps threads forks allocations tails calls contexts 'recursion 50'"
    [ "$1" = unwind_musl ] || ways+=' sorts' # its qsort has no call frame information at all
    "${@:2}" -O2 -pthread -o "$1" "$root/tests/unwind/paths.c"
    take "$1" -N -m 8M -e cpu-clock:u -F 499 --call-graph dwarf,6144 -- sh -c "for way in $ways; do ./$1 \$way; done"
    fresh "$1" --most 100
    done_with
}

unwind_gcc() { unwound unwind_gcc gcc; }
unwind_lld() { unwound unwind_lld clang -fuse-ld=lld; }
unwind_static() { unwound unwind_static gcc -static-pie; }
unwind_stripped() { unwound unwind_stripped gcc -s; }
unwind_lazy() { unwound unwind_lazy gcc -fno-pie -no-pie -Wl,-z,lazy; }
unwind_musl() { unwound unwind_musl musl-gcc -static; }

unwind_cxx() {
    g++ -O2 -o cxx "$root/tests/unwind/paths.cc"
    take unwind_cxx -N -m 8M -e cpu-clock:u -F 199 --call-graph dwarf,2048 -- sh -c './cxx; ./cxx exceptions'
    fresh unwind_cxx --only /cxx --most 60
    done_with
}

# Calls through a PLT, in which a third of the samples are.
unwind_calls() { # NAME COMPILER...
    "${@:2}" -O2 -pthread -o calls "$root/tests/unwind/paths.c"
    take "$1" -N -m 8M -e cpu-clock:u -F 499 --call-graph dwarf,512 -- ./calls calls
    fresh "$1" --most 60
    done_with
}
unwind_calls_gcc() { unwind_calls unwind_calls_gcc gcc; }
unwind_calls_lazy() { unwind_calls unwind_calls_lazy gcc -fno-pie -no-pie -Wl,-z,lazy; }

# Copies that end in the middle of a stack.
unwind_cut() {
    gcc -O2 -pthread -o cut "$root/tests/unwind/paths.c"
    take unwind_cut -N -m 8M -e cpu-clock:u -F 499 --call-graph dwarf,256 -- ./cut recursion 50
    fresh unwind_cut --most 40
    done_with
}

all=(chain plain system switches tracepoints flat group memory memory_stacks lost cxx names pipe packed packed_pipe garbage
    bits32 ended moved vdso reused namespace jitdump node javascript lines unwind_gcc unwind_lld unwind_static unwind_stripped
    unwind_lazy unwind_musl unwind_cxx unwind_calls_gcc unwind_calls_lazy
    unwind_cut own_stacks own_map own_container threads
    slower profilers latency lbr bundles)
for name in "${@:-${all[@]}}"; do
    "$name"
    rm -f "${theirs[@]}" ./*.dump ./*.so
done
