# nodeprofile and flamepipe --inspect: what they refuse and print without a node. live/ has what they make of one that runs.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset NODE_OPTIONS
}

@test "wrong usage of nodeprofile is reported on standard error with status 2" {
    for wrong in '' 'x' '1 2' '0' '-d 0 1' '-d x 1' '-i 0 1' '--nonsense 1'; do
        # shellcheck disable=SC2086 # several words
        try nodeprofile $wrong
        [ "$status" = 2 ]
        same '' "$output"
        [[ $stderr = nodeprofile:*"try 'nodeprofile --help' for the options" ]]
    done
    try nodeprofile 99999999
    [ "$status" = 1 ]
    same 'nodeprofile: process 99999999: there is no such process' "$stderr"
}

@test "flamepipe --inspect needs node as a command, or processes, and no other event" {
    for wrong in '-a' '--cgroup system' '--off-cpu -p 1' '--wall -p 1' '-e page-faults -p 1' 'file' '--wall -- node app.js'; do
        # shellcheck disable=SC2086 # several words
        try flamepipe --inspect $wrong
        [ "$status" = 2 ]
        [[ $stderr = 'flamepipe: option --inspect needs node as a command, --pid or --name, and none of --cgroup, --wall, --off-cpu, --event'* ]]
    done
    try flamepipe --inspect -- sh -c true
    [ "$status" -eq 1 ]
    same 'flamepipe: option --inspect records node, not sh' "$stderr"
}

@test "flamepipe --inspect refuses the option with which Node 18 to 20 may hang" {
    printf '#!/bin/sh\necho started\n' > node
    chmod +x node
    PATH=$PWD:$PATH NODE_OPTIONS=--interpreted-frames-native-stack try flamepipe --inspect -- node app.js
    [ "$status" -eq 1 ]
    same '' "$output"
    [[ $stderr == 'flamepipe: with --interpreted-frames-native-stack Node 18 to 20 may hang while V8 takes a profile: leave it out'* ]]
}

@test "flamepipe --print --inspect prints the command for one process, and refuses several" {
    try flamepipe --print --inspect -p 12 -F 500 30
    same 'nodeprofile -d 30 -i 2000 12 > out.cpuprofile' "${lines[0]}"
    try flamepipe --print --inspect -p 1,2
    [ "$status" -eq 2 ]
    [[ $stderr == 'flamepipe: option --print: with --inspect for one process at a time'* ]]
}
