# stackfilter --source-maps on what esbuild, webpack and tsx wrote, compared with what the npm package source-map found, and
# with the names that V8 gives to the sources themselves.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    tar -xzf "$DATA/replay/bundles/files.tar.gz"
    sed -i "s|/srv/replay|$PWD|g" ./*/positions ./*/folded tmp/tsx/*
}

@test "for all mappings of esbuild's and webpack's maps, and of an indexed map of these, we find what source-map found" {
    local bundle
    for bundle in plain min ts web indexed; do
        cut -f 1 $bundle/positions | "$BUILD/tool/sourcemap" "$PWD"/$bundle/main.*map | tr '\t' '|' > ours
        same "$(wc -l < $bundle/positions)" "$(wc -l < ours)"
        [ "$(wc -l < ours)" -ge 200 ]
        paste -d '\n' ours $bundle/positions | awk -F '\t' 'NR % 2 { got = $0; next }
            { for (i = 2; i <= NF; i++) if ($i == got) next; print "got " got ": " $0; wrong++ }
            END { exit wrong > 0 }'
    done
}

# Prints "name file:line" of the functions of our sources, without the top levels, what sets fields, and what esbuild
# wraps modules in, "src/busy.js".
functions() { # FOLDED [TSX-FOLDER]
    stackfilter --source-maps${2:+=$2} --v8-names=merge "$1" |
        sed -nE 's/^node;(.*) [^ ]*src\/((app|busy|work)\.[jt]s:[0-9]+):[0-9]+ 1$/\1 \2/p' | grep -v '<' | grep -v '^src/' |
        grep -vF '(anonymous) app.js:1' | grep -vF '(anonymous) busy.js:1' | sort -u
}

@test "functions of bundles have the names, files and lines that V8 gives to those of the sources" {
    local bundle
    functions src/folded > wanted
    [ "$(wc -l < wanted)" -ge 25 ]
    for bundle in plain min keep web; do
        echo "$bundle"
        prints "$(< wanted)" functions $bundle/folded
    done
}

@test "functions of TypeScript that esbuild bundled or tsx ran have the sources' names and lines" {
    local wanted='Engine app.ts:8
busy work.ts:1
get heavy app.ts:10
innerClosure app.ts:15
main app.ts:22
outerLoop app.ts:14
run app.ts:11
warm app.ts:9'
    prints "$wanted" functions ts/folded
    grep -q 'outerLoop .*app.ts:[12]:' tmp/folded
    try functions tmp/folded tmp/tsx
    # Beside them are those that tsx adds.
    same "$wanted" "$(grep -xF "$wanted" <<< "$output")"
}
