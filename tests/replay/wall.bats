#!/usr/bin/env bats
# perf-script --wall of recordings of stackrecord's, which tests/record/wall.sh makes.

load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir empty
    for name in pointers copies turns; do
        gunzip -c "$DATA/wall/$name.data.gz" >"$name.data"
    done
}

setup() {
    export HOME=$BATS_FILE_TMPDIR
    cd "$BATS_FILE_TMPDIR" || return 1
    nameless=(-F +pid --symfs empty --kallsyms /dev/null)
}

@test "what threads did all of their time is in the records, with callchains and with copies of stacks" {
    for name in pointers copies; do
        prints "$(cat "$DATA/wall/$name.txt")" perf-script -q --wall "${nameless[@]}" "$name.data"
    done
}

# "TID MICROSECONDS" of each thread.
sums() {
    awk '/^[^\t]/ { split($2, id, "/"); sum[id[2]] += $5 } END { for (tid in sum) print tid, sum[tid] }' | sort -n
}

@test "the periods of a thread add up to its time, and one that never runs has all of it, with its stack" {
    try perf-script -q --wall "${nameless[@]}" copies.data
    sums <<<"$output" >all
    read -r longest time < <(sort -k2nr all)
    [ "$time" -gt 500000 ]
    try perf-script -q --wall "${nameless[@]}" --tid "$longest" copies.data
    same "$longest $time" "$(sums <<<"$output")"
    same 1 "$(grep -c 'wall: ' <<<"$output")"
}

@test "--min-block and --time select from what is printed, and shorter waits are counted" {
    try perf-script --wall --min-block 20000 "${nameless[@]}" pointers.data
    [ "$status" -eq 0 ]
    grep -q 'waits shorter than --min-block=20000 are left out' <<<"$stderr"
    run ! awk '/wall: (waiting|ready)/ && $5 < 20000 { bad = 1 } END { exit !bad }' <<<"$output"
    answers 0 "$(cat "$DATA/wall/pointers.txt")" '*' perf-script --wall --event wall "${nameless[@]}" pointers.data
}

@test "--turns prints the long turns of an event loop apart, and only those" {
    prints "$(cat "$DATA/wall/turns.txt")" perf-script -q --wall --turns "${nameless[@]}" turns.data
    same 3 "$(grep -c ' turn: ended' <<<"$output")"
    same 0 "$(perf-script -q --wall --turns=500 "${nameless[@]}" turns.data | grep -c ' turn: ')"
    [ "$(perf-script -q --wall --turns=4 "${nameless[@]}" turns.data | grep -c ' turn: ')" -eq 5 ]
    same 0 "$(perf-script -q --wall "${nameless[@]}" turns.data | grep -c ' turn: ')"
}

@test "the stacks of a turn add up to it, and all of a thread are its time with and without --turns" {
    try perf-script -q --wall --turns "${nameless[@]}" turns.data
    awk '$6 == "wall:" { sum[$4] += $5 } $6 == "turn:" { d = sum[$4] - $5; print (d < 20 && d > -20) }' <<<"$output" >adds_up
    same '1
1
1' "$(<adds_up)"
    all=$(awk '$6 == "wall:" { sum += $5 } END { print sum }' <<<"$output")
    try perf-script -q --wall "${nameless[@]}" turns.data
    awk -v all="$all" '$6 == "wall:" { sum += $5 } END { exit sum - all > 50 || all - sum > 50 }' <<<"$output"
}

@test "a recording without turns gives the text of --wall, and a warning that says how to record them" {
    answers 0 "$(cat "$DATA/wall/pointers.txt")" '*does not say when turns*--wall --turns -o FILE*' \
        perf-script --wall --turns "${nameless[@]}" pointers.data
}

@test "--turns goes with --wall" {
    answers 2 '' '*--turns goes with --wall*' perf-script --turns turns.data
}

@test "a recording that comes through a pipe gives the same text" {
    prints "$(cat "$DATA/wall/pointers.txt")" perf-script -q --wall "${nameless[@]}" <pointers.data
}

@test "without --wall the samples are those of the kernel, and records of our own are skipped" {
    answers 0 '*' '' perf-script -q "${nameless[@]}" pointers.data
    grep -q 'context-switches:' <<<"$output"
    run ! grep -q 'wall:' <<<"$output"
}
