# For tests of --off-cpu and --wall, after "load lib": a program that waits, and measures its waits.

# Compiles the programs that the tests record, in the folder of the test file.
build_waits() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits "$ROOT/tests/record/app/waits.c"
    gcc -O1 -fomit-frame-pointer -fno-optimize-sibling-calls -pthread -o stuck "$ROOT/tests/record/app/stuck.c"
}

teardown() {
    [ -z "${running-}" ] || kill "$running"
    [ ! -s pid ] || rm -f "/tmp/perf-$(<pid).map"
}

# Prints the microseconds of the folded stacks that match, or those that the program measured for a
# function.
sum() { # PATTERN < FOLDED
    PATTERN=$1 awk '$0 ~ ENVIRON["PATTERN"] { sum += $NF } END { print sum + 0 }'
}
measured() { # FUNCTION
    awk -v name="$1" '$1 == name { print $2 }' figures
}

# Fails if the two numbers differ by more than this percentage of the second plus 10 ms, and prints
# the difference. The program and the kernel measure the same run, so other work on the machine
# changes both alike.
near() { # NUMBER WANTED PERCENT
    awk -v n="$1" -v wanted="$2" -v percent="$3" 'BEGIN {
        off = n - wanted
        most = wanted * percent / 100 + 10000
        printf "# %d of %d: %+d\n", n, wanted, off
        exit !(off <= most && off >= -most)
    }'
}

# Fails unless the microseconds are at least 98 % of the thread's whole time, and at most the time
# that has passed since its start: before it first runs, and at its end, it may wait for a CPU,
# which it cannot measure.
whole_time() { # MICROSECONDS PASSED
    local wall
    wall=$(awk '/^thread/ { print $3 }' figures)
    echo "# $1 of $wall, at most $2"
    [ "$1" -ge $((wall * 98 / 100)) ] && [ "$1" -le "$2" ]
}

# Runs a command, and writes to the file "passed" how many microseconds it took.
clocked() { # COMMAND...
    local begin=${EPOCHREALTIME/./}
    "$@"
    echo $((${EPOCHREALTIME/./} - begin)) >passed
}
