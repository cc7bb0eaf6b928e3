# For tests that record with perf: after "load lib", "load perfdata".

# Makes the folder of the recordings the home, so that perf's cache of binaries is in it too.
own_home() {
    export HOME=$BATS_FILE_TMPDIR/home TMPDIR=$BATS_FILE_TMPDIR
    export PERF_CONFIG=/dev/null
    mkdir -p "$HOME"
    cd "$BATS_FILE_TMPDIR" || return
}

# Records; where that fails, the reason is in NAME.why and a test of the recording is skipped.
record() { # NAME OPTION... -- COMMAND...
    local name=$1
    shift
    command -v perf > /dev/null || { echo "no perf on this machine" > "$name.why"; return 0; }
    [[ " $* " != *" -a "* ]] || touch "$name.of-all"
    if [ -e "$name.of-all" ] && [[ " $* " != *" -m "* ]]; then
        record_all "$name" "$@"
    else
        perf record -q -o "$name" "$@" > /dev/null 2> "$name.why" || rm -rf "$name"
    fi
}

# Records all processes, again if a busy machine made perf lose records: among them are those of programs that begin, and
# then perf may show names of what a process had mapped before.
record_all() { # NAME OPTION... -- COMMAND...
    local name=$1 buffer=()
    shift
    [ "$(id -u)" != 0 ] || buffer=(-m 8M)
    for _ in 1 2 3; do
        perf record -q -o "$name" "${buffer[@]}" "$@" > /dev/null 2> "$name.why" || { rm -f "$name"; return 0; }
        perf-script -q --stats=json "$name" | grep -q '"lost_events": *[1-9]' || return 0
    done
    rm -f "$name"
    echo 'perf lost records, this machine is busy' > "$name.why"
}

# Skips the test if a recording could not be made.
need() { # NAME...
    local name
    cd "$BATS_FILE_TMPDIR" || return
    for name; do
        [ -s "$name" ] || skip "perf may not record this: $(head -n 1 "${name%%/*}.why" 2> /dev/null)"
    done
}

# What perf prints of a recording, asked as the test file says in ASK. perf-script prints no inlined functions.
of_perf() { # NAME OPTION...
    ${ASK-} perf script --no-inline -i "$@" 2> /dev/null
}

# Passes if the command does once in three times. In a recording of all processes (-a) there may be files that are
# removed while perf reads them and before perf-script does.
thrice() { # COMMAND...
    "$@" || "$@" || "$@"
}

# The time, in ticks of 10 ms, that processes in other mount namespaces have used, with those that they have waited for.
time_of_strangers() {
    local process stat fields sum=0 ours
    ours=$(readlink /proc/self/ns/mnt)
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/ns/mnt" || echo "$ours")" != "$ours" ] || continue
        read -r stat < "$process/stat" || continue
        read -ra fields <<< "${stat##*) }"
        sum=$((sum + fields[11] + fields[12] + fields[13] + fields[14]))
    done 2> /dev/null
    echo $sum
}

# Skips the test if containers, or other processes whose files are not ours, are busy: in a recording of all processes,
# stackrecord and perf read the files of running processes, and perf-script only files of our own folders.
excused() { # NAME
    local before after
    [ -e "$1.of-all" ] || return 1
    before=$(time_of_strangers)
    sleep 1
    after=$(time_of_strangers)
    echo "processes in other mount namespaces took $((after - before)) ticks in a second"
    [ $((after - before)) -ge -5 ] && [ $((after - before)) -le 5 ] && return 1
    skip "processes in other mount namespaces are busy"
}

# Fails if more than one of 10,000 lines of a recording differs from perf's, and shows the first ones. In a recording of
# all processes one may differ: of any program that ran, perf's search for symbols that overlap may miss one.
equal_to_perf() { # NAME OPTION...
    thrice equal_once "$@" || excused "$1"
}

equal_once() {
    of_perf "$@" > theirs
    perf-script -q --as-perf "${@:2}" "$1" > ours
    if [ -e "$1.of-all" ]; then nearly_equal 10000 2; else nearly_equal 10000; fi
}

# The names of C++ with constraints, or with declarations of template parameters, that a demangler of before C++20 leaves
# mangled. Chromium has them.
CXX20=' _Z[^ +]*(Q|T[kntpy])[^ +]*'

# Prints ours, but with perf's name in each line of which perf has left the name mangled and the rest is the same.
with_mangled_names() {
    awk -v mangled="$CXX20" '
        (getline their < "theirs") > 0 && match(their, mangled) {
            before = substr(their, 1, RSTART)
            after = substr(their, RSTART + RLENGTH)
            if (index($0, before) == 1 && substr($0, length - length(after) + 1) == after)
                $0 = their
        }
        { print }' ours
}

# The vdso of 32-bit processes has names where perf's helper perf-read-vdso32 is installed. perf-script has none.
nearly_equal() { # LINES [MOST]: of so many one may differ, or so many lines of diff in all
    local lines differing
    lines=$(wc -l < theirs)
    with_mangled_names > got
    sed 's/ [^ ]* (\[vdso32\])$/ [unknown] ([vdso32])/' theirs > wanted
    differing=$(diff wanted got | grep -c '^[<>]' || true)
    echo "$lines lines, $differing differ"
    diff wanted got | head -n 10
    [ "$lines" -gt 0 ] && { [ "$differing" -le "${2-0}" ] || [ "$((differing * $1))" -le "$lines" ]; }
}

# Fails if a line of the files theirs and ours differs in another way than these, where perf is wrong:
# - JIT: another function of the same perf map, at an address that was used again
# - PLT: an entry of .plt.sec or .plt.got has its name, and one of .plt the name of its slot in the GOT, where perf
#   counts the entries, which are not always in the order of their names, or takes the .plt of a static program for a
#   part of _init, the function before it
# - C++20: names that perf leaves mangled
# - vdso: its functions have names, in 32-bit processes they have none
# - stacks with an impossible address, as there are without frame pointers: perf prints none of their frames
# - in a recording of all processes one name: perf's search for symbols that overlap misses some, and of several names of
#   one address perf takes another where it leaves one of them mangled
only_known_differences() { # [NAME]
    local all=0
    [ ! -e "${1-}.of-all" ] || all=1
    awk -v all=$all -v mangled="$CXX20" '
        function place(line,    n, part) { n = split(line, part, " "); return part[1] " " part[n] }
        function wrong() {
            if (unknown++ < 5)
                print "unknown: " line "\n    not: " $0
        }
        { before = line; getline line < "theirs" }
        line == $0 { next }
        line == "" && before !~ /^\t/ {
            discarded++
            while ($0 != "" && getline)
                ;
            next
        }
        place(line) != place($0) { wrong(); next }
        line ~ /\(\/tmp\/perf-[0-9]+\.map\)$/ { jit++; next }
        /@plt\+0x/ && line ~ / (\[unknown\]|[^ ]*@plt\+0x[0-9a-f]+|_init\+0x[0-9a-f]+) / { plt++; next }
        line ~ mangled { cxx20++; next }
        line ~ / \[unknown\] \(\[vdso\]\)$/ { vdso++; next }
        line ~ / \(\[vdso32\]\)$/ && / \[unknown\] / { vdso++; next }
        all && !missed { missed++; next }
        { wrong() }
        END {
            printf "%d lines: JIT %d, PLT %d, C++20 %d, vdso %d, stacks %d, missed %d, unknown %d\n", NR, jit, plt, cxx20,
                vdso, discarded, missed, unknown
            exit unknown > 0 || (getline line < "theirs") > 0
        }' ours
}

# Both: under --as-perf equal, else different where perf is wrong.
compares_to_perf() { # NAME
    thrice compares_once "$1" || excused "$1"
}

compares_once() {
    equal_once "$1" && perf-script -q "$1" > ours && only_known_differences "$1"
}

# A number of --stats=json.
number() { # KEY NAME...
    perf-script -q --stats=json "${@:2}" | grep -o "\"$1\":[0-9]*" | head -n 1 | cut -d : -f 2
}
