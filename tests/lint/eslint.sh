#!/usr/bin/env bash
# The scripts of the pictures, as they are embedded: under 60 KB, that of a page under 90 KB, and eslint 9 or later
# (npm install eslint; ESLINT names the command if it is not on PATH) finds nothing, in them or in their parts.
set -eu
scripts=("$BUILD"/gen/{perl,svg,html,wait}.js)
for script in "${scripts[@]}"; do
    size=$(wc -c <"$script") limit=61440
    [ "${script##*/}" != html.js ] || limit=92160
    [ "$size" -lt "$limit" ] || { echo "$script: $size bytes, and $limit is the limit"; exit 1; }
done
eslint=${ESLINT:-eslint}
command -v "$eslint" >/dev/null || { echo "no eslint"; exit 77; }
[[ $("$eslint" --version) =~ ^v([0-9]+) && ${BASH_REMATCH[1]} -ge 9 ]] || { echo "no eslint 9 or later"; exit 77; }
for script in "${scripts[@]}"; do # by standard input: eslint ignores files outside of the current folder
    "$eslint" -c tests/browser/eslint.config.mjs --stdin --stdin-filename "${script##*/}" <"$script"
done
{ sed '$d' "$BUILD/gen/html.js"; cat "$BUILD/gen/lines.js"; } |
    "$eslint" -c tests/browser/eslint.config.mjs --stdin --stdin-filename lines.js
"$eslint" -c tests/browser/eslint.config.mjs cmd/flamesvg/ui
