# The kernel's names in recordings of perf: /proc/kallsyms has them if the recording is from this
# kernel and this boot.
load ../lib

setup_file() {
    export HOME=$BATS_FILE_TMPDIR PERF_CONFIG=/dev/null
    cd "$HOME" || return
    local kernel='head -c 400000000 /dev/zero > /dev/null' # takes time in the kernel, however busy the machine is
    perf record -q -e cpu-clock -F 499 -a -g -o all -- sh -c "$kernel" 2> why || return 0
    perf record -q -B -e cpu-clock -F 499 -a -g -o nameless -- sh -c "$kernel" 2> why
    perf record -q -e cpu-clock -F 499 -a -g -o - -- sh -c "$kernel" > nameless.pipe 2> why
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
    [ -s all ] || skip "perf may not record this: $(head -n 1 why)"
    [ "$(awk '$1 !~ /^0*$/ { print; exit }' /proc/kallsyms)" ] || skip "no addresses in /proc/kallsyms"
}

# Changes a recording: the kernel's name or build-id in its list, its release, or its addresses.
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

# Fails unless no function of the kernel has a name, and one message explains why.
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
    of_another_kernel name all named
    cmp <(perf-script -q all) <(perf-script -q named)
    of_another_kernel id all other
    has_no_kernel_names other 'is of another kernel than the recorded one'
    of_another_kernel name other other
    has_no_kernel_names other 'is of another kernel than the recorded one'
}

@test "without a build-id the kernel's release, start and end decide whose names it gets" {
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
