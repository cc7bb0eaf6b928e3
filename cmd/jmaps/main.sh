#!/bin/sh
# Makes each running Java process write its perf map, /tmp/perf-PID.map, which perf and perf-script read: jcmd asks for
# it from JDK 17 on; before that, and for -u, perf-map-agent makes it.
set -u

say() {
    printf 'jmaps: %s\n' "$1" >&2
}

help() {
    cat << 'END'
usage: jmaps [-u]
Makes each running Java process write its perf map, /tmp/perf-PID.map. As root those of all users, else your own.

  -u, --unfoldall         name inlined methods too; needs perf-map-agent in the folder AGENT_HOME
  -h, --help              print this text
  -V, --version           print the version
END
}

read_options() { # [OPTION ...]
    for option; do
        case $option in
        -u | --unfoldall) unfold=unfoldall ;;
        -h | --help)
            help || exit 1
            exit 0
            ;;
        -V | --version)
            echo 'jmaps (flamepipe) @VERSION@' || exit 1
            exit 0
            ;;
        *)
            say "unknown option '$option'"
            echo "try 'jmaps --help' for the options" >&2
            exit 2
            ;;
        esac
    done
}

# Sets `home` to the JDK: JAVA_HOME, or else the one that runs the process.
find_home() { # PID
    home=${JAVA_HOME-}
    [ -z "$home" ] || return 0
    home=$(readlink "/proc/$1/exe")
    home=${home%/bin/java}
    home=${home%/jre}
}

ask_jcmd() { # PID
    jcmd=$home/bin/jcmd
    [ -x "$jcmd" ] || jcmd=jcmd
    "$jcmd" "$1" Compiler.perfmap 2>&1
}

# Sets `folder` to the agent's, or to nothing: it has a jar file and a library, perhaps in the folder "out".
find_agent() {
    for folder in "$agent/out" "$agent"; do
        [ ! -e "$folder/attach-main.jar" ] || [ ! -e "$folder/libperfmap.so" ] || return 0
    done
    folder=
}

# The agent must run as the process's user.
run_agent() { # PID
    uid=$(ps -o uid= -p "$1" | tr -d ' ') gid=$(ps -o gid= -p "$1" | tr -d ' ')
    set -- "$home/bin/java" -Xms32m -Xmx128m -cp "$folder/attach-main.jar:$home/lib/tools.jar" \
        net.virtualvoid.perf.AttachOnce "$1" ${unfold:+"$unfold"}
    [ "$uid" = "$(id -u)" ] || set -- setpriv --reuid="$uid" --regid="$gid" --clear-groups "$@"
    (cd "$folder" && "$@") 2>&1
}

# The old map may belong to another user, and what perf reads must be its own user's or root's.
map_process() { # PID
    map=/tmp/perf-$1.map
    rm -f "$map"
    find_home "$1"
    if [ -n "$unfold" ]; then
        said=$(run_agent "$1")
    elif ! said=$(ask_jcmd "$1") && [ -n "$folder" ]; then
        said=$said$(echo && run_agent "$1")
    fi
    [ -e "$map" ] || return
    [ "$(id -u)" != 0 ] || chown -h root "$map"
    echo "wc(1): $(wc "$map")"
}

explain() { # PID
    status=1
    say "process $1: $map was not made; what was answered is below"
    printf '%s\n' "$said" | sed -n 's/^./jmaps:   &/p' >&2
    case $said in
    *'executed successfully'*) say "process $1: it may be in the /tmp of its container, where perf-script finds it" ;;
    *'Unknown diagnostic command'*) say "process $1: before JDK 17 perf-map-agent is needed, in the folder AGENT_HOME" ;;
    esac
}

unfold='' status=0
agent=${AGENT_HOME:-/usr/lib/jvm/perf-map-agent}
read_options "$@"
find_agent
if [ -n "$unfold" ] && [ -z "$folder" ]; then
    say "there is no perf-map-agent in AGENT_HOME, $agent: attach-main.jar and libperfmap.so"
    exit 1
fi
echo 'Fetching maps for all java processes...'
for pid in $(pgrep -x java); do
    echo "Mapping PID $pid (user $(ps -o user= -p "$pid" | tr -d ' ')):"
    map_process "$pid" || explain "$pid"
    echo
done
exit "$status"
