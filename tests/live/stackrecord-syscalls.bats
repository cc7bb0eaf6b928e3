#!/usr/bin/env bats
# stackrecord --syscalls: a program that makes known calls. tests/unit/syscalls.c tests which
# records lead to which output.
load ../lib

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o calls "$ROOT/tests/record/app/calls.c"
    stackrecord --syscalls -o calls.data --text calls.perf -- ./calls 4 2000 2>said || true
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    [ "$(id -u)" -eq 0 ] || skip "only root may read the numbers of tracepoints"
    [ -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/id ] || skip "tracefs is not mounted"
    needs_recorder
    cp "$BATS_FILE_TMPDIR"/{calls,said,calls.data,calls.perf} .
}

@test "each call of four threads is a sample with its arguments, its result and its callers, or is said to be missing" {
    if [[ $(<said) != *'records were lost'* ]]; then
        same 8000 "$(grep -c ' syscall: getppid() = [0-9]' calls.perf)"
        same 8000 "$(grep -c ' syscall: read(fd: 1000, buf: 0x[0-9a-f]*, count: 1) = -EBADF' calls.perf)"
    fi
    stackcollapse -q --weight=samples calls.perf >folded
    [ "$(grep -c ';work;ask;.*\[syscall: getppid\] ' folded)" -ge 1 ]
    [ "$(grep -c ';work;fail;.*\[syscall: read\] ' folded)" -ge 1 ]
    stackreport --syscalls calls.perf >table
    [ "$(grep -c ' 2,000 .* getppid$' table)" -eq "$(grep -c ' 2,000 * 2,000 .* read$' table)" ]
}

@test "perf-script --syscalls prints the same text of the recording; --trace prints a line for each" {
    perf-script -q -F +pid --syscalls calls.data | cmp - calls.perf
    same "$(grep -c ' syscall: ' calls.perf)" "$(perf-script -q --syscalls --trace calls.data | wc -l)"
    same "$(grep -c ' syscall: getppid' calls.perf)" "$(perf-script -q --syscalls=getppid calls.data | grep -c ' syscall: ')"
}

@test "what is recorded can be piped into lines as of perf trace, and into a table as of perf trace -s" {
    stackrecord -q --syscalls=getppid --call-graph none -- ./calls 1 10 | perf-script --trace >lines
    same 10 "$(grep -c '^ *[0-9]*[.][0-9]* ( *[0-9]*[.][0-9]* ms): calls/[0-9]* getppid() *= [0-9]*$' lines)"
    stackrecord -q --syscalls=read --call-graph none -- ./calls 1 10 | stackreport --syscalls >table
    same 1 "$(grep -c '^calls/[0-9]*/[0-9]*: 10 calls, 10 errors, ' table)"
}

@test "--syscalls=NAME records these calls alone; --folded adds up their nanoseconds" {
    try stackrecord --syscalls=getppid --folded --call-graph none -- ./calls 1 100
    [ "$status" -eq 0 ]
    like 'calls;[syscall: getppid] *' "$output"
    same 1 "$(wc -l <<<"$output")"
}

@test "a descriptor is printed with its path, also by the call that closes it; of a recorded file too" {
    echo text >'a (b) = 1'
    mkfifo silent
    # The shell waits before it reads, until the descriptor was looked up.
    # shellcheck disable=SC2016 # for the shell
    try stackrecord -q --syscalls=read,close --call-graph none -o paths.data --text paths.perf -- bash -c \
        'exec 7<"$1"; read -r -t 0.5 <>silent; read -r -u 7; exec 7<&-' - 'a (b) = 1'
    same 0 "$status"
    [ "$(grep -c "syscall: read(fd: 7<$PWD/a (b) = 1>, buf: 0x[0-9a-f]*, count: [0-9]*) = 5$" paths.perf)" -eq 1 ]
    [ "$(grep -c "syscall: close(fd: 7<$PWD/a (b) = 1>) = 0$" paths.perf)" -eq 1 ]
    perf-script -q -F +pid --syscalls=read,close paths.data | cmp - paths.perf
    perf-script --trace paths.perf | grep -q "close(fd: 7<$PWD/a (b) = 1>) *= 0$"
}

@test "--strings prints the paths that calls get, cut after 256 bytes; without it their addresses are printed" {
    local long
    long=$(printf '%0300d' 0)
    mkfifo silent
    # The paths stay where they are, in the arguments of cat, which waits for the last file.
    # shellcheck disable=SC2016 # for the shell
    try stackrecord --syscalls=openat --strings --call-graph none -- \
        sh -c '(sleep 0.5; : >silent) & exec cat said "$1" silent' - "/$long"
    same 1 "$status"
    like '*filename: "said", flags: *' "$output"
    like "*filename: \"/${long:0:255}\"…, flags: *= -ENAMETOOLONG*" "$output"
    try stackrecord -q --syscalls=openat --call-graph none -- cat said
    like '*filename: 0x*' "$output"
    [[ $output != *'"said"'* ]]
}
