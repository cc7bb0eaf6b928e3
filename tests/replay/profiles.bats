# Profiles of node programs that are kept: what is measured twice is found to be the same, and what got slower is found.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$DATA"/replay/{slower,profilers,latency}/*.gz .
    gunzip ./*.gz
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

@test "of three pairs of runs of one program, none differs by more than chance" {
    local i
    for i in 1 2 3; do
        try stackdiff --max-growth=5 "before$i.folded" "after$i.folded"
        echo "$stderr"
        [ "$status" -eq 0 ]
    done
}

@test "with three profiles of each side, both answers are right, and the table has the function first" {
    try stackdiff --max-growth=5 --before before?.folded --after after?.folded
    [ "$status" -eq 0 ]
    try stackdiff --max-growth=5 --format=table --before before?.folded --after slower?.folded
    [ "$status" -eq 1 ]
    [[ ${lines[1]} == *' >99.9%  hash '*';hash '* ]]
}

# The share of hot in percent, of the samples in hot and cold.
share() { # FOLDED
    awk '/;JS:[*~+^]?hot / { hot += $NF } /;JS:[*~+^]?cold / { cold += $NF }
        END { printf "%.1f\n", 100 * hot / (hot + cold) }' "$1"
}

@test "perf, V8's log and a CPU profile of the same run agree on the share of the hot function, within 3 points" {
    stackcollapse -q --weight=samples run.cpuprofile > samples.folded
    stackcollapse -q run.cpuprofile > microseconds.folded
    local shares=() file
    for file in perf v8 samples microseconds; do shares+=("$(share $file.folded)"); done
    echo "${shares[@]}"
    printf '%s\n' "${shares[@]}" | sort -n | awk 'NR == 1 { least = $1 } END { exit $1 - least > 3 || NR != 4 }'
}

# The percent of all time in the two parts that are of the first, in folded text and in a table.
folded_share() { # PERFTEXT
    stackcollapse -q --latency --no-comm "$1" | awk '/serial/ { one += $NF } /parallel/ { two += $NF } END { print 100 * one / (one + two) }'
}
table_share() { # PERFTEXT
    stackreport -q --latency --format=tsv "$1" |
        awk -F '\t' '$6 == "serial" { one = $3 } $6 == "parallel" { two = $3 } END { print 100 * one / (one + two) }'
}

# It measured itself; of 500 samples the standard error is 1.4 points.
@test "of a part that one thread runs and one that 16 run, each counts what it takes of the time, in any recording" {
    local one two name
    for name in running wall perf; do
        read -r one two
        printf '%s\n' "$name $one $two $(folded_share $name.perf.txt) $(table_share $name.perf.txt)"
    done < "$DATA/replay/latency/measured" > shares
    cat shares
    awk '{ wanted = 100 * $2 / ($2 + $3); for (i = 4; i < 6; i++) { off = $i - wanted; wrong += off > 3 || off < -3 } }
        END { exit wrong > 0 || NR != 3 }' shares
}
