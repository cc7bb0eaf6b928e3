# Every bats file here starts with: load lib
bats_require_minimum_version 1.5.0

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BIN=${BIN:-$ROOT/build/bin}          # the programs
COMPAT=${COMPAT:-$ROOT/build/compat} # the same under the Perl scripts' names
BUILD=${BUILD:-${BIN%/bin}}          # where they were built
DATA=$ROOT/tests/data
PATH=$BIN:$PATH
EVERY_TOOL=$PATH # some tests leave out a part of it
export LC_ALL=C
# The same browser without a window's machinery takes half the processor time for a page.
CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell || echo chromium)}
export CHROMIUM

# For test files that have no other.
setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Runs a program and sets $status, $output (its standard output) and $stderr (its standard error), and, without those that
# are empty, the lines of both: $lines and $stderr_lines. The run of bats takes three times as long.
try() {
    local IFS=$' \t\n' - try_stderr=$BATS_RUN_TMPDIR/stderr.$BASHPID
    status=0
    output=$("$@" 2> "$try_stderr") || status=$?
    IFS=$'\n' read -d '' -r stderr < "$try_stderr" || true
    set -f
    IFS=$'\n'
    # shellcheck disable=SC2206 # they are to be split
    lines=($output) stderr_lines=($stderr)
}

# bash calls this for a command that is not found. If it is one of those that tools.sh installs, and not just left out of
# the test's PATH, step.sh counts the test, which then fails, as skipped.
command_not_found_handle() { # COMMAND...
    if ! PATH=$EVERY_TOOL command -v "$1" > /dev/null && grep -qF " $1:" "$ROOT/tests/tools.sh"; then
        { echo "# missing: $1" >&3; } 2> /dev/null
    fi
    echo "$1: command not found" >&2
    return 127
}

# Waits until the command succeeds, for 20 seconds at most.
soon() { # COMMAND...
    local end=$((SECONDS + 20))
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.02
    done
}

# Copies what was built, without the tests, as up to date as it is.
copy_build() { # FROM TO
    local part
    mkdir "$2"
    for part in bin cmd common common.a compat completion flags gen ldflags sources version; do
        [ ! -e "$1/$part" ] || cp -a "$1/$part" "$2"
    done
}

# Removes the perf maps of processes that have ended. Perf script text with their JIT-compiled code is on standard input.
remove_maps() {
    grep -o '(/tmp/perf-[0-9]*\.map)$' | sort -u | tr -d '()' | xargs -r rm -f
}

# Prints our command of each row of a manual page in which it stands beside one of perf, a line each.
beside_perf() { # PAGE
    sed -n '/^\.It Li "*perf /{ / Ta Li /!N; s/.*\n\.Li //; s/.* Ta Li "\(.*\)"$/\1/; s/\\-/-/g; s/\\&//g; p; }' "$ROOT/man/$1"
}

# Skips the test where the kernel forbids to record, if that is what stackrecord said in the file. Whatever else it said
# is a fault.
needs_recording() { # FILE, which may be a pipe
    local said
    said=$(< "$1")
    [ -n "$said" ] || return 0
    ! grep -qE 'kernel\.perf_event_|perf_event_open|tracefs|/tracing' <<< "$said" ||
        skip "the kernel does not permit it here: ${said%%$'\n'*}"
    echo "$said"
    return 1
}

# Skips the test where the kernel does not let this user record a command. It is asked once for a test file.
needs_recorder() {
    local why=$BATS_FILE_TMPDIR/recorder.why
    [ -e "$why" ] || stackrecord -q -- true > /dev/null 2> "$why" || :
    needs_recording "$why"
}

# Lets other users reach the folders of this test and its test file: mktemp has made the folder around them for our user
# alone. Skips the test where a folder above that is closed, which is not ours to open.
let_others_in() {
    chmod a+rx "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/{file,test} "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR"
    [ "$(id -u)" != 0 ] || setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$BATS_TEST_TMPDIR" ||
        skip "other users cannot reach $BATS_TEST_TMPDIR"
}

# Runs a shell command at a terminal of its own, where standard input is typed. The shell survives Ctrl-C.
at_terminal() { # COMMAND
    command -v script > /dev/null || skip 'no script(1) on this machine'
    SHELL=$BASH script -qec "trap : INT; $1" /dev/null
}

# Fails if the two texts differ, and shows how.
same() { # WANTED GOT
    [ "$1" = "$2" ] || { diff <(printf '%s\n' "$1") <(printf '%s\n' "$2") | head -40; return 1; }
}

# Fails unless the text is the pattern's, in which a "*" at the start or the end lets each "*" stand for any text.
like() { # PATTERN TEXT
    [[ $1 == \** || $1 == *\* ]] || { same "$1" "$2"; return; }
    local pattern=${1//\\/\\\\}
    pattern=${pattern//[/\\[}
    pattern=${pattern//\?/\\?}
    # shellcheck disable=SC2053 # it is a pattern
    [[ $2 == $pattern ]] || same "$1" "$2"
}

# Fails unless the command ends with this status, and prints this text and these messages, both as for like().
answers() { # STATUS TEXT MESSAGES COMMAND...
    try "${@:4}"
    like "$2" "$output"
    like "$3" "$stderr"
    same "$1" "$status"
}

# Fails unless the command prints this text, and no message.
prints() { # TEXT COMMAND...
    answers 0 "$1" '' "${@:2}"
}

# Fails if the file is not well-formed XML, and shows where.
well_formed() { # FILE
    xmllint --huge --noout "$1"
}

# Skips the test where there is no node or no browser: Chromium, or Firefox if BROWSER=firefox is set.
needs_browser() {
    command -v node > /dev/null || skip 'no node to drive a browser with'
    if [ "${BROWSER-}" = firefox ]; then
        command -v "${FIREFOX:-firefox-esr}" > /dev/null || skip 'no firefox'
    else
        command -v "$CHROMIUM" > /dev/null || skip 'no chromium'
    fi
    [[ ! $(command -v fc-list) || $(fc-list) ]] || skip 'no fonts, without which a browser takes no text'
}

# In setup_file: starts one browser for all tests of the file. Firefox has one session only: each test has its own.
share_browser() {
    command -v node > /dev/null && [ "${BROWSER-}" != firefox ] || return 0
    export BROWSER_SOCKET=$BATS_FILE_TMPDIR/browser
    node "$ROOT/tests/browser/serve.js" "$BROWSER_SOCKET" > /dev/null 2>&1 3>&- &
    echo $! > "$BROWSER_SOCKET.pid"
    soon [ -S "$BROWSER_SOCKET" ]
}

# In teardown_file.
end_browser() {
    local pid
    [ -e "${BROWSER_SOCKET-}.pid" ] || return 0
    pid=$(< "$BROWSER_SOCKET.pid")
    kill "$pid"
    soon eval "! kill -0 $pid 2> /dev/null"
}

# Steps in a picture of the test file's folder.
browse() { # FILE STEP...
    cd "$BATS_FILE_TMPDIR" || return
    try node "$ROOT/tests/browser/browse.js" "$@"
}

# Checks what the steps print, and that the page threw nothing.
says() { # WANTED FILE STEP...
    browse "${@:2}"
    same '' "$stderr"
    same "$1" "$output"
    [ "$status" -eq 0 ]
}
