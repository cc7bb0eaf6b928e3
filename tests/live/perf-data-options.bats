# The options of perf-script on recordings that are made here, compared with perf script's where it has them.
load ../lib
load perfdata
ASK=asked_once # perf says the same of a recording all the time

# A program of two functions, which perf records without a copy of it.
other_program() {
    cat << 'EOF'
#include <stdlib.h>

static volatile long n;

__attribute__((noinline)) void inner_loop(long times)
{
    for (long i = 0; i < times; i++)
        n += i;
}

int main(int argc, char **argv)
{
    inner_loop(argc > 1 ? atol(argv[1]) : 100000000);
    return 0;
}
EOF
}

# A program whose linker puts the label etext at the end of its code.
ended_program() {
    cat << 'EOF'
static volatile int n;

void _start(void)
{
    for (int i = 0; i < 30000000; i++)
        n++;
    __asm__("mov $60, %eax\n xor %edi, %edi\n syscall");
}
EOF
}

setup_file() {
    own_home
    ! has_inputs || return 0
    local shell='for i in 1 2; do seq 20000 | sort | wc -l; done'
    record chain -e cpu-clock/period=500000/u -e page-faults/period=5/ -g -- sh -c "$shell"
    record plain -e cpu-clock -F 1999 -- sh -c "$shell"
    local kernel="$shell; head -c 400000000 /dev/zero > /dev/null" # takes time in the kernel, however busy the machine is
    record all -e cpu-clock -F 499 -a -g -- sh -c "$kernel"
    record nameless -B -e cpu-clock -F 499 -a -g -- sh -c "$kernel"
    perf record -q -e cpu-clock -F 499 -a -g -o - -- sh -c "$kernel" > nameless.pipe 2> nameless.why || rm -f nameless.pipe
    record tracepoints -a -g -e sched:sched_switch -e syscalls:sys_enter_read -- sh -c "$shell"
    record flat -a -e sched:sched_switch,cpu-clock -- sh -c "$shell"
    record packed -e cpu-clock -F 999 -z -- sh -c "$shell"
    record folder -e cpu-clock -F 999 --threads -- sh -c "$shell"
    record dwarf -e cpu-clock -F 999 --call-graph dwarf,4096 -- sh -c "$shell"
    other_program > other.c
    if gcc -O1 -fno-omit-frame-pointer -o other other.c 2> moved.why; then
        record moved -N -e cpu-clock:u -F 999 -g -- ./other
        mkdir -p "target$PWD"
        mv other "target$PWD"
    fi
    ended_program > ended.c
    if gcc -O1 -nostdlib -static -Wl,--undefined=etext,-z,noseparate-code -o ended ended.c 2> ended.data.why; then
        record ended.data -e cpu-clock -F 1999 -- ./ended
    fi
    keep_inputs
}

# ---- fields

@test "-F prints the fields that perf prints" {
    need chain plain
    local fields
    for fields in comm tid pid,tid time ip comm,tid,ip,sym comm,pid,tid,time,period,event,ip,sym,symoff,dso \
        ip,sym,dso ip,sym,symoff ip,dso event,period comm,time,ip comm,ip,sym,flags \
        +pid +pid,-period -ip -comm,-tid -dso -time -event -period -symoff,-dso +flags; do
        echo "$fields"
        equal_to_perf chain -F "$fields"
    done
    for fields in ip comm,tid,ip,sym comm,tid,time,event,ip,sym,symoff,dso event,period comm,ip,sym,flags +pid -ip; do
        echo "$fields"
        equal_to_perf plain -F "$fields"
    done
}

@test "-F prints CPUs, and of tracepoints the period, the address and the text if they are in the list" {
    need all tracepoints flat
    local fields
    equal_to_perf all -F cpu,time,event
    equal_to_perf all -F -cpu
    # Text and address in one line: there perf-script puts two blanks, so that the line can be read again.
    equal_to_perf tracepoints -F comm,ip,sym,trace,period
    for fields in comm,tid,cpu,time,event,trace comm,tid,ip,sym ip,sym,dso event,period comm,tid,time,event \
        trace trace,comm; do
        echo "$fields"
        equal_to_perf tracepoints -F "$fields"
        equal_to_perf flat -F "$fields"
    done
}

# perf then forgets that it prints callchains.
@test "tracepoints keep their frames if -F adds a field" {
    need tracepoints
    try perf-script -q -F +pid tracepoints
    [ "$status" -eq 0 ]
    same "$(perf-script -q tracepoints | grep $'^\t')" "$(grep $'^\t' <<< "$output")"
    perf script --no-inline -i tracepoints -F +pid > theirs 2> /dev/null
    run ! grep -q $'^\t' theirs
}

@test "lists that perf refuses are wrong usage, and so are frames' fields without addresses" {
    need chain
    local fields
    for fields in '' bogus COMM comm,bogus +pid,ip comm,+tid ip,symoff srcline; do
        run ! perf script -i chain -F "$fields"
        try perf-script -F "$fields" chain
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ $stderr == "perf-script: option --fields: '$fields': "* ]]
    done
    # perf prints a line without anything for these.
    for fields in sym dso sym,dso ','; do
        try perf-script -F "$fields" chain
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ $stderr == "perf-script: option --fields: "* ]]
    done
}

@test "--ns and -G print as perf prints them" {
    need chain plain all tracepoints
    local name
    for name in chain plain all tracepoints; do
        equal_to_perf $name --ns
        equal_to_perf $name -G --ns
    done
    perf-script -q --hide-call-graph chain > ours
    cmp <(perf-script -q -G chain) ours
}

# ---- records

@test "--show-mmap-events, --show-task-events and --show-lost-events print records as perf prints them" {
    need plain all
    local name
    for name in plain all; do
        equal_to_perf $name --show-mmap-events
        grep -q 'PERF_RECORD_MMAP2 .* r-xp /' ours
        equal_to_perf $name --show-task-events
        grep -q 'PERF_RECORD_COMM exec: sort:' ours
        grep -q 'PERF_RECORD_EXIT(' ours
        equal_to_perf $name --show-lost-events
        equal_to_perf $name --show-mmap-events -F comm,ip
    done
}

# ---- selection

@test "--comm, --tid and --event select of perf.data what they select of its text" {
    need chain
    local tid
    perf-script -q chain > chain.txt
    tid=$(awk '/^sort / { print $2; exit }' chain.txt)
    for option in --comm=sort,seq --tid="$tid" '--event=page-faults*' '--event=all'; do
        try perf-script -q "$option" chain
        [ "$status" -eq 0 ]
        [ -n "$output" ]
        same "$(perf-script -q "$option" chain.txt)" "$output"
    done
    of_perf chain --comm sort > theirs
    perf-script -q --as-perf --comm sort chain > ours
    nearly_equal 10000
}

@test "--pid selects all threads of a process, which perf.data has even if it is not printed" {
    need chain
    local pid
    pid=$(perf-script -q -F pid,comm chain | awk '/sort/ { print $2; exit }')
    perf-script -q --as-perf --pid "$pid" chain > ours
    of_perf chain --pid "$pid" > theirs
    nearly_equal 10000
    try perf-script --pid 1 chain
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == "perf-script: no sample of process id '1'; the input has: "* ]]
}

@test "--time and --range cut perf.data where they cut its text, and percents have each sample once" {
    need chain
    perf-script -q chain > chain.txt
    local from option part parts=()
    from=$(awk '/: $/ { sub(":", "", $3); print $3; if (n++ > 20) exit }' chain.txt | tail -n 1)
    for option in "--time=$from," "--time=,$from" --time=0%,60% --range=0,0.02; do
        echo "$option"
        try perf-script -q "$option" chain
        [ "$status" -eq 0 ]
        [ -n "$output" ]
        same "$(perf-script -q "$option" chain.txt)" "$output"
    done
    for part in 0%,30% 30%,70% 70%,100%; do
        parts+=("$(number samples --time "$part" chain)")
    done
    same "$(number samples chain)" "$((parts[0] + parts[1] + parts[2]))"
    same "$(perf-script -q --time 0%,50% chain)" "$(perf-script -q --time 0%,50% < chain)"
}

@test "--check and --stats=json report of perf.data what they report of its text" {
    need chain all
    local name counted
    mkdir -p maps # no maps, which processes of other tests have for a while
    for name in chain all; do
        perf-script -q --map-dir maps -F +pid $name > text
        try perf-script -q --map-dir maps --check -F +pid $name
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        # The text does not say what perf has lost, as it does on a busy machine.
        same "$(perf-script -q --map-dir maps --check text)" "$(sed '/^other lines$/,/^$/d' <<< "$output")"
        for counted in samples frames nameless_frames; do
            same "$(number $counted --map-dir maps text)" "$(number $counted --map-dir maps $name)"
        done
    done
}

# ---- where names come from

@test "a program that is not here has no names, which is said with where it was looked for; --symfs has it" {
    need moved
    try perf-script moved
    [ "$status" -eq 0 ]
    [[ $output == *" [unknown] ($PWD/other)"* ]]
    [[ $output != *inner_loop* ]]
    [[ $stderr == *"perf-script: $PWD/other: No such file or directory; its functions have no names"* ]]
    try perf-script --symfs target moved
    [ "$status" -eq 0 ]
    [[ $output == *" inner_loop+0x"*" ($PWD/other)"* ]]
    [[ $stderr != *"$PWD/other"* ]]
    of_perf moved --symfs target > theirs
    perf-script -q --as-perf --symfs target moved > ours
    same "$(grep '/other)$' theirs)" "$(grep '/other)$' ours)"
}

@test "a program that was built again since the recording is reported, and its names are not used" {
    need moved
    mkdir -p "rebuilt$PWD"
    gcc -O0 -o "rebuilt$PWD/other" other.c
    try perf-script --symfs rebuilt moved
    [ "$status" -eq 0 ]
    [[ $output == *" [unknown] ($PWD/other)"* ]]
    [[ $output != *inner_loop* ]]
    [[ $stderr == *"$PWD/other: is not the recorded file (another build-id)"* ]]
}

@test "--kallsyms names the kernel's functions, and a file that has none is reported" {
    need all
    [ "$(awk '$1 !~ /^0*$/ { print; exit }' /proc/kallsyms)" ] || skip "no addresses in /proc/kallsyms"
    cp /proc/kallsyms .
    equal_to_perf all --kallsyms kallsyms
    sed 's/ \([^ ]*\)$/ renamed_\1/' kallsyms > renamed
    perf-script -q --kallsyms renamed all > ours
    grep -q ' renamed_[a-z_]*+0x.* (\[kernel.kallsyms\])$' ours
    python3 -c '
import sys
for line in open("kallsyms"):
    address, rest = line.split(" ", 1)
    sys.stdout.write("%016x %s" % ((int(address, 16) + 0x1200000) % 2**64, rest))' > moved # as after another boot
    perf-script -q --kallsyms kallsyms all | grep -F '[kernel.kallsyms]' > wanted
    perf-script -q --kallsyms moved all | grep -F '[kernel.kallsyms]' | cmp - wanted
    local file
    echo 'no symbols' > nothing
    mkfifo fifo
    for file in nowhere nothing fifo /dev/zero; do
        try timeout 60 perf-script --kallsyms $file all
        if [ $file = nowhere ]; then [ "$status" -eq 1 ]; else [ "$status" -eq 0 ]; fi
        [[ $output == *' [unknown] ([kernel.kallsyms])'* ]]
        [[ $stderr == *"perf-script: the kernel's functions have no names: $file: "*"; give the recorded kernel's file with --kallsyms or --vmlinux"* ]]
    done
    try timeout 60 perf-script --kallsyms fifo all
    [[ $stderr == *"perf-script: the kernel's functions have no names: fifo: is not a regular file; "* ]]
}

# Changes a recording: what it says of the kernel's name or build-id in its list, its release, or its addresses.
of_another_kernel() { # WHAT FROM TO
    python3 -c '
import os, struct, sys
what, source, target = sys.argv[1:]
data = bytearray(open(source, "rb").read())
image = b"[kernel.kallsyms]"
listed, mapped = data.rfind(image + b"\0"), data.find(image + b"_text\0")
if what == "name":
    data[listed : listed + len(image)] = b"/boot/vmlinux".ljust(len(image), b"\0")
elif what == "id":
    data[listed - 24] ^= 1
elif what == "release":
    release = os.uname().release.encode()
    assert release in data
    data = data.replace(release, release[:-1] + b"?")
else:
    place, add = {"boot": (mapped - 8, 0x1200000), "end": (mapped - 16, -3)}[what]
    data[place : place + 8] = struct.pack("<Q", struct.unpack("<Q", data[place : place + 8])[0] + add)
open(target, "wb").write(data)' "$@"
}

# Fails unless no function of the kernel has a name, and one message says why.
has_no_kernel_names() { # RECORDING WHY
    try perf-script "$1"
    [ "$status" -eq 0 ]
    [[ $output == *' [unknown] ([kernel.kallsyms])'* ]]
    run ! has_kernel_names <<< "$output"
    same 1 "$(grep -c "kernel's functions" <<< "$stderr")"
    [[ $stderr == *"perf-script: the kernel's functions have no names: /proc/kallsyms: $2; "*"give the recorded kernel's file with --kallsyms or --vmlinux"* ]]
}

has_kernel_names() {
    grep -q '+0x.* (\[kernel.kallsyms\])$'
}

@test "the kernel's build-id is found under whatever name perf knew the kernel" {
    need all
    [ "$(awk '$1 !~ /^0*$/ { print; exit }' /proc/kallsyms)" ] || skip "no addresses in /proc/kallsyms"
    of_another_kernel name all named
    cmp <(perf-script -q all) <(perf-script -q named)
    of_another_kernel id all other
    has_no_kernel_names other 'is of another kernel than the recorded one'
    of_another_kernel name other other
    has_no_kernel_names other 'is of another kernel than the recorded one'
}

@test "without a build-id the kernel's release, start and end decide whose names it gets" {
    need nameless nameless.pipe
    [ "$(awk '$1 !~ /^0*$/ { print; exit }' /proc/kallsyms)" ] || skip "no addresses in /proc/kallsyms"
    local name other='is of another kernel or boot than the recording, which has no build-id of its kernel'
    for name in nameless nameless.pipe; do
        try perf-script "$name"
        [ "$status" -eq 0 ]
        has_kernel_names <<< "$output"
        [[ $stderr != *"the kernel's functions"* ]]
        of_another_kernel release $name other
        has_no_kernel_names other 'is of another kernel than the recorded one'
        of_another_kernel boot $name other
        has_no_kernel_names other "$other"
        of_another_kernel end $name other
        has_no_kernel_names other "$other"
        perf-script -q --as-perf other > ours
        has_kernel_names < ours
    done
}

@test "an address past the end of the code, of the kernel or of a program, has no name" {
    need ended.data
    local end kernel_end
    end=$(nm ended | awk '$3 == "etext" { print $1 }')
    kernel_end=$(awk '$3 == "_etext" && $1 !~ /^0*$/ { print $1 }' /proc/kallsyms)
    [ -n "$kernel_end" ] || skip "no addresses in /proc/kallsyms"
    # The last samples get addresses of the user's and the kernel's, which stand at their start.
    python3 -c '
import struct, sys
data = bytearray(open("ended.data", "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
end, samples = at + size, []
while at < end:
    kind, misc, size = struct.unpack_from("<IHH", data, at)
    samples += [at] * (kind == 9)
    at += size
for at, mode, address in zip(samples[-2:], (2, 1), sys.argv[1:]):
    struct.pack_into("<H", data, at + 4, mode)
    struct.pack_into("<Q", data, at + 8, int(address, 16) + 2)
open("past", "wb").write(data)' "$end" "$kernel_end"
    try perf-script past
    [ "$status" -eq 0 ]
    [[ $output == *" _start+0x"*" ($PWD/ended)"* ]]
    same "$(printf '%s\n' "$(hex_plus_2 "$end") [unknown] ($PWD/ended)" "$(hex_plus_2 "$kernel_end") [unknown] ([kernel.kallsyms])" | sort)" \
        "$(grep -oE '[0-9a-f]+ \[unknown\].*' <<< "$output" | sort)"
    equal_to_perf past
    grep -q ' etext+0x2 ' ours
    grep -q ' _etext+0x2 ' ours
}

hex_plus_2() { # NUMBER
    printf %x $((0x$1 + 2))
}

@test "a --vmlinux that is not there, not an ELF file, or not the recorded kernel's is reported" {
    need all
    local file
    for file in nowhere other.c /bin/sh; do
        try perf-script --vmlinux $file all
        if [ $file = nowhere ]; then [ "$status" -eq 1 ]; else [ "$status" -eq 0 ]; fi
        [[ $output == *' [unknown] ([kernel.kallsyms])'* ]]
        [[ $stderr == *"perf-script: the kernel's functions have no names: $file: "* ]]
    done
}

@test "a --symfs that is not a folder is an error, and the samples are printed all the same" {
    need chain
    try perf-script --symfs nowhere chain
    [ "$status" -eq 1 ]
    [[ $output == *cpu-clock* ]]
    [[ $stderr == "perf-script: nowhere: No such file or directory"* ]]
}

@test "a --kallsyms or --vmlinux that is not there is an error, also where no sample is in the kernel" {
    local option
    for option in --kallsyms --vmlinux; do
        try perf-script $option nowhere "$DATA/two-events.data"
        [ "$status" -eq 1 ]
        [[ $output == *page-faults* ]]
        [[ $stderr == "perf-script: nowhere: No such file or directory"* ]]
    done
}

# ---- the input

@test "-i and --input name a file as an operand does" {
    need chain plain
    perf-script -q chain > wanted
    for option in "-i chain" "--input chain" "--input=chain"; do
        # shellcheck disable=SC2086 # two words
        try perf-script -q $option
        [ "$status" -eq 0 ]
        same "$(cat wanted)" "$output"
    done
    cmp <(perf-script -q chain plain) <(perf-script -q -i chain -i plain)
    cmp wanted <(perf-script -q < chain)
    cmp wanted <(perf-script -q - < chain)
}

@test "without a file, at a terminal, perf.data in the current folder is read" {
    need chain
    command -v script > /dev/null || skip "no script(1)"
    mkdir -p current
    cp chain current/perf.data
    cd current
    script -qec 'perf-script -q > out' /dev/null > /dev/null < /dev/null
    cmp out <(perf-script -q ../chain)
}

# ---- what is not read

@test "a recording of perf's first format is read as one of the second" {
    need chain
    { printf PERFFILE; tail -c +9 chain; } > first
    try perf-script -q first
    [ "$status" -eq 0 ]
    same "$(perf-script -q chain)" "$output"
    try stackcollapse first
    [ "$status" -eq 1 ]
    same '' "$output"
    same "stackcollapse: first is perf's binary recording; run: perf-script first | stackcollapse" "$stderr"
    cp first 'a name of words'
    try stackcollapse 'a name of words'
    same "stackcollapse: a name of words is perf's binary recording; run: perf-script FILE | stackcollapse" "$stderr"
}

@test "a recording of a machine of the other byte order is refused with the remedy" {
    need chain
    { printf 2ELIFREP; tail -c +9 chain; } > other-order
    try perf-script other-order
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same "perf-script: other-order: was recorded on a machine of the other byte order: run perf script there" "$stderr"
}

@test "a compressed recording is printed as perf prints it, from a file and from a pipe" {
    need packed
    command -v zstd > /dev/null || skip 'no zstd'
    equal_to_perf packed
    perf record -q -z -o - -e cpu-clock -F 999 -- seq 100000 > packed.pipe 2> /dev/null || skip 'perf does not compress a pipe'
    perf script -i - < packed.pipe > theirs 2> /dev/null
    perf-script -q - < packed.pipe > ours
    same "$(cat theirs)" "$(cat ours)"
}

@test "records of the type COMPRESSED2 say how much of them is compressed" {
    need packed
    command -v zstd > /dev/null || skip 'no zstd'
    command -v python3 > /dev/null || skip 'no python3'
    perf record -q -z -o - -e cpu-clock -F 999 -- seq 100000 > packed.pipe 2> /dev/null || skip 'perf does not compress a pipe'
    python3 - << 'END'
import struct
data = open('packed.pipe', 'rb').read()
out, at = bytearray(data[:16]), 16
while at < len(data):
    kind, misc, size = struct.unpack_from('<IHH', data, at)
    record = data[at:at + size]
    if kind == 81:
        body = struct.pack('<Q', size - 8) + record[8:] + bytes(-size % 8)
        if len(body) + 8 < 65536:
            record = struct.pack('<IHH', 83, misc, len(body) + 8) + body
    out += record
    at += size
open('packed2.pipe', 'wb').write(out)
END
    perf-script -q - < packed.pipe > before
    perf-script -q - < packed2.pipe | cmp before -
}

@test "a compressed recording that is cut, or that cannot be decompressed here, is reported" {
    need packed
    command -v zstd > /dev/null || skip 'no zstd'
    local start size
    read -r start size < <(od -An -tu8 -j40 -N16 packed) # of the data
    head -c $((start + size / 2)) packed > half
    try perf-script half
    [ "$status" -eq 1 ]
    [[ $stderr == *"perf-script: half: at byte "* ]]
    mkdir -p empty-path
    try env PATH="$PWD/empty-path" "$BIN/perf-script" packed
    [ "$status" -eq 1 ]
    [[ $stderr == *"perf-script: packed: at byte "*": the records are compressed by zstd, which cannot be run here: install it, or record without -z"* ]]
}

@test "a recording that is a folder, or a file in it, is refused with the remedy" {
    need folder/data
    try perf-script folder
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same "perf-script: folder: Is a directory: if perf record --threads made it, record without" "$stderr"
    try perf-script folder/data
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same "perf-script: folder/data: is one of several files: record without --threads" "$stderr"
}

@test "copied stacks are unwound: the samples have callers in user code, without a word about perf" {
    need dwarf
    try perf-script dwarf
    [ "$status" -eq 0 ]
    [[ $stderr != *'perf script'* ]]
    perf-script -q -G dwarf > leaves
    [ "$(grep -c $'^\t' <<< "$output")" -gt "$(grep -c . leaves)" ]
}

@test "a missing file, an empty one and one that is cut are each reported" {
    need chain
    try perf-script nowhere
    [ "$status" -eq 1 ]
    same "perf-script: nowhere: No such file or directory" "$stderr"
    head -c 50 chain > short
    try perf-script short
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same "perf-script: short: at byte 50: the file ends inside its header" "$stderr"
    head -c "$(($(stat -c %s chain) * 3 / 4))" chain > short
    try perf-script short chain
    [ "$status" -eq 1 ]
    [[ $stderr == *"perf-script: short: "* ]]
    [[ $output == *"$(perf-script -q chain)"* ]]
}
