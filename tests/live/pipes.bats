# Programs on pipes and at a terminal: what they pass on while the writer of a pipe waits, and what
# SIGINT does to them.
load ../lib
load ../programs

# node leaves the pipes to its children non-blocking.
works_on_pipes_that_do_not_block() {
    with_good "$1"
    try "${command[@]}"
    wanted=$output
    with "$1" -
    try python3 -c '
import os, subprocess, sys, time
(stdin, feed), (drain, stdout) = os.pipe(), os.pipe()
for end in stdin, stdout:
    os.set_blocking(end, False)
program = subprocess.Popen(sys.argv[2:], stdin=stdin, stdout=stdout)
os.close(stdin), os.close(stdout)
time.sleep(0.05) # the program reads before there is anything
os.write(feed, open(sys.argv[1], "rb").read())
os.close(feed)
sys.stdout.buffer.write(os.fdopen(drain, "rb").read())
sys.exit(program.wait())' "$IN/good.$(format "$1")" "${command[@]}"
    [ "$status" -eq 0 ]
    [[ $stderr != *unavailable* ]]
    same "$wanted" "$output"
}

# Runs the command in the file "reader" at a terminal. Its input is a writer that prints samples
# when it gets SIGINT, as recorders do. Presses Ctrl-C twice when both wait for it.
survives_ctrl_c() { # PROGRAM
    with "$1" -
    printf 'echo $$ > pid; exec %s > output' "${command[*]}" > reader
    rm -f pid waits
    { soon [ -e waits ] || :; soon catches_sigint pid "$1" || :; printf '\003\003'; } |
        at_terminal "bash writer $IN/good.$(format "$1") | bash reader; echo \${PIPESTATUS[1]} > ended"
    [ "$(cat ended)" = 0 ]
    has_good_sample "$1"
}

# Succeeds if the process runs the program, and catches SIGINT.
catches_sigint() { # FILE-OF-PID PROGRAM
    is_running "$@" && grep -q '^SigCgt:.*[2367abef]$' "/proc/$(cat "$1")/status"
}

is_running() { # FILE-OF-PID PROGRAM
    [ -s "$1" ] && [ "$(cat "/proc/$(cat "$1")/comm")" = "$2" ]
}

ends_at_ctrl_c() { # PROGRAM
    with "$1" -
    printf 'echo $$ > pid; exec %s > output' "${command[*]}" > reader
    rm -f pid
    { soon is_running pid "$1" || :; printf '\003'; sleep 0.1; } | at_terminal 'bash reader; echo $? > ended'
    [ "$(cat ended)" = 130 ]
}

@test "standard input and output may be pipes that do not block" { each works_on_pipes_that_do_not_block; }

@test "perf-script and stackfilter pass samples on while a pipe's writer waits" {
    local program
    for program in perf-script stackfilter; do
        mkfifo "$program.in"
        rm -f out
        "$program" -q < "$program.in" > out 3>&- &
        local reader=$!
        exec 4> "$program.in"
        printf 'sh 1 %s: 1 cycles:\n\t7f1 f (/x)\n\n' 1.000000 2.000000 >&4
        soon test -s out # the first; the second is known to be whole at the end
        [ "$(grep -c ^sh out)" = 1 ]
        exec 4>&-
        wait $reader
        [ "$(grep -c ^sh out)" = 2 ]
    done
}

@test "Ctrl-C does not end a program that reads a pipe before the pipe's writer has printed what it has" {
    echo 'trap "cat $1; exit" INT; : > waits; while :; do sleep 0.02; done' > writer
    each survives_ctrl_c
}

@test "Ctrl-C ends a program that reads a terminal" { each ends_at_ctrl_c; }

@test "a second SIGINT ends a program that reads a pipe, if it comes a second later" {
    exec 4> >(exec stackcollapse > /dev/null 3>&-)
    local reader=$! result=0
    echo $reader > pid
    soon catches_sigint pid stackcollapse
    kill -s INT $reader
    sleep 0.3
    kill -s INT $reader
    sleep 0.8
    is_running pid stackcollapse
    kill -s INT $reader
    wait $reader || result=$?
    exec 4>&-
    [ $result = 130 ]
}

@test "a SIGINT that is ignored stays ignored" {
    trap '' INT
    exec 4> >(exec stackfilter -q > out 3>&-)
    trap - INT
    local reader=$!
    cat "$IN/good.perf" "$IN/good.perf" >&4
    soon [ -s out ]
    grep -q '^SigIgn:.*[2367abef]$' "/proc/$reader/status"
    exec 4>&-
    wait $reader
}

@test "nor does Ctrl-C end what unpacks that pipe" {
    gzip -c "$IN/good.perf" > packed
    exec 4> >(exec stackcollapse > output 3>&-)
    local reader=$! children
    head -c 30 packed >&4
    soon pgrep -P $reader gzip
    mapfile -t children < <(pgrep -P $reader)
    kill -s INT $reader "${children[@]}"
    sleep 0.1
    tail -c +31 packed >&4
    exec 4>&-
    wait $reader
    has_good_sample stackcollapse
}

@test "where the pipe stays open the program ends once it cannot read on" {
    { gzip -c "$IN/good.folded"; head -c 300000 /dev/urandom; } | gzip -c >packed
    # The pipe's writer sleeps for a minute; no program waits for it.
    try timeout 20 stackcollapse < <(cat packed; exec sleep 60 2> /dev/null 3>&-)
    [ "$status" -eq 1 ]
    same 'stackcollapse: standard input: compressed twice: unpack it once with zcat' "$stderr"
}

@test "samples that come through a compressing pipe are seen while they come" {
    mkfifo pipe
    stackfilter --drop=x <pipe >seen &
    local reader=$!
    exec {to}>pipe
    printf 'a;b 1\n' | gzip -c >&"$to"
    head -c 3000000 /dev/urandom | base64 -w 60 | sed 's/$/ 1/' | gzip -c >&"$to"
    soon grep -q '^a;b 1' seen
    exec {to}>&-
    wait "$reader"
}

@test "--live prints the samples of a pipe before it ends, each once as the last ones, and at the end all" {
    local sample=$'sh 1 [000] 1.0: 1 cycles:\n\t1 draw+0x1 (/bin/sh)\n\t2 main (/bin/sh)\n\n'
    mkfifo pipe
    stackreport --live=0.1 pipe > live 2> err &
    exec 9> pipe
    printf '%s' "$sample$sample" >&9
    # a sample ends at the beginning of the next one
    soon grep -q '^all: [12]$' live
    printf '%s' "$sample" >&9
    soon grep -q '^all: [23]$' live
    exec 9>&-
    wait $!
    [ ! -s err ]
    [ "$(awk '/^last / { sum += $NF } END { print sum }' live)" -eq 3 ]
    same "$(printf '%s' "$sample$sample$sample" | stackreport)" "$(tac live | sed '/^all: 3$/q' | tac | sed '1d; $d')"
}

@test "a signal that comes while flamesvg writes --output ends it with the new file whole, or with the old one" {
    seq 20000 | awk '{ print "a;b" $1 % 100 ";c" $1 " 1" }' >large
    flamesvg -q large >wanted
    for delay in 0 0.05 0.1 0.15 0.2; do
        echo old >out.svg
        try timeout -s TERM $delay flamesvg -q -o out.svg large
        [ "$(cat out.svg)" = old ] || cmp wanted out.svg
        same '' "$(find . -name '.flamesvg*')"
    done
}
