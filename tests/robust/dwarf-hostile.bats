# Debug information that was made to take time or memory. What it takes is bounded: the limits below are
# ten times what any of these files takes.
load ../lib
load within

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    command -v python3 > /dev/null || skip 'no python3 to make the files'
}

# Looks addresses up in such a file, and prints how long the longest stack is. Of the addresses sanitized programs, which
# take several times as long, get a fiftieth: they look for mistakes, not for time.
look_up() { # KIND [ADDRESSES]
    local addresses=${2-1}
    [ -z "${SAN-}" ] || addresses=$(((addresses + 49) / 50))
    python3 "$ROOT/tests/robust/hostile/dwarf.py" "$1" file
    for ((i = 0; i < addresses; i++)); do
        printf 'program 1 1.0: 1 cycles:\n\t%x f+0x%x (%s/file)\n\n' $((0x1800 + 16 * i)) $((0x800 + 16 * i)) "$PWD"
    done > text
    within 1000 40 stackcollapse --inline text
    rm -f file file.dwo
    [ "$status" -eq 0 ]
    same '' "$(grep -i memory <<< "$stderr" || true)"
    awk -F';' 'NF > n { n = NF } END { print n }' out
}

@test "sections that claim gigabytes in a sparse file are not read" {
    for kind in info aranges lines ranges; do
        look_up $kind
    done
}

@test "compressed sections that were made to fill memory are not unpacked" {
    look_up bomb
}

@test "a compressed section of blocks that stand for nothing is given up at once, and the message says so" {
    python3 "$ROOT/tests/robust/hostile/dwarf.py" blocks file
    printf 'program 1 1.0: 1 cycles:\n\t1800 f+0x800 (%s/file)\n\n' "$PWD" > text
    within 1000 3 stackcollapse --inline text
    [ "$status" -eq 0 ]
    same 'program;f 1' "$(<out)"
    same "stackcollapse: $PWD/file: its debug information is damaged, or compressed as no compressor does it; inlined calls are missing or have no names" "$stderr"
}

@test "tables that overlap, lists and programs that many share, and entries of many attributes take a limited time" {
    look_up tables 100
    look_up attributes
    look_up shared 200
    look_up fields
}

@test "a large file of split DWARF that each unit names is not opened for all of them" {
    look_up split 1000
}

@test "types are found among any number of type units" {
    look_up types 100
}

@test "calls inlined into each other without end are left out" {
    [ "$(look_up inlined)" -lt 300 ]
}
