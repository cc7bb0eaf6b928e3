# Runs every example of every manual page and of the README, in a folder that has files of the names in the examples.
# not sanitized: the options in the examples are tested in the files of the programs
load lib

setup_file() {
    export WORK=$BATS_FILE_TMPDIR HOME=$BATS_FILE_TMPDIR PATH=$BATS_FILE_TMPDIR/tools:$COMPAT:$PATH
    cd "$WORK"
    # A node that is there is not the recorded one.
    gunzip -c "$DATA/node-http-header.perf.txt.gz" | two_minutes | sed 's,/usr/bin/node,/srv/bin/node,' > recorded
    export DATA
    # Recordings may have no sample: perf.data is a kept one, in which the command is called node.
    sed 's/seq\x00\x00/node\x00/g' "$DATA/two-events.data" > kept.data
    make_tools
}

# Stretches a recording of one second to two minutes, since the pages ask for the second of them.
two_minutes() {
    awk '
        match($0, / [0-9]+[.][0-9]+: /) {
            time = substr($0, RSTART + 1, RLENGTH - 3)
            first = first ? first : time
            $0 = sprintf("%s %.6f: %s", substr($0, 1, RSTART - 1), first + 120 * (time - first),
                substr($0, RSTART + RLENGTH))
        }
        { print }'
}

tool() { # NAME, the script on standard input
    mkdir -p "$WORK/tools"
    { echo '#!/bin/sh' && cat; } > "$WORK/tools/$1"
    chmod +x "$WORK/tools/$1"
}

# Replaces what records, and what may be missing, by small substitutes: perf script and stackrecord print the recording in
# tests/data, perf record writes one, pgrep finds some process, and sleep does not wait. Of node and Python the process is
# noted, since its perf map stays in /tmp.
make_tools() {
    local name program
    tool perf <<- 'END'
	case "$*" in
	script*) if [ -e waits ]; then cat "$DATA/stackcollapse/perf-sched/sleeps"; else cat "$WORK/recorded"; fi ;;
	record*' -o - '*) cat "$DATA/tracepoints.pipe.data" ;;
	record*sched_switch*' -g '*) gunzip -c "$DATA/offcpu/machine.data.gz" > perf.data ;;
	record*' -g '* | record*' -ag '*) cp "$WORK/kept.data" perf.data ;;
	record*) cp "$DATA/stackcollapse/pkgsplit/agent" perf.data ;; # without stacks
	esac
	case "$*" in
	record*sched:sched_waking*) touch waits ;;
	record*) rm -f waits ;;
	esac
	END
    tool stackrecord <<- 'END'
	file= text= last=
	for arg; do
	    case $last in
	    --) break ;;
	    -o) file=$arg ;;
	    --text) text=$arg ;;
	    esac
	    last=$arg
	done
	[ -z "$text" ] || exec > "$text"
	case $file,$* in
	,*--folded*) cat before.folded ;;
	,*--lines*) awk '{ print } /^\t/ { print "  app.c:12" }' "$WORK/recorded" ;;
	,*--syscalls*) gunzip -c "$DATA/syscalls.data.gz" | perf-script -q --syscalls ;;
	,*--turns*) cat "$WORK/recorded"; echo 'node 1/1 [000] 1.000000: 60000 turn:' ;;
	,*) cat "$WORK/recorded" ;;
	-,*) cat "$DATA/tracepoints.pipe.data" ;;
	*,*--off-cpu*) gunzip -c "$DATA/offcpu/machine.data.gz" > "$file" ;;
	*) cp "$WORK/kept.data" "$file" ;;
	esac
	END
    cp "$BIN/flamepipe" tools
    tool jmaps <<< 'echo "no Java runs"'
    tool stackstat <<< 'case " $*" in *" --vs "*) set -- -q "$@" ;; *) set -- --duration 0.05 "$@" ;; esac # which may have no end
        exec "$BIN/stackstat" "$@"'
    tool nodeprofile <<< 'cat "$DATA"/stackcollapse/cpuprofile/app'
    command -v less > where || tool less <<< 'exec cat'
    command -v zstd > where || tool zstd <<< 'exec cat'
    for name in node python3; do
        ! program=$(command -v $name) || tool $name <<- END
	echo \$\$ >> "$WORK/processes"
	exec "$program" "\$@"
	END
    done
    command -v node > where || tool node <<- 'END'
	case $1 in --cpu-prof) cp "$DATA/stackcollapse/cpuprofile/app" CPU.1.cpuprofile ;; esac
	END
    for name in go duckdb clickhouse spark-sql curl; do # they would look at what stackexport wrote
        tool $name <<< '[ -t 0 ] || exec cat > /dev/null'
    done
    tool deno <<< 'exec cat /dev/null'
    tool bun <<< 'exec cat /dev/null'
    tool gdb <<- 'END'
	cat "$DATA/stackcollapse/gdb/threads"
	END
    tool pgrep <<- 'END'
	echo $PPID
	END
    tool sleep <<< ':'
    # As Hadoop Streaming passes lines on: cut at the first separator in key and value, which are joined with one. A line
    # without it is a key, and its value is empty.
    tool hadoop <<- 'END'
	tab=$(printf '\t') map=$tab reduce=$tab result=$tab text=$tab
	while [ $# -gt 0 ]; do
	    case $1=$2 in
	    -mapper=*) mapper=$2 ;;
	    -reducer=*) reducer=$2 ;;
	    -D=stream.map.output.field.separator=*) map=${2#*=} ;;
	    -D=stream.reduce.input.field.separator=*) reduce=${2#*=} ;;
	    -D=stream.reduce.output.field.separator=*) result=${2#*=} ;;
	    -D=mapreduce.output.textoutputformat.separator=*) text=${2#*=} ;;
	    esac
	    shift
	done
	pass_on() {
	    awk -v cut="$1" -v join="$2" '{ i = index($0, cut); if (!i) i = length($0) + 1
	        print substr($0, 1, i - 1) join substr($0, i + 1) }'
	}
	cat ./host*.folded | $mapper | pass_on "$map" "$reduce" | sort | $reducer | pass_on "$result" "$text" > sum
	stackcollapse ./host*.folded | cmp - sum
	END
    parallel --version 2> why | grep -q '^GNU' || tool parallel <<- 'END'
	[ "$1" = -N ] || set -- -N 1 "$@"
	shift
	exec xargs -n "$@"
	END
}

# The files that the pages name, new for each test.
setup() {
    cd "$BATS_TEST_TMPDIR"
    cp "$WORK/kept.data" perf.data
    echo 'console.log("done");' > app.js
    local name
    for name in out app host1 host2; do
        cp "$WORK/recorded" "$name.perf"
    done
    stackfilter --node "$WORK/recorded" | stackcollapse > before.folded
    sed 's/1$/2/' before.folded > after.folded
    for name in app host1 host2 before1 before2 before3; do
        cp before.folded "$name.folded"
    done
    for name in after1 after2 after3; do
        cp after.folded "$name.folded"
    done
    mkdir before after archive
    for name in 13 14; do # 2026-11-27T00:00:00Z is 1795737600
        sed "s/^/@$((1795737600 + name * 3600 + 240)).000;web1;node-4\/4;/" before.folded > archive/2026-11-27T${name}Z.folded
    done
    cp app.js before
    cp app.js after
    gunzip -c "$DATA/node-unnamed.map.gz" > perf-7.map
    cp "$DATA/stackcollapse/pprof/heap" heap.pb.gz
}

# What flamepipe-recipes(7) and the README need besides.
prepare_recipes() {
    cp "$DATA/tracepoints.pipe.data" tracepoints.data
    cp /bin/true app
    echo 'print(sum(i for i in range(5000000)))' > app.py
    mkdir rootfs
    echo 'ffffffff81000000 T _text' > kallsyms
    ln -s "$COMPAT" FlameGraph
    ln -s "$COMPAT"/*.pl .
    export pid=$$
    MAP=/tmp/perf-$(awk '/NSpid/ { print $NF }' /proc/$$/status).map # of pid
    echo '1000 10 JS:f' > "$MAP"
}

teardown() {
    rm -f "${MAP-}"
    [ ! -e "$WORK/processes" ] || sed 's|.*|/tmp/perf-&.map|' "$WORK/processes" | xargs rm -f
}

# Turns Spark's stages, rdd.pipe("COMMAND").pipe("COMMAND"), into a pipe of the shell; waits for what runs in the
# background; reads a small folder, and an archive of one day.
as_shell() {
    if grep -q '\.pipe("' <<< "$1"; then
        printf "cat ./host*.folded"
        grep -o '\.pipe("[^"]*")' <<< "$1" | sed 's/\.pipe("\(.*\)")/ | \1/' | tr -d '\n'
    else
        sed -E 's,/usr$|/usr ,"$DATA/flamesvg" ,; s/&$/& wait/; s,/var/lib/flamepipe,archive,
            s/--last 10m/--between 14:02..14:07/; s/([0-9:]{5})[.][.]([0-9:]{5})/2026-11-27T\1Z..2026-11-27T\2Z/' <<< "$1"
    fi
}

displays() { # PAGE
    case $1 in
    README) readme ;;
    flamepipe.7) beside_perf "$1" | sed G ;;
    *) awk -f "$BATS_TEST_DIRNAME/examples.awk" "$ROOT/man/$1" ;;
    esac
}

# The commands of the README's quick start and recipes, an empty line after each block.
readme() {
    awk '
        /^## / { examples = /Quick start|Recipes/ }
        examples && /^    / { print substr($0, 5); shown = 1; next }
        shown { print ""; shown = 0 }' "$ROOT/README.md"
}

run_examples() { # PAGE
    local example count=0
    while IFS= read -r -d '' example; do
        count=$((count + 1))
        echo "$example"
        PATH=$WORK/tools:$PATH try bash -e -o pipefail -c "$(as_shell "$example")" < /dev/null
        echo "$stderr"
        [ "$status" -eq 0 ] || [ "$status" -eq 141 ] # SIGPIPE: head has exited
        [[ $stderr != *usage:* ]]
    done < <(displays "$1" | sed 's/^$/\x0/')
    [ "$count" -gt 0 ]
    local picture
    for picture in *.svg; do
        [ ! -e "$picture" ] || well_formed "$picture"
    done
}

@test "every program's page has examples, and a test below runs those of each page" {
    local page
    for page in "$ROOT"/man/*.[0-9]; do
        grep -q '^\.Sh EXAMPLES' "$page" || [[ $page != *.1 ]] || false
        ! grep -q '^\.Sh EXAMPLES' "$page" ||
            grep -q "run_examples $(basename "$page")\$" "$BATS_TEST_FILENAME"
    done
}

@test "README: the examples work" {
    prepare_recipes
    run_examples README
}

@test "perf-script(1): the examples work" {
    run_examples perf-script.1
}

@test "stackfilter(1): the examples work" {
    run_examples stackfilter.1
}

@test "stackcollapse(1): the examples work" {
    run_examples stackcollapse.1
}

@test "flamesvg(1): the examples work" {
    run_examples flamesvg.1
}

@test "stackdiff(1): the examples work" {
    run_examples stackdiff.1
}

@test "stackrecord(1): the examples work" {
    run_examples stackrecord.1
}

@test "stackrecord-events(7): the examples work" {
    run_examples stackrecord-events.7
}

@test "stackstat(1): the examples work" {
    "$BIN/stackstat" -q -- true 2> refusal || skip "the kernel does not permit it here: $(head -n 1 refusal)"
    seq 1000 | sort -R > numbers
    mkdir -p before after
    printf '#!/bin/sh\n' | tee before/app > after/app
    chmod +x before/app after/app
    run_examples stackstat.1
}

@test "flamepipe(1): the examples work" {
    run_examples flamepipe.1
}

@test "stackreport(1): the examples work" {
    run_examples stackreport.1
}

@test "stackexport(1): the examples work" {
    run_examples stackexport.1
}

@test "stackfiles(1): the examples work" {
    run_examples stackfiles.1
}

@test "jmaps(1): the examples work" {
    run_examples jmaps.1
}

@test "nodeprofile(1): the examples work" {
    run_examples nodeprofile.1
}

@test "folded(5): the examples work" {
    run_examples folded.5
}

@test "stackcollapse-formats(5): the examples work" {
    run_examples stackcollapse-formats.5
}

@test "flamepipe(7): the commands beside those of perf work" {
    "$BIN/stackstat" -q -- true 2> refusal || skip "the kernel does not permit it here: $(head -n 1 refusal)"
    cp /bin/true app
    run_examples flamepipe.7
}

@test "flamepipe-recipes(7): the examples work" {
    prepare_recipes
    run_examples flamepipe-recipes.7
}
