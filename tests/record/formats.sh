#!/usr/bin/env bash
# Makes tests/data/stackcollapse/*/*.folded again: what the scripts of FlameGraph answer to each case.
#
# usage: FLAMEGRAPH_DIR=folder formats.sh [FORMAT ...]
set -euo pipefail
cd "$(dirname "$0")/../data/stackcollapse"
export LC_ALL=C
mended=$(mktemp)
trap 'rm "$mended"' EXIT
while read -r script format input options; do
    [ $# = 0 ] || [[ " $* " = *" $format "* ]] || continue
    golden=$format/$input${options// /}.folded
    case $script in
    *.pl) interpreter=perl ;;
    *.awk) interpreter='gawk -f' ;; # GNU's \s, and integers of more than 31 bits
    *.php) interpreter=php ;;
    *.py) interpreter=python3 ;;
    esac
    program=$FLAMEGRAPH_DIR/$script
    if [ "$script" = stackcollapse-vtune.pl ]; then # it does not compile: a "my" is missing
        sed 's/^\t\$func = /\tmy $func = /' "$program" >"$mended"
        program=$mended
    fi
    # shellcheck disable=SC2086 # options are words
    $interpreter "$program" $options "$format/$input" >"$golden" 2>/dev/null || :
    # awk has no order among stacks.
    [ "$format" != perf-sched ] || sort -o "$golden" "$golden"
done <cases
