# stackstat: what it refuses, and what it prints of counters that are known: those of tool/counters.c. What the kernel
# counts is in live/stackstat.bats.
# not sanitized: the counters come from a library that is loaded before the sanitizers'
load lib

COUNTERS=$BUILD/tool/counters.so
HARDWARE=task-clock,cycles,instructions,branches,branch-misses,cache-misses

refuses() { # STATUS PATTERN OPTION...
    try "$BIN/stackstat" "${@:3}"
    same '' "$output"
    # shellcheck disable=SC2053 # a pattern
    [[ $stderr = $2 ]] || { echo "$stderr" && return 1; }
    [ "$status" -eq "$1" ]
}

@test "wrong usage is reported with status 2" {
    refuses 2 "stackstat: what is to be counted? -p PID, -a, or a command after '--'"*
    refuses 2 "stackstat: 'ls': a command stands after '--'"* ls
    refuses 2 'stackstat: -p, -t, -a and --cgroup exclude each other'* -p 1 -a
    refuses 2 "stackstat: option --pid: '' is not a list of numbers: does the process run?"* -p ''
    refuses 2 "stackstat: option --cpu: 'x' is not a list of numbers"* -C x -- true
    refuses 2 "stackstat: option --duration: '0' is not a time in seconds"* --duration 0 -a
    refuses 2 'stackstat: --repeat goes with a command'* -r 2 -a
    refuses 2 'stackstat: --repeat prints means at the end: --interval does not go with it'* -r 2 -I 9 -- true
    refuses 2 'stackstat: --no-aggr goes with -a, -C or --cgroup'* -A -- true
    refuses 2 'stackstat: --per-thread goes with -p or -t'* --per-thread -a
    refuses 2 'stackstat: --no-aggr and --per-thread exclude each other'* -A --per-thread -C 0 -p 1
    refuses 2 "stackstat: option --event: {cs,cycels}: cycels: no such event; did you mean 'cycles'?"* -e '{cs,cycels}' -- true
    refuses 2 "stackstat: option --event: {cs: a group ends with '}', or '}:' and modifiers"* -e 'cs,{cs' -- true
    refuses 2 'stackstat: --vs: two commands are needed: -- A --vs -- B'* -- true --vs --
    refuses 2 'stackstat: --vs: one run of each does not show how much runs differ: --repeat=2 or more'* -r 1 -- true --vs -- true
    refuses 2 'stackstat: --vs compares whole runs: --interval, --duration, --no-aggr and --per-thread do not go with it'* \
        -I 9 -- true --vs -- true
    refuses 2 'stackstat: --max-growth compares two commands: -- A --vs -- B'* --max-growth=5 -- true
    refuses 2 "stackstat: option --max-growth: '5:' is not PERCENT or PERCENT:EVENT"* --max-growth=5: -- true
    refuses 2 'stackstat: --json and --separator exclude each other'* --json -x, -- true
    refuses 2 "stackstat: option --event: cycels: no such event; did you mean 'cycles'?"* -e cycels -- true
    refuses 1 'stackstat: there is no process 2147483647: has it ended?' -e cycles -p 2147483647
}

@test "counters that share a register are scaled, and fields have the share of time counted" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -x, -e $HARDWARE -- echo printed
    same printed "$output"
    [ "$status" -eq 0 ]
    like "2000.00,msec,task-clock,2000000000,100.00,*,CPUs utilized*" "${stderr_lines[0]}"
    same '4000000000,,cycles,500000000,25.00,2.000,GHz
8000000000,,instructions,1500000000,75.00,2.000,insn per cycle
1000,,branches,2000000000,100.00,500.000,/sec
25,,branch-misses,2000000000,100.00,2.500,of all branches
<not counted>,,cache-misses,0,0.00,,' "$(printf '%s\n' "${stderr_lines[@]:1}")"
}

@test "events in braces are read together, with the times of the first one that the machine has" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -x, -e '{faults,cycles,instructions}:u,{branch-misses,branches}' -- true
    same '' "$output"
    [ "$status" -eq 0 ]
    same 'stackstat: faults:u: this machine has no such counter, as many virtual machines' "${stderr_lines[5]}"
    same '<not supported>,,faults:u,0,100.00,,
4000000000,,cycles:u,500000000,25.00,
24000000000,,instructions:u,500000000,25.00,6.000,insn per cycle
25,,branch-misses,2000000000,100.00,2.500,of all branches
1000,,branches,2000000000,100.00,' "$(printf '%s\n' "${stderr_lines[@]:0:5}" | sed 's/[0-9.]*,\(GHz\|K*\/sec\)$//')"
}

@test "-d, -dd and -ddd add perf's sets of cache events" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -q -x, -d -e branches -o out -- true
    same '' "$output$stderr"
    [ "$status" -eq 0 ]
    same '4000,,L1-dcache-loads
100,,L1-dcache-load-misses
<not supported>,,LLC-loads
<not supported>,,LLC-load-misses' "$(sed 1d out | cut -d, -f1-3)"
    like '*,2.500,of all L1-dcache accesses*' "$(sed -n 3p out)"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -q -x, -dd -e branches -o two -- true
    same 'L1-icache-loads L1-icache-load-misses dTLB-loads dTLB-load-misses iTLB-loads iTLB-load-misses' \
        "$(sed 1,5d two | cut -d, -f3 | paste -sd ' ')"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -q -x, -d -d -d -e branches -o three -- true
    same 'L1-dcache-prefetches L1-dcache-prefetch-misses' "$(sed 1,11d three | cut -d, -f3 | paste -sd ' ')"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -q -x, -o usual -- true
    same 'task-clock context-switches cpu-migrations page-faults cycles instructions branches branch-misses' \
        "$(cut -d, -f3 usual | grep -v stalled | paste -sd ' ')"
}

@test "counts stand for themselves by CPU with -A, and by thread with --per-thread" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -x, -A -C 0 -e branches,cache-misses -o out -- true
    same '' "$output$stderr"
    [ "$status" -eq 0 ]
    like 'CPU0,1000,,branches,2000000000,100.00,*
CPU0,<not counted>,,cache-misses,0,0.00,,*' "$(cat out)"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -x, --per-thread -t $$ -e branches -o out -- true
    like "$(cat /proc/$$/comm)-$$,1000,,branches,2000000000,100.00,*" "$(cat out)"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" --per-thread -t $$ -e branches -o out -- true
    like "*$(printf '%16s-%-9d%18s' "$(cat /proc/$$/comm)" $$ 1,000)      branches *" "$(cat out)"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" --json --per-thread -t $$ -e branches -o thread -- true
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" --json -A -a -C 0 -e branches -o cpu -- true
    same "0 $(cat /proc/$$/comm)-$$" "$(python3 -c 'import json
print(json.loads(open("cpu").read())["cpu"], json.loads(open("thread").read())["thread"])')"
}

@test "--json prints an object for each event, and a table its columns" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" --json -e instructions,branches -o out -- true
    same '' "$output$stderr"
    [ "$status" -eq 0 ]
    same '{"counter-value" : "8000000000", "unit" : "", "event" : "instructions", "event-runtime" : 1500000000, "pcnt-running" : 75.00' \
        "$(sed -n '1s/, "metric.*//p' out)"
    same 'instructions branches' "$(python3 -c 'import json; print(*(json.loads(line)["event"] for line in open("out")))')"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -r 2 -e task-clock,cycles -o out -- true
    same "
 Performance counter stats for 'true' (2 runs):" "$(sed -n 1,2p out)"
    like '*     4,000,000,000      cycles                   #    2.000 GHz                  ( +-  0.00% ) (25.00%)*' "$(cat out)"
}

@test "a counter that the machine lacks is said in one line, and the status is that of the command" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -x, -e branches,faults,minor-faults -o out -- sh -c 'exit 3'
    same 'stackstat: faults, minor-faults: this machine has no such counters, as many virtual machines' "$stderr"
    [ "$status" -eq 3 ]
    same '<not supported>,,faults,0,100.00,,' "$(sed -n 2p out)"
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -q -e faults -o out -- true
    same 'stackstat: nothing was counted: try -e task-clock, or --list' "$stderr"
    [ "$status" -eq 1 ]
}

@test "a command that cannot be executed has the status of a shell" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -e branches -- ./missing
    same 'stackstat: ./missing: No such file or directory' "$stderr"
    [ "$status" -eq 127 ]
}

# Three runs of each command in turns, which count 100, 102, 104 and 120, 122, 124 branches.
versus() { # OPTION...
    try env BRANCHES='100 120 102 122 104 124' LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -e branches "$@" -- echo A --vs -- echo B
}

@test "--vs runs two commands in turns, and prints the growth with its 95 % confidence interval" {
    versus -x, -o out
    same 'A B A B A B ' "$(tr '\n' ' ' <<< "$output")"
    same '' "$stderr"
    [ "$status" -eq 0 ]
    # Welch's interval: 4 degrees of freedom, so Student's t is 2.776; the standard error is 1.765 %.
    same '102,1.13%,122,0.95%,,branches,19.61,14.71,24.51' "$(sed -n 1p out)"
    same 'duration_time user_time system_time' "$(sed 1d out | cut -d, -f6 | paste -sd ' ')"
    versus --json -o out
    same 'branches 102.0 122.0 14.71 24.51' "$(python3 -c 'import json
row = [json.loads(line) for line in open("out")][0]
print(*(row[key] for key in ("event", "before", "after", "low-percent", "high-percent")))')"
    versus -o out
    like "*before: 'echo A'
                          after: 'echo B'
 3 runs of each, in turns*
               102                122   +19.61 %   +14.71 to   +24.51       branches
*" "$(cat out)"
}

@test "--max-growth fails if the whole interval is above the limit, and not for what may be chance" {
    versus -o out --max-growth=10:branches
    same 'stackstat: branches grew by 19.61 % (14.71 to 24.51), more than --max-growth=10:branches allows' "$stderr"
    [ "$status" -eq 1 ]
    versus -o out --max-growth=17:branches
    same 'stackstat: branches grew by 19.61 % (14.71 to 24.51), more than --max-growth=17:branches, but perhaps by chance: count more runs (--repeat) to be sure' "$stderr"
    [ "$status" -eq 0 ]
    versus -o out --max-growth=20:branches --max-growth=1:cs
    same 'stackstat: --max-growth=1:cs: cs was not counted' "$stderr"
    [ "$status" -eq 1 ]
}

@test "nothing is compared if a run fails" {
    try env LD_PRELOAD="$COUNTERS" "$BIN/stackstat" -e branches -- true --vs -- sh -c 'exit 3'
    same "stackstat: 'sh -c exit 3' failed, so nothing is compared" "$stderr"
    [ "$status" -eq 3 ]
}

@test "events without a descriptor are left out with a message, and the status is that of the others" {
    # shellcheck disable=SC2016 # for the shell
    try bash -c 'ulimit -n 24; LD_PRELOAD=$1 exec "$2/stackstat" -x, -e "$3" -o out -- true' - "$COUNTERS" "$BIN" \
        "$(printf 'branches,%.0s' {1..40})cycles"
    like 'stackstat: * of 41 events are not counted, since each counter is an open file, and no more are permitted:*' "$stderr"
    [ "$status" -eq 0 ]
    left=${stderr#stackstat: }
    left=${left%% *}
    same "$left $((41 - left))" "$(grep -c '<not counted>' out) $(grep -c ^1000, out)"
}
