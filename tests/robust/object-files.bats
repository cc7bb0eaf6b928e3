# Object files that were made to cost time and memory, or that change while they are read.
load ../lib
load within

# Makes an object file, and a recording of one process with so many addresses in it, or in each of its names.
make_object() { # KIND BYTES ADDRESSES [NAME...]
    python3 "$ROOT/tests/record/elf.py" "$1" "$2" > object
    python3 "$ROOT/tests/record/stream.py" files "$3" "${@:4}" > data
}

# Reads an object file of a kind, and of a quarter of it, and looks many addresses up. The memory is that of 64 MB and
# 8 times the input.
worst() { # KIND
    local bytes
    for bytes in 1000000 4000000; do
        make_object "$1" "$bytes" $((bytes / 25)) "$PWD/object"
        # The address space of an idle process has some 10 MB more.
        within $((75 + 8 * (bytes + $(wc -c < data)) / 1000000)) $((bytes / 125000)) perf-script -q data
        [ "$(grep -c . out)" -gt $((bytes / 25)) ]
        same '' "$stderr"
    done
}

@test "a hundred thousand functions whose names are parts of one long text" {
    worst overlap
}

@test "a hundred thousand functions that start at one address" {
    worst start
}

@test "functions inside each other" {
    worst nested
}

@test "functions in as many segments as Linux allows" {
    worst segments
}

@test "labels in a section with a long name" {
    worst labels
}

@test "a PLT whose entries have one long name, and one of functions that are chosen at run time" {
    worst plt
    worst ifuncs
}

@test "short names that are long when they are demangled" {
    worst mangled
}

@test "names that are too long when they are demangled stay as they are, and take no memory" {
    python3 "$ROOT/tests/record/elf.py" mangled 1000000 10 > object
    python3 "$ROOT/tests/record/stream.py" files 40000 "$PWD/object" > data
    within 84 8 perf-script -q data
    grep -q ' _Z8f0000009I1AIiiE.*+0x0 ' out
}

@test "a program under 600 names is read once" {
    local names=() i
    mkdir names
    make_object start 4000000 0
    for ((i = 0; i < 600; i++)); do
        ln object "names/$i"
        names+=("$PWD/names/$i")
    done
    python3 "$ROOT/tests/record/stream.py" files 1 "${names[@]}" > data
    within 160 20 perf-script -q data
    [ "$(grep -c ' 0000001+0x0 (/.*/names/[0-9]*)$' out)" -eq 600 ]
}

@test "the checksum that a debug link wants of a large file is computed once, however many names the program has" {
    local names=() i
    mkdir names
    printf 'int main(void) { return 0; }' | gcc -x c -Wl,--build-id=none -o program -
    objcopy --only-keep-debug program names/program.debug
    objcopy --strip-all --add-gnu-debuglink=names/program.debug program
    truncate -s 400M names/program.debug # takes no room on the disk
    for ((i = 0; i < 60; i++)); do
        ln program "names/$i"
        names+=("$PWD/names/$i")
    done
    python3 "$ROOT/tests/record/stream.py" files 1 "${names[@]}" > data
    within 1000 30 perf-script -q data
    [ "$(grep -c '/names/[0-9]*)$' out)" -eq 60 ]
}

# Writes a jitdump of so many pieces of code, 16 bytes each, from 0x10000000 on.
jitdump() { # COUNT
    python3 - "$1" << 'EOF'
import struct
import sys

out = sys.stdout.buffer
out.write(struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 0, 0))
for i in range(int(sys.argv[1])):
    name = b"code_%d\0" % i
    out.write(struct.pack("<IIQIIQQQQ", 0, 56 + len(name), 1, 7, 7, 0, 0x10000000 + 16 * i, 16, i) + name)
EOF
}

@test "a jitdump that many processes map by many names is read once, and names the code of the process that it is of" {
    local names=() i
    jitdump 50000 > jit-1050.dump
    for ((i = 0; i < 100; i++)); do
        ln -s . "$i"
        names+=("$PWD/$i/jit-1050.dump")
    done
    python3 "$ROOT/tests/record/stream.py" dumps 2 "${names[@]}" > data
    within 160 20 perf-script -q data
    same '2' "$(grep -A 2 '^jit  1050 ' out | grep -c 'code_[01]+0x0 (/.*/50/jitted-7-[01].so)$')"
    [ "$(grep -c '^jit ' out)" -eq 100 ]
}

@test "names of a file that is cut after its symbols were read are missing, and the message says why" {
    make_object nested 1000000 4000 "$PWD/object"
    local half=$(($(wc -c < data) / 2))
    mkfifo in
    perf-script < in > out 2> said &
    exec 4> in
    head -c "$half" data >&4
    soon grep -q '(/.*/object)$' out
    truncate -s 100000 object
    tail -c +$((half + 1)) data >&4
    exec 4>&-
    wait $!
    [ "$(grep -c ' [0-9]*+0x.*/object)$' out)" -gt 100 ]
    [ "$(grep -c ' \[unknown\] (.*/object)$' out)" -gt 100 ]
    [ "$(grep -c '/object)$' out)" -eq 4000 ]
    grep -q '/object: was changed while it was read; some or all of its functions have no names, lines or callers' said
}
