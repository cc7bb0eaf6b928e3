#!/usr/bin/env bash
# Compares the names of JavaScript that stackrecord reads from the memory of node with those in the perf map that the
# same process writes: a recording has both (app/jstruth.c), and perf-script prints it twice, with one of them each time.
# The options for that map change what runs a little (functions have copies of the interpreter's entry), and the samples
# are true at any moment: so this is run by hand, after changes to common/v8, and for each new version of V8.
#
# usage: jstruth.sh SECONDS NODE [OPTION ...] SCRIPT [ARGUMENT ...]      (paths are absolute; BUILD: of the programs, HZ:
# samples a second, 99; WARM: seconds before, 1; KEEP: a folder for what was recorded)
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-$PWD/build}
seconds=$1 node=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2046
${CC:-cc} -O2 -I. -D_POSIX_C_SOURCE=200809L -o "$work/stackrecord" tests/record/app/jstruth.c \
    $(find "$BUILD/cmd/stackrecord" -name '*.o') "$BUILD/common.a" -Wl,--wrap=liveprocs_has_names

cd "$work" # where V8 writes a log
"$node" --perf-basic-prof --interpreted-frames-native-stack "$@" >"$work/out" 2>&1 &
pid=$!
cd "$OLDPWD"
trap 'kill $pid 2>/dev/null || true; rm -rf "$work" "/tmp/perf-$pid.map"' EXIT
sleep "${WARM:-1}"
"$work/stackrecord" -F "${HZ:-99}" -p "$pid" --duration "$seconds" -o "$work/both" --keep-stacks >&2
kill "$pid"
wait "$pid" 2>/dev/null || true
rm "/tmp/perf-$pid.map" # its lines are in the recording, with times
for kind in names lines; do
    tests/record/jstruth.py hide $kind "$work/both" "$work/without.$kind"
    "$BUILD/bin/perf-script" "$work/without.$kind" >"$work/$kind.txt" 2>"$work/$kind.err"
done
[ -z "${KEEP:-}" ] || cp -r "$work" "$KEEP"
tests/record/jstruth.py compare "$work/names.txt" "$work/lines.txt"
