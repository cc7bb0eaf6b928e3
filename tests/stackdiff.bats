load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' 'main;parse 100' 'main;draw 300' 'main;gone 100' >before
    printf '%s\n' 'main;parse 600' 'main;draw 300' 'main;new 100' >after
}

# Runs a gate on one profile of each side, and takes the warning of that off standard error, which must have it.
gate() { # ARGUMENT...
    local warning="stackdiff: one profile of each side cannot show how much runs differ, so growth by chance may be found: \
'flamepipe --compare' records several"
    try stackdiff "$@"
    grep -qxF "$warning" <<<"$stderr"
    stderr=$(grep -vxF "$warning" <<<"$stderr" || true)
}

# Checks that stackdiff exits with status 1, writes nothing and prints the message last.
rejects() { # MESSAGE ARGUMENT...
    answers 1 '' '*' stackdiff "${@:2}"
    same "$1" "$(grep -v 'not a folded stack:\|skipped (first' <<<"$stderr")"
}

@test "each stack is written with its count before and after, 0 where it is missing, sorted by bytes" {
    sed -i 's/600/100/' after
    prints 'main;draw 300 300
main;gone 100 0
main;new 0 100
main;parse 100 100' stackdiff before after
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
    [ "${lines[0]}" = 'main;draw 300 300' ]
    try stackdiff before - <after
    [ "$status" -eq 0 ]
    [ "${lines[3]}" = 'main;parse 100 600' ]
    answers 2 '' 'stackdiff: only one of the two files can be standard input*' stackdiff - - <before
}

@test "a line without a count is skipped and reported; blank lines and CR LF are accepted" {
    printf 'a;b 3\r\n\nno count\n  \nc 4' >x
    answers 0 'a;b 3 3
c 4 4' 'stackdiff: x:3: not a folded stack: it does not end in a blank and a count
stackdiff: x:3: not a folded stack: it does not end in a blank and a count
stackdiff: 4 folded lines, 2 lines skipped (first at x:3)' stackdiff x x
}

@test "the summary counts lines, used and skipped, not different stacks" {
    printf 'a 1\na 1\na 1\nbad\n' >x
    answers 0 'a 3 3' '*' stackdiff x x
    same 'stackdiff: 6 folded lines, 2 lines skipped (first at x:4)' "$(tail -n 1 <<<"$stderr")"
}

@test "of many skipped lines the first three are shown and all are counted; -q shows none" {
    printf 'bad\nbad\nbad\nbad\nbad\nmain;draw 200\nmain;draw 200\nmain;draw 200\nmain;draw 200\nmain;draw 200\n' >x
    try stackdiff x after
    [ "$status" -eq 0 ]
    [ "${stderr_lines[3]}" = 'stackdiff: 8 folded lines, 5 lines skipped (first at x:1)' ]
    [ "${#stderr_lines[@]}" -eq 4 ]
    answers 0 '*' '' stackdiff -q x after
    [ "${lines[0]}" = 'main;draw 1000 300' ]
}

@test "--strict exits with status 1 if any line was skipped, and still writes the comparison" {
    printf 'bad\nmain;draw 1000\n' >x
    answers 1 '*' '*1 line skipped (first at x:1)' stackdiff --strict x after
    [ "${lines[0]}" = 'main;draw 1000 300' ]
    answers 0 '*' '' stackdiff --strict after after
}

@test "--normalize scales the counts before to the total after, rounded to six digits after the point" {
    printf '%s\n' 'a 1' 'b 2' 'c 4.5' >x
    printf '%s\n' 'a 10' >y
    prints 'a 1.333333 10
b 2.666667 0
c 6 0' stackdiff --normalize x y
}

@test "--normalize leaves equal totals alone, to the last digit" {
    printf '%s\n' 'a 18446744073709551614' 'b 0.1234567' >x
    prints 'a 18446744073709551614 18446744073709551614
b 0.1234567 0.1234567' stackdiff -n x x
}

@test "--strip-hex merges stacks that differ in hexadecimal numbers only" {
    printf '%s\n' 'a;0x7f3a 1' 'a;0xBEEF 2' 'a;0xg 4' 'a;00x1;0x2_0x 8' >x
    try stackdiff --strip-hex x after
    [ "$status" -eq 0 ]
    same 'a;00x...;0x..._0x 8 0
a;0x... 3 0
a;0xg 4 0' "$(head -3 <<<"$output")"
}

@test "a stack may hold any byte, and what a terminal would act on is masked" {
    printf 'a\0b;\377\033 1\n 2\n' >x
    stackdiff x x >got 2>err
    printf ' 2 2\na?b;?? 1 1\n' | cmp - got
    [ ! -s err ]
}

@test "a file that cannot be read is an error, and nothing is written" {
    rejects 'stackdiff: nowhere: No such file or directory' nowhere after
    rejects 'stackdiff: .: Is a directory' before .
}

@test "a file without a folded stack is an error that says what the file looks like" {
    printf '%s\n' '<?xml version="1.0"?>' '<svg version="1.1">' '</svg>' >picture.svg
    printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]}' >x.cpuprofile
    printf 'main;parse\nmain;draw\n' >list
    printf 'hello there\nyou two\n' >prose
    local wanted='no folded stacks; this looks like'
    rejects "stackdiff: picture.svg: $wanted an SVG picture: give the folded stacks that it was drawn from" \
        before picture.svg
    rejects "stackdiff: x.cpuprofile: $wanted a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse" \
        x.cpuprofile after
    rejects "stackdiff: list: $wanted a list of names without counts: a count belongs at the end of each line" \
        before list
    rejects "stackdiff: prose: no folded stacks: a line is frames joined by ';', a blank and a count" \
        before prose
}

@test "a file of which more than half is skipped is an error, which says what it looks like" {
    printf '%s\n' '{"nodes": [{' '  "id": 1,' '  "callFrame": {' '   "lineNumber": 12' '}}]}' >x.cpuprofile
    answers 1 '' \
        'stackdiff: x.cpuprofile: 4 of 5 lines could not be used: this looks like a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse*' \
        stackdiff -q before x.cpuprofile
    printf '%s\n' 'some words' 'of a text' 'with number 9' >text
    answers 1 '' '*' stackdiff before text
    [[ $stderr == *$'\nstackdiff: text: 2 of 3 lines could not be used: is this the right file?\n'* ]]
}

@test "an empty file is an error, on either side, and with --normalize too" {
    : >empty
    printf '\n  \n' >blank
    rejects 'stackdiff: empty: no folded stacks: the input is empty' before empty
    rejects 'stackdiff: empty: no folded stacks: the input is empty' --normalize empty after
    rejects 'stackdiff: standard input: no folded stacks: the input is empty' - after </dev/null
    rejects "stackdiff: blank: no folded stacks: a line is frames joined by ';', a blank and a count" \
        before blank
}

@test "a profile in which every count is 0 is an error" {
    printf 'main;draw 0\nmain 0.0\n' >zero
    rejects 'stackdiff: zero: no samples: every count is 0' zero after
    rejects 'stackdiff: zero: no samples: every count is 0' --max-growth=5 before zero
}

@test "a file with two counts on every line is an error: it is a comparison already" {
    stackdiff before after >compared
    rejects 'stackdiff: compared: each line has two counts, so this is a comparison already: give the two profiles that it was made from' \
        compared after
}

@test "a name that ends in a number is no second count if another line has one count" {
    printf 'main;worker 5 997\nmain;draw 3\n' >x
    answers 0 '*' '' stackdiff x after
    [ "${lines[3]}" = 'main;worker 5 997 0' ]
}

@test "profiles that share no stack get a hint at how they were folded" {
    printf 'node-17;main 100\n' >x
    printf 'node-23;main 100\n' >y
    answers 0 'node-17;main 100 0
node-23;main 0 100' \
        'stackdiff: no stack is in both profiles: were they folded with the same options? Where the command has another name, '"'stackcollapse --no-comm' leaves that out" \
        stackdiff x y
}

@test "--max-growth passes if no share grew by more" {
    gate --max-growth=40 before after # parse: 20 % to 60 %
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [ "$stderr" = '' ]
}

@test "--max-growth names what grew by more, the largest growth first, and still writes everything" {
    gate --max-growth 5 before after
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 4 ]
    same 'stackdiff: grew by 40.00 (+/- 9.58) points, from 20.00 % to 60.00 %: parse
stackdiff: grew by 10.00 (+/- 3.98) points, from 0.00 % to 10.00 %: new
stackdiff: 2 functions grew by more than --max-growth=5 allows' "$stderr"
}

@test "--max-growth writes the number of functions with separators" {
    { echo 'main 1000000'; seq -f 'main;old%.0f 1000' 1500; } >x
    { echo 'main 1000000'; seq -f 'main;new%.0f 1000' 1500; } >y
    gate --max-growth=0 x y
    [ "$status" -eq 1 ]
    same 'stackdiff: 1,500 functions grew by more than --max-growth=0 allows' "$(tail -n 1 <<<"$stderr")"
}

@test "a name of many bytes leaves the shares readable" {
    { printf 'main;' && head -c 5000 /dev/zero | tr '\0' x && printf ' 500\n'; } >y
    gate --max-growth=5 --function=xxx before y
    [ "$status" -eq 1 ]
    [[ $stderr == *'stackdiff: grew by 100.00 (+/- '*') points, from 0.00 % to 100.00 %: xxx'* ]]
}

@test "--function limits --max-growth to the functions that match" {
    gate --max-growth=5 --function='^n|^draw' before after
    [ "$status" -eq 1 ]
    same 'stackdiff: grew by 10.00 (+/- 3.58) points, from 0.00 % to 10.00 %: new
stackdiff: 1 function grew by more than --max-growth=5 allows' "$stderr"
    gate --max-growth=5 --function=draw before after
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
}

@test "a --function that matches nothing in either profile is an error" {
    gate --max-growth=5 --function=misspelt before after
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 4 ]
    same "stackdiff: no function in either profile matches --function='misspelt'" "$stderr"
}

@test "a --function that matches nothing is an error for tables, JSON and --new too" {
    local args
    for args in --format=table --format=json --new=new '--max-total=500 --format=table'; do
        # shellcheck disable=SC2086
        try stackdiff -q $args --function=misspelt before after
        [ "$status" -eq 1 ]
        [ "$output" != '' ] # the comparison is written all the same
        same "stackdiff: no function in either profile matches --function='misspelt'" "$stderr"
    done
    answers 0 '*' "stackdiff: after: no function matches --function='gone': was it renamed?" \
        stackdiff --format=table --function=gone before after
    [ "${#lines[@]}" -eq 2 ]
}

@test "a --function that matches only before gets a warning: it may have been renamed" {
    gate --max-growth=5 --function=gone before after
    [ "$status" -eq 0 ]
    same "stackdiff: after: no function matches --function='gone': was it renamed?" "$stderr"
}

@test "a share counts a function's callees, and a recursive function once per stack" {
    printf '%s\n' 'main;f;f;g 100' 'main;h 300' >x
    printf '%s\n' 'main;f;f;g 300' 'main;h 100' >y
    gate --max-growth=49 x y
    [ "$status" -eq 1 ]
    same 'stackdiff: grew by 50.00 (+/- 12.08) points, from 25.00 % to 75.00 %: f
stackdiff: grew by 50.00 (+/- 12.08) points, from 25.00 % to 75.00 %: g
stackdiff: 2 functions grew by more than --max-growth=49 allows' "$stderr"
}

@test "growth that equals the limit passes, although doubles cannot hold the shares" {
    printf '%s\n' 'f 100000' 'g 900000' >x
    printf '%s\n' 'f 300000' 'g 700000' >y
    gate --max-growth=20 x y
    [ "$status" -eq 0 ]
    printf '%s\n' 'f 1010000' 'g 8990000' >x
    printf '%s\n' 'f 1040000' 'g 8960000' >y
    gate --max-growth=0.3 x y
    [ "$status" -eq 0 ]
    gate --max-growth=0.29 x y
    [ "$status" -eq 1 ]
}

@test "--max-growth compares shares, so a run ten times as long passes it" {
    sed 's/$/0/' before >longer
    gate --max-growth=0 before longer
    [ "$status" -eq 0 ]
    gate --max-growth=0 --normalize before longer
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'main;draw 3000 3000' ]
}

@test "--max-growth warns of a profile with fewer than 100 counts" {
    printf 'main;draw 2\nmain 3\n' >few
    printf 'main;draw 1\n' >one
    gate --max-growth=100 few one
    [ "$status" -eq 0 ]
    same 'stackdiff: few: only 5 counts in total: too few to mean much
stackdiff: one: only 1 count in total: too few to mean much' "$stderr"
    answers 0 '*' '' stackdiff -q --max-growth=100 few one
    printf 'main;draw 1.23456789\n' >fraction
    gate --max-growth=100 fraction few
    [ "${stderr_lines[0]}" = 'stackdiff: fraction: only 1.23 counts in total: too few to mean much' ]
    answers 0 '*' '' stackdiff few few
}

@test "--max-growth with one file on both sides is wrong usage: it could never fail" {
    ln -s before link
    local wanted='stackdiff: both operands are the same file, so nothing could have grown'
    answers 2 '*' "$wanted*" stackdiff --max-growth=5 before link
    # shellcheck disable=SC2094 # try writes to no file
    answers 2 '*' "$wanted*" stackdiff --max-growth=5 before - <before
    answers 0 '*' '' stackdiff before link
}

@test "--max-growth above 100 is too large: it could never fail" {
    answers 2 '' "stackdiff: option --max-growth: '1e99' is too large: a share grows by 100 points at most*" \
        stackdiff --max-growth=1e99 before after
}

@test "an empty --function is wrong usage, as an unset variable gives it" {
    answers 2 '' 'stackdiff: option --function needs a regular expression*' \
        stackdiff --max-growth=5 --function= before after
}

@test "control bytes of names and of the command line are not printed" {
    local red=$'\033[31m'
    mv before "$red"
    printf 'main;%s 500\n' "$red" >y
    gate --max-growth=5 "$red" y
    [ "$status" -eq 1 ]
    [[ $stderr == *'to 100.00 %: ?[31m'* ]]
    gate --max-growth=5 --function="z"$'\033' "$red" after
    [ "$status" -eq 1 ]
    same "stackdiff: no function in either profile matches --function='z?'" "$stderr"
    try stackdiff "$red" "$red".svg
    same 'stackdiff: ?[31m.svg: No such file or directory' "$stderr"
}

@test "--max-growth lets growth pass that may be chance, by the number of samples, and says so" {
    printf '%s\n' 'main;f 20' 'main;g 180' >x
    printf '%s\n' 'main;f 35' 'main;g 165' >y
    gate --max-growth=5 x y
    [ "$status" -eq 0 ]
    same 'main;f 20 35
main;g 180 165' "$output"
    same 'stackdiff: 1 function grew by more than --max-growth=5, but perhaps by chance: record more samples or profiles to be sure; the most by 7.50 (+/- 13.21) points: f' "$stderr"
    sed -i 's/$/0/' x y
    gate --max-growth=5 x y
    [ "$status" -eq 1 ]
    same 'stackdiff: grew by 7.50 (+/- 4.14) points, from 10.00 % to 17.50 %: f
stackdiff: 1 function grew by more than --max-growth=5 allows' "$stderr"
}

# Profiles named PREFIX1, PREFIX2, ... of 1,000 samples each, with so many in f.
runs() { # PREFIX COUNT...
    local i=0 count
    for count in "${@:2}"; do
        i=$((i + 1))
        printf '%s\n' "main;f $count" "main;g $((1000 - count))" >"$1$i"
    done
}

@test "--before and --after add up the counts of several profiles of each side" {
    runs a 100 110
    runs b 300 310 320
    local wanted='main;f 210 930
main;g 1790 2070'
    answers 0 "$wanted" '*' stackdiff --before a1 a2 --after b1 b2 b3
    answers 0 "$wanted" '*' stackdiff --after b1 b2 --before=a1 --after b3 --before a2
    prints 'main;f 315 930
main;g 2685 2070' stackdiff --before a1 -q a2 --normalize --after b1 -- b2 b3
}

@test "a note says that sums of unlike numbers of profiles are no comparison, unless they are scaled" {
    runs a 100 110
    runs b 300
    answers 0 '*' 'stackdiff: 2 profiles before and 1 after are added up: --normalize makes their counts comparable' \
        stackdiff --before a1 a2 --after b1
    answers 0 '*' '' stackdiff -n --before a1 a2 --after b1
    answers 0 '*' '' stackdiff --format=table --before a1 a2 --after b1
}

@test "a note says that the totals differ by more than a tenth, where counts are compared and nobody asked" {
    local args
    echo 'main;f 1000' >x
    echo 'main;f 1100' >y
    echo 'main;f 1101.5' >z
    answers 0 'main;f 1000 1101.5' \
        'stackdiff: the totals differ, 1,000 before and 1,101.5 after, and counts are compared: --normalize compares shares' \
        stackdiff x z
    answers 0 '*' 'stackdiff: the totals differ, 1,101.5 before and 1,000 after, and counts are compared: --normalize compares shares' \
        stackdiff z x
    for args in 'x y' 'y x' '-n x z' '-q x z' '--format=table x z' '--max-growth=5 x z' '--max-total=50 x z'; do
        # shellcheck disable=SC2086
        try stackdiff $args
        [ "$status" -eq 0 ]
        [ "$output" != '' ]
        [[ $stderr == '' || $args$stderr == --max-*' z'*'one profile of each side'* ]]
        [[ $stderr != *'totals differ'* ]]
    done
    answers 0 '*' '' "$COMPAT/difffolded.pl" x z
}

@test "--max-growth fails for growth beyond the spread between profiles, and passes within it" {
    runs a 100 105 98
    runs b 180 176 184
    answers 1 '*' 'stackdiff: grew by 7.90 (+/- *) points, from 10.10 % to 18.00 %: f*' \
        stackdiff --max-growth=5 --before a1 a2 a3 --after b1 b2 b3
    runs a 20 160 123
    runs b 100 300 140
    answers 0 '*' 'stackdiff: 1 function grew by more than --max-growth=5, but perhaps by chance* by 7.90 (+/- *' \
        stackdiff --max-growth=5 --before a1 a2 a3 --after b1 b2 b3
}

@test "with several profiles of each side, and without a limit for growth, nothing is said of one profile" {
    local args
    runs a 100 105
    runs b 110 104
    for args in '--max-growth=5 --max-total=5 --before a1 a2 --after b1 b2' \
        '--new=x a1 b1' '--format=table a1 b1' '-q --max-growth=5 a1 b1'; do
        # shellcheck disable=SC2086
        answers 0 '*' '' stackdiff $args
    done
    gate --max-growth=5 a1 b1
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
}

@test "a function that differs from run to run more than others needs more growth than its spread alone seems to ask for" {
    local name
    runs a 100 160 130
    runs b 200 260 230
    for name in a1 a2 a3 b1 b2 b3; do
        seq -f 'main;steady%.0f 100' 10 >>$name
    done
    answers 0 '*' '*but perhaps by chance* by 5.00 (+/- 7.95) points: f' \
        stackdiff --max-growth=4 --before a1 a2 a3 --after b1 b2 b3
    runs a 121 133 136
    runs b 221 233 236
    for name in a1 a2 a3 b1 b2 b3; do
        seq -f 'main;steady%.0f 100' 10 >>$name
    done
    answers 1 '*' 'stackdiff: grew by 5.00 (+/- 2.31) points, from 6.50 % to 11.50 %: f*' \
        stackdiff --max-growth=4 --before a1 a2 a3 --after b1 b2 b3
}

@test "a garbage collector's samples count for itself and the first frame, not for the function in which it worked" {
    printf '%s\n' 'node;main;make 200' 'node;main;make;(garbage collector);free 300' 'node;main;count 400' 'node;(garbage collector) 100' >x
    printf '%s\n' 'node;main;make 200' 'node;main;count;(garbage collector);free 300' 'node;main;count 400' 'node;(garbage collector) 100' >y
    gate --max-growth=0 x y
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    try stackdiff --format=table --width=0 x y
    same ' 40.00%   40.00%    +0.00     0.0%  (garbage collector)
 40.00%   40.00%    +0.00     0.0%  count
 30.00%   30.00%    +0.00     0.0%  free
 60.00%   60.00%    +0.00     0.0%  main
 20.00%   20.00%    +0.00     0.0%  make
100.00%  100.00%    +0.00     0.0%  node' "$(sed '1d; s/ *node;.*//' <<<"$output")"
    sed -i '2s/300/900/' y
    gate --max-growth=5 x y
    [ "$status" -eq 1 ]
    [[ $stderr == *' points, from 40.00 % to 62.50 %: (garbage collector)'* ]]
}

# Checks that wrong usage is reported, by this message first.
refuses_files() { # MESSAGE ARGUMENT...
    answers 2 '' "stackdiff: $1*" stackdiff "${@:2}" <a2
}

@test "the files of --before and --after must be different ones, and both sides must have some" {
    runs a 100 110
    runs b 300
    ln -s a1 link
    refuses_files "'a1' and 'link' are the same file" --before a1 link --after b1
    refuses_files "'a1' and 'a1' are the same file" --before a1 --after b1 a1
    refuses_files 'option --before needs --after' --before a1 a2
    refuses_files 'option --after needs --before' --after b1
    refuses_files "'a1' is neither of --before nor of --after" a1 --before a2 --after b1
    refuses_files 'only one of the files can be standard input' --before - --after b1 -
}

@test "one of the files of --before and --after may be standard input, and one that cannot be read is an error" {
    runs a 100 110
    runs b 300
    answers 0 '*' '' stackdiff -n --before a1 - --after b1 <a2
    [ "${lines[0]}" = 'main;f 105 300' ]
    rejects 'stackdiff: nowhere: No such file or directory' --before a1 nowhere --after b1
    printf 'x 0\n' >zero
    rejects 'stackdiff: zero: no samples: every count is 0' --before a1 zero --after b1
}

@test "--max-total fails if the counts grew by more percent, with --max-growth and without" {
    printf 'main;f 1000\nmain;g 9000\n' >x
    printf 'main;f 1500\nmain;g 13500\n' >y
    gate --max-total=20 x y
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 2 ]
    same 'stackdiff: the total grew by 50.00 % (+/- 6.41), more than --max-total=20 allows' "$stderr"
    gate --max-total=50 --max-growth=1 x y
    [ "$status" -eq 0 ]
    [ "$stderr" = '' ]
    gate --max-total=0 y x
    [ "$status" -eq 0 ]
    printf 'main;f 1000\nmain;g 9200\n' >y
    gate --max-total=1 x y
    [ "$status" -eq 0 ]
    [[ $stderr == 'stackdiff: the total grew by 2.00 % (+/- '*'), more than --max-total=1, but perhaps by chance'* ]]
}

@test "--max-total compares the mean profile of each side, and asks for growth beyond their spread" {
    runs a 100 100
    printf 'main;f 1300\n' >b1
    answers 1 '*' '*the total grew by 30.00 % (+/- *' stackdiff --max-total=10 --before a1 a2 --after b1
    printf 'main;f 400\n' >a1
    printf 'main;f 1600\n' >a2
    answers 0 '*' '*the total grew by 30.00 % (+/- *perhaps by chance*' \
        stackdiff --max-total=10 --before a1 a2 --after b1
}

@test "--new fails if a function that matches has samples only after, and names it" {
    answers 1 '*' "stackdiff: new, with 10.00 % of the samples: new
stackdiff: 1 function appeared that --new='^n' forbids" stackdiff --new='^n' before after
    [ "${#lines[@]}" -eq 4 ]
    answers 0 '*' '' stackdiff --new='draw|parse|gone' before after
    try stackdiff --new='^n' --min-delta=10.1 before after
    [ "$status" -eq 0 ]
    try stackdiff --new='^n' --min-delta=10 before after
    [ "$status" -eq 1 ]
}

@test "--min-delta gives stacks whose share changed by less the same count twice, and drops empty ones" {
    answers 0 'main;draw 300 300
main;new 100 100
main;parse 100 600' '*' stackdiff --min-delta=30 before after # draw: 60 % to 30 %, parse: 20 % to 60 %
    prints 'main;draw 300 300
main;new 100 100
main;parse 200 600' stackdiff --min-delta=30.01 -n before after
}

@test "--missing puts stacks that are gone first, below a frame that says so, with their true counts" {
    answers 0 '(gone);main;gone 100 0
main;draw 300 300
main;new 0 100
main;parse 100 600' '*' stackdiff --missing before after
    answers 0 '(gone);main;gone 200 0
main;draw 600 300
main;new 0 100
main;parse 200 600' '*' stackdiff --missing -n before after
    flamesvg <<<"$output" >gone.svg
    well_formed gone.svg
    grep -q '<title>gone (200 samples, 20.00%; -20.00%)</title>' gone.svg
    grep -q '<title>main (1,000 samples, 100.00%; 0.00%)</title>' gone.svg
}

@test "--format=table tells share, change, certainty and the stack of each function, the largest growth first" {
    printf '%s\n' 'main;a;parse 250' 'main;b;parse 50' 'main;draw 700' >x
    printf '%s\n' 'main;a;parse 260' 'main;b;parse 240' 'main;draw 480' 'main;new 20' >y
    prints ' before    after   change  certain  function  stack that changed most
 30.00%   50.00%   +20.00   >99.9%  parse     main;b;parse
  5.00%   24.00%   +19.00   >99.9%  b         main;b;parse
  0.00%    2.00%    +2.00    99.2%  new       main;new
 25.00%   26.00%    +1.00     0.0%  a         main;a;parse
100.00%  100.00%    +0.00     0.0%  main      main;b;parse
 70.00%   48.00%   -22.00   >99.9%  draw      main;draw' stackdiff --format=table x y
    prints ' before    after   change  certain  function  stack that changed most
 30.00%   50.00%   +20.00   >99.9%  parse     main;b;parse
 70.00%   48.00%   -22.00   >99.9%  draw      main;draw' stackdiff --format=table --min-delta=2.5 --function='a|d' x y
}

@test "a table's names and stacks are cut to the width, and what could change a terminal is shown as ?" {
    local long
    long=$(printf 'x%.0s' {1..200})
    printf '%s\n' "main;$long;$long 1000" $'main;\033[31m 500' >x
    printf '%s\n' "main;$long;$long 500" $'main;\033[31m 1000' >y
    local width
    for width in 54 60 80 133; do
        answers 0 '*' '' stackdiff --format=table --width=$width x y
        [ "$(wc -L <<<"$output")" -eq $width ]
        [[ $output == *' ?[31m'*'  '*'?[31m'* ]]
    done
    for width in 41 53; do # no room for a column of stacks
        answers 0 '*' '' stackdiff --format=table --width=$width x y
        [ "$(wc -L <<<"$output")" -eq $width ]
        [[ ${lines[0]} == *'  certain  funct'* && ${lines[0]} != *stack* ]]
        [[ $output == *' ?[31m'* && $output != *';'* ]]
    done
    prints "* $long  main;$long;$long*" stackdiff --format=table x y
}

@test "the stacks of a table are cut at the beginning: the function is at their end" {
    printf '%s\n' 'node;node::Start;main;serve;parse;next_token 300' 'node;other 700' >x
    answers 0 '*' '' stackdiff --format=table --width=80 x x
    same ' before    after   change  certain  function     stack that changed most' "${lines[0]}"
    printf '%s\n' 'node;node::Start;main;serve;parse;next_token 700' 'node;other 300' >y
    answers 0 '*' '' stackdiff --format=table --width=74 --function=next x y
    same ' 30.00%   70.00%   +40.00   >99.9%  next_token  ...;serve;parse;next_token' "${lines[1]}"
}

@test "--top prints the functions that changed most, up or down, of a table and of JSON" {
    printf '%s\n' 'm;a 100' 'm;b 200' 'm;c 300' 'm;d 400' >x
    printf '%s\n' 'm;a 250' 'm;b 210' 'm;c 290' 'm;d 250' >y
    prints ' before    after   change  certain  function  stack that changed most
 10.00%   25.00%   +15.00   >99.9%  a         m;a
 40.00%   25.00%   -15.00   >99.9%  d         m;d' stackdiff --format=table --top=2 x y
    try stackdiff --format=table --top=4 --min-delta=2 x y
    [ "${#lines[@]}" -eq 3 ]
    answers 0 '*' '' stackdiff --format=json --top=1 x y
    same a "$(python3 -c 'import json, sys; print(*(r["name"] for r in json.load(sys.stdin)["rows"]))' <<<"$output")"
}

@test "--format=json is the same as an object" {
    printf '%s\n' 'main;a"b\ 250.5' 'main;draw 749.5' >x
    printf '%s\n' 'main;a"b\ 500' 'main;draw 500' >y
    try stackdiff --format=json x y
    [ "$status" -eq 0 ]
    python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["before"] == {"profiles": 1, "count": 1000}, d
assert d["after"] == {"profiles": 1, "count": 1000}, d
a, main, draw = d["rows"]
assert a["name"] == "a\"b\\" and a["stack"] == "main;a\"b\\", a
assert (a["before"], a["after"], a["before_percent"], a["after_percent"]) == (250.5, 500, 25.05, 50), a
assert (a["change_points"], a["stack_change_points"]) == (24.95, 24.95), a
assert 5 < a["margin_points"] < 15 and a["certainty_percent"] > 99.9, a
assert main["change_points"] == 0 and main["certainty_percent"] == 0, main
assert draw["change_points"] == -24.95 and draw["stack"] == "main;draw", draw
' <<<"$output"
    answers 0 '{"before":{"profiles":1,"count":1000},"after":{"profiles":1,"count":1000},"rows":[
]}' '*' stackdiff --format=json --min-delta=50 x y
    try stackdiff --format=json --max-growth=5 x y
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 5 ]
}

@test "certainty allows for how many functions are compared" {
    printf '%s\n' 'main;f 60' 'main;g 940' >x
    printf '%s\n' 'main;f 110' 'main;g 890' >y
    try stackdiff --format=table --function='^f$' x y
    local alone=${lines[1]}
    [[ $alone == *' 99.'* ]]
    { echo 'main;f 60' && seq -f 'main;z%.0f 4.7' 200; } >x
    { echo 'main;f 110' && seq -f 'main;z%.0f 4.45' 200; } >y
    try stackdiff --format=table x y
    [ "${lines[1]%% f *}" != "${alone%% f *}" ]
    [[ ${lines[1]} == '  6.00%   11.00%    +5.00    55.2%'* ]]
}

@test "counts that are periods get a warning with one profile a side, unless --period says what a sample counts" {
    printf '%s\n' 'main;f 2000000000' 'main;g 18000000000' >x
    printf '%s\n' 'main;f 3500000000' 'main;g 16500000000' >y
    gate --max-growth=5 x y
    [ "$status" -eq 1 ]
    [[ $stderr == 'stackdiff: x: 20,000,000,000 counts in total: if they are periods'*--period* ]]
    gate --max-growth=5 --period=1e8 x y # 200 samples
    [ "$status" -eq 0 ]
    same 'stackdiff: 1 function grew by more than --max-growth=5, but perhaps by chance: record more samples or profiles to be sure; the most by 7.50 (+/- 13.21) points: f' "$stderr"
    sed 's/0 *$/1/' x >x2
    sed 's/0 *$/1/' y >y2
    try stackdiff --max-growth=5 --before x x2 --after y y2
    [[ $stderr != *--period* ]]
}

@test "wrong usage is reported with status 2" {
    local args
    for args in '' 'before' 'before after after' '--nonsense before after' \
        '--max-growth=x before after' '--max-growth=-1 before after' \
        '--function=f before after' '--max-growth=1 --function=( before after' '--max-total=-1 before after' \
        '--new= before after' '--new=( before after' '--period=0 before after' '--width=-1 before after' \
        '--min-delta=101 before after' '--format=svg before after' '--top=3 before after' '--top=0 --format=table before after' '--missing --format=table before after'; do
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
    prints 'a;0x1 1 0
a;0x2 1 0
b 1 5' "$COMPAT/difffolded.pl" -n x y
    prints 'a;0x... 3 0
b 1 5' "$COMPAT/difffolded.pl" -ns x y
}

@test "difffolded.pl: a line without a count, or with CR LF, is an empty stack" {
    printf 'a 1\r\nb 2\nbad\n' >x
    answers 0 ' 0 0
b 2 2' 'difffolded.pl: x:1: not a folded stack*' "$COMPAT/difffolded.pl" x x
}

@test "difffolded.pl: a file without stacks has 0 of each, with a warning, and two counts are not an error" {
    printf '<svg>\n' >picture.svg
    answers 0 ' 0 0
main;draw 300 0
main;gone 100 0
main;parse 100 0' '*difffolded.pl: picture.svg: no folded stacks; this looks like an SVG picture*' \
        "$COMPAT/difffolded.pl" before picture.svg
    answers 0 '' '*' "$COMPAT/difffolded.pl" /dev/null /dev/null
    echo 'a 1 2' >compared
    prints 'a 1 2 2' "$COMPAT/difffolded.pl" compared compared
}

@test "difffolded.pl: sums are Perl's: whole in 64 bits, else doubles of 15 digits" {
    printf '%s\n' 'a 9007199254740993' 'a 2' 'b 18446744073709551615' 'b 1' 'c 0.1' 'c 0.2' \
        'd 1000000000000000.5' 'e 1.' 'f 99999999999999999999' >x
    printf '%s\n' 'a 1' >y
    prints 'a 9007199254740995 1
b 1.84467440737096e+19 0
c 0.3 0
d 1e+15 0
e 1 0
f 1e+20 0' "$COMPAT/difffolded.pl" x y
}

@test "difffolded.pl: statuses are Perl's: 2 for usage and unreadable files, 255 for nothing to scale" {
    local d=$COMPAT/difffolded.pl
    try "$d" before
    [ "$status" -eq 2 ]
    answers 2 '' 'usage: difffolded.pl *' "$d" -h before after
    answers 2 '' 'difffolded.pl: nowhere: No such file or directory' "$d" before nowhere
    answers 255 '' '*' "$d" -n /dev/null after
    try "$d" before after nowhere
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
}
