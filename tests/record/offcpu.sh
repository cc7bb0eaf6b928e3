#!/bin/bash
# Records the files of tests/data/offcpu again: tests/record/offcpu.sh [-o FOLDER]
# Needs perf 6.1 with the right to record everything (root), gcc, x86-64, a second processor, which is kept from all other
# work for a tenth of a second, and the programs in build/bin (or BIN). tests/data/README describes each recording.
#
# The text and the stacks beside the recordings are what perf-script and stackcollapse make of them: look at what changed
# before it is committed.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
. "$here/nameless.bash"
folder=$here/../data/offcpu
PATH=${BIN:-$(realpath "$here/../../build/bin")}:$PATH
if [ "${1-}" = -o ]; then
    folder=$2
fi
mkdir -p "$folder"
folder=$(realpath "$folder")
app=/srv/switches # shows in the recordings
mkdir "$app"      # fails where somebody else has it
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$app"' EXIT
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-asynchronous-unwind-tables -fno-stack-protector \
    -nostdlib -static -Wl,--build-id -o "$app/switches" "$here/app/switches.c"
gzip -9nc "$app/switches" >"$folder/switches.gz"
cd "$app"

# Runs perf where it sees no other processes, and saves what it writes to "perf.data" without the names of the machine,
# its kernel and its processor.
record() { # NAME COMMAND...
    env -i PATH=/usr/bin:/bin HOME="$scratch" unshare --uts --pid --fork --mount-proc \
        sh -c 'hostname host; exec "$@"' - "${@:2}" >&2
    nameless perf.data
    "$here/ownprocs.py" perf.data
    perf script -i perf.data -F ip 2>/dev/null | grep -o 'ffff[0-9a-f]\{12\}$' >>"$scratch/kernel" || true
    gzip -9nc perf.data >"$folder/$1.data.gz"
    [[ $1 != machine && $1 != perf-sched ]] || perf sched timehist --no-call-graph -i perf.data >"$folder/$1.timehist.txt"
    rm perf.data
    printf '%9d %s\n' "$(stat -c %s "$folder/$1.data.gz")" "$1" >&2
}

# Records the last CPU while real-time processes alone run there: perf, which begins and ends that on the CPU itself, a
# program that waits, and one of a lower priority that takes the time in between. So that CPU is as good as a whole
# machine.
cat >alone.sh <<'EOF'
cpu=$1
shift
mkfifo ask told
chrt -f 40 "$@" -C "$cpu" -D -1 --control fifo:ask,told &
perf=$!
exec 3>ask 4<told
echo ping >&3
read -r answer <&4
chrt -f 20 taskset -c "$cpu" /srv/switches/switches spin &
spin=$!
sleep 0.1
echo enable >&3
read -r answer <&4
chrt -f 30 taskset -c "$cpu" /srv/switches/switches
echo disable >&3
read -r answer <&4
kill "$spin"
kill -INT "$perf"
wait
rm ask told
EOF
last=$(($(nproc --all) - 1))

record context-switches perf record -q -N -c 1 -e context-switches -g --switch-events -- "$app/switches"
record sched-switch perf record -q -N -e sched:sched_switch -g --switch-events -- "$app/switches"
record only-out perf record -q -N -e sched:sched_switch -g -- "$app/switches"
record machine taskset -c 0 sh alone.sh "$last" perf record -q -N -e sched:sched_switch -g
record perf-sched taskset -c 0 sh alone.sh "$last" perf sched record -q -N

# The kernel's functions that samples are in, each with the next one, where it ends.
sort -u -o "$scratch/kernel" "$scratch/kernel"
cat /proc/kallsyms >all
sort all | awk '
    NR == FNR { wanted[++n] = $1; next }
    $2 !~ /^[tT]$/ || NF > 3 { next }
    at < n && wanted[at + 1] < $1 {
        if (last != before)
            print last
        print
        before = $0
        while (at < n && wanted[at + 1] < $1)
            at++
    }
    { last = $0 }' "$scratch/kernel" - | gzip -9n >"$folder/kallsyms.gz"

gunzip -c "$folder/kallsyms.gz" >kallsyms
mkdir -p symfs/srv/switches
cp switches symfs/srv/switches
for name in context-switches sched-switch machine perf-sched; do
    gunzip -c "$folder/$name.data.gz" >perf.data
    perf-script -q --off-cpu -F +pid --symfs symfs --kallsyms kallsyms perf.data >"$folder/$name.txt"
    stackcollapse -q "$folder/$name.txt" >"$folder/$name.folded"
done
