
# ---- the options: see choose_target for what they set

usage_lines() {
    echo 'usage: flamepipe [option ...] -- command [argument ...]'
    echo '       flamepipe [option ...] -p PID,...|-n NAME|--cgroup PATH|-a [seconds]'
    echo '       flamepipe [option ...] file'
    echo '       flamepipe --last TIME|--between FROM..TO [option ...] folder ...'
    echo '       flamepipe --compare [option ...] -- command ... --vs -- command ...'
}

version() {
    echo 'flamepipe (flamepipe) @VERSION@'
}

help() {
    usage_lines
    cat << 'END'
Records with stackrecord or perf and draws a flame graph; or draws a file:
perf.data, or any format of stackcollapse.

What to record:
  -p, --pid PID,...       record running processes; without seconds until Ctrl-C
  -n, --name NAME         record the newest process of this name
  -a, --all               record all processes
  --cgroup PATH           record the processes of this cgroup
  --duration SECONDS      record for this time, then end; a command is ended
                          too

The picture:
  -o, --output FILE       the picture (flame.svg); - is standard output; .html:
                          a page
  --html                  write a page with a table of functions, flame.html

Other questions than where CPU time goes:
  --stalls[=MS]           list what blocks event loops for MS milliseconds (50)
                          or longer; with -o FILE.html draw it, too
  --heap                  have V8 record what allocates memory of running nodes
                          (-p, -n) that is still in use
  --wall                  record, or take of a file, what runs and what waits:
                          each thread's whole time
  --off-cpu               record, or take of a file, how long threads wait, and
                          where, instead of what runs
  --idle-threads          with --wall, --off-cpu, --inspect: show the waits for
                          work, too
  --lines[=REGEX]         list the source lines of the functions that match in a
                          file, or of the hottest, with the share of each;
                          with -o FILE.html show them in the page
  --digest                print a page of Markdown about the profile, for a
                          ticket; with -o draw it, too

Before and after:
  --compare               record two commands in turns, and draw what changed;
                          --keep keeps the folded stacks
  -r, --runs N            with --compare: this many runs of each command (3)

Archives, which stackrecord --archive writes:
  --last TIME             the last 10m, 12h, 7d as a table; with -o draw it
  --between FROM..TO      the same from 14:02 to 14:07: 14:02..14:07;
                          2026-11-27T14:02Z..2026-11-27T14:07Z for UTC

How to record:
  -e, --event EVENT,...   record these events (stackrecord --list), not time; of
                          a file: draw them
  -F, --freq HZ           samples a second (99; with --compare 999)
  --inspect               have V8 record the JavaScript of node: needs no
                          permission, and all functions have names
  --keep                  keep the recording beside the picture
  --write-perf-map        have each node of the command write a perf map, for
                          perf's tools or a V8 that is not known

How it is shown:
  --title TEXT            heading of the picture (what was recorded)
  --no-flame              print no flame graph of text to a terminal; without
                          -o there is one if it has the rows
  --by-process            keep processes apart, as those of a cluster
  --by-thread             keep threads apart, as worker_threads
  --v8-work WHAT          V8's own frames: keep, summarize (as its garbage
                          collector and compiler), hide
  --no-inline             do not show the calls that the compiler inlined
  --no-source-maps        name bundled JavaScript as in the bundle, not as in
                          its sources

Other:
  --print                 print the commands instead of running them
  -q, --quiet             print no warnings
  -h, --help              print this text
  -V, --version           print the version
END
}

# Sets `name` to the option that the text names: by its letter, its name, or the beginning of its name. False if there
# is none.
find_option() { # TEXT
    case $1 in
    p) name=pid && return ;;
    n) name=name && return ;;
    a) name=all && return ;;
    e) name=event && return ;;
    F) name=freq && return ;;
    o) name=output && return ;;
    q) name=quiet && return ;;
    r) name=runs && return ;;
    h) name=help && return ;;
    V) name=version && return ;;
    esac
    lower=$(printf %s "$1" | tr '[:upper:]' '[:lower:]') name=''
    for option in pid name cgroup all duration inspect heap wall stalls lines digest last between off-cpu idle-threads event freq output html title by-process by-thread v8-work \
        no-flame no-inline no-source-maps compare runs keep write-perf-map print quiet help version; do
        case $option in
        "$lower"*) [ -z "$name" ] || usage "option '$argument' may be --$name or --$option" && name=$option ;;
        esac
    done
    [ -n "$name" ]
}

# Sets `name` to the option of the letter that the text begins with, as in -F99. False if there is none with a value.
find_letter() { # TEXT
    case $argument:$1 in
    --*) return 1 ;;
    *:[pneFor]*) find_option "${1%"${1#?}"}" ;;
    *) return 1 ;;
    esac
}

set_value() { # VALUE
    case $name in
    pid)
        case ,$1, in
        *,,* | *[!0-9,]*) usage "option --pid: '$1' is not a list of process numbers such as 12,34" ;;
        esac
        pids=$pids${pids:+,}$1
        ;;
    name)
        [ -n "$1" ] || usage 'option --name needs the name of a process'
        process=$1
        ;;
    cgroup)
        [ -n "$1" ] || usage 'option --cgroup needs the path of a cgroup'
        cgroup=$1
        ;;
    event)
        [ -n "$1" ] || usage 'option --event needs the name of an event'
        event=$event${event:+,}$1
        ;;
    duration) take_seconds "$1" ;;
    freq)
        case $1 in
        *[!0-9]* | '' | 0*) usage "option --freq: '$1' is not a number of samples a second" ;;
        esac
        freq=$1
        ;;
    runs)
        case $1 in
        *[!0-9]* | '' | 0* | ????*) usage "option --runs: '$1' is not a number of runs from 1 to 999" ;;
        esac
        runs=$1
        ;;
    output)
        [ -n "$1" ] || usage 'option --output needs the name of a file'
        output=$1
        ;;
    title) title=$1 ;;
    last | between)
        [ -z "$range" ] || usage 'options --last and --between: give one of them, once'
        range="$name $(quote "$1")"
        ;;
    stalls)
        case $1 in
        *[!0-9]* | '' | 0* | ?????????*) usage "option --stalls: '$1' is not a number of milliseconds" ;;
        esac
        stalls=$1 wall=1
        ;;
    lines)
        [ -n "$1" ] || usage 'option --lines needs a regular expression after ='
        lines="--lines=$(quote "$1")"
        ;;
    v8-work)
        case $1 in
        keep | summarize | hide) v8_work=" --v8-work=$1" ;;
        *) usage "option --v8-work: '$1' is not one of keep, summarize, hide" ;;
        esac
        ;;
    esac
}

set_flag() {
    case $name in
    all) all=1 ;;
    inspect) inspect=1 ;;
    heap) heap=1 inspect=1 ;;
    wall) wall=1 ;;
    stalls) stalls=50 wall=1 ;;
    lines) lines=--lines ;;
    digest) digest=1 ;;
    off-cpu) off_cpu=1 ;;
    idle-threads) idle=1 ;;
    html) html=' --html' ;;
    by-process) apart=' --pid' ;;
    by-thread) apart=' --tid' ;;
    no-flame) no_flame=1 ;;
    no-inline) inline='' ;;
    no-source-maps) maps='' ;;
    compare) compare=1 ;;
    keep) keep=1 ;;
    write-perf-map) write_map=1 ;;
    print) print=1 ;;
    quiet) quiet=1 ;;
    help | version)
        "$name" 2> /dev/null && exit 0
        [ $? -ge 128 ] || say 'standard output: not written' # else nobody reads it
        exit 1
        ;;
    esac
}

several_operands() {
    hint='a command comes after --'
    [ ! -f "$operand" ] || [ ! -f "$last_operand" ] || hint='stackdiff compares two recordings, stackcollapse adds several up'
    [ -z "$pids" ] || hint='several processes are -p 12,34'
    usage "more than one operand: '$operand', '$last_operand'; $hint"
}

# Reads the options and at most one operand. The command is what is left: the last `words` arguments.
read_options() {
    while [ $# -gt 0 ]; do
        argument=$1
        shift
        case $argument in
        --)
            words=$#
            [ "$words" -gt 0 ] || usage 'no command after --'
            return
            ;;
        -?*)
            text=${argument#-}
            text=${text#-}
            if ! find_option "${text%%=*}"; then
                find_letter "$text" || usage "unknown option '$argument'"
                set_value "${text#?}"
                continue
            fi
            case $name in
            pid | name | cgroup | duration | event | freq | output | runs | title | last | between | v8-work) takes_value=1 ;;
            stalls | lines) case $text in *=*) takes_value=1 ;; *) takes_value='' ;; esac ;;
            *) takes_value='' ;;
            esac
            case $takes_value:$text in
            1:*=*) set_value "${text#*=}" ;;
            *=*) usage "option --$name takes no value" ;;
            1:*)
                [ $# -gt 0 ] || usage "option --$name needs a value"
                set_value "$1"
                shift
                ;;
            *) set_flag ;;
            esac
            ;;
        *)
            [ -z "$operand" ] || several=1
            [ -n "$several" ] || operand=$argument
            operands="$operands $(quote "$argument")" last_operand=$argument
            ;;
        esac
    done
}

# Sets `target` to command, processes, all or file.
choose_target() {
    target=''
    [ "$words" = 0 ] || target="command"
    [ -z "$pids" ] || target=${target:+two}processes
    [ -z "$process" ] || target=${target:+two}processes
    [ -z "$cgroup" ] || target=${target:+two}processes
    [ -z "$all" ] || target=${target:+two}all
    [ -n "$range" ] || [ -z "$several" ] || several_operands
    [ -z "$stalls" ] || check_stalls
    [ -z "$range" ] || check_archive
    [ -z "$lines" ] || check_lines
    case $heap:$target:$cgroup$wall$off_cpu$event$freq$idle: in
    :* | 1:processes::) ;;
    *) usage 'option --heap needs --pid or --name, and none of --cgroup, --wall, --off-cpu, --event, --freq, --idle-threads' ;;
    esac
    case $inspect:$target:$cgroup$wall$off_cpu$event: in
    :*) ;;
    1:processes:: | 1:command::) ;;
    *) usage 'option --inspect needs node as a command, --pid or --name, and none of --cgroup, --wall, --off-cpu, --event' ;;
    esac
    check_compare
    case $write_map:$inspect:$target in
    :* | 1::command) ;;
    *) usage 'option --write-perf-map needs a command, and goes without --inspect' ;;
    esac
    case $print$inspect:$pids in
    11:*,*) usage 'option --print: with --inspect for one process at a time' ;;
    esac
    [ -z "$inspect" ] || [ "${freq:-1}" -le 1000000 ] 2> /dev/null || usage "option --freq: with --inspect at most 1000000"
    [ -z "$idle" ] || [ -z "$target" ] || [ -n "$wall$off_cpu$inspect" ] || usage 'option --idle-threads goes with --wall, --off-cpu and --inspect'
    [ -z "$wall" ] || [ -z "$off_cpu" ] || usage 'option --off-cpu: --wall has the waits too'
    [ -z "$wall" ] || [ -z "$event" ] || usage 'option --event: with --wall time is recorded'
    [ -z "$off_cpu" ] || [ -z "$freq" ] || usage 'option --freq: with --off-cpu each wait is recorded'
    [ -z "$off_cpu" ] || [ -z "$event" ] || usage 'option --event: with --off-cpu waits are recorded'
    [ -z "$stalls$digest" ] || [ -n "$output$html" ] || no_picture=1
    [ -z "$output$stalls$digest" ] || no_flame=1
    [ -n "$output" ] || output=flame.${html:+html}
    [ "$output" != flame. ] || output=flame.svg
    [ "$digest:$output" != 1:- ] || usage 'option --digest: it goes to standard output, so the picture needs a file'
    case $html$output in
    ' --html'*.[Ss][Vv][Gg]) usage "option --html writes a page, and $output is the name of a picture" ;;
    esac
    case $target in
    file) ;;
    two*) usage 'one of these at a time: a command, --pid, --name, --cgroup, --all' ;;
    command) [ -z "$operand" ] || usage "'$operand' is neither an option nor after --" ;;
    processes | all)
        [ -z "$operand" ] || [ -z "$seconds" ] || usage "the time is given twice: --duration $seconds, $operand"
        [ -z "$operand" ] || take_seconds "$operand"
        ;;
    '')
        [ -n "$operand" ] || usage 'nothing to record or to draw'
        [ -z "$keep" ] || usage 'option --keep: a file is not recorded'
        [ -z "$seconds" ] || usage 'option --duration: a file is not recorded'
        [ -z "$freq" ] || usage 'option --freq: a file is not recorded'
        target="file"
        ;;
    esac
}

# With --stalls the picture shows each thread apart, since each thread may run an event loop.
check_stalls() {
    [ -z "$inspect$off_cpu$event$compare" ] ||
        usage 'option --stalls goes with none of --off-cpu, --event, --inspect, --heap, --compare'
    apart=${apart:- --tid}
}

# True if the picture is a page.
is_page() {
    case $html$output in
    ' --html'* | *.[Hh][Tt][Mm] | *.[Hh][Tt][Mm][Ll]) ;;
    *) return 1 ;;
    esac
}

# With --lines a page shows the source lines; without a page a file is listed, and nothing is drawn. A page has all
# functions that match, or the 1,000 hottest.
check_lines() {
    if is_page; then
        [ -z "$range$compare$heap$wall$off_cpu" ] ||
            usage 'option --lines: with a page it goes with none of --last, --between, --compare, --heap, --stalls, --wall, --off-cpu'
        [ "$lines" != --lines ] || lines='--lines=. --top=1000'
        lines="$lines --format=tsv" line_page=1
        return
    fi
    [ -z "$target$range$compare" ] ||
        usage "option --lines lists a file; with -o FILE.html it records, and the page shows the lines"
    [ -z "$output$html$stalls$digest$wall$off_cpu$idle$apart$title" ] ||
        usage 'option --lines goes with a file, --event, --no-inline, --v8-work, --print and --quiet alone'
    no_picture=1
}

# With --compare, names of processes or threads in the stacks would make all of two runs differ.
check_compare() {
    if [ -z "$compare" ]; then
        [ -z "$runs" ] || usage 'option --runs goes with --compare'
        return
    fi
    [ "$target" = command ] || usage 'option --compare: two commands are needed: -- A --vs -- B'
    [ -z "$inspect$wall$off_cpu$apart$digest" ] ||
        usage 'option --compare goes with none of --inspect, --wall, --off-cpu, --digest, --by-process, --by-thread'
    runs=${runs:-3}
    [ -n "$freq$event" ] || freq=999
}

# Sets `seconds`, after which the recording ends; without them Ctrl-C or the end of what is recorded ends it.
take_seconds() { # TEXT
    case $1 in
    *[!0-9.]* | *.*.* | . | '') usage "'$1' is not a number of seconds" ;;
    *[1-9]*) seconds=$1 ;;
    *) usage "'$1' is not a number of seconds above 0" ;;
    esac
    case ${1%%.*} in
    ??????????*) usage "'$1' is too many seconds" ;; # a billion, stackrecord's most
    esac
}
