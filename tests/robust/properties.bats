# Properties of the programs on generated inputs: tests/robust/property. PROPERTY_CASES multiplies how many there are of
# each, PROPERTY_SEED gives others: PROPERTY_CASES=100 PROPERTY_SEED=7 bats tests/robust/properties.bats
load ../lib

setup() {
    command -v python3 >/dev/null || skip 'no python3'
}

# Programs with sanitizers take ten times as long to start, and get a tenth of the cases.
holds() { # CASES PROPERTY...
    local cases=$(($1 * ${PROPERTY_CASES:-1}))
    [ -z "${SAN-}" ] || cases=$((cases / 10))
    try python3 -B "$ROOT/tests/robust/property/run.py" --seed "${PROPERTY_SEED:-1}" --cases "$cases" "${@:2}"
    echo "$output"
    same '' "$stderr"
    [ "$status" -eq 0 ]
}

@test "samples in = samples out + samples reported, in stackcollapse with its options" {
    holds 300 total-collapse
}

@test "the same in stackreport, with each grouping" {
    holds 300 total-report
}

@test "the same in stackfilter, with each option that drops frames or samples" {
    holds 250 total-filter
}

@test "the same in perf-script: the samples of each process, thread, command, CPU, event and time are all samples" {
    holds 80 total-select
}

@test "the same for folded stacks with fractions and two counts, in each program that reads them" {
    holds 200 total-folded
}

@test "a picture shows the sum of all counts" {
    holds 250 total-picture
}

@test "any order of samples gives the same bytes" {
    holds 120 order-samples order-filter order-stacks
}

@test "any order of the members of JSON gives the same bytes and messages" {
    holds 120 order-members
}

@test "samples in two files, and two profiles added up, give what they give in one" {
    holds 120 order-files
}

@test "stackdiff of two profiles is the mirror of that of the same in the other order" {
    holds 120 mirror
}

@test "a file, a pipe and single bytes are read alike, also where the input is damaged" {
    holds 250 reading
}

@test "stacks written in other formats are those that stackcollapse finds" {
    holds 200 formats
}

@test "what one program writes the others read with the same sums, and leave as it is" {
    holds 120 exchange-perf exchange-folds exchange-stacks
}

@test "a property that does not hold is reported with its seed, and its input is shrunk" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    # Loses the stacks with main.
    printf '#!/bin/sh\n"%s" "$@" | sed /main/d\n' "$BIN/stackcollapse" >"$BATS_TEST_TMPDIR/bin/stackcollapse"
    chmod 755 "$BATS_TEST_TMPDIR/bin/stackcollapse"
    BIN=$BATS_TEST_TMPDIR/bin answers 1 '*' '' python3 -B "$ROOT/tests/robust/property/run.py" --seed 3 total-collapse
    [[ $output = 'total-collapse: seed 3, case '*' fails: the sum is 0 and not '*$'\ninput, 1 units:\n'* ]]
    [ "$(grep -c "^    b'" <<<"$output")" -le 3 ]
}

# What the properties found, one test each.

@test "a process that is named like a comment does not hide from any program" {
    printf '# x 7/7 [000] 1.500000: 250 cycles: \n\t    1f2e f+0x1 (/bin/x)\n\n' >"$BATS_TEST_TMPDIR/in"
    cd "$BATS_TEST_TMPDIR"
    prints '#_x;f 1' stackcollapse in
    try stackreport --format=tsv in
    [[ $output = *$'\tf' ]]
    for program in perf-script stackfilter; do
        prints '# x *7/7*f+0x1*' $program in
    done
    prints '#_x;f 1' bash -c 'stackcollapse in | stackcollapse | stackfilter'
}

@test "the command line in perf's comments is no sample" {
    printf '# cmdline : x 7/7 [000] 1.500000: 250 cycles: \n#\n' >"$BATS_TEST_TMPDIR/in"
    answers 0 '' 'stackcollapse: no samples in the input' stackcollapse "$BATS_TEST_TMPDIR/in"
}

@test "a stack without frames, which sorts first, does not make folded stacks anything else" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'main;a 3' ' 4' >in
    prints $' 4\nmain;a 3' bash -c 'stackcollapse in | stackcollapse | stackcollapse'
    stackcollapse in >merged
    answers 0 $' 4\nmain;a 3' '*' stackfilter merged
    answers 0 '*"count":7,*' '*' stackreport --format=json merged
    printf '%s\n' ' 4 5.5' 'main;a 3 4' >two
    answers 0 "$(cat two)" '*' stackcollapse two
}

@test "what a file looks like does not depend on how its bytes arrive" {
    cd "$BATS_TEST_TMPDIR"
    printf '%0500d;a\nb;c 5\n' 0 >in
    try perf-script - <in
    [ "$status" -eq 1 ]
    [[ $stderr != *'looks like'* ]]
    local wanted=$stderr
    try bash -c "{ head -n 1 in; sleep 0.3; tail -n 1 in; } | perf-script"
    same "$wanted" "$stderr"
}

@test "samples are passed on at once, though what the file looks like is asked first" {
    cd "$BATS_TEST_TMPDIR"
    for program in perf-script stackfilter; do
        mkfifo pipe
        $program <pipe >out &
        exec 8>pipe
        printf '# a comment\nx 7/7 [000] 1.500000: 250 cycles: \n\t    1f2e f+0x1 (/bin/x)\n\nx 7/7 [000] 1.6: 1 cycles: \n' >&8
        soon grep -q 'f+0x1' out
        exec 8>&-
        wait $!
        rm pipe
    done
}
