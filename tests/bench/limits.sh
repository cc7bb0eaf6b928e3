#!/usr/bin/env bash
# Measures every row of instructions in the file of limits and updates its figure.
#
# usage: BIN=folder limits.sh FILE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
new=$(mktemp)
trap 'rm -f "$new"' EXIT
while IFS= read -r line; do
    case $line in
    instructions*)
        read -r _ name _ recording command <<<"$line"
        printf 'instructions %-22s %9s  %-13s %s\n' \
            "$name" "$("$here/check.sh" --measure "$name")" "$recording" "$command"
        ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$1" >"$new"
cat "$new" >"$1"
