#!/usr/bin/env bash
# Makes tests/data/stackcollapse/*/*.folded again: what the scripts of FlameGraph answer to each case.
#
# usage: FLAMEGRAPH_DIR=folder formats.sh [FORMAT ...]
set -euo pipefail
cd "$(dirname "$0")/../data/stackcollapse"
export LC_ALL=C
copy=$(mktemp -d)
trap 'rm -r "$copy"' EXIT
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
        sed 's/^\t\$func = /\tmy $func = /' "$program" >"$copy/mended"
        program=$copy/mended
    fi
    # From a copy: stackcollapse-xdebug.php changes its input.
    cp "$format/$input" "$copy/input"
    # shellcheck disable=SC2086 # options are words
    $interpreter "$program" $options "$copy/input" >"$golden" 2>/dev/null || :
    # awk has no order among stacks.
    [ "$format" != perf-sched ] || sort -o "$golden" "$golden"
done <cases
