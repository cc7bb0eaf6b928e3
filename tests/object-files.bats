# Object files that were made to cost time and memory, or that change while they are read.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# Makes an object file, and a recording of one process with so many addresses in it, or in each of its names.
make_object() { # KIND BYTES ADDRESSES [NAME...]
    python3 "$ROOT/tests/record/elf.py" "$1" "$2" > object
    python3 "$ROOT/tests/record/stream.py" files "$3" "${@:4}" > data
}

# Runs it with a limit of memory and a generous one of time.
bounded() { # KB SECONDS COMMAND...
    local kb=$1 seconds=$2
    shift 2
    (ulimit -v "$kb" && exec timeout "$seconds" "$@" > out 2> said)
}

# Reads an object file of a kind, and of a quarter of it, and looks many addresses up. The memory is that of 64 MB and
# 8 times the input.
worst() { # KIND
    local bytes
    for bytes in 1000000 4000000; do
        make_object "$1" "$bytes" $((bytes / 25)) "$PWD/object"
        # The address space of an idle process has some 10 MB more.
        bounded $((75000 + 8 * (bytes + $(wc -c < data)) / 1000)) $((bytes / 125000)) perf-script -q data
        [ "$(grep -c . out)" -gt $((bytes / 25)) ]
        same '' "$(cat said)"
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

@test "a program under 600 names is read once" {
    local names=() i
    mkdir names
    make_object start 4000000 0
    for ((i = 0; i < 600; i++)); do
        ln object "names/$i"
        names+=("$PWD/names/$i")
    done
    python3 "$ROOT/tests/record/stream.py" files 1 "${names[@]}" > data
    bounded 160000 20 perf-script -q data
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
    bounded 1000000 30 perf-script -q data
    [ "$(grep -c '/names/[0-9]*)$' out)" -eq 60 ]
}

@test "names of a file that is cut after its symbols were read are missing, and the message says why" {
    make_object nested 1000000 4000 "$PWD/object"
    local half=$(($(wc -c < data) / 2))
    mkfifo in
    perf-script < in > out 2> said &
    exec 4> in
    head -c "$half" data >&4
    until grep -q '(/.*/object)$' out; do sleep 0.02; done
    truncate -s 100000 object
    tail -c +$((half + 1)) data >&4
    exec 4>&-
    wait $!
    [ "$(grep -c ' [0-9]*+0x.*/object)$' out)" -gt 100 ]
    [ "$(grep -c ' \[unknown\] (.*/object)$' out)" -gt 100 ]
    [ "$(grep -c '/object)$' out)" -eq 4000 ]
    grep -q '/object: was changed while it was read; some or all of its functions have no names' said
}
