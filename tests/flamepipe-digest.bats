# flamepipe --digest: a page of Markdown; with a recorder that records nothing.
# not sanitized: it is a shell script
load lib
load flamepipe

setup_file() {
    make_recorders
}

# What the pipe of flamepipe prints of text, with stackreport --digest at its end.
by_digest() { # FILE [OPTION ...]
    stackfilter -q --node "$1" | stackreport -q --digest "${@:2}"
}

@test "--digest prints the digest of a recording, and draws nothing; the output of the command is no part of it" {
    use stackrecord
    answers 3 "$(by_digest "$FAKE/two-events.perf")" $'*the output\n*' flamepipe --digest -- sh -c 'echo the output; exit 3'
    [[ $output == '# Profile of `seq`'* && $stderr != *' self '* ]]
    [ ! -e flame.svg ]
    grep -q -- '--header --text .*/recording -- sh' "$LOG"
    answers 0 '# Profile of `seq`*' '' flamepipe -q --digest -p 4242 0.1
}

@test "--digest of a file is that of its samples, for perf.data, text, folded stacks and profiles of V8" {
    local file=$FAKE/two-events.perf
    prints "$(by_digest "$file")" flamepipe -q --digest "$file"
    perf-script -q --inline "$RECORDED" > inlined.perf
    prints "$(by_digest inlined.perf)" flamepipe -q --digest "$RECORDED"
    prints "$(by_digest "$file" --event=cpu-clock/period=300000/u)" flamepipe -q --digest --event=cpu-clock/period=300000/u - < "$FAKE/two-events.perf"
    stackcollapse -q --kernel "$file" > stacks.folded
    prints "$(by_digest stacks.folded)" flamepipe -q --digest stacks.folded
    file=$DATA/stackcollapse/cpuprofile/app
    stackcollapse -q "$file" | stackfilter -q --node --exclude '^[(]idle[)]$' | stackreport -q --digest --weight=period > page
    prints "$(< page)" flamepipe -q --digest "$file"
    grep -qF -- '- no margins of error' page
}

@test "--digest with -o or --html draws the picture too, and prints no table" {
    answers 0 "$(by_digest "$FAKE/two-events.perf")" '*flamepipe: flame.html' flamepipe --digest --html "$FAKE/two-events.perf"
    [[ $stderr != *' self '* ]]
    flamepipe -q --html -o same.html --title=two-events.perf "$FAKE/two-events.perf" 2> messages
    cmp same.html flame.html
}

@test "--digest of a recording of stalls lists them, from the length that --stalls says" {
    printf 'node 42/42 [000] 5.000000: %d wall: running\n\t1 main+0x1 (/x)\n\nnode 42/42 [000] 5.000000: %d turn: ended\n' 70000 70000 > in
    [[ $(flamepipe -q --digest in) == *'1 of 50 ms and longer, 70 ms in all'* ]]
    [[ $(flamepipe -q --digest --stalls=60 in) == *'1 of 60 ms and longer, 70 ms in all'* ]]
    [[ $(flamepipe -q --digest --stalls=80 in) != *'## Stalls'* ]]
}

@test "--print prints the pipe of --digest" {
    use stackrecord
    prints 'stackrecord -p 12 -F 99 --inline --header --text out.perf
stackfilter --node --source-maps out.perf | stackreport --digest' flamepipe --digest --print -p 12
    cp "$DATA/stackcollapse/cpuprofile/app" some.cpuprofile
    prints "stackcollapse some.cpuprofile | stackfilter --node --source-maps --exclude '^[(]idle[)]\$' | stackreport --digest --weight=period" \
        flamepipe --digest --print some.cpuprofile
}

@test "--digest says why there is none, and is wrong usage beside a picture on standard output or a comparison" {
    : > empty
    answers 1 '' 'flamepipe: empty: the input is empty' flamepipe --digest empty
    answers 1 '' '*no samples in the input; a command to record comes after --' flamepipe -q --digest <(echo no profile)
    answers 2 '' 'flamepipe: option --digest: it goes to standard output, so the picture needs a file*' flamepipe --digest -o - some.perf
    answers 2 '' 'flamepipe: option --compare goes with none of *--digest*' flamepipe --digest --compare -- true --vs -- true
}
