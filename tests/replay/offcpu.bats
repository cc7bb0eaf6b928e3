#!/usr/bin/env bats
# perf-script --off-cpu: how long threads waited, of recordings of perf's. tests/data/README describes these.

load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    mkdir -p symfs/srv/switches
    for name in context-switches sched-switch machine perf-sched only-out; do
        gunzip -c "$DATA/offcpu/$name.data.gz" > "$name.data"
    done
    gunzip -c "$DATA/offcpu/switches.gz" > symfs/srv/switches/switches
    gunzip -c "$DATA/offcpu/kallsyms.gz" > kallsyms
}

setup() {
    export HOME=$BATS_FILE_TMPDIR
    cd "$BATS_FILE_TMPDIR"
    names=(--symfs symfs --kallsyms kallsyms)
}

# The headers of the samples alone.
headers() {
    grep off-cpu: <<< "$output" | tr -s ' '
}

# Passes if the text and the stacks of a recording are what they are to be, and the messages these.
answers() { # NAME MESSAGES
    try perf-script --off-cpu -F +pid "${names[@]}" "$1.data"
    [ "$status" -eq 0 ]
    same "$2" "$(grep -v names <<< "$stderr" | sed "s,[0-9][0-9]*,N,")"
    same "$(cat "$DATA/offcpu/$1.txt")" "$output"
    same "$(cat "$DATA/offcpu/$1.folded")" "$(stackcollapse -q <<< "$output")"
}

@test "of context-switches, the records of switches say when threads run again, and which were preempted" {
    answers context-switches ''
}

@test "of sched_switch with records of switches, the states are known" {
    answers sched-switch ''
}

@test "of sched_switch of the whole machine, each switch says which thread runs next" {
    answers machine ''
}

@test "of perf sched record there are times without stacks, and its other events are left out" {
    answers perf-sched 'perf-script: --off-cpu leaves N samples of other events out'
}

# "TID MICROSECONDS" of each thread, of perf sched timehist: the wait before each time that the thread ran.
timehist() { # NAME
    awk '$3 ~ /^switches/ { split($3, part, /[][\/]/); sum[part[2]] += $4 * 1000 }
        END { for (tid in sum) print tid, sum[tid] }' "$DATA/offcpu/$1.timehist.txt" | sort
}

@test "the time of each thread is what perf sched timehist prints, within 1 % and a microsecond a wait" {
    local name tid theirs ours
    for name in machine perf-sched; do
        [ "$(timehist "$name" | wc -l)" -eq 3 ]
        while read -r tid theirs; do
            ours=$(perf-script -q --off-cpu --tid "$tid" --comm switches "$name.data" | stackcollapse -q | awk '{ sum += $NF } END { print sum }')
            echo "# $name, thread $tid: $theirs, $ours"
            awk -v a="$theirs" -v b="$ours" 'BEGIN { exit !(b <= a * 1.01 + 10 && b >= a * 0.99 - 10) }'
        done < <(timehist "$name")
    done
}

@test "--pid, --tid, --time, --event and --comm select among the samples that are made" {
    local all
    try perf-script -q --off-cpu -F +pid "${names[@]}" machine.data
    all=$(headers)
    for options in '--pid 8' '--comm perf' '--event off-cpu' '--cpu 1'; do
        # shellcheck disable=SC2086
        try perf-script -q --off-cpu -F +pid "${names[@]}" $options machine.data
        case $options in
        '--pid 8') same "$(grep '8/8' <<< "$all")" "$(headers)" ;;
        '--comm perf') same "$(grep '^perf' <<< "$all")" "$(headers)" ;;
        *) same "$all" "$(headers)" ;;
        esac
    done
    try perf-script -q --off-cpu -F +pid "${names[@]}" --time 0%,100% machine.data
    same "$all" "$(headers)"
    local time=${all#*] }
    time=${time%%:*}
    try perf-script -q --off-cpu -F +pid "${names[@]}" --time "$time,$time" machine.data
    same "$(grep -F " $time:" <<< "$all")" "$(headers)"
    try perf-script --off-cpu --event sched:sched_switch machine.data
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == *"no sample of 'sched:sched_switch'; the input has: off-cpu"* ]]
}

@test "--min-block leaves shorter waits out, and counts them" {
    try perf-script --off-cpu --min-block 1000 "${names[@]}" context-switches.data
    [ "$status" -eq 0 ]
    same '' "$(awk '/off-cpu:/ && $4 < 1000' <<< "$output")"
    [[ $stderr =~ 'perf-script: '[0-9]+' waits shorter than --min-block=1000 are left out' ]]
    try perf-script --min-block 1000 context-switches.data
    [ "$status" -eq 2 ]
    [[ $stderr == 'perf-script: --min-block goes with '* ]]
}

@test "a recording whose samples are switches is opened with the advice to take times of them, unless it is" {
    local advice='of context-switches says that a thread stopped running, not for how long: --wall or --off-cpu makes samples of the time'
    for options in '' --wall --off-cpu; do
        # shellcheck disable=SC2086
        try perf-script --check $options context-switches.data
        [ "$status" -eq 0 ]
        same "${options:-advised}" "$(grep -q -F "  a sample $advice" <<< "$output" && echo advised || echo "$options")"
    done
    try flamepipe -o picture.svg context-switches.data
    [ "$status" -eq 0 ]
    [[ $stderr == *"flamepipe: a sample $advice"* ]]
    try perf-script --check only-out.data # there are no records of when threads run again
    [[ $output != *'not for how long'* ]]
}

@test "recordings that do not say when threads run again are refused, with the commands to record" {
    for file in only-out.data "$DATA/two-events.data" "$DATA/stack.data"; do
        try perf-script --off-cpu "$file"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $stderr == *"$file: does not say when threads stop and run again"* ]]
        for command in 'perf record -c 1 -e context-switches -g --switch-events' 'perf record -e sched:sched_switch -g' \
            'perf sched record' 'stackrecord --off-cpu -o FILE'; do
            [[ $stderr == *"'$command'"* ]]
        done
    done
    try perf-script --off-cpu "$DATA/offcpu/machine.txt"
    [ "$status" -eq 1 ]
    [[ $stderr == *"machine.txt: is not perf.data, which --off-cpu reads"* ]]
}

@test "a recording that comes through a pipe gives the same text" {
    perf-script -q --off-cpu "${names[@]}" machine.data > whole
    perf-script -q --off-cpu "${names[@]}" < machine.data > standard
    # shellcheck disable=SC2002
    cat machine.data | perf-script -q --off-cpu "${names[@]}" > piped
    cmp whole standard
    cmp whole piped
}

@test "--check reports the waits, and --max-stack and -F print what they print of any samples" {
    try perf-script -q --off-cpu --check "${names[@]}" machine.data
    [[ $output == *off-cpu* ]]
    try perf-script -q --off-cpu -F comm,tid,time,period,event,trace "${names[@]}" machine.data
    same "$(tr -d '\n' <<< "$output")" "$(grep off-cpu: <<< "$output" | tr -d '\n')"
}
