# nodeprofile and flamepipe --inspect: what they refuse and print without a node. live/ has what they make of one that runs.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR"
    unset NODE_OPTIONS
}

@test "wrong usage of nodeprofile is reported on standard error with status 2" {
    for wrong in '' 'x' '1 2' '0' '-d 0 1' '-d x 1' '-i 0 1' '--heap=dead 1' '--heap= 1' '--nonsense 1'; do
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

@test "flamepipe --heap needs running processes, and none of the options that say what else to record" {
    for wrong in '-a' '--cgroup system' '--off-cpu -p 1' '--wall -p 1' '-e page-faults -p 1' '-F 99 -p 1' '--idle-threads -p 1' 'file' \
        '-- node app.js'; do
        # shellcheck disable=SC2086 # several words
        try flamepipe --heap $wrong
        [ "$status" = 2 ]
        same '' "$output"
        [[ $stderr = 'flamepipe: option --heap needs --pid or --name, and none of --cgroup, --wall, --off-cpu, --event, --freq, --idle-threads'* ]]
    done
}

@test "flamepipe --print --heap prints commands that draw bytes" {
    answers 0 "nodeprofile --heap -d 30 12 > out.heapprofile
stackcollapse out.heapprofile | stackfilter --node --source-maps | stackcollapse --kernel | flamesvg --colors=node \
--countname=bytes --title='process 12: memory in use' -o flame.svg" '' flamepipe --print --heap -p 12 30
}

@test "flamepipe draws a .heapprofile in bytes" {
    printf '%s' '{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},' \
        '"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"fill","scriptId":"8","url":"file:///srv/app.js",' \
        '"lineNumber":2,"columnNumber":13},"selfSize":32000,"id":2,"children":[]}]},"samples":[]}' > app.heapprofile
    try flamepipe app.heapprofile
    [ "$status" = 0 ]
    same '' "$output"
    [[ $stderr = *'flamepipe: the functions that allocated the most memory, in bytes:'*'32,000 '*'fill /srv/app.js:3:14'* ]]
    grep -q '<title>fill /srv/app.js:3:14 (32.0* kB, 100.00%)' flame.svg
}
