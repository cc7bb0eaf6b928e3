load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' 'main;parse 10' 'main;draw 30' 'main;gone 10' >before
    printf '%s\n' 'main;parse 60' 'main;draw 30' 'main;new 10' >after
}

@test "each stack has its count before and after, 0 where it was not seen, in the order of its bytes" {
    try stackdiff before after
    [ "$status" -eq 0 ]
    same 'main;draw 30 30
main;gone 10 0
main;new 0 10
main;parse 10 60' "$output"
    [ "$stderr" = '' ]
}

@test "equal stacks of one file are summed, fractions exactly" {
    printf '%s\n' 'a 0.1' 'a 0.2' 'a 9007199254740993' >x
    try stackdiff x after
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'a 9007199254740993.3 0' ]
}

@test "a lone dash is standard input, on either side but not on both" {
    try stackdiff - after <before
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'main;draw 30 30' ]
    try stackdiff before - <after
    [ "$status" -eq 0 ]
    [ "${lines[3]}" = 'main;parse 10 60' ]
    try stackdiff - - <before
    [ "$status" -eq 2 ]
    [ "$output" = '' ]
    [[ $stderr == 'stackdiff: only one of the two files can be standard input'* ]]
}

@test "a line without a count is skipped, with its place; blank lines and CR LF are nothing special" {
    printf 'a;b 3\r\n\nno count\n  \nc 4' >x
    try stackdiff x x
    [ "$status" -eq 0 ]
    same 'a;b 3 3
c 4 4' "$output"
    same 'stackdiff: x:3: not a folded stack
stackdiff: x:3: not a folded stack
stackdiff: 2 stacks, 2 lines skipped (first at x:3)' "$stderr"
}

@test "many lines without a count are counted, not listed; -q says nothing of them" {
    printf 'bad\nbad\nbad\nbad\nbad\na 1\n' >x
    try stackdiff x after
    [ "$status" -eq 0 ]
    [ "${stderr_lines[3]}" = 'stackdiff: 4 stacks, 5 lines skipped (first at x:1)' ]
    [ "${#stderr_lines[@]}" -eq 4 ]
    try stackdiff -q x after
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'a 1 0' ]
    [ "$stderr" = '' ]
}

@test "--normalize scales the counts before to the total after, rounded at the sixth digit" {
    printf '%s\n' 'a 1' 'b 2' 'c 4.5' >x
    printf '%s\n' 'a 10' >y
    try stackdiff --normalize x y
    [ "$status" -eq 0 ]
    same 'a 1.333333 10
b 2.666667 0
c 6 0' "$output"
}

@test "--normalize leaves equal totals alone, to the last digit" {
    printf '%s\n' 'a 18446744073709551614' 'b 0.1234567' >x
    try stackdiff -n x x
    [ "$status" -eq 0 ]
    same 'a 18446744073709551614 18446744073709551614
b 0.1234567 0.1234567' "$output"
}

@test "--normalize fails where nothing was seen before" {
    : >empty
    try stackdiff --normalize empty after
    [ "$status" -eq 1 ]
    [ "$output" = '' ]
    [[ $stderr == *'stackdiff: empty: no samples that could be scaled' ]]
}

@test "--strip-hex takes stacks that differ in hexadecimal numbers as one" {
    printf '%s\n' 'a;0x7f3a 1' 'a;0xBEEF 2' 'a;0xg 4' 'a;00x1;0x2_0x 8' >x
    try stackdiff --strip-hex x after
    [ "$status" -eq 0 ]
    same 'a;00x...;0x..._0x 8 0
a;0x... 3 0
a;0xg 4 0' "$(head -3 <<<"$output")"
}

@test "a stack may hold any byte" {
    printf 'a\0b;\377\033 1\n 2\n' >x
    stackdiff x x >got 2>err
    printf ' 2 2\na\0b;\377\033 1 1\n' | cmp - got
    [ ! -s err ]
}

@test "a file that cannot be read gives a message, status 1 and no half comparison" {
    try stackdiff nowhere after
    [ "$status" -eq 1 ]
    [ "$output" = '' ]
    [ "$stderr" = 'stackdiff: nowhere: No such file or directory' ]
    try stackdiff before .
    [ "$status" -eq 1 ]
    [ "$output" = '' ]
    [ "$stderr" = 'stackdiff: .: Is a directory' ]
}

@test "a file without samples is said to be one" {
    try stackdiff /dev/null after
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'main;draw 0 30' ]
    [ "$stderr" = 'stackdiff: /dev/null: no samples' ]
}

@test "--max-growth passes where every share grew by no more than that" {
    try stackdiff --max-growth=40 before after # parse: 20 % to 60 %
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [ "$stderr" = '' ]
}

@test "--max-growth names what grew by more, the largest growth first, and still writes everything" {
    try stackdiff --max-growth 5 before after
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 4 ]
    same 'stackdiff: parse: 20.00 % before, 60.00 % after, grew by 40.00 points
stackdiff: new: 0.00 % before, 10.00 % after, grew by 10.00 points
stackdiff: 2 functions grew by more than 5 points' "$stderr"
}

@test "--function narrows the gate to the functions that match" {
    try stackdiff --max-growth=5 --function='^n|^draw' before after
    [ "$status" -eq 1 ]
    same 'stackdiff: new: 0.00 % before, 10.00 % after, grew by 10.00 points
stackdiff: 1 function grew by more than 5 points' "$stderr"
    try stackdiff --max-growth=5 --function=draw before after
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
}

@test "a gate for a function that is in neither profile says so" {
    try stackdiff --max-growth=5 --function=misspelt before after
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    same 'stackdiff: no function matches --function' "$stderr"
}

@test "a share counts a function's callees, and a recursive function once a stack" {
    printf '%s\n' 'main;f;f;g 1' 'main;h 3' >x
    printf '%s\n' 'main;f;f;g 3' 'main;h 1' >y
    try stackdiff --max-growth=49 x y
    [ "$status" -eq 1 ]
    same 'stackdiff: f: 25.00 % before, 75.00 % after, grew by 50.00 points
stackdiff: g: 25.00 % before, 75.00 % after, grew by 50.00 points
stackdiff: 2 functions grew by more than 49 points' "$stderr"
}

@test "growth that equals the limit passes, although doubles cannot hold the shares" {
    printf '%s\n' 'f 1' 'g 9' >x
    printf '%s\n' 'f 3' 'g 7' >y
    try stackdiff --max-growth=20 x y
    [ "$status" -eq 0 ]
    printf '%s\n' 'f 101' 'g 899' >x
    printf '%s\n' 'f 104' 'g 896' >y
    try stackdiff --max-growth=0.3 x y
    [ "$status" -eq 0 ]
    try stackdiff --max-growth=0.29 x y
    [ "$status" -eq 1 ]
}

@test "the gate looks at shares, so a run twice as long passes it" {
    sed 's/$/0/' before >longer
    try stackdiff --max-growth=0 before longer
    [ "$status" -eq 0 ]
    try stackdiff --max-growth=0 --normalize before longer
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'main;draw 300 300' ]
}

@test "the gate fails on a profile without samples: nothing was measured" {
    try stackdiff --max-growth=5 before /dev/null
    [ "$status" -eq 1 ]
    same 'stackdiff: /dev/null: no samples
stackdiff: a profile without samples has no shares to compare' "$stderr"
}

@test "wrong usage is said, with status 2" {
    local args
    for args in '' 'before' 'before after after' '--nonsense before after' \
        '--max-growth=x before after' '--max-growth=-1 before after' \
        '--function=f before after' '--max-growth=1 --function=( before after'; do
        # shellcheck disable=SC2086
        try stackdiff $args
        [ "$status" -eq 2 ] || { echo "status $status for: $args"; return 1; }
        [ "$output" = '' ]
        [[ $stderr == 'stackdiff: '*'usage: stackdiff '* ]]
    done
}

@test "difffolded.pl: -n cuts the scaled counts to whole numbers, -ns does both" {
    printf '%s\n' 'a;0x1 1' 'a;0x2 1' 'b 1' >x
    printf '%s\n' 'b 5' >y
    try "$COMPAT/difffolded.pl" -n x y
    [ "$status" -eq 0 ]
    same 'a;0x1 1 0
a;0x2 1 0
b 1 5' "$output"
    try "$COMPAT/difffolded.pl" -ns x y
    [ "$status" -eq 0 ]
    same 'a;0x... 3 0
b 1 5' "$output"
}

@test "difffolded.pl: a line without a count, or with CR LF, is an empty stack" {
    printf 'a 1\r\nb 2\nbad\n' >x
    try "$COMPAT/difffolded.pl" x x
    [ "$status" -eq 0 ]
    same ' 0 0
b 2 2' "$output"
    [[ $stderr == 'difffolded.pl: x:1: not a folded stack'* ]]
}

@test "difffolded.pl: sums are Perl's: whole in 64 bits, else doubles of 15 digits" {
    printf '%s\n' 'a 9007199254740993' 'a 2' 'b 18446744073709551615' 'b 1' 'c 0.1' 'c 0.2' \
        'd 1000000000000000.5' 'e 1.' 'f 99999999999999999999' >x
    printf '%s\n' 'a 1' >y
    try "$COMPAT/difffolded.pl" x y
    [ "$status" -eq 0 ]
    same 'a 9007199254740995 1
b 1.84467440737096e+19 0
c 0.3 0
d 1e+15 0
e 1 0
f 1e+20 0' "$output"
}

@test "difffolded.pl: statuses are Perl's: 2 for usage and unreadable files, 255 for nothing to scale" {
    local d=$COMPAT/difffolded.pl
    try "$d" before
    [ "$status" -eq 2 ]
    try "$d" -h before after
    [ "$status" -eq 2 ]
    [ "$output" = '' ]
    [[ $stderr == 'usage: difffolded.pl '* ]]
    try "$d" before nowhere
    [ "$status" -eq 2 ]
    [ "$output" = '' ]
    [ "$stderr" = 'difffolded.pl: nowhere: No such file or directory' ]
    try "$d" -n /dev/null after
    [ "$status" -eq 255 ]
    [ "$output" = '' ]
    try "$d" before after nowhere
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
}
