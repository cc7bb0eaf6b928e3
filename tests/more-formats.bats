#!/usr/bin/env bats
# Texts and JSON that few programs print, and that people try to draw all the same: each is read, or refused with what to do.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# FILE is folded into these stacks, and these messages are printed.
gives() { # FILE STACKS [MESSAGES]
    try stackcollapse "$1"
    same "$2" "$output"
    same "${3-}" "$stderr"
    [ "$status" -eq 0 ]
}

# FILE is refused with these messages.
refuses() { # FILE MESSAGES
    try stackcollapse "$1"
    same '' "$output"
    same "$2" "$stderr"
    [ "$status" -eq 1 ]
}

@test "go tool pprof -raw: samples without locations are samples without frames" {
    printf '%s\n' 'PeriodType: space bytes' 'Samples:' 'objects/count space/bytes' \
        '  5  500: 1 ' '  7  700: ' '    bytes:[288]' '  2  200:' '  1  100:   ' ' -1 -100: ' '  3: ' 'Locations' \
        '     1: 0x48f1e3 M=1 main.keep /home/user/app/main.go:12:0 s=10' 'Mappings' > raw
    gives raw 'main.keep 5' "stackcollapse: raw:9: a value below 0
stackcollapse: 4 of 5 samples have no frames and are left out
stackcollapse: 5 samples, 1 line skipped (first at line 9)"
}

@test "folded stacks below the names of their values, as pprofutils prints them, have the first value" {
    printf '%s\n' 'samples/count cpu/nanoseconds' 'main;foo 5 50000000' 'main;foo;bar 2 3 30000000' >cpu
    gives cpu $'main;foo 5\nmain;foo;bar 2 3'
    printf '%s\n' 'alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes' 'main;foo 5 500 1 100' >heap
    gives heap 'main;foo 5'
    printf 'samples/count\r\nmain;foo 5\r\n' >one
    gives one 'main;foo 5'
    printf '%s\n' 'samples/count cpu/nanoseconds' 'main;foo 5 50000000' 'main 7' >few
    gives few 'main;foo 5' 'stackcollapse: few:3: a folded stack with fewer counts than the first line names
stackcollapse: 1 folded line, 1 line skipped (first at line 3)'
}

@test "the other programs read folded stacks below the names of their values the same way" {
    printf '%s\n' 'samples/count cpu/nanoseconds' 'main;foo 5 50000000' 'main;bar 3 30000000' >cpu
    try stackfilter --drop=bar cpu
    same 'main;foo 5
main 3' "$output"
    try stackreport --no-comm cpu
    [[ $output == *'   5  62.50%      5  62.50%  native   foo'* ]]
    try flamesvg cpu
    [[ $output == *'<title>foo (5 samples, 62.50%)</title>'* ]]
    try "$COMPAT/flamegraph.pl" cpu
    [[ $output == *'<title>foo (50,000,000 samples, 62.50%; +62.50%)</title>'* ]]
}

@test "what bcc's profile prints without -f is folded as with -f" {
    printf '%s\n' 'Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.' '^C' \
        '    tcp_sendmsg' '    entry_SYSCALL_64' '    --' '    write' '    app::run(int, char)' '    -                net app (58804)' '        12' '' \
        '    [Missed User Stack]' '    -                (sd-pam) (7)' '        1' '' \
        '    -                swapper/0 (0)' '        3' '' 'WARNING: 1 stack traces could not be displayed.' >profile
    gives profile '(sd-pam);[Missed User Stack] 1
net app;app::run(int, char);write;-;entry_SYSCALL_64;tcp_sendmsg 12
swapper/0 3'
    sed 1,2d profile >headless
    same "$output" "$(stackcollapse headless)"
    sed 's/^Sampling.*/Tracing off-CPU time (us) of all threads by user stack... Hit Ctrl-C to end./' profile >offcputime
    same "$output" "$(stackcollapse offcputime)"
}

@test "a stack of bcc's profile without its count, or without its command, is reported" {
    printf '%s\n' '    a' '    -                app (1)' '    b' '    -                app (1)' '        2' '    c' >cut
    gives cut 'app 2' "stackcollapse: cut:3: not the count of the stack before it
stackcollapse: cut:6: the stack before this line has no count
stackcollapse: 1 sample, 2 lines skipped (first at line 3)"
}

@test "the text of async-profiler is folded: each stack counts its samples, and those not printed are reported" {
    printf '%s\n' '--- Execution profile ---' 'Total samples       : 20' 'unknown_Java        : 2 (10.00%)' '' \
        '--- 7497 ns (6.79%), 7 samples' '  [ 0] app.Parser.read' '  [ 1] java.lang.Thread.run' '' \
        '--- 12 bytes (1.00%), 1 sample' '  [ 0] std::map<int, char>::at(int)' '  [10] main' '' \
        '          ns  percent  samples  top' '  ----------  -------  -------  ---' '  1375787484   17.54%      130  app.Parser.read' >text
    gives text $'java.lang.Thread.run;app.Parser.read 7\nmain;std::map<int, char>::at(int) 1' \
        'stackcollapse: text: samples whose stacks async-profiler did not print (-o collapsed prints all), left out: 12'
    sed '/^---.*,/,/^$/d' text >flat
    refuses flat 'stackcollapse: flat: a table of async-profiler without stacks: print them with -o collapsed'
    sed -n '5,10{/^$/d;p}' text >dense
    gives dense $'java.lang.Thread.run;app.Parser.read 7\nstd::map<int, char>::at(int) 1'
}
