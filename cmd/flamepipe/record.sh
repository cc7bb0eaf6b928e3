
# ---- recording

# The digit of this process's capabilities that has CAP_SYS_PTRACE, number 19 (linux/capability.h): 8 or more if it does.
trace_digit() {
    sed -n 's/^CapEff:.*\([0-9a-f]\)[0-9a-f]\{4\}$/\1/p' /proc/self/status
}

# Sets `map` if every node below the command is to write a perf map: with --write-perf-map, and where the recorder cannot
# read the names of JavaScript functions from node's memory. perf cannot. stackrecord can on x86-64, unless yama forbids it
# (Documentation/admin-guide/LSM/Yama.rst in the kernel's source): with ptrace_scope 1 it may read the memory of the
# command itself, and with CAP_SYS_PTRACE that of others; with 2 nothing without CAP_SYS_PTRACE; with 3 nothing. Sets `logs`
# if V8 leaves logs, see remove_left_files.
choose_map() { # COMMAND [ARGUMENT ...]
    map=$write_map
    [ "$recorder:$(uname -m)" = stackrecord:x86_64 ] || map=1
    scope=$(cat /proc/sys/kernel/yama/ptrace_scope 2> /dev/null)
    case $scope:$(trace_digit) in
    :* | 0:*) ;;
    3:*) map=1 ;;
    *:[89a-f]) ;;
    1:*) is_node "$1" || map=1 ;;
    *) map=1 ;;
    esac
    logs=$map
    case $* in
    *deno*) logs=1 ;;
    esac
}

# The user's NODE_OPTIONS and those with which node writes a perf map with all its functions. A choice that the user has
# made among --perf-basic-prof, --perf-prof and their like is kept. The second option may hang Node 18 to 20 for ever if
# V8's own profiler runs in the command, as its words may say: see check_options in nodeprofile.
node_options() { # COMMAND [ARGUMENT ...]
    options=${NODE_OPTIONS-}
    case $options in
    *--perf[-_]*prof*) ;;
    *) options="$options --perf-basic-prof" ;;
    esac
    case " $options $* " in
    *interpreted[-_]frames*) ;;
    *' --prof '* | *' --cpu'[-_]'prof'*)
        note 'functions that V8 interprets get no names: beside --prof or --cpu-prof, the option for that may hang Node 18 to 20'
        ;;
    *) options="$options --interpreted-frames-native-stack" ;;
    esac
    printf '%s\n' "${options# }"
}

# The user's JAVA_TOOL_OPTIONS and those with which stacks can be walked and Java writes the names of its methods when
# it ends, from version 17 on. The third has older ones ignore the fourth and fifth.
java_options() {
    options='-XX:+PreserveFramePointer -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions'
    printf '%s\n' "${JAVA_TOOL_OPTIONS-}${JAVA_TOOL_OPTIONS:+ }$options -XX:+DumpPerfMapAtExit"
}

# The user's DENO_V8_FLAGS and those with which all JavaScript functions of a deno have names, as in node_options.
deno_flags() { # COMMAND [ARGUMENT ...]
    flags=${DENO_V8_FLAGS-}
    case "$flags $*" in
    *--perf[-_]*prof*) ;;
    *) flags=$flags,--perf-basic-prof ;;
    esac
    case "$flags $*" in
    *interpreted[-_]frames*) ;;
    *) flags=$flags,--interpreted-frames-native-stack ;;
    esac
    printf '%s\n' "${flags#,}"
}

# Prints the variables with which the programs below the command write perf maps or jitdumps: node, see choose_map;
# Python from 3.12 on, unless the user has decided on that. Java says on standard error that it has read its variable, so
# only a command that is java itself gets that. Those of Deno and Bun are for a command that names them.
environment() { # COMMAND [ARGUMENT ...]
    [ -z "$map" ] || printf %s "NODE_OPTIONS=$(quote "$(node_options "$@")") "
    case $* in
    *deno*) printf %s "DENO_V8_FLAGS=$(quote "$(deno_flags "$@")") " ;;
    esac
    case $* in
    *bun*)
        [ -n "${BUN_JSC_useJITDump-}" ] || printf %s 'BUN_JSC_useJITDump=1 '
        [ -n "${BUN_JSC_jitDumpDirectory-}" ] || printf %s 'BUN_JSC_jitDumpDirectory=/tmp '
        ;;
    esac
    [ -n "${PYTHONPERFSUPPORT-}" ] || printf %s 'PYTHONPERFSUPPORT=1 '
    [ -z "$java" ] || printf %s "JAVA_TOOL_OPTIONS=$(quote "$(java_options)") "
}

# Sets `record` to the command line that records the target in the file `data`.
build_record() { # [COMMAND [ARGUMENT ...]]
    case $recorder:$target in
    nodeprofile:command) build_node "$@" ;;
    *:command)
        choose_map "$@"
        "build_$recorder" "$@"
        record="$(environment "$@")$record"
        ;;
    *) "build_$recorder" ;;
    esac
    case $target:$digest$output in
    command:- | command:1*) record="$record >&2" ;; # the command's own output must not come into the picture or the digest
    esac
}

# With -o the default is not the clock but cycles.
build_stackrecord() { # [COMMAND [ARGUMENT ...]]
    record="$(quote "$program") $(recorder_options)"
    [ "$form" = data ] || record="$record${inline:+--inline }${line_page:+--lines }"
    [ "$form$event$wall$off_cpu" != data ] || record="$record-e cpu-clock "
    record=${record% }
    [ -z "$quiet$advised" ] || record="$record -q"
    [ -z "$seconds" ] || record="$record --duration $seconds"
    [ -n "$print" ] || record="$record --parent $$"
    case $form$print$compare$default_title:$stalls$digest in
    text1: | *:?*) record="$record --header" ;;
    esac
    [ "$form" = data ] && to=-o || to=--text
    record="$record $to $(quote "${live:-$data}")"
    [ $# = 0 ] || record="$record --$(quote_all "$@")"
}

# A sample every millisecond unless --freq says otherwise; of the heap, as often as nodeprofile chooses.
build_nodeprofile() {
    record="$(quote "$program")${quiet:+ -q}${heap:+ --heap}${seconds:+ -d $seconds}${freq:+ -i $((1000000 / freq))} ${pid:-${pids:-"\$(pgrep -n $(quote "$process"))"}}"
    record="$record > $(quote "$data")"
}

# -q: perf's words would mix with the command's. perf has no --duration: it records until `sleep` ends, or `timeout` ends
# the command. setpriv ends it when this script is killed, as --parent does.
build_perf() { # [COMMAND [ARGUMENT ...]]
    record="perf record -q $(recorder_options)-o $(quote "$data")"
    case $seconds:$target in
    :*) ;;
    *:command) set -- timeout --foreground "$seconds" "$@" ;;
    *) set -- sleep "$seconds" ;;
    esac
    [ $# = 0 ] || record="$record --$(quote_all "$@")"
    [ -n "$print" ] || ! setpriv --pdeathsig TERM true 2> "$work/why" || record="setpriv --pdeathsig TERM $record"
}

# Those that may be refused. Of an event each occurrence may be wanted, so the recorder chooses how often. -N: perf copies
# no binaries to the home folder.
recorder_options() {
    printf %s "${pids:+-p $pids }${all:+-a }${process:+-n $(quote "$process") }${cgroup:+--cgroup $(quote "$cgroup") }"
    [ -z "$event" ] || printf %s "-e $(quote "$event") "
    [ "$freq$event$off_cpu" != '' ] || printf %s '-F 99 '
    printf %s "${freq:+-F $freq }${wall:+--wall }${stalls:+--turns=$stalls }${off_cpu:+--off-cpu }"
    [ "$recorder" != perf ] || printf %s '-g -N '
}

# Sets `recorder` and `program`, which is what runs: stackrecord where it may record, else perf. With --print nothing is
# tried.
choose_recorder() { # [COMMAND [ARGUMENT ...]]
    if [ -n "$inspect" ]; then
        choose_nodeprofile "$@"
        return
    fi
    recorder=stackrecord program=stackrecord
    if toolkit 'command -v stackrecord' > /dev/null; then
        [ -z "$print" ] || return 0
        [ ! -x "$here/stackrecord" ] || program=$here/stackrecord
        refusal=$(try_stackrecord 2>&1) && return
        case $?:$refusal in
        2:*'option --event'*) ;; # perf may know it
        2:*)
            status=2
            fail "$(printf '%s\n' "$refusal" | sed -n '1s/^stackrecord: //p')"
            ;;
        esac
    fi
    [ -n "$wall$off_cpu$process$cgroup" ] || recorder=perf # which has no such options
    [ "$recorder:$refusal" != perf: ] || ! command -v perf > /dev/null || return 0
    if [ "$recorder" = stackrecord ] || ! command -v perf > /dev/null || ! try_perf > /dev/null 2>&1; then
        choose_without_kernel "$@"
        return
    fi
    note "perf records, since stackrecord may not: ${refusal#stackrecord: }"
}

choose_nodeprofile() { # [COMMAND [ARGUMENT ...]]
    recorder=nodeprofile program=nodeprofile kind=other inspect=1
    if [ -n "$heap" ]; then bytes=1; else micros=1; fi
    check_node "$@"
    [ -n "$print" ] || mkdir "$work/profiles"
    [ -n "$print" ] || [ ! -x "$here/nodeprofile" ] || program=$here/nodeprofile
    [ -n "$print" ] || [ "$target" = command ] || choose_inspected
}

# Where the kernel forbids sampling, has a command that is node record itself; of others, and of processes, says that
# --inspect would.
choose_without_kernel() { # [COMMAND [ARGUMENT ...]]
    case $refusal in
    *perf_event_*) ;;
    *) explain_refusal ;;
    esac
    if [ "$target$wall$off_cpu$event$compare" = command ] && is_node "$1"; then
        note "the kernel forbids sampling, so node records itself, as with --inspect: JavaScript alone; ${refusal#stackrecord: }"
        choose_nodeprofile "$@"
        return
    fi
    printf '%s\n' "$refusal" >&2
    status=1
    fail "nothing was recorded; node needs no permission with --inspect: 'flamepipe --inspect -- node app.js', or -p PID"
}

# Records for a moment, to see whether that is permitted.
try_stackrecord() {
    case $target in
    command) eval "$(quote "$program") -q $(recorder_options) -- true" ;;
    *) eval "$(quote "$program") -q $(recorder_options) --duration 0.01" ;;
    esac > /dev/null
}

try_perf() {
    eval "perf record $(recorder_options) -o \"\$work/trial\" -- true"
}

# Says why nothing was recorded. nodeprofile has said it. With -q perf has not said it, so it is asked again.
explain_refusal() {
    if [ "$recorder" = nodeprofile ]; then
        :
    elif [ -n "$refusal" ]; then
        printf '%s\n' "$refusal" >&2
    elif [ "$recorder" = perf ] && command -v perf > /dev/null; then
        try_perf 2>&1 | grep . >&2
    else
        say 'stackrecord is missing: it must be beside flamepipe, or on PATH'
    fi
    status=1
    fail 'nothing was recorded'
}

# A command runs in the foreground: it gets the terminal's input and Ctrl-C itself. Processes are recorded in the
# background, so that a signal sent to this script alone ends that, too. What ends the recording does not end this
# script: what has been recorded is drawn.
run_record() {
    touch "$work/began"
    when=$(date '+%Y-%m-%d %H:%M:%S') began=$(date +%s)
    [ -z "$live" ] || watch_stalls
    trap_stop
    if [ "$target" = command ]; then
        eval "$record"
        status=$?
        case $status:$recorder:${seconds:+timeout} in
        124:perf:timeout | 124:nodeprofile:timeout) status=0 ;; # timeout has ended the command
        esac
    elif [ -n "$inspect" ]; then
        run_inspect
    else
        note "recording ${seconds:+for $seconds s, or }until Ctrl-C"
        run_in_background
    fi
    trap_exit
    [ -z "$live" ] || end_watch
    [ -z "$inspect" ] || join_profiles
    [ "$recorder" = stackrecord ] || [ -s "$data" ] || explain_refusal
    [ -z "$stopped" ] || status=0
    [ -z "$default_title" ] || [ -n "$compare" ] || extend_title
}

# Adds to the title the command lines of the processes, which stackrecord has written, and when and how long they were
# recorded.
extend_title() {
    names=''
    [ "$recorder:$target:$form" != stackrecord:processes:text ] ||
        names=$(sed -n '/^#/!q; s/^# process : \([0-9]*\) : \(.*\)/\2 (process \1)/p' "$data" | sed -n '$!{s/$/, /;}; p' | tr -d '\n')
    [ -z "$names" ] || target_title=$(cut_title "$names")
    passed=$(($(date +%s) - began))
    case $seconds in
    '' | *.*) ;;
    *) [ "$passed" -le "$seconds" ] || passed=$seconds ;; # the rest is the start and end of the recorder
    esac
    title="$target_title$kind_title, $when, $passed s"
    rate=$freq
    [ -n "$rate$event" ] || rate=99
    [ "$recorder" != nodeprofile ] && [ -z "$off_cpu" ] && [ -n "$rate" ] || return 0
    title="$title at $rate Hz"
}

# Prints each stall when it has ended: the recorder writes to a FIFO, from which the recording is copied to its file. What
# runs in the background does not get Ctrl-C.
watch_stalls() {
    mkfifo "$live" || fail "$live: no FIFO can be made"
    toolkit 'tee "$data" < "$live" | stackreport --stalls="$stalls" --live > "$work/watched"' &
    watcher=$!
}

# Waits until all that was recorded is in its file. A recorder that could not start has not opened the FIFO, for which its
# reader would wait.
end_watch() {
    : <> "$live"
    wait "$watcher"
}

run_in_background() {
    eval "exec $record" &
    background=$!
    [ -z "$stopped" ] || kill "$background"
    until
        wait "$background"
        ended=$?
        ! kill -0 "$background" 2> "$work/why" # a signal to this script ends wait, too
    do :; done
    [ "$ended" = 0 ] || [ -n "$stopped" ] || status=1
    [ "$status" = 0 ] || say_full
}

# The recorder may have got the signal, too, as all programs of a terminal get Ctrl-C. A second one of the same kind
# would end it at once, so it gets another.
trap_stop() {
    trap 'stop INT' HUP TERM
    trap 'stop TERM' INT
}

# A further Ctrl-C within a second is ignored: the key may have been pressed twice.
stop() { # SIGNAL
    [ -z "$stopped" ] || return 0
    stopped=1
    [ -z "$background" ] || kill -s "$1" "$background" 2> "$work/why"
    sleep 1 &
    grace=$!
}

# Sets `form` to that of the recording: text, in which all names are known while the command still runs; data, which
# gets the names that perf maps have at the end; or profile, a .cpuprofile or .heapprofile. stackrecord prints waits as text only.
choose_form() {
    form=text
    [ -z "$java" ] || [ -n "$micros" ] || form=data
    [ "$recorder" != perf ] || form=data
    [ "$recorder" != nodeprofile ] || form=profile
}

# What the names of files begin with that --keep keeps: the name of the picture, without its ending.
kept_stem() {
    case $keep:$output in
    :*) echo out ;;
    1:- | 1:/dev/*) echo flame ;;
    *) printf '%s\n' "$output" | sed '$s,\([^/]\)\.[^./]*$,\1,' ;;
    esac
}

# The file in which --keep keeps the recording.
kept_name() {
    case $form in
    text) ending=perf ;;
    data) ending=data ;;
    profile) if [ -n "$heap" ]; then ending=heapprofile; else ending=cpuprofile; fi ;;
    esac
    printf '%s.%s\n' "$(kept_stem)" "$ending"
}

# Moves a temporary file, in place of a file or link.
move_file() { # FILE TO
    mv -fT -- "$1" "$2" 2> "$work/why" || fail "$2: $(sed -n '$s/.*: //p' "$work/why")"
}

# Moves the recording to the file that is set.
keep_recording() {
    move_file "$data" "$kept"
    data=$kept
}
