# Recordings of perf that are copied record by record, as stackrecord writes perf.data. perf and perf-script must print
# of the copy what they print of the original.
load ../lib
load perfdata

PATH=$PATH:$BIN/../tool # datacopy

setup_file() {
    own_home
    local shell='for i in 1 2 3; do seq 20000 | sort | wc -l; done'
    record all -a -e cpu-clock -F 999 -g -- sh -c "$shell"
    record tracepoints -a -g -e 'sched:sched_switch,cpu-clock,syscalls:sys_enter_read' -- sh -c "$shell; $shell; $shell"
    record two -e cpu-clock/period=500000/u -e page-faults/period=5/ -g -- sh -c "$shell"
    for name in all tracepoints two; do
        [ ! -s $name ] || datacopy $name $name.copy
    done
}

copy_is_equal() { # NAME
    need "$1"
    for print in 'perf script --no-inline -i' 'perf report --stdio --no-inline -i' 'perf-script'; do
        $print "$1" 2> /dev/null | grep -v '^# (Tip' > wanted
        $print "$1.copy" 2> /dev/null | grep -v '^# (Tip' > got
        [ -s wanted ]
        cmp wanted got
    done
    perf inject -b -i "$1.copy" -o "$1.inject"
    perf script --no-inline -i "$1" > wanted
    perf script --no-inline -i "$1.inject" > got
    cmp wanted got
}

@test "perf script, perf report, perf inject and perf-script print the same of a copy" {
    copy_is_equal all
    copy_is_equal two
}

@test "tracepoints have their texts in a copy" {
    copy_is_equal tracepoints
    grep -q 'sched:sched_switch: prev_comm=' got
}

@test "a copy into a pipe is read by perf and by perf-script" {
    need two
    datacopy two - | perf script --no-inline -i - > got
    perf script --no-inline -i two > wanted
    cmp wanted got
    datacopy two - | perf-script - > got
    perf-script two > wanted
    cmp wanted got
}

@test "perf-script reads a copy that was not completed, with the names of events and the texts of tracepoints" {
    need tracepoints
    datacopy tracepoints part $(($(number samples tracepoints) / 2))
    try perf-script part
    [ "$status" -eq 0 ]
    [[ $stderr == *"perf-script: part: the recorder did not finish it: what is there is read"* ]]
    [ "$(grep -c ' sched:sched_switch: prev_comm=' <<< "$output")" -gt 5 ]
    # From the CPU on: the names of processes may be in records that were not written any more.
    perf-script -q tracepoints | grep -o '\[0.*sched_switch: .*' | sort > whole
    grep -o '\[0.*sched_switch: .*' <<< "$output" | sort > got
    [ -z "$(comm -23 got whole)" ]
}

@test "what cannot be written is reported" {
    need two
    try datacopy two /dev/full
    [ "$status" -eq 1 ]
    [ "$stderr" = 'datacopy: /dev/full: No space left on device' ]
}
