#!/usr/bin/env bats
# stackexport: profiles in the formats of other viewers.
load lib

# The recordings, as perf script text or folded, and their stacks as stackcollapse folds them: NAME and NAME.folded.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    mkdir in
    local file
    for file in "$DATA"/*.perf.txt.gz; do
        gunzip -c "$file" > "in/$(basename "$file" .perf.txt.gz)"
    done
    cp "$DATA"/stackcollapse/folded/{async-profiler,bcc,py-spy,rbspy} "$DATA"/perf-fields-{below,chain}.txt in
    cp "$DATA/offcpu/machine.folded" in/machine
    gunzip -c "$DATA"/replay/*/folded.gz > in/replay
    mkdir folded
    for file in in/*; do
        stackcollapse -q "$file" > "folded/${file#in/}" 2> /dev/null
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' '# hostname : web1' '# monotonic clock : 10.000000 at 2026-11-28T00:00:00.000000Z' \
        'node 7/8 [000] 10.500000: 250000 cpu-clock: ' $'\t1 add+0x1 (inlined)' $'\t1 work+0x1 (/bin/app)' \
        $'\t2 main+0x1 (/bin/app)' '' \
        'node 7/7 [000] 10.750000: 250000 cpu-clock: ' $'\t2 main+0x1 (/bin/app)' '' \
        'node 7/8 [000] 11.000000: 250000 cpu-clock: ' $'\t1 add+0x1 (inlined)' $'\t1 work+0x1 (/bin/app)' \
        $'\t2 main+0x1 (/bin/app)' '' > perf
    printf '%s\n' 'a;b "q";c\d 2' 'a;b "q" 3' > folded
}

# Exports each recording, and folds that. SED is what the folded lines of both pass through.
round_trip() { # FORMAT
    local name got
    for name in "$BATS_FILE_TMPDIR"/in/*; do
        name=${name##*/}
        stackexport -q --to="$1" "$BATS_FILE_TMPDIR/in/$name" > out
        got=$(stackcollapse -q out)
        [ "$got" = "$(< "$BATS_FILE_TMPDIR/folded/$name")" ] || { echo "$name: other stacks"; return 1; }
    done
}

@test "stackcollapse folds a pprof profile to the same bytes as what it was made of" {
    round_trip pprof
}

@test "stackcollapse folds a Firefox profile to the same bytes as what it was made of" {
    round_trip firefox
}

@test "stackcollapse folds a speedscope file to the same bytes as what it was made of" {
    round_trip speedscope
}

@test "a CPU profile of V8 has the functions and the samples of what it was made of" {
    local name
    for name in node-http cpp java replay; do
        stackexport -q --to=cpuprofile "$BATS_FILE_TMPDIR/in/$name" |
            stackcollapse | sed 's/^(root);//; s/000$//' | stackfilter -q --node | stackcollapse > got
        stackfilter -q --node "$BATS_FILE_TMPDIR/folded/$name" | stackcollapse > want
        same "$(< want)" "$(< got)"
    done
}

@test "a table has the stacks and the counts of what it was made of" {
    local name
    for name in cpp java replay system-wide; do
        stackexport -q --to=tsv "$BATS_FILE_TMPDIR/in/$name" |
            awk -F '\t' 'NR > 1 { s = substr($4, 3, length($4) - 4); gsub(/","/, ";", s); gsub(/\\"/, "\"", s)
                gsub(/\\\\/, "\\", s); print s, $5 }' | stackcollapse --from=folded > got
        same "$(< "$BATS_FILE_TMPDIR/folded/$name")" "$(< got)"
    done
}

@test "a table says host, time of day, thread, stack and count of each sample" {
    prints $'host\ttime\tthread\tstack\tcount
web1\t1795824000.500000\tnode-7/8\t["node","main","work","add"]\t1
web1\t1795824000.750000\tnode-7/7\t["node","main"]\t1
web1\t1795824001.000000\tnode-7/8\t["node","main","work","add"]\t1' stackexport --to=tsv perf
    prints $'host\ttime\tthread\tstack\tcount
\t\ta\t["a","b \\"q\\"","c\\\\d"]\t2
\t\ta\t["a","b \\"q\\""]\t3' stackexport --to=tsv folded
}

@test "--host names the machine; a slice of folded stacks is their time; --no-comm leaves them without commands" {
    prints $'host\ttime\tthread\tstack\tcount\nme?\t12.340000\tnode-7/8\t["node-7/8","f"]\t1' \
        stackexport --to=tsv --host=$'me\t' <(echo '@12.340;node-7/8;f 1')
    prints $'host\ttime\tthread\tstack\tcount\n\t\t(all)\t["f","g"]\t1.5' stackexport --to=tsv --no-comm <(echo 'f;g 1.5')
}

@test "a table of the slices of archives says the host, time and thread of each stack" {
    printf '@1795809600.000;%s;node-7/8;f %s\n' web1 2 web2 3 > slices
    prints $'host\ttime\tthread\tstack\tcount
web1\t1795809600.000000\tnode-7/8\t["node-7/8","f"]\t2
web2\t1795809600.000000\tnode-7/8\t["node-7/8","f"]\t3' stackexport --to=tsv slices
    try stackexport --to=tsv --host=all slices
    same 2 "$(grep -c $'^all\t1795809600.000000\tnode-7/8\t\\["node-7/8","f"\\]\t' <<< "$output")"
}

@test "a speedscope file has a profile for each thread, and shows the busiest first" {
    prints '{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"flamepipe","name":"web1",
"shared":{"frames":[
{"name":"node"},
{"name":"main"},
{"name":"work"},
{"name":"add"}
]},
"profiles":[
{"type":"sampled","name":"node-7/8","unit":"none","startValue":0,"endValue":2,
"samples":[[0,1,2,3]],
"weights":[2]},
{"type":"sampled","name":"node-7/7","unit":"none","startValue":0,"endValue":1,
"samples":[[0,1]],
"weights":[1]}
],"activeProfileIndex":0}' stackexport --to=speedscope perf
}

@test "--unit says what folded stacks count, --weight and --event what samples count" {
    try stackexport --to=speedscope --unit=us folded
    [[ $output == *'"unit":"microseconds","startValue":0,"endValue":5,'* ]]
    try stackexport --to=speedscope --weight=period perf
    [[ $output == *'"unit":"nanoseconds","startValue":0,"endValue":500000,'* ]]
    answers 1 '*"profiles":[*],"activeProfileIndex":0}' "stackexport: no sample of 'cycles'; the input has: cpu-clock (3)" \
        stackexport --to=speedscope --event=cycles perf
}

# Prints the messages of a protobuf as text: field numbers, and texts in quotes.
decode() {
    python3 -c '
import sys
def number(b, i):
    n = shift = 0
    while True:
        n |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return n, i
def fields(b):
    i = 0
    while i < len(b):
        key, i = number(b, i)
        v, i = number(b, i)
        if key & 7 == 2:
            v, i = b[i:i + v], i + v
        yield key >> 3, v
p = {}
for f, v in fields(sys.stdin.buffer.read()):
    p.setdefault(f, []).append(v)
text = [s.decode() for s in p[6]]
names = {dict(fields(f))[1]: text[dict(fields(f))[2]] for f in p[5]}
places = {}
for l in p[4]:
    lines = [names[dict(fields(v))[1]] for k, v in fields(l) if k == 4]
    places[dict(fields(l))[1]] = "+".join(lines)
print("types", [text[dict(fields(t))[1]] + "/" + text[dict(fields(t))[2]] for t in p[1]])
for s in p[2]:
    print([places[i] for k, v in fields(s) if k == 1 for i in v], [list(v) if len(v) < 3 else len(v) for k, v in fields(s) if k == 2],
        {text[dict(fields(v))[1]]: text[dict(fields(v))[2]] for k, v in fields(s) if k == 3})
print("files", [text[dict(fields(m))[5]] for m in p.get(3, [])], "time", p.get(9), "duration", p.get(10))'
}

@test "a pprof profile has inlined calls as lines of a location, labels, files and the time of day" {
    stackexport --to=pprof perf | gzip -dc | decode > got
    same "types ['samples/count', 'cpu/nanoseconds']
['add+work', 'main', 'node'] [4] {'thread': 'node-7/8', 'command': 'node', 'kind': 'native'}
['main', 'node'] [4] {'thread': 'node-7/7', 'command': 'node', 'kind': 'native'}
files ['/bin/app'] time [1795824000500000000] duration [500000000]" "$(< got)"
    stackexport --to=pprof perf > out
    prints 'node;main 250
node;main;work;add 500' stackcollapse --event=cpu out # periods, in microseconds
    echo '@12.340;node;f 7' | stackexport --to=pprof --unit=bytes | gzip -dc | decode > got
    same "types ['space/bytes']
['f', 'node'] [[7]] {'thread': 'node', 'command': 'node', 'slice': '12.340', 'kind': 'native'}
files [] time None duration None" "$(< got)"
}

@test "values of pprof are whole numbers whose sum is that of the counts, rounded down" {
    printf '%s\n' 'a;b 1.5' 'a;c 1.25' 'a;d 1.5' > in
    try stackexport --to=pprof in
    same 'stackexport: counts with fractions: pprof has whole numbers, so values are rounded, and their sum is rounded down' \
        "$stderr"
    stackexport -q --to=pprof in > out
    prints 'a;b 1
a;c 1
a;d 2' stackcollapse out
}

@test "a Firefox profile has the kinds of code as categories, and waits of known times as markers" {
    printf '%s\n' 'node 7/8 1.000000: 250000 off-cpu: ' $'\t0 [wait: futex] ([unknown])' $'\t2 main+0x1 (/bin/app)' '' \
        'node 7/8 1.500000: 500 off-cpu: ' $'\t3 schedule+0x1 ([kernel.kallsyms])' '' > in
    try stackexport --to=firefox in
    same 0 "$status"
    [[ $output == *'"preprocessedProfileVersion":70,'* ]]
    [[ $output == *'"category":[15,10,14,11],'* ]] # the command, native, a wait, the kernel
    [[ $output == *'"markers":{"name":[2],
"startTime":[0],
"endTime":[0],
"phase":[1],
"category":[14],
"data":[{"type":"wait"}],
"length":1}'* ]]
    [[ $output == *'"time":[0,500],
"weight":[250,0.5],
"weightType":"tracing-ms"'* ]]
}

@test "what cannot be exported is said: a comparison of two profiles, what is no profile, and nothing" {
    local format
    answers 1 '*' '*: each line has two counts, so this is a comparison of two profiles: give one of them' \
        stackexport --to=tsv <(echo 'a;b 1 2')
    answers 1 '*' '*no line could be used: neither perf script text nor folded stacks*' stackexport --to=tsv <(echo 'x y z')
    for format in pprof firefox speedscope cpuprofile tsv; do
        stackexport --to=$format < /dev/null > out 2> messages
        same 'stackexport: no samples in the input' "$(< messages)"
        [ -s out ]
    done
}

@test "the format is asked for, and a binary one is not written to a terminal" {
    answers 2 '' 'stackexport: option --to says the output*s format: --to=pprof|firefox|speedscope|cpuprofile|tsv*' \
        stackexport perf
    try at_terminal 'stackexport --to=pprof perf'
    [[ $output == *'the output is binary, not for a terminal: write it to a file'* ]]
}
