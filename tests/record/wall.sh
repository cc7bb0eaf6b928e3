#!/usr/bin/env bash
# Records tests/data/wall again: tests/record/wall.sh [-o FOLDER]
# Needs root, unshare(1), and the programs in build/bin (or BIN). A shell starts two processes that sleep and waits for
# them, while a process that never runs waits all the time. It is recorded with --wall, once with frame pointers and once
# with copies of the stacks (--keep-stacks). Besides, a program with long turns of its event loop is recorded with --turns.
#
# The text beside the recordings is what stackrecord printed, without the names of functions: look at what changed before
# it is committed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
folder=$here/../data/wall
bin=${BIN:-$(realpath "$here/../../build/bin")}
[ "${1-}" != -o ] || folder=$2
mkdir -p "$folder"
folder=$(realpath "$folder")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir empty

record() { # NAME OPTION...
    # Nothing of this machine's folders is to be in the copies of stacks, or in the command line.
    (cd / && env -i PATH=/usr/bin:/bin unshare --uts --pid --fork --mount-proc bash -c '
        hostname host
        sleep 100 & all=$!
        sh -c "sleep 0.3; sleep 0.03 & sleep 0.02; wait" & some=$!
        (exec -a stackrecord /proc/self/fd/9 -q --wall -o - -p "$some,$all" --duration 0.6 "$@")
        kill "$all"' - "${@:2}") >data 9<"$bin/stackrecord"
    sed -i "s|$(uname -r)|$(uname -r | sed 's/./6/g')|g" data
    perf-script -q --wall -F +pid --symfs empty --kallsyms /dev/null data >"$folder/$1.txt"
    gzip -9nc data >"$folder/$1.data.gz"
}
# A program whose event loop has long turns. It needs tracefs.
record_turns() {
    gcc -O1 -fno-omit-frame-pointer -o turns "$here/app/turns.c"
    (cd / && env -i PATH=/usr/bin:/bin unshare --uts bash -c '
        hostname host
        exec -a stackrecord /proc/self/fd/9 -q --wall --turns --call-graph fp -o - -- /proc/self/fd/8 1 2>&1 >&7
        ' -) 7>data 8<turns 9<"$bin/stackrecord"
    sed -i "s|$(uname -r)|$(uname -r | sed 's/./6/g')|g" data
    sed -i "s|$PWD|$(sed 's/[^/]/x/g' <<<"$PWD")|g" data
    perf-script -q --wall --turns -F +pid --symfs empty --kallsyms /dev/null data >"$folder/turns.txt"
    gzip -9nc data >"$folder/turns.data.gz"
}

PATH=$bin:$PATH
record_turns
record pointers --call-graph fp
record copies --call-graph dwarf,512 --keep-stacks
