# Debug information of containers, and from servers.
load ../lib

@test "what the file of a container names is not opened: its paths mean something else here" {
    [ "$(id -u)" -eq 0 ] || skip 'needs root'
    export HOME=$PWD # without perf's copy of an app of that build-id, which is not the container's
    cp "$ROOT/tests/record/app/inlined.c" app.c # app.dwo is named after it
    gcc -g -O2 -gsplit-dwarf -gdwarf-5 -o app app.c
    try stackrecord -F 499 --inline --folded -- ./app
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    [[ $output == *'visible;inner'* ]]
    mkdir inside
    unshare -m true || skip 'no mount namespaces'
    # the .dwo file that it names is in this folder, and not the container's
    try stackrecord -F 499 --inline --folded -- unshare -m sh -c 'mount -t tmpfs none inside && cp app inside && exec inside/app'
    [[ $output == *';visible'* ]]
    [[ $output != *'visible;inner'* ]]
    [[ $stderr == *"/app.dwo: this part of the debug information of $PWD/inside/app is not there, or of another build"* ]]
}

@test "--debuginfod gets files from a server" {
    command -v debuginfod > /dev/null || skip 'no debuginfod'
    command -v debuginfod-find > /dev/null || skip 'no debuginfod-find'
    gcc -g -O1 -Wl,--build-id -no-pie -o app "$ROOT/tests/record/app/inlined.c"
    printf 'p 1 1.1: 1 cycles:\n\t%s visible+0x0 (%s)\n\n' "$(nm app | awk '$3 == "visible" { print $1 }')" "$PWD/app" > in
    objcopy --only-keep-debug app symbols
    strip app
    export DEBUGINFOD_CACHE_PATH=$PWD/cache
    mkdir served
    mv symbols served
    local port=$((20000 + RANDOM % 20000))
    debuginfod -d :memory: -p "$port" -F served > log 2>&1 3>&- &
    local server=$!
    soon grep -q 'served.*scanned\|fts traversed' log || { kill $server; cat log; skip 'debuginfod does not run here'; }
    DEBUGINFOD_URLS=http://127.0.0.1:$port try stackcollapse --inline --debuginfod in
    kill $server
    wait $server || true
    same 'p;visible;inner 1' "$output"
}
