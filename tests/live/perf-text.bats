# Text from this machine's perf, and the kernel's names of a recording.
load ../lib

@test "what perf prints here is canonical, whichever fields it is asked for" {
    command -v perf > /dev/null || skip "no perf on this machine"
    perf record -q -e cpu-clock -F 999 -g -o chain -- sh -c 'seq 20000 | sort > /dev/null' 2> why ||
        skip "perf may not record: $(head -n 1 why)"
    perf record -q -e cpu-clock -F 999 -o plain -- sh -c 'seq 20000 | sort > /dev/null' 2> why
    local fields file
    for fields in comm,tid,event,ip,sym comm,pid,tid,time,event,ip,sym,dso comm,tid,time,ip,sym,dso \
        comm,tid,time,event,ip,dso comm,tid,time,event,ip +misc +pid; do
        for file in chain plain; do
            perf script -i $file -F $fields > in 2> why
            echo "$file $fields"
            perf-script in > out
            cmp in out
        done
    done
    perf script -i chain --ns --show-task-events --show-mmap-events --header > in
    perf-script in > out
    cmp in out
}

@test "the kernel's names come from perf's copy of them, but not if the kernel lay elsewhere then" {
    command -v perf > where || skip "no perf here"
    export HOME=$PWD
    perf record -q -e cpu-clock -F 4999 -g -o data -- sh -c 'seq 20000 | sort > /dev/null' 2> why ||
        skip "perf may not record here: $(head -n 1 why)"
    local copies=(.debug/*kallsyms*/*/kallsyms)
    grep -q '^0*[1-9a-f]' "${copies[0]}" || skip "perf kept no addresses of the kernel"
    perf-script data | grep -q '\[kernel.kallsyms\]' || skip "no sample in the kernel"
    sed 's/^\([0-9a-f]* [tTwW] \)/\1copied_/' "${copies[0]}" > here
    sed 's/^ff/fe/' here > elsewhere
    cp --remove-destination here "${copies[0]}"
    try perf-script data
    [[ $output == *' copied_'*'([kernel.kallsyms])'* ]]
    cp elsewhere "${copies[0]}"
    try perf-script data
    [[ $output == *'([kernel.kallsyms])'* ]]
    [[ $output != *copied_* ]]
}
