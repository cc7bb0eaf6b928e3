# Long turns of event loops: samples of the event "turn", which are no stacks, and their stacks, of the event "wall".
load lib

FRAMETABLE=$BATS_TEST_DIRNAME/tool/frametable.py

# A sample of a thread of the process 7 with a leaf below main.
wall() { # TID TIME MICROSECONDS LEAF
    printf 'node 7/%s [000] %s: %s wall: running\n\t20 %s (/app)\n\t10 main (/app)\n\n' "$@"
}

turn() { # TID TIME MICROSECONDS
    printf 'node 7/%s [000] %s: %s turn: ended\n\n' "$@"
}

# The first turn is from 100.088 to 100.500 s, and that of the other thread, which ends at the same time, from 99.9 s on.
recording() {
    wall 7 100.500000 300000 parse
    wall 8 100.500000 600000 hash
    wall 7 100.500000 112000 read
    turn 7 100.500000 412000
    turn 8 100.500000 600000
    wall 7 101.000000 200000 serve
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    recording > in
    awk -v RS= -v ORS='\n\n' '!/turn: /' in > without
}

@test "stackcollapse has the stacks of a turn in its slice, and others in slices of their own" {
    prints $'@100.088+0.412/7;node;main;parse 300000\n@100.088+0.412/7;node;main;read 112000\n@101.000;node;main;serve 200000\n@99.900+0.600/8;node;main;hash 600000' \
        stackcollapse --slice=1000 in
}

@test "a turn is of the stacks of its thread and time alone" {
    { turn 7 100.500000 90000; wall 7 100.500000 5 a; wall 7 100.500001 6 b; turn 7 100.500000 90000; turn 8 100.500001 90000; } > other
    prints $'@100.000;node;main;a 5\n@100.000;node;main;b 6' stackcollapse --slice=1000 other
    { wall 7 0.050000 5 early; turn 7 0.050000 90000; wall 7 1.000000 6 short; turn 7 1.000000 300; } > edges
    prints $'@0.000+0.050/7;node;main;early 5\n@0.999+0.001/7;node;main;short 6' stackcollapse --slice=1000 edges
}

@test "a turn is no stack for the programs that count stacks: their output is that without it" {
    for program in stackcollapse 'stackcollapse --event=all' 'stackcollapse --no-comm' stackreport 'stackreport --flame' 'perf-script --folded'; do
        # shellcheck disable=SC2086 # a program and its options
        prints "$($program without)" $program in
    done
    same "$(stackcollapse without | flamesvg)" "$(stackcollapse in | flamesvg)"
    same "$(stackcollapse without)" "$(stackcollapse --slice=1000 in | stackcollapse | sed 's/^@[^;]*;//' | stackcollapse)"
}

@test "to the Perl script a turn is an event as others" {
    { turn 7 100.500000 412000; wall 7 100.500000 300000 parse; } > turn-first
    prints $'node 1\nnode;main;parse 1' "$COMPAT/stackcollapse-perf.pl" turn-first
}

@test "perf-script --check counts turns apart from samples, and does not call them another event" {
    answers 0 '*             4  samples*' '' perf-script --check in
    [[ $output == *'other lines
             2  long turns of event loops'* ]]
    [[ $output != *'several events'* ]]
    try perf-script --stats=json in
    [[ $output == *'"samples":4,'*'"turns":2,'* ]]
}

@test "filters pass turns on, whatever they drop" {
    for options in '--node' '--exclude parse' '--no-idle-threads' '--drop .'; do
        # shellcheck disable=SC2086
        same 2 "$(stackfilter -q $options in | grep -c ' turn: ended')"
    done
    same 2 "$(perf-script in | grep -c ' turn: ended')"
    answers 0 $'@100.088+0.412/7;node;read 112000\n@99.900+0.600/8;node;hash 600000' '*' \
        stackfilter --drop main --exclude 'parse|serve' <(stackcollapse --slice=1000 in)
}

@test "a page has the stacks of each turn, and their counts also in the slices that the turn took" {
    stackcollapse --slice=1000 in > folded
    prints '*' flamesvg --html folded
    echo "$output" > page
    same $'@99.900+0.600/8;node;main;hash 600000\n@100.088+0.412/7;node;main;parse 300000\n@100.088+0.412/7;node;main;read 112000' \
        "$("$FRAMETABLE" turns page)"
    same $'@99.000;node;main;hash 100000\n@100.000;node;main;hash 500000\n@100.000;node;main;parse 300000\n@100.000;node;main;read 112000\n@101.000;node;main;serve 200000' \
        "$("$FRAMETABLE" slices page)"
    grep '^@.*+' folded > turns-alone
    flamesvg --html turns-alone > page
    same "$(sort turns-alone)" "$("$FRAMETABLE" turns page | sort)"
}

@test "a turn of any length has a page" {
    printf '@0.000+4294967.295/1;a 1\n@18446744073709549.000+4294967.295/4294967295;b 7\n@5.000;c 1\n' |
        flamesvg -q --html > page
    same $'@4160758.000;a 1\n@18446744073709549.000;b 2\n@18446744073709550.000;b 3\n@18446744073709551.000;b 2\n@5.000;c 1' \
        "$("$FRAMETABLE" slices page)"
}

@test "what only looks like the frame of a turn is a frame" {
    printf '%s;main 1\n' @1.000+0.1/2 @1.000+0.100 @1.000+0.100/ @1.000+0.100/x @1.000+0.000/2 @1.000/2 @1.000+4294967.296/2 @1.000+1.000/4294967296 > odd
    flamesvg -q --html odd > page
    same 8 "$("$FRAMETABLE" decode page | grep -c '@1.000')"
}

@test "--clock gives the page the time of day, and another text is wrong usage" {
    clock='1297.908076 at 2026-11-28T22:51:08.250125Z'
    stackcollapse --slice=1000 in > folded
    [[ $(flamesvg --html --clock="$clock" folded) == *"data-clock=\"$clock\""* ]]
    [[ $(stackcollapse in | flamesvg --html --clock="$clock") != *data-clock=* ]]
    for text in '' 1 '1 at noon' 'x at 2026-11-28T22:51:08.250125Z' '1 at 2026-11-28T22:51:08Z' "$clock."; do
        answers 2 '' "flamesvg: option --clock: '$text' is not a time such as*" flamesvg --html --clock="$text" folded
    done
}
