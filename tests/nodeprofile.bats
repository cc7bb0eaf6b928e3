# nodeprofile and flamepipe --inspect: what they refuse and print without a node. live/ has what they make of one that runs.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset NODE_OPTIONS
}

@test "wrong usage of nodeprofile is reported on standard error with status 2" {
    for wrong in '' 'x' '1 2' '0' '-d 0 1' '-d x 1' '-i 0 1' '--nonsense 1'; do
        # shellcheck disable=SC2086 # several words
        answers 2 '' '*' nodeprofile $wrong
        [[ $stderr = nodeprofile:*"try 'nodeprofile --help' for the options" ]]
    done
    answers 1 '*' 'nodeprofile: process 99999999: there is no such process' nodeprofile 99999999
}

@test "flamepipe --inspect needs node as a command, or processes, and no other event" {
    for wrong in '-a' '--cgroup system' '--off-cpu -p 1' '--wall -p 1' '-e page-faults -p 1' 'file' '--wall -- node app.js'; do
        # shellcheck disable=SC2086 # several words
        try flamepipe --inspect $wrong
        [ "$status" = 2 ]
        [[ $stderr = 'flamepipe: option --inspect needs node as a command, --pid or --name, and none of --cgroup, --wall, --off-cpu, --event'* ]]
    done
    answers 1 '*' 'flamepipe: option --inspect records node, not sh' flamepipe --inspect -- sh -c true
}

@test "flamepipe --inspect refuses the option with which Node 18 to 20 may hang" {
    printf '#!/bin/sh\necho started\n' > node
    chmod +x node
    PATH=$PWD:$PATH NODE_OPTIONS=--interpreted-frames-native-stack answers 1 '' \
        'flamepipe: with --interpreted-frames-native-stack Node 18 to 20 may hang while V8 takes a profile: leave it out*' \
        flamepipe --inspect -- node app.js
}

@test "flamepipe --print --inspect prints the command for one process, and refuses several" {
    try flamepipe --print --inspect -p 12 -F 500 30
    same 'nodeprofile -d 30 -i 2000 12 > out.cpuprofile' "${lines[0]}"
    answers 2 '*' 'flamepipe: option --print: with --inspect for one process at a time*' \
        flamepipe --print --inspect -p 1,2
}
