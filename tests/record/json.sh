#!/usr/bin/env bash
# Records the JSON inputs of tests/data/stackcollapse again: with node 20 and a headless Chromium.
#
# usage: json.sh FOLDER       (gets cpuprofile/app, v8-prof/app, chrome-tracing/node and chrome-tracing/browser)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
# The path of the program shows in the recordings, so it is one that tells nothing about the machine.
app=/srv/app
scratch=$(mktemp -d)
mkdir "$app" # fails where somebody else has it
trap 'rm -rf "$scratch" "$app"' EXIT
mkdir -p "$app/node_modules/tally" "$folder"/{cpuprofile,v8-prof,chrome-tracing}
cp "$here/app/profiled.js" "$app/app.js"
cp "$here/app/tally.js" "$app/node_modules/tally/index.js"
cd "$scratch"

node --cpu-prof --cpu-prof-interval 5000 --cpu-prof-name app.cpuprofile "$app/app.js" 300
mv app.cpuprofile "$folder/cpuprofile/app"

# Of the 45,000 functions that are listed, those of the ticks; of the ticks, every fourth; no scripts.
node --prof "$app/app.js" 300
node --prof-process --preprocess -j isolate*.log 2>"$scratch/warnings" >all.json
node -e '
    const all = JSON.parse(require("fs").readFileSync("all.json", "utf8")), places = new Map();
    const ticks = all.ticks.filter((tick, i) => i % 4 === 0);
    for (const { s } of ticks)
        for (let i = 0; i < s.length; i += 2) {
            if (s[i] >= 0 && !places.has(s[i]))
                places.set(s[i], places.size);
            s[i] = s[i] >= 0 ? places.get(s[i]) : -1;
        }
    const code = [...places.keys()].map((i) => { delete all.code[i].source; return all.code[i]; });
    console.log(JSON.stringify({ code, functions: [], ticks, scripts: [] }, null, 1));
' >"$folder/v8-prof/app"

node --trace-event-categories v8,node "$app/app.js" 50
mv node_trace.1.log "$folder/chrome-tracing/node"

# Of the browser, the events of one process, without their arguments.
page='data:text/html,<script>function hot(n){let x=0;for(let i=0;i<n;i++)x=(x*31+i)%1000003;return x}
for(let i=0;i<20;i++)document.title=hot(300000)</script>'
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/user" --trace-startup=devtools.timeline,v8 \
    --trace-startup-file="$scratch/all.json" --trace-startup-duration=2 --trace-startup-format=json \
    --virtual-time-budget=2000 --dump-dom "$page" >dom 2>errors
node -e '
    const all = JSON.parse(require("fs").readFileSync("all.json", "utf8")).traceEvents, sizes = new Map();
    for (const event of all)
        sizes.set(event.pid, (sizes.get(event.pid) || 0) + (event.name === "FunctionCall" || event.name === "EvaluateScript"));
    const pid = [...sizes.keys()].sort((a, b) => sizes.get(b) - sizes.get(a))[0];
    const events = all.filter((event) => event.pid === pid && event.ph !== "I").map((event) => JSON.stringify({ ...event, args: {} }));
    console.log(`{"traceEvents":[\n${events.join(",\n")}\n],"metadata":{}}`);
' >"$folder/chrome-tracing/browser"
