#!/usr/bin/env bash
# Compares what stackreport --stalls lists with what a server measured of its own blocks (app/stalls.js).
#
# usage: stalltruth.sh NODE COUNT [KINDS [OPTION ...]]
# NODE: the program; COUNT: blocks of each kind, or 0: no block for KINDS seconds; OPTION: of stackrecord. Variables:
# BUILD, where the programs were built; KEEP, a folder to keep what was recorded in; AS, the user that server and recorder
# run as.
#
# Run it by hand, on a machine that does nothing else or by nice -n -20: a server that gets no processor for 50 ms has a
# stall, too.
set -eu
cd "$(dirname "$0")/../.."
bin=${BUILD:-$PWD/build}/bin
node=$1 count=$2 kinds=${3:-loop,exec,pbkdf2,file,json,regexp,gc,lock}
shift $(($# < 3 ? $# : 3))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O1 -fPIC -shared -o "$work/lock.node" tests/record/app/lock.c
cp tests/record/app/stalls.js "$work"
as=()
[ -z "${AS:-}" ] || { as=(setpriv --reuid "$AS" --regid "$AS" --clear-groups) && chown -R "$AS" "$work"; }

export TMPDIR=$work TZ=UTC
"${as[@]}" "$bin/stackrecord" --wall --turns --header --inline "$@" -- \
    "$node" "$work/stalls.js" "$count" "$kinds" "$work/lock.node" "$work/blocks" >"$work/text"
"$bin/stackreport" --stalls --width 0 --top 1000000 "$work/text" >"$work/table"
[ -z "${KEEP:-}" ] || cp -r "$work" "$KEEP"
tests/record/stalltruth.py "$work/blocks" "$work/table"
