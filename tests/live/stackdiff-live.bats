# stackdiff on recordings of a Node program, made here: a function that got slower is found, and the difference between
# two runs of one program is not taken for growth. tests/record/slower.sh does the same for many pairs.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    export HOME=$BATS_FILE_TMPDIR
    cp "$ROOT/tests/record/app/slower.js" .
    stackrecord -q -- true >out 2>why || true
    if command -v node >where && [ ! -s why ]; then
        record_all
    fi
}

# The samples of one run of the program. What depends on what else the machine does is left out: the kernel's interrupts, and
# the start of node, which on a busy machine takes 7 points more of such short runs.
record() { # NAME FACTOR
    stackrecord -q -F 1999 -e cpu-clock:u -o "$1.data" -- \
        node --perf-basic-prof --interpreted-frames-native-stack slower.js "$2" 500 >out
    perf-script -q "$1.data" >text
    stackfilter --node -q --focus 'slower\.js:1:1' text | stackcollapse -q >"$1.folded"
    remove_maps <text
}

record_all() {
    local i
    for i in 1 2 3; do
        record "before$i" 1
        record "after$i" 1
        record "slower$i" 3
    done
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    command -v node >where || skip 'no node on this machine'
    needs_recording why
}

@test "of three pairs of runs, a function made three times as slow is found in each" {
    local i
    for i in 1 2 3; do
        try stackdiff --max-growth=5 "before$i.folded" "slower$i.folded"
        echo "$stderr"
        [ "$status" -eq 1 ]
        [[ $stderr == *': hash '* ]]
    done
}

@test "of three pairs of runs of one program, at most one differs by more than chance" {
    local i wrong=0
    for i in 1 2 3; do
        try stackdiff --max-growth=5 "before$i.folded" "after$i.folded"
        echo "$stderr"
        wrong=$((wrong + status))
    done
    [ "$wrong" -le 1 ]
}

@test "with three profiles of each side, both answers are right, and the table has the function first" {
    try stackdiff --max-growth=5 --before before?.folded --after after?.folded
    echo "$stderr"
    [ "$status" -eq 0 ]
    try stackdiff --max-growth=5 --format=table --before before?.folded --after slower?.folded
    echo "$output"
    [ "$status" -eq 1 ]
    [[ ${lines[1]} == *' >99.9%  hash '*';hash '* ]]
}
