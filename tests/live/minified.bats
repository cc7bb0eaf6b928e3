# A program in esbuild's output, recorded and drawn with its source map.
load ../lib

setup() {
    command -v node > /dev/null || skip 'no node'
    cd "$BATS_TEST_TMPDIR" || return
}

@test "a recording of a minified program is drawn with the names of its sources" {
    tar -xzf "$DATA/replay/bundles/files.tar.gz"
    cd min
    try flamepipe -F 499 -o ../flame.svg -- node main.js 1500
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    local name
    for name in 'busy .*/src/busy.js:1:' 'module.exports.main .*/src/app.js:45:'; do
        grep -q "<title>[^<]*$name" ../flame.svg || { echo "$name"; return 1; }
    done
    run ! grep -q '<title>t .*/min/main.js' ../flame.svg
}
