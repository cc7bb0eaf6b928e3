#!/usr/bin/env bash
# Records all processes, as root, beside some that make the recorder keep more and more, and prints how that went:
#
#     tests/record/hostile.sh SECONDS PROCESSES MB WHAT...
#
# WHAT: see app/hostile.c; and silent: three processes that cannot be looked at, see ../hostile/silentfs.c. RECORD: options of stackrecord, such as --folded. BIN: the folder with stackrecord. Ten
# minutes among 200: tests/record/hostile.sh 600 200 128 names maps files forks perfmap truncation silent
set -u
cd "$(dirname "$0")/../.." || exit
root=$PWD
bin=$(cd "${BIN:-build/bin}" && pwd)
seconds=$1 processes=$2 mb=$3
shift 3
folder=$(mktemp -d) && cd "$folder" || exit
hostile='' recorder='' spin='' silent=''
finish() {
    for pid in $hostile $recorder $spin $silent; do kill -- "$pid"; done 2> /dev/null
    wait
    cd / && rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

gcc -O1 -o hostile "$root/tests/record/app/hostile.c" || exit
gcc -O1 -fno-omit-frame-pointer -pthread -o spin "$root/tests/record/app/spin.c" || exit

# What a process used of a CPU, in hundredths of a second.
used() { # PID
    awk '{ print $14 + $15 }' "/proc/$1/stat"
}

./spin 1 $((seconds + 60)) > /dev/null &
spin=$!
what=()
for word; do
    [ "$word" = silent ] || what+=("$word")
done
if [ ${#what[@]} -lt $# ]; then
    gcc -O1 -pthread -o silentfs "$root/tests/robust/hostile/silentfs.c" || exit
    mkdir stack lock
    for how in "stack $folder/stack" "lock $folder/lock" "tmp /tmp"; do
        # shellcheck disable=SC2086 # two words
        SECONDS_LEFT=$((seconds + 60)) ./silentfs $how > "said.${how%% *}" &
        silent+=" -$!"
        until [ -s "said.${how%% *}" ]; do sleep 0.05; done
    done
fi
nice -n 10 ./hostile $((seconds + 60)) "$processes" "${what[@]}" &
hostile=$!
sleep 0.5
# shellcheck disable=SC2086 # several options
"$bin/stackrecord" ${RECORD-} -a --memory "$mb" > out 2> err &
recorder=$!
sleep 1
before=$(used "$spin")
begin=$EPOCHREALTIME
most=0
while [ -e "/proc/$recorder/status" ] && awk "BEGIN { exit !($EPOCHREALTIME - $begin < $seconds) }"; do
    kb=$(awk '$1 == "VmRSS:" { print $2 }' "/proc/$recorder/status")
    [ "${kb:-0}" -le "$most" ] || most=$kb
    sleep 0.2
done
tids=$(ls /proc/"$spin"/task)
stat=$(cat "/proc/$recorder/stat")
after=$(used "$spin")
begin=$EPOCHREALTIME
kill "$recorder"
# A background process that kills it after 20 s would run this script's traps if it is ended right after its start.
for ((i = 0; i < 1000; i++)); do
    kill -0 "$recorder" 2> /dev/null || break # bash reaps it, and keeps its status
    sleep 0.02
done
kill -KILL "$recorder" 2> /dev/null
wait "$recorder"
status=$?
awk "BEGIN { printf \"%d ms to end\\n\", ($EPOCHREALTIME - $begin) * 1000 }"
recorder=
awk '{ print ($14 + $15) / 100 " s of processor time" }' <<< "$stat"
echo "status $status"
echo "$((most / 1024)) MB of $mb MB"
# Those at its start and its end may be of the second before, and of the end.
if [[ ${RECORD-} = *--folded* ]]; then
    samples=$(awk '/^spin;/ { n += $NF } END { print n + 0 }' out)
else
    samples=$(awk -v tids="$tids" 'BEGIN { split(tids, list); for (i in list) is[list[i]] } { split($2, id, "/") } /^[^\t]/ && id[2] in is' out | wc -l)
    echo "$(grep -c '^spin ' out) of them with its name"
fi
echo "$samples samples of a process that ran for $(((after - before) * 99 / 100))"
sed 's/^/message: /' err
[ -z "${KEEP-}" ] || cp out "$KEEP"
