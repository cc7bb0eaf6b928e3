#!/usr/bin/env bats
# The input formats of stackcollapse: see tests/data/stackcollapse/README.
load lib

setup() {
    cd "$DATA/stackcollapse" || return 1
}

# Runs all cases of a format: under the script's name the script's answer to the byte; under our own name the right
# one, whether the format is guessed or named.
cases_of() { # FORMAT
    local script format input options golden own n=0
    while read -r script format input options; do
        [ "$format" = "$1" ] || continue
        golden=$format/$input${options// /}.folded
        # shellcheck disable=SC2086 # options are words
        try "$COMPAT/$script" $options "$format/$input"
        same "$(cat "$golden")" "$output"
        n=$((n + 1))
        [ -z "$options" ] || continue
        own=$format/$input.own
        [ -e "$own" ] || own=$golden
        if [ "$format" != recursive ]; then # it is folded text
            try stackcollapse -v "$format/$input"
            [ "$status" -eq 0 ]
            same "$(cat "$own")" "$output"
            [[ $stderr == "stackcollapse: $format/$input: read as $format"* ]]
        fi
        try stackcollapse -q --from="$format" <"$format/$input"
        same "$(cat "$own")" "$output"
        [ -z "$stderr" ]
    done <cases
    [ "$n" -gt 0 ]
}

# With a checkout of the scripts: a thousand changed inputs get the same answer from both.
differential() { # FORMAT
    [ -n "${FLAMEGRAPH_DIR:-}" ] || skip "FLAMEGRAPH_DIR is not set"
    cd "$BATS_TEST_TMPDIR" || return 1
    python3 "$ROOT/tests/differential.py" "$COMPAT" "$FLAMEGRAPH_DIR" "$1" 1000
}

@test "gdb: the script's answer under its name, the right one under ours" {
    cases_of gdb
}

@test "gdb: changed inputs get the script's answer" {
    differential gdb
}

@test "jstack: the script's answer under its name, the right one under ours" {
    cases_of jstack
}

@test "jstack: changed inputs get the script's answer" {
    differential jstack
}

@test "faulthandler: the script's answer under its name, the right one under ours" {
    cases_of faulthandler
}

@test "faulthandler: changed inputs get the script's answer" {
    differential faulthandler
}

@test "elfutils: the script's answer under its name, the right one under ours" {
    cases_of elfutils
}

@test "elfutils: changed inputs get the script's answer" {
    differential elfutils
}

@test "bpftrace: the script's answer under its name, the right one under ours" {
    cases_of bpftrace
}

@test "bpftrace: changed inputs get the script's answer" {
    differential bpftrace
}

@test "dtrace: the script's answer under its name, the right one under ours" {
    cases_of dtrace
}

@test "dtrace: changed inputs get the script's answer" {
    differential dtrace
}

@test "stap: the script's answer under its name, the right one under ours" {
    cases_of stap
}

@test "stap: changed inputs get the script's answer" {
    differential stap
}

@test "go: the script's answer under its name, the right one under ours" {
    cases_of go
}

@test "go: changed inputs get the script's answer" {
    differential go
}

@test "java-exceptions: the script's answer under its name, the right one under ours" {
    cases_of java-exceptions
}

@test "java-exceptions: changed inputs get the script's answer" {
    differential java-exceptions
}

@test "ibmjava: the script's answer under its name, the right one under ours" {
    cases_of ibmjava
}

@test "ibmjava: changed inputs get the script's answer" {
    differential ibmjava
}

@test "recursive: the script's answer under its name, the right one under ours" {
    cases_of recursive
}

@test "recursive: changed inputs get the script's answer" {
    differential recursive
}

@test "wcp: the script's answer under its name, the right one under ours" {
    cases_of wcp
}

@test "wcp: changed inputs get the script's answer" {
    differential wcp
}

@test "aix: the script's answer under its name, the right one under ours" {
    cases_of aix
}

@test "aix: changed inputs get the script's answer" {
    differential aix
}

@test "ljp: the script's answer under its name, the right one under ours" {
    cases_of ljp
}

@test "ljp: changed inputs get the script's answer" {
    differential ljp
}

@test "pmc: the script's answer under its name, the right one under ours" {
    cases_of pmc
}

@test "pmc: changed inputs get the script's answer" {
    differential pmc
}
