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
