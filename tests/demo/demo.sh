#!/usr/bin/env bash
# The main job on this machine: flamepipe records a small program and draws it. Where it may not record, it says why
# and draws a recording of the project's own.
#
# usage: demo.sh BIN PICTURE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
picture=$2

if command -v node >/dev/null; then
    title="node $(node --version), recorded here"
    work=(node "$here/work.js" 3000)
else
    title='shell (there is no node), recorded here'
    work=(sh "$here/work.sh")
fi
if ! "$bin/flamepipe" -F 999 -o "$picture" --title "$title" -- "${work[@]}" >/dev/null; then
    echo 'demo: not recorded here'
    title='node HTTP server, a recording of the project'
    gunzip -c "$here/../data/node-http.perf.txt.gz" | "$bin/flamepipe" -q -o "$picture" --title "$title" -
fi
echo "demo: $title: $picture"
