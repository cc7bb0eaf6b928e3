#!/usr/bin/env bash
# Finds what the tests have done to the machine: changed modes and owners, removed files, files left
# behind, changed settings of the kernel. check.sh takes a snapshot before the tests, and compares
# after them.
#
# usage: unharmed.sh snapshot [FOLDER ...] >FILE
#        unharmed.sh compare FILE OWN [FOLDER ...]    prints what it finds; status 1: something
#
# The default folders are those for temporary files, the home folder, two folders in it, and the
# current folder. OWN is the tests' folder for temporary files: nothing may be left in it.
#
# Other programs use the folders while the tests run, so not every difference is due to the tests.
# Reported are
# - another mode or owner of the same file;
# - a missing file, if it had not been changed for an hour: temporary files that a running program
#   removes are younger. Files named after a process do not count: a process of the tests may have
#   had the same number, and made the file anew;
# - a new file with a name that the tests use, if no process uses it. Perf maps of scripts that are
#   elsewhere do not count;
# - a new uprobe of a stackrecord that has ended, and a missing one, unless it was that of a
#   stackrecord that has ended;
# - another value in tracefs or sysctl.
# A difference must last for UNHARMED_WAIT seconds (default: 10), since other runs of the tests by
# this user may be cleaning up.
set -uo pipefail

TRACEFS=${TRACEFS-/sys/kernel/tracing}

# Names that the tests use outside of TMPDIR. A number is that of the process that uses the file.
NAMES='(perf-[0-9]+\.map|jit-[0-9]+\.dump|\.(java|attach)_pid[0-9]+|stranger-[0-9]+|hsperfdata_.*|unit-.*-......|.*-test\.......'\
'|isolate-0x.*\.log|node_trace\..*|perf\.data.*|flamepipe\..*|flame\.(svg|html)|core|\.debug|\.pki|chromium|fontconfig)'

# Prints lines of fields separated by tabs: "file PATH INODE MODE OWNER TIME-OF-CHANGE", "value NAME
# VALUE", "uprobe TEXT".
snapshot() { # [FOLDER ...]
    [ $# -gt 0 ] || set -- /tmp /var/tmp /dev/shm ~ ~/.cache ~/.config .
    printf 'time\t%s\n' "$EPOCHSECONDS"
    find "$@" -maxdepth 2 -path '*/hsperfdata_*/*' -printf 'used\t%h\n' 2>/dev/null
    find "$@" -maxdepth 1 -not -name $'*[\t\n]*' -printf 'file\t%p\t%i\t%m\t%U:%G\t%C@\n' 2>/dev/null
    values "$TRACEFS"/{current_tracer,tracing_on,set_event,events/enable,kprobe_events} \
        /proc/sys/kernel/{perf_event_{paranoid,mlock_kb,max_stack,max_contexts_per_stack},kptr_restrict,core_pattern}
    [ ! -r "$TRACEFS"/instances ] || printf 'value\t%s\t%s\n' "$TRACEFS"/instances "$(echo "$TRACEFS"/instances/*)"
    [ ! -r "$TRACEFS"/uprobe_events ] || sed $'s/^/uprobe\t/' "$TRACEFS"/uprobe_events
}

values() { # FILE ...
    local file value
    for file; do
        [ -r "$file" ] || continue
        value=$(<"$file")
        printf 'value\t%s\t%s\n' "$file" "${value//[$'\n\t']/ }"
    done
}

differences() { # BEFORE AFTER
    awk -F '\t' -v names="^$NAMES\$" -v uid="$(id -u)" '
        function process(text) { return match(text, /[0-9]+/) ? substr(text, RSTART, RLENGTH) : "" }
        function recorder(line) { return match(line, /:stackrecord_[0-9]+/) ? process(substr(line, RSTART)) : "" }
        function runs(pid,    line, is_there) {
            is_there = pid != "" && (getline line < ("/proc/" pid "/stat")) > 0
            close("/proc/" pid "/stat")
            return is_there
        }
        function base(path) { sub(".*/", "", path); return path }
        function is_of_process(name) { return name ~ /^(perf-|jit-|stranger-|.*_pid)[0-9]/ }
        function is_left(path, owner,    name) {
            name = base(path)
            return name ~ names && (uid == 0 || index(owner, uid ":") == 1) && !(path in used) &&
                   !(is_of_process(name) && runs(process(name)))
        }
        function changed(name, before, after) {
            if (before != after)
                print "changed: " name " " substr(before, 1, 60) " is now " substr(after, 1, 60)
        }

        FNR == NR && $1 == "time" { begun = $2 }
        FNR == NR && $1 == "file" { inode[$2] = $3; mode[$2] = $4; owner[$2] = $5; since[$2] = $6 }
        FNR == NR && $1 == "value" { value[$2] = $3 }
        FNR == NR && $1 == "uprobe" { uprobes[$2] }
        FNR == NR { next }

        { there[$1, $2] }
        $1 == "used" { used[$2] }
        $1 == "file" && $2 in inode && inode[$2] == $3 {
            changed($2 ": mode", mode[$2], $4)
            changed($2 ": owner", owner[$2], $5)
        }
        $1 == "file" && !($2 in inode) && is_left($2, $5) { print "left behind: " $2 }
        $1 == "value" && $2 in value { changed($2, value[$2], $3) }
        $1 == "uprobe" && !($2 in uprobes) && recorder($2) && !runs(recorder($2)) { print "left behind: uprobe " $2 }

        END {
            for (path in inode)
                if (!(("file", path) in there) && since[path] <= begun - 3600 && !is_of_process(base(path)))
                    print "removed: " path
            for (line in uprobes)
                if (!(("uprobe", line) in there) && (!recorder(line) || runs(recorder(line))))
                    print "removed: uprobe " line
        }' "$1" "$2" | LC_ALL=C sort
}

# Leaves out perf maps that name files, but no files of the tests or the project.
without_others() { # OWN
    local line map
    while IFS= read -r line; do
        map=${line#left behind: }
        [[ $map = */perf-*.map ]] && grep -qE '[ ~*^+]/|file:///' "$map" &&
            ! grep -qF -e "$(realpath "$1")/" -e "$PWD/" "$map" || printf '%s\n' "$line"
    done
}

compare() { # FILE OWN [FOLDER ...]
    local end=$((SECONDS + ${UNHARMED_WAIT-10})) found
    while :; do
        found=$(
            find "$2" -mindepth 1 -maxdepth 1 -printf 'left behind: %p\n'
            differences "$1" <(snapshot "${@:3}") | without_others "$2"
        )
        [ -n "$found" ] || return 0
        ((SECONDS < end)) || break
        sleep 0.5
    done
    printf '%s\n' "$found"
    return 1
}

case ${1-} in
snapshot | compare) "$@" ;;
*) echo "unharmed.sh: no such command: ${1-}" >&2 && exit 2 ;;
esac
