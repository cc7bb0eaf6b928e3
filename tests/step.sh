#!/usr/bin/env bash
# Runs a step of check.sh, which sets the environment. Writes its results to a file, and prints the
# failed tests and the number of passed ones.
#
# usage: step.sh unit/NAME|bats/FILE|fuzz/NAME|lint/NAME|bench/NAME|conform/own|conform/shared|
#                machine/unharmed
#        step.sh port/PORT builds into BUILD/PORT;  step.sh PORT/unit/NAME|PORT/bats/FILE
#                PORT is musl or m32
#        AGAIN=TEST step.sh bats/FILE: only this test, or the whole file if it has no such test
# shellcheck disable=SC2317 # the functions are called by "bash -c run"
set -uo pipefail
step=$1 title=$1
tap=$RESULTS/$step.tap
case $step in
musl/* | m32/*)
    BUILD=$BUILD/${step%%/*}
    BIN=$BUILD/bin COMPAT=$BUILD/compat
    step=${step#*/}
    ;;
esac
name=${step#*/}
mutations=${MUTATIONS:-1000}
mkdir -p "${tap%/*}"
exec </dev/null

# Turns a command into a test. It passes if the status is 0; it is skipped if it is 77, as in
# automake, and the last line of output is the reason; otherwise it fails.
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

# Builds with another compiler, if it exists, and leaves the file BUILD/PORT/built; also
# BUILD/PORT/runs, if this kernel executes the result (some do not run 32-bit programs).
port() { # PORT COMPILER CFLAGS [LDFLAGS]
    rm -f "$BUILD/$1/built" "$BUILD/$1/runs"
    # shellcheck disable=SC2086 # "gcc -m32" is two words
    if ! $2 -E -include stdio.h -x c /dev/null >/dev/null 2>&1; then
        echo "no $2"
        return 77
    fi
    make -s -j"$(nproc)" BUILD="$BUILD/$1" CC="$2" CFLAGS="$3 -Werror" LDFLAGS="${4-}" all unit || return
    touch "$BUILD/$1/built"
    "$BUILD/$1/bin/flamesvg" --version >/dev/null 2>&1
    if [ $? = 126 ]; then
        echo "it was built, but this kernel does not execute it"
        return 77
    fi
    touch "$BUILD/$1/runs"
}

# Counts tests as skipped if they failed because a tool is missing: see command_not_found_handle in
# lib.bash.
without_tools() {
    awk '
        /^# missing: / { missing = $3; next }
        /^(not )?ok / { skip = /^not / && missing != "" }
        /^(not )?ok / && skip { $0 = substr($0, 5) " # skip no " missing }
        /^(not )?ok / { missing = "" }
        skip && /^# / { next }
        { print }'
}

bats_file() {
    # At the time limit, the runner ends the test, and prints where it was.
    trap : TERM
    "${RUNBATS:-tests/runbats.sh}" ${only:+-f "$only"} "tests/$name.bats" | (trap '' TERM && without_tools)
}

run() {
    case $step in
    unit/*) "$BUILD/unit/$name" ;;
    bats/*) bats_file ;;
    fuzz/*) verdict "mutated input: $name" "$BUILD/fuzz/$name" "$mutations" "tests/fuzz/seeds/$name" ;;
    lint/*) verdict "lint: $name" "tests/lint/$name.sh" ;;
    bench/*) verdict "instructions: $name" tests/bench/check.sh "$name" ;;
    # Compile and link as packages.bats does with make static, so that it need not do so again.
    port/musl) verdict "the build with musl-gcc" port musl musl-gcc -Og '-static -s' ;;
    port/m32) verdict "the build with gcc -m32" port m32 "gcc -m32" -O0 ;;
    machine/*) verdict "the machine is as it was before the tests" tests/unharmed.sh compare "$RESULTS/machine.before" "$TMPDIR" ;;
    conform/own) tests/conform/check.sh "$BUILD/compat" ;;
    conform/shared) conform_shared ;;
    esac
}
export -f run bats_file without_tools port conform_shared verdict
export step title name BUILD BIN COMPAT

# A step that crashes, takes too long, or contains no tests has failed, too.
ended() { # STATUS
    if ! grep -q '^not ok ' "$tap" && { [ "$1" != 0 ] || ! grep -q '^ok ' "$tap"; }; then
        echo "not ok - $title ended with status $1 after '$(grep -E '^(not )?ok ' "$tap" | tail -n 1)'" >>"$tap"
    fi
}

# Prints the results of the first run, but that of the repeated test in place of its first one.
replace_result() { # FIRST
    awk -v again="$tap" '
        function name(text) { sub(/^not ok [0-9]* */, "", text); return text }
        /^(not )?ok / { of_test = name($0) == ENVIRON["AGAIN"] }
        !of_test { print }
        of_test && /^not ok / {
            while ((getline line < again) > 0)
                if (line !~ /^1[.][.]/)
                    print line ~ /^ok / ? line " # second run" : line
        }' "$1" >"$1.new"
    mv "$1.new" "$1"
}

only=
if [ -n "${AGAIN-}" ]; then
    first=$tap tap=$tap.again title="$title again"
    # shellcheck disable=SC2001 # bash has no way to name what was matched
    ! grep -qsxF "@test \"$AGAIN\" {" "tests/$name.bats" || only="^$(sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$AGAIN")\$"
fi
export only
timeout -k 10 1200 bash -c run >"$tap" 2>&1
ended $?
awk '/^ok / { show = 0 } /^not ok / { show = 1 } show' "$tap"
printf "%s: %s, %d s\n" "$title" "$(awk -f tests/count.awk "$tap" | tail -n 1)" $SECONDS
if [ -n "${AGAIN-}" ]; then
    replace_result "$first"
    rm "$tap"
else
    # Use a single write, so that the output of other steps does not come in between.
    echo "$step $SECONDS" >>"$RESULTS/times"
fi
exit 0
