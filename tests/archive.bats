# stackrecord --archive: what it refuses, and what is made of its files. What it writes is in unit/stackrecord_archive.c and
# live/archive.bats.
load lib

@test "--archive refuses what would be printed beside it, and its options need it" {
    for options in '-o data' '--text out' --folded --header --wall --off-cpu '-e cpu-clock,page-faults'; do
        # shellcheck disable=SC2086 # two words
        answers 2 '' 'stackrecord: --archive *' stackrecord -a --archive folder $options
    done
    answers 2 '' 'stackrecord: --keep, --keep-for and --slice go with --archive*' stackrecord -a --keep 1G
    answers 2 '' "stackrecord: option --keep: '1K' is not a size from 1M,*" stackrecord -a --archive folder --keep 1K
    answers 2 '' "stackrecord: option --keep-for: '1w' is not a time such*" stackrecord -a --archive folder --keep-for 1w
    answers 2 '' "stackrecord: option --slice: '2h' is over 3,600 seconds*" stackrecord -a --archive folder --slice 2h
    [ ! -e folder ]
}

# Two hours and slices of 27 November 2026, of one host, and slices that are killed recorders' or a clock's.
make_archive() { # FOLDER HOST
    mkdir "$1"
    stack() { echo "@$(($1 + 1795806000)).000;$2;node-4/$3;main 1"; } # SECONDS-SINCE-19:00 HOST TID
    { stack 60 "$2" 4; stack 3540 "$2" 5; } | gzip > "$1/2026-11-27T19Z.folded.gz"
    stack 3540 "$2" 5 > "$1/2026-11-27T19:59:00Z.folded" # merged
    stack 3560 "$2" 6 > "$1/2026-11-27T19:59:17Z-2.folded"
    stack 3600 "$2" 7 > "$1/2026-11-27T20:00:05Z.folded"
    { stack 3660 "$2" 8; stack 3710 "$2" 9; } > "$1/2026-11-27T20:01:00Z.folded"
    echo '@17' > "$1/.unfinished"
}

@test "stackfilter --between takes the stacks of that time from the files of an archive, each once" {
    make_archive web web1
    answers 0 '@1795809540.000;web1;node-4/5;main 1
@1795809560.000;web1;node-4/6;main 1
@1795809600.000;web1;node-4/7;main 1
@1795809660.000;web1;node-4/8;main 1' 'stackfilter: 2026-11-27T19:59:00Z to 2026-11-27T20:01:50Z: 4 counts' \
        stackfilter --between 2026-11-27T19:59Z..2026-11-27T20:01:50Z web
    TZ=CET-1 answers 0 '@1795809600.000;web1;node-4/7;main 1' \
        'stackfilter: 2026-11-27T21:00:00+0100 to 2026-11-27T21:01:00+0100: 1 counts' \
        stackfilter --between 2026-11-27T21:00..21:01 web
}

@test "stackfilter --between does not read files of other times, and reads files that are named" {
    make_archive web web1
    echo 'not folded' > web/2026-11-27T20:00:05Z.folded
    answers 0 '@1795806060.000;web1;node-4/4;main 1' 'stackfilter: 2026-11-27T19:01:00Z to 2026-11-27T19:02:00Z: 1 counts' \
        stackfilter --between 2026-11-27T19:01Z..19:02Z web
    answers 0 '' "stackfilter: web: nothing was recorded from 2026-11-27T22:01:00Z to 2026-11-27T22:02:00Z
stackfilter: 2026-11-27T22:01:00Z to 2026-11-27T22:02:00Z: 0 counts" \
        stackfilter --between 2026-11-27T22:01Z..22:02Z web
    answers 1 '@1795809660.000;web1;node-4/8;main 1' "stackfilter: counts of stacks without a time: 3, which are dropped
stackfilter: 2026-11-27T20:01:00Z to 2026-11-27T20:01:50Z: 1 counts" \
        stackfilter --between 2026-11-27T20:01Z..20:01:50Z web/*20:01:00Z.folded - <<< 'node;main 3'
}

@test "where the clock was set back, stackfilter --between reads the slices of the hour before, and no others" {
    mkdir web
    slice() { echo "@$(($2 + 1795809600)).000;web1;node-4/$3;main 1" > "web/2026-11-27T$1.folded"; } # NAME SECONDS-SINCE-20:00 TID
    echo 'not folded' > web/2026-11-27T18:00:00Z.folded
    slice 18:30:00Z -5400 1
    slice 20:00:00Z 50 2
    slice 20:00:43Z 50 3 # the clock was set back
    slice 20:01:00Z 60 4
    slice 20:01:00Z-2 60 5
    slice 20:02:00Z 120 6
    echo 'not folded' > web/2026-11-27T21:00:00Z.folded
    slice 21:01:00Z 3660 7
    minute() { answers 0 "$2" 'stackfilter: *' stackfilter --between "2026-11-27T$1" web; }
    minute 20:00:50Z..20:01Z '@1795809650.000;web1;node-4/2;main 1
@1795809650.000;web1;node-4/3;main 1'
    minute 18:30Z..18:31Z '@1795804200.000;web1;node-4/1;main 1'
    minute 21:01Z..21:02Z '@1795813260.000;web1;node-4/7;main 1'
}

@test "stackfilter --merge adds threads, processes and hosts up, and no pattern matches them" {
    make_archive web web1
    file=web/2026-11-27T20:00:05Z.folded
    prints '@1795809600.000;web1;node-4;main 1' stackfilter --merge threads --drop 'web|node' $file
    prints '@1795809600.000;web1;node;main 1' stackfilter --merge processes $file
    prints '@1795809600.000;node-4/7;main 1' stackfilter --merge hosts $file
    prints '@1795809600.000;node;main 1' stackfilter --merge hosts,processes --drop node $file
    prints '@1.000;node-4;main 1' stackfilter --merge hosts,threads <<< '@1.000;node-4/7;main 1'
}

@test "stackfilter --merge times writes no times" {
    printf '@%s\n' '1795809600.000/60:1,,2;web1;node-4/7;main;f 3' '7.000+0.412/7;node;main 1' '8.000;node;main 4.5' > slices
    prints 'web1;node-4/7;main;f 3
node;main 1
node;main 4.5' stackfilter --merge times slices
    prints 'node;main 3
node;main 1
node;main 4.5' stackfilter --merge processes,hosts,times --drop '^f$' slices
}

# Two stacks of the minutes from 20:00 on, the second line of which was added to itself.
write_series() {
    printf '@%s\n' '1795809600.000/60:3,,2;web1;node-4/7;main;f 5' '1795809660.000/60:1,1;web1;node-4/8;main 4'
}

@test "stackfilter --between takes of a line with a series of times those of the range" {
    write_series > slices
    minutes() { stackfilter -q --between "2026-11-27T20:$1Z..20:$2Z" slices; }
    same "$(< slices)" "$(minutes 00 03)"
    same '@1795809600.000;web1;node-4/7;main;f 3' "$(minutes 00 01)"
    same '@1795809600.000;web1;node-4/7;main;f 3
@1795809660.000;web1;node-4/8;main 2' "$(minutes 00 02)"
    same '@1795809720.000;web1;node-4/7;main;f 2
@1795809660.000/60:1,1;web1;node-4/8;main 4' "$(minutes 01 09)"
    same '' "$(minutes 03 04)"
    answers 0 'node;main;f 2
node;main 2' 'stackfilter: 2026-11-27T20:02:00Z to 2026-11-27T20:03:00Z: 4 counts' \
        stackfilter --between 2026-11-27T20:02Z..20:03Z --merge processes,hosts,times slices
}

@test "each program counts a stack with a series of times as often as its line for each time" {
    write_series > series
    printf '@%s\n' '1795809600.000;web1;node-4/7;main;f 3' '1795809720.000;web1;node-4/7;main;f 2' \
        '1795809660.000;web1;node-4/8;main 2' '1795809720.000;web1;node-4/8;main 2' > lines
    stackexport --to=tsv series | sort > out
    stackexport --to=tsv lines | sort | diff out -
    for file in series lines; do
        flamesvg -q --html $file > $file.html
        stackreport -q $file > $file.table
    done
    same "$("$BATS_TEST_DIRNAME/tool/frametable.py" slices lines.html)" "$("$BATS_TEST_DIRNAME/tool/frametable.py" slices series.html)"
    diff series.table lines.table
    prints 'node-4/7;main;f 5 5
node-4/8;main 4 4' stackdiff lines series
    same "$(sed 's/ 4$/ 8/; s/ 5$/ 10/' series)" "$(cat series series | stackcollapse)"
}

@test "stackfilter says what is wrong with a time or a folder" {
    answers 2 '' "stackfilter: option --between: '14:02': not FROM..TO*" stackfilter --between 14:02
    answers 2 '' "stackfilter: option --between: '14:02Z..14:07': one of the times has a Z*" stackfilter --between 14:02Z..14:07
    answers 2 '' "stackfilter: option --between: '2026-11-27T14:02..2026-11-27T14:02': the time ends before it begins*" \
        stackfilter --between 2026-11-27T14:02..2026-11-27T14:02
    answers 2 '' 'stackfilter: --last and --between: give one of them, once*' stackfilter --last 1h --between 14:02..14:07
    answers 2 '' "stackfilter: option --merge: 'all': not threads, processes, hosts, times*" stackfilter --merge all
    mkdir empty
    answers 1 '' 'stackfilter: empty: is not an archive: no file in it has a name such as *' stackfilter --last 1h empty
    answers 1 '' 'stackfilter: missing: No such file or directory*' stackfilter --last 1h missing
    printf 'node 4/4 1.000000: 1 cycles:\n\t1 main (a)\n\n' > perf.txt
    answers 1 '' 'stackfilter: perf.txt: has no times of the calendar: *' stackfilter --last 1h perf.txt
}

@test "stackreport and stackdiff add the threads of hosts and times up" {
    make_archive web1 web1
    make_archive web2 web2
    try stackreport --by=thread web[12]/2026-11-27T20:0*.folded
    [ "$(grep -c 'node-4/8' <<< "$output")" -eq 1 ]
    [[ $output != *web1* ]]
    same '' "$stderr"
    same 'node-4/7;main 1 1
node-4/8;main 1 1
node-4/9;main 1 1' "$(cat web1/2026-11-27T20:0*.folded > before; cat web2/2026-11-27T20:0*.folded > after; stackdiff before after)"
}

between='--between=2026-11-27T20:00Z..2026-11-27T20:02Z'

@test "flamepipe --between prints the functions of that time, and with -o draws it with a heat map" {
    make_archive web web1
    try flamepipe $between web
    [ "$status" -eq 0 ]
    [[ $output == 'self '*'3 100.00%      3 100.00%  native   main' ]]
    same 'flamepipe: 2026-11-27T20:00:00Z to 2026-11-27T20:02:00Z: 3 counts' "$stderr"
    [ ! -e flame.svg ]
    try flamepipe $between -o out.html web
    [ "$status" -eq 0 ]
    same '' "$output"
    [[ $stderr == *'flamepipe: out.html'*main* ]]
    grep -qF '<title>web: 2026-11-27T20:00:00Z to 2026-11-27T20:02:00Z</title>' out.html
    same 3 "$("$BATS_TEST_DIRNAME/tool/frametable.py" slices out.html | awk '{ n += $NF } END { print n }')"
}

@test "flamepipe draws the folders of several hosts with a frame for each host" {
    make_archive web web1
    make_archive db db1
    try flamepipe -q $between -o out.svg web db
    same '' "$stderr$output"
    [ "$status" -eq 0 ]
    grep -qF '<title>web1 (3 samples, 50.00%)</title>' out.svg
    grep -qF '<title>db1 (3 samples, 50.00%)</title>' out.svg
    [ "$(grep -cF '<title>node (3 samples, 50.00%)</title>' out.svg)" -eq 2 ]
    try flamepipe -q --by-thread $between -o out.svg web
    grep -qF '<title>node-4/8 (1 samples, 33.33%)</title>' out.svg
}

@test "flamepipe --print shows how a part of an archive is taken" {
    prints "stackfilter --merge=processes,hosts,times --between 2026-11-27T20:00Z..2026-11-27T20:02Z 'my web' > out.folded
stackfilter --node --source-maps out.folded | stackreport --digest" flamepipe --print --digest $between 'my web'
}

@test "flamepipe says what is wrong with a time, and that nothing was recorded then" {
    make_archive web web1
    answers 2 '' "flamepipe: option --between: '25:00..26:00': not FROM..TO*" flamepipe --between 25:00..26:00 web
    answers 2 '' 'flamepipe: option --last needs the folders *' flamepipe --last 1h
    answers 2 '' 'flamepipe: option --last draws what is recorded already: *' flamepipe --last 1h --wall web
    answers 2 '' "flamepipe: more than one operand: 'web', 'db'; *" flamepipe web db
    answers 1 '' '*flamepipe: nothing was recorded then' flamepipe --between 2026-11-26T20:00Z..2026-11-26T20:02Z web
}
