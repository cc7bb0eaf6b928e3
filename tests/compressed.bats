#!/usr/bin/env bats
# Input that is compressed with gzip, bzip2, xz or zstd, of every program.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    TOOLS=(gzip bzip2 xz zstd)
    zcat "$DATA/shell-pipe.perf.txt.gz" >text
    stackcollapse -q text >folded
}

# A program gives the same for a file, and for the file compressed with each tool: by name, as standard input, and
# through a pipe that brings a few bytes first.
reads() { # FILE COMMAND ...
    local file=$1 tool wanted
    shift
    wanted=$("$@" "$file")
    [ -n "$wanted" ]
    for tool in "${TOOLS[@]}"; do
        $tool -c "$file" >packed
        answers 0 "$wanted" '*' "$@" packed
        answers 0 "$wanted" '*' "$@" - <packed
        prints "$wanted" "$@" - < <(head -c 3 packed; tail -c +4 packed)
    done
}

@test "stackcollapse unpacks perf script text and folded stacks" {
    reads text stackcollapse -q
    reads folded stackcollapse -q
}

@test "stackfilter unpacks perf script text and folded stacks" {
    reads text stackfilter -q --drop=main
    reads folded stackfilter -q --drop=main
}

@test "perf-script unpacks perf script text" {
    reads text perf-script -q --comm=awk
    reads text perf-script -q --time=10%,30%
}

@test "perf-script unpacks perf.data, that of a file and that of a pipe" {
    reads "$DATA/two-events.data" perf-script -q
    reads "$DATA/two-events.data" perf-script -q --time=0%,50%
    reads "$DATA/tracepoints.pipe.data" perf-script -q
}

@test "stackreport unpacks perf script text and folded stacks" {
    reads text stackreport -q
    reads folded stackreport -q
}

@test "flamesvg unpacks folded stacks" {
    reads folded flamesvg -q
}

@test "stackdiff unpacks either file" {
    sed 's/ /;more /' folded >after
    reads folded stackdiff -q after
    xz -c after >after.xz
    same "$(stackdiff folded after)" "$(stackdiff folded after.xz)"
}

@test "flamepipe draws compressed recordings, perf script text and folded stacks" {
    local file
    for file in text folded "$DATA/two-events.data"; do
        flamepipe -q --title=x --output=plain.svg "$file"
        zstd -qc "$file" >packed
        answers 0 '*' '' flamepipe -q --title=x --output=packed.svg packed
        cmp plain.svg packed.svg
    done
}

@test "several files may be compressed in different ways, or not at all" {
    gzip -c folded >one
    zstd -qc folded >two
    prints "$(stackcollapse folded folded folded)" stackcollapse -q one folded two
}

@test "the members of a gzip file are read one after the other, as cat joins them" {
    { echo 'a;b 1' | gzip; echo 'a;c 2' | gzip; } >in
    prints $'a;b 1\na;c 2' stackcollapse in
    prints $'a;b 1\na;c 2' stackcollapse < <(cat in)
}

@test "of compressed data that are cut what could be unpacked is read, and the place is reported" {
    local tool
    seq 200000 | awk '{ print "main;f" $1 * 7919 % 99991, $1 }' >long
    for tool in "${TOOLS[@]}"; do
        $tool -c long | head -c 400000 >short
        try stackcollapse -q --strict short
        [ "$status" -eq 1 ]
        [ "$(wc -l <<<"$output")" -gt 1000 ]
        [[ $stderr =~ ^"stackcollapse: short:"([0-9]+)": $tool ended with status "[12]": the file is damaged or was cut, and is read up to here"$ ]]
        head -n "$((BASH_REMATCH[1] - 1))" long | stackcollapse -q >wanted
        same "" "$(comm -23 wanted <(echo "$output") | head -n 5)"
        try stackcollapse -q < <(cat short)
        [ "$status" -eq 1 ]
        [[ $stderr == "stackcollapse: standard input:"*": $tool ended with status "[12]": "* ]]
    done
}

@test "of a compressed recording that is cut what could be unpacked is read, and that is reported once" {
    gzip -c "$DATA/tracepoints.pipe.data" | head -c 2500 >short
    try perf-script short
    [ "$status" -eq 1 ]
    same 1 "$(grep -c '^perf-script: short: gzip ended with status 1: the file is damaged' <<<"$stderr")"
    try perf-script --time=0%,100% short
    [ "$status" -eq 1 ]
    same 1 "$(grep -c '^perf-script: short: gzip ended with status 1: the file is damaged' <<<"$stderr")"
}

@test "a tool that is not installed is named, and the other files are read" {
    local tool
    for tool in "${TOOLS[@]}"; do
        $tool -c folded >packed
        answers 1 "$(cat folded)" \
            "stackcollapse: packed: compressed: $tool, which unpacks it, cannot be run: No such file or directory" \
            env PATH=/nonexistent "$BIN/stackcollapse" -q packed folded
        answers 1 '*' "stackcollapse: standard input: compressed: $tool, which unpacks it, cannot be run: *" \
            env PATH=/nonexistent "$BIN/stackcollapse" -q < <(cat packed)
    done
}

@test "a compressed file of nothing is an empty input" {
    local tool
    : >empty
    for tool in "${TOOLS[@]}"; do
        $tool -c empty >packed
        answers 0 '' 'stackcollapse: no samples in the input' stackcollapse packed
    done
}

@test "a file that is compressed twice is refused with what to do" {
    gzip -c folded | xz -c >packed
    answers 1 "$(cat folded)" 'stackcollapse: packed: compressed twice: unpack it once with xzcat' \
        stackcollapse packed folded
}

@test "a small file that unpacks to a large one is read in little memory" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    yes 'main;parse 1' | head -n 10000000 | gzip -1c >packed
    [ "$(wc -c <packed)" -lt 1000000 ]
    prints 'main;parse 10000000' bash -c 'ulimit -v 50000 && exec "$@"' bash stackcollapse packed
}

@test "a parent that ignores the end of its children changes nothing" {
    gzip -c folded >packed
    prints "$(cat folded)" python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])' stackcollapse packed
}

@test "under the scripts' names compressed input is an error, as before" {
    gzip -c folded >packed
    try "$COMPAT/flamegraph.pl" packed
    same "flamegraph.pl: packed: compressed: unpack it with zcat" "$(head -n 1 <<<"$stderr")"
    try "$COMPAT/stackcollapse-perf.pl" packed
    [ -z "$output" ]
    same "stackcollapse-perf.pl: packed: compressed: unpack it with zcat" "$stderr"
    bzip2 -c folded >packed
    try "$COMPAT/difffolded.pl" packed folded
    [[ $stderr == *"packed: compressed: unpack it with bzcat"* ]]
}
