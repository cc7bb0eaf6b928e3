# stackrecord: what it refuses before it asks the kernel for anything. What it records is in live/stackrecord*.bats.
load lib

# Fails unless the options are refused with that status and a message that matches, and no command is started.
refuses() { # STATUS PATTERN OPTION...
    echo "${@:3}"
    try "$BIN/stackrecord" "${@:3}"
    same '' "$output"
    # shellcheck disable=SC2053 # a pattern
    [[ $stderr = $2 ]] || { echo "$stderr" && return 1; }
    [ "$status" -eq "$1" ]
}

@test "wrong usage is reported with status 2" {
    refuses 2 "stackrecord: what is to be recorded? -p PID, -n NAME, -a, or a command after '--'"*
    refuses 2 "stackrecord: 'ls': a command stands after '--'"* ls
    refuses 2 "stackrecord: option --pid: '' is not a list of numbers: does the process run?"* -p ''
    refuses 2 'stackrecord: *' -p 1 -a
    refuses 2 'stackrecord: *' -F 99 -c 5 -a
    refuses 2 'stackrecord: *' --duration 0 -a
    refuses 2 'stackrecord: --header goes with sample text: not with --folded, nor -o alone'* --header --folded -a
    refuses 2 'stackrecord: --header goes with sample text: not with --folded, nor -o alone'* --header -o data -a
    refuses 2 "stackrecord: option --cpu: '0-65536' is not a list of numbers"* -C 0-65536 -- true
}

@test "--off-cpu and --wall have events of their own, and --min-block is for them alone" {
    for options in '-e cycles' '-F 99' '-c 5'; do
        # shellcheck disable=SC2086 # two words
        refuses 2 'stackrecord: --off-cpu records every wait: -e, -F and -c do not go with it'* --off-cpu $options -- true
    done
    for options in '-e cycles' '-c 1' '--off-cpu' '--call-graph none'; do
        # shellcheck disable=SC2086
        refuses 2 '*--wall*' --wall $options -- true
    done
    refuses 2 'stackrecord: --min-block goes with --wall and --off-cpu'* --min-block=5 -- true
    refuses 2 'stackrecord: --folded adds up the samples of one event, and there are several'* \
        --folded -e cpu-clock,page-faults -- true
}

@test "--perf-map says what is wrong with it" {
    refuses 2 "stackrecord: option --perf-map: '42' is not PID=FILE"* --perf-map 42 -- true
    refuses 1 'stackrecord: missing: No such file or directory' --perf-map 42=missing -- true
}

@test "an event that does not exist is wrong usage, and the nearest name is shown" {
    refuses 2 "*cpu-clok: no such event; did you mean 'cpu-clock'?*" -e cycles,cpu-clok -- true
}

@test "an event of a function is found in a stripped Go program, and a file without any names has none" {
    gunzip -c "$DATA/goroutines.elf.gz" > goroutines
    refuses 2 "*has no function 'main.tre'; did you mean 'main.tree'?*" -e ./goroutines:main.tre -- true
    LC_ALL=C sed 's/[.]gopclntab/.gopclntaB/' goroutines > nameless
    refuses 2 "*has no function 'main.tree': the file has no symbols; its functions have no names"* \
        -e ./nameless:main.tree -- true
}

@test "a name that 200,000 functions of a file have is refused at once, with their number" {
    python3 "$ROOT/tests/record/elf.py" twins 4800024 > file
    ulimit -t 3
    refuses 2 "stackrecord: option --event: ./file:twin: 'twin' of */file is the name of 200,000 functions, but at most 1,000 can be watched: *" \
        -e ./file:twin -- true
}

@test "perf-script --wall refuses a recording that does not say when threads run, and both options at once" {
    try perf-script --wall "$DATA/two-events.data"
    [ "$status" -eq 1 ]
    [[ $stderr == *'does not say when threads stop and run again: for --wall, record with '* ]]
    try perf-script --wall --off-cpu "$DATA/two-events.data"
    [ "$status" -eq 2 ]
}
