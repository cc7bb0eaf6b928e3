#!/usr/bin/env bash
# One step of check.sh, which sets the environment: runs it, keeps what it says, and prints the sum of it and all
# that failed.
#
# usage: step.sh unit/NAME|bats/NAME|fuzz/NAME|lint/NAME|bench/NAME|conform/own|conform/shared
# shellcheck disable=SC2317 # the functions are called by "bash -c run"
set -uo pipefail
step=$1 name=${1#*/}
tap=$RESULTS/$step.tap
mkdir -p "${tap%/*}"
exec </dev/null

# A command that passes (status 0), is skipped (77, as automake has it; its last line says why) or fails.
verdict() { # TITLE COMMAND ...
    local output status
    output=$("${@:2}" 2>&1)
    status=$?
    case $status in
    0) echo "ok - $1" ;;
    77) echo "ok - $1 # skip ${output##*$'\n'}" ;;
    *) printf 'not ok - %s\n# %s\n' "$1" "${output//$'\n'/$'\n'# }" ;;
    esac
}

conform_shared() {
    "$SHARED/check/conform" -v "$BUILD/compat" | awk '
        /^FAILED/   { sub(/^FAILED */, "not ok - conform "); print; next }
        /^deviates/ { sub(/^deviates */, ""); print "ok - conform " $1 " # skip listed as a deviation"; next }
        / passed, / { for (i = 0; i < $1; i++) print "ok - conform" }'
}

run() {
    case $step in
    unit/*) "$BUILD/unit/$name" ;;
    bats/*) bats --tap "tests/$name.bats" ;;
    fuzz/*) verdict "hostile input: $name" "$BUILD/fuzz/$name" 20000 "tests/fuzz/seeds/$name" ;;
    lint/gcc | lint/clang) verdict "lint: $name" tests/lint/warnings.sh "$name" ;;
    lint/*) verdict "lint: $name" "tests/lint/$name.sh" ;;
    bench/*) verdict "instructions: $name" tests/bench/check.sh "$name" ;;
    conform/own) tests/conform/check.sh "$BUILD/compat" ;;
    conform/shared) conform_shared ;;
    esac
}
export -f run conform_shared verdict
export step name

timeout -k 10 1200 bash -c run >"$tap" 2>&1
status=$?
# What crashes, is stopped, or has no tests is a failure too.
if ! grep -q '^not ok ' "$tap" && { [ $status != 0 ] || ! grep -q '^ok ' "$tap"; }; then
    echo "not ok - $step ended with status $status" >>"$tap"
fi
awk '/^ok / { show = 0 } /^not ok / { show = 1 } show' "$tap"
printf "%s: %s, %d s\n" "$step" "$(awk -f tests/count.awk "$tap" | tail -n 1)" $SECONDS
exit 0
