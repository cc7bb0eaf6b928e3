# For tests of flamepipe, after "load lib".

# Makes, in FAKE, recorders that record nothing: they hand out a recording of tests/data and run the command. flamepipe takes
# the machine for an x86-64, and the files yama and status in FAKE for those of /proc: no yama, and no capability. The
# recording of perf has libraries in a folder that is nowhere, and other build-ids: on a machine with the debug information of
# the C library that was recorded, to read that takes longer than all else that flamepipe does.
make_recorders() {
    export HOME=$BATS_FILE_TMPDIR DATA
    FAKE=$BATS_FILE_TMPDIR/fake
    RECORDED=$FAKE/two-events.data
    export FAKE RECORDED
    local recorder
    mkdir -p "$FAKE"
    sed 's,/usr/lib/,/nowhere/,g; s,\x93\xac\x61\xec,none,g; s,\x7e\xbc\x65\xe5,none,g' "$DATA/two-events.data" > "$RECORDED"
    printf 'CapEff:\t0000000000000000\n' > "$FAKE/status"
    for recorder in perf stackrecord none; do
        mkdir -p "$FAKE/$recorder"
        ln -s "$BIN"/* "$FAKE/$recorder"
        rm -f "$FAKE/$recorder"/{stackrecord,flamepipe}
        sed "s,/proc/sys/kernel/yama/ptrace_scope,\$FAKE/yama,; s,/proc/self/status,\$FAKE/status," \
            "$BIN/flamepipe" > "$FAKE/$recorder/flamepipe"
        printf '#!/bin/sh\necho "${MACHINE-x86_64}"\n' > "$FAKE/$recorder/uname"
        chmod +x "$FAKE/$recorder"/{flamepipe,uname}
    done
    cat > "$FAKE/perf/perf" <<- 'END'
	#!/bin/sh
	# perf record ... -o FILE ... [-- COMMAND ...]
	printf '%s\n' "$*" >> "$LOG"
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
	    [ "$1" != -o ] || data=$2
	    shift
	done
	cp "$RECORDED" "$data"
	[ $# = 0 ] || shift
	"$@"
	END
    perf-script -q "$DATA/two-events.data" > "$FAKE/two-events.perf"
    cat > "$FAKE/stackrecord/stackrecord" <<- 'END'
	#!/bin/sh
	# stackrecord ... [--text FILE] [-- COMMAND ...]
	printf '%s\n' "$*" >> "$LOG"
	text=/dev/null
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
	    [ "$1" != --text ] || text=$2
	    shift
	done
	cat "${RECORDING:-$FAKE/two-events.perf}" > "$text"
	[ $# = 0 ] || shift
	"$@"
	END
    chmod +x "$FAKE"/*/{perf,stackrecord} 2> "$FAKE/why" || true
}

# Takes the recorder that records nothing.
use() { # perf|stackrecord
    PATH=$FAKE/$1:$ELSEWHERE
    rm -f "$LOG"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir tmp
    export TMPDIR=$PWD/tmp LOG=$PWD/log
    ELSEWHERE=${PATH//"$BIN":/}
    rm -f "$FAKE/yama"
    use perf
}

# However flamepipe ended: no temporary file is left, and no process. With --keep the perf map of a node is left, whose number
# is then in the file "pid".
teardown() {
    [ ! -s "$BATS_TEST_TMPDIR/pid" ] || rm -f "/tmp/perf-$(< "$BATS_TEST_TMPDIR/pid").map"
    [ -z "${SPINNER-}" ] || kill "$SPINNER"
    ! mountpoint -q "$BATS_TEST_TMPDIR/small" || umount "$BATS_TEST_TMPDIR/small"
    same '' "$(ls -A "$TMPDIR")"
}

# What was printed on standard error before the table of functions.
messages() {
    sed '/^ *self  /,$d' <<< "$stderr"
}

# The pipe of flamepipe(1), by hand.
by_hand() { # FILE TITLE
    perf-script -q --inline "$1" | stackfilter -q --node | stackcollapse -q --kernel |
        flamesvg -q --colors=node --title="$2"
}

# What stackrecord was asked for last, but for the number of the process with which it is to end, and its file.
asked() {
    sed -n '$s/ --parent [0-9][0-9]* --header --text [^ ]*\/recording//p' "$LOG"
}

titles() { # PICTURE
    grep -o '<title>[^<]*' "$1"
}

