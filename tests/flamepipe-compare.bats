# not sanitized: it is a shell script
# flamepipe --compare: two commands are recorded in turns, and what changed is drawn. The recorder records nothing: it
# runs the command, whose last words say how many samples there are in the functions f and g.
load lib

setup_file() {
    export HOME=$BATS_FILE_TMPDIR FAKE=$BATS_FILE_TMPDIR/fake
    mkdir "$FAKE"
    ln -s "$BIN"/* "$FAKE"
    rm "$FAKE"/{stackrecord,flamepipe}
    cp "$BIN/flamepipe" "$FAKE"
    cat >"$FAKE/stackrecord" <<-'END'
	#!/bin/bash
	# stackrecord ... --text FILE -- COMMAND ... F G
	printf '%s\n' "$*" | sed 's/ --parent [0-9]*//; s/ [^ ]*\/recording / FILE /' >> "$LOG"
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
	    [ "$1" != --text ] || text=$2
	    shift
	done
	[ $# -gt 0 ] || exit 0
	shift
	[ -z "${text-}" ] || for function in "f ${*: -2:1}" "g ${*: -1}"; do
	    set -- "$@"
	    for ((i = 0; i < ${function#* }; i++)); do
	        printf 'app 7 1.000000: 1 cycles:\n\t10 %s (/bin/app)\n\t20 main (/bin/app)\n\n' "${function% *}"
	    done
	done > "$text"
	"$@"
	END
    chmod +x "$FAKE/stackrecord"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    mkdir tmp
    export TMPDIR=$PWD/tmp LOG=$PWD/log
    PATH=$FAKE:${PATH//"$BIN":/}
}

teardown() {
    same '' "$(ls -A "$TMPDIR")"
}

# The commands that were recorded, in order, without the trial before them.
recorded() {
    sed -n 's/.* FILE -- //p' "$LOG"
}

@test "the two commands are recorded three times each, in turns, and the picture has what changed" {
    answers 0 "it's 100 300
after 200 200
it's 100 300
after 200 200
it's 100 300
after 200 200" '*' flamepipe --compare -- echo "it's" 100 300 --vs -- echo after 200 200
    same "echo it's 100 300
echo after 200 200
echo it's 100 300
echo after 200 200
echo it's 100 300
echo after 200 200" "$(recorded)"
    well_formed flame.svg
    grep -qF "<title>f (600 samples, 50.00%; +25.00%)" flame.svg
    grep -qF "echo it's 100 300 vs echo after 200 200" flame.svg
    same "flamepipe: run 1 of 3 of 'echo it's 100 300'
flamepipe: run 1 of 3 of 'echo after 200 200'
flamepipe: run 2 of 3 of 'echo it's 100 300'
flamepipe: run 2 of 3 of 'echo after 200 200'
flamepipe: run 3 of 3 of 'echo it's 100 300'
flamepipe: run 3 of 3 of 'echo after 200 200'
flamepipe: flame.svg: 3 runs of each command
 before    after   change  certain  function  stack that changed most
 25.00%   50.00%   +25.00   >99.9%  f         app;main;f
100.00%  100.00%    +0.00     0.0%  app       app;main;f
100.00%  100.00%    +0.00     0.0%  main      app;main;f
 75.00%   50.00%   -25.00   >99.9%  g         app;main;g" "$stderr"
    same flame.svg "$(ls flame*)"
}

@test "--keep keeps the folded stacks of each run, with which stackdiff is the gate" {
    local run
    answers 0 '*' '' flamepipe -q --compare --keep -o change.svg -- true 100 300 --vs -- true 200 200
    for run in 1 2 3; do
        same 'app;main;f 100
app;main;g 300' "$(cat "change.before$run.folded")"
        same 'app;main;f 200
app;main;g 200' "$(cat "change.after$run.folded")"
    done
    answers 1 '*' 'stackdiff: grew by 25.00 (+/- *) points, from 25.00 % to 50.00 %: f*' \
        stackdiff --max-growth=3 --before change.before*.folded --after change.after*.folded
}

@test "-r says how many runs, -F how many samples a second; without it there are 999" {
    answers 0 '*' '' flamepipe -q --compare -r 2 -- true 9 --vs 1 2 --vs -- true 1 2
    same '-F 999 --inline -q --text FILE -- true 9 --vs 1 2
-F 999 --inline -q --text FILE -- true 1 2
-F 999 --inline -q --text FILE -- true 9 --vs 1 2
-F 999 --inline -q --text FILE -- true 1 2' "$(sed 1d "$LOG")"
    rm "$LOG"
    answers 0 '*' '' flamepipe -q --compare --runs=1 -F 49 --duration 3 -- true 1 2 --vs -- true 1 2
    same '-F 49 --inline -q --duration 3 --text FILE -- true 1 2
-F 49 --inline -q --duration 3 --text FILE -- true 1 2' "$(sed 1d "$LOG")"
}

@test "a command that fails ends it with that status, and nothing is compared" {
    answers 7 '*' "flamepipe: run 1 of 3 of 'true 1 2'
flamepipe: run 1 of 3 of 'sh -c exit 7 1 2'
flamepipe: 'sh -c exit 7 1 2' ended with status 7, so nothing is compared" \
        flamepipe --compare --keep -- true 1 2 --vs -- sh -c 'exit 7' 1 2
    same flame.before1.folded "$(ls flame*)"
    rm flame*
    answers 127 '*' 'flamepipe: nonesuch: no such command' flamepipe --compare -- true 1 2 --vs -- nonesuch 1 2
    run ! ls flame*
    answers 1 '*' '*flamepipe: no samples: *' flamepipe --compare -- true 0 0 --vs -- true 1 2
}

@test "what --print prints draws the same picture" {
    flamepipe --print --compare -r 2 -- echo "it's" 100 300 --vs -- echo \$HOME 200 200 >commands
    [ ! -e "$LOG" ]
    answers 0 '*' '' flamepipe -q --compare -r 2 -- echo "it's" 100 300 --vs -- echo \$HOME 200 200
    mv flame.svg wanted.svg
    answers 0 '*' '' sh -e commands
    cmp wanted.svg flame.svg
}

@test "what is said of a recording is said of the first run of each command" {
    sed -i 's/--vs/&/; s|/bin/app)\\n\\n|/tmp/perf-7.map)\\n\\n|; s|10 %s|10 [unknown]|' "$FAKE/stackrecord"
    try flamepipe --compare -- true 10 20 --vs -- true 10 20
    [ "$status" -eq 0 ]
    same 2 "$(grep -c ' no callchain\| without a name\| without names' <<<"$stderr")"
}

# Checks that wrong usage is reported with this message first.
is_wrong_usage() { # MESSAGE ARGUMENT ...
    answers 2 '' '*' flamepipe "${@:2}"
    same "flamepipe: $1" "${stderr%%$'\n'*}"
}

@test "wrong usage of --compare is reported with status 2" {
    local two='option --compare: two commands are needed: -- A --vs -- B'
    local none='option --compare goes with none of --inspect, --wall, --off-cpu, --digest, --by-process, --by-thread'
    is_wrong_usage "$two" --compare -- true 1 2
    is_wrong_usage "$two" --compare -- true --vs true
    is_wrong_usage "$two" --compare -- true --vs --
    is_wrong_usage "$two" --compare -- --vs -- true
    is_wrong_usage "$two" --compare -p 1
    is_wrong_usage "$two" --compare file
    is_wrong_usage "$none" --compare --wall -- true --vs -- true
    is_wrong_usage "$none" --compare --off-cpu -- true --vs -- true
    is_wrong_usage "$none" --compare --by-thread -- true --vs -- true
    is_wrong_usage 'option --runs goes with --compare' -r 3 -- true
    is_wrong_usage "option --runs: '0' is not a number of runs from 1 to 999" -r 0 -- true
    is_wrong_usage "option --runs: 'x' is not a number of runs from 1 to 999" --runs=x --compare -- true --vs -- true
}

@test "one run of each command is called so" {
    flamepipe --compare -r 1 -- echo a 100 300 --vs -- echo b 200 200 2>err
    grep -qxF 'flamepipe: flame.svg: one run of each command' err
}
