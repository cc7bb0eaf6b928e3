#!/usr/bin/env bats
# The behaviour of the programs when system calls fail in the middle of their work: see
# tests/robust/fault/faults.py. To fail each call of each case in turn, which takes minutes: ALL=1
# bats tests/live/faults.bats
load ../lib

READERS='text formats packed pictures compare export data folders'

setup_file() {
    export BIN LIBRARY=$BIN/../tool/fault.so PYTHONDONTWRITEBYTECODE=1
    [ -e "$LIBRARY" ] || make -s -C "$ROOT" BUILD="$(realpath "$BIN/..")" "$(realpath "$BIN/..")/tool/fault.so"
    stackrecord -q -- true > /dev/null 2> "$BATS_FILE_TMPDIR/why" || :
}

setup() {
    [ -z "${SAN-}" ] || skip "sanitizers have calls of their own"
    needs_recording "$BATS_FILE_TMPDIR/why"
}

injects() { # MODE GROUP...
    try "$ROOT/tests/robust/fault/cases.py" "$@"
    printf '%s\n' "$output" "$stderr"
    [ "$status" -eq 0 ]
    [[ $output == *' runs, 0 went wrong' ]]
}

@test "a call that fails is reported, or the output is whole, and no file is left half written" {
    # shellcheck disable=SC2086 # several groups
    FIRST=2 SPREAD=2 injects fail $READERS
}

@test "a call that fails while stackrecord records is reported, or the recording is whole" {
    FIRST=1 SPREAD=1 injects fail record
}

@test "short transfers, interrupted calls and pipes that would block change nothing" {
    # shellcheck disable=SC2086
    injects transparent $READERS short
}

@test "a signal ends a program at once, and leaves no temporary file" {
    # shellcheck disable=SC2086
    FIRST=1 SPREAD=1 injects signal $READERS endless
}

@test "a program of flamepipe that fails, or is killed in the middle, leaves the picture that was there" {
    cd "$BATS_TEST_TMPDIR"
    for program in perf-script stackfilter stackcollapse flamesvg; do
        for end in 'exit 1' 'head -c 300; kill -9 $$'; do
            rm -rf bin tmp
            cp -r "$BIN" bin
            printf '#!/bin/sh\n%s\n' "$end" > "bin/$program"
            mkdir tmp
            echo old > out.svg
            # With --by-process, all four programs run.
            TMPDIR=$PWD/tmp try bin/flamepipe -q --by-process -o out.svg -- sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done'
            [ "$status" -ne 0 ]
            [ -n "$stderr" ]
            [ "$(cat out.svg)" = old ]
            [ -z "$(ls -A tmp)" ]
        done
    done
}

@test "help and versions that cannot be written are an error" {
    for program in stackrecord perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackfiles \
        flamepipe jmaps nodeprofile; do
        for option in --help --version; do
            try sh -c "$program $option > /dev/full"
            [ "$status" -eq 1 ]
            [[ $stderr = "$program: standard output: No space left on device" ||
                $stderr = 'flamepipe: standard output: not written' ]]
        done
    done
    try sh -c 'stackrecord --list > /dev/full'
    [ "$status" -eq 1 ]
    [ "$stderr" = 'stackrecord: standard output: No space left on device' ]
}
