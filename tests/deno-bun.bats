# Deno and Bun: their names, and the variables with which flamepipe starts them.
load lib

INPUTS=$DATA/deno-bun

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    unset NODE_OPTIONS DENO_V8_FLAGS BUN_JSC_useJITDump BUN_JSC_jitDumpDirectory PYTHONPERFSUPPORT
}

@test "stackfilter --node cleans the names of Deno, and knows which are its own" {
    stackfilter --node "$INPUTS/deno.txt" > clean
    prints 'deno;(anonymous) ext:deno_node/path/_util.ts:1:1;print ext:core/01_core.js:1109:12 1
deno;Shelf file:///srv/shop.ts:5:14 1' stackcollapse -q clean
    prints 'self       %  total       %  kind
   1  50.00%      1  50.00%  app
   1  50.00%      1  50.00%  core' stackreport -q --by=kind clean
    try stackfilter -q --only app clean
    [ "$(grep -c 'Shelf' <<< "$output")" = 1 ]
    run ! grep -q 'ext:' <<< "$output"
}

@test "stackfilter --node gives a function of Bun one name in all tiers, with its hash" {
    stackfilter --node "$INPUTS/bun.txt" > clean
    prints 'bun;(anonymous) /srv/shop.ts;(anonymous) #AllwkL;price #DFhvgn 1
bun;(anonymous) /srv/shop.ts;(anonymous) #AllwkL;price #DFhvgn;RegExp:(\d+)-(\w+) 1
bun;wasm-function[blend] 1' stackcollapse -q clean
    stackfilter --node --v8-names=tier "$INPUTS/bun.txt" > tiers
    try stackcollapse -q tiers
    [ "${lines[0]}" = 'bun;(anonymous) /srv/shop.ts [*];(anonymous) #AllwkL [*];price #DFhvgn [*] 1' ]
    [ "${lines[1]}" = 'bun;(anonymous) /srv/shop.ts [*];(anonymous) #AllwkL [+];price #DFhvgn [^];RegExp:(\d+)-(\w+) 1' ]
}

@test "code of Bun has the same kind before the filter and after it, and folded" {
    stackreport -q --by=kind "$INPUTS/bun.txt" > before
    stackfilter --node "$INPUTS/bun.txt" | stackreport -q --by=kind > after
    stackfilter --node "$INPUTS/bun.txt" | stackcollapse -q | stackreport -q --by=kind > folded
    same "$(awk '{ print $1, $5 }' after | sort)" "$(awk '{ print $1, $5 }' folded | sort)"
    for kind in app regexp wasm; do
        grep -q "^   1 .* $kind\$" before
        grep -q "^   1 .* $kind\$" after
    done
    prints '*(inline caches)*' stackfilter -q --node --v8-work=detail "$INPUTS/bun.txt"
}

@test "a page's colours are by kind for Deno and Bun" {
    stackcollapse -q "$INPUTS"/{deno,bun}.txt | flamesvg -q --colors=node > out.svg
    for label in application 'node library' regexp wasm 'V8 built-in code'; do grep -q "$label" out.svg; done
}

@test "a function without a name and file in a profile is (anonymous)" {
    cat > a.cpuprofile <<'END'
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2,3]},
{"id":2,"callFrame":{"functionName":"","scriptId":"9","url":"","lineNumber":2,"columnNumber":32}},
{"id":3,"callFrame":{"functionName":"","scriptId":"9","url":"ext:core/mod.js","lineNumber":0,"columnNumber":0}}],
"startTime":0,"endTime":30,"samples":[2,3],"timeDeltas":[10,10]}
END
    prints '(root);JS: ext:core/mod.js:1:1 10
(root);JS:(anonymous) :3:33 10' stackcollapse a.cpuprofile
    stackfilter -q --node <<< "$output" > clean
    same '(root);(anonymous) ext:core/mod.js:1:1 10
(root);(anonymous) :3:33 10' "$(cat clean)"
}

@test "flamepipe starts a deno with the flags that name its functions, beside the user's" {
    for command in 'deno run a.ts' '/opt/deno/deno task x' 'env A=1 deno a.ts' "sh -c 'exec deno a.ts'"; do
        eval "try flamepipe --print -- $command"
        [ "$status" = 0 ]
        [[ $output = *'DENO_V8_FLAGS=--perf-basic-prof,--interpreted-frames-native-stack '* ]]
        [[ $output != *BUN_* ]]
    done
    DENO_V8_FLAGS=--max-old-space-size=99 try flamepipe --print -- deno run a.ts
    [[ $output = *'DENO_V8_FLAGS=--max-old-space-size=99,--perf-basic-prof,--interpreted-frames-native-stack '* ]]
    DENO_V8_FLAGS=--perf_prof try flamepipe --print -- deno run a.ts
    [[ $output = *'DENO_V8_FLAGS=--perf_prof,--interpreted-frames-native-stack '* ]]
    DENO_V8_FLAGS=--no-interpreted-frames-native-stack try flamepipe --print -- deno run --v8-flags=--perf-prof a.ts
    [[ $output = *'DENO_V8_FLAGS=--no-interpreted-frames-native-stack '* ]]
    try flamepipe --print -- node a.js
    [[ $output != *DENO_* && $output != *BUN_* ]]
}

@test "flamepipe has a bun write its jitdump to /tmp, unless the user has chosen" {
    for command in 'bun a.ts' '/opt/bun/bin/bun run x' 'bunx x' "sh -c 'bun a.ts'"; do
        eval "try flamepipe --print -- $command"
        [ "$status" = 0 ]
        [[ $output = *'BUN_JSC_useJITDump=1 BUN_JSC_jitDumpDirectory=/tmp '* ]]
        [[ $output != *DENO_* ]]
    done
    BUN_JSC_useJITDump=0 BUN_JSC_jitDumpDirectory=dumps try flamepipe --print -- bun a.ts
    [[ $output != *BUN_* ]]
}
