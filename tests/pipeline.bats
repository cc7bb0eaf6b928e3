# The main job from end to end: a Node HTTP server, recorded by perf, drawn as a flame graph. A perf that prints the kept
# recording stands in for perf.
# not sanitized: the programs of the pipe are, each with its own tests
load lib

setup_file() {
    export KEPT=$BATS_FILE_TMPDIR/kept
    export HOME=$BATS_FILE_TMPDIR
    make_kept
}

# A perf that prints the recording in tests/data.
make_kept() {
    mkdir -p "$KEPT/bin"
    gunzip -c "$DATA/node-http.perf.txt.gz" > "$KEPT/recorded"
    printf '#!/bin/sh\n[ "$1" != script ] || cat "%s"\n' "$KEPT/recorded" > "$KEPT/bin/perf"
    printf '#!/bin/sh\necho 1\n' > "$KEPT/bin/pgrep"
    chmod +x "$KEPT"/bin/*
}

setup() {
    cd "$KEPT" || return
    PATH=$KEPT/bin:$PATH
}

# Runs a pipe as a user would write it, and fails where any command of it does. Standard output is a file, because
# perf record would write its data to a pipe.
pipe() { # COMMANDS
    try bash -c "set -o pipefail; exec > stdout; $1"
    [ "$status" -eq 0 ] || { echo "$stderr" && return 1; }
}

# "HOT ALL": the sum of periods of the samples in which the hot function occurs, and of all of them;
# counted from the lines of perf script text.
share_in_text() { # FILE
    awk '
        /^[^ \t#]/ { period = $(NF - 1); all += period; seen = 0 }
        /^[ \t].*[ :~^+*]mandelbrot / && !seen { hot += period; seen = 1 }
        END { printf "%.0f %.0f\n", hot, all }' "$1"
}

# The same, read from the picture. The hot function calls nothing, not even itself, so its frames can be added up.
share_in_graph() { # FILE
    grep -o '<title>[^<]*</title>' "$1" | tr -d , | awk '
        { count = $0; sub(/ samples.*/, "", count); sub(/.*\(/, "", count) }
        /<title>all / { all = count }
        /<title>(JS:.)?mandelbrot / { hot += count }
        END { printf "%.0f %.0f\n", hot, all }'
}

draws_node_graph() {
    pipe 'perf script | stackfilter --node | stackcollapse --weight=period | flamesvg > node.svg'
    # OpenSSL's assembly has no frame pointers, and stackcollapse says so; all else is in order.
    same '' "$(grep -v 'do not reach a root, most often those of node that end in sha512' <<<"$stderr")"
    well_formed node.svg
}

use_compat_names() { # FOLDER
    mkdir -p "$1"
    ln -sf "$COMPAT"/* "$1"
}

@test "the hot function's share in the graph is its share of the samples" {
    draws_node_graph
    perf script > out.perf
    local wanted
    wanted=$(share_in_text out.perf)
    [ "${wanted%% *}" -gt 0 ]
    # Wide enough for a title on each frame, also that of one sample in a stack of its own.
    pipe 'perf script | stackfilter --node | stackcollapse --weight=period | flamesvg --width=20000 > wide.svg'
    same "$wanted" "$(share_in_graph wide.svg)"
}

@test "the graph has no frame of V8's own code" {
    draws_node_graph
    grep -o '<title>[^<]*' node.svg > titles
    # V8's own code, and prefixes that are removed from names
    run grep -E '>(v8::internal::|Builtins?[:_]|Stub:|(Bytecode)?Handler:|[A-Za-z]*IC:)' titles
    same "" "$output"
    run grep -E '>(__libc_start|\[unknown\]|(LazyCompile|Function|Script|Eval|InterpretedFunction|JS):)' titles
    same "" "$output"
}

@test "recipe 1, a running Node process, works unchanged" {
    use_compat_names recipe1 # in a folder of its own, because it writes perf.data
    cd recipe1
    pipe 'perf record -F 99 -p "$(pgrep -n node)" -g -- sleep 30
        perf script > out.nodestacks01
        ./stackcollapse-perf.pl < out.nodestacks01 | ./flamegraph.pl > out.nodestacks01.svg'
    well_formed out.nodestacks01.svg
    same "$(share_in_text out.nodestacks01)" "$(share_in_graph out.nodestacks01.svg)"
}

@test "recipe 3, only the JavaScript, works unchanged" {
    use_compat_names FlameGraph
    pipe 'perf script --header | egrep -v "( __libc_start| LazyCompile | v8::internal::| Builtin:| Stub:| LoadIC:|\[unknown\]| LoadPolymorphicIC:)" |
         sed '\''s/ LazyCompile:[*~]\?/ /'\'' | ./FlameGraph/stackcollapse-perf.pl | ./FlameGraph/flamegraph.pl > flame1.svg'
    pipe 'perf script --header | egrep -v "( __libc_start| LazyCompile | v8::internal::| Builtin:| Stub:| LoadIC:|\[unknown\]| LoadPolymorphicIC:)" |
         sed '\''s/ LazyCompile:[*~]\?/ /'\'' | ./FlameGraph/stackcollapse-perf.pl | ./FlameGraph/flamegraph.pl --inverted --reverse > flame1-inverted.svg'
    well_formed flame1.svg
    well_formed flame1-inverted.svg
    perf script > out.perf
    same "$(share_in_text out.perf)" "$(share_in_graph flame1.svg)"
    same "$(share_in_text out.perf)" "$(share_in_graph flame1-inverted.svg)"
}

@test "the user's frames are in the graph, under clean names" {
    draws_node_graph
    grep -q '<title>mandelbrot /srv/app/server.js:8:20 (' node.svg
    grep -q '<title>get total /srv/app/server.js:' node.svg
    grep -q '<title>tally /srv/app/node_modules/tally/index.js:' node.svg
    grep -q '<title>emit node:events:' node.svg
    grep -q '<title>(anonymous) /srv/app/server.js:' node.svg
    grep -q '<title>node::Start (' node.svg
}

@test "the order of filter and collapse makes no difference to the graph" {
    pipe 'perf script | stackfilter --node | stackcollapse > filtered.folded
        perf script | stackcollapse | stackfilter --node | stackcollapse > collapsed.folded'
    cmp filtered.folded collapsed.folded
}

@test "the graph is the same to the byte in another locale and on another run" {
    pipe 'perf script | stackfilter --node | stackcollapse | flamesvg --colors=node > first.svg'
    pipe 'export LC_ALL=en_US.UTF-8 LANG=de_DE.UTF-8
        perf script | stackfilter --node | stackcollapse | flamesvg --colors=node > second.svg'
    cmp first.svg second.svg
}

@test "JIT frames that perf could not name get their names from the perf map" {
    cd "$BATS_TEST_TMPDIR"
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" > unnamed
    gunzip -c "$DATA/node-unnamed.map.gz" > map
    # "node 13671/13671  1668.798363: ..."
    pid=$(sed -n '1s|^node \([0-9]*\)/.*|\1|p' unnamed)
    mv map "perf-$pid.map"
    pipe 'stackfilter --node unnamed | stackcollapse > before.folded
        perf-script --map-dir . unnamed | stackfilter --node | stackcollapse > after.folded'
    run grep -c 'mandelbrot' before.folded
    same 0 "$output"
    grep -q ';mandelbrot /srv/app/server.js:8:20 ' after.folded
    local sum='{ n += $NF } END { printf "%.0f\n", n }'
    same "$(awk "$sum" before.folded)" "$(awk "$sum" after.folded)"
}

@test "make demo: where nothing may record it draws the kept recording, and says so" {
    mkdir "$BATS_TEST_TMPDIR/programs"
    cd "$BATS_TEST_TMPDIR/programs"
    cp "$BIN/"* .
    printf '#!/bin/sh\necho "stackrecord: not for you" >&2\nexit 1\n' > stackrecord
    printf '#!/bin/sh\nexit 1\n' > perf
    chmod +x perf
    PATH=$PWD:$PATH try "$ROOT/tests/demo/demo.sh" . demo.svg
    [ "$status" -eq 0 ]
    [[ $stderr = *$'stackrecord: not for you\nflamepipe: nothing was recorded' ]]
    same 'demo: not recorded here
demo: node HTTP server, a recording of the project: demo.svg' "$output"
    well_formed demo.svg
    grep -q '<title>.*/srv/app/server.js' demo.svg
}
