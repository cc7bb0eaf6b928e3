#!/usr/bin/env bash
# The main job on this machine: records a small program and draws it. Where perf is missing or not permitted a
# recording of the project's own takes its place.
#
# usage: demo.sh BIN PICTURE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
picture=$2
recording=$here/../data/node-http.perf.txt.gz

scratch=$(mktemp -d)
map=
trap 'rm -rf "$scratch" $map' EXIT

# Records the workload into scratch/perf.txt; where that fails, says why in scratch/why.
record() {
    command -v perf >/dev/null || { echo "perf is not installed" >"$scratch/why"; return 1; }
    if command -v node >/dev/null; then
        workload="node $(node --version)"
        set -- node --perf-basic-prof --interpreted-frames-native-stack "$here/work.js" 3000
    else
        workload='shell (there is no node)'
        set -- sh "$here/work.sh"
    fi
    # The inner shell leaves its process number, which names V8's map: V8 writes it to /tmp and nowhere else.
    (cd "$scratch" && TMPDIR=$scratch perf --buildid-dir "$scratch/debug" record -q -e cpu-clock -F 999 -g \
        -o perf.data -- sh -c 'echo $$ >pid; exec "$@" >out' sh "$@") 2>"$scratch/why" || return 1
    map=/tmp/perf-$(cat "$scratch/pid").map
    perf --buildid-dir "$scratch/debug" script -i "$scratch/perf.data" >"$scratch/perf.txt" 2>"$scratch/why" &&
        [ -s "$scratch/perf.txt" ]
}

if record; then
    title="$workload, recorded here"
else
    echo "demo: not recorded here: $(grep -m 1 . "$scratch/why" || echo 'perf recorded nothing')"
    gunzip -c "$recording" >"$scratch/perf.txt"
    title='node HTTP server, a recording of the project'
fi
"$bin/stackfilter" --node <"$scratch/perf.txt" | "$bin/stackcollapse" --kernel |
    "$bin/flamesvg" --colors=node --title="$title" >"$scratch/picture.svg"
mv "$scratch/picture.svg" "$picture"
echo "demo: $title: $picture"
