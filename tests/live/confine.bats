# Programs that only filter give up the rights that they do not need: common/base/confine.h.
load ../lib

# Prints the kernel's view of the program's rights while it waits for input: "NoNewPrivs 1 Seccomp
# 2". Mode 2 is a filter (proc_pid_status(5)).
rights() { # PROGRAM [OPTION ...]
    mkfifo input
    "$@" < input > /dev/null 2> said &
    local pid=$!
    exec 7> input
    soon grep -q '^Seccomp:.*2' "/proc/$pid/status"
    awk '/^(NoNewPrivs|Seccomp):/ { printf "%s%s %s", sep, substr($1, 1, length($1) - 1), $2; sep = " " }' \
        "/proc/$pid/status"
    exec 7>&-
    wait "$pid" || true
    rm input
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    grep -q '^Seccomp:' /proc/self/status || skip 'this kernel has no seccomp'
}

@test "each program that only filters is confined before it reads its input" {
    local program
    for program in perf-script stackfilter stackcollapse flamesvg stackreport "stackdiff $DATA/../lib.bash"; do
        echo "$program"
        # shellcheck disable=SC2086 # a program and its operand
        same 'NoNewPrivs 1 Seccomp 2' "$(rights $program -)"
    done
}

@test "under the Perl scripts' names they are confined as well" {
    local program
    for program in stackcollapse-perf.pl flamegraph.pl stackcollapse-go.pl; do
        echo "$program"
        same 'NoNewPrivs 1 Seccomp 2' "$(rights "$COMPAT/$program")"
    done
    same 'NoNewPrivs 1 Seccomp 2' "$(rights "$COMPAT/range-perf.pl" 1 2)"
}

@test "what unpacks compressed input is confined, and can still do its work" {
    mkdir bin
    cat > bin/gzip << 'END'
#!/bin/sh
grep ^Seccomp: /proc/self/status >&8
echo 2> /dev/null > made || echo 'not made' >&8
exec "$GZIP_TOOL" "$@"
END
    chmod +x bin/gzip
    printf 'a;b 1\n' | gzip > in.gz
    exec 8> found
    GZIP_TOOL=$(command -v gzip) PATH=$PWD/bin:$PATH try stackcollapse in.gz
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 'a;b 1' "$output"
    same $'Seccomp:\t2\nnot made' "$(cat found)"
    [ ! -e made ]
}
