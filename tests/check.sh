#!/usr/bin/env bash
# Runs the tests, each step in a separate process. The last line is "N passed, N failed, N skipped".
#
# usage: [BUILD=folder] [SHARED=folder] check.sh PART ...
#
#   unit      the programs of tests/unit
#   bats      the bats files in tests and tests/replay: the same on any machine, for any user
#   unsanitized   those bats files of `bats` that have tests which are left out if SAN is set
#   conform   our cases in tests/conform, and the cases in the folder SHARED if it exists
#   fuzz      mutated inputs for each parser: MUTATIONS of them, or 1,000
#   browser   the bats files in tests/browser
#   robust    the bats files in tests/robust: limits, hostile input
#   package   the bats files in tests/package: the build, make install, packages
#   ports     unit tests and some bats files with another C library (musl), and on 32 bits (m32)
#   lint      the static checks, and the bats files in tests/lint
#   bench     instruction counts
#   live      the bats files in tests/live, which record running programs, and unit tests that
#             contain "lane: live": one at a time, after all other parts. A failed test is
#             repeated once, alone, at the end.
#
# Each step leaves its results in BUILD/check/, in the Test Anything Protocol. The last step finds
# what the others have changed on the machine or left behind.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
SHARED=$(realpath "${SHARED:-../shared}")
RESULTS=$BUILD/check
export BUILD SHARED RESULTS
export BIN=$BUILD/bin COMPAT=$BUILD/compat PYTHONDONTWRITEBYTECODE=1
# Memory that is not freed at the end is not an error. The programs handle failed allocations
# themselves. SIGILL is undefined behaviour where .ci/run compiles it as a trap.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:allocator_may_return_null=1:abort_on_error=1:handle_sigill=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:abort_on_error=1}
# The tests call make independently, not as a part of the make that called this script.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# Bats files that are also run with musl: regular expressions, local time, conversion of numbers,
# and files depend on the C library. All other code of the programs is in common, and all of its
# unit tests are run with musl; packages.bats compares a picture that was drawn by static programs.
MUSL_BATS=(stackcollapse stackfilter stackdiff stackexport sums replay/options)

bats_files() { # FILE ...     those that say "# not sanitized: REASON" are left out where the programs are
    local file
    for file; do
        [ -e "$file" ] || continue
        [ -z "${SAN-}" ] || ! grep -q '^# not sanitized: ' "$file" || continue
        file=${file#tests/}
        echo "bats/${file%.bats}"
    done
}

# Lists the unit tests that contain "lane: live"; with -L, the others.
unit_tests() { # -l|-L
    grep "$1" 'lane: live' tests/unit/*.c | sed 's,^tests/\(.*\)[.]c$,\1,'
}

names() { # PREFIX FILE ...
    local file
    for file in "${@:2}"; do
        file=${file##*/}
        echo "$1/${file%.*}"
    done
}

steps() { # PART ...
    local part files
    for part; do
        case $part in
        unit) unit_tests -L ;;
        bats) bats_files tests/*.bats tests/replay/*.bats ;;
        unsanitized)
            mapfile -t files < <(grep -l -e '^# not sanitized: ' -e 'SAN-}' tests/*.bats tests/replay/*.bats)
            bats_files "${files[@]}"
            ;;
        live)
            bats_files tests/live/*.bats
            unit_tests -l
            ;;
        browser | robust | package) bats_files tests/"$part"/*.bats ;;
        fuzz) names fuzz tests/fuzz/seeds/* ;;
        conform)
            echo conform/own
            [ ! -x "$SHARED/check/conform" ] || echo conform/shared
            ;;
        bench) awk '$1 == "instructions" { print "bench/" $2 }' tests/bench/limits ;;
        ports)
            [ ! -e "$BUILD/musl/runs" ] || unit_tests -L | sed 's,^,musl/,'
            [ ! -e "$BUILD/musl/runs" ] || printf 'musl/bats/%s\n' "${MUSL_BATS[@]}"
            [ ! -e "$BUILD/m32/runs" ] || unit_tests -L | sed 's,^,m32/,'
            ;;
        lint)
            names lint tests/lint/*.sh | grep -vx lint/gcc
            bats_files tests/lint/*.bats
            # The port m32 is compiled completely by gcc, with warnings as errors, except for
            # warnings that need -O2: .ci/run fails make's own build for those.
            [[ " $* " = *" ports "* && -e $BUILD/m32/built ]] || echo lint/gcc
            ;;
        *) echo "check.sh: no such part: $part" >&2 && exit 2 ;;
        esac
    done
}

# Orders the steps on standard input by the time of their last run, longest first, so that no long
# step runs alone at the end. If a bats file was never run, use its number of tests.
longest_first() {
    local step
    while read -r step; do
        awk -v step="$step" '$1 == step { seconds = $2 } END { if (seconds != "") print seconds, step }' "$TIMES" |
            grep . || echo "$(grep -c '^@test' "tests/${step#bats/}.bats" 2>/dev/null) $step"
    done | sort -srn | awk '{ print $NF }'
}

# Repeats each failed test of the steps once. If no test is named, repeats the whole step.
second_run() { # STEP ...
    local step name
    for step; do
        grep -qs "^not ok " "$RESULTS/$step.tap" || continue
        while read -r name; do
            AGAIN=$name tests/step.sh "$step"
        done < <(sed -n 's/^not ok [0-9]* *//p' "$RESULTS/$step.tap")
    done
}

rm -rf "$RESULTS"
mkdir -p "$RESULTS"
TIMES=${BUILD%/san}/check.times
touch "$TIMES"
tests/tools.sh | tee "$RESULTS/tools"
# If python3 is a shell script that searches for the program, as with pyenv, call the program
# itself: it starts seven times faster.
[ "$(head -c 2 "$(command -v python3)" 2>/dev/null)" != '#!' ] ||
    PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
# The tests have a folder of their own for temporary files. Like /tmp, any user may write to it. So
# it is clear which files the tests have left behind.
own=$(mktemp -d) || exit 1
trap 'rm -rf "$own"' EXIT
chmod 1777 "$own"
export TMPDIR=$own
tests/unharmed.sh snapshot >"$RESULTS/machine.before"
# Build first, since the list of steps depends on what could be built.
if [[ " $* " = *" ports "* ]]; then
    tests/step.sh port/musl
    tests/step.sh port/m32
fi
list=$(steps "$@") || exit 2
mapfile -t live < <([[ " $* " != *" live "* ]] || steps live)
grep -vxF -f <(printf '%s\n' "${live[@]}") <<<"$list" | longest_first | xargs -r -P "$(nproc)" -n 1 tests/step.sh
printf '%s\n' "${live[@]}" | xargs -r -n 1 tests/step.sh
second_run "${live[@]}"
cat "$RESULTS/times" >>"$TIMES"
tests/step.sh machine/unharmed

if [[ " $* " = *" conform "* && ! -x $SHARED/check/conform ]]; then
    echo "no folder ../shared (or SHARED=folder) with more conformance cases: only those of tests/conform were run"
fi
tail -n 1 "$RESULTS/tools"
mapfile -t results < <(find "$RESULTS" -name '*.tap' | LC_ALL=C sort)
awk -f tests/count.awk "${results[@]}"
