# Deno and Bun: their names, and the variables with which flamepipe starts them.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    unset NODE_OPTIONS DENO_V8_FLAGS BUN_JSC_useJITDump BUN_JSC_jitDumpDirectory PYTHONPERFSUPPORT
}

# As Deno 2.9 is recorded: V8's built-in code is in the program's file, which has no symbols.
deno_text() {
    cat <<'END'
deno 7/7 [000] 1.000000:    1000 cpu-clock: 
	         35d94d9 Builtin:ArrayTimSort+0x9 (/opt/deno)
	    7f904404841c JS:*'Shelf file:///srv/shop.ts:5:14+0x15c (/tmp/perf-7.map)
	         3621879 Builtin:JSEntry+0x79 (/opt/deno)
	         1d51a65 [unknown] (/opt/deno)
	           27304 __libc_start_main@@GLIBC_2.34+0x84 (/usr/lib/libc.so.6)
	         1b8e029 [unknown] (/opt/deno)

deno 7/7 [000] 1.001000:    1000 cpu-clock: 
	    7f9044048500 JS:~print ext:core/01_core.js:1109:12+0x20 (/tmp/perf-7.map)
	    7f9044048600 Eval:~ ext:deno_node/path/_util.ts:1:1+0x20 (/tmp/perf-7.map)
	         1b8e029 [unknown] (/opt/deno)

END
}

# As Bun 1.4 is recorded.
bun_text() {
    cat <<'END'
bun 8/8 [000] 1.000000:    1000 cpu-clock: 
	    7fe319a41000 JSC-YarrJIT: /(\d+)-(\w+)/+0x1 (/tmp/perf-8.map)
	    7fe319a42000 JSC-InlineCache: GetById Load handler+0x8 (/tmp/perf-8.map)
	    7fe319a43000 JSC-Baseline: price#DFhvgn+0x10 (/tmp/perf-8.map)
	    7fe319a44000 JSC-DFG: #AllwkL+0x10 (/tmp/perf-8.map)
	    7fe319a45000 JSC-FTL: /srv/shop.ts#ECIJ9S+0x10 (/tmp/perf-8.map)
	    7fe319a46000 JSC-Thunk: CallTrampoline+0x37 (/tmp/perf-8.map)
	           27304 __libc_start_main@@GLIBC_2.34+0x84 (/usr/lib/libc.so.6)

bun 8/8 [000] 1.001000:    1000 cpu-clock: 
	    7fe319a43080 JSC-FTL: price#DFhvgn+0x10 (/tmp/perf-8.map)
	    7fe319a44000 JSC-FTL: #AllwkL+0x10 (/tmp/perf-8.map)
	    7fe319a45000 JSC-FTL: /srv/shop.ts#ECIJ9S+0x10 (/tmp/perf-8.map)
	           27304 __libc_start_main@@GLIBC_2.34+0x84 (/usr/lib/libc.so.6)

bun 8/8 [000] 1.002000:    1000 cpu-clock: 
	    7fe319a47000 JSC-WasmOMG: .wasm-function[blend]#CP8NFs+0x10 (/tmp/perf-8.map)
	           27304 __libc_start_main@@GLIBC_2.34+0x84 (/usr/lib/libc.so.6)

END
}

@test "stackfilter --node cleans the names of Deno, and knows which are its own" {
    deno_text | stackfilter --node > clean
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
    bun_text | stackfilter --node > clean
    prints 'bun;(anonymous) /srv/shop.ts;(anonymous) #AllwkL;price #DFhvgn 1
bun;(anonymous) /srv/shop.ts;(anonymous) #AllwkL;price #DFhvgn;RegExp:(\d+)-(\w+) 1
bun;wasm-function[blend] 1' stackcollapse -q clean
    bun_text | stackfilter --node --v8-names=tier > tiers
    try stackcollapse -q tiers
    [ "${lines[0]}" = 'bun;(anonymous) /srv/shop.ts [*];(anonymous) #AllwkL [*];price #DFhvgn [*] 1' ]
    [ "${lines[1]}" = 'bun;(anonymous) /srv/shop.ts [*];(anonymous) #AllwkL [+];price #DFhvgn [^];RegExp:(\d+)-(\w+) 1' ]
}

@test "code of Bun has the same kind before the filter and after it, and folded" {
    bun_text | stackreport -q --by=kind > before
    bun_text | stackfilter --node | stackreport -q --by=kind > after
    bun_text | stackfilter --node | stackcollapse -q | stackreport -q --by=kind > folded
    same "$(awk '{ print $1, $5 }' after | sort)" "$(awk '{ print $1, $5 }' folded | sort)"
    for kind in app regexp wasm; do
        grep -q "^   1 .* $kind\$" before
        grep -q "^   1 .* $kind\$" after
    done
    prints '*(inline caches)*' stackfilter -q --node --v8-work=detail <(bun_text)
}

@test "a page's colours are by kind for Deno and Bun" {
    { deno_text && bun_text; } | stackcollapse -q | flamesvg -q --colors=node > out.svg
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
        [[ $output = *' DENO_V8_FLAGS=--perf-basic-prof,--interpreted-frames-native-stack '* ]]
        [[ $output != *BUN_* ]]
    done
    DENO_V8_FLAGS=--max-old-space-size=99 try flamepipe --print -- deno run a.ts
    [[ $output = *' DENO_V8_FLAGS=--max-old-space-size=99,--perf-basic-prof,--interpreted-frames-native-stack '* ]]
    DENO_V8_FLAGS=--perf_prof try flamepipe --print -- deno run a.ts
    [[ $output = *' DENO_V8_FLAGS=--perf_prof,--interpreted-frames-native-stack '* ]]
    DENO_V8_FLAGS=--no-interpreted-frames-native-stack try flamepipe --print -- deno run --v8-flags=--perf-prof a.ts
    [[ $output = *' DENO_V8_FLAGS=--no-interpreted-frames-native-stack '* ]]
    try flamepipe --print -- node a.js
    [[ $output != *DENO_* && $output != *BUN_* ]]
}

@test "flamepipe has a bun write its jitdump to /tmp, unless the user has chosen" {
    for command in 'bun a.ts' '/opt/bun/bin/bun run x' 'bunx x' "sh -c 'bun a.ts'"; do
        eval "try flamepipe --print -- $command"
        [ "$status" = 0 ]
        [[ $output = *' BUN_JSC_useJITDump=1 BUN_JSC_jitDumpDirectory=/tmp '* ]]
        [[ $output != *DENO_* ]]
    done
    BUN_JSC_useJITDump=0 BUN_JSC_jitDumpDirectory=dumps try flamepipe --print -- bun a.ts
    [[ $output != *BUN_* ]]
}
