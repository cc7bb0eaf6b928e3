# Recordings that were made, or changed, to do harm.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    export HOME=$BATS_TEST_TMPDIR # no build-id cache
}

# Prints the recording two-events.data with texts replaced by others as long: PATTERN REPLACEMENT ...
changed() {
    local script=()
    while [ $# -gt 0 ]; do
        script+=(-e "s|$1|$2|g")
        shift 2
    done
    LC_ALL=C sed "${script[@]}" "$DATA/two-events.data"
}

@test "a newline or an escape byte in a name of perf.data is printed as ?, and forges no line" {
    mkdir empty
    local shown=(--symfs empty --show-task-events --show-mmap-events)
    perf-script -q "${shown[@]}" "$DATA/two-events.data" > plain
    grep -q '^seq .*cpu-clock' plain
    grep -q '(/usr/bin/seq)' plain
    changed 'seq\x00' 's\n1\x00' '/bin/s\n1' '/b\x1b\n/s\n1' cpu-clock/ 'cpu\nclock/' > in
    prints "$(sed -e 's/^seq/s?1/; s/ seq:/ s?1:/; s|bin/seq|b??/s?1|; s/cpu-clock/cpu?clock/' plain)" \
        perf-script -q "${shown[@]}" in
}

@test "files of a recording that are folders, pipes, links that lead out or no ELF files have no names, and are reported" {
    local lib=root/usr/lib/x86_64-linux-gnu
    mkdir -p root/usr/bin "$lib/libc.so.6"
    mkfifo root/usr/bin/seq
    ln -s /dev/zero "$lib/ld-linux-x86-64.so.2"
    try perf-script --symfs root "$DATA/two-events.data"
    [ "$status" -eq 0 ]
    [[ $output == *"[unknown] (/usr/bin/seq)"*  ]]
    [ "$(grep -c ': is not a regular file; its functions have no names; no file with its symbols' <<< "$stderr")" -eq 2 ]
    [[ $stderr == *"/ld-linux-x86-64.so.2: No such file or directory; "* ]] # root/dev/zero
    [[ $stderr == *"/usr/bin/seq: is not a regular file"* ]]
    rm root/usr/bin/seq
    echo text > root/usr/bin/seq
    answers 0 '*' '*/usr/bin/seq: is not an ELF file; *' perf-script --symfs root "$DATA/two-events.data"
}

@test "the writer of a pipe that a recording names is not woken" {
    mkdir -p root/usr/bin
    mkfifo root/usr/bin/seq
    echo text > root/usr/bin/seq 3>&- &
    local writer=$!
    try perf-script --symfs root "$DATA/two-events.data"
    [ "$status" -eq 0 ]
    kill "$writer"
}

@test "of files that are not here one line each says where they were looked for, and one what to do" {
    mkdir empty
    try perf-script --symfs empty "$DATA/two-events.data"
    [ "$status" -eq 0 ]
    [ "$(grep -c "No such file or directory; its functions have no names; no file with its symbols and build-id \
[0-9a-f]* in $HOME/.debug or empty/usr/lib/debug\$" <<< "$stderr")" -eq 3 ]
    same "perf-script: to get their names, run perf archive where it was recorded and unpack the result in \
$HOME/.debug, or give a folder with that machine's files as --symfs" "$(grep archive <<< "$stderr")"
}

@test "a stack deeper than perf script prints is printed whole; with --as-perf its first 127 frames" {
    python3 "$ROOT/tests/record/stream.py" stack 1000 > in
    answers 0 '*' '' perf-script -q in
    [ "$(grep -c '//anon\|perf-7.map' <<< "$output")" -eq 1000 ]
    answers 0 '*' '' perf-script -q --as-perf in
    [ "$(grep -c '//anon\|perf-7.map' <<< "$output")" -eq 127 ]
}

@test "more different frames than are kept are all printed right" {
    python3 "$ROOT/tests/record/stream.py" frames 300000 > in
    printf '%s\n' '1000 1000 first' '40000 100000 last' > map
    answers 0 '*' '' bash -c 'perf-script -q --perf-map 7=map in > out'
    awk '$1 ~ /^[0-9a-f]+$/ && NF == 3 { print $1 }' out | cmp - <(seq 4096 304095 | xargs printf '%x\n')
    grep -q '^	            1010 first+0x10 (map)$' out
    grep -q '^	           40000 last+0x0 (map)$' out
    same 300000 "$(grep -c '^	' out)"
}

@test "of processes that have long exited nothing is kept" {
    python3 "$ROOT/tests/record/stream.py" processes 20000 > in
    answers 0 '*' '' bash -c 'perf-script -q in > out'
    same 20000 "$(grep -c '^short ' out)"
    same 20000 "$(grep -c '\[unknown\] (/no/such/library)' out)"
}

# Fails if the text has something that a terminal acts on: but tabs and newlines.
no_controls() { # TEXT
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\xbf]' <<< "$1" &&
        ! LC_ALL=C grep -qP '\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' <<< "$1"
}

@test "names reach no terminal with escapes, controls in UTF-8 or changes of direction; other characters stay" {
    local evil=$'\e]0t\a\xc2\x9b31m\xe2\x80\xaegpj\xe2\x81\xa6\x9b\xc3\xa9\xe4\xb8\x96' command
    local masked='?]0t???31m???gpj????é世'
    printf '1000 100 %s\n' "$evil" > map
    python3 "$ROOT/tests/record/stream.py" stack 1 > data
    printf '%s 7/7 1.5: 1 %s:\n\t1000 %s+0x0 (/%s)\n\n' "$evil" "$evil" "$evil" "$evil" > text
    printf '#%s\n%s 7/7 1.6: 1 c:\n\t1000 %s+0x0 (/%s)\n  %s:1\n\n' "$evil" a "$evil" "$evil" "$evil" >> text
    printf '%s;%s 3000\n' "$evil" "$evil" > folded
    for command in 'perf-script --perf-map 7=map data' 'perf-script text' 'perf-script --check text' \
        'perf-script --stats=json text' 'stackfilter --drop x text' 'stackfilter --drop x folded' 'stackcollapse text' \
        'stackcollapse folded' 'stackdiff folded folded' 'stackdiff --format=table folded text' 'stackreport folded' \
        'stackdiff --format=json folded folded' 'stackreport --format=tsv folded' 'stackreport --format=json folded'; do
        # shellcheck disable=SC2086
        try $command
        no_controls "$output" || { echo "$command: $output"; return 1; }
        no_controls "$stderr" || { echo "$command: $stderr"; return 1; }
    done
    [[ $(perf-script --perf-map 7=map data) == *" $masked+0x0 (map)"* ]]
    [[ $(perf-script text) == *" $masked+0x0 (/$masked)"* ]]
    same "$masked;$masked 3000" "$(stackcollapse folded)"
    same "$masked;$masked 3000" "$(stackfilter --drop x folded)"
    same "$(sed 's/[^;]*;//' folded)" "$("$COMPAT/stackcollapse-recursive.pl" folded)" # the scripts' answers stay to the byte
}

@test "names that are masked to the same become one in a folded profile" {
    printf 'a\001b;c 1000\na\002b;c 2000\n' > in
    same 'a?b;c 3000' "$(stackcollapse in)"
}

# Threads whose names look like other parts of the text, and two that are honest.
FORGERS=('a 1/1 1.0: 1 b:' honest 'a 7 2.5: c:' $'a\n1 1.0: 1 b:' $'x\t1/1 1.0: e:' ' a ' '' '#' '# cmdline : x'
    PERF_RECORD_X '7f12 f (/l)' '[0] 1.0: 1 e:' 'worker 3' $'\xff 1 1.0:' a:)

# Prints the recording of these threads, with two samples of each.
forgers() {
    python3 "$ROOT/tests/record/stream.py" names 2 "${FORGERS[@]}"
}

@test "a thread's name forges no other process, thread, time, event or sample in text and folded stacks" {
    local filter wanted='7f12_f_(/l)-1010/1010 ?_1_1.0:-1013/1013 [0]_1.0:_1_e:-1011/1011 _-1006/1006 _-1007/1007
_ERF_RECORD_X-1009/1009 __cmdline_:_x-1008/1008 _a_-1005/1005 a:-1014/1014 a?1_1.0:_1_b:-1003/1003 a_1/1_1.0:_1_b:-1000/1000
a_7_2.5:_c:-1002/1002 honest-1001/1001 worker_3-1012/1012 x_1/1_1.0:_e:-1004/1004'
    wanted=$(tr ' ' '\n' <<< "$wanted" | sed 's/$/;[f] 2/')
    forgers > data
    for filter in cat 'perf-script -q' 'stackfilter -q --drop x'; do
        perf-script -q -F +pid data | $filter > text
        try stackcollapse --tid text
        same '' "$stderr"
        same "$wanted" "$output"
        [ "$status" -eq 0 ]
    done
    same 30 "$(grep -c ': *1000 cpu-clock' text)"
    try bash -c 'perf-script --pid 1000,1004 text | stackcollapse --pid'
    same '' "$stderr"
    same $'a_1/1_1.0:_1_b:-1000;[f] 2\nx_1/1_1.0:_e:-1004;[f] 2' "$output"
    try bash -c 'perf-script --pid 1 text'
    same '' "$output"
}

@test "records that are printed with a thread's name in them are no samples" {
    forgers > data
    for fields in '' '-F comm,tid,event,ip,sym'; do
        # shellcheck disable=SC2086
        perf-script -q $fields --show-task-events data > text
        same 15 "$(grep -c 'PERF_RECORD_COMM:' text)"
        answers 0 '*' '' stackcollapse text
        same 14 "${#lines[@]}" # two names are written as _
        [[ $output != *PERF_RECORD_COMM* ]]
    done
}

@test "with --as-perf names are printed as perf does, whatever they look like" {
    forgers > data
    answers 0 '*' '' perf-script -q --as-perf data
    [[ $output == *$'\na 7 2.5: c:  1002     1.000005:       1000 cpu-clock:HG: \n'* ]]
    [[ $output == *$'\n a   1005     1.000011:       1000 cpu-clock:HG: \n'* ]]
    [[ $output == *$'\n  1006     1.000013:       1000 cpu-clock:HG: \n'* ]]
}
