# Recordings of perf that are kept: perf-script prints of them what perf printed, and what is known to be right where perf is
# wrong, byte for byte. record.sh says what each is for.
load ../lib
load replay

@test "callchains of two events print as perf prints them, in all lists of fields" {
    replays chain
}

@test "samples without callchains, and the records of maps and tasks, print as perf prints them" {
    replays plain
}

@test "a whole system with a shell's many processes prints as perf prints it, with the kernel's functions" {
    replays system
    grep -q 'PERF_RECORD_COMM exec: sort:' of-perf
    grep -q 'PERF_RECORD_EXIT(' of-perf
}

@test "build-ids in the records of maps, and records of context switches, change nothing" {
    replays switches
}

@test "tracepoints print as perf prints them, with callchains and without, and other events beside them" {
    replays tracepoints
    grep -q 'sched:sched_switch: prev_comm=.* ==> next_comm=' text
    replays flat
}

# perf then forgets that it prints callchains.
@test "tracepoints keep their frames if -F adds a field" {
    use tracepoints
    replay data > text
    replay -F +pid data > ours
    same "$(grep $'^\t' text)" "$(grep $'^\t' ours)"
}

@test "of a group of events each member has its samples, of the periods by which its counter grew" {
    replays group
    grep -q ' page-faults: $' text
    grep -q ' sched:sched_switch: $' text
}

@test "of perf mem the data addresses, sources and weights are printed, and are no functions' names" {
    local name
    for name in memory memory_stacks; do
        replays $name
        grep -q '|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A  *[0-9]' text
        stackcollapse -q first > theirs.folded
        run ! grep -E '\|OP|L1 hit|7f1122334455' folded theirs.folded
    done
}

@test "lost samples are printed as perf prints them, and counted" {
    replays lost
    local lost
    lost=$(sed -n 's/.*PERF_RECORD_LOST lost //p' got | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$lost" -gt 0 ]
    try perf-script "${where[@]}" data
    [ "$status" -eq 0 ]
    [[ ${stderr//,/} == *"perf-script: $lost samples were lost while recording"* ]]
    perf-script -q --stats=json "${where[@]}" data | grep -q "\"lost_events\":$lost,"
}

@test "C++ with templates, lambdas and operators prints as perf prints it" {
    replays cxx
}

@test "names of C++20 and of Rust are demangled, also where perf leaves them mangled" {
    replays names
    same 'core::fmt::Write::write_fmt
first<int>
mycrate::foo
ns::work
second<int>' "$(sed 's/.*;//; s/ [0-9]*$//' folded | sort)"
}

@test "perf record -o - prints as the same text that perf prints of it" {
    replays pipe
    replay - < data | cmp - text
    replay - < <(cat data) | cmp - text
}

@test "perf record in a pipe is printed while it still records" {
    use pipe
    replay data > text
    mkfifo in out
    perf-script -q "${where[@]}" < in > out 3>&- &
    exec 7> in 8< out
    cat data >&7
    IFS= read -r first <&8 # comes while the pipe is open
    exec 7>&-
    { printf '%s\n' "$first"; cat <&8; } | cmp - text
    exec 8<&-
    wait $!
}

@test "a compressed recording is printed as perf prints it, of a file and of a pipe" {
    command -v zstd > /dev/null || skip 'no zstd'
    replays packed
    replays packed_pipe
    replay - < data | cmp - text
}

@test "records of the type COMPRESSED2 say how much of them is compressed" {
    command -v zstd > /dev/null || skip 'no zstd'
    use packed_pipe
    python3 - << 'END'
import struct
data = open('data', 'rb').read()
out, at = bytearray(data[:16]), 16
while at < len(data):
    kind, misc, size = struct.unpack_from('<IHH', data, at)
    record = data[at:at + size]
    if kind == 81:
        body = struct.pack('<Q', size - 8) + record[8:] + bytes(-size % 8)
        record = struct.pack('<IHH', 83, misc, len(body) + 8) + body
    out += record
    at += size
open('packed2', 'wb').write(out)
END
    replay data > before
    replay packed2 | cmp before -
}

@test "a compressed recording that is cut, or that cannot be decompressed here, is reported" {
    command -v zstd > /dev/null || skip 'no zstd'
    use packed
    local start size
    read -r start size < <(od -An -tu8 -j40 -N16 data) # of the records
    head -c $((start + size / 2)) data > half
    answers 1 '*' '*perf-script: half: at byte *' perf-script half
    mkdir empty
    answers 1 '*' '*perf-script: data: at byte *: the records are compressed by zstd, which cannot be run here: install it, or record without -z*' \
        env PATH="$PWD/empty" "$BIN/perf-script" data
}

@test "an impossible address in a stack is passed over; perf drops the whole stack" {
    replays garbage
    same "$(grep -c ' cpu-clock:u: ' text)" "$(grep -c ' _start+0x' text)"
    run ! grep -q ' _start+0x' first
}

@test "the vdso of a 32-bit process is not taken for that of 64-bit ones" {
    replays bits32
    grep -q '(\[vdso32\])' text
    run ! grep -q '(\[vdso\])' text
}

@test "the vdso has the names of its copy in the cache of build-ids" {
    replays vdso
    grep -q ' __vdso_clock_gettime+0x[0-9a-f]* (\[vdso\])$' text
}

@test "an address past the end of the code, of the kernel or of a program, has no name" {
    replays ended
    grep -q ' etext+0x2 ' got
    grep -q ' _etext+0x2 ' got
    run ! grep -q 'etext' text
}

# perf leaves them out, unless it is told of guests.
@test "samples of a guest are printed without names: the files of this machine are not the guest's" {
    use ended
    python3 - << 'END'
import struct
data = bytearray(open('data', 'rb').read())
at, size = struct.unpack_from('<QQ', data, 40)
end = at + size
while at < end:
    kind, misc, size = struct.unpack_from('<IHH', data, at)
    if kind == 9:
        struct.pack_into('<H', data, at + 4, misc & ~7 | (4 if misc & 7 == 1 else 5))
    at += size
open('guest', 'wb').write(data)
END
    replay data | sed -E 's/[^ ]+ \([^()]*\)$/[unknown] ([unknown])/' > wanted
    replay guest | cmp wanted -
}

# Makes of the recording one whose recorder was killed before it wrote sizes and features: it ends with its records.
as_killed() { # FROM TO
    python3 - "$@" << 'END'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
at, size = struct.unpack_from('<QQ', data, 40)
struct.pack_into('<Q', data, 48, 0)
struct.pack_into('<QQQQ', data, 72, 0, 0, 0, 0)
open(sys.argv[2], 'wb').write(data[:at + size])
END
}

@test "of a recording whose perf was killed, what is there is printed" {
    use cxx
    as_killed data killed
    replay data > text
    answers 0 "$(cat text)" '*perf-script: killed: the recorder did not finish it: what is there is read*' \
        perf-script "${where[@]}" killed
}

@test "several recordings and texts in a row print one after the other" {
    use moved names
    perf-script -q --symfs fs data > names.txt
    cp -r ../moved/fs .
    cp ../moved/data moved
    perf-script -q --symfs fs moved names.txt data - < ../moved/data > ours
    perf-script -q --symfs fs ../moved/data > moved.txt
    cat moved.txt names.txt names.txt moved.txt | cmp - ours
}

# ---- JIT-compiled code

@test "of addresses that were used again perf-script takes the newest function of the perf map, and perf an older one" {
    replays reused
    same 'made10 made11' "$(sed 's/.*;\(made[0-9]*\) .*/\1/' folded | paste -sd ' ')"
    run ! grep 'made1[01]' first
}

@test "a pid namespace that has ended gets its names from the map that --map-dir hands over" {
    replays namespace
    grep -q ' made[0-9]* /srv/app/code.js:' text
    rm maps/*
    replay data > text
    grep -q '\[unknown\] (/tmp/perf-[0-9]*.map)$' text
}

@test "JIT-compiled code of a jitdump prints as after perf inject --jit" {
    replays jitdump
    grep -q ' f[0-9]*()+0x[0-9a-f]* (/srv/replay/jitted-[0-9]*-[0-9]*.so)$' text
    replays javascript
    grep -q '\*fib .*(.*/jitted-[0-9]*-[0-9]*.so)$' text
}

@test "a jitdump's source lines of JavaScript have no file, and only optimized code has them" {
    use javascript
    replay -F ip,sym,srcline data |
        awk '/ (JS|LazyCompile|Function):/ { name = $2; next }
            /^  [^ ]/ && name { print name, $1 }
            { name = "" }' | sort -u > lines
    grep -qE ' \?\?:([1-9]|10|11)$' lines # the program has 11 lines
    run ! grep -vE '^[A-Za-z]*:[o'\'']*[*+][^ ]* \?\?:[0-9]+$' lines
}

@test "node with a perf map prints as perf prints it" {
    replays node
    grep -q 'fib' text
}

# ---- what stackrecord -o wrote

@test "perf script and perf-script print the same whole stacks of a program without frame pointers" {
    replays own_stacks
    # Functions of the C library stand between the program's own.
    grep -qE '^paths;_start;.*;main;sorts;[^ ]*sort[^ ]*;compare' folded
    same '' "$(grep -v '^paths;_start;' folded)"
}

# Each function ran 15 ms or more at an address where another one was before.
@test "a file has the names that code had at its time, without the perf map, also of a container" {
    replays own_map
    grep -o 'made[0-9]*' text | uniq > names
    same "$(sort -u names | wc -l)" "$(wc -l < names)"
    same "$(sort -V names)" "$(cat names)"
    [ "$(wc -l < names)" -ge 10 ]
    replays own_container
    grep -q 'made5 /srv/app/code.js:6:1+0x' text
    run ! grep '\[unknown\] (/tmp/perf-' text
}

@test "a file of which the recorder was killed, or that comes through a pipe, has these names too" {
    use own_map
    replay data > text
    as_killed data killed
    replay killed > ours
    cmp <(grep $'^\t' text) <(grep $'^\t' ours) # the names of events are written at the end
    replay - < data | cmp text -
}

@test "--perf-map goes before the names that a recording has, and --check counts what a map without times leaves open" {
    use own_map
    local pid address around
    read -r pid address < <(replay -F pid,comm,ip,sym data | awk '/^code/ { pid = $2 } / made/ { print pid, $1; exit }')
    echo '0 ffffffffffff mine' > map
    perf-script -q --perf-map "$pid=map" data > text
    grep -q ' mine+.* (map)$' text
    run ! grep code.js text
    perf-script --stats=json data 2> said | grep -q '"doubtful_samples":0'
    perf-script --stats=json --perf-map "$pid=map" data 2> said | grep -q '"doubtful_samples":0'
    around=$(printf '%x' $((0x$address - 0x800)))
    printf '%s\n' "$around 1000 one" "$around 1000 two" > map
    perf-script --check --perf-map "$pid=map" data > report 2> said
    grep -q '  samples in JIT-compiled code that took the place of other code$' report
    grep -q ' samples are in JIT-compiled code at addresses that had several functions, and show the newest: ' report
}
