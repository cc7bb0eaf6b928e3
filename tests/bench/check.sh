#!/usr/bin/env bash
# Counts the instructions of a row of tests/bench/limits and compares: status 1 where they are more than 10 %
# over the row's figure, 77 where they cannot be counted here, which the last line explains.
#
# usage: BIN=folder check.sh NAME
#        BIN=folder check.sh --measure NAME      prints the millions
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
measure=
if [ "$1" = --measure ]; then
    measure=1
    shift
fi
read -r _ name limit recording program options < <(
    awk -v name="$1" '$1 == "instructions" && $2 == name' "$here/limits")
[ "$name" = "$1" ]

unable() {
    echo "$1"
    exit 77
}
command -v valgrind >/dev/null || unable "valgrind is not installed"
made_with=$(readelf -p .comment "$BIN/$program" 2>/dev/null || true)
case $made_with in
*"GCC: "*" 12."*) ;;
*) unable "the figures are for gcc 12" ;;
esac
[ "$(uname -m)" = x86_64 ] || unable "the figures are for x86-64"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gunzip -c "$here/../data/$recording.perf.txt.gz" >"$scratch/input"
if [ "$program" = flamesvg ]; then
    "$BIN/stackcollapse" -q "$scratch/input" >"$scratch/folded"
    mv "$scratch/folded" "$scratch/input"
fi
read -ra words <<<"$options"
valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$BIN/$program" "${words[@]}" "$scratch/input" \
    >"$scratch/text" 2>"$scratch/said" || { cat "$scratch/said"; exit 1; }
count=$(awk '/^summary:|^totals:/ { print $2; exit }' "$scratch/out")
millions=$(awk -v n="$count" 'BEGIN { printf "%.1f", n / 1e6 }')
if [ -n "$measure" ]; then
    echo "$millions"
    exit 0
fi
awk -v n="$millions" -v limit="$limit" 'BEGIN { exit n > limit * 1.1 }' || {
    echo "$millions million instructions, $limit were enough (tests/bench/limits)"
    exit 1
}
