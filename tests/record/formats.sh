#!/usr/bin/env bash
# Makes tests/data/stackcollapse/*/*.folded again: what the scripts of FlameGraph answer to each case.
#
# usage: FLAMEGRAPH_DIR=folder formats.sh [FORMAT ...]
set -euo pipefail
cd "$(dirname "$0")/../data/stackcollapse"
export LC_ALL=C
while read -r script format input options; do
    [ $# = 0 ] || [[ " $* " = *" $format "* ]] || continue
    golden=$format/$input${options// /}.folded
    case $script in
    *.pl) interpreter=perl ;;
    *.awk) interpreter='awk -f' ;;
    *.php) interpreter=php ;;
    *.py) interpreter=python3 ;;
    esac
    # shellcheck disable=SC2086 # options are words
    $interpreter "$FLAMEGRAPH_DIR/$script" $options "$format/$input" >"$golden" 2>/dev/null || :
done <cases
