#!/usr/bin/env bats
# Input that stands for far more than its own length, or is made to take long: the memory and time that it may take.
load ../lib
load within

# Folds the file "in" in the memory, in MB, that is given; $size is how many bytes were printed.
bounded() { # MB [PROGRAM]
    within "$1" 20 "${2-stackcollapse}" in
    [ "$status" -eq 0 ]
    size=$(wc -c <out)
}

@test "a CPU profile with a sample at each call of a deep chain is folded in memory of its own length" {
    awk 'BEGIN {
        n = 12000
        printf "{\"nodes\":["
        for (i = 1; i <= n; i++)
            printf "%s{\"id\":%d,\"callFrame\":{\"functionName\":\"f\"},\"children\":[%d]}", (i == 1 ? "" : ","), i, i + 1
        printf "],\"samples\":["
        for (i = 1; i <= n; i++)
            printf "%s%d", (i == 1 ? "" : ","), i
        printf "],\"timeDeltas\":["
        for (i = 1; i <= n; i++)
            printf "%s1", (i == 1 ? "" : ",")
        print "]}"
    }' >in
    bounded 50
    [ -z "$stderr" ]
    same $((12000 * 12003)) "$size"
}

@test "events of speedscope that open ever more frames, and close what is not open, are folded in linear memory and time" {
    awk 'BEGIN {
        n = 10000
        printf "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"f\"}]},"
        printf "\"profiles\":[{\"type\":\"evented\",\"unit\":\"none\",\"events\":["
        for (i = 0; i < n; i++)
            printf "{\"type\":\"O\",\"frame\":0,\"at\":%d},", i
        for (i = 0; i < 10 * n; i++)
            printf "{\"type\":\"C\",\"frame\":1,\"at\":%d},", n
        print "{\"type\":\"C\",\"frame\":0,\"at\":10000}]}]}"
    }' >in
    bounded 50
    [[ $stderr == *'in: frames that are not closed: 9,999, taken to end with their profile'* ]]
    [[ $stderr == *'10,000 samples, 100,000 lines skipped'* ]]
    same $((10000 * 10003)) "$size"
}

@test "nested events and calls under the scripts' names are folded in linear memory" {
    local n=10000
    awk -v n=$n 'BEGIN {
        print "Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-16 10:00:00.625741]"
        for (i = 0; i < n; i++)
            printf "%d\t%d\t0\t%d.5\t1\tf\t1\n", i + 1, i, i
    }' >in
    bounded 50 "$COMPAT/stackcollapse-xdebug.php"
    same $((n * (n - 1) + (n - 1) * 8)) "$size"
    awk -v n=$n 'BEGIN {
        printf "{\"traceEvents\":["
        for (i = 0; i < n; i++)
            printf "%s{\"pid\":1,\"tid\":1,\"ts\":%d,\"ph\":\"X\",\"dur\":%d,\"name\":\"f\"}", (i == 0 ? "" : ","), i, 2 * (n - i)
        print "]}"
    }' >in
    bounded 50 "$COMPAT/stackcollapse-chrome-tracing.py"
    same $((n * (n + 1) + n * 4)) "$size"
}

@test "a pprof location of many inlined calls that many frames refer to is kept once, and cut at 256 calls" {
    "$ROOT/tests/record/pprof.py" inlined >in
    [ "$(wc -c <in)" -lt 40000 ]
    bounded 50
    [[ $stderr =~ ^'stackcollapse: in: at byte '[0-9]+': a location of more than 256 functions: the outermost are cut'$ ]]
    # a location is [cut], 255 times f, and leaf: 5 + 255 * 2 + 4 bytes, with what separates them
    same $((5000 * (6 + 255 * 2 + 5) - 1 + 3)) "$size"
    "$ROOT/tests/record/pprof.py" crossed >in
    bounded 50
    [ -z "$stderr" ]
    try stackcollapse in
    same 4 "$(wc -l <<<"$output")"
    same '2500 2500 2500 2500' "$(awk '{ print $NF }' <<<"$output" | xargs)"
}

@test "a backtrace of xctrace that rows of many processes refer to is kept once" {
    awk 'BEGIN {
        print "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node><row><backtrace id=\"2\"><frame id=\"3\" name=\"f\"/>"
        for (i = 1; i < 10000; i++)
            printf "<frame ref=\"3\"/>"
        print "</backtrace></row>"
        for (i = 0; i < 3000; i++)
            printf "<row><process fmt=\"p%04d\"></process><backtrace ref=\"2\"/></row>\n", i
        print "</node></trace-query-result>"
    }' >in
    bounded 50
    same $((20002 + 3000 * 20008)) "$size"
}

@test "a long name that a stack has often is not multiplied in memory" {
    awk 'BEGIN {
        printf "{\"code\":[{\"type\":\"CPP\",\"name\":\""
        for (i = 0; i < 100000; i++)
            printf "x"
        printf "\"}],\"functions\":[],\"ticks\":[{\"tm\":1,\"vm\":0,\"s\":[0,1"
        for (i = 1; i < 2000; i++)
            printf ",0,1"
        print "]}],\"scripts\":[]}"
    }' >in
    bounded 50
    same $((7 + 2000 * 100001 + 2)) "$size"
}

@test "of a CPU profile whose nodes call each other in a circle the samples are reported, and the others count" {
    cat >in <<'END'
{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}, "parent": 2},
           {"id": 2, "callFrame": {"functionName": "b"}, "parent": 3},
           {"id": 3, "callFrame": {"functionName": "c"}, "parent": 2},
           {"id": 4, "callFrame": {"functionName": "good"}}],
 "samples": [1, 4, 2, 3, 4], "timeDeltas": [1, 1, 1, 1, 1]}
END
    try stackcollapse in
    [ "$status" -eq 0 ]
    same 'good 2' "$output"
    same 'stackcollapse: in: samples of nodes whose callers are called by them, left out: 3' "$stderr"
}

@test "an empty CPU profile after another is not said to have no time deltas" {
    echo '{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}}], "samples": [1], "timeDeltas": [7]}' >good
    echo '{"nodes": [{"id": 1, "callFrame": {"functionName": "a"}}], "samples": [], "timeDeltas": []}' >empty
    try stackcollapse good empty
    [ "$status" -eq 0 ]
    same 'a 7' "$output"
    [ -z "$stderr" ]
}

@test "ampersands in XML that begin no entity take no longer than other text, and entities are decoded" {
    local marks
    marks=$(head -c 900000 /dev/zero | tr '\0' '&')
    cat >in <<END
<trace-query-result><row><process fmt="$marks"/>
<backtrace><frame name="a&lt;&#x00000042;&gt;&nothing;&amp"/></backtrace></row></trace-query-result>
END
    within 100 3 stackcollapse in
    [ "$status" -eq 0 ]
    same ';a<B>nothing:amp 1' "$(tr -d '&' <out)"
}

# 17 MB of the byte a.
long() {
    head -c 17000000 /dev/zero | tr '\0' a
}

# Runs a program with the file "in" and little memory beside a line of 16 MB.
with_long_lines() { # PROGRAM ARGUMENT...
    within 80 20 "$@"
    output=$(<out)
}

@test "a line of more than 16 MB is skipped, reported and counted in each program that reads stacks" {
    local program wanted
    { echo 'main;f 1'; long; echo ' 5'; echo 'main;g 2'; long; } >in
    for program in stackcollapse stackfilter stackreport flamesvg; do
        with_long_lines "$program" in
        [ "$status" -eq 0 ]
        [[ $output == *f*g* ]]
        [[ $stderr == *"$program: in:2: a line of more than 16 MB, left out"* ]]
        [[ $stderr == *"$program: in:4: a line of more than 16 MB, left out"* ]]
        with_long_lines "$program" --strict in
        [ "$status" -eq 1 ]
    done
    with_long_lines stackcollapse in
    same $'main;f 1\nmain;g 2' "$output"
    [[ $stderr == *'stackcollapse: 2 folded lines, 2 lines skipped (first at line 2)'* ]]
    with_long_lines stackdiff in in
    [ "$status" -eq 0 ]
    same $'main;f 1 1\nmain;g 2 2' "$output"
    [[ $stderr == *'stackdiff: in:4: a line of more than 16 MB, left out'* ]]
    with_long_lines stackcollapse --from=gdb in
    [[ $stderr == *'stackcollapse: in:2: a line of more than 16 MB, left out'* ]]
    with_long_lines "$COMPAT/stackcollapse-recursive.pl" in
    same $'main;f 1\nmain;g 2' "$(sort <<<"$output")"
}

@test "a frame line of more than 16 MB in perf script text is an unknown frame" {
    {
        printf 'node 12 1.5:          1 cycles:\n\t7f01 leaf (/bin/x)\n\t7f02 '
        long
        printf ' (/bin/x)\n\t7f03 main (/bin/x)\n\nnode 12 1.6:          1 cycles:\n\t7f02 '
        long
        printf '\n\nnode 12 1.7:          1 cycles:\n\t7f03 main (/bin/x)\n\n'
    } >in
    with_long_lines stackcollapse in
    [ "$status" -eq 0 ]
    same $'node;[unknown] 1\nnode;main 1\nnode;main;[unknown];leaf 1' "$output"
    [[ $stderr == *'3 samples, 2 lines skipped (first at line 3)'* ]]
    with_long_lines perf-script in
    [ "$status" -eq 0 ]
    same 2 "$(grep -c '\[unknown\] (\[unknown\])' <<<"$output")"
    with_long_lines perf-script --check in
    [[ $output == *'2'*'lines skipped'* ]]
    with_long_lines "$COMPAT/stackcollapse-perf.pl" in
    [ "$status" -eq 0 ]
    same $'node;[unknown] 1\nnode;main 1\nnode;main;[unknown];leaf 1' "$output"
}

@test "a header line of more than 16 MB leaves its frames in no sample, and they are reported" {
    {
        printf 'node 12 1.5:          1 cycles:\n\t7f01 leaf (/bin/x)\n\n'
        long
        printf ' 12 1.6:          1 cycles:\n\t7f02 lost (/bin/x)\n\t7f03 main (/bin/x)\n\n'
        printf 'node 12 1.7:          1 cycles:\n\t7f03 main (/bin/x)\n\n'
    } >in
    with_long_lines stackcollapse in
    [ "$status" -eq 0 ]
    same $'node;leaf 1\nnode;main 1' "$output"
    [[ $stderr == *'in:5: a frame outside of any sample'* ]]
    [[ $stderr == *'2 samples, 3 lines skipped (first at line 4)'* ]]
}

@test "a string of more than 16 MB in JSON is an error with its place, and what came before it counts" {
    {
        printf '{"nodes": [{"id": 1, "hitCount": 3, "callFrame": {"functionName": "a"}},\n{"id": 2, "callFrame": {"functionName": "'
        long
        printf '"}}]}\n'
    } >in
    with_long_lines stackcollapse in
    [ "$status" -eq 1 ]
    same 'a 3' "$output"
    [[ $stderr == *'stackcollapse: in:2: byte '*': a string or number of more than 16 MB'* ]]
}
