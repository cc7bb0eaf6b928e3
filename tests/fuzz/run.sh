#!/usr/bin/env bash
# Runs the libFuzzer targets of a folder, each for so many seconds. Inputs that fail are kept in that folder.
# usage: run.sh FOLDER SECONDS
set -euo pipefail
seeds=$(cd "$(dirname "$0")" && pwd)/seeds
cd "$1"
for target in *; do
    [ -f "$seeds/$target" ] || continue
    mkdir -p "corpus/$target"
    cp "$seeds/$target" "corpus/$target/seed"
    echo "$target: $2 seconds"
    "./$target" -max_total_time="$2" -verbosity=0 -artifact_prefix="$target-" "corpus/$target"
done
