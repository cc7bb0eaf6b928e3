# stackrecord --archive while it records.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    needs_recorder
    sh -c 'while :; do :; done' 3>&- &
    busy=$!
}

teardown() {
    [ -z "${busy-}" ] || kill "$busy"
}

# Records the busy process, in slices of a second.
start() { # OPTION...
    stackrecord -F 499 -p "$busy" --archive folder --slice 1s "$@" 2> messages 3>&- &
    recorder=$!
}

slices() { # AT-LEAST
    [ "$(find folder -name '*Z*.folded*' 2> /dev/null | wc -l)" -ge "$1" ]
}

counted() {
    stackfilter -q --last 1d folder | awk '{ n += $NF } END { print n + 0 }'
}

@test "a recorder writes slices until a signal ends it, and they have each sample that it counted" {
    start
    soon slices 2
    same 700 "$(stat -c %a folder)"
    same 600 "$(stat -c %a folder/*.folded* | sort -u)"
    try stackrecord -p "$busy" --archive folder
    same '' "$output"
    [[ $stderr == *'folder: another recorder writes to this folder: give each its own'* ]]
    [ "$status" -eq 1 ]
    kill -USR1 "$recorder"
    soon slices 3
    kill "$recorder"
    wait "$recorder"
    [[ $(< messages) == *"folder: $(printf "%'d" "$(counted)" | sed ':a; s/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/; ta') samples in "* ]]
    [ "$(counted)" -gt 100 ]
}

@test "a recorder that is killed leaves whole slices, and the next one goes on in the folder" {
    for wanted in 1 2 3; do
        start
        soon slices "$wanted"
        kill -KILL "$recorder"
        wait "$recorder" || [ $? -eq 137 ]
        had=$(counted)
        [ "$had" -gt 0 ]
    done
    start --duration 0.1
    wait "$recorder"
    [ "$(counted)" -ge "$had" ]
    [ ! -e folder/.unfinished ]
}

@test "a full disk loses the slices that have no room, says so once, and recording goes on" {
    [ "$(id -u)" = 0 ] || skip 'mounts a file system, as root'
    mkdir folder
    timeout 20 unshare -m sh -c 'mount -t tmpfs -o size=64k,mode=700 none folder || exit 99
        "$@" & recorder=$!
        until grep -q "is lost" messages; do
            head -c 65536 /dev/zero > folder/filler 2> why
            sleep 0.05
        done
        rm folder/filler
        until ls folder/*.folded* > why 2>&1; do sleep 0.05; done
        kill $recorder
        wait $recorder; echo $? > status
        cat folder/*.folded* | wc -c > size
        cp folder/*.folded* .' sh stackrecord -F 499 -p "$busy" --archive folder --slice 1s 2> messages 3>&- || [ $? != 99 ] ||
        skip 'no tmpfs may be mounted here'
    same 1 "$(< status)"
    same 1 "$(grep -c 'folder: a slice is lost: No space left on device' messages)"
    grep -q 'folder: .* samples in .* slices* are lost' messages
    [ "$(< size)" -gt 0 ]
    stackreport -q ./*.folded* > table
}
