#!/usr/bin/env bats
# stackcollapse --latency and stackreport --latency of a program that measures itself when it ran.
load ../lib

setup_file() {
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o "$BATS_FILE_TMPDIR/parts" \
        "$ROOT/tests/record/app/parts.c"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export HOME=$PWD # where perf keeps its copies of binaries
}

# The percent of all time in the two parts that are of the first: as measured, in folded text, in a table.
measured_share() {
    awk 'END { print 100 * $1 / ($1 + $2) }' measured
}
folded_share() { # PERFTEXT
    stackcollapse -q --latency --no-comm "$1" | awk '/serial/ { one += $NF } /parallel/ { two += $NF } END { print 100 * one / (one + two) }'
}
table_share() { # PERFTEXT
    stackreport -q --latency --format=tsv "$1" |
        awk -F '\t' '$6 == "serial" { one = $3 } $6 == "parallel" { two = $3 } END { print 100 * one / (one + two) }'
}

# Fails if the two differ by more than 5 points, and shows by how much. Of 2,000 samples the standard error is 0.7 points.
near() { # PERCENT WANTED
    awk -v n="$1" -v wanted="$2" 'BEGIN { off = n - wanted; print n, "wanted", wanted; exit off > 5 || off < -5 }'
}

# Records the program with its 90 % and 10 % of the time, and makes its perf script text. Passes if the shares are those
# that the program measured: of a machine with other work the two parts do not get the same.
shares_hold() { # FUNCTION-THAT-RECORDS
    "$1" "$BATS_FILE_TMPDIR/parts" 1800 200 2>measured || return
    near "$(folded_share text)" "$(measured_share)" && near "$(table_share text)" "$(measured_share)"
}

as_text() { stackrecord -q -F 1000 -- "$@" >text; }
as_file() { stackrecord -q -F 1000 -o data -- "$@" && perf-script -q data >text; }
as_wall() { stackrecord -q -F 1000 --wall -- "$@" >text; }
with_perf() { perf record -q -F 1000 -g -o data -- "$@" >/dev/null && perf script -i data >text 2>/dev/null; }

@test "of a part that one thread runs and one that 16 run, each counts what it takes of the time" {
    needs_recorder
    shares_hold as_text
    shares_hold as_file
}

@test "so does each in a recording of what runs and what waits" {
    stackrecord -q --wall -- true >/dev/null 2>refused || needs_recording refused
    shares_hold as_wall
}

@test "so does each in a recording of perf, by its own text" {
    perf record -q -g -o data -- true >/dev/null 2>&1 || skip 'no perf, or it cannot record'
    shares_hold with_perf
}
