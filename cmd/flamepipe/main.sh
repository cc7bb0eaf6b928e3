
# ---- the work

# Prints the files in a folder that fit the pattern, are this user's, and were written since the recording began. Only
# root and this user can make such a file, so no other user chooses what is removed. No name has a newline in it.
find_left_files() { # FOLDER PATTERN
    find "$1/." ! -name . -prune -name "$2" ! -name '*[!0-9a-z.-]*' \
        -type f -user "$(id -u)" -links 1 -newer "$work/began" 2> "$work/why"
}

# True if V8 has logged nothing in its log file. Reads a copy, with limits: in a folder that others may write, the file
# may have been replaced by another one, such as a FIFO.
is_empty_log() { # FILE
    timeout 5 head -c 1000000 "$1" 2> "$work/why" > "$work/log" || return
    ! grep -qvE '^(v8|heap|new|delete)[-,]' "$work/log"
}

# What `environment` sets has Node, Deno, Python and Java leave their perf maps in /tmp, perf-PID.map, and Bun its jitdump
# there, jit-TID-PID.dump. Because of --perf-basic-prof Node and Deno also leave a log of V8 in the current folder,
# isolate-0xADDRESS-PID-v8.log: NODE_OPTIONS may not name another place. This removes the maps and dumps, and the logs in
# which nothing is logged, of the processes that were recorded. In a pid namespace of its own a process has another PID
# in these names, which is not known here, so its files stay.
remove_left_files() {
    toolkit 'perf-script -q -G -F pid "$work/recording" | tr -d " "' > "$work/pids" 2> "$work/why"
    {
        find_left_files /tmp 'perf-*.map'
        [ -n "${BUN_JSC_jitDumpDirectory-}" ] || find_left_files /tmp 'jit-*-*.dump'
        [ -z "$logs" ] || find_left_files . 'isolate-0x*-v8.log'
    } | while read -r file; do
        pid=${file%-v8.log}
        pid=${pid%.map}
        pid=${pid%.dump}
        grep -qxF -e "${pid##*-}" "$work/pids" || continue
        case $file in
        *.log) is_empty_log "$file" && rm -f "$file" ;;
        *) rm -f "$file" ;;
        esac
    done
}

clean() {
    case $target:$compare:$keep$stays in
    command:1:* | command::) [ ! -s "$work/recording" ] || remove_left_files ;;
    esac
    if [ -z "$stays" ]; then
        rm -rf "$work"
        return
    fi
    for file in "$work"/*; do
        [ "$file" = "$stays" ] || rm -rf "$file"
    done
}

trap_exit() {
    trap 'exit 129' HUP
    if [ -n "$grace" ]; then trap '' INT; else trap 'exit 130' INT; fi
    trap 'exit 141' PIPE
    trap 'exit 143' TERM
}

# Ends by a signal as if that were not caught, but without leaving files.
end_by() { # SIGNAL
    trap - EXIT "$1"
    [ -z "$background" ] || kill "$background" 2> "$work/why"
    clean
    kill -s "$1" $$
}

# Catches the other signals that would end the script; not those of its own faults, which would come again and again.
# From 34 on they are the real-time signals.
trap_others() {
    number=34
    set -- QUIT ABRT USR1 USR2 ALRM XCPU XFSZ VTALRM PROF PWR SYS
    while [ "$number" -le 64 ]; do
        set -- "$@" "$number"
        number=$((number + 1))
    done
    for signal; do
        # shellcheck disable=SC2064 # the signal is this one
        trap "end_by $signal" "$signal"
    done
}

# Sets `here` to the folder of this script, through symbolic links.
find_here() {
    case $0 in
    */*) here=${0%/*} ;;
    *) here=. ;;
    esac
    [ ! -L "$0" ] || here=$(dirname "$(readlink -f "$0")")
    case $here in
    /*) ;;
    *) here=$PWD/$here ;;
    esac
    for program in perf-script stackfilter stackcollapse flamesvg stackreport ${inspect:+nodeprofile} \
        ${compare:+stackdiff}; do
        toolkit "command -v $program" > /dev/null ||
            fail "$program is missing: it must be beside flamepipe, or on PATH"
    done
}

# Sets `folder` to that of the file.
find_folder() { # FILE
    case $1 in
    */*) folder=${1%/*}/ ;;
    *) folder=./ ;;
    esac
    [ -d "$folder" ] || fail "$1: there is no folder $folder"
}

# Makes sure that a recording would not be for nothing.
can_write() {
    case $output in
    - | /dev/stdout | /dev/stderr | /dev/fd/*) return ;;
    esac
    find_folder "$output"
    [ ! -d "$output" ] || fail "$output: this is a folder"
    if [ -L "$output" ] || [ -p "$output" ]; then
        case $output in
        /*) path=$output ;;
        *) path=./$output ;;
        esac
        owned=$(find "$path" -prune \( -user 0 -o -user "$(id -u)" \))
        [ -n "$owned" ] || fail "$output: this is another user's link or FIFO"
    fi
    if [ -e "$output" ]; then [ -w "$output" ]; else [ -w "$folder" ]; fi || fail "$output: no permission to write it"
}

# Sets `kept` to the file in which a recording is kept, in place of a file or link, and makes sure that it can be.
can_keep() { # FILE
    kept=$1
    [ "$kept" != "$output" ] || fail "$kept: this is the name of the picture; the recording would have it too"
    find_folder "$kept"
    [ ! -d "$kept" ] || [ -L "$kept" ] || fail "$kept: this is a folder"
    [ -w "$folder" ] || fail "$kept: no permission to write it"
}

can_start() { # COMMAND
    [ -z "$print" ] || return 0
    case $1 in
    */*)
        [ ! -e "$1" ] || { [ -x "$1" ] && [ ! -d "$1" ]; } || {
            status=126
            fail "$1: not an executable file"
        }
        ;;
    esac
    command -v -- "$1" > /dev/null || {
        status=127
        case $1 in
        *' '*) fail "$1: no such command: give its words as separate arguments, or a shell's command as: -- sh -c '...'" ;;
        esac
        [ ! -f "$1" ] || fail "$1: no such command, but a file: begin with the program that runs it, as in: -- node app.js"
        fail "$1: no such command"
    }
}

# Makes sure that the command can be started, and sets `java`.
take_command() { # COMMAND [ARGUMENT ...]
    can_start "$1"
    [ "${1##*/}" != java ] || java=1
}

cut_title() { # TEXT
    printf '%s\n' "$1" | tr '\n' ' ' | sed 's/ *$//; s/^\(.\{100\}\).*/\1.../'
}

# Sets `title`: what is recorded, and how. See extend_title.
choose_title() { # [COMMAND [ARGUMENT ...]]
    default_title=1 kind_title=''
    case $target in
    command) target_title=$(cut_title "$(printf '%s\n' "$*" | sed 's/ --vs -- / vs /')") ;;
    processes) target_title="process $pids$process" ;;
    all) target_title='all processes' ;;
    file)
        target_title=${operand%/}
        target_title="${target_title##*/}${several:+ and others}"
        ;;
    esac
    [ -z "$cgroup" ] || target_title="cgroup $cgroup"
    [ -z "$heap" ] || kind_title=': memory in use'
    [ -z "$wall" ] || kind_title=': wall clock'
    [ -z "$stalls" ] || kind_title=': stalls'
    [ -z "$off_cpu" ] || kind_title=': waits'
    [ -z "$event" ] || kind_title="$kind_title: $event"
    title=$target_title$kind_title
}

# Copies a pipe to a file, since the input is read twice. With --print nothing is read.
copy_pipe() {
    [ -z "$print" ] || return 0
    [ "$data" != - ] || [ ! -t 0 ] || [ ! -t 2 ] || note 'reading standard input, a terminal; Ctrl-D ends it'
    [ "$data" != - ] || [ ! -p /dev/stdin ] || trap '' INT # Ctrl-C ends the writer, and what that prints is copied
    cat -- "$data" > "$work/input" || fail "$data: could not be copied"
    trap_exit
    data=$work/input
}

# True of what runs by its name: a script or an ELF file.
is_program() { # FILE
    [ -x "$1" ] || return
    case $(head -c 4 -- "$1" | tr -d '\000') in
    '#!'* | ?ELF) ;;
    *) return 1 ;;
    esac
}

# A shell finds a program in the current folder by a path only.
refuse_program() { # FILE
    case $1 in
    */*) path=$1 ;;
    *) path=./$1 ;;
    esac
    fail "$1: a program, not a recording: flamepipe -- $(quote "$path") records it"
}

can_read() {
    [ ! -d "$data" ] || fail "$data: Is a directory"
    [ ! -r "$data" ] || return 0
    why=$( (: < "$data") 2>&1) && return
    case $why in
    *': No such file'*) fail "$data: no such file; a command to record comes after --" ;;
    *) fail "$data: ${why##*: }" ;;
    esac
}

# Prints the event of the first sample.
first_event() {
    toolkit 'perf-script -q -G -F event "$data" 2> /dev/null | grep -m 1 -v "^#"'
}

# Sets what --wall or --off-cpu sets, if the file is what they keep.
take_waits() {
    case $(first_event) in
    *wall:*) wall=1 micros=1 ;;
    *off-cpu:*) off_cpu=1 micros=1 ;;
    esac
}

# Refuses a file that is neither perf.data nor what --stalls, --wall or --off-cpu keep.
check_waits() { # FORMAT
    case $1:$wall:$(first_event) in
    perf:1:*wall:* | perf::*off-cpu:*) return ;;
    esac
    [ -z "$stalls" ] || fail "$operand: says nothing of turns of event loops; 'flamepipe --stalls --keep -p PID' records them"
    fail "$operand: neither perf.data nor a recording of waits, which --${wall:+wall}${off_cpu:+off-cpu} needs"
}

# Sets `one_pass` if perf-script can fold: it has no options for processes, threads, slices and events.
choose_fold() {
    choose_slices
    case $print$kind$apart$slices:$target:$event in
    :file: | :command:* | :processes:* | :all:*) one_pass=1 ;;
    esac
}

# Writes the waits in the recording as text, and sets `data` to that file. With --print only prints the command. The
# process is printed, since the waits for work of its first thread are not left out.
take_derived() {
    waits="perf-script${wall:+ --wall}${stalls:+ --turns=$stalls}${off_cpu:+ --off-cpu}${quiet:+ -q}$inline -F +pid"
    if [ -n "$print" ]; then
        printf '%s %s > out.perf\n' "$waits" "$(quote "$data")" || exit 1
        data=out.perf
        return
    fi
    toolkit "$waits \"\$data\" > \"\$work/waits\"" || fail_undrawn
    data=$work/waits
}

# Sets `data` to the file to draw; `kind` to nothing for perf.data and perf script text, to "folded" for folded stacks
# and to "other" for the other formats of stackcollapse; `micros` if it counts microseconds, `bytes` if bytes.
take_file() {
    data=$operand
    if [ "$data" = - ] || [ -p "$data" ]; then
        copy_pipe
    else
        can_read
        ! is_program "$data" || refuse_program "$data"
    fi
    [ "$data" != - ] && [ ! -p "$data" ] || return 0
    format=$(file_format)
    if [ "$wall$off_cpu:$format" = 1: ]; then
        take_derived
        return
    fi
    [ -z "$wall$off_cpu" ] || check_waits "$format"
    case $format in
    '' | perf) [ -z "$print" ] || take_waits ;;
    folded) kind=folded ;;
    *) kind=other ;;
    esac
    case $format in
    cpuprofile | chrome-tracing | pyinstrument | xdebug) micros=1 ;;
    heapprofile) bytes=1 ;;
    esac
}

# Sets `idle_filter` to the option of stackfilter that leaves out the waits for work, where the input may have such.
choose_idle_filter() {
    case $wall$off_cpu:$kind:$micros in
    1:*) idle_filter='--no-idle-threads' ;;
    :other:1 | :folded:1) idle_filter="--exclude '^[(]idle[)]\$'" ;;
    esac
}

# The options, as set by options.sh.
lines='' line_page='' pids='' process='' cgroup='' all='' inspect='' heap='' seconds='' wall='' stalls='' digest='' off_cpu='' event='' freq='' output='' html='' title='' apart='' keep=''
write_map='' compare='' runs=''
print='' quiet='' no_flame='' operand='' words=0 inline=' --inline' idle='' v8_work='' maps=' --source-maps'
# Of archives: the option that says the time, the folders, as words, the last one, whether there are several.
range='' operands='' last_operand='' several=''
# The work: the temporary folder; the file to draw, its kind (see take_file), whether it counts microseconds or bytes, its
# samples, whether a part of it cannot be read, what leaves waits out (see choose_idle_filter);
# which program records, in which form (see choose_form), whether the command is java, whether node is to write a perf map
# and whether V8 leaves logs (see choose_map), why stackrecord may not record, the recorder's process number in the
# background, whether a signal has ended it, the process number of the sleep during which a further Ctrl-C is ignored, a
# recording that stays, the exit status.
work='' data='' kind='' micros='' bytes='' samples='' damaged='' idle_filter='' recorder='' form='' java='' map='' logs='' refusal='' background='' stopped='' grace='' stays=''
# Whether the title is ours, its parts, when the recording began.
default_title='' target_title='' kind_title='' when='' began=''
# Whether perf-script folds, what its report says (see read_report), a newline.
one_pass='' slices='' report='' advice='' nameless='' notes='' newline='
'
# With --stalls and --digest: whether no picture is wanted. Of --stalls: the FIFO of the recording and the process number of
# what reads it, and the recording itself.
no_picture='' live='' watcher='' recording=''
# Of --compare: the two commands, whether advice has been given.
before='' after='' advised=''
# The process that nodeprofile asks.
pid=''
status=0

read_options "$@"
shift $(($# - words))
micros=$wall$off_cpu
choose_target
[ -z "$compare" ] || split_commands "$@"
find_here
[ -n "$title" ] || choose_title "$@"
if [ -z "$print" ]; then
    [ -n "$no_picture" ] || can_write
    work=$(mktemp -d "${TMPDIR:-/tmp}/flamepipe.XXXXXX") || fail "${TMPDIR:-/tmp}: no temporary folder can be made in it"
    trap clean EXIT
    trap_exit
    trap_others
fi
if [ -n "$compare" ]; then
    can_compare
    compare
    exit "$status"
elif [ -n "$range" ]; then
    take_archive
elif [ "$target" = file ]; then
    take_file
else
    [ "$target" != command ] || take_command "$1"
    choose_recorder "$@"
    choose_form
    [ -z "$keep" ] || can_keep "$(kept_name)"
    data=$work/recording
    [ -z "$print" ] || data=$(kept_name)
    [ "${stalls:+1}:$print$quiet" != 1: ] || live=$work/live
    build_record "$@"
    if [ -n "$print" ]; then
        printf '%s\n' "$record" || exit 1
    else
        run_record
        [ -z "$keep" ] || keep_recording
    fi
fi
recording=$data
if [ -n "$lines" ]; then
    list_lines
    [ -z "$no_picture" ] || exit "$status"
fi
if [ -n "$stalls" ] && [ "$no_picture:$digest" = 1: ]; then
    list_stalls
    exit "$status"
fi
[ -n "$no_picture" ] || choose_fold
[ -n "$one_pass" ] || [ -n "$idle" ] || choose_idle_filter
if [ -n "$print" ]; then
    conclude || exit 1
    exit 0
fi
if [ -n "$one_pass" ]; then
    fold_recording
else
    [ "$kind" != other ] || fold_profile
    [ -z "$idle_filter" ] || leave_out_idle
    [ -n "$kind" ] || check
fi
[ -z "$grace" ] || wait "$grace"
grace=''
trap_exit
conclude
exit "$status"
