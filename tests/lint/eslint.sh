#!/usr/bin/env bash
# The script of the picture, as it is embedded: under 60 KB, and eslint 9 or later (npm install eslint; ESLINT names
# the command if it is not on PATH) finds nothing.
set -eu
script=$BUILD/gen/flame.js
size=$(wc -c <"$script")
[ "$size" -lt 60000 ] || { echo "$script: $size bytes, and 60000 is the limit"; exit 1; }
eslint=${ESLINT:-eslint}
command -v "$eslint" >/dev/null || { echo "no eslint"; exit 77; }
[[ $("$eslint" --version) =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 9 ]] || { echo "no eslint 9 or later"; exit 77; }
"$eslint" -c tests/browser/eslint.config.mjs "$script"
