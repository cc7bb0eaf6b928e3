#!/usr/bin/env bash
# Runs a bats file and prints its results in the Test Anything Protocol, like "bats --tap", in at
# most half the CPU time: each test runs in a fork of this shell, which has read the file once,
# while bats starts a new shell that reads it again; and no trap is called before each command. It
# supports what the tests use of bats: load, run, skip, setup, teardown, setup_file, teardown_file,
# and the variables below. All names here begin with "bats_", since the tests share the shell.
#
# Code outside of functions runs once, before setup_file, and not again for each test.
#
# usage: runbats.sh [-f REGULAR-EXPRESSION] FILE      -f: only the tests whose titles match
# shellcheck disable=SC2317,SC2034 # the tests call the functions, and read the variables
set -u
bats_filter=
if [ "${1-}" = -f ]; then
    bats_filter=$2
    shift 2
fi
BATS_TEST_FILENAME=$(realpath "$1") || exit 1
BATS_TEST_DIRNAME=${BATS_TEST_FILENAME%/*}
BATS_RUN_TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/bats-run-XXXXXX") || exit 1
BATS_FILE_TMPDIR=$BATS_RUN_TMPDIR/file/0
export BATS_TEST_FILENAME BATS_TEST_DIRNAME BATS_RUN_TMPDIR BATS_FILE_TMPDIR
export BATS_TEST_TMPDIR BATS_TEST_DESCRIPTION BATS_TEST_NUMBER=0
mkdir -p "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR/test"
# The output of a test, and what it writes to descriptor 3. Both are files: if a test leaves a
# process behind that keeps them open, no reader of our output has to wait for it.
bats_output=$BATS_RUN_TMPDIR/output bats_results=$BATS_RUN_TMPDIR/results
exec 3>>"$bats_results"
set +u

bats_require_minimum_version() { :; }
setup() { :; }
teardown() { :; }
setup_file() { :; }
teardown_file() { :; }

load() { # FILE
    local file=$1
    [[ $file = /* ]] || file=$BATS_TEST_DIRNAME/$file
    [ -f "$file" ] || file=$file.bash
    # shellcheck disable=SC1090
    source "$file"
}

skip() { # [REASON]
    bats_skipped=" # skip${1:+ $1}"
    exit 0
}

# Sets $status, $output, $lines, and with --separate-stderr $stderr. Fails if the status differs
# from that of -N, or if it is 0 with "!".
run() { # [!|-N] [--separate-stderr] COMMAND...
    local wanted='' errors=/dev/fd/1
    while :; do
        case ${1-} in
        '!' | -[0-9]*) wanted=$1 ;;
        --separate-stderr) errors=$BATS_RUN_TMPDIR/run.$BASHPID ;;
        *) break ;;
        esac
        shift
    done
    status=0
    if [ "$errors" = /dev/fd/1 ]; then
        output=$("$@" 2>&1) || status=$?
    else
        output=$("$@" 2>"$errors") || status=$?
        stderr=$(<"$errors")
    fi
    mapfile -t lines < <(grep . <<<"$output")
    case $wanted in
    '') ;;
    '!') [ "$status" != 0 ] ;;
    *) [ "$status" = "${wanted#-}" ] ;;
    esac || { printf 'status %d of %s:\n%s\n' "$status" "$*" "$output" && return 1; }
}

# Remembers the place of the first failed command that ends the test, and its callers.
bats_error() { # COMMAND [LINE] [WHAT]
    local i line=$2
    [ -z "$bats_where" ] || return 0
    bats_where="'$1' ${3:-failed}"
    for ((i = 1; i < ${#FUNCNAME[@]}; i++)); do
        [ "${FUNCNAME[i]}" != bats_end_test ] || continue
        bats_where+=$'\n'"in ${FUNCNAME[i]}, ${BASH_SOURCE[i]/#\/dev\/fd\/*/$BATS_TEST_FILENAME}${line:+, line $line}"
        [[ ${FUNCNAME[i]} != bats_test_* ]] || break
        line=${BASH_LINENO[i]}
    done
}

# Prints why a test failed, and its output. Line numbers in the copy of the file that bash reads are
# the same as in the file.
bats_not_ok() { # NUMBER TITLE WHY
    printf 'not ok %d %s\n' "$1" "$2"
    { cat "$bats_output" && printf '%s\n' "$3"; } | sed "s,^/dev/fd/[0-9]*: ,$BATS_TEST_FILENAME: ,; s/^/# /"
}

# Ends a test. Its shell exits.
bats_end_test() { # COMMAND
    local status=$? after=0
    trap - ERR EXIT
    if [ -z "$bats_completed$bats_skipped" ]; then
        [ "$status" != 0 ] || status=1
        bats_error "$1" '' 'ended the test' # where bash knows no line
    fi
    teardown || after=$?
    [ "$after" = 0 ] || [ "$status" != 0 ] || { status=$after && bats_where='teardown failed'; }
    if [ "$status" = 0 ]; then
        echo "ok $BATS_TEST_NUMBER $BATS_TEST_DESCRIPTION$bats_skipped" >&3
    else
        bats_not_ok "$BATS_TEST_NUMBER" "$BATS_TEST_DESCRIPTION" "${bats_where:-status $status}" >&3
    fi
    exit "$status"
}

# Ends the file: the last test is done, or a function for all tests has failed or skips them.
# Standard output may still be the function's.
bats_end_file() {
    local status=$? i
    trap - ERR EXIT
    if [ "$bats_stage" = setup_file ] && [ -n "$bats_skipped" ]; then
        for i in "${!bats_wanted[@]}"; do
            echo "ok $((i + 1)) ${bats_titles[bats_wanted[i] - 1]}$bats_skipped"
        done
    elif [ -n "$bats_stage" ]; then
        bats_not_ok "$((BATS_TEST_NUMBER + 1))" "$bats_stage failed" "${bats_where:-status $status}"
        status=1
    fi >&3
    exit "$status"
}

bats_titles=() bats_where='' bats_skipped='' bats_completed='' bats_failed=0 bats_stage='reading the file'
# timeout also ends the test, which then prints where it was.
bats_terminated=''
trap bats_terminated=1 TERM
(
    trap bats_end_file EXIT
    trap bats_terminated=1 TERM
    trap 'bats_error "$BASH_COMMAND" "$LINENO"' ERR
    set -eE
    # Keep the line numbers.
    # shellcheck disable=SC1090
    source <(awk -v quotes=\"\' '
        match($0, /^@test +/) && (end = index($0, (quote = substr($0, RLENGTH + 1, 1)) " {")) && index(quotes, quote) {
            titles = titles "bats_titles+=(" substr($0, RLENGTH + 1, end - RLENGTH) ")\n"
            print "bats_test_" ++n "() {" substr($0, end + 3)
            next
        }
        { print }
        END { printf "%s", titles }' "$BATS_TEST_FILENAME") >"$bats_output" 2>&1
    bats_wanted=()
    for ((bats_i = 1; bats_i <= ${#bats_titles[@]}; bats_i++)); do
        [[ ! ${bats_titles[bats_i - 1]} =~ $bats_filter ]] || bats_wanted+=("$bats_i")
    done
    echo "1..${#bats_wanted[@]}"
    bats_stage=setup_file
    setup_file >"$bats_output" 2>&1
    bats_stage=''
    for bats_i in "${bats_wanted[@]}"; do
        ((++BATS_TEST_NUMBER))
        BATS_TEST_DESCRIPTION=${bats_titles[bats_i - 1]} BATS_TEST_TMPDIR=$BATS_RUN_TMPDIR/test/$BATS_TEST_NUMBER
        mkdir "$BATS_TEST_TMPDIR"
        bats_where=''
        set +e # for ours: bash ignores errors in what stands before || or after if
        # Here, bash reports a shell that was killed.
        { (
            trap 'bats_end_test "$BASH_COMMAND"' EXIT
            set -e
            setup
            "bats_test_$bats_i"
            bats_completed=1
        ) >"$bats_output" 2>&1; } 2>/dev/null
        bats_status=$?
        [ "$bats_status" = 0 ] || bats_failed=1
        # A shell that was killed has not printed a result.
        [[ $'\n'$(<"$bats_results") = *$'\n'@(ok|not ok)' '* ]] ||
            bats_not_ok "$BATS_TEST_NUMBER" "$BATS_TEST_DESCRIPTION" "status $bats_status" >&3
        cat "$bats_results"
        : >"$bats_results"
        [ -z "$bats_terminated" ] || exit 143
        set -e
    done
    bats_where='' bats_stage=teardown_file
    teardown_file >"$bats_output" 2>&1
    bats_stage=''
    exit "$bats_failed"
)
bats_status=$?
cat "$bats_results"
rm -rf "$BATS_RUN_TMPDIR"
exit "$bats_status"
