#!/usr/bin/env bash
# Runs libFuzzer's targets, each for so many seconds; what they find is kept beside them.
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
