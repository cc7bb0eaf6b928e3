#!/bin/bash
# Measures how often stackdiff --max-growth is wrong about recordings of a Node program: records pairs of it, and pairs
# of it and of the same with one function made slower, compares each pair, and prints a line for each, and how many
# were wrong of each kind.
#
# usage: tests/record/slower.sh [PAIRS [FACTOR [POINTS [RECORDER-OPTION ...]]]]      (10 2 5 -F 1999)
#
# Needs node, the right to record, and the programs in build/bin (or BIN).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
export PATH=${BIN:-$here/../../build/bin}:$PATH
pairs=${1:-10} factor=${2:-2} points=${3:-5}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- -F 1999
options=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here/app/slower.js" "$scratch"
cd "$scratch"

record() { # NAME FACTOR
    stackrecord -q "${options[@]}" -o data -- \
        node --perf-basic-prof --interpreted-frames-native-stack slower.js "$2" > out
    perf-script -q data > text
    stackfilter --node -q text | stackcollapse -q > "$1.folded"
    grep -o '/tmp/perf-[0-9]*\.map' text | sort -u | xargs rm -f # of the node that has ended
}

# Compares a pair; counts it as wrong unless the exit status is the one wanted.
compare() { # KIND FILE STATUS-WANTED
    local status=0
    stackdiff --max-growth="$points" before.folded "$2" > diff.folded 2> messages || status=$?
    [ "$status" -eq "$3" ] || wrong[$1]=$((wrong[$1] + 1))
    printf '%s: status %s: %s\n' "$1" "$status" "$(head -n 1 messages)"
}

declare -A wrong=([same]=0 [slower]=0)
for ((i = 0; i < pairs; i++)); do
    record before 1
    record after 1
    record slower "$factor"
    compare same after.folded 0
    compare slower slower.folded 1
done
echo "of $pairs pairs of the same program ${wrong[same]} wrong; of $pairs pairs with a function ${factor} times as slow ${wrong[slower]} wrong"
