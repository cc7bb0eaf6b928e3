#!/usr/bin/env bats
# Stacks that tracers aggregate with other keys: DTrace and bpftrace; and profiles of pprof as text.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Folds the file "in", which must be guessed as the format.
folds() { # FORMAT OUTPUT NOTE
    try stackcollapse -v in
    same "$2" "$output"
    same "stackcollapse: in: read as $1${3:+$'\n'stackcollapse: $3}" "$stderr"
    [ "$status" -eq 0 ]
}

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
