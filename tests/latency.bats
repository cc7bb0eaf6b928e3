#!/usr/bin/env bats
# stackcollapse --latency and stackreport --latency: what shortens the run.
load lib

# One sample of the program a: its thread, its time, "PERIOD EVENT:", and its frames, leaf first.
sample() { # THREAD SECONDS COUNTED FRAME...
    printf 'a 1/%s [000] %s: %s \n' "$1" "$2" "$3"
    printf '\t1 %s (/a)\n' "${@:4}"
    echo
}

# --- the counts

@test "a sample counts its time divided by the number of threads that ran in it" {
    { sample 1 1.001000000 '1000000 cpu-clock:u:' alone main
      sample 1 1.002000000 '1000000 cpu-clock:u:' half main
      sample 2 1.002500000 '1000000 cpu-clock:u:' other main; } >in
    prints $'a;main;alone 1000000\na;main;half 750000\na;main;other 750000' stackcollapse --latency --weight=period in
    answers 0 '*' '' stackreport --latency --weight=period --format=tsv in
    same $'1000000 alone\n750000 half\n750000 other\n0 main' "$(awk -F '\t' 'NR > 1 { print $1, $6 }' <<<"$output")"
}

@test "counts are rounded so that their sum is that of the samples, and stacks that are left with 0 are left out" {
    for thread in 1 2 3 4; do sample "$thread" 1.001 '1000000 cpu-clock:' "f$thread" main; done >in
    for thread in 1 2 3; do sample "$thread" 2.001 '1000000 task-clock:' g main; done >>in
    prints $'a;main;f2 1\na;main;g 1' stackcollapse --latency in --event=all
}

@test "of one thread a sample counts what it counts without --latency, also if the clock was late" {
    for time in 1.0010 1.0021 1.0030 1.0040; do sample 7 "$time" '1000000 cpu-clock:' f main; done >in
    prints 'a;main;f 4' stackcollapse --latency in
}

@test "of events that count no time, a period is as long as between two samples of a thread that runs" {
    { for time in 1.001 1.002 1.003 1.004 1.005; do sample 1 "$time" '3000000 cycles:' f main; done
      for time in 1.004 1.005; do sample 2 "$time" '3000000 cycles:' g main; done; } >in
    prints $'a;main;f 12000000\na;main;g 3000000' stackcollapse --latency --weight=period in
    sed 's/3000000 //' in >without
    prints $'a;main;f 4\na;main;g 1' stackcollapse --latency without
}

@test "samples of which is unknown how long they took count whole: one alone, or several at one moment" {
    sample 1 1.001 '5 cycles:' f main >in
    prints 'a;main;f 1' stackcollapse --latency in
    { sample 1 1.001 '5 cycles:' f main; sample 1 1.001 '2 cycles:' g main; sample 2 1.001 '3 cycles:' h main; } >in
    prints $'a;main;f 1\na;main;g 1\na;main;h 1' stackcollapse --latency in
}

@test "samples that wait count nothing, nor do those of idle CPUs" {
    { sample 1 1.000400 '400 wall: running' f main; sample 1 1.001000 '600 wall: waiting' '[wait: futex]' lock main
      sample 2 1.000400 '400 wall: waiting' '[not seen running]'; sample 2 1.001000 '600 wall: running' g main; } >in
    answers 0 $'a;main;f 400\na;main;g 600' \
        'stackcollapse: samples of threads that wait or of idle CPUs: 2, which count nothing' \
        stackcollapse --latency in
    { sample 0 1.001 '1000000 cpu-clock:' idle; sample 1 1.001 '1000000 cpu-clock:' f main; } >in
    answers 0 '*' 'stackreport: samples of threads that wait or of idle CPUs: 1, which count nothing' \
        stackreport --latency --by=comm in
    same '1 100.00% 1 100.00% a' "$(tail -1 <<<"$output" | xargs)"
    sample 1 1.001 '1000 off-cpu:' f main >in
    answers 1 '' '*no sample of the input is left to fold' stackcollapse --latency in
}

@test "what a thread does in turns in one second of --wall is spread over that time" {
    { sample 1 1.000900 '500 wall: waiting' '[wait: disk]' read main; sample 1 1.001000 '250 wall: running' f main
      sample 2 1.001000 '1000 wall: running' h main; } >in
    answers 0 $'a;main;f 188\na;main;h 812' '*' stackcollapse --latency in
}

@test "each file is a recording of its own, and slices and tables have the same counts" {
    { sample 1 1.001 '1000000 cpu-clock:' f main; sample 1 1.002 '1000000 cpu-clock:' f main; } >one
    { sample 2 1.001 '1000000 cpu-clock:' f main; sample 3 1.001 '1000000 cpu-clock:' f main; } >two
    prints 'a;main;f 3' stackcollapse --latency one two
    prints $'@1.001;a;main;f 1\n@1.002;a;main;f 1' stackcollapse --latency --slice=1 one
    prints 'main;f 1' stackcollapse --latency --no-comm two
    try stackreport --latency --callers=f --format=tsv one two
    same $'0 3 f\n1 3 main' "$(awk -F '\t' 'NR > 1 { print $1, $4, $7 }' <<<"$output")"
}

# --- what is missing

@test "samples without a time or a thread are left out and reported, and input without times is an error" {
    { sample 1 1.001 '1000000 cpu-clock:' f main; printf 'a 1/1 1000000 cpu-clock:\n\t1 g (/a)\n\t1 main (/a)\n\n'; } >in
    answers 1 'a;main;f 1' \
        'stackcollapse: samples without a time: 1, left out (perf-script -F +time perf.data prints it)' \
        stackcollapse --latency in
    { sample 1 1.001 '1000000 cpu-clock:' f main; printf 'a 1.001: 1000000 cpu-clock:\n\t1 g (/a)\n\t1 main (/a)\n\n'; } >in
    answers 1 '*' 'stackreport: samples without a thread id: 1, left out (perf-script -F +tid perf.data prints it)' \
        stackreport --latency --format=tsv in
    same $'1 f\n0 main' "$(awk -F '\t' 'NR > 1 { print $1, $6 }' <<<"$output")"
    echo 'a;b 1' >folded
    for program in stackcollapse stackreport; do
        try "$program" --latency folded
        [ "$status" -eq 1 ]
        [[ $stderr == "$program: folded: option --latency needs the times of perf script text; this is read as folded"* ]]
    done
    answers 2 '' '*options --live and --latency: what ran is known only at the end*' stackreport --latency --live in
}
