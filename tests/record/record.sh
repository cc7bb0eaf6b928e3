#!/bin/bash
# Records the files of tests/data again: tests/record/record.sh [-o FOLDER] [NAME ...]
# Needs perf 6 with the right to record everything (root), node 20, a JDK from 17 on, gcc and g++.
# tests/data/README describes each recording.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
folder=$here/../data
if [ "${1-}" = -o ]; then
    folder=$2
    shift 2
fi
# The folder of the programs that are recorded. Its path shows in the recordings, so it is one that
# tells nothing about the machine.
app=/srv/app
scratch=$(mktemp -d)
export TMPDIR=$scratch
maps=()
server=
port=

clean_up() {
    rm -rf "$scratch" "$app" "${maps[@]}"
}

make_app() {
    mkdir "$app" # fails where somebody else has it
    trap clean_up EXIT
    cp "$here"/app/* "$app"
    mkdir -p "$app/node_modules/tally"
    mv "$app/tally.js" "$app/node_modules/tally/index.js"
}

# perf, without its copies of binaries in the home folder.
perf() {
    command perf --buildid-dir "$scratch/debug" "$@"
}

# record NAME PERF-RECORD-ARGUMENTS...
record() {
    local name=$1
    shift
    perf record -q -o "$scratch/$name.data" "$@" >&2
}

# script NAME PERF-SCRIPT-ARGUMENTS...: the recording as text.
script() {
    local name=$1
    shift
    perf script -i "$scratch/$name.data" "$@"
}

# Starts the HTTP server with names for its JavaScript; sets $server and $port.
start_server() { # NODE-OPTIONS...
    rm -f "$scratch/port"
    (cd "$app" && exec node --perf-basic-prof "$@" server.js > "$scratch/port") &
    server=$!
    maps+=("/tmp/perf-$server.map") # V8 writes it nowhere else
    until [ -s "$scratch/port" ]; do
        kill -0 "$server"
        sleep 0.1
    done
    port=$(cat "$scratch/port")
}

stop_server() {
    kill "$server"
    wait "$server" || true
}

# Replaces what is particular to the machine: its name, its processor, the path of perf.
neutral() {
    sed -e "s|$scratch|/tmp/scratch|g" -e '/^#/{
        s/^\(# hostname : \).*/\1host/
        s/^\(# cpudesc : \).*/\1a processor/
        s/^\(# cpuid : \).*/\1AuthenticAMD,0,0,0/
        s/^\(# os release : \).*/\16.18.0/
        s/^\(# total memory : \).*/\116000000 kB/
    }'
}

save() { # FILE, from standard input
    neutral | gzip -9n > "$folder/$1.gz"
    printf '%9d %s\n' "$(stat -c %s "$folder/$1.gz")" "$1.gz" >&2
}

node_http() {
    start_server --interpreted-frames-native-stack
    record node -e cpu-clock -F 999 -g -p "$server" -- node "$app/load.js" "$port" 5
    script node | save node-http.perf.txt
    script node --header --time 0%-20% | save node-http-header.perf.txt
    rm "/tmp/perf-$server.map"
    stop_server
}

# The same program recorded without its map: frames without names, for perf-script --perf-map.
node_unnamed() {
    start_server
    record unnamed -e cpu-clock -F 199 -g -p "$server" -- node "$app/load.js" "$port" 2
    stop_server
    save node-unnamed.map < "/tmp/perf-$server.map"
    rm "/tmp/perf-$server.map"
    script unnamed -F comm,pid,tid,time,period,event,ip,sym,symoff,dso | save node-unnamed.perf.txt
}

node_workers() {
    # V8 leaves its logs where it runs.
    (cd "$scratch" && record workers -e cpu-clock -F 99 -g -- \
        node --perf-basic-prof --interpreted-frames-native-stack "$app/threads.js" 1.5)
    script workers | save node-workers.perf.txt
    script workers | grep -o '/tmp/perf-[0-9]*\.map' | sort -u | xargs rm -f
}

# All processes, without the samples that have files outside of /usr and $app: those of other programs.
system_wide() {
    gcc -O1 -g0 -fno-omit-frame-pointer -o "$app/names" "$app/names.c"
    record all -a -e cpu-clock -F 499 -g -- sh -c "$app/names; seq 300000 | sort | gzip | wc -c"
    script all --comms "$(comms)" -F comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso |
        awk -v RS= -v ORS='\n\n' '
            { others = $0; gsub(/\(\/(usr|srv\/app)\//, "", others) }
            others !~ /\(\//' | save system-wide.perf.txt
}

comms() {
    printf '%s,' t 'worker 3' 'V8 WorkerThread' '(sd-pam)' '[ET_NET 0]' a:b kworker/1:2 'x;y' 42 \
        seq sort gzip wc swapper
}

deep() {
    gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o "$app/deep" "$app/deep.c"
    record deep -e cpu-clock -F 999 -g -- "$app/deep"
    script deep | save deep.perf.txt
}

shell_pipe() {
    record shell -e cpu-clock -F 999 -g -- sh -c \
        "seq 200000 | awk '{ print \$1 * 7 % 1000 }' | sort -n | uniq -c | sed s/1/one/ | gzip | wc"
    script shell | save shell-pipe.perf.txt
}

cpp() {
    g++ -O1 -fno-omit-frame-pointer -o "$app/shapes" "$app/shapes.cc"
    record cpp -e cpu-clock -F 999 -g -- "$app/shapes"
    script cpp | save cpp.perf.txt
}

# The same with debug information: inlined frames, and a source line below each frame.
srcline() {
    g++ -O2 -g -fno-omit-frame-pointer -o "$app/shapes" "$app/shapes.cc"
    record srcline -e cpu-clock -F 199 -g -- "$app/shapes"
    script srcline -F +srcline | save cpp-srcline.perf.txt
}

java() {
    javac -d "$app" "$app/Busy.java"
    command java -XX:+PreserveFramePointer -XX:+UseSerialGC -cp "$app" Busy 9 >&2 &
    local busy=$!
    maps+=("/tmp/perf-$busy.map")
    sleep 4
    record java -e cpu-clock -F 499 -g -p "$busy" -- sleep 3
    jcmd "$busy" Compiler.perfmap >&2
    wait "$busy"
    script java | save java.perf.txt
}

# Without frame pointers and without names.
java_omitted() {
    javac -d "$app" "$app/Busy.java"
    command java -XX:+UseSerialGC -cp "$app" Busy 6 >&2 &
    local busy=$!
    sleep 3
    record omitted -e cpu-clock -F 99 -g -p "$busy" -- sleep 2
    wait "$busy"
    script omitted | save java-omitted.perf.txt
}

sched_switch() {
    record sched -e sched:sched_switch -g -- sh -c 'seq 30000 | sort | uniq | wc -l'
    script sched | save sched-switch.perf.txt
}

page_faults() {
    record faults -e page-faults -c 1 -g -- sh -c 'seq 30000 | sort | wc -l'
    script faults | save page-faults.perf.txt
}

# Without -g: the event and its only frame are on one line.
no_callchain() {
    record flat -e cpu-clock -F 999 -- sh -c 'seq 1000000 | sort | wc -l'
    script flat | save no-callchain.perf.txt
}

# Two events; each sample is of one of them.
two_events() {
    record two -e cpu-clock,page-faults -F 999 -g -- sh -c 'seq 100000 | sort | wc -l'
    script two | save two-events.perf.txt
}

# With the records that perf can print between samples.
records() {
    record events -e cpu-clock -F 499 -g -- sh -c 'seq 200000 | sort | wc -l'
    script events --show-task-events --show-mmap-events | save records.perf.txt
}

all=(node_http node_unnamed node_workers system_wide deep shell_pipe cpp srcline java java_omitted sched_switch page_faults
    no_callchain two_events records)
make_app
for name in "${@:-${all[@]}}"; do
    "$name"
done
