
# ---- recording

# The user's NODE_OPTIONS and those with which the JavaScript functions of every node have names. A choice that the
# user has made among --perf-basic-prof, --perf-prof and their like is kept.
node_options() {
    options=${NODE_OPTIONS-}
    case $options in
    *--perf[-_]*prof*) ;;
    *) options="$options --perf-basic-prof" ;;
    esac
    case $options in
    *--interpreted[-_]frames*) ;;
    *) options="$options --interpreted-frames-native-stack" ;;
    esac
    printf '%s\n' "${options# }"
}

# Sets `record` to the command line that records the target in the file `data`, and `what` to those of its options that
# perf may refuse. -q: perf's words would mix with the command's. -N: perf copies no binaries to the home folder.
build_record() { # [COMMAND [ARGUMENT ...]]
    what="-F $frequency -g -N"
    case $target in
    processes) what="$what -p $pids" ;;
    all) what="$what -a" ;;
    esac
    record="perf record -q $what -o $(quote "$data")"
    [ "$target" != command ] || record="NODE_OPTIONS=$(quote "$(node_options)") $record"
    [ -z "$seconds" ] || set -- sleep "$seconds"
    [ $# = 0 ] || record="$record --"
    for word; do
        record="$record $(quote "$word")"
    done
}

can_record() { # [COMMAND [ARGUMENT ...]]
    command -v perf > "$work/where" || fail 'perf is missing: install it, or name a file to draw'
    if [ "$target" = command ] && ! command -v "$1" > "$work/where"; then
        status=127
        fail "$1: no such command"
    fi
}

# A command runs in the foreground: it gets the terminal's input and Ctrl-C itself. Processes are recorded in the
# background, so that a signal sent to this script alone ends that, too. What ends the recording does not end this
# script: what has been recorded is drawn.
run_record() {
    trap stop HUP INT TERM
    touch "$work/began"
    if [ "$target" = command ]; then
        eval "$record"
        status=$?
    else
        [ -n "$seconds" ] || note 'recording until Ctrl-C'
        run_in_background
    fi
    trap_signals
    [ -s "$data" ] || explain_refusal
    [ -z "$stopped" ] || status=0
}

run_in_background() {
    eval "exec $record" &
    recorder=$!
    [ -z "$stopped" ] || stop
    until
        wait "$recorder"
        ended=$?
        ! kill -0 "$recorder" 2> "$work/why" # a signal to this script ends wait, too
    do :; done
    [ "$ended" = 0 ] || [ -n "$stopped" ] || status=1
    [ "$status" = 0 ] || say_full
}

stop() {
    stopped=1
    [ -z "$recorder" ] || kill -INT "$recorder" 2> "$work/why"
}

# With -q perf does not say why it records nothing, so it is asked again.
explain_refusal() {
    eval "perf record $what -o \"\$work/trial\" -- true" 2>&1 | sed -n 's/^./perf: &/p' >&2
    fail 'perf recorded nothing'
}

# The file in which --keep keeps the recording: flame.data for flame.svg.
kept_name() {
    case $keep:$output in
    :*) echo perf.data ;;
    *:-) echo flame.data ;;
    *.*) printf '%s\n' "${output%.*}.data" ;;
    *) printf '%s\n' "$output.data" ;;
    esac
}

keep_recording() {
    kept=$(kept_name)
    mv "$data" "$kept" 2> "$work/why" || fail "$kept: $(sed -n '$s/.*: //p' "$work/why")"
    data=$kept
}
