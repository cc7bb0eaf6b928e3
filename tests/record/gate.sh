#!/bin/bash
# Measures how often the recipe of the README for CI is wrong: compares a program with itself, or with one in which a
# function takes more time, again and again, and prints a line for each comparison and how many failed.
#
# usage: tests/record/gate.sh [PAIRS [ROUNDS [EXTRA]]]      (100 1800 20)
#
# EXTRA is that of app/heap.js after; before it is 20. Of 110 pairs of one program (100 1800 20; 700 samples a run) none
# failed, and of 20 with 5 points planted (20 4200 36.7; 1,400 samples a run) 19 did, on two busy processors. Of 330 pairs
# of these single runs, the stackdiff before --compare let 80 fail with --max-growth=5.
#
# Needs node, the right to record, and the programs in build/bin (or BIN).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
export PATH=${BIN:-$here/../../build/bin}:$PATH
pairs=${1:-100} rounds=${2:-1800} extra=${3:-20} failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here/app/heap.js" "$scratch"
cd "$scratch"
for ((i = 1; i <= pairs; i++)); do
    flamepipe -q --compare --keep -o diff.svg -- node heap.js "$rounds" 20 --vs -- node heap.js "$rounds" "$extra" > out
    status=0
    stackdiff --max-growth=3 --before diff.before*.folded --after diff.after*.folded > out 2> messages || status=$?
    printf '%s: status %s: %s\n' "$i" "$status" "$(head -n 1 messages)"
    failed=$((failed + (status != 0)))
done
echo "$failed of $pairs failed"
