#!/usr/bin/env bats
# Texts and JSON that few programs print, and that people try to draw all the same: each is read, or refused with what to do.
load lib
load folding

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
    prints 'main;foo 5
main 3' stackfilter --drop=bar cpu
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
    printf '%s\n' '    read' '    -                app (1)' '    main' '    -                app (1)' '        2' '    poll' > partial
    gives partial 'app 2' "stackcollapse: partial:3: not the count of the stack before it
stackcollapse: partial:6: the stack before this line has no count
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

@test "a profile of Firefox's former profiler, and stacks of Uber's JVM profiler, are refused with what to do" {
    echo '{"format":"profileJSONWithSymbolicationTable,1","meta":{"stackwalk":1,"interval":1,"version":2},
        "profileJSON":[{"frames":[1,0],"extraInfo":{"time":1}}],"symbolicationTable":{"0":"main (in app)","1":"(root)"}}' >old.json
    refuses old.json "stackcollapse: old.json: a profile of Cleopatra, Firefox's former profiler: open it at https://profiler.firefox.com, and fold what is saved there"
    printf '%s\n' '{"stacktrace":["a.B.c(B.java:7)","java.lang.Thread.run(Thread.java:748)"],"endEpoch":1530,"count":2,"name":"Stacktrace"}' \
        '{"stacktrace":[],"endEpoch":1530,"count":5,"name":"Stacktrace"}' >uber.json
    refuses uber.json "stackcollapse: uber.json: stacks of Uber's JVM profiler: fold them with its stackcollapse.py"
}

@test "the tree of d3-flame-graph is folded: a frame counts its value without those of the frames that it calls" {
    echo '{"name":"root","value":10,"children":[{"name":"main","value":9,"children":[
        {"children":[{"value":2,"name":"a;b","children":[]}],"name":"work","value":6},{"value":1}]},{"name":"idle","value":1}]}' >tree
    gives tree 'root;idle 1
root;main 2
root;main;[unknown] 1
root;main;work 4
root;main;work;a:b 2'
    for sorted in 'children|name|value' 'value|children|name'; do
        python3 -c 'import json, sys
def order(node):
    keys = sys.argv[1].split("|")
    return {k: [order(c) for c in node[k]] if k == "children" else node[k] for k in keys if k in node}
json.dump(order(json.load(sys.stdin)), sys.stdout, indent=2)' "$sorted" <tree >other
        same "$output" "$(stackcollapse other)"
    done
}

@test "values of d3-flame-graph that do not add up, or are no numbers, are reported" {
    echo '{"name":"r","value":1,"children":[{"name":"a","value":2},{"name":"b","value":"x","children":3}]}' >odd
    gives odd 'r;a 2' 'stackcollapse: odd:1: a value that is not a whole number from 0 on
stackcollapse: 1 of the frames count less than the frames that they call
stackcollapse: 1 sample, 1 line skipped (first at line 1)'
    printf '{"name":"r","value":3,"children":[{"name":"a","value":2' > short
    answers 1 $'r 1\nr;a 2' 'stackcollapse: short:1: *' stackcollapse short
}

@test "a blank after each semicolon, as tracing-flame writes it, makes no other text of folded stacks" {
    printf '%s\n' 'ThreadId(1)-main 9' 'ThreadId(1)-main; app::run 12' 'ThreadId(1)-main; app::run; app::read:src/main.rs:7 3' >trace
    gives trace "$(cat trace)"
    printf '%s\n' 'they waited; all of them, for 12' 'for (i = 0; i < n; i++) 3' >prose
    answers 1 '' '*prose: no line could be used; this looks like text with numbers at the ends of its lines *' stackcollapse prose
}

@test "reports of pprof that begin with what was filtered, or with the program, are named" {
    printf '%s\n' 'Active filters:' '   focus=read' 'Showing nodes accounting for 1.11s, 99.11% of 1.12s total' \
        '      flat  flat%   sum%        cum   cum%' '     1.10s 98.21% 98.21%      1.10s 98.21%  app.read' >top
    printf '%s\n' 'Build ID: 12ab' 'Type: inuse_space' '-----------+-------------------------------------------------------' \
        '     key1:  tag' '       1kB   app.read' '             main.main' >traces
    for report in top traces; do
        refuses "$report" "stackcollapse: $report: a report of pprof: give the profile that it was made from, or what go tool pprof -raw prints"
    done
}

# --- traces of exceptions of Java that share frames

# A trace of three frames; one that is suppressed in it and has a cause; and its cause, which has a cause. WORDS follow
# each number of frames that are shared.
trace() { # WORDS
    printf '2026-01-05 ERROR request failed\nshop.Failed: cannot sell\n  two carts\n'
    printf '\tat shop.Shop.sell(Shop.java:31)\n\tat shop.Server.serve(Server.java:88)\n\tat shop.Main.main(Main.java:3)\n'
    printf '\tSuppressed: shop.Open: still open\n\t\tat shop.Stream.close(Stream.java:20)\n\t\t... 2 %s\n' "$1"
    printf '\tCaused by: shop.Busy: busy\n\t\tat shop.Lock.take(Lock.java:7)\n\t\t... 3 %s\n' "$1"
    printf '\tSuppressed: shop.Open: another\n\t\tat shop.File.close(File.java:20)\n\t\t... 1 %s\n' "$1"
    printf 'Caused by: shop.Closed: closed\n\tat shop.Stream.read(Stream.java:12)\n\tat shop.Shop.parse(Shop.java:52)\n\t... 2 %s\n' "$1"
    printf 'Caused by: shop.Gone: gone\n\tat shop.Socket.read(Socket.java:9)\n\t... 4 %s\n' "$1"
}

traced='shop.Main.main;shop.File.close 1
shop.Main.main;shop.Server.serve;shop.Shop.parse;shop.Stream.read 1
shop.Main.main;shop.Server.serve;shop.Shop.parse;shop.Stream.read;shop.Socket.read 1
shop.Main.main;shop.Server.serve;shop.Shop.sell 1
shop.Main.main;shop.Server.serve;shop.Stream.close 1
shop.Main.main;shop.Server.serve;shop.Stream.close;shop.Lock.take 1'

@test "a cause and what is suppressed get the frames of the exception that they belong to, in whatever words these are omitted" {
    local words
    for words in more 'common frames omitted' 'frames in common' weitere; do
        trace "$words" >in
        folds java-exceptions "$traced"
    done
    { trace more && trace more; } >in
    folds java-exceptions "${traced// 1/ 2}"
    trace more | sed 's/)$/) ~[shop.jar:1.2]/' >in
    folds java-exceptions "$traced"
    trace more | sed 's/\t/    /g' >in
    folds java-exceptions "$traced"
}
