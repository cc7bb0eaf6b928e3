#!/bin/bash
# Records the perf.data files of tests/data again: tests/record/perfdata.sh [-o FOLDER] [NAME ...]
# Needs perf 6 with the right to record tracepoints (root). tests/data/README describes each recording.
set -euo pipefail
export LC_ALL=C

. "$(dirname "$0")/nameless.bash"
folder=$(cd "$(dirname "$0")/../data" && pwd)
if [ "${1-}" = -o ]; then
    folder=$(realpath "$2")
    shift 2
fi
# The commands of perf are part of a recording, so they name no folder of the machine.
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

# Saves a recording without the names of the machine, its kernel and its processor.
save() { # NAME
    nameless "$1"
    cp "$1" "$folder/$1"
    printf '%9d %s\n' "$(stat -c %s "$folder/$1")" "$1" >&2
}

record() {
    unshare --uts sh -c 'hostname host; exec "$@"' - perf record -q -N "$@"
}

two_events() {
    record -o two-events.data -e cpu-clock/period=300000/u -e page-faults/period=6/ -g -- seq 90000 >&2
    save two-events.data
}

tracepoints() {
    record -o - -e sched:sched_process_exec -e syscalls:sys_enter_close -- sh -c 'echo | cat' >tracepoints.pipe.data
    save tracepoints.pipe.data
}

stack() {
    record -o stack.data -e cpu-clock:u -c 250000 --call-graph dwarf,512 --user-regs=ip,sp --intr-regs=ip -d \
        --buildid-mmap -- seq 400000 >&2
    save stack.data
}

# Needs Go 1.18 or 1.19. The program is at a path of its own, and only what the recording needs of it is saved.
goroutines() {
    local app
    app=$(cd "$(dirname "$folder")" && pwd)/record
    mkdir /tmp/goroutines
    cp "$app/app/goroutines.go" /tmp/goroutines
    (cd /tmp/goroutines && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o goroutines goroutines.go)
    record -o goroutines.data -e cpu-clock:u -F 199 --call-graph dwarf,1024 --user-regs=ip,sp,bp \
        -- /tmp/goroutines/goroutines >&2
    "$app/gocut.py" /tmp/goroutines/goroutines goroutines.data | gzip -9n >"$folder/goroutines.elf.gz"
    save goroutines.data
    gzip -9nf "$folder/goroutines.data"
    rm -r /tmp/goroutines
}

all=(two_events tracepoints stack goroutines)
for name in "${@:-${all[@]}}"; do
    "$name"
done
