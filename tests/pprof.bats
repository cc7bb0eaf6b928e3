#!/usr/bin/env bats
# The input format pprof of stackcollapse: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    INPUTS=$DATA/stackcollapse/pprof
}

profile() { # NAME [ARGUMENT ...]
    # shellcheck disable=SC2094 # what is read is no file
    "$ROOT/tests/record/pprof.py" "$@" >"$1"
}

@test "profiles of Go are folded as go tool pprof counts them, gzipped or not" {
    local name
    for name in cpu heap; do
        prints "$(cat "$INPUTS/$name.own")" stackcollapse "$INPUTS/$name"
        zcat "$INPUTS/$name" >plain
        prints "$(cat "$INPUTS/$name.own")" stackcollapse plain
        prints "$(cat "$INPUTS/$name.own")" stackcollapse --from=pprof < <(cat plain)
    done
    grep -q 'main.(\*grid).hot;main.(\*grid).step ' "$INPUTS/cpu.own" # an inlined call
}

@test "what the format allows and Go does not write is read, in any order of the fields" {
    local name
    cp "$INPUTS/documented" .
    profile reordered
    for name in documented reordered; do
        prints "$(cat "$INPUTS/documented.own")" stackcollapse "$name"
    done
}

@test "--event names the type of values that counts; times become microseconds, other values stay" {
    answers 0 '*' "stackcollapse: $INPUTS/documented: read as pprof
stackcollapse: $INPUTS/documented: counts wall in microseconds, of: samples, wall, bytes" stackcollapse --verbose "$INPUTS/documented"
    prints '*main;main 1*' stackcollapse --event=samples "$INPUTS/documented"
    [[ $output == *'int std::max<int>(int, int) 3'* ]]
    answers 0 '*' '*: counts bytes, of: samples, wall, bytes' stackcollapse --event='by*' --verbose "$INPUTS/documented"
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq 89 ]
    answers 1 '' \
        "stackcollapse: $INPUTS/documented: --event names none of its types of values, which are: samples, wall, bytes" \
        stackcollapse --event=cycles,instructions "$INPUTS/documented"
    answers 1 '' \
        "stackcollapse: $INPUTS/documented: --event names several of its types of values, which are: samples, wall, bytes" \
        stackcollapse --event=all "$INPUTS/documented"
}

@test "the values of a heap profile add up to those of go tool pprof" {
    local type
    # pprof -raw: the sums of its columns
    for type in alloc_objects:143 alloc_space:74350859 inuse_objects:74 inuse_space:67113171; do
        try stackcollapse --event="${type%:*}" "$INPUTS/heap"
        [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq "${type#*:}" ]
    done
}

@test "where the last type of values is 0 in all samples, the last that is not counts, and that is said" {
    profile zeros
    answers 0 'main.keep 4096' \
        'stackcollapse: zeros: inuse_space is 0 in all samples: alloc_space counts; --event takes one of: alloc_space, inuse_space' \
        stackcollapse zeros
    profile unfilled
    answers 0 $'App.Main 10000\nApp.Main;App.Work 30000' \
        'stackcollapse: unfilled: locks is 0 in all samples: cpu counts; --event takes one of: samples, cpu, exceptions, locks' \
        stackcollapse unfilled
}

@test "a type that --event or the profile names and that is 0 in all samples is an error that names the others" {
    local command
    profile zeros
    profile default_zero
    for command in '--event=inuse_space zeros' default_zero; do
        # shellcheck disable=SC2086 # an option and a file
        answers 1 '' "stackcollapse: ${command##* }: inuse_space is 0 in all samples; --event takes one of: alloc_space, inuse_space
stackcollapse: no sample of the input is left to fold" stackcollapse $command
    done
}

@test "values below 0 are a difference: two counts, what is less and what is more" {
    profile difference
    answers 0 'main.main;main.grow 0 500
main.main;main.shrink 70 0
main.main;main.shrink;main.grow 30 40' "stackcollapse: difference: a difference of two profiles: each stack's first count is how much less the second has, and its second count how much more" stackcollapse difference
    prints 'main.main;main.grow 0 1
main.main;main.shrink 2 0
main.main;main.shrink;main.grow 4 5' stackcollapse -q --event=objects difference
}

@test "a difference beside a profile with one count has its two counts" {
    profile difference
    printf 'main.main;main.grow 7\nmain.main 1\n' >folded
    prints 'main.main 2 0
main.main;main.grow 14 500
main.main;main.shrink 70 0
main.main;main.shrink;main.grow 30 40' stackcollapse -q folded difference folded
}

@test "drop_frames removes functions and what they call, as go tool pprof does, and keep_frames keeps some" {
    profile dropped
    prints 'main 128
main;(anonymous namespace)::run(int) 32
main;work(int) 1
main;work(int);tc_kept 66
main;xmalloc 16
malloc 512
malloc;main 12
work(int);tc_kept;mallocator 256' stackcollapse dropped
}

@test "drop_frames is read in the syntax of Go" {
    local case drop names left
    for case in 'a\.b|c\d+|x a.b,axb,c12,cd,x axb,cd' '[\w.]*Z+? a.bZZ,Z,a-Z a-Z' '[^\s:-]x ax,:x,-x,xx :x,-x' \
        '\-\<\W -<-,-<a -<a' 'a{|b\{ a{,b{,b b' '[\d\--]\S 1a,aa,-a aa' '[\\x]|\(y \,x,(y,z (y,z' \
        '(a|(?:b|c))*? ab,cd cd' '(a*)*b+(|x) b,abb,aa,bx aa' '^ab?$|a^b a,ab,abb,b abb,b' '[]a-c^]+ ],^b,d d' '(((a))|bc|)de de,ade,bcde,abde abde'; do
        read -r drop names left <<<"$case"
        # shellcheck disable=SC2086 # a name each
        profile matching "$drop" ${names//,/ }
        answers 0 '*' '' stackcollapse matching
        same "$(tr , '\n' <<<"$left" | LC_ALL=C sort)" "$(sed -n 's/^main;\(.*\) 1$/\1/p' <<<"$output" | grep -vx main)"
    done
}

@test "an expression of drop_frames that cannot be used is reported, and nothing is dropped" {
    local case drop why
    for case in '(?i)a:it has a flag or a named group' 'a{900}:it has a counted repetition' '\bx:it has an escape that is not supported' \
        '[\pL]:it has an escape that is not supported' '[a:a bracket is not closed' '[^:a bracket is not closed' \
        'a(b:a group is not closed' 'a)b:it closes a group that is not open' '*a:it repeats nothing' 'a|+:it repeats nothing' \
        "$(printf 'abcdefgh%.0s' {1..2100}):it is too long" 'a\:it ends in a backslash' \
        '[b-a]:it has a range that ends before it begins' '[\d-z]:it has a range that ends before it begins'; do
        drop=${case%:*} why=${case##*:}
        profile matching "$drop" a
        answers 0 $'main;a 1\nmain;main 1' \
            "stackcollapse: matching: the frames of the profile's drop_frames are shown: $why" stackcollapse matching
    done
}

@test "an expression that would take long to match is given up after a second" {
    local name
    name=$(head -c 600 /dev/zero | tr '\0' a)
    profile matching "$(printf '(a|aa)*[ab]*%.0s' {1..900})c" "$name"{1..100}
    answers 0 '*' "stackcollapse: matching: the frames of the profile's drop_frames are shown: it takes too long" \
        "$BIN/stackcollapse" matching
    [ "$(wc -l <<<"$output")" -eq 101 ]
}

@test "ids, names and values that cannot be are reported with their places, and the other samples count" {
    profile hostile
    answers 0 'ma in;[unknown];[unknown];[unknown] 3' 'stackcollapse: hostile: at byte 143: a name that is not in the profile
stackcollapse: hostile: at byte 104: a function that is not in the profile
stackcollapse: hostile: at byte 114: a field goes beyond the end
stackcollapse: hostile: the sample at byte 8: a location that is not in the profile
stackcollapse: hostile: the sample at byte 17: fewer values than the profile has types
stackcollapse: hostile: the sample at byte 24: a field goes beyond the end
stackcollapse: 1 of 6 samples have no frames and are left out
stackcollapse: 6 samples, 4 records skipped' stackcollapse hostile
    answers 1 '*' '' stackcollapse --strict -q hostile
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
    answers 1 '*' '*stackcollapse: short: gzip ended with status 1: *' stackcollapse -q short
    [[ $output == *'main.(*grid).hot'* ]]
}

@test "two profiles joined to one file are an error, two files are added up" {
    cat "$INPUTS/cpu" "$INPUTS/cpu" >joined
    answers 1 '' '*' stackcollapse joined
    [[ $stderr =~ ^'stackcollapse: joined: at byte '[0-9]+': a second profile begins before this: fold each by itself'$ ]]
    prints "$(awk '{ $NF *= 2 } 1' "$INPUTS/cpu.own")" stackcollapse "$INPUTS/cpu" "$INPUTS/cpu"
}

@test "text that begins as a profile could is not taken for one" {
    local text
    for text in '\n\nmain;parse 1\n' '\n' 'H' 'HaHa2 main;parse 1\n' '\n\001\n' '\022\000'; do
        # shellcheck disable=SC2059
        printf "$text" >in
        try stackcollapse --verbose in
        [[ $stderr != *'read as pprof'* ]]
    done
    answers 1 '' 'stackcollapse: standard input: at byte 0: this is no field of a pprof profile
stackcollapse: standard input: no line could be used: this is not pprof; without --from it is read as folded' stackcollapse --from=pprof <<<'main;parse 1'
}

@test "a profile whose first type of samples has no name and no unit is recognized" {
    printf '\12\0\22\6\12\1\1\22\1\5\42\6\10\1\42\2\10\1\52\4\10\1\20\1\62\0\62\3hot' >nameless
    prints 'hot 5' stackcollapse nameless
}

@test "a profile of a hundred thousand stacks is folded without loss" {
    profile wide
    answers 0 '*' '' stackcollapse -q wide
    [ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq 100000 ]
}
