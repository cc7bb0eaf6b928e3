#!/usr/bin/env bash
# Finds what the tests of make check may not do, so that they end the same way on any machine: wait, look at a clock, try
# again, or record. Such tests belong in tests/live.
#
# usage: deterministic.sh [FOLDER]     (of the project; prints each such line)
set -eu
cd "${1:-.}"
find tests tests/replay -maxdepth 1 -name '*.bats' -print0 2>/dev/null | LC_ALL=C sort -z | xargs -0 awk '
    /^[ \t]*#/ { next }
    {
        line = $0
        gsub(/\047[^\047]*\047/, "\047\047", line) # what is quoted is not run
    }
    line ~ /(^|[;&|({!`]|try|do|then|else|exec)[ \t]*(sleep|soon|timeout|date|needs_recorder|needs_recording) +[^ =]/ ||
    line ~ /(^[ \t]|[;&|]|try|do|then|else)[ \t]*(perf record|stackrecord -)/ ||
    line ~ /[$][{]?(SECONDS|EPOCHSECONDS|EPOCHREALTIME)|BATS_TEST_RETRIES/ {
        print FILENAME ":" FNR ": depends on the machine and its clock: " $0
        status = 1
    }
    END { exit status }'
