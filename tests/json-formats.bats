#!/usr/bin/env bats
# The input formats of stackcollapse that are JSON: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    INPUTS=$DATA/stackcollapse
}

# An input is folded right, whether its format is guessed or named, and also in one line.
folds() { # FORMAT NAME [OPTION...]
    local format=$1 input=$INPUTS/$1/$2
    shift 2
    try stackcollapse --verbose "$@" "$input"
    [ "$status" -eq 0 ]
    same "$(cat "$input.own")" "$output"
    [[ $stderr == "stackcollapse: $input: read as $format"* ]]
    tr '\n' ' ' <"$input" >one-line
    try stackcollapse -q --from="$format" "$@" <one-line
    same "$(cat "$input.own")" "$output"
    [ -z "$stderr" ]
}

# However much of the input is there: stacks, or a message with the place and status 1.
survives_cuts() { # FORMAT NAME STEP
    local input=$INPUTS/$1/$2 size at
    size=$(wc -c <"$input")
    for ((at = 0; at < size - 1; at += $3)); do
        head -c "$at" "$input" >short
        try stackcollapse --from="$1" short
        [ "$status" -eq 1 ]
        [[ $stderr == *"stackcollapse: short:"*": byte $((at + 1)): the JSON text ends where "* ]]
    done
}

# --- cpuprofile

@test "a CPU profile of node counts microseconds, with names as in a perf map" {
    folds cpuprofile app
    grep -q 'JS:hot /srv/app/app.js:13:13 [0-9]*$' "$INPUTS/cpuprofile/app.own"
    [ "$(awk '{ sum += $NF } END { print sum }' "$INPUTS/cpuprofile/app.own")" -eq \
        "$(sed 's/.*"timeDeltas":\[\([^]]*\)\].*/\1/' "$INPUTS/cpuprofile/app" | tr , '\n' | awk '{ sum += $1 } END { print sum }')" ]
}

@test "a CPU profile may have its keys in any order, parents in place of children, and deltas below 0" {
    folds cpuprofile documented
    try stackcollapse "$INPUTS/cpuprofile/documented"
    same "stackcollapse: $INPUTS/cpuprofile/documented: samples of unknown nodes, left out: 1" "$stderr"
}

@test "a CPU profile without time deltas counts samples, or hits where it lists no samples" {
    nodes='"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":1,"children":[2]},
        {"id":2,"callFrame":{"functionName":"f","url":"a.js","lineNumber":0},"hitCount":3}]'
    echo "{$nodes, \"samples\": [2, 2]}" >samples
    try stackcollapse samples
    [ "$status" -eq 0 ]
    same '(root);JS:f a.js:1 2' "$output"
    same 'stackcollapse: samples has no time deltas: each sample counts 1' "$stderr"
    echo "{$nodes}" >hits
    try stackcollapse hits
    same $'(root) 1\n(root);JS:f a.js:1 3' "$output"
    same 'stackcollapse: hits has no time deltas: each sample counts 1' "$stderr"
}

@test "with --weight=samples each sample of a CPU profile counts one, with --weight=period its microseconds" {
    try stackcollapse --weight=samples "$INPUTS/cpuprofile/app"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    local samples
    samples=$(grep -o '"samples":[^]]*' "$INPUTS/cpuprofile/app" | tr -cd , | wc -c)
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq $((samples + 1)) ]
    try stackcollapse --weight=period "$INPUTS/cpuprofile/app"
    same "$(cat "$INPUTS/cpuprofile/app.own")" "$output"
}

@test "a CPU profile goes through stackfilter --node, and flamesvg --colors=node knows its frames" {
    stackcollapse "$INPUTS/cpuprofile/app" >folded
    try stackfilter --node folded
    [ "$status" -eq 0 ]
    [[ $output == *';hot /srv/app/app.js:13:13 '* ]]
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

@test "a CPU profile that is cut is an error with its place, and what came before it counts" {
    survives_cuts cpuprofile documented 7
    head -c -60 "$INPUTS/cpuprofile/app" >short
    try stackcollapse short
    [ "$status" -eq 1 ]
    [[ $output == *';JS:hot /srv/app/app.js:13:13 '* ]]
}

# --- v8-prof

@test "the ticks of node --prof count one, with names as in a perf map, the tier included" {
    folds v8-prof app
    grep -q '[;]JS:[*]hot /srv/app/app.js:13:13 [0-9]*$' "$INPUTS/v8-prof/app.own"
    [ "$(awk '{ sum += $NF } END { print sum }' "$INPUTS/v8-prof/app.own")" -eq "$(grep -c '"tm"' <(sed -n '/"ticks"/,$p' "$INPUTS/v8-prof/app"))" ]
}

@test "the ticks of node --prof show garbage collection, libraries and C++, and report code that is not listed" {
    try stackcollapse "$INPUTS/v8-prof/documented"
    [ "$status" -eq 0 ]
    same "$(cat "$INPUTS/v8-prof/documented.own")" "$output"
    same "stackcollapse: $INPUTS/v8-prof/documented: ticks of code that is not listed, left out: 2" "$stderr"
    try stackcollapse -q --tidy=none "$INPUTS/v8-prof/documented"
    [[ $output == *';node::fs::Read(v8::FunctionCallbackInfo<v8::Value> const&) [clone .cold];'* ]]
}

@test "the ticks of node --prof go through stackfilter --node" {
    stackcollapse "$INPUTS/v8-prof/app" >folded
    try stackfilter --node folded
    [ "$status" -eq 0 ]
    [[ $output == *';hot /srv/app/app.js:13:13 '* ]]
    [[ $output != *JS:[~*^]* ]]
}

@test "a log of node --prof that is cut is an error with its place" {
    survives_cuts v8-prof documented 7
}

# --- chrome-tracing

@test "a trace's times that are no numbers, or out of range, are reported" {
    printf '%s\n' '[' '{"ph":"X","pid":1,"tid":1,"name":"a","ts":"nan","dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"b","ts":"inf","dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"c","ts":1,"dur":1e999},' \
        '{"ph":"X","pid":1,"tid":1,"name":"d","ts":4.1e15,"dur":1},' \
        '{"ph":"X","pid":1,"tid":1,"name":"e","ts":-4e15,"dur":4e15}]' >trace.json
    try stackcollapse trace.json
    same 'e 4000000000000000' "$output"
    same 'stackcollapse: trace.json:2: an event without a time
stackcollapse: trace.json:3: an event without a time
stackcollapse: trace.json:4: an event whose time is out of range
stackcollapse: 1 sample, 4 lines skipped (first at line 2)' "$stderr"
    [ "$status" -eq 0 ]
}

@test "a trace shows what each event spends outside of the events in it, in microseconds" {
    try stackcollapse "$INPUTS/chrome-tracing/documented"
    [ "$status" -eq 0 ]
    same "$(cat "$INPUTS/chrome-tracing/documented.own")" "$output"
    same "stackcollapse: $INPUTS/chrome-tracing/documented:12: an event without a duration
stackcollapse: $INPUTS/chrome-tracing/documented:23: an event whose time is out of range
stackcollapse: events that begin and do not end: 1, taken to end with their thread
stackcollapse: events that end and do not begin: 1, left out
stackcollapse: 14 samples, 2 lines skipped (first at line 12)" "$stderr"
}

@test "where events neither overlap nor begin and end apart, the script counts the same times" {
    try stackcollapse "$INPUTS/chrome-tracing/browser"
    [ "$status" -eq 0 ]
    same "$(sed 's/[.]0$//' "$INPUTS/chrome-tracing/browser.folded" | sort)" "$output"
}

@test "a time that is an object is no time, and a message says where" {
    printf '[{"ph":"X","ts":1,"dur":{},"name":"a","pid":1,"tid":1},\n{"ph":"X","ts":{"a":[1]},"dur":5,"name":"c","pid":1,"tid":1},\n{"ph":"X","ts":10,"dur":5,"name":"b","pid":1,"tid":1}]' >objects
    try stackcollapse --from=chrome-tracing objects
    same 'b 5' "$output"
    same 'stackcollapse: objects:1: an event without a duration
stackcollapse: objects:2: an event without a time
stackcollapse: 1 sample, 2 lines skipped (first at line 1)' "$stderr"
    [ "$status" -eq 0 ]
}

@test "an event with an escape in a key, which is decoded, counts as one without" {
    for input in documented browser node; do
        try stackcollapse "$INPUTS/chrome-tracing/$input"
        plain=$output
        sed 's/"ph"/"p\\u0068"/g' "$INPUTS/chrome-tracing/$input" >escaped
        grep -q u0068 escaped
        try stackcollapse escaped
        [ "$status" -eq 0 ]
        same "$plain" "$output"
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
    try stackcollapse trace
    [ "$status" -eq 1 ]
    same $'0 0\n15 1\n16 1\n8 12345678\nexponent 10\nfraction 1.5\nnegative 4\ntext 2.25' "$output"
    [[ $stderr == *'trace:5: byte '*"'1' where the end of a number that begins with 0 should follow"* ]]
}

@test "a trace may be an array alone, whose end may be missing" {
    echo '[{"ph":"X","ts":0,"dur":5,"name":"a"},' >array
    try stackcollapse array
    [ "$status" -eq 0 ]
    same 'a 5' "$output"
    [ -z "$stderr" ]
    echo '[{"ph":"X","ts":0,"dur":5,"name":"a"},{"ph":"X"' >array
    try stackcollapse array
    [ "$status" -eq 1 ]
    same 'a 5' "$output"
    same 'stackcollapse: array:2: byte 49: the JSON text ends where a comma or } should follow' "$stderr"
}

@test "each trace is folded by itself, since its process and thread numbers are its own" {
    echo '[{"ph":"X","ts":0,"dur":50,"name":"a"}]' >one
    echo '[{"ph":"X","ts":10,"dur":5,"name":"b"}]' >two
    try stackcollapse one two
    same $'a 50\nb 5' "$output"
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
    try bash -c 'ulimit -v 400000 && exec stackcollapse trace'
    [ "$status" -eq 0 ]
    same 1000 "$(grep -c g <<<"$output")"
    same 'stackcollapse: events that begin and do not end: 1,000, taken to end with their thread
stackcollapse: events within more than 999 others: 198,000, left out; their time counts for the innermost of those' "$stderr"
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
    try stackcollapse trace
    same 7000 "$(awk '{ sum += $NF } END { print sum }' <<<"$output")"
    same 'f999 5002' "$(sed -n 's/.*;f999 /f999 /p' <<<"$output")"
    [[ $stderr == *'events within more than 999 others: 1, left out'* ]]
}

@test "events in no order are sorted by time, in memory of the trace's own size" {
    awk 'BEGIN {
        printf "["
        for (i = 0; i < 300000; i++)
            printf "%s{\"ph\":\"X\",\"pid\":%d,\"tid\":1,\"ts\":%d.0001,\"dur\":3,\"name\":\"f%d\"}", i ? ",\n" : "", i % 3, (i * 7919 % 300000) * 10, i % 5
        print "]"
    }' >trace
    try bash -c 'if [ -z "${SAN-}" ]; then ulimit -v 80000; fi; exec stackcollapse trace'
    [ "$status" -eq 0 ]
    same $'f0 180000\nf1 180000\nf2 180000\nf3 180000\nf4 180000' "$output"
    [ -z "$stderr" ]
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
        try stackcollapse --verbose "$form"
        [ "$status" -eq 0 ]
        same '(root);(idle) 70
(root);(program) 11
(root);JS:hot /srv/app.js:5:10 1230
(root);JS:hot /srv/app.js:5:10;JS:cold /srv/app.js:8:1 70' "$output"
        same "stackcollapse: $form: read as chrome-tracing
stackcollapse: $form: its samples are folded, and its events left out: 1" "$stderr"
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
        try stackcollapse "$form"
        [ "$status" -eq 0 ]
        same '0 3' "$(tr -s 0 <<<"$output")"
        [ -z "$stderr" ]
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
    try stackcollapse trace
    [ "$status" -eq 0 ]
    same '[root];frame 30
[root];frame;draw(app.js:1:2) 10' "$output"
    same 'stackcollapse: trace:6: a sample without a time or a stack
stackcollapse: trace: samples of unknown nodes, left out: 1
stackcollapse: 5 samples, 1 line skipped (first at line 6)' "$stderr"
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
        try stackcollapse --from=chrome-tracing short
        [[ $output == *'hot /srv/app.js:5:10 1'* ]]
        [[ $stderr == *'byte '* ]]
        [ "$status" -eq 1 ]
    done
}

# The microseconds that the profiles of a trace take, its number of samples, and how many of these are in the function
# hot itself. A profile takes as long as the latest of its samples is from its start.
chrome_totals() { # FILE
    python3 - "$1" <<'END'
import json, sys
now, latest, names, samples, hot = {}, {}, {}, 0, 0
with open(sys.argv[1]) as f:
    events = json.load(f)["traceEvents"]
chunks = [((e["pid"], e["id"]), e["args"]["data"]) for e in sorted(events, key=lambda e: e["ts"]) if e["name"] == "ProfileChunk"]
for profile, data in chunks:
    for node in data.get("cpuProfile", {}).get("nodes", []):
        names[profile, node["id"]] = node["callFrame"]["functionName"]
for profile, data in chunks:
    for node, delta in zip(data.get("cpuProfile", {}).get("samples", []), data.get("timeDeltas", [])):
        now[profile] = now.get(profile, 0) + delta
        latest[profile] = max(latest.get(profile, 0), now[profile])
        samples += 1
        hot += names[profile, node] == "hot"
print(sum(latest.values()), samples, hot)
END
}

@test "a trace that Chromium records while a page runs JavaScript has the samples and times that are in it" {
    export BROWSER=''
    needs_browser
    try node "$ROOT/tests/browser/trace.js" \
        '(() => { function hot(end) { let s = 0; while (Date.now() < end) s += Math.sqrt(s + 1); return s; } return hot(Date.now() + 300); })()'
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    printf '%s\n' "$output" >trace
    read -r us samples hot < <(chrome_totals trace)
    [ "$hot" -gt 10 ]
    try stackcollapse -q trace
    [ "$status" -eq 0 ]
    same "$us" "$(awk '{ sum += $NF } END { print sum }' <<<"$output")"
    try stackcollapse -q --weight=samples trace
    [ "$status" -eq 0 ]
    same "$samples $hot" "$(awk '{ all += $NF } /[ ;:]hot / { hot += $NF } END { print all, hot }' <<<"$output")"
}

@test "stackcollapse-chrome-tracing.py prints nothing where the script fails, and has its status" {
    for text in '' '[]' '{}' '{"traceEvents": [{}]}' '{"traceEvents": [{"ph":"X","tid":1,"ts":0,"dur":1}]}' \
        '{"traceEvents": [{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"a"}'; do
        printf '%s' "$text" >bad
        try "$COMPAT/stackcollapse-chrome-tracing.py" bad
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $stderr == 'stackcollapse-chrome-tracing.py: bad'* ]]
    done
    try "$COMPAT/stackcollapse-chrome-tracing.py"
    [ "$status" -eq 2 ]
    try "$COMPAT/stackcollapse-chrome-tracing.py" missing
    [ "$status" -eq 2 ]
    [[ $stderr == *'missing: No such file or directory'* ]]
}

@test "a trace that is cut is an error with its place" {
    survives_cuts chrome-tracing documented 97
}

# --- speedscope

@test "sampled and evented profiles of speedscope count microseconds, under their names where there are several" {
    try stackcollapse --verbose "$INPUTS/speedscope/documented"
    [ "$status" -eq 0 ]
    same "$(cat "$INPUTS/speedscope/documented.own")" "$output"
    same "stackcollapse: $INPUTS/speedscope/documented: read as speedscope
stackcollapse: $INPUTS/speedscope/documented:13: an event that is out of order, or closes what is not open
stackcollapse: $INPUTS/speedscope/documented: stacks with frames that are not listed, left out: 1
stackcollapse: 12 samples, 1 line skipped (first at line 13)" "$stderr"
}

@test "a profile of dotnet-trace counts microseconds, with .NET's signatures" {
    folds speedscope dotnet-trace
    grep -q ';System.Private.CoreLib!System.String.Concat(class System.String,class System.String);CPU_TIME 1250$' \
        "$INPUTS/speedscope/dotnet-trace.own"
}

@test "a single profile of speedscope stands alone, and what is no time keeps its unit" {
    echo '{"shared":{"frames":[{"name":"a"},{"name":"b"}]},
        "profiles":[{"type":"sampled","name":"x","unit":"bytes","weights":[2048,1],"samples":[[0,1],[0]]}]}' >one
    try stackcollapse one
    [ "$status" -eq 0 ]
    same $'a 1\na;b 2048' "$output"
    [ -z "$stderr" ]
    sed 's/"profiles":\[/&{"type":"sampled","name":"y","unit":"seconds","weights":[1],"samples":[[0]]},/' one >two
    try stackcollapse two
    same $'x;a 1\nx;a;b 2048\ny;a 1000000' "$output"
    same 'stackcollapse: two: its profiles count different things, which are added up' "$stderr"
}

@test "a profile of speedscope that is cut is an error with its place" {
    survives_cuts speedscope documented 11
}

# --- firefox

# Prints the count of each stack of a profile of the Firefox Profiler, in either of its forms: a small reader that
# knows columns and rows, and not what is shared.
firefox_reader() { # FILE
    python3 - "$1" <<'END'
import collections, json, sys

def table(t, name):
    """The rows of a table as objects."""
    t = t[name]
    if "data" in t:
        return [{k: row[i] if i < len(row) else None for k, i in t["schema"].items()} for row in t["data"]]
    keys = [k for k, v in t.items() if isinstance(v, list)]
    return [dict(zip(keys, row)) for row in zip(*(t[k] for k in keys))]

counts = collections.Counter()
def profile(p):
    for thread in p["threads"]:
        strings, stacks, frames = thread["stringTable"], table(thread, "stackTable"), table(thread, "frameTable")
        for sample in table(thread, "samples"):
            stack, names = sample["stack"], []
            while stack is not None:
                name = strings[frames[stacks[stack]["frame"]]["location"]]
                names.append("[unknown]" if name.startswith("0x") else name.replace(";", ":"))
                stack = stacks[stack]["prefix"]
            if names:
                counts[";".join([thread["name"]] + names[::-1])] += 1
    for other in p.get("processes", []):
        profile(other)

profile(json.load(open(sys.argv[1])))
for stack, count in sorted(counts.items()):
    print(stack, count)
END
}

@test "a profile that Firefox writes counts the samples of all its processes, by thread" {
    folds firefox gecko
    same "$(firefox_reader "$INPUTS/firefox/gecko" | LC_ALL=C sort)" "$(LC_ALL=C sort "$INPUTS/firefox/gecko.own")"
}

@test "a profile of the Firefox Profiler has files of JavaScript, inlined calls, libraries, and weights" {
    try stackcollapse "$INPUTS/firefox/threads"
    [ "$status" -eq 0 ]
    same "$(cat "$INPUTS/firefox/threads.own")" "$output"
    same 'app;main;JS:work /srv/my app.js:3:9 2
app;main;JS:work /srv/my app.js:3:9;push: back_[i] 1
app;main;[libapp.so];JS:work /srv/my app.js:8:11 1
timer;run 2750' "$output"
    same "stackcollapse: $INPUTS/firefox/threads: samples of stacks that are not listed, left out: 2
stackcollapse: 1 of 9 samples have no frames and are left out" "$stderr"
    try stackcollapse -q --weight=samples "$INPUTS/firefox/threads"
    same 'timer;run 2' "${lines[3]}"
}

@test "threads of a profile of the Firefox Profiler may share their tables" {
    folds firefox shared
    same 'app;main;JS:work /srv/app.js:3:9;JS:leaf /srv/app.js:5:1 2
worker;main;JS:leaf /srv/app.js:5:1 5
worker;main;JS:work /srv/app.js:3:9 3
worker;main;JS:work /srv/app.js:3:9;JS:leaf /srv/app.js:5:1 4' "$(cat "$INPUTS/firefox/shared.own")"
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

@test "a profile of the Firefox Profiler that is cut is an error with its place" {
    survives_cuts firefox threads 101
}

# --- trees of V8, of GHC, and stackprof

@test "a heap profile of V8 counts bytes" {
    folds heapprofile app
    grep -q ';JS:parse /srv/app/alloc.js:5:15 [0-9]*$' "$INPUTS/heapprofile/app.own"
    same "$(python3 -c '
import json, sys
def total(node):
    return node["selfSize"] + sum(map(total, node["children"]))
print(total(json.load(open(sys.argv[1]))["head"]))' "$INPUTS/heapprofile/app")" \
        "$(awk '{ sum += $NF } END { print sum }' "$INPUTS/heapprofile/app.own")"
}

@test "a CPU profile of node 6.3 counts microseconds, or hits where it lists no samples" {
    folds v8-head node
    same "$(python3 -c '
import json, sys
times = json.load(open(sys.argv[1]))["timestamps"]
print(sum(max(0, b - a) for a, b in zip(times, times[1:])))' "$INPUTS/v8-head/node")" \
        "$(awk '{ sum += $NF } END { print sum }' "$INPUTS/v8-head/node.own")"
    folds v8-head documented
    same '(root);JS:work /srv/app.js:5:14 2
(root);JS:work /srv/app.js:5:14;JS: /srv/app.js:9:1 3' "$(cat "$INPUTS/v8-head/documented.own")"
}

@test "GHC's profile in JSON counts ticks, or with --size bytes, as the text of the same run" {
    folds ghcprof-json ticks
    for member in ticks alloc; do
        [ $member = ticks ] && options=() || options=(--size)
        try stackcollapse "${options[@]}" "$INPUTS/ghcprof-json/ticks"
        same "$(python3 -c '
import json, sys
def total(node):
    return node[sys.argv[2]] + sum(map(total, node["children"]))
print(total(json.load(open(sys.argv[1]))["profile"]))' "$INPUTS/ghcprof-json/ticks" $member)" \
            "$(awk '{ sum += $NF } END { print sum }' <<<"$output")"
    done
}

@test "a profile of stackprof counts samples as its own --stackcollapse does, and needs raw: true" {
    folds stackprof wall
    same "$(python3 -c '
import collections, json, sys
profile = json.load(open(sys.argv[1]))
raw, counts = profile["raw"], collections.Counter()
while raw:
    frames, count, raw = raw[1:raw[0] + 1], raw[raw[0] + 1], raw[raw[0] + 2:]
    counts[";".join(profile["frames"][str(f)]["name"] for f in frames)] += count
for stack, count in counts.items():
    print(stack, count)' "$INPUTS/stackprof/wall" | LC_ALL=C sort)" "$(LC_ALL=C sort "$INPUTS/stackprof/wall.own")"
    echo '{"version":1.2,"mode":"cpu","samples":5,"gc_samples":1,"missed_samples":0,"frames":{}}' >plain
    try stackcollapse plain
    [ "$status" -eq 1 ]
    same 'stackcollapse: plain: no stacks in this profile: record it with raw: true' "$stderr"
}

@test "trees that are nested deep, members of other kinds, and cuts are read as far as they go" {
    printf '{"head":%s' '{"functionName":"f","hitCount":1,"children":[7,[1],{"functionName":"g","hitCount":2,"positionTicks":[{"line":1}]}]}}' >odd
    try stackcollapse odd
    [ "$status" -eq 0 ]
    same $'f 1\nf;g 2' "$output"
    echo '{"gc_samples":0,"missed_samples":0,"frames":{"1":{"name":"a"}},"raw":[1,1,3,2,1,1,"x"]}' >short
    try stackcollapse short
    [ "$status" -eq 0 ]
    same 'a 3' "$output"
    same 'stackcollapse: short:1: what follows in raw is not a stack
stackcollapse: 3 samples, 1 line skipped (first at line 1)' "$stderr"
    survives_cuts v8-head documented 61
    survives_cuts stackprof wall 997
    survives_cuts ghcprof-json ticks 2999
    survives_cuts heapprofile app 991
}

@test "sentry: more than a MiB of frames may come before the samples" {
    { printf '{"platform":"python","profile":{"frames":[{"function":"f","in_app":true}'
      printf ',{"function":"g","abs_path":"%0900d","in_app":true}' $(seq 1500)
      printf '],"stacks":[[1,0]],"samples":[{"stack_id":0,"thread_id":"7"}],"thread_metadata":{"7":{"name":"m"}}}}'; } >"$BATS_TEST_TMPDIR/in"
    [ "$(wc -c <"$BATS_TEST_TMPDIR/in")" -gt 1100000 ]
    try stackcollapse --from=guess "$BATS_TEST_TMPDIR/in"
    [ "$status" -eq 0 ]
    [[ $output == 'm;f;g'*' 1' ]]
}
