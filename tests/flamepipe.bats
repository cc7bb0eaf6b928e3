# flamepipe: what it draws and says, how it ends, and that it leaves nothing behind; with a recorder that records nothing.
# not sanitized: it is a shell script
load lib
load flamepipe

setup_file() {
    make_recorders
}

is_wrong_usage() { # MESSAGE ARGUMENT ...
    answers 2 "" '*' flamepipe "${@:2}"
    same "flamepipe: $1" "${stderr%%$'\n'*}"
    [[ $stderr = *"usage: flamepipe [option ...] -- command [argument ...]"*"try 'flamepipe --help' for the options" ]]
}

# ---- files

@test "perf.data, perf script text and folded stacks are drawn as by the pipe" {
    gunzip -c "$DATA/node-http.perf.txt.gz" > text
    answers 0 "" '*' flamepipe "$RECORDED"
    cmp flame.svg <(by_hand "$RECORDED" two-events.data)
    try flamepipe -o text.svg text
    [ "$status" = 0 ]
    cmp text.svg <(by_hand text text)
    perf-script text | stackcollapse > stacks
    answers 0 "" '*' flamepipe -o stacks.svg stacks
    same "flamepipe: stacks.svg" "$(messages)"
    cmp stacks.svg <(stackfilter --node stacks | stackcollapse --kernel | flamesvg --colors=node --title=stacks)
    well_formed stacks.svg
}

@test "perf.data and text are drawn as what --print prints draws them, by one program in place of three" {
    local file
    for file in "$DATA"/*.perf.txt.gz "$DATA"/*.data; do
        case $file in *.gz) gunzip -c "$file" ;; *) cat "$file" ;; esac > in
        echo "$file"
        flamepipe -q -o one.svg in || [ "$file" = "$DATA/no-callchain.perf.txt.gz" ]
        flamepipe --print -q -o many.svg in > commands
        sh -e commands > "$BATS_TEST_TMPDIR/said" 2>&1
        cmp one.svg many.svg
    done
}

@test "a file of any format that stackcollapse recognizes is drawn, with its unit" {
    cat > app.cpuprofile <<- 'END'
	{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2]},
	{"id": 2, "callFrame": {"functionName": "hot", "url": "/srv/app.js", "lineNumber": 1, "columnNumber": 2}}],
	"samples": [2, 2], "timeDeltas": [1000, 2000]}
	END
    answers 0 "" '*' flamepipe app.cpuprofile
    same $'flamepipe: flame.svg\nflamepipe: the functions with the most time, in microseconds:' "$(messages)"
    cmp flame.svg <(stackcollapse app.cpuprofile | stackfilter --node |
        flamesvg --colors=node --countname=us --title=app.cpuprofile)
    printf '#0  leaf () at a.c:1\n#1  0x1 in main ()\n' | gzip > gdb.gz
    answers 0 "" '*' flamepipe -o gdb.svg gdb.gz
    cmp gdb.svg <(stackcollapse gdb.gz | flamesvg --colors=node --title=gdb.gz)
    answers 0 \
        'stackcollapse gdb.gz | stackfilter --node --source-maps | stackcollapse --kernel | flamesvg --colors=node --title=gdb.gz -o flame.svg' \
        "" flamepipe --print gdb.gz
    flamepipe --print -q "$DATA/stackcollapse/pyinstrument/app" | grep -qF ' --countname=us '
}

@test "- reads standard input, -o - writes standard output" {
    gunzip -c "$DATA/node-http.perf.txt.gz" > text
    by_hand text - > drawn
    prints "$(< drawn)" flamepipe -q -o - - < text
    [ "$status$stderr" = 0 ]
    [ ! -e flame.svg ]
}

@test "an HTML page is written where the name ends in .html, and --print prints that" {
    echo 'a;b 1' > stacks
    flamepipe -q -o out.html stacks
    cmp out.html <(stackfilter --node stacks | stackcollapse --kernel | flamesvg -q --html --colors=node --title=stacks)
    flamepipe --print -q -o out.html stacks > printed
    mv out.html wanted.html
    sh printed
    cmp wanted.html out.html
}

@test "a pipe is read as a file" {
    answers 0 '*' "" flamepipe -q -o - <(echo 'a;b 1')
    same "$(grep -c '<title>b (1' <<<"$output")" 1
    mkfifo fifo
    echo 'a;b 1' > fifo 3>&- &
    answers 0 '*' '' flamepipe -q -o - fifo
    same "$(grep -c '<title>b (1' <<<"$output")" 1
}

@test "a page of what flamepipe records has slices of time; an SVG, and the page of a file, have none" {
    prints '*stackcollapse --kernel --slice=20 | flamesvg --html *' flamepipe --print --html -- true
    prints '*stackcollapse --kernel --slice=20 | flamesvg * -o flame.html' flamepipe --print -o flame.html -p 1 5
    try flamepipe --print -- true
    [[ $output != *--slice* ]]
    printf 'a1 1 1.5: 1 c:\n\t1 f (/x)\n\n' > samples
    try flamepipe --print --html samples
    [[ $output != *--slice* ]]
    use stackrecord
    # stackrecord adds times up for a second.
    for option in --wall --off-cpu; do
        prints '* --slice=1000 | flamesvg --html *' flamepipe --print --html "$option" -- true
    done
}

@test "--print to a full disk is an error" {
    for words in '-p 1 3' "$RECORDED"; do
        try sh -c "flamepipe --print $words > /dev/full"
        [ "$status" = 1 ]
        [ "$stderr" != "" ]
    done
}

@test "the picture's path and the samples are printed, and what is wrong with the recording" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > text
    try flamepipe text
    [ "$status" = 0 ]
    samples=$(perf-script --check text | awk 'NR == 1 { print $1 }')
    [[ $(messages) = *$'\n'"flamepipe: flame.svg: $samples samples" ]]
    [[ $stderr = *"flamepipe: JIT frames without a name: stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof; print"* ]]
    advice=$(perf-script --check text | sed -n '/^advice/,$ s/^  //p')
    same "$advice
220 of 387 samples are in JavaScript without names
13 of 387 samples are in WebAssembly without names" "$(messages | sed -n '/: flame.svg/d; s/^flamepipe: //p')"
}

@test "how much code has no names is printed, and is in the picture with what to do about it" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > text
    use stackrecord
    export RECORDING=text
    local note='id="subtitle"[^>]*>57 % of samples are in JavaScript without names: stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof<'
    answers 0 '*' '* nameless (JavaScript without names)*' flamepipe -- true
    [[ $stderr = *'flamepipe: 220 of 387 samples are in JavaScript without names'$'\n''flamepipe: 13 of 387 samples are in WebAssembly without names'$'\n''flamepipe: flame.svg: 387 samples'* ]]
    grep -q "$note" flame.svg
    answers 0 '*' '' flamepipe -q -o quiet.svg -- true
    grep -q "$note" quiet.svg
    stackcollapse text > text.folded
    try flamepipe text.folded
    [[ $stderr = *'stackfilter: 220 of 387 counts are in JavaScript without names: stackrecord and flamepipe read '* ]]
    grep -q "$note" flame.svg
    gunzip -c "$DATA/node-http.perf.txt.gz" > text
    try flamepipe text
    [[ $stderr != *'without names'* ]]
    run ! grep 'id="subtitle"' flame.svg
}

@test "of its own recording it gives no advice that stackrecord has given or has followed, and says where options go that it has not itself" {
    sample() { # [FRAME ...]
        printf 'node 7/7 1.5: 1000 us:\n'
        printf '\t%s\n' "$@" ''
    }
    { sample '1 f (/app)' '0 [cut] ([unknown])' && sample '7f12 [unknown] (//anon)' '2 node::Start (/bin/node)'; } > short
    for _ in {1..12}; do sample '1 f (/app)' && sample '2 a (/app)' '3 main (/app)' '4 _start (/app)'; done > broken
    use stackrecord
    for RECORDING in short broken; do
        export RECORDING
        perf-script --check $RECORDING > "$RECORDING.check"
        try flamepipe -- true
        [ "$status" = 0 ]
        printf '%s\n' "$stderr" > "$RECORDING.said"
    done
    grep -q '^  JIT frames without a name: ' short.check
    run ! grep 'JIT frames without a name' short.said
    grep -q '^flamepipe: 1 of 2 stacks are cut, .*, with --call-graph dwarf,64512)$' short.said
    grep -qx "flamepipe: 'flamepipe --print' prints the commands, to which such options can be added" short.said
    grep -q '^  12 of 24 stacks do not reach a root, .* end in f: record with --call-graph dwarf, or with stackrecord' broken.check
    grep -q '^flamepipe: 12 of 24 stacks do not reach a root, .* end in f' broken.said
    run ! grep -e '--call-graph\|--print\|stackrecord' broken.said
    answers 0 '*' '*JIT frames without a name*stacks are cut*' flamepipe short
    [[ $stderr != *--print* ]]
}

@test "each remedy is said once, and none with --quiet" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > text
    try flamepipe text
    [ "$(grep -c -e --perf-basic-prof <<<"$stderr")" = 1 ]
    answers 0 '*' "" flamepipe -q text
}

@test "a file that is missing, a folder and a file of another kind are errors" {
    answers 1 '*' "flamepipe: node: no such file; a command to record comes after --" flamepipe node
    answers 1 '*' "flamepipe: tmp: Is a directory" flamepipe tmp
    touch secret
    chmod 0 secret
    # root reads everything unless it gives up the right to
    [ "$(id -u)" != 0 ] || withheld=(setpriv '--bounding-set=-dac_override,-dac_read_search')
    answers 1 '*' "flamepipe: secret: Permission denied" "${withheld[@]}" flamepipe secret
    printf 'hello\nworld\n' > letter
    answers 1 '*' '*flamepipe: letter: no samples in the input; a command to record comes after --' flamepipe letter
    : > empty
    answers 1 '*' "flamepipe: empty: the input is empty" flamepipe empty
    [ ! -e flame.svg ]
}

@test "a program in the place of a file is told from a recording" {
    printf '#!/bin/sh\nsleep 1\n' > job.sh
    cp "$(type -P true)" "my app"
    chmod +x job.sh
    for file in job.sh "$PWD/job.sh" 'my app'; do
        try flamepipe "$file"
        [ "$status" = 1 ]
        [[ $stderr = "flamepipe: $file: a program, not a recording: flamepipe -- "*" records it" ]]
    done
    [[ $stderr = *": flamepipe -- './my app' records it" ]]
    try flamepipe -o - -- ./job.sh
    [ "$status" = 0 ]
    printf 'console.log(1)\n' > app.js
    answers 1 '*' '*flamepipe: app.js: no samples in the input; a command to record comes after --' flamepipe app.js
}

@test "what can be read of a profile that was cut is drawn, with status 1" {
    local nodes='{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2]}, {"id": 2, "callFrame":
        {"functionName": "hot", "url": "/srv/app.js", "lineNumber": 1, "columnNumber": 2}}'
    echo "$nodes], \"samples\": [2, 2], \"timeDeltas\": [1000, 2000], \"more" > cut.cpuprofile
    for option in '' --idle-threads; do
        rm -f flame.svg
        # shellcheck disable=SC2086 # no word, or one
        answers 1 '' '*' flamepipe $option cut.cpuprofile
        [[ $stderr = *'stackcollapse: cut.cpuprofile:'*': byte '*$'\nflamepipe: flame.svg, of a file that is damaged\n'* ]]
        titles flame.svg | grep -q '>hot /srv/app.js:2:3 (3.00 ms, 100.00%)'
    done
    echo "$nodes], \"samples\": [2, 2], \"timeDel" > cut.cpuprofile # they come last
    for option in '' -q; do
        # shellcheck disable=SC2086 # no word, or one
        answers 1 '*' '*stackcollapse: cut.cpuprofile:*: byte *' flamepipe $option cut.cpuprofile
        titles flame.svg | grep -q '>hot /srv/app.js:2:3 (2 samples, 100.00%)'
        [[ $stderr != *microseconds* ]]
    done
    echo "$nodes" > cut.cpuprofile
    answers 1 '*' '*flamepipe: none.svg: not drawn' flamepipe -o none.svg cut.cpuprofile
    [ ! -e none.svg ]
}

@test "what can be read of a recording that was cut is drawn, with status 1" {
    head -c $(($(wc -c < "$RECORDED") / 2)) "$RECORDED" > cut.data
    try perf-script cut.data
    [ "$status" = 1 ]
    answers 1 '' '*' flamepipe cut.data
    [[ $stderr = *'perf-script: cut.data: at byte '*'flame.svg, of a file that is damaged'* ]]
    same 1 "$(grep -c 'at byte' <<< "$stderr")"
    same "$(by_hand cut.data cut.data)" "$(cat flame.svg)"
    head -c 50 "$RECORDED" > cut.data
    answers 1 '*' '*flamepipe: cut.data: no samples in the recording' \
        flamepipe -o header.svg cut.data
    [ ! -e header.svg ]
}

# ---- --print

@test "--print prints the commands, and runs none" {
    unset PYTHONPERFSUPPORT
    draws="stackcollapse --kernel | flamesvg --colors=node --title='node app.js it'\\''s' -o 'my picture.svg'"
    answers 0 \
        "NODE_OPTIONS='--perf-basic-prof --interpreted-frames-native-stack' PYTHONPERFSUPPORT=1 perf record -q -F 49 -g -N -o out.data -- node app.js 'it'\\''s' ''
perf-script --check out.data
perf-script --inline out.data | stackfilter --node --source-maps | $draws" \
        "" flamepipe --print -F 49 -o 'my picture.svg' -- node app.js "it's" ''
    try flamepipe --print -p 12,13 30
    same 'perf record -q -p 12,13 -F 99 -g -N -o out.data -- sleep 30' "${lines[0]}"
    try flamepipe --print -a
    same 'perf record -q -a -F 99 -g -N -o out.data' "${lines[0]}"

    use stackrecord
    try flamepipe --print -F 49 -o 'my picture.svg' -- node app.js "it's" ''
    same "PYTHONPERFSUPPORT=1 stackrecord -F 49 --inline --text out.perf -- node app.js 'it'\\''s' ''
perf-script --check out.perf
stackfilter --node --source-maps out.perf | $draws" "$output"
    try flamepipe --print -p 12,13 30
    same 'stackrecord -p 12,13 -F 99 --inline --duration 30 --text out.perf' "${lines[0]}"
    try flamepipe --print -p 12,13 --duration 30
    same 'stackrecord -p 12,13 -F 99 --inline --duration 30 --text out.perf' "${lines[0]}"
    try flamepipe --print -q --keep -a
    same 'stackrecord -a -F 99 --inline -q --text flame.perf' "${lines[0]}"

    try flamepipe --print missing.data
    [ "$status" = 1 ]
    echo 'a;b 1' > stacks
    try flamepipe --print stacks
    same 'stackfilter --node --source-maps stacks | stackcollapse --kernel | flamesvg --colors=node --title=stacks -o flame.svg' "$output"
    [ ! -e "$LOG" ]
    [ ! -e flame.svg ]
}

@test "what --print prints draws the same picture" {
    for recorder in perf stackrecord; do
        use $recorder
        for words in "-- echo 'a  b' \$HOME \"it's\"" '-p 1 0.1' '-a 0.1' "$RECORDED"; do
            eval "set -- $words"
            rm -f flame.svg
            try flamepipe --title title "$@"
            [ "$status" = 0 ]
            mv flame.svg wanted.svg
            flamepipe --print --title title "$@" > commands
            try sh -e commands
            [ "$status" = 0 ]
            cmp wanted.svg flame.svg
        done
    done
}

# ---- recording

@test "the command gets its arguments, its input and its output as they are" {
    for recorder in perf stackrecord; do
        use $recorder
        answers 0 $'<a  b><it\'s><><two\nlines><$HOME><*>input' '*' \
            flamepipe -- sh -c 'printf "<%s>" "$@"; cat; echo said >&2' sh 'a  b' "it's" '' $'two\nlines' '$HOME' '*' \
            <<<'input'
        [[ $stderr = *said* ]]
        grep -q "a  b it's  two lines \$HOME" flame.svg
        rm flame.svg
    done
}

@test "where the picture is standard output, the command's own output is standard error" {
    for recorder in perf stackrecord; do
        use $recorder
        answers 0 '*' 'its own' flamepipe -q -o - -- sh -c 'echo its own'
        [[ $output = '<?xml'*'</svg>' ]]
    done
}

@test "the exit status is the command's" {
    for recorder in perf stackrecord; do
        use $recorder
        try flamepipe -- sh -c 'exit 7'
        [ "$status" = 7 ]
        [ -e flame.svg ]
        try flamepipe -- true
        [ "$status" = 0 ]
        try flamepipe -- sh -c 'kill -KILL $$'
        [ "$status" = 137 ]
    done
}

@test "stackrecord reads the names of JavaScript functions itself: node is started with the user's options alone" {
    use stackrecord
    unset NODE_OPTIONS
    answers 1 '' '*' flamepipe -- printenv NODE_OPTIONS
    NODE_OPTIONS=--cpu-prof answers 0 '--cpu-prof' '*' flamepipe -- printenv NODE_OPTIONS
    prints 'PYTHONPERFSUPPORT=1 stackrecord *' env -u PYTHONPERFSUPPORT flamepipe --print -- node --prof app.js
    try flamepipe --compare --print -- node a.js --vs -- node b.js
    [[ $output != *NODE_OPTIONS* ]]
}

@test "where stackrecord may not read the memory of what the command starts, node writes perf maps, unless it is the command" {
    use stackrecord
    unset NODE_OPTIONS
    # The scope of yama, the capabilities (trace: all but CAP_SYS_PTRACE are missing), the command, and whether node is to
    # write a map.
    while read -r scope capabilities command wanted; do
        case $capabilities in
        none) printf 'CapEff:\t000001fffff7ffff\n' ;;
        trace) printf 'CapEff:\t0000000000080000\n' ;;
        esac > "$FAKE/status"
        echo "$scope" > "$FAKE/yama"
        try flamepipe --print -- "$command" app.js
        echo "$scope $capabilities $command: $output"
        [[ $output != NODE_OPTIONS=* ]] || [ "$wanted" = map ]
        [[ $output = NODE_OPTIONS=* ]] || [ "$wanted" = - ]
        rows=$((${rows-0} + 1))
    done <<- 'END'
	0 none sh -
	0 trace sh -
	1 none node -
	1 none nodejs -
	1 none /usr/bin/node -
	1 none sh map
	1 trace sh -
	2 none node map
	2 trace node -
	3 none node map
	3 trace node map
	END
    same 11 "$rows"
}

@test "names are read from memory on x86-64 alone, so elsewhere node writes a perf map" {
    use stackrecord
    unset NODE_OPTIONS
    MACHINE=aarch64 prints 'NODE_OPTIONS=* stackrecord *' flamepipe --print -- node app.js
}

@test "--write-perf-map has node write a perf map for stackrecord too" {
    use stackrecord
    unset NODE_OPTIONS
    answers 0 '--perf-basic-prof --interpreted-frames-native-stack' '*' flamepipe --write-perf-map -- printenv NODE_OPTIONS
    try flamepipe --write-perf-map --compare --print -- node a.js --vs -- node b.js
    same 6 "$(grep -c '^NODE_OPTIONS=.* stackrecord ' <<< "$output")"
    for words in '-p 1' 'file' '--inspect -- node a.js'; do
        # shellcheck disable=SC2086 # the words of each
        is_wrong_usage 'option --write-perf-map needs a command, and goes without --inspect' --write-perf-map $words
    done
}

@test "perf reads no memory: every node below the command writes a perf map, with the user's NODE_OPTIONS" {
    unset NODE_OPTIONS PYTHONPERFSUPPORT
    answers 0 '--perf-basic-prof --interpreted-frames-native-stack' '*' flamepipe -- printenv NODE_OPTIONS
    NODE_OPTIONS="--require './a b.js'" try flamepipe -- printenv NODE_OPTIONS
    same "--require './a b.js' --perf-basic-prof --interpreted-frames-native-stack" "$output"
    for choice in --perf-prof --perf_basic_prof --perf-basic-prof-only-functions; do
        NODE_OPTIONS=$choice try flamepipe -- printenv NODE_OPTIONS
        same "$choice --interpreted-frames-native-stack" "$output"
    done
    for choice in --interpreted-frames-native-stack --no-interpreted_frames_native_stack; do
        NODE_OPTIONS=$choice answers 0 "$choice --perf-basic-prof" '*' flamepipe -- printenv NODE_OPTIONS
    done
}

@test "a node that takes a profile itself is not given the option with which Node 18 to 20 may then hang" {
    unset NODE_OPTIONS
    for words in 'node --prof app.js' 'node --cpu-prof --cpu-prof-dir=d app.js' 'sh -c "exec node --cpu_prof app.js"' 'sh -c "node --prof"'; do
        eval "try flamepipe --print -- $words"
        [ "$status" = 0 ]
        [[ $output = 'NODE_OPTIONS=--perf-basic-prof '* ]]
        same 'flamepipe: functions that V8 interprets get no names: beside --prof or --cpu-prof, the option for that may hang Node 18 to 20' "$stderr"
    done
    NODE_OPTIONS=--cpu-prof prints '--cpu-prof --perf-basic-prof' flamepipe -q -- printenv NODE_OPTIONS
    NODE_OPTIONS='--cpu-prof --interpreted-frames-native-stack' try flamepipe --print -- node app.js
    [[ $output = "NODE_OPTIONS='--cpu-prof --interpreted-frames-native-stack --perf-basic-prof' "* ]]
    same '' "$stderr"
    answers 0 '*' '' flamepipe --print -- node --prof --interpreted-frames-native-stack app.js
    [[ $output = 'NODE_OPTIONS=--perf-basic-prof '* ]]
    for words in 'node --prof-process v8.log' 'node app.js --profile'; do
        eval "try flamepipe --print -- $words"
        [[ $output = "NODE_OPTIONS='--perf-basic-prof --interpreted-frames-native-stack' "* ]]
        same '' "$stderr"
    done
}

@test "a java gets the options with which its stacks are whole and have names, and is recorded as perf.data" {
    unset NODE_OPTIONS PYTHONPERFSUPPORT
    use stackrecord
    java='-XX:+PreserveFramePointer -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit'
    JAVA_TOOL_OPTIONS=-Xmx1g try flamepipe --print -F 49 -- /opt/bin/java -jar app.jar
    same "PYTHONPERFSUPPORT=1 JAVA_TOOL_OPTIONS='-Xmx1g $java' \
stackrecord -F 49 -e cpu-clock -o out.data -- /opt/bin/java -jar app.jar
perf-script --check out.data
perf-script --inline out.data | stackfilter --node --source-maps | stackcollapse --kernel | \
flamesvg --colors=node --title='/opt/bin/java -jar app.jar' -o flame.svg" "$output"
    unset JAVA_TOOL_OPTIONS
    answers 1 '' '*' flamepipe -- printenv JAVA_TOOL_OPTIONS
}

@test "the waits of a java are recorded as text, which is all that stackrecord writes of them" {
    use stackrecord
    for option in --off-cpu --wall; do
        answers 0 '*' '' flamepipe --print $option -- java -jar app.jar
        grep -q "stackrecord .*$option .* --text out.perf -- java -jar app.jar$" <<< "$output"
    done
}

@test "the recorded command keeps its PATH" {
    for recorder in perf stackrecord; do
        use $recorder
        PATH=$PATH:/nowhere try flamepipe -- printenv PATH
        same "$PATH:/nowhere" "$output"
    done
}

@test "the recorder is asked for the frequency, the processes and the seconds" {
    try flamepipe -F 999 -p 12 --pid=13 0.1
    [ "$status" = 0 ]
    [[ $(tail -n 1 "$LOG") = "record -q -p 12,13 -F 999 -g -N -o $TMPDIR/"*" -- sleep 0.1" ]]
    grep -q '>process 12,13, .* at 999 Hz<' flame.svg
    try flamepipe --all 0.1
    [[ $(tail -n 1 "$LOG") = "record -q -a -F 99 -g -N -o $TMPDIR/"*" -- sleep 0.1" ]]
    grep -q '>all processes, [^<]* s at 99 Hz<' flame.svg
    use stackrecord
    try flamepipe -F 999 -p 12 --pid=13 0.1
    same '-p 12,13 -F 999 --inline --duration 0.1' "$(asked)"
    try flamepipe -q -a 0.1
    same '-a -F 99 --inline -q --duration 0.1' "$(asked)"
}

@test "a process by its name, a cgroup and an event are the recorder's options" {
    try flamepipe -e page-faults,context-switches -a 0.1
    [ "$status" = 0 ]
    [[ $(tail -n 1 "$LOG") = "record -q -a -e page-faults,context-switches -g -N -o $TMPDIR/"*" -- sleep 0.1" ]]
    grep -q '>all processes: page-faults,context-switches, [^<]* s<' flame.svg
    answers 1 '*' '*stackrecord is missing*' flamepipe -n node 0.1
    use stackrecord
    try flamepipe -n 'my node' -e page-faults -e context-switches -F 9 0.1
    [ "$status" = 0 ]
    same '-n my node -e page-faults,context-switches -F 9 --inline --duration 0.1' "$(asked)"
    grep -q '>process my node: page-faults,context-switches, [^<]* s at 9 Hz<' flame.svg
    try flamepipe --cgroup /a.slice --off-cpu 0.1
    same '--cgroup /a.slice --off-cpu --inline --duration 0.1' "$(asked)"
    grep -q '>cgroup /a.slice: waits, [^<]* s<' flame.svg
}

@test "functions of a bundle are named by its source map, unless --no-source-maps is given" {
    mkdir dist
    printf 'function t(e){}\n//# sourceMappingURL=main.js.map\n' > dist/main.js
    echo '{"version":3,"sources":["../src/app.ts"],"names":["busy"],"mappings":"SAAAA"}' > dist/main.js.map
    echo "node;JS:~t $PWD/dist/main.js:1:11 1" > stacks
    flamepipe -q stacks
    grep -q "<title>busy $PWD/src/app.ts:1:1 (1 samples" flame.svg
    flamepipe -q --no-source-maps stacks
    grep -q "<title>t $PWD/dist/main.js:1:11 (1 samples" flame.svg
    prints 'stackfilter --node stacks | *' flamepipe --print --no-source-maps stacks
}

@test "--by-process and --by-thread keep the stacks of processes and threads apart" {
    gunzip -c "$DATA/node-workers.perf.txt.gz" > workers
    for option in pid tid; do
        stackfilter -q --node workers | stackcollapse -q --kernel --$option |
            flamesvg -q --colors=node --title=workers > "wanted.$option"
    done
    flamepipe -q --by-process workers
    cmp wanted.pid flame.svg
    flamepipe -q --by-thread workers
    cmp wanted.tid flame.svg
}

@test "what V8's collector and compiler do is one frame each, and --v8-work says otherwise" {
    echo 'node;JS:*f /a.js:1:1;v8::internal::Heap::CollectGarbage;v8::internal::Map::Find 1' > stacks
    echo 'node;node::Worker;v8::internal::Compiler::Compile;v8::internal::Zone::New 1' >> stacks
    for work in '' keep summarize hide; do
        stackfilter -q --node ${work:+--v8-work=$work} stacks | stackcollapse -q --kernel |
            flamesvg -q --colors=node --title=stacks > wanted.svg
        flamepipe -q ${work:+--v8-work=$work} stacks
        cmp wanted.svg flame.svg
        case $work in
        keep | hide) ! grep '<title>(garbage collector) (1' flame.svg ;;
        *) grep -q '<title>(garbage collector) (1' flame.svg && grep -q '<title>(compiler) (1' flame.svg ;;
        esac
    done
    is_wrong_usage "option --v8-work: 'x' is not one of keep, summarize, hide" --v8-work=x stacks
    try flamepipe --v8-work=hide --print stacks
    same 'stackfilter --node --v8-work=hide --source-maps stacks | stackcollapse --kernel | flamesvg --colors=node --title=stacks -o flame.svg' "$output"
}

@test "--html writes a page, flame.html unless a name is given" {
    echo 'a;b 1' > stacks
    flamepipe -q --html stacks
    grep -q '^<!DOCTYPE html>' flame.html
    [ ! -e flame.svg ]
    flamepipe -q --html -o page stacks
    cmp page flame.html
}

@test "the table of waits names what called the C library and the kernel" {
    use stackrecord
    printf 'pool 7/7 [000] 1.5: %s00 off-cpu: state S\n\t1 __schedule+0x1 ([kernel.kallsyms])\n\t2 futex (%s)\n%s\n' \
        5 /usr/lib/libc.so.6 $'\t3 take_work (/srv/app)\n\t4 main (/srv/app)\n' \
        3 inlined $'\t2 futex (/lib/ld-musl-x86_64.so.1)\n\t5 read_all (/srv/app)\n\t4 main (/srv/app)\n' > two-events.perf
    FAKE=$PWD try flamepipe --off-cpu -- true
    [ "$status" = 0 ]
    same 'self total
500 500 take_work
300 300 read_all
0 800 main' "$(sed -n '/^ *self /,$p' <<< "$stderr" | awk '{ print $1, NR == 1 ? $3 : $3 " " $NF }')"
    titles flame.svg | grep -q '>__schedule (500 µs, '
}

@test "where what waits has no names, the table has the functions of the C library" {
    use stackrecord
    printf 'a 7/7 [000] 1.5: 500 off-cpu: state S\n\t1 __schedule+0x1 ([kernel.kallsyms])\n\t%s\n\t%s\n\n' \
        '2 nanosleep (/usr/lib/libc.so.6)' '3 [unknown] (/srv/app)' > two-events.perf
    FAKE=$PWD try flamepipe --off-cpu -- true
    [ "$status" = 0 ]
    [[ $stderr = *$'\nflamepipe: the functions with the most time, in microseconds:\n'* ]]
    same 'nanosleep' "$(sed -n '/^ *self /,$p' <<< "$stderr" | awk 'NR == 2 { print $NF }')"
}

@test "--off-cpu records waits, which perf does not" {
    answers 1 '*' $'flamepipe: stackrecord is missing: it must be beside flamepipe, or on PATH\nflamepipe: nothing was recorded' \
        flamepipe --off-cpu -- true
    use stackrecord
    try flamepipe --off-cpu -a 0.1
    [ "$status" = 0 ]
    same '-a --off-cpu --inline --duration 0.1' "$(asked)"
    grep -q '>all processes: waits, [^<]* s<' flame.svg
    try flamepipe --off-cpu --print -- sleep 1
    [[ $output = *$'\nstackfilter --node --source-maps --no-idle-threads out.perf |'*"| flamesvg --colors=node --countname=us --title='sleep 1: waits' -o flame.svg" ]]
    try flamepipe --off-cpu --idle-threads --print -- sleep 1
    [[ $output = *$'\nstackfilter --node --source-maps out.perf |'* ]]
}

@test "--wall leaves out the waits for work of a pool's threads, if that is not all, and says how long they were" {
    use stackrecord
    for thread in 7 8; do
        printf 'pool 7/%s [000] 1.5: 500000 wall: waiting\n' "$thread"
        printf '\t%s\n' '0 [wait: futex] ([unknown])' '1 pthread_cond_wait (/lib/libc.so.6)' '2 take_work (/srv/app)' ''
    done > two-events.perf
    printf 'pool 7/8 [000] 1.6: 30000 wall: running\n\t3 work (/srv/app)\n\n' >> two-events.perf
    FAKE=$PWD try flamepipe --wall -- true
    [ "$status" = 0 ]
    [[ $stderr = *'flamepipe: left out: waits for work of 1 thread, 0.5 s (50.0 % of all waits); --idle-threads shows them'* ]]
    titles flame.svg | grep -q '>take_work (500 ms, '
    titles flame.svg | grep -q '>work (30.0 ms, '
    FAKE=$PWD try flamepipe --wall --idle-threads -- true
    titles flame.svg | grep -q '>take_work (1.00 s, '
    printf 'pool 7/8 [000] 1.5: 500000 wall: waiting\n\t0 pthread_cond_wait (/lib/libc.so.6)\n\t2 take_work (/srv/app)\n\n' > two-events.perf
    FAKE=$PWD answers 0 '*' '*flamepipe: all are waits for work: none is left out*' flamepipe --wall -- true
    titles flame.svg | grep -q '>take_work (500 ms, '
}

@test "--wall records what runs and what waits, which perf does not" {
    answers 1 '*' $'flamepipe: stackrecord is missing: it must be beside flamepipe, or on PATH\nflamepipe: nothing was recorded' \
        flamepipe --wall -- true
    use stackrecord
    try flamepipe --wall -a 0.1
    [ "$status" = 0 ]
    same '-a -F 99 --wall --inline --duration 0.1' "$(asked)"
    grep -q '>all processes: wall clock, [^<]* s at 99 Hz<' flame.svg
    try flamepipe --wall --print -- sleep 1
    [[ $output = *$'\nstackfilter --node --source-maps --no-idle-threads out.perf |'*"| flamesvg --colors=node --countname=us --title='sleep 1: wall clock' -o flame.svg" ]]
    try flamepipe --wall --idle-threads --print -- sleep 1
    [[ $output = *$'\nstackfilter --node --source-maps out.perf |'* ]]
    try flamepipe --wall --off-cpu -- true
    [ "$status" = 2 ]
    same 'option --off-cpu: --wall has the waits too' "$(sed -n 's/^flamepipe: //p' <<<"$stderr" | head -1)"
}

@test "--keep keeps the recording beside the picture" {
    mkdir 'a folder'
    try flamepipe --keep -o 'a folder/x.y.svg' -- true
    [ "$status" = 0 ]
    cmp "$RECORDED" 'a folder/x.y.data'
    try flamepipe --keep -q --title true -o - -- true
    cmp "$RECORDED" flame.data
    same "$(by_hand flame.data true)" "$output"
    use stackrecord
    try flamepipe --keep -o picture -- true
    cmp "$FAKE/two-events.perf" picture.perf
    mkdir -p full/picture.perf/recording
    try flamepipe --keep -o full/picture -- true
    [ "$status" = 1 ]
    [[ $stderr = *'flamepipe: full/picture.perf: '* ]]
}

@test "perf records where stackrecord may not, and flamepipe says why" {
    use stackrecord
    printf '#!/bin/sh\necho "stackrecord: only root may" >&2\nexit 1\n' > stackrecord
    chmod +x stackrecord
    cp "$FAKE/stackrecord/flamepipe" .
    PATH=$FAKE/perf:$ELSEWHERE
    answers 0 '*' 'flamepipe: perf records, since stackrecord may not: only root may*' ./flamepipe -- true
    [ -s flame.svg ]
}

@test "where no recorder may record, the command is not started, and stackrecord says why" {
    printf '#!/bin/sh\necho "stackrecord: only root may" >&2\nexit 1\n' > stackrecord
    printf '#!/bin/sh\ncase $* in *" -q "*) ;; *) printf "Error:\\n\\nnot for you\\n" >&2 ;; esac\nexit 255\n' > perf
    chmod +x perf stackrecord
    cp "$FAKE/perf/flamepipe" .
    PATH=$PWD:$FAKE/none:$ELSEWHERE
    answers 1 '*' $'stackrecord: only root may\nflamepipe: nothing was recorded' ./flamepipe -- touch started
    rm stackrecord
    answers 1 '*' $'Error:\nnot for you\nflamepipe: nothing was recorded' ./flamepipe -- touch started
    rm perf
    mkdir tools
    for tool in sh sed mktemp rm dirname readlink tr awk; do ln -s "$(command -v $tool)" tools; done
    PATH=$FAKE/none:$PWD/tools try ./flamepipe -- sh -c 'echo > started'
    [ "$status" = 1 ]
    [ "$stderr" = $'flamepipe: stackrecord is missing: it must be beside flamepipe, or on PATH\nflamepipe: nothing was recorded' ]
    [ ! -e started ]
}

@test "--title is the picture's heading; without it what was recorded" {
    try flamepipe --title 'before & after' -- true
    grep -q '>before &amp; after<' flame.svg
    try flamepipe -- printf '%s' "$(printf '%0200d' 0)"
    grep -q '>printf %s 0\{90,\}\.\.\., [0-9-]* [0-9:]*, [0-9]* s at 99 Hz<' flame.svg
}

@test "the picture's heading has the command lines of the processes, when and how long they were recorded, and how often" {
    use stackrecord
    printf '%s\n' '# hostname : web1' '# process : 12 : node server.js <prod>' '# process : 13 : node worker.js' > header
    cat header "$FAKE/two-events.perf" > recording
    RECORDING=recording try flamepipe -p 12,13 0.1
    same 0 "$status"
    grep -q '>node server.js &lt;prod&gt; (process 12), node worker.js (process 13), [0-9-]* [0-9:]*, [0-9]* s at 99 Hz<' flame.svg
    try flamepipe -p 12 --wall -F 9 0.1
    grep -q '>process 12: wall clock, [0-9-]* [0-9:]*, [0-9]* s at 9 Hz<' flame.svg
    RECORDING=recording try flamepipe -p 12 --title mine 0.1
    grep -q '>mine<' flame.svg
}

@test "the ten hottest functions are printed after the picture's path, and none with --quiet" {
    for i in 10 11 12 13 14 15 16 17 18 19 20 21; do echo "sh;f$i $i"; done > stacks
    answers 0 '' $'flamepipe: flame.svg\n'"$(stackreport --top 10 stacks)" flamepipe stacks
    [[ $stderr = *f12 && $stderr != *f11* ]]
    answers 0 '*' '' flamepipe -q stacks
}

@test "where there is no room to draw a profile, the profile stays" {
    mkdir inspect small
    ln -s "$BIN"/* inspect
    rm inspect/{flamepipe,nodeprofile}
    cp "$BIN/flamepipe" inspect
    printf '#!/bin/sh\ncat "$PROFILE"\n' > inspect/nodeprofile
    chmod +x inspect/nodeprofile
    # A chain of 500 calls, with a sample in each.
    awk 'BEGIN {
        printf "{\"nodes\": ["
        for (i = 1; i <= 500; i++)
            printf "%s{\"id\": %d, \"callFrame\": {\"functionName\": \"function%d\"}, \"children\": [%s]}", (i > 1 ? "," : ""), i, i, (i < 500 ? i + 1 : "")
        printf "], \"samples\": [1"
        for (i = 2; i <= 500; i++) printf ", %d", i
        printf "], \"timeDeltas\": [1"
        for (i = 2; i <= 500; i++) printf ", 1"
        print "]}"
    }' > app.cpuprofile
    mount -t tmpfs -o size=500k none small || skip "no small disk can be mounted here"
    PROFILE=$PWD/app.cpuprofile PATH=$PWD/inspect:$PATH TMPDIR=$PWD/small try flamepipe --inspect -p $$ 1
    left=$(find small -type f | head -n 2)
    cmp app.cpuprofile small/*/recording && kept=1 || kept=''
    umount small
    [ "$status" = 1 ]
    [ "$kept" ]
    [[ $left = small/flamepipe.*/recording ]]
    [[ $stderr = *"flamepipe: what has been recorded stays in $PWD/$left: "*$'\n''flamepipe: flame.svg: not drawn' ]]
    [ ! -e flame.svg ]
}

@test "--keep keeps the recording beside the picture, whatever has a point in its path, and in place of an older one" {
    use stackrecord
    mkdir a.b
    echo old > a.b/c.perf
    chmod 400 a.b/c.perf
    answers 0 '*' '' flamepipe -q -o a.b/c --keep -- true
    same $'c\nc.perf' "$(ls a.b)"
    cmp a.b/c.perf "$FAKE/two-events.perf"
    try flamepipe -q -o ./.d --keep -- true
    [ -e .d ] && [ -e .d.perf ]
}

@test "--keep says before the recording that it could not be kept" {
    use stackrecord
    mkdir flame.perf
    for name in out.perf flame.svg; do
        try flamepipe -o $name --keep -- touch recorded
        [ "$status" = 1 ]
        [ ! -e recorded ]
        [[ $stderr = 'flamepipe: out.perf: this is the name of the picture; the recording would have it too' ||
            $stderr = 'flamepipe: flame.perf: this is a folder' ]]
    done
}

@test "of standard input --print prints no command that would read it first" {
    answers 0 '*' '' flamepipe --print -
    [[ $output = 'perf-script --inline - | '* ]]
}

@test "--wall and --off-cpu of a recording draw what it says of waits" {
    gunzip -c "$DATA/wall/pointers.data.gz" > wall.data
    gunzip -c "$DATA/offcpu/sched-switch.data.gz" > switches.data
    local option file
    for option in --wall --off-cpu; do
        file=wall.data
        [ $option = --wall ] || file=switches.data
        try flamepipe --idle-threads $option $file
        [ "$status" = 0 ]
        [ "$output" = "" ]
        [[ $stderr == *'flamepipe: flame.svg: '*'the functions with the most time, in microseconds:'* || $option = --off-cpu ]]
        perf-script -q $option $file | stackfilter -q --node | stackcollapse -q --kernel > stacks
        cmp flame.svg <(flamesvg -q --colors=node --countname=us --title="$file: $([ $option = --wall ] && echo wall clock || echo waits)" stacks)
    done
    try flamepipe --wall switches.data --print
    [ "$status" = 0 ]
    same 'perf-script --wall --inline -F +pid switches.data > out.perf' "${lines[0]}"
    try flamepipe --wall "$RECORDED"
    [ "$status" = 1 ]
    [[ $stderr == *'perf-script: '*'--wall'*'flamepipe: flame.svg: not drawn'* ]]
}

@test "a file of --wall is drawn in microseconds, without waits for work, as its recording was" {
    for thread in 7 8; do
        printf 'pool 7/%s [000] 1.5: 500000 wall: waiting\n' "$thread"
        printf '\t%s\n' '0 [wait: futex] ([unknown])' '1 pthread_cond_wait (/lib/libc.so.6)' '2 take_work (/srv/app)' ''
    done > in
    printf 'pool 7/8 [000] 1.6: 30000 wall: running\n\t3 work (/srv/app)\n\n' >> in
    try flamepipe in
    [ "$status" = 0 ]
    titles flame.svg | grep -q '>all (530 ms, 100%)'
    [[ $stderr = *'left out: waits for work of 1 thread'*'in microseconds:'* ]]
    try flamepipe --idle-threads in
    titles flame.svg | grep -q '>all (1.03 s, 100%)'
}

@test "a profile by V8 is drawn without the time in which it was idle, if that is not all" {
    profile() { # SAMPLES
        printf '{"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}, "children": [2, 3]},
        {"id": 2, "callFrame": {"functionName": "hot", "url": "/srv/app.js", "lineNumber": 1, "columnNumber": 2}},
        {"id": 3, "callFrame": {"functionName": "(idle)"}}], "samples": [%s], "timeDeltas": [3000, 1000, 2000]}' "$1" > app.cpuprofile
    }
    profile '2, 3, 2'
    answers 0 "" '*' flamepipe app.cpuprofile
    titles flame.svg | grep -q '>all (5.00 ms, 100%)'
    [[ $stderr = $'flamepipe: left out: (idle), 1,000 of 6,000 microseconds; --idle-threads shows them\nflamepipe: flame.svg\n'* ]]
    try flamepipe --print app.cpuprofile
    eval "$output"
    titles flame.svg | grep -q '>all (5.00 ms, 100%)'
    try flamepipe --idle-threads app.cpuprofile
    titles flame.svg | grep -q '>all (6.00 ms, 100%)'
    [[ $stderr = $'flamepipe: flame.svg\n'*'wait     (idle)'* ]]
    profile '3, 3, 3'
    try flamepipe app.cpuprofile
    [ "$status" = 0 ]
    titles flame.svg | grep -q '>all (6.00 ms, 100%)'
    [[ $stderr = $'flamepipe: all are waits for work: none is left out\nflamepipe: flame.svg\n'* ]]
    profile '2, 2, 2'
    try flamepipe app.cpuprofile
    [[ $stderr = $'flamepipe: flame.svg\n'* ]]
}

@test "of several events the picture of a file shows the first, without a number of samples, or that of --event" {
    printf '%s 1/1 [0] %s: 1 %s:\n\t1 %s (/x)\n\n' p 1.0 page-faults rare p 2.0 cpu-clock often p 3.0 cpu-clock often > in
    answers 0 '*' '*flamepipe: several events: stackcollapse takes the first one, page-faults, unless --event names others*' \
        flamepipe in
    [[ $'\n'$stderr$'\n' = *$'\nflamepipe: flame.svg\n'* ]]
    titles flame.svg | grep -q '>rare (1 '
    try flamepipe -e cpu-clock in
    [ "$status" = 0 ]
    [[ $stderr != *'several events'* ]]
    titles flame.svg | grep -q '>often (2 '
}

@test "a disk that is full leaves the picture that was there, and no other file" {
    mkdir small
    mount -t tmpfs -o size=16k none small || skip "no small disk can be mounted here"
    echo old > small/flame.svg
    try flamepipe -q -o small/flame.svg -- true
    left=$(ls -A small) picture=$(cat small/flame.svg)
    umount small
    [ "$status" = 1 ]
    same $'flamesvg: small/flame.svg: No space left on device\nflamepipe: small/flame.svg: not written' "$stderr"
    same flame.svg "$left"
    same old "$picture"
}

@test "a picture is not written where another user's link leads, and that is found before the recording" {
    [ "$(id -u)" = 0 ] || skip 'only root can make links of another user'
    echo old > target
    ln -s target flame.svg
    mkfifo fifo
    chown -h 65534 flame.svg fifo
    for name in flame.svg fifo; do
        answers 1 '*' "flamepipe: $name: this is another user's link or FIFO" flamepipe -o $name -- true
    done
    same old "$(cat target)"
    [ ! -e "$LOG" ]
}

# ---- files of others

@test "--keep does not follow a link to a folder" {
    mkdir folder
    ln -s folder flame.data
    answers 0 '*' '' flamepipe --keep -q -- true
    same '' "$(ls folder)"
    cmp "$RECORDED" flame.data
}

# ---- how it ends

@test "wrong usage is reported with status 2" {
    is_wrong_usage 'nothing to record or to draw'
    is_wrong_usage 'no command after --' --
    is_wrong_usage "more than one operand: 'node', 'app.js'; a command comes after --" node app.js
    is_wrong_usage "unknown option '--nonsense'" --nonsense
    is_wrong_usage 'option --output needs a value' -o
    is_wrong_usage 'option --output needs the name of a file' --output=
    is_wrong_usage 'option --keep takes no value' --keep=1
    is_wrong_usage 'option --keep: a file is not recorded' --keep perf.data
    is_wrong_usage "option --pid: '12,' is not a list of process numbers such as 12,34" -p 12,
    is_wrong_usage "option --pid: 'node' is not a list of process numbers such as 12,34" -p node
    is_wrong_usage "option --freq: '1k' is not a number of samples a second" -F 1k
    is_wrong_usage "option --freq: '0' is not a number of samples a second" -F 0
    is_wrong_usage 'option --freq: with --off-cpu each wait is recorded' --off-cpu -F 99 -a
    is_wrong_usage 'option --idle-threads goes with --wall, --off-cpu and --inspect' --idle-threads -a 3
    is_wrong_usage 'option --event: with --off-cpu waits are recorded' --off-cpu -e page-faults -a
    is_wrong_usage 'option --html writes a page, and x.svg is the name of a picture' --html -o x.svg perf.data
    is_wrong_usage 'option --name needs the name of a process' -n ''
    is_wrong_usage "unknown option '-qo'" -qo flame.svg -a
    is_wrong_usage "more than one operand: '12', '13'; several processes are -p 12,34" -p 11 12 13
    echo 'a;b 1' > one
    is_wrong_usage "more than one operand: 'one', 'one'; stackdiff compares two recordings, stackcollapse adds several up" one one
    is_wrong_usage "option '--by' may be --by-process or --by-thread" --by -a
    is_wrong_usage "'3o' is not a number of seconds" -a 3o
    is_wrong_usage "'0.0' is not a number of seconds above 0" -a 0.0
    is_wrong_usage "'1000000000.5' is too many seconds" -a 1000000000.5
    is_wrong_usage "'' is not a number of seconds" -a --duration=
    is_wrong_usage "the time is given twice: --duration 3, 4" -a --duration 3 4
    is_wrong_usage "option --duration: a file is not recorded" --duration 3 file
    is_wrong_usage "option --freq: a file is not recorded" -F 99 file
    is_wrong_usage 'one of these at a time: a command, --pid, --name, --cgroup, --all' -a -p 1
    is_wrong_usage 'one of these at a time: a command, --pid, --name, --cgroup, --all' -p 1 -- true
    is_wrong_usage "'3' is neither an option nor after --" 3 -- true
}

@test "options may have one dash, capitals and be shortened" {
    try flamepipe -OUT=a.svg --TITLE x -Freq 9 -- true
    [ "$status" = 0 ]
    [ -e a.svg ]
    [[ $(tail -n 1 "$LOG") = 'record -q -F 9 '* ]]
}

@test "the value of an option may follow its letter" {
    use stackrecord
    try flamepipe -F9 -p12,13 -epage-faults -oa=b.svg 0.1
    [ "$status" = 0 ]
    same '-p 12,13 -e page-faults -F 9 --inline --duration 0.1' "$(asked)"
    [ -e a=b.svg ]
}

@test "--help and --version write to standard output, and report that it is full" {
    answers 0 '*' "" flamepipe --help
    [[ $output = 'usage: flamepipe '* ]]
    answers 0 "flamepipe (flamepipe) $(sed -n 's/^VERSION = //p' "$ROOT/config.mk")" '*' flamepipe -V
    try sh -c 'flamepipe --help >/dev/full'
    [ "$status" = 1 ]
    [ "$stderr" != "" ]
}

@test "a command that does not exist is status 127" {
    run -127 --separate-stderr flamepipe -- nonesuch -x
    [ "$stderr" = "flamepipe: nonesuch: no such command" ]
    run -127 --separate-stderr flamepipe -- ./nonesuch
    [ "$stderr" = "flamepipe: ./nonesuch: no such command" ]
}

@test "a file that is not on PATH is no command, and that its program is missing is said" {
    touch app.js
    run -127 --separate-stderr flamepipe -- app.js
    [ "$stderr" = "flamepipe: app.js: no such command, but a file: begin with the program that runs it, as in: -- node app.js" ]
}

@test "a command line in one word is no command, and how to give it is said" {
    run -127 --separate-stderr flamepipe -- 'seq 3 | wc'
    [ "$stderr" = "flamepipe: seq 3 | wc: no such command: give its words as separate arguments, or a shell's command as: -- sh -c '...'" ]
    [ ! -e flame.svg ]
}

@test "a file that is not executable, or a folder, is status 126, found before the recording" {
    touch script
    for name in ./script ./tmp; do
        run -126 --separate-stderr flamepipe -- $name
        [ "$stderr" = "flamepipe: $name: not an executable file" ]
    done
    [ ! -e "$LOG" ]
}

@test "a picture that cannot be written is an error, found before the recording where possible" {
    answers 1 '*' "flamepipe: nowhere/x.svg: there is no folder nowhere/" flamepipe -o nowhere/x.svg -- true
    answers 1 '*' "flamepipe: tmp: this is a folder" flamepipe -o tmp -- true
    [ ! -e "$LOG" ]
    answers 1 '*' $'flamesvg: /dev/full: No space left on device\nflamepipe: /dev/full: not written' \
        flamepipe -q -o /dev/full -- true
    answers 1 '*' $'flamesvg: standard output: No space left on device\nflamepipe: standard output: not written' \
        sh -c 'flamepipe -q -o - -- true >/dev/full'
    try flamepipe -q -o /dev/full -- sh -c 'exit 7'
    [ "$status" = 7 ]
}

@test "a closed pipe ends it quietly" {
    gunzip -c "$DATA/node-http.perf.txt.gz" > text
    answers 0 '*' "" bash -c 'flamepipe -q -o - text | true; echo "${PIPESTATUS[0]}" >status'
    [ "$(cat status)" = 141 ]
}

@test "no folder for temporary files is an error" {
    TMPDIR=$PWD/nowhere answers 1 '*' "*flamepipe: $PWD/nowhere: no temporary folder can be made in it" \
        flamepipe -- true
}

@test "a step of the pipe that fails is an error, and no picture is written" {
    mkdir broken
    cp "$BIN/"* broken
    for step in perf-script flamesvg perf-script:--by-process stackfilter:--by-process stackcollapse:--by-process; do
        program=${step%:*}
        mv "broken/$program" broken/real
        printf '#!/bin/sh\ncase $* in *--check* | *--guess*) exec broken/real "$@" ;; esac\ncat > /dev/null\necho broken >&2\nexit 1\n' > "broken/$program"
        chmod +x "broken/$program"
        # shellcheck disable=SC2046 # no word, or one
        try broken/flamepipe -q $([[ $step != *:* ]] || echo "${step#*:}") "$RECORDED" < /dev/null
        [ "$status" = 1 ]
        [[ $stderr = *broken*$'\nflamepipe: flame.svg: not '* ]]
        [ ! -e flame.svg ]
        mv broken/real "broken/$program"
    done
}

@test "a recording without samples is an error that says what to do" {
    printf '#!/bin/sh\ncase $* in *"-- cd") exit 127 ;; esac\n' > stackrecord
    chmod +x stackrecord
    cp "$FAKE/perf/flamepipe" .
    answers 1 '*' 'flamepipe: no samples: what was recorded hardly ran on a CPU; record longer, or more often (--freq)' \
        ./flamepipe -- true
    answers 127 '*' 'flamepipe: no samples: the command ended with status 127, and hardly ran on a CPU' \
        ./flamepipe -- cd
    answers 1 '*' 'flamepipe: no samples: no thread began to wait and ran again during the recording; record longer' \
        ./flamepipe --off-cpu -- true
}

# ---- where it is

@test "it finds the other programs beside itself, through links, and says which is missing" {
    mkdir 'a place' alone
    cp "$BIN/"* 'a place'
    ln -s 'a place/flamepipe' link
    ln -s "$PWD/link" alone/flame
    echo 'a;b 1' > stacks
    PATH=$ELSEWHERE
    for name in 'a place/flamepipe' ./link alone/flame; do
        rm -f flame.svg
        answers 0 '*' '' "$name" -q stacks
        [ -s flame.svg ]
    done
    rm 'a place/stackfilter'
    answers 1 '*' 'flamepipe: stackfilter is missing: it must be beside flamepipe, or on PATH' alone/flame stacks
}

@test "it runs in every POSIX shell that is here" {
    flamepipe -q -o wanted.svg --title same "$RECORDED"
    for shell in sh dash 'bash --posix' 'busybox sh' mksh ksh yash; do
        command -v "${shell%% *}" || continue
        # shellcheck disable=SC2086
        answers 3 "it's  here" '' \
            $shell "$FAKE/perf/flamepipe" -q --title same -- sh -c 'echo "$1"; exit 3' sh "it's  here"
        cmp wanted.svg flame.svg
        # shellcheck disable=SC2086
        answers 0 '*' '' $shell "$FAKE/perf/flamepipe" --print -p 1 3
        [ "${#lines[@]}" = 3 ]
    done
}

# ---- real recordings

@test "a file that may not become larger ends flamepipe without temporary files" {
    seq 3000 | sed 's/.*/a;b& 1/' > in
    try bash -c 'ulimit -c 0; ulimit -f 4; flamepipe -q in'
    [ "$status" != 0 ]
    [ ! -e flame.svg ]
    same '' "$(ls -A "$TMPDIR")"
}

@test "control characters of an operand are printed as ?, as by the other programs, and other characters stay" {
    local name=$'x\e]0;t\a\n\xc2\x9b31m\xe2\x80\xae\xd8\x9c\x9b\xc3\xa9\xe4\xb8\x96\x7f\x80\xe4\xb8\t\xf0\x9f\x98\x80'
    try stackcollapse "$name"
    same "stackcollapse: $(printf 'x?]0;t????31m??????é世????\t😀'): No such file or directory" "$stderr"
    answers 1 '' \
        "flamepipe: $(printf 'x?]0;t????31m??????é世????\t😀'): no such file; a command to record comes after --" \
        flamepipe "$name"
    try flamepipe "--$name"
    [ "$status" = 2 ]
    same "flamepipe: unknown option '--$(printf 'x?]0;t????31m??????é世????\t😀')'" "${stderr_lines[0]}"
}
