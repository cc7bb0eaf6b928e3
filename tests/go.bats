#!/usr/bin/env bats
# Programs of Go: names and callers by the table of functions that each has.

load lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    export HOME=$PWD
    mkdir -p fs/tmp/goroutines
    gunzip -c "$DATA/goroutines.data.gz" > go.data
    gunzip -c "$DATA/goroutines.elf.gz" > fs/tmp/goroutines/goroutines
}

# How often each function is the outermost.
outermost() { # FILE
    awk -v RS= -F '\n' '{ split($NF, frame, " "); sub(/\+0x.*/, "", frame[2]); print frame[2] }' "$1" | sort | uniq -c | tr -s ' '
}

@test "stacks of a stripped Go program reach goexit, or where a thread's own stack begins, and all frames have names" {
    answers 0 '*' '' perf-script --symfs fs go.data
    printf '%s\n' "$output" > out
    same $' 48 runtime.goexit\n 1 runtime.mcall\n 4 runtime.systemstack' "$(outermost out)"
    [[ $output != *'[unknown]'* ]]
    prints '*goroutines;runtime.goexit;runtime.gcenable.func1;runtime.bgsweep;runtime.sweepone 1*' stackcollapse out
    [[ $output == *'goroutines;runtime.goexit;main.main.func1;main.produce;main.tree;main.(*node).insert;main.(*node).insert 3'* ]]
    [[ $output == *'goroutines;runtime.mcall;runtime.park_m;runtime.schedule;runtime.findRunnable;runtime.stealWork;runtime.runqsteal;runtime.runqgrab 1'* ]]
    prints '*             0  stacks that do not reach a root*' perf-script --check --symfs fs go.data
    [[ $output == *'            53  100.0 %  reach the root'* ]]
    [[ $output != *advice* ]]
}

@test "perf does not know Go's table: with --as-perf a stripped program has no names" {
    answers 0 '* [unknown] (/tmp/goroutines/goroutines)*' '*' perf-script --as-perf --symfs fs go.data
    [[ $output != *runtime.* ]]
}

@test "--check counts stacks that end in [lost] or [cut] as those that do not reach a root" {
    printf 'a 1/1 1.%s:     1 c:\n\t1 f (/app)\n\t0 [%s] ([unknown])\n\n' 1 lost 2 lost 3 cut > in
    printf 'a 1/1 1.4: 1 c:\n\t1 f (/app)\n\t2 _start (/app)\n\n' >> in
    prints '*             3  stacks that do not reach a root*' perf-script --check in
    [[ $output == *'             1   25.0 %  reach the root'* ]]
    prints '*"broken_stacks":3,*' perf-script --check --stats=json in
}

@test "--check: what is lost in a Go program is code of C, for which Go's linker has an option; what is cut is on another stack" {
    printf 'a 1/1 1.%s: 1 c:\n\t1 %s (/app)\n\t0 [lost] ([unknown])\n\n' 1 x_cgo_init 2 runtime.futex > in
    prints '*2 of 2 stacks are lost, most often in /app: it is a Go program, in which that is code of C or of assembly: link it with -ldflags=-linkmode=external*' \
        perf-script --check in
    [[ $output != *-fno-omit-frame-pointer* ]]
    sed -i 's/lost/cut/' in
    prints "*2 of 2 stacks are cut, since the copy of the stack was too short, most often in /app: record a larger one *; or, since parts of Go's runtime run on other stacks, which are not copied, record by frame pointers: stackrecord or perf record, with --call-graph fp*" \
        perf-script --check in
}

