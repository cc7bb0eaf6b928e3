#!/usr/bin/env bats
# Stacks that tracers aggregate with other keys: DTrace and bpftrace; and profiles of pprof as text.
load lib
load folding

# --- DTrace

# A stack of two frames, as dtrace prints it.
stack() {
    printf '              libc.so.1`__write+0xa\n              app`main+0x9c\n'
}

@test "dtrace: a key after the stack, with its count, is the first frame, and ends that stack only" {
    { printf '\n\n' && stack && printf '  node                                                              7\n\n'
      printf '              Chrome`main+0x14\n  Google Chrome He                                                  2\n\n'
      stack && printf '                3\n\n' && stack && printf '             4242                5\n'
      stack && printf 'a b 1 6\n'; } >in
    folds dtrace $'4242;app`main;libc.so.1`__write 5\nGoogle Chrome He;Chrome`main 2\na b 1;app`main;libc.so.1`__write 6
app`main;libc.so.1`__write 3\nnode;app`main;libc.so.1`__write 7'
}

@test "dtrace: keys before the stack, numbers too, are the first frame" {
    { printf 'CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s\n\n'
      printf '  node                                              \n' && stack && printf '                7\n'
      printf '             4242\n' && stack && printf '                3\n'
      printf '             4242  Google Chrome He                  \n' && stack && printf '                2\n'
      printf '  sh                                                             17\n' && stack && printf '                1\n'; } >in
    folds dtrace $'4242, Google Chrome He;app`main;libc.so.1`__write 2\n4242;app`main;libc.so.1`__write 3
node;app`main;libc.so.1`__write 7\nsh, 17;app`main;libc.so.1`__write 1'
}

@test "dtrace: a number that is a key before the first stack does not make perf's text of it" {
    { printf '             4242\n' && stack && printf '                7\n'; } >in
    folds dtrace '4242;app`main;libc.so.1`__write 7'
}

@test "dtrace: two stacks and a key are one stack" {
    { printf '  node                                              \n              unix`idle+0x1\n              unix`sys+0x2\n\n'
      stack && printf '                7\n\n              unix`idle+0x1\n\n' && stack && printf '  sh                                    4\n'; } >in
    folds dtrace $'node;app`main;libc.so.1`__write;unix`sys;unix`idle 7\nsh;app`main;libc.so.1`__write;unix`idle 4'
}

@test "dtrace: an empty stack is reported, or is its key, and rows of other aggregations are not stacks" {
    { stack && printf '                3\n\n               12\n\n'; } >in
    folds dtrace 'app`main;libc.so.1`__write 3' '1 of 2 samples have no frames and are left out'
    { echo 'CPU     ID                    FUNCTION:NAME' && printf '  sh                                                               9\n  node                                                             8\n\n'
      stack && printf '                3\n'; } >in
    folds dtrace 'app`main;libc.so.1`__write 3'
    { echo 'CPU     ID                    FUNCTION:NAME' && printf '  idle                                              \n                9\n' && printf '  sh        \n' && stack && printf '                3\n'; } >in
    folds dtrace $'idle 9\nsh;app`main;libc.so.1`__write 3'
    { stack && printf '  sh                                                4\n\n  sched                                             9\n'; } >in
    folds dtrace $'sched 9\nsh;app`main;libc.so.1`__write 4'
}

@test "dtrace: frames of a helper that end in a number are frames" {
    { echo 'CPU     ID                    FUNCTION:NAME' && printf '              (anon) as read at net.js position 12\n              << adaptor >>\n' && stack
      printf '              (anon) as start at app.js position 1\n                5\n'; } >in
    folds dtrace '(anon) as start at app.js position 1;app`main;libc.so.1`__write;<< adaptor >>;(anon) as read at net.js position 12 5'
}

# --- bpftrace

@test "bpftrace: a function is one frame whatever its offset, in the modes of bpftrace and perf" {
    printf '%s\n' 'Attaching 1 probe...' '@[' '    moo+5' '    main+24' ']: 3' '@[' '    moo+4' '    main+24' ']: 5' \
        '@[' '        401135 moo+5 (/opt/app)' '        ffffffffb4019501 main+1' ']: 7' \
        '@[' '    moo+5@/src/a.c:12 (/opt/a (b)/app)' '    main+24 (/opt/app)' ']: 1' >in
    folds bpftrace 'main;moo 16'
    try stackcollapse --includeoffset in
    same $'main+1;moo 7\nmain+24;moo 9' "$output"
}

@test "bpftrace: a function without a symbol is called by its file, and names with plus signs, parentheses and blanks stay" {
    printf '%s\n' '@[' '        7f12 0x7f12 (/usr/lib/libx.so)' '        7f13 [unknown] ([unknown])' '        7f14 0x7f14 ([unknown])' \
        '    operator+(a::b, int)+9' '    (anonymous namespace)::f(void (*)(int))+24' '    add two+1' '    0x5541f689' \
        '    operator++' ']: 2' >in
    folds bpftrace 'operator++;0x5541f689;add two;(anonymous namespace)::f(void (*)(int));operator+(a::b, int);[unknown];[unknown];[libx.so] 2'
}

@test "bpftrace: a stack that is a value counts one, below its key" {
    printf '%s\n' 'Attaching 1 probe...' '' '@last[4242, sh]: ' '        moo+5' '        main+24' '' '@last[4243, sh]: ' '        main+24' '' \
        '@one: ' '        main+1' '' '@n[4242]: 5' '@t: 7' '@last[4242, sh]: ' '        moo+1' '        main+24' >in
    folds bpftrace $'4242, sh;main;moo 2\n4243, sh;main 1\nmain 1'
}

@test "bpftrace: avg() counts its value, stats() its total, and histograms how many values they have" {
    printf '%s\n' '@[' '    moo+5' ']: count 5, average 100, total 500' '@[' '    avg+5' ', sh]: 12' \
        '@[' '    hist+5' ', sh]: ' '[1]                    3 |@@@@@@@             |' '[2, 4)                 9 |@@@@@@@@@@@@@@@@@@@@|' \
        '(..., 0)               1 |@                   |' '' '@other[5]: ' '[1]                    3 |@@@@@@@@@@@@|' '' '@[' '    moo+7' ']: 1' >in
    folds bpftrace $'moo 501\nsh;avg 12\nsh;hist 13'
}

@test "bpftrace: a value that is no count is reported, and the next stack is its own" {
    printf '%s\n' '@[' '    moo+5' ']: -3' '@[' '    main+5' ']: (3, 4)' '@[' '    main+7' ', a]: b, c]: 6' >in
    try stackcollapse in
    same 'a]: b, c;main 6' "$output"
    same 'stackcollapse: in:3: a value that is negative, which is no count
stackcollapse: in:6: a value that is no number
stackcollapse: 1 sample, 2 lines skipped (first at line 3)' "$stderr"
    [ "$status" -eq 0 ]
}

# --- go tool pprof -raw

@test "go: the name of a function ends where its path begins, which may hold blanks" {
    printf '%s\n' 'PeriodType: cpu nanoseconds' 'Samples:' 'samples/count' '          3: 1 2 3 4 5 6 7 8 9 ' 'Locations' \
        '     1: 0x1 M=1 main.run C:/Program Files/my app/main.go:34:0 s=30' \
        '     2: 0x2 M=1 main.Map[struct { a int }] C:\Users\A B\main.go:12 s=1' \
        '             main.(*T).outer \\host\a b\main.go:20:0 s=18(main.T.outer)' \
        '     3: 0x3 M=1 main.local my app/main.go:1:0 s=1' \
        '     4: 0x4 M=1 std::map<int, long>::find /usr/include/c++ 12/map:1:0 s=1' \
        '     5: 0x5 M=1 operator new(unsigned long) ../src/new.cc:5:0 s=1' \
        '     6: 0x6 M=1 runtime.goexit :0:0 s=0' '     7: 0x7 M=1 main() app.c:3' '     8: 0x8 M=2 ' '     9: 0x9 main.x d:/a.go:1' \
        'Mappings' >in
    folds go 'main.x;0x8;main();runtime.goexit;operator new(unsigned long);std::map<int, long>::find;main.local;main.(*T).outer;main.Map[struct { a int }];main.run 3'
}

@test "go: a negative count is reported, and the others count" {
    printf '%s\n' 'PeriodType: space bytes' 'Samples:' 'alloc_objects/count alloc_space/bytes' '         -7      -3584: 1 2 ' \
        '          5       -240: 3 2 ' 'Locations' '     1: 0x1 main.free /a/b.go:34 s=0' '     2: 0x2 main.main /a/b.go:10 s=9' \
        '     3: 0x3 main.keep /a/b.go:20 s=9' 'Mappings' >in
    try stackcollapse in
    same 'main.main;main.keep 5' "$output"
    same 'stackcollapse: in:4: a value below 0
stackcollapse: 1 sample, 1 line skipped (first at line 4)' "$stderr"
    [ "$status" -eq 0 ]
    try stackcollapse --strict in
    [ "$status" -eq 1 ]
    sed -i 5d in
    try stackcollapse in
    same '' "$output"
    [ "$status" -eq 1 ]
}
