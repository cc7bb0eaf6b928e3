#!/usr/bin/env bash
# Runs the tests, each step in a process of its own, and ends with "N passed, N failed, N skipped".
#
# usage: [BUILD=folder] [SHARED=folder] check.sh PART ...      (unit bats slow conform fuzz ports lint bench)
#
# A step is a unit test program, a bats file, a fuzz target, a check of lint, a count of instructions, or the
# conformance cases: our own in tests/conform, and those in the folder SHARED where there is one. The part bats is the
# bats files but for those in SLOW_BATS, which are the part slow; the part ports is the unit tests and some bats files
# again, with another C library (musl) and on 32 bits (m32). Each step leaves its results in BUILD/check/, in the Test
# Anything Protocol. The last step finds what the others have changed of the machine or left behind.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
BUILD=$(realpath "${BUILD:-build}")
SHARED=$(realpath "${SHARED:-../shared}")
RESULTS=$BUILD/check
export BUILD SHARED RESULTS
export BIN=$BUILD/bin COMPAT=$BUILD/compat PYTHONDONTWRITEBYTECODE=1
# Memory that is still held at the end is no error, and the programs handle it themselves when there is none left.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:allocator_may_return_null=1:abort_on_error=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:abort_on_error=1}
# The tests call make themselves, and not as parts of the make that called this script.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# Under sanitizers programs are not confined, and these would test the same again: the build, the picture's script in a
# browser, the checks of lint, flamepipe (a shell script), pipes of programs that have tests of their own, times, and the
# sums of what is printed.
NOT_SANITIZED=$([ -z "${SAN-}" ] ||
    echo 'bats/(browser|build|comparison|confine|examples|flamepipe|flooding|hostile-names|lint|packages|picture|'\
'pipeline|profilers|recipes|stackdiff-live|stackdiff-recipe|totals)')

# The steps that take longest, the longest first. They are begun first, so that none of them runs alone at the end.
LONGEST=(bats/{bounds,hostile-names,dwarf,packages,flamepipe,stackrecord,browser,stackdiff-recipe,source-map-tools}
    lint/clang-tidy bats/{totals,perf-data-options,faults,properties,stackrecord-hostile,perf-data,picture,build,examples}
    bats/{unwind,stackrecord-unwind,nodeprofile,stackrecord-jit,dwarf-hostile,install,srcline,stackreport,perf-script}
    bats/{object-files,datawrite,json-formats,profile-bounds,behaviour}
    lint/{cppcheck,shellcheck})

# Many tests wait for what they record, or for a sleep: twice as many steps as processors run at a time. With three times
# as many each takes more processor time than it gains, and tests that record fail for want of it.
JOBS=$((2 * $(nproc)))

# They build the project again, draw in a browser, record many times, or measure bounds on much input: half a minute and
# more each.
SLOW_BATS='bats/(bounds|browser|build|compressed|faults|hostile-names|install|lint|object-files|picture|properties|source-map-tools|stackdiff-recipe)'

MUSL_BATS=(stackcollapse stackfilter perf-script stackdiff stackreport flamesvg)

names() { # PREFIX FILE ...
    local file
    for file in "${@:2}"; do
        [ -e "$file" ] || continue
        file=${file##*/}
        printf '%s/%s\n' "$1" "${file%.*}"
    done
}

steps() { # PART ...
    local part
    for part; do
        case $part in
        unit) names unit tests/unit/*.c ;;
        bats) names bats tests/*.bats | grep -vxE "$SLOW_BATS" | grep -vxE "$NOT_SANITIZED" ;;
        slow) names bats tests/*.bats | grep -xE "$SLOW_BATS" | grep -vxE "$NOT_SANITIZED" ;;
        fuzz) names fuzz tests/fuzz/seeds/* ;;
        conform)
            echo conform/own
            [ ! -x "$SHARED/check/conform" ] || echo conform/shared
            ;;
        bench) awk '$1 == "instructions" { print "bench/" $2 }' tests/bench/limits ;;
        ports)
            [ ! -e "$BUILD/musl/runs" ] || names musl/unit tests/unit/*.c
            [ ! -e "$BUILD/musl/runs" ] || printf 'musl/bats/%s\n' "${MUSL_BATS[@]}"
            [ ! -e "$BUILD/m32/runs" ] || names m32/unit tests/unit/*.c
            ;;
        lint)
            printf 'lint/%s\n' clang-tidy cppcheck shellcheck eslint mandoc includes layout foreign
            # The port m32 is all of it compiled by gcc, with warnings as errors, but for those that need -O2: .ci/run has
            # make's own build fail for them.
            [[ " $* " = *" ports "* && -e $BUILD/m32/built ]] || echo lint/gcc
            ;;
        *) echo "check.sh: no such part: $part" >&2 && exit 2 ;;
        esac
    done
}

longest_first() { # of the steps on standard input
    awk -v longest="${LONGEST[*]}" '
        BEGIN { n = split(longest, order, " ") }
        { given[$0]; step[NR] = $0 }
        END {
            for (i = 1; i <= n; i++)
                if (order[i] in given) {
                    print order[i]
                    begun[order[i]]
                }
            for (i = 1; i <= NR; i++)
                if (!(step[i] in begun))
                    print step[i]
        }'
}

rm -rf "$RESULTS"
mkdir -p "$RESULTS"
tests/tools.sh | tee "$RESULTS/tools"
# Where python3 is a shell script that looks for the program, as pyenv's is, the program itself is called: it starts in a
# seventh of the time.
[ "$(head -c 2 "$(command -v python3)" 2>/dev/null)" != '#!' ] ||
    PATH=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH
# The tests have a folder for temporary files of their own, which any user may write to, as /tmp: there is no question whose
# the files are that are left in it.
own=$(mktemp -d) || exit 1
trap 'rm -rf "$own"' EXIT
chmod 1777 "$own"
export TMPDIR=$own
tests/unharmed.sh snapshot >"$RESULTS/machine.before"
# Builds first, since the list of steps depends on which of them could be made.
if [[ " $* " = *" ports "* ]]; then
    tests/step.sh port/musl
    tests/step.sh port/m32
fi
list=$(steps "$@") || exit 2
longest_first <<<"$list" | xargs -r -P "$JOBS" -n 1 tests/step.sh
tests/step.sh machine/unharmed

if [[ " $* " = *" conform "* && ! -x $SHARED/check/conform ]]; then
    echo "no folder ../shared (or SHARED=folder) with more conformance cases: only those of tests/conform were run"
fi
tail -n 1 "$RESULTS/tools"
mapfile -t results < <(find "$RESULTS" -name '*.tap' | LC_ALL=C sort)
awk -f tests/count.awk "${results[@]}"
