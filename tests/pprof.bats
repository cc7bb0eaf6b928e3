#!/usr/bin/env bats
# The input format pprof of stackcollapse: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    INPUTS=$DATA/stackcollapse/pprof
}

profile() { # NAME
    # shellcheck disable=SC2094 # what is read is no file
    "$ROOT/tests/record/pprof.py" "$1" >"$1"
}

@test "profiles of Go are folded as go tool pprof counts them, gzipped or not" {
    local name
    for name in cpu heap; do
        try stackcollapse "$INPUTS/$name"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        same "$(cat "$INPUTS/$name.own")" "$output"
        zcat "$INPUTS/$name" >plain
        try stackcollapse plain
        same "$(cat "$INPUTS/$name.own")" "$output"
        try stackcollapse --from=pprof < <(cat plain)
        same "$(cat "$INPUTS/$name.own")" "$output"
    done
    grep -q 'main.(\*grid).hot;main.(\*grid).step ' "$INPUTS/cpu.own" # an inlined call
}

@test "what the format allows and Go does not write is read, in any order of the fields" {
    local name
    cp "$INPUTS/documented" .
    profile reordered
    for name in documented reordered; do
        try stackcollapse "$name"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        same "$(cat "$INPUTS/documented.own")" "$output"
    done
}

@test "--event names the type of values that counts; times become microseconds, other values stay" {
    try stackcollapse --verbose "$INPUTS/documented"
    same "stackcollapse: $INPUTS/documented: read as pprof
stackcollapse: $INPUTS/documented: counts wall in microseconds, of: samples, wall, bytes" "$stderr"
    try stackcollapse --event=samples "$INPUTS/documented"
    [[ $output == *'main;main 1'* ]]
    [[ $output == *'int std::max<int>(int, int) 3'* ]]
    try stackcollapse --event='by*' --verbose "$INPUTS/documented"
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq 89 ]
    [[ $stderr == *': counts bytes, of: samples, wall, bytes' ]]
    try stackcollapse --event=cycles,instructions "$INPUTS/documented"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same "stackcollapse: $INPUTS/documented: --event names none of its types of values, which are: samples, wall, bytes" "$stderr"
    try stackcollapse --event=all "$INPUTS/documented"
    [ "$status" -eq 1 ]
    same "stackcollapse: $INPUTS/documented: --event names several of its types of values, which are: samples, wall, bytes" "$stderr"
}

@test "the values of a heap profile add up to those of go tool pprof" {
    local type
    # pprof -raw: the sums of its columns
    for type in alloc_objects:143 alloc_space:74350859 inuse_objects:74 inuse_space:67113171; do
        try stackcollapse --event="${type%:*}" "$INPUTS/heap"
        [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq "${type#*:}" ]
    done
}

@test "where all values are 0 the other types are named" {
    profile zeros
    try stackcollapse zeros
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same 'stackcollapse: zeros: inuse_space is 0 in all samples; --event takes one of: alloc_space, inuse_space
stackcollapse: no sample of the input is left to fold' "$stderr"
    try stackcollapse --event=alloc_space zeros
    same 'main.keep 4096' "$output"
}

@test "ids, names and values that cannot be are reported with their places, and the other samples count" {
    profile hostile
    try stackcollapse hostile
    [ "$status" -eq 0 ]
    same 'ma in;[unknown];[unknown];[unknown] 3' "$output"
    same 'stackcollapse: hostile: at byte 160: a name that is not in the profile
stackcollapse: hostile: at byte 121: a function that is not in the profile
stackcollapse: hostile: at byte 131: a field goes beyond the end
stackcollapse: hostile: the sample at byte 8: a value below 0
stackcollapse: hostile: the sample at byte 25: a location that is not in the profile
stackcollapse: hostile: the sample at byte 34: fewer values than the profile has types
stackcollapse: 1 of 7 samples have no frames and are left out
stackcollapse: 7 samples, 5 records skipped' "$stderr"
    try stackcollapse --strict -q hostile
    [ "$status" -eq 1 ]
}

@test "a profile that is cut at any byte is read up to there, and the place of the cut is reported" {
    local at
    for ((at = 1; at < $(wc -c <"$INPUTS/documented"); at += 7)); do
        head -c "$at" "$INPUTS/documented" >short
        try stackcollapse --from=pprof short
        [ "$status" -le 1 ]
        [ "$status" -eq 0 ] || [[ $stderr == 'stackcollapse: short: at byte '*': a field goes beyond the end'* ||
            $stderr == *'stackcollapse: no sample'* ]]
    done
    head -c 155 "$INPUTS/documented" >short
    try stackcollapse -q short
    [ "$status" -eq 1 ]
    same 'stackcollapse: short: at byte 150: a field goes beyond the end' "$(head -n 1 <<<"$stderr")"
    head -c 1400 "$INPUTS/cpu" >short
    try stackcollapse -q short
    [ "$status" -eq 1 ]
    [[ $output == *'main.(*grid).hot'* ]]
    [[ $stderr == *'stackcollapse: short: gzip ended with status 1: '* ]]
}

@test "two profiles joined to one file are an error, two files are added up" {
    cat "$INPUTS/cpu" "$INPUTS/cpu" >joined
    try stackcollapse joined
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr =~ ^'stackcollapse: joined: at byte '[0-9]+': a second profile begins before this: fold each by itself'$ ]]
    try stackcollapse "$INPUTS/cpu" "$INPUTS/cpu"
    [ "$status" -eq 0 ]
    same "$(awk '{ $NF *= 2 } 1' "$INPUTS/cpu.own")" "$output"
}

@test "text that begins as a profile could is not taken for one" {
    local text
    for text in '\n\nmain;parse 1\n' '\n' 'H' 'HaHa2 main;parse 1\n' '\n\001\n' '\022\000'; do
        # shellcheck disable=SC2059
        printf "$text" >in
        try stackcollapse --verbose in
        [[ $stderr != *'read as pprof'* ]]
    done
    try stackcollapse --from=pprof <<<'main;parse 1'
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    same 'stackcollapse: standard input: at byte 0: this is no field of a pprof profile
stackcollapse: standard input: no line could be used: this is not pprof; without --from it is read as folded' "$stderr"
}

@test "a profile whose first type of samples has no name and no unit is recognized" {
    printf '\12\0\22\6\12\1\1\22\1\5\42\6\10\1\42\2\10\1\52\4\10\1\20\1\62\0\62\3hot' >nameless
    try stackcollapse nameless
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 'hot 5' "$output"
}

@test "a profile of a hundred thousand stacks is folded without loss" {
    profile wide
    try stackcollapse -q wide
    [ "$status" -eq 0 ]
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq 100000 ]
}
