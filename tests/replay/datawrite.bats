# Recordings that are copied record by record, as stackrecord writes perf.data: perf-script prints of the copy what it prints
# of the original. That perf does is found by record.sh.
load ../lib
load replay

PATH=$PATH:$BUILD/tool # datacopy

@test "perf-script prints the same of a copy, with the texts of tracepoints" {
    local name
    for name in system tracepoints chain; do
        use $name
        datacopy data copy
        replay data > wanted
        replay copy | cmp wanted -
    done
}

@test "a copy into a pipe is read" {
    use chain
    replay data > wanted
    datacopy data - > copy
    replay - < copy | cmp wanted -
}

@test "perf-script reads a copy that was not completed, with the names of events and the texts of tracepoints" {
    use tracepoints
    datacopy data part 40
    try perf-script "${where[@]}" part
    [ "$status" -eq 0 ]
    [[ $stderr == *"perf-script: part: the recorder did not finish it: what is there is read"* ]]
    [ "$(grep -c ' sched:sched_switch: prev_comm=' <<< "$output")" -gt 5 ]
    # From the CPU on: the names of processes may be in records that were not written any more.
    replay data | grep -o '\[0.*sched_switch: .*' | sort > whole
    grep -o '\[0.*sched_switch: .*' <<< "$output" | sort > got
    [ -z "$(comm -23 got whole)" ]
}

@test "what cannot be written is reported" {
    use moved
    try datacopy data /dev/full
    [ "$status" -eq 1 ]
    [ "$stderr" = 'datacopy: /dev/full: No space left on device' ]
}
