#!/usr/bin/env bats
# The input formats of stackcollapse that are JSON: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    INPUTS=$DATA/stackcollapse
}

@test "a file that is cut anywhere is an error with its place, and what came before it counts" {
    local row input step size at
    for row in cpuprofile/documented:7 v8-prof/documented:7 chrome-tracing/documented:97 speedscope/documented:11 \
        firefox/threads:101 v8-head/documented:61 stackprof/wall:997 ghcprof-json/ticks:2999 heapprofile/app:991 \
        sentry/python:83 pyinstrument/app:83 jstack-json/dump-21:97; do
        input=${row%:*} step=${row#*:}
        size=$(wc -c <"$INPUTS/$input")
        for ((at = 0; at < size - 1; at += step)); do
            echo "$input, $at bytes"
            head -c "$at" "$INPUTS/$input" >short
            answers 1 '*' "*stackcollapse: short:*: byte $((at + 1)): the JSON text ends where *" \
                stackcollapse --from="${input%/*}" short
        done
    done
    head -c -60 "$INPUTS/cpuprofile/app" >short
    answers 1 '*' '*' stackcollapse short
    [[ $output == *';JS:hot /srv/app/app.js:13:13 '* ]]
}

sum() {
    awk '{ sum += $NF } END { print sum }'
}

@test "stacks count what another reader finds: times of V8's CPU profiles, ticks and bytes of V8 and GHC, samples by thread" {
    local input totals
    cd "$INPUTS"
    for input in cpuprofile/app v8-head/node v8-prof/app ghcprof-json/ticks heapprofile/app stackprof/wall firefox/gecko; do
        echo "$input"
        totals=$("$ROOT/tests/tool/jsontotals.py" "${input%/*}" "$input" | LC_ALL=C sort)
        case $input in
        stackprof* | firefox*) same "$totals" "$(LC_ALL=C sort "$input.own")" ;;
        ghcprof*) same "$totals" "$(sum <"$input.own" && stackcollapse --size "$input" | sum)" ;;
        *) same "$totals" "$(sum <"$input.own")" ;;
        esac
    done
}

# --- cpuprofile

@test "a CPU profile without time deltas counts samples, or hits where it lists no samples" {
    nodes='"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":1,"children":[2]},
        {"id":2,"callFrame":{"functionName":"f","url":"a.js","lineNumber":0},"hitCount":3}]'
    echo "{$nodes, \"samples\": [2, 2]}" >samples
    answers 0 '(root);JS:f a.js:1 2' 'stackcollapse: samples has no time deltas: each sample counts 1' stackcollapse samples
    echo "{$nodes}" >hits
    answers 0 $'(root) 1\n(root);JS:f a.js:1 3' 'stackcollapse: hits has no time deltas: each sample counts 1' stackcollapse hits
}

@test "with --weight=samples each sample of a CPU profile counts one, with --weight=period its microseconds" {
    answers 0 '*' '' stackcollapse --weight=samples "$INPUTS/cpuprofile/app"
    local samples
    samples=$(grep -o '"samples":[^]]*' "$INPUTS/cpuprofile/app" | tr -cd , | wc -c)
    [ "$(sum <<<"$output")" -eq $((samples + 1)) ]
    prints "$(cat "$INPUTS/cpuprofile/app.own")" stackcollapse --weight=period "$INPUTS/cpuprofile/app"
}

@test "a CPU profile goes through stackfilter --node, and flamesvg --colors=node knows its frames" {
    stackcollapse "$INPUTS/cpuprofile/app" >folded
    answers 0 '*;hot /srv/app/app.js:13:13 *' '*' stackfilter --node folded
    [[ $output != *JS:* ]]
    for kind in app:hot dep:tally core:Module._load; do
        try stackfilter --only="${kind%:*}" folded
        [[ $output == *";JS:${kind#*:} "* ]]
    done
    try flamesvg --colors=node folded
    [ "$status" -eq 0 ]
    for kind in application node_modules 'node library'; do
        [[ $output == *">$kind</"* ]]
    done
}

# --- v8-prof

@test "the ticks of node --prof have C++ names as perf has them, unless --tidy=none is given" {
    try stackcollapse -q --tidy=none "$INPUTS/v8-prof/documented"
    [[ $output == *';node::fs::Read(v8::FunctionCallbackInfo<v8::Value> const&) [clone .cold];'* ]]
}

@test "the ticks of node --prof go through stackfilter --node" {
    stackcollapse "$INPUTS/v8-prof/app" >folded
    prints '*;hot /srv/app/app.js:13:13 *' stackfilter --node folded
    [[ $output != *JS:[~*^]* ]]
}

# --- chrome-tracing

@test "a trace's times that are no numbers, or out of range, are reported" {
    printf '%s\n' '[' '{"ph":"X","pid":1,"tid":1,"name":"a","ts":"nan","dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"b","ts":"inf","dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"c","ts":1,"dur":1e999},' \
        '{"ph":"X","pid":1,"tid":1,"name":"d","ts":4.1e15,"dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"e","ts":-4e15,"dur":4e15}]' >trace.json
    answers 0 'e 4000000000000000' 'stackcollapse: trace.json:2: an event without a time
stackcollapse: trace.json:3: an event without a time
stackcollapse: trace.json:4: an event whose time is out of range
stackcollapse: 1 sample, 4 lines skipped (first at line 2)' stackcollapse trace.json
}

@test "where events neither overlap nor begin and end apart, the script counts the same times" {
    prints "$(sed 's/[.]0$//' "$INPUTS/chrome-tracing/browser.folded" | sort)" \
        stackcollapse "$INPUTS/chrome-tracing/browser"
}

@test "a time that is an object is no time, and a message says where" {
    printf '[{"ph":"X","ts":1,"dur":{},"name":"a","pid":1,"tid":1},\n{"ph":"X","ts":{"a":[1]},"dur":5,"name":"c","pid":1,"tid":1},\n{"ph":"X","ts":10,"dur":5,"name":"b","pid":1,"tid":1}]' >objects
    answers 0 'b 5' 'stackcollapse: objects:1: an event without a duration
stackcollapse: objects:2: an event without a time
stackcollapse: 1 sample, 2 lines skipped (first at line 1)' stackcollapse --from=chrome-tracing objects
}

@test "an event with an escape in a key, which is decoded, counts as one without" {
    for input in documented browser node; do
        try stackcollapse "$INPUTS/chrome-tracing/$input"
        plain=$output
        sed 's/"ph"/"p\\u0068"/g' "$INPUTS/chrome-tracing/$input" >escaped
        grep -q u0068 escaped
        answers 0 "$plain" '*' stackcollapse escaped
    done
}

@test "numbers of any form and of any length are times" {
    cat >trace <<'END'
[{"ph":"X","ts":12345678,"dur":0,"name":"0"},{"ph":"X","ts":123456789,"dur":12345678,"name":"8"},
{"ph":"X","ts":1e9,"dur":1.5,"name":"fraction"}, {"ph" : "X" , "ts":2e9 , "dur" : 1E1 , "name" : "exponent"},
{"ph":"X","ts":"30000000000.5","dur":"2.25","name":"text"},{"ph":"X","ts":-5,"dur":4,"name":"negative"},
{"ph":"X","ts":123456789012345,"dur":1,"name":"15"},{"ph":"X","ts":1234567890123456,"dur":1,"name":"16"},
{"ph":"X","ts":01,"dur":1,"name":"octal"}]
END
    answers 1 $'0 0\n15 1\n16 1\n8 12345678\nexponent 10\nfraction 1.5\nnegative 4\ntext 2.25' \
        "*trace:5: byte *'1' where the end of a number that begins with 0 should follow*" stackcollapse trace
}

@test "a trace may be an array alone, whose end may be missing" {
    echo '[{"ph":"X","ts":0,"dur":5,"name":"a"},' >array
    prints 'a 5' stackcollapse array
    echo '[{"ph":"X","ts":0,"dur":5,"name":"a"},{"ph":"X"' >array
    answers 1 'a 5' 'stackcollapse: array:2: byte 49: the JSON text ends where a comma or } should follow' stackcollapse array
}

@test "each trace is folded by itself, since its process and thread numbers are its own" {
    echo '[{"ph":"X","ts":0,"dur":50,"name":"a"}]' >one
    echo '[{"ph":"X","ts":10,"dur":5,"name":"b"}]' >two
    prints $'a 50\nb 5' stackcollapse one two
}

@test "events that all overlap, or begin and never end, take no more memory than a depth of 1000 needs" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    awk 'BEGIN {
        printf "["
        for (i = 0; i < 100000; i++)
            printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":100000,\"name\":\"f%d\"}", i ? ",\n" : "", i, i % 7
        for (i = 0; i < 100000; i++)
            printf ",\n{\"ph\":\"B\",\"pid\":2,\"tid\":1,\"ts\":%d,\"name\":\"g\"}", i
        print "]"
    }' >trace
    answers 0 '*' 'stackcollapse: events that begin and do not end: 1,000, taken to end with their thread
stackcollapse: events within more than 999 others: 198,000, left out; their time counts for the innermost of those' \
        bash -c 'ulimit -v 400000 && exec stackcollapse trace'
    same 1000 "$(grep -c g <<<"$output")"
}

@test "an event in too many others ends none of these" {
    awk 'BEGIN {
        printf "["
        for (i = 0; i < 1001; i++)
            printf "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":%d,\"name\":\"f%d\"},\n", i, i
        printf "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":5000},\n"
        for (i = 999; i >= 0; i--)
            printf "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":%d},\n", 7000 - i
        print "{}]"
    }' >trace
    answers 0 '*' '*events within more than 999 others: 1, left out*' stackcollapse trace
    same 7000 "$(sum <<<"$output")"
    same 'f999 5002' "$(sed -n 's/.*;f999 /f999 /p' <<<"$output")"
}

@test "events in no order are sorted by time, in memory of the trace's own size" {
    awk 'BEGIN {
        printf "["
        for (i = 0; i < 300000; i++)
            printf "%s{\"ph\":\"X\",\"pid\":%d,\"tid\":1,\"ts\":%d.0001,\"dur\":3,\"name\":\"f%d\"}", i ? ",\n" : "", i % 3, (i * 7919 % 300000) * 10, i % 5
        print "]"
    }' >trace
    prints $'f0 180000\nf1 180000\nf2 180000\nf3 180000\nf4 180000' \
        bash -c 'if [ -z "${SAN-}" ]; then ulimit -v 80000; fi; exec stackcollapse trace'
}

# What Chrome writes for three profiles: the ids of two are the same, and so are those of the nodes; a chunk's thread is
# not the profile's; and the last chunk comes first.
chrome_profiles() {
    cat <<'END'
{"args":{"data":{"cpuProfile":{"samples":[3,4]},"timeDeltas":[100,-30]}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":7,"ts":900},
{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"codeType":"other","functionName":"(root)","scriptId":0},"id":1},{"callFrame":{"codeType":"JS","functionName":"hot","url":"file:///srv/app.js","lineNumber":4,"columnNumber":9,"scriptId":3},"id":3,"parent":1}],"samples":[3,3]},"lines":[5,5],"timeDeltas":[1000,200]}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":500},
{"args":{"data":{"startTime":100}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"Profile","ph":"P","pid":7,"tid":7,"ts":100},
{"args":{"data":{}},"cat":"v8","dur":50,"name":"V8.Run","ph":"X","pid":7,"tid":7,"ts":100},
{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"cold","url":"file:///srv/app.js","lineNumber":7,"columnNumber":0},"id":4,"parent":3}]},"timeDeltas":[]}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"ProfileChunk","ph":"P","pid":7,"tid":9,"ts":600},
{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{"functionName":"(root)"},"id":1},{"callFrame":{"functionName":"(idle)"},"id":3,"parent":1}],"samples":[3]},"timeDeltas":[70]}},"cat":"disabled-by-default-v8.cpu_profiler","id":"0x1","name":"ProfileChunk","ph":"P","pid":8,"tid":8,"ts":500},
{"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[3]},{"id":3,"callFrame":{"functionName":"(program)"}}],"samples":[3,3],"timeDeltas":[5,6]}}},"cat":"disabled-by-default-devtools.timeline","name":"CpuProfile","ph":"I","pid":7,"tid":7,"ts":990}
END
}

@test "of a trace with CPU profiles the samples count, whatever the order of their chunks, as an array or an object" {
    {
        echo '['
        chrome_profiles
        echo ']'
    } >array
    { printf '{"metadata":{"source":"DevTools"},"traceEvents":'; cat array; echo '}'; } >object
    local form
    for form in array object; do
        answers 0 '(root);(idle) 70
(root);(program) 11
(root);JS:hot /srv/app.js:5:10 1230
(root);JS:hot /srv/app.js:5:10;JS:cold /srv/app.js:8:1 70' "stackcollapse: $form: read as chrome-tracing
stackcollapse: $form: its samples are folded, and its events left out: 1" stackcollapse --verbose "$form"
        try stackcollapse --weight=samples --quiet "$form"
        same '1 2 3 1' "$(awk '{ print $NF }' <<<"$output" | xargs)"
    done
    try stackcollapse object array
    same 2460 "$(awk '/hot.* [0-9]*$/ && !/cold/ { print $NF }' <<<"$output")"
}

@test "a trace is known by its first event, however much is in it before its phase and time" {
    printf '[{"args":{"data":{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"%01048576d"}}],"samples":[1]},"timeDeltas":[3]}},"id":"0x1","name":"ProfileChunk","ph":"P","pid":1,"tid":1,"ts":5}]' 0 >array
    printf '{"metadata":{"source":"DevTools","text":"%01048576d"},"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":3,"name":"0"}]}' 0 >object
    local form
    for form in array object; do
        answers 0 '*' '' stackcollapse "$form"
        same '0 3' "$(tr -s 0 <<<"$output")"
    done
}

@test "samples and stackFrames beside the events of a trace are folded, each thread's by the time between them" {
    cat >trace <<'END'
{"traceEvents": [{"name":"process_name","ph":"M","pid":7,"ts":"100","tid":"-1","args":{"name":"hermes"}}],
 "samples": [{"cpu":"-1","name":"","ts":"1000","pid":7,"tid":"8","weight":"1","sf":1},
             {"cpu":"-1","name":"","ts":"1500","pid":7,"tid":"9","weight":"1","sf":2},
             {"cpu":"-1","name":"","ts":"1010","pid":7,"tid":"8","weight":"1","sf":3},
             {"cpu":"-1","name":"","ts":"1530","pid":7,"tid":"9","weight":"1","sf":"2"},
             {"cpu":"-1","name":"","pid":7,"tid":"9","weight":"1","sf":2},
             {"cpu":"-1","name":"","ts":"1540","pid":7,"tid":"9","weight":"1","sf":44}],
 "stackFrames": {"3": {"name":"draw(app.js:1:2)","category":"JavaScript","parent":2}, "1": {"name":"[root]","category":"root"},
                 "2": {"name":"frame","category":"JavaScript","parent":1}}}
END
    answers 0 '[root];frame 30
[root];frame;draw(app.js:1:2) 10' 'stackcollapse: trace:6: a sample without a time or a stack
stackcollapse: trace: samples of unknown nodes, left out: 1
stackcollapse: 5 samples, 1 line skipped (first at line 6)' stackcollapse trace
}

@test "a trace that is cut in a chunk of a profile counts the chunks before it" {
    local size at
    {
        echo '['
        chrome_profiles
        echo ']'
    } >array
    size=$(wc -c <array)
    for ((at = size - 60; at > 1300; at -= 97)); do
        head -c "$at" array >short
        answers 1 '*hot /srv/app.js:5:10 1*' '*byte *' stackcollapse --from=chrome-tracing short
    done
}

@test "a trace that Chromium records while a page runs JavaScript has the samples and times that are in it" {
    export BROWSER=''
    needs_browser
    answers 0 '*' '' node "$ROOT/tests/browser/trace.js" \
        '(() => { function hot(n) { let s = 0; while (n-- > 0) s += Math.sqrt(s + 1); return s; } return hot(100000000); })()'
    printf '%s\n' "$output" >trace
    read -r us samples hot < <("$ROOT/tests/tool/jsontotals.py" chrome-tracing trace)
    [ "$hot" -gt 10 ]
    answers 0 '*' '' stackcollapse -q trace
    same "$us" "$(sum <<<"$output")"
    answers 0 '*' '' stackcollapse -q --weight=samples trace
    same "$samples $hot" "$(awk '{ all += $NF } /[ ;:]hot / { hot += $NF } END { print all, hot }' <<<"$output")"
}

@test "stackcollapse-chrome-tracing.py prints nothing where the script fails, and has its status" {
    for text in '' '[]' '{}' '{"traceEvents": [{}]}' '{"traceEvents": [{"ph":"X","tid":1,"ts":0,"dur":1}]}' \
        '{"traceEvents": [{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"a"}'; do
        printf '%s' "$text" >bad
        answers 1 '' 'stackcollapse-chrome-tracing.py: bad*' "$COMPAT/stackcollapse-chrome-tracing.py" bad
    done
    try "$COMPAT/stackcollapse-chrome-tracing.py"
    [ "$status" -eq 2 ]
    answers 2 '' '*missing: No such file or directory*' "$COMPAT/stackcollapse-chrome-tracing.py" missing
}

# --- speedscope

@test "a single profile of speedscope stands alone, and what is no time keeps its unit" {
    echo '{"shared":{"frames":[{"name":"a"},{"name":"b"}]},
        "profiles":[{"type":"sampled","name":"x","unit":"bytes","weights":[2048,1],"samples":[[0,1],[0]]}]}' >one
    prints $'a 1\na;b 2048' stackcollapse one
    sed 's/"profiles":\[/&{"type":"sampled","name":"y","unit":"seconds","weights":[1],"samples":[[0]]},/' one >two
    answers 0 $'x;a 1\nx;a;b 2048\ny;a 1000000' \
        'stackcollapse: two: its profiles count different things, which are added up' stackcollapse two
}

# --- firefox

@test "with --weight=samples a sample of the Firefox Profiler counts one, whatever its weight" {
    try stackcollapse -q --weight=samples "$INPUTS/firefox/threads"
    same 'timer;run 2' "${lines[3]}"
}

@test "threads that share more stacks than a thread can have do not exhaust memory" {
    python3 - >many <<'END'
import json
n, threads = 20000, 2000
print(json.dumps({"meta": {"preprocessedProfileVersion": 66},
    "threads": [{"name": "t%d" % i, "samples": {"stack": [n - 1]}} for i in range(threads)],
    "shared": {"stackTable": {"frame": [0] * n, "prefixOffset": [0] + [1] * (n - 1)},
               "frameTable": {"func": [0]}, "funcTable": {"name": [0]}, "stringArray": ["f"]}}))
END
    try stackcollapse many
    [ "$status" -eq 1 ]
    [[ $stderr == 'stackcollapse: many: its threads share more stacks than fit in memory: '*' samples are left out' ]]
}

# --- trees of V8, of GHC, and stackprof

@test "a profile of stackprof that was not recorded with raw: true is refused" {
    echo '{"version":1.2,"mode":"cpu","samples":5,"gc_samples":1,"missed_samples":0,"frames":{}}' >plain
    answers 1 '' 'stackcollapse: plain: no stacks in this profile: record it with raw: true' stackcollapse plain
}

@test "trees that are nested deep, and members of other kinds, are read as far as they go" {
    printf '{"head":%s' '{"functionName":"f","hitCount":1,"children":[7,[1],{"functionName":"g","hitCount":2,"positionTicks":[{"line":1}]}]}}' >odd
    prints $'f 1\nf;g 2' stackcollapse odd
    echo '{"gc_samples":0,"missed_samples":0,"frames":{"1":{"name":"a"}},"raw":[1,1,3,2,1,1,"x"]}' >short
    answers 0 'a 3' 'stackcollapse: short:1: what follows in raw is not a stack
stackcollapse: 3 samples, 1 line skipped (first at line 1)' stackcollapse short
}

@test "sentry: more than a MiB of frames may come before the samples" {
    { printf '{"platform":"python","profile":{"frames":[{"function":"f","in_app":true}'
      printf ',{"function":"g","abs_path":"%0900d","in_app":true}' $(seq 1500)
      printf '],"stacks":[[1,0]],"samples":[{"stack_id":0,"thread_id":"7"}],"thread_metadata":{"7":{"name":"m"}}}}'; } >"$BATS_TEST_TMPDIR/in"
    [ "$(wc -c <"$BATS_TEST_TMPDIR/in")" -gt 1100000 ]
    answers 0 '*' '' stackcollapse --from=guess "$BATS_TEST_TMPDIR/in"
    [[ $output == 'm;f;g'*' 1' ]]
}
