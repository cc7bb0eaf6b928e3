#!/usr/bin/env bats
# stackfilter --source-maps. The maps here are small and made by hand: bundlers' are in replay/bundles.bats.
load lib

# A bundle of two lines:
#     1: function t(e){}var d=e=>e;
#     2: class s{constructor(r){}#r(){}}
setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p dist src
    SOURCES='"sources":["../src/app.ts"],"names":["busy","arrow","value","Engine","secret"]'
    MAPPINGS=AAAA,SAASA,UAEAC,EAAQC\;AAEA,MAAMC,kBACAC
    write_bundle "//# sourceMappingURL=main.js.map"
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"$MAPPINGS\"}"
}

write_bundle() { # COMMENT
    printf '%s\n' 'function t(e){}var d=e=>e;' 'class s{constructor(r){}#r(){}}' "$1" > dist/main.js
}

write_map() { # JSON
    printf '%s' "$1" > dist/main.js.map
}

# Writes folded stacks of these frames of the bundle, each once.
frames() { # FRAME ...
    printf "node;%s 1\n" "${@//@/"$PWD/dist/main.js"}"
}

# Checks how the function t is named, and what is said.
names_t() { # NAME [MESSAGE]
    answers 0 "node;${1//@/"$PWD"} 1" "${2:+stackfilter: ${2//@/"$PWD"}}" \
        stackfilter --source-maps <(frames 'JS:~t @:1:11')
}

# The same where the map is not used.
keeps_t() { # MESSAGE
    names_t 'JS:~t @/dist/main.js:1:11' "$1: the functions of @/dist/main.js keep their names"
}

@test "functions get the names, files and positions of their sources" {
    prints "node;JS:~busy $PWD/src/app.ts:1:10;JS:*arrow $PWD/src/app.ts:3:18 1
node;JS:^Engine $PWD/src/app.ts:5:24;JS:+secret $PWD/src/app.ts:6:24 1" \
        stackfilter --source-maps <(frames 'JS:~t @:1:11;JS:*d @:1:22' 'JS:^s @:2:20;JS:+#r @:2:27')
}

@test "names that --v8-names cleans, or has cleaned before, are those of the sources" {
    frames 'JS:~t @:1:11' 't @:1:11' 't @:1:11 [*]' > in
    prints "node;busy $PWD/src/app.ts:1:10 1
node;busy $PWD/src/app.ts:1:10 1
node;busy $PWD/src/app.ts:1:10 [*] 1" stackfilter --node --source-maps in
    try stackfilter --source-maps --v8-names=tier in
    same "node;busy $PWD/src/app.ts:1:10 [~] 1" "$(head -n 1 <<< "$output")"
}

@test "in perf script text the address and the DSO stay" {
    printf 'node 1 1.0: 1 cycles:\n\t    1234 JS:~t %s/dist/main.js:1:11+0x5 (/tmp/perf-1.map)\n\n' "$PWD" > in
    answers 0 '*' '' stackfilter --source-maps in
    [[ $output == *"1234 JS:~busy $PWD/src/app.ts:1:10 (/tmp/perf-1.map)"* ]]
}

@test "the name and the file of the source decide a function's kind, and patterns match them" {
    write_map "{\"version\":3,${SOURCES/src\/app.ts/node_modules\/dep\/i.js},\"mappings\":\"$MAPPINGS\"}"
    frames 'JS:~t @:1:11' > in
    prints "node;JS:~busy $PWD/node_modules/dep/i.js:1:10 1" stackfilter --source-maps --only dep in
    prints 'node 1' stackfilter --source-maps --only app in
    prints 'node 1' stackfilter --source-maps --drop busy in
}

@test "a map inside the script is decoded" {
    write_bundle "//# sourceMappingURL=data:application/json;charset=utf-8;base64,$(base64 -w 0 dist/main.js.map)"
    rm dist/main.js.map
    names_t 'JS:~busy @/src/app.ts:1:10'
}

@test "a name that the map does not have is read in the source's text, if the map has that" {
    write_map '{"version":3,"sources":["a.ts"],"sourcesContent":["function busy(n) {}"],"names":[],"mappings":"SAAS"}'
    names_t 'JS:~busy @/dist/a.ts:1:10'
}

@test "the last comment names the map, and what only looks like one does not" {
    write_bundle '//# sourceMappingURL=none.map
//# sourceMappingURL=main.js.map
var x = "//# sourceMappingURL=" + file + `//# sourceMappingURL=${y}`'
    names_t 'JS:~busy @/src/app.ts:1:10'
}

@test "comments of older tools, and those with a star, name the map too" {
    local comment
    for comment in '//@ sourceMappingURL=main.js.map' '//#sourceMappingURL=main.js.map' \
        '/*# sourceMappingURL=main.js.map */' '/*# sourceMappingURL=main.js.map*/'; do
        write_bundle "$comment"
        names_t 'JS:~busy @/src/app.ts:1:10'
    done
}

@test "an ES module is found by its URL, with and without a query" {
    local url="file://$PWD/dist/main.js"
    prints "node;JS:~busy $PWD/src/app.ts:1:10 1
node;JS:~busy $PWD/src/app.ts:1:10 1" stackfilter --source-maps <(frames "JS:~t $url:1:11" "JS:~t $url?v=2:1:11")
}

@test "sections of an indexed map are used" {
    write_map '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.ts"],
        "names":["one"],"mappings":"SAAAA"}},{"offset":{"line":1,"column":0},"map":{"version":3,"sources":["b.ts"],
        "names":["two"],"mappings":"MAAAA"}}]}'
    try stackfilter --source-maps <(frames 'JS:~t @:1:11;JS:~s @:2:20')
    same "node;JS:~one $PWD/dist/a.ts:1:1;JS:~two $PWD/dist/b.ts:1:1 1" "$output"
}

@test "webpack's names of sources become paths whose kinds are known" {
    local source
    for source in webpack:///./src/a.ts webpack://app/src/a.ts?x1; do
        write_map "{\"version\":3,\"sources\":[\"$source\"],\"names\":[\"busy\"],\"mappings\":\"SAAAA\"}"
        names_t 'JS:~busy ./src/a.ts:1:1'
    done
    write_map '{"version":3,"sources":["webpack:///./node_modules/dep/i.js"],"names":["busy"],"mappings":"SAAAA"}'
    try stackfilter --source-maps --node --only dep <(frames 'JS:~t @:1:11')
    same 'node;busy ./node_modules/dep/i.js:1:1 1' "$output"
}

@test "a position without a column is found if its line comes from one line" {
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"AASA,SAASA;AAAA,CACA\"}"
    prints "node;LazyCompile:*t $PWD/src/app.ts:10:1 1
node;LazyCompile:*s $PWD/dist/main.js:2 1" stackfilter --source-maps <(frames 'LazyCompile:*t @:1' 'LazyCompile:*s @:2')
}

@test "what is not of a source keeps its name" {
    frames 'JS:~t @:1:1' 'JS:~x /none/main.js:1:1' 'JS:~x node:fs:1:1' 'main' 'RegExp:a' 'JS:~x https://h/x.js:1:1' \
        'JS:x-1-liftoff' > in
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"CAAA\"}"
    prints "$(< in)" stackfilter --source-maps in
}

@test "without --source-maps no map is looked for" {
    frames 'JS:~t @:1:11' > in
    prints "$(< in)" stackfilter in
}

@test "a script that has changed since is recognized where no function can begin at the place" {
    names_t 'JS:~busy @/src/app.ts:1:10'
    echo 'var x;' > dist/main.js
    echo '//# sourceMappingURL=main.js.map' >> dist/main.js
    try stackfilter --source-maps <(frames 'JS:~t @:1:11' 'JS:~u @:1:12')
    same "$(frames 'JS:~t @:1:11' 'JS:~u @:1:12')" "$output"
    same "stackfilter: $PWD/dist/main.js: no function begins at 1:11: the script has changed since it was recorded" "$stderr"
}

@test "nothing outside of the script's folder is opened, or of the one that is given" {
    cp dist/main.js.map outside.map
    write_bundle '//# sourceMappingURL=../outside.map'
    local outside=': this source map is outside of the folder that --source-maps=DIR names, or of the script'"'s"
    keeps_t "@/outside.map$outside"
    write_bundle '//# sourceMappingURL=../../../../../../../../../../../../etc/passwd'
    keeps_t "/etc/passwd$outside"
    write_bundle '//# sourceMappingURL=file:///etc/passwd'
    keeps_t "/etc/passwd$outside"
    write_bundle '//# sourceMappingURL=%2e%2e/outside.map'
    keeps_t "@/outside.map$outside"
    write_bundle '//# sourceMappingURL=../outside.map'
    prints "node;JS:~busy ${PWD%/*}/src/app.ts:1:10 1" stackfilter --source-maps=. <(frames 'JS:~t @:1:11')
    prints "$(frames 'JS:~t @:1:11')" stackfilter --source-maps=src <(frames 'JS:~t @:1:11')
}

@test "a link does not lead out of the folder" {
    mv dist/main.js.map outside.map
    ln -s "$PWD/outside.map" dist/main.js.map
    keeps_t '@/dist/main.js.map: No such file or directory'
    ln -sf ../outside.map dist/main.js.map
    keeps_t '@/dist/main.js.map: No such file or directory'
    cp outside.map dist/real.map
    ln -sf real.map dist/main.js.map
    names_t 'JS:~busy @/src/app.ts:1:10'
}

@test "what is no regular file is not opened" {
    rm dist/main.js.map
    mkfifo dist/main.js.map
    keeps_t '@/dist/main.js.map: is not a regular file'
    rm dist/main.js.map
    mkdir dist/main.js.map
    keeps_t '@/dist/main.js.map: is not a regular file'
    rmdir dist/main.js.map
    : > dist/main.js.map
    keeps_t '@/dist/main.js.map: is empty'
    rm dist/main.js
    mkfifo dist/main.js
    names_t 'JS:~t @/dist/main.js:1:11' '@/dist/main.js: is not a regular file: its functions keep their names'
}

@test "files of the kernel are not read, whose reading may wait or consume" {
    answers 0 'node;JS:~t /proc/kmsg:1:11 1' '*' stackfilter --source-maps <(printf 'node;JS:~t /proc/kmsg:1:11 1\n')
}

@test "a map on a server, and one that is not there, are told" {
    write_bundle '//# sourceMappingURL=https://example.com/main.js.map'
    keeps_t 'https://example.com/main.js.map: this source map is no file'
    write_bundle '//# sourceMappingURL=none.map'
    keeps_t '@/dist/none.map: No such file or directory'
    write_bundle '//# sourceMappingURL=data:application/json,{%22version%22:3}'
    write_bundle '//# sourceMappingURL=data:application/json;base64,!!!'
    keeps_t '@/dist/main.js: its inline source map is not base64'
}

@test "a bad map gives one message with its place, and the frames stay" {
    local map=@/dist/main.js.map
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"SAAS"
    keeps_t "$map:1: byte 109: the JSON text ends where the rest of a string should follow"
    write_map "{\"version\":3,$SOURCES,
\"mappings\":\"SAAS!\"}"
    keeps_t "$map:2: mappings: the segment at character 1 is wrong"
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"SAgggggggggA\"}"
    keeps_t "$map:1: mappings: the segment at character 1 is wrong"
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"SEAA\"}"
    keeps_t "$map:1: mappings: source 2 of 1, counted from 0"
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"SAAAY\"}"
    keeps_t "$map:1: mappings: name 12 of 5, counted from 0"
    write_map '{"version":2}'
    keeps_t "$map:1: not a source map of version 3"
    { head -c 20000 /dev/zero | tr '\0' '['; } > dist/main.js.map
    keeps_t "$map:1: byte 10001: '[' where the rest of an object or array should follow"
    { printf '{"x":'; head -c 20000 /dev/zero | tr '\0' '['; } > dist/main.js.map
    keeps_t "$map:1: byte 10005: '[' where the rest of an object or array should follow"
    write_bundle "//# sourceMappingURL=data:application/json;base64,$(printf '{"version":3}' | base64)"
    keeps_t '@/dist/main.js:1: not a source map: it has no mappings'
}

@test "of many frames of a bad map one message is printed" {
    write_map '{'
    seq 100 | sed "s|.*|node;JS:~t& $PWD/dist/main.js:1:& 1|" > in
    answers 0 "$(< in)" '*' stackfilter --source-maps in
    same 1 "$(grep -c . <<< "$stderr")"
}

@test "a map that is cut anywhere gives one message with its place, and the frames stay" {
    local whole last at
    whole=$(< dist/main.js.map)
    frames 'JS:~t @:1:11' > in
    last=${#whole}
    for ((at = 1; at < last; at++)); do
        write_map "${whole:0:at}"
        answers 0 "$(< in)" '*' stackfilter --source-maps in
        [[ $stderr == "stackfilter: $PWD/dist/main.js.map:1: "*": the functions of $PWD/dist/main.js keep their names" ]]
    done
}

@test "scripts beside one whose map is bad are named by theirs" {
    sed 's/main.js.map/other.js.map/' dist/main.js > dist/other.js
    truncate -s 300M dist/other.js.map
    answers 0 "node;JS:~t $PWD/dist/other.js:1:11 1
node;JS:~busy $PWD/src/app.ts:1:10 1" \
        "stackfilter: $PWD/dist/other.js.map: is too large: the functions of $PWD/dist/other.js keep their names" \
        stackfilter --source-maps <(frames "JS:~t $PWD/dist/other.js:1:11" 'JS:~t @:1:11')
}

@test "scripts and maps that take more than 512 MB are not all read, and the message says from which on" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    local i available
    available=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
    [ "$available" -gt 2000000 ] || skip "this machine has no 2 GB of free memory"
    for ((i = 1; i <= 10; i++)); do
        cp dist/main.js "dist/$i.js"
        truncate -s 60M "dist/$i.js" # a hole
        printf '\n//# sourceMappingURL=main.js.map\n' >> "dist/$i.js"
    done
    try stackfilter --source-maps <(printf "node;JS:~t $PWD/dist/%d.js:1:11 1\n" {1..10})
    [ "$status" -eq 0 ]
    same 10 "$(grep -c '^node;JS:~' <<< "$output")"
    same "node;JS:~busy $PWD/src/app.ts:1:10 1" "$(head -n 1 <<< "$output")"
    same "node;JS:~t $PWD/dist/10.js:1:11 1" "$(tail -n 1 <<< "$output")"
    same 1 "$(grep -c . <<< "$stderr")"
    [[ $stderr == "stackfilter: $PWD/dist/"[1-9]".js: with it source maps take more than 512 MB of memory: functions of further scripts keep their names" ]]
}

@test "a script under many names is read once if its map is bad, and so is a bad map of many scripts" {
    [ -z "${SAN-}" ] || skip "sanitizers take time of their own"
    local i
    { printf '{"version":3,"x":['; yes 0, | head -n 8000000 | tr -d '\n'; printf '!'; } > dist/main.js.map
    for ((i = 1; i <= 150; i++)); do
        ln -s main.js "dist/link$i.js"
        cp dist/main.js "dist/copy$i.js"
    done
    printf "node;JS:~t $PWD/dist/%s.js:1:11 1\n" link{1..150} copy{1..150} > in
    answers 0 "$(< in)" \
        "stackfilter: $PWD/dist/main.js.map:1: byte 16000020: the JSON text ends where the rest of an object or array should follow: the functions of $PWD/dist/link1.js keep their names
stackfilter: $PWD/dist/link2.js: this is another name of a script whose source map is not used: the functions of $PWD/dist/link2.js keep their names
stackfilter: $PWD/dist/link3.js: this is another name of a script whose source map is not used: the functions of $PWD/dist/link3.js keep their names
stackfilter: 300 source maps that are not used in all" \
        bash -c 'ulimit -t 1; stackfilter --source-maps in' # with a map read for each script it takes 5
    try stackfilter --source-maps <(head -n 1 in) <(tail -n 1 in)
    same "stackfilter: $PWD/dist/main.js.map: this source map has been read and is not used: the functions of $PWD/dist/copy150.js keep their names" "${stderr_lines[1]}"
}

@test "no more than 1,024 MB are read of scripts and maps, and the message says which file was not" {
    local i
    for ((i = 1; i <= 10; i++)); do
        sed "s/main.js.map/$i.js.map/" dist/main.js > "dist/$i.js"
        truncate -s 120M "dist/$i.js.map" # a hole
    done
    try stackfilter --source-maps <(printf "node;JS:~t $PWD/dist/%s.js:1:11 1\n" {1..10} main)
    [ "$status" -eq 0 ]
    same 10 "$(grep -c '^node;JS:~t ' <<< "$output")"
    same "node;JS:~busy $PWD/src/app.ts:1:10 1" "$(tail -n 1 <<< "$output")"
    same "$(printf "stackfilter: $PWD/dist/%d.js.map: is not read: scripts and source maps of 1024 MB were; functions that need it keep their names\n" 9 10)" \
        "$(grep ' not read' <<< "$stderr")"
}

@test "a map of 200 MB is refused by its size" {
    truncate -s 200M dist/main.js.map
    keeps_t '@/dist/main.js.map: is too large'
    rm dist/main.js.map
    truncate -s 100M dist/main.js
    names_t 'JS:~t @/dist/main.js:1:11' '@/dist/main.js: is too large: its functions keep their names'
}

@test "many segments, in the worst order, names and lines are read in bounded time and memory" {
    [ -z "${SAN-}" ] || skip "sanitizers take time and memory of their own"
    awk 'BEGIN { printf "{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\"+/////DAAA"
        for (i = 0; i < 2000000; i++) printf ",DAAA"; print "\"}" }' > dist/main.js.map
    answers 0 '*' '' bash -c 'ulimit -v 1000000; stackfilter --source-maps "$1"' - <(frames 'JS:~t @:1:11')
    awk 'BEGIN { printf "{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\""
        for (i = 0; i < 9000000; i++) printf "A"; print "\"}" }' > dist/main.js.map
    keeps_t '@/dist/main.js.map:1: mappings: the segment at character 1 is wrong'
    awk 'BEGIN { printf "{\"version\":3,\"sources\":[\"a\"],\"names\":["
        for (i = 0; i < 5000000; i++) printf "\"\","; print "\"\"],\"mappings\":\"\"}" }' > dist/main.js.map
    keeps_t '@/dist/main.js.map:1: more than 4 million sources and names'
    awk 'BEGIN { printf "{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\""
        for (i = 0; i < 8500000; i++) printf "A,"; print "\"}" }' > dist/main.js.map
    keeps_t '@/dist/main.js.map:1: byte 52: a string or number of more than 16 MB'
    head -c 20000000 /dev/zero | tr '\0' '\n' >> dist/main.js
    write_map "{\"version\":3,$SOURCES,\"mappings\":\"$MAPPINGS\"}"
    names_t 'JS:~busy @/src/app.ts:1:10'
}

@test "20,000 functions of a line of megabytes are named quickly" {
    [ -z "${SAN-}" ] || skip "sanitizers take time and memory of their own"
    awk 'BEGIN { for (i = 0; i < 300000; i++) printf "function t(e){}"; print "\n//# sourceMappingURL=main.js.map" }' > dist/main.js
    awk 'BEGIN { printf "{\"version\":3,\"sources\":[\"a\"],\"names\":[\"busy\"],\"mappings\":\"SAAAA"
        for (i = 1; i < 300000; i++) printf ",eAAA"; print "\"}" }' > dist/main.js.map
    awk -v file="$PWD/dist/main.js" 'BEGIN { for (i = 0; i < 20000; i++) print "node;JS:~t " file ":1:" 15 * (14 * i) + 11 " 1" }' > in
    answers 0 '*' '' stackfilter --source-maps in
    same 20000 "$(wc -l <<< "$output")"
    same "node;JS:~busy $PWD/dist/a:1:1 1" "$(head -n 1 <<< "$output")"
    same "node;JS:~t $PWD/dist/a:1:1 1" "$(tail -n 1 <<< "$output")"
}

@test "megabytes of one word or of blanks around 20,000 functions cost no time" {
    [ -z "${SAN-}" ] || skip "sanitizers take time and memory of their own"
    local byte
    for byte in a ' '; do
        { head -c 4000000 /dev/zero | tr '\0' "$byte"; printf '(\n%.0s' $(seq 20000)
            printf '//# sourceMappingURL=main.js.map'; } > dist/main.js
        { printf '{"version":3,"sources":["a"],"names":[],"sourcesContent":["'; head -c 4000000 /dev/zero | tr '\0' "$byte"
            printf '"],"mappings":"AAAA,gkkvHAAA'; printf ';AAAA%.0s' $(seq 20000); printf '"}'; } > dist/main.js.map
        awk -v file="$PWD/dist/main.js" 'BEGIN { print "node;JS:~t " file ":1:4000001 1"
            for (i = 2; i <= 20000; i++) print "node;JS:~t " file ":" i ":1 1" }' > in
        answers 0 '*' '' stackfilter --source-maps in
        same 20000 "$(grep -c "JS:~t $PWD/dist/a:1:1 1" <<< "$output")"
    done
}

@test "names and files of a map cannot add frames, lines or control characters" {
    write_map '{"version":3,"sources":["a;b\nnode;x 99\u001b[2J.ts"],"names":["f;g\n1 2\u0000"],"mappings":"SAAAA"}'
    prints "node;JS:~f:g?1 2? $PWD/dist/a:b?node:x 99?[2J.ts:1:1 1" stackfilter --source-maps <(frames 'JS:~t @:1:11')
}

@test "a name of a megabyte is not used" {
    { printf '{"version":3,"sources":["a"],"names":["'; head -c 1000000 /dev/zero | tr '\0' a
        printf '"],"mappings":"SAAAA"}'; } > dist/main.js.map
    names_t 'JS:~t @/dist/main.js:1:11'
}

# Writes an entry of tsx's cache for src/app.ts.
tsx_entry() { # NAME CODE MAPPINGS
    mkdir -p "tsx-$(id -u)"
    printf '{"code":"%s","warnings":[],"map":{"version":3,"mappings":"%s","names":[],"sources":["%s"]}}' "$2" "$3" \
        "$PWD/src/app.ts" > "tsx-$(id -u)/17954-$1"
}

@test "TypeScript that tsx ran is found in its cache, the version that fits" {
    local a=0a476aa95a96c13082ac774d7d26f6a3ea56320e b=c2398303a7097138f0aadae19dc2e58e2fdb8fec
    echo 'export function busy() {}' > src/app.ts
    tsx_entry $a 'var __name;function busy(n){}' 'WAAA,SAASA'
    sed -i 's/SAASA/SAAS/' "tsx-$(id -u)/17954-$a"
    touch -d 2020-01-01 "tsx-$(id -u)/17954-$a"
    tsx_entry $b 'function  other(n){}  // and no more' 'AAYA'
    prints "node;JS:~busy $PWD/src/app.ts:1:10 1" \
        env TMPDIR="$PWD" stackfilter --source-maps <(printf 'node;JS:~busy %s/src/app.ts:1:25 1\n' "$PWD")
    try stackfilter --source-maps="tsx-$(id -u)" <(printf 'node;JS:~busy %s/src/app.ts:1:25 1\n' "$PWD")
    same "node;JS:~busy $PWD/src/app.ts:1:10 1" "$output"
}

@test "a folder that is not there is an error" {
    answers 1 '*' 'stackfilter: none: No such file or directory' stackfilter --source-maps=none /dev/null
}
