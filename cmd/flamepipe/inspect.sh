
# ---- profiles that V8 takes itself: of running processes by nodeprofile, of a command by node's own --cpu-prof

is_node() { # COMMAND
    case ${1##*/} in
    node | nodejs | node-[0-9]*) ;;
    *) return 1 ;;
    esac
}

# Node writes a profile when it exits, and not if a signal ends it. So this makes it exit on the signals with which a
# recording ends, unless the program handles them itself.
write_preload() { # FILE
    cat > "$1" << 'END'
'use strict';
const { signals } = require('os').constants;
for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'])
    process.on(name, () => process.listenerCount(name) > 1 || process.exit(128 + signals[name]));
END
}

# Records a node from its first line on. A process that it forks, such as one of a cluster, inherits the options, and each
# process and each thread has a profile of its own in the folder.
build_node() { # COMMAND [ARGUMENT ...]
    record="$(quote "$1") --cpu-prof --cpu-prof-interval=$((1000000 / ${freq:-1000}))"
    if [ -n "$print" ]; then
        record="$record --cpu-prof-name=$(quote "$data")"
    else
        record="$record --cpu-prof-dir=$(quote "$work/profiles") --require=$(quote "$work/preload.js")"
        write_preload "$work/preload.js"
    fi
    shift
    record="${seconds:+timeout --foreground $seconds }$record$(quote_all "$@")"
}

# Refuses a command that is not node, and an option with which node may hang: see check_options in cmd/nodeprofile/main.c.
check_node() { # [COMMAND [ARGUMENT ...]]
    [ $# = 0 ] || is_node "$1" || fail "option --inspect records node, not $1"
    case "${NODE_OPTIONS-} $*" in
    *interpreted[-_]frames*)
        fail 'with --interpreted-frames-native-stack Node 18 to 20 may hang while V8 takes a profile: leave it out of NODE_OPTIONS and the command'
        ;;
    esac
}

# Prints what the stacks of a profile begin with: the process, if there are several or --by-process is given, and the
# thread, if a process has several profiles. Their names are CPU.DATE.TIME.PID.THREAD.NUMBER.cpuprofile, or, written by
# nodeprofile, which has the threads in one profile, CPU.0.0.PID.0.0.cpuprofile.
profile_prefix() { # FILE
    (cd "$work/profiles" && printf '%s\n' *) | awk -F . -v wanted="${1##*/}" -v apart="$apart" '
        { processes += !threads[$4]++ }
        $0 == wanted { pid = $4; thread = $5 }
        END {
            if (processes > 1 || apart == " --pid")
                printf "node-%s;", pid
            if (threads[pid] > 1)
                printf "%s;", thread == 0 ? "main" : "worker " thread
        }'
}

# Sets `data` to the profile, or, of several, to their folded stacks with the processes and threads.
join_profiles() {
    set -- "$work/profiles"/*
    [ -e "$1" ] || explain_refusal
    if [ $# = 1 ] && [ "$apart" != ' --pid' ]; then
        data=$work/recording
        move_file "$1" "$data"
        return
    fi
    [ -z "$keep" ] || can_keep "$(kept_stem).folded"
    for profile; do
        prefix=$(profile_prefix "$profile")
        toolkit 'stackcollapse "$profile"' > "$work/part" 2> "$work/said" || damaged=1 status=1
        [ -n "$quiet" ] || cat "$work/said" >&2
        sed "s/^/$prefix/" "$work/part" >> "$work/joined" || fail_undrawn
    done
    data=$work/joined kind=folded apart=''
}

# Prints the PID of the newest process of that name, or the PIDs given; and then, with a + before each, those of all
# processes that descend from them.
find_processes() { # NAME PID,...
    cat /proc/[0-9]*/stat 2> "$work/why" | awk -v name="$1" -v list="$2" '
        {
            comm = $0
            sub(/^[0-9]* \(/, "", comm)
            sub(/\) [A-Za-z] [-0-9 ]*$/, "", comm)
            split(substr($0, length($1) + length(comm) + 5), field, " ") # from the state on
            below[field[2]] = below[field[2]] " " $1
            if (name != "" && comm == name && field[20] >= newest) {
                newest = field[20]
                list = $1
            }
        }
        END {
            given = n = split(list, todo, ",")
            for (i = 1; i <= n; i++) {
                if (!done[todo[i]]++)
                    print (i > given ? "+" : "") todo[i]
                m = split(below[todo[i]], child, " ")
                for (k = 1; k <= m; k++)
                    todo[++n] = child[k]
            }
        }'
}

# Sets `pids` to the processes to profile, with blanks between them: those of -p or -n, and every node that descends from
# them, as in a cluster.
choose_inspected() {
    found=$(find_processes "$process" "$pids") pids=''
    for pid in $found; do
        case $pid in
        +*) is_node "$(readlink "/proc/${pid#+}/exe")" || continue ;;
        esac
        pids=$pids${pids:+ }${pid#+}
    done
    [ -n "$pids" ] || fail "there is no process called $process"
}

# All processes open their inspectors on one port, so they are asked one after the other.
run_inspect() {
    count=$(printf '%s\n' "$pids" | wc -w)
    [ "$count" = 1 ] || seconds=${seconds:-10}
    [ "$count" = 1 ] || note "$count processes are profiled one after the other, for $seconds s each: $pids"
    for pid in $pids; do
        [ -z "$stopped" ] || break
        data=$work/profiles/CPU.0.0.$pid.0.0.cpuprofile
        build_record
        run_in_background
        [ -s "$data" ] || rm -f "$data"
    done
}
