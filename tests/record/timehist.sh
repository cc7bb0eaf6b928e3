#!/bin/bash
# Compares perf-script --off-cpu with perf sched timehist, thread by thread, on recordings of this machine that are made
# for it: tests/record/timehist.sh [SECONDS]. BIN is the folder of the programs. Needs perf 6 and root.
#
# A thread's time off CPU is the sum of timehist's "wait time", which counts a wait when the run after it has ended. So
# waits that had not ended are left out here, and threads that ran when the recording ended. So are threads that ended
# when their id was gone already, whose last run timehist takes for one of thread -1; and threads of which a switch is
# missing in the recording: on their CPU, a thread is switched out that is not the one that was switched to,
# or it is switched out twice and never in.
#
# timehist cuts each wait to microseconds, so 1 us a wait is permitted beside. Where there are records of switches, these
# say when threads run again, some microseconds after sched_switch: the stack of the thread before was unwound in between.
# There it is 25 us a wait and 100 us a thread.
#
# Prints a line for each recording, and for each thread that is off by more than 1 %; fails if there is one.
set -euo pipefail
export LC_ALL=C

seconds=${1:-1.5}
bin=${BIN:-$(cd "$(dirname "$0")/../.." && pwd)/build/bin}
app=$(cd "$(dirname "$0")" && pwd)/app
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o waits "$app/waits.c"

# "TID" of each thread that cannot be compared.
unsure() { # RECORDING
    perf script -i "$1" -F tid,cpu,event,trace --show-switch-events 2>lost.txt | awk -v records="$([[ $1 != *switch-events* ]] || echo 1)" '
        function number(name) {
            match($0, name "=[0-9]+")
            return substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1)
        }
        / IN / { runs[$1] = came[$1] = 1 }
        /sched:sched_switch:/ {
            prev = number("prev_pid")
            if ($2 in last && last[$2] != prev) {
                print prev
                print last[$2]
            }
            if ($1 != prev || left[prev] && !came[prev] && records)
                print prev
            left[prev] = 1
            came[prev] = 0
            last[$2] = number("next_pid")
            runs[prev] = 0
            runs[last[$2]] = 1
        }
        END {
            for (tid in runs)
                if (runs[tid])
                    print tid
        }'
}

# "TID MICROSECONDS" of each wait.
timehist() { # RECORDING
    perf sched timehist -i "$1" 2>errors.txt | awk '
        match($0, /\[[0-9]+(\/[0-9]+)?\] +[0-9.]+ +[0-9.]+ +[0-9.]+/) {
            split(substr($0, RSTART + 1, RLENGTH - 1), part, /[]\/ ]+/)
            rest = substr($0, RSTART, RLENGTH)
            sub(/^[^ ]+ +/, "", rest)
            print part[1], rest * 1000
        }'
}
off_cpu() { # RECORDING
    "$bin/perf-script" --off-cpu -F comm,pid,tid,time,period,event,trace "$1" 2>>messages.txt | awk '
        match($0, /\/[0-9]+ +(\[[0-9]+\] +)?[0-9.]+: +[0-9]+ +off-cpu: state .$/) {
            split(substr($0, RSTART + 1, RLENGTH - 1), part, / +/)
            rest = substr($0, RSTART, RLENGTH)
            sub(/ +off-cpu: .*/, "", rest)
            sub(/.* /, "", rest)
            print part[1], rest
        }'
}

compare() { # NAME
    unsure "$1" >unsure.txt
    timehist "$1" >theirs.txt || cat errors.txt
    off_cpu "$1" >ours.txt || cat messages.txt
    awk -v name="$1" '
        FILENAME == "unsure.txt" { unsure[$1] = 1; next }
        $1 in unsure { next }
        FILENAME == "theirs.txt" { theirs[$1] += $2; all += $2; waits[$1]++ }
        FILENAME == "ours.txt" { ours[$1] += $2; sum += $2 }
        END {
            for (tid in ours)
                theirs[tid] += 0
            for (tid in theirs) {
                if (theirs[tid] < 1000 && ours[tid] < 1000)
                    continue
                threads++
                off = theirs[tid] > 0 ? 100 * (ours[tid] / theirs[tid] - 1) : 100
                diff = ours[tid] - theirs[tid]
                most = off > most ? off : -off > most ? -off : most
                slack = name ~ /switch-events/ ? 100 + 25 * waits[tid] : waits[tid]
                if ((off > 1 || off < -1) && (diff > slack || -diff > slack)) {
                    if (failed++ < 10)
                        printf "# %s, thread %d: timehist %d us, off-cpu %d us: %+.2f %%\n", name, tid, theirs[tid], ours[tid], off
                }
            }
            for (tid in unsure)
                left++
            printf "%s: %d threads with 1 ms or more (%d left out), at most %.2f %% off; all of them %+.3f %%\n",
                name, threads, left, most, (all > 0 ? 100 * (sum / all - 1) : 0)
            exit failed > 0 || threads == 0
        }' unsure.txt theirs.txt ours.txt
}

# Programs that wait in several ways, beside whatever else the machine does.
cat >load.sh <<'EOF'
timeout "$1" ./waits figures.txt file.txt 1000 &
timeout "$1" sh -c 'while :; do sleep 0.003; done' &
timeout "$1" yes | timeout "$1" gzip >/dev/null
wait
EOF

failed=0
for way in '-e sched:sched_switch -g' '-e sched:sched_switch -g --switch-events' sched; do
    name=$(sed 's/[^a-z]\+/-/g; s/^-//' <<<"$way").data
    # shellcheck disable=SC2086
    if [ "$way" = sched ]; then
        perf sched record -o "$name" sh load.sh "$seconds" >/dev/null 2>&1
    else
        perf record -q -a -o "$name" $way sh load.sh "$seconds" 2>/dev/null
    fi
    compare "$name" || failed=1
done
exit $failed
