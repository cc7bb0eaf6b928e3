#!/usr/bin/env bats
# stackfilter --source-maps on what esbuild, webpack and tsx write, compared with the npm package source-map and with
# the names that V8 gives to the sources themselves. They come from npm's registry.
load ../lib

setup_file() {
    command -v npm > /dev/null || return 0
    cd "$BATS_FILE_TMPDIR" || return
    export MODULES=$BATS_FILE_TMPDIR/node_modules
    echo '{}' > package.json
    HOME=$PWD timeout 120 npm install --no-audit --no-fund --fetch-retries 0 esbuild@0.25 tsx@4 webpack@5 webpack-cli@6 \
        source-map@0.7 > said 2>&1 || return 0
    mkdir src
    cp "$ROOT"/tests/sourcemaps/*.[jt]s src
    "$MODULES/.bin/esbuild" src/app.js --bundle --platform=node --sourcemap --outfile=plain/main.js
    "$MODULES/.bin/esbuild" src/app.js --bundle --platform=node --sourcemap --minify --outfile=min/main.js
    "$MODULES/.bin/esbuild" src/app.js --bundle --platform=node --sourcemap=inline --minify --keep-names --outfile=keep/main.js
    "$MODULES/.bin/esbuild" src/app.ts --bundle --platform=node --sourcemap --minify --outfile=ts/main.js
    cat > webpack.config.js << END
module.exports = { mode: 'production', target: 'node', entry: './src/app.js', devtool: 'source-map',
    output: { filename: 'main.[contenthash].js', path: '$PWD/web' } };
END
    "$MODULES/.bin/webpack"
    touch ready
} 2> /dev/null > /dev/null

setup() {
    command -v node > /dev/null || skip 'no node'
    command -v npm > /dev/null || skip 'no npm'
    cd "$BATS_FILE_TMPDIR"
    [ -e said ] || skip 'npm could not be started'
    [ -e ready ] || skip "npm could not install esbuild, tsx, webpack and source-map: $(tail -n 1 said)"
}

# Checks that we find for each position of the map what source-map finds.
same_as_source_map() { # MAP
    node "$ROOT/tests/sourcemaps/positions.mjs" "$PWD/$1" > positions
    cut -f 1 positions | "${BIN%/bin}/tool/sourcemap" "$PWD/$1" | tr '\t' '|' > ours
    same "$(wc -l < positions)" "$(wc -l < ours)"
    [ "$(wc -l < positions)" -ge "$2" ]
    paste -d '\n' ours positions | awk -F '\t' 'NR % 2 { got = $0; next }
        { for (i = 2; i <= NF; i++) if ($i == got) next; print "got " got ": " $0; wrong++ }
        END { exit wrong > 0 }'
}

@test "for all mappings of esbuild's and webpack's maps we find what source-map finds" {
    same_as_source_map plain/main.js.map 500
    same_as_source_map min/main.js.map 500
    same_as_source_map ts/main.js.map 200
    same_as_source_map web/main.*.js.map 300
}

@test "and of an indexed map that is made of them" {
    node -e '
        const fs = require("fs"), read = f => JSON.parse(fs.readFileSync(f));
        fs.writeFileSync("indexed.map", JSON.stringify({ version: 3, sections: [
            { offset: { line: 0, column: 5 }, map: read("min/main.js.map") },
            { offset: { line: 9, column: 0 }, map: read("plain/main.js.map") },
            { offset: { line: 900, column: 77 }, map: read("ts/main.js.map") } ] }))'
    same_as_source_map indexed.map 1000
}

@test "and of the map of a large bundle, of packages that webpack needs" {
    echo 'require("./node_modules/terser/dist/bundle.min.js"); require("./node_modules/enhanced-resolve");' > large.js
    "$MODULES/.bin/esbuild" large.js --bundle --packages=external --platform=node --minify --sourcemap \
        --outfile=large/main.js --log-level=error
    same_as_source_map large/main.js.map 100000
}

# Prints the functions that V8 compiles of a program, as folded stacks.
compiled() { # NODE-OPTION... SCRIPT
    node --perf-basic-prof --interpreted-frames-native-stack "$@" > printed 3>&- &
    local pid=$!
    wait $pid
    sed -nE 's/^[0-9a-f]+ [0-9a-f]+ (JS:.*)/node;\1 1/p' "/tmp/perf-$pid.map" | sort -u
    rm -f "/tmp/perf-$pid.map" isolate-*-$pid-v8.log
}

# Prints "name file:line" of the functions of our sources, without the top levels, what sets fields, and what esbuild
# wraps modules in, "src/busy.js".
functions() { # FOLDED
    stackfilter --source-maps --v8-names=merge "$1" |
        sed -nE 's/^node;(.*) [^ ]*src\/((app|busy|work)\.[jt]s:[0-9]+):[0-9]+ 1$/\1 \2/p' | grep -v '<' | grep -v '^src/' |
        grep -vF '(anonymous) app.js:1' | grep -vF '(anonymous) busy.js:1' | sort -u
}

@test "functions of bundles have the names, files and lines that V8 gives to those of the sources" {
    local bundle
    compiled src/app.js > sources
    functions sources > wanted
    [ "$(wc -l < wanted)" -ge 25 ]
    for bundle in plain/main.js min/main.js keep/main.js web/main.*.js; do
        echo "$bundle"
        compiled "$bundle" > folded
        try functions folded
        same "$(< wanted)" "$output"
    done
}

@test "functions of TypeScript that esbuild bundled or tsx ran have the sources' names and lines" {
    local wanted='busy work.ts:1
Engine app.ts:8
get heavy app.ts:10
innerClosure app.ts:15
main app.ts:22
outerLoop app.ts:14
run app.ts:11
warm app.ts:9'
    compiled ts/main.js > folded
    try functions folded
    same "$(sort <<< "$wanted")" "$output"
    export TMPDIR=$PWD/tmp
    mkdir -p tmp
    compiled --import "$MODULES/tsx/dist/loader.mjs" src/app.ts > folded
    grep -q 'outerLoop .*app.ts:[12]:' folded
    try functions folded
    # Beside them are those that tsx adds.
    same "$(sort <<< "$wanted")" "$(grep -xF "$wanted" <<< "$output" | sort)"
}

@test "a recording of a minified program is drawn with the names of its sources" {
    cd min
    try flamepipe -F 499 -o ../flame.svg -- node main.js 1500
    [ "$status" -eq 0 ] || needs_recording <(echo "$stderr")
    local name
    for name in 'busy .*/src/busy.js:1:' 'module.exports.main .*/src/app.js:45:'; do
        grep -q "<title>[^<]*$name" ../flame.svg || { echo "$name"; return 1; }
    done
    run ! grep -q '<title>t .*/min/main.js' ../flame.svg
}
