# System calls, as stackrecord --syscalls prints them: who counts, lists and draws them. What is made of which records:
# tests/unit/syscalls.c. Recording them: tests/live/stackrecord-syscalls.bats.
load lib

# A call of a thread of the process 7, with its caller, main if none is given.
call() { # TID TIME NANOSECONDS TEXT [CALLER]
    printf 'app 7/%s [000] %s: %s syscall: %s\n' "${@:1:4}"
    printf '\t0 [syscall: %s] ([unknown])\n\t20 %s+0x1 (/app)\n\t10 _start+0x1 (/app)\n\n' "${4%%(*}" "${5:-main}"
}

recording() {
    call 7 100.000010 5000 'read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096) = 512'
    call 8 100.000020 15000 'futex(uaddr: 0x1000) = -EAGAIN' work
    call 7 100.001010 1000500 'read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096) = -EINTR'
    call 7 100.001020 1000 'close(fd: 3) = 0' finish
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    recording > in
}

@test "stackreport --syscalls lists for each thread the calls, errors and times of each call, the longest first" {
    answers 0 'app/7: 3 calls, 1 error, 1.006 ms, 98.5 %

       calls    errors      total ms    average ms    largest ms   share  call
           2         1         1.006      0.502750         1.000  98.4 %  read
           1         0         0.001      0.001000         0.001   0.1 %  close

app/7/8: 1 call, 1 error, 0.015 ms, 1.5 %

       calls    errors      total ms    average ms    largest ms   share  call
           1         1         0.015      0.015000         0.015   1.5 %  futex' '' stackreport --syscalls in
}

@test "stackreport --syscalls --top limits the rows of each thread; of other samples there is nothing to list" {
    try stackreport --syscalls --top 1 in
    [ "$status" -eq 0 ]
    same 2 "$(grep -c ' %  ' <<< "$output")"
    answers 1 '' '*no samples of the event syscall*stackrecord --syscalls*' stackreport --syscalls <<< 'app 7 1.0: 1 cycles:'
    answers 1 '' '*folded stacks have no system calls*' stackreport --syscalls <<< 'app;main;[syscall: read] 5'
    answers 1 '' '*1 samples of system calls lack*' stackreport --syscalls <<< 'app 7/7 1.0: 5 syscall: nonsense'
    answers 2 '' '*option --syscalls: only with --top, --strict and --quiet*' stackreport --syscalls --flame
}

@test "perf-script --trace prints a line for each call, with its beginning after the first one's and its duration" {
    answers 0 '     0.000 ( 0.005 ms): app/7 read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096)                          = 512
     0.000 ( 0.015 ms): app/8 futex(uaddr: 0x1000)                                                   = -EAGAIN
     0.004 ( 1.000 ms): app/7 read(fd: 3, buf: 0x7ffd7ad1c010, count: 4096)                          = -EINTR
     1.014 ( 0.001 ms): app/7 close(fd: 3)                                                           = 0' '' perf-script --trace in
    answers 0 '*app/8 futex*' '' perf-script --trace --tid 8 in
}

@test "perf-script --trace counts what is no call, and prints no comments; it is for no other output" {
    { echo '# comment'; echo 'app 7/7 1.0: 1 cycles:'; call 7 100.000010 5000 'close(fd: 3) = 0'; } > mixed
    try perf-script --trace mixed
    [ "$status" -eq 0 ]
    same 1 "$(wc -l <<< "$output")"
    like '*--trace leaves 1 samples out*' "$stderr"
    answers 2 '' '*--trace prints lines, not samples*' perf-script --trace --folded in
    answers 2 '' '*--syscalls does not go with --wall and --off-cpu*' perf-script --syscalls --wall in
    answers 1 '' '*is not perf.data, which --syscalls reads*' perf-script --syscalls in
}

@test "stackcollapse adds up the nanoseconds of calls, and with --weight=samples the calls; the leaf is of the kernel" {
    prints $'app;_start;finish;[syscall: close] 1000\napp;_start;main;[syscall: read] 1005500\napp;_start;work;[syscall: futex] 15000' stackcollapse in
    prints $'app;_start;finish;[syscall: close] 1\napp;_start;main;[syscall: read] 2\napp;_start;work;[syscall: futex] 1' stackcollapse --weight=samples in
    like '*kernel*' "$(stackcollapse in | stackreport --by=kind)"
    same "$(stackcollapse in)" "$(stackfilter --node -q in | stackcollapse)"
}

@test "stackrecord --syscalls records calls alone, by names that are known" {
    answers 2 '' '*--syscalls records every call*' stackrecord --syscalls -e cycles -a
    answers 2 '' '*--syscalls records every call*' stackrecord --syscalls --wall -a
    answers 2 '' '*--strings goes with --syscalls*' stackrecord --strings -a
    answers 2 '' "*--syscalls has the user's part of stacks*" stackrecord --syscalls --kernel -a
    answers 2 '' "*option --syscalls: no system call 'reed'*" stackrecord --syscalls=read,reed -a
}

@test "perf-script --syscalls makes calls of a recording of perf, without the names of arguments" {
    gunzip -c "$DATA/syscalls.data.gz" > data
    answers 0 '     0.000 ( 0.001 ms): calls/21399 getppid(0x7f4ace14ffb0, 0x0, 0x412646, 0x0, 0x7ffd97d7a837, 0x7f4ace14f250) = 21381
     0.003 ( 0.001 ms): calls/21399 read(0x3e8, 0x7f4ace14f22f, 0x1, 0x0, 0x0, 0x7f4ace14f250)             = -EBADF*' \
        '' perf-script --syscalls=getppid,read --trace data
    same 6 "$(wc -l <<< "$output")"
    try perf-script --syscalls data
    same 0 "$status"
    same 32 "$(grep -c ' syscall: ' <<< "$output")"
    answers 1 '' '*does not have every system call*' perf-script --syscalls "$DATA/two-events.data"
}
