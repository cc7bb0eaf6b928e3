load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    # Two formats, one profile: JavaScript called from C++, the garbage collector below it, a system call.
    cp "$DATA"/stackfilter/{perf,folded}.txt .
}

# The symbols of the frames of a folded or perf text, one stack a line, root first, without the command name.
stacks() {
    if grep -q '^	' "$1"; then
        awk '/^\t/ { sub(/^\t *[0-9a-f]+ /, ""); sub(/ \([^()]*\)$/, ""); sub(/\+0x[0-9a-f]+$/, "")
                     line = line == "" ? $0 : $0 ";" line; next }
             /^$/ { print line; line = "" }' "$1"
    else
        sed 's/ [0-9.]*$//; s/^[^;]*//; s/^;//' "$1"
    fi
}

# Filters a file with the options and leaves the stacks in $got.
filtered() { # FILE OPTION...
    local file=$1
    shift
    try stackfilter "$@" "$file"
    [ "$status" -eq 0 ] || { echo "status $status: $stderr"; return 1; }
    printf '%s\n' "$output" > out.txt
    grep -q '^	' out.txt && echo >> out.txt # run takes the last newlines
    got=$(stacks out.txt)
}

total() { # of folded stacks
    awk '{ sum += $NF } END { print sum + 0 }' "$@"
}

@test "without options perf script text is copied byte for byte" {
    stackfilter perf.txt > out.txt
    cmp perf.txt out.txt
}

@test "without options folded stacks are copied byte for byte" {
    printf '%s\n' 'a;b;c 1' 'a;b 2.50 3' 'a 4' ' 5' 'a;;b 6' > in.txt
    stackfilter in.txt > out.txt
    cmp in.txt out.txt
}

@test "--node leaves JavaScript, native code and the kernel, and cleans names" {
    filtered perf.txt --node
    same "node::Start(int, char**);(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;(garbage collector)
node::Start(int, char**);hot /srv/app.js:2:14;read;read_iter
(JavaScript without names)" "$got"
    [ -z "$stderr" ]
}

@test "--node does the same to folded stacks" {
    prints "node;node::Start;(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;(garbage collector) 10
node;node::Start;hot /srv/app.js:2:14;read;read_iter_[k] 10.5
node;(JavaScript without names) 10" stackfilter --node folded.txt
}

@test "a frame that keeps its name keeps its line, a renamed one its address and DSO" {
    try stackfilter --node perf.txt
    [[ $output == *$'\n\t            7f05 node::Start(int, char**)+0x6 (/usr/bin/node)\n'* ]]
    [[ $output == *$'\n\t            3e01 hot /srv/app.js:2:14 (/tmp/perf-7.map)\n'* ]]
}

# Every form that V8 has written: what --node makes of it; nothing: the frame goes.
FORMS=$DATA/stackfilter/forms

@test "--node knows every form of name that V8 has written" {
    while IFS= read -r row; do
        printf 'node 1 2.5: 1 c:\n\t7f01 %s (/tmp/perf-7.map)\n\n' "${row%% -> *}"
    done < "$FORMS" > in.txt
    stackfilter --node in.txt > out.txt
    same "$(sed 's/.* -> //' "$FORMS")" "$(stacks out.txt)"
}

@test "--node knows every form of name in folded stacks too" {
    sed 's/ -> .*//; s/^/node;/; s/$/ 1/' "$FORMS" > in.txt
    stackfilter --node in.txt > out.txt
    same "$(sed 's/.* -> //' "$FORMS")" "$(stacks out.txt)"
}

@test "stackfilter --node before or after stackcollapse gives the same" {
    stackfilter --node perf.txt > node.txt
    stackcollapse node.txt > one.txt
    stackcollapse perf.txt > all.folded
    stackfilter --node all.folded > node.folded
    stackcollapse --from=folded node.folded > other.txt
    [ "$(total one.txt)" -eq 3 ]
    same "$(< one.txt)" "$(< other.txt)"
}

# What the guides for Node have people type.
guides_pipe() {
    grep -E -v "( __libc_start| LazyCompile | v8::internal::| Builtin:| Stub:| LoadIC:|\[unknown\]| LoadPolymorphicIC:)" |
        sed 's/ LazyCompile:[*~]\?/ /'
}

@test "on the name forms that the guides' egrep and sed know, --node gives what they give" {
    cp "$DATA/stackfilter/old.txt" .
    guides_pipe < old.txt > guides.txt
    stackfilter --node old.txt > ours.txt
    run ! grep -q LazyCompile ours.txt
    "$COMPAT/stackcollapse-perf.pl" < guides.txt > guides.folded
    "$COMPAT/stackcollapse-perf.pl" < ours.txt > ours.folded
    [ "$(total guides.folded)" -eq 5 ]
    same "$(< guides.folded)" "$(< ours.folded)"
}

@test "unlike the guides' pipe --node keeps what has V8's name among its arguments, and names the anonymous" {
    printf 'node 1 2.5: 1 c:\n\t7f01 %s (/usr/bin/node)\n\t7f02 %s (/tmp/perf-7.map)\n\n' \
        'addon(int, v8::internal::Isolate*)' 'LazyCompile:* /srv/app.js:3' > in.txt
    guides_pipe < in.txt > guides.txt
    filtered in.txt --node
    same ' /srv/app.js:3' "$(stacks guides.txt)"
    same '(anonymous) /srv/app.js:3;addon(int, v8::internal::Isolate*)' "$got"
}

@test "unlike the guides' pipe --node keeps the sample whose header holds an unknown frame" {
    printf 'node 1 2.5: 1 c:  7f01 [unknown] ([unknown])\n' > in.txt
    guides_pipe < in.txt > guides.txt
    [ ! -s guides.txt ]
    stackfilter --node in.txt > out.txt
    printf 'node     1     2.5:          1 c: \n\n' | cmp - out.txt
}

@test "unlike the guides' pipe --node keeps a leaf without a name, but not of node, of memory or of the kernel" {
    local dso
    for dso in /usr/bin/sort /usr/lib/libc.so.6 /usr/bin/node '[kernel.kallsyms]' '[heap]' //anon; do
        printf 'a 1 2.5: 1 c:\n\t7f01 [unknown] (%s)\n\t7f02 [unknown] (%s)\n\t7f03 main (/x)\n\n' "$dso" "$dso"
    done > in.txt
    same 'a;main 4
a;main;[libc.so.6] 1
a;main;[sort] 1' "$(stackfilter --node in.txt | stackcollapse)"
    same 'a;main 4
a;main;[libc.so.6] 1
a;main;[sort] 1' "$(stackcollapse --kernel --jit in.txt | stackfilter --node | stackcollapse)"
}

@test "--v8-names=tier puts a function's tier after its name" {
    for tier in '~' '^' '+' '*'; do
        printf 'node;JS:%sf /p/x.js:1:2 1\n' "$tier"
    done > in.txt
    echo 'node;JS:*g /p/x.js:3:4_[j] 1' >> in.txt
    filtered in.txt --v8-names=tier
    same 'f /p/x.js:1:2 [~]
f /p/x.js:1:2 [^]
f /p/x.js:1:2 [+]
f /p/x.js:1:2 [*]
g /p/x.js:3:4 [*]_[j]' "$got"
}

@test "--v8-names=raw keeps the names that --node would clean" {
    filtered folded.txt --node --v8-names=raw
    same 'node::Start;JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14;(garbage collector)
node::Start;JS:^hot /srv/app.js:2:14;read;read_iter_[k]
(JavaScript without names)' "$got"
}

@test "--v8-names=merge cleans names and drops no frame" {
    filtered perf.txt --v8-names=merge
    same "$(stacks perf.txt | sed 's/JS:~ /(anonymous) /; s/JS:[*^]//')" "$got"
}

@test "--node demangles what perf has left mangled, and knows V8's own functions by that" {
    cxx=_ZN2v88internal6String11SlowFlattenINS0_12DirectHandleEQsr3stdE16is_convertible_vIT_IS1_ENS3_IS1_EEEEES5_PNS0_7IsolateE
    printf 'node;%s 1\n' "$cxx" _ZN4node5StartEiPPc _RNvCs1234_7mycrate3run _ZN4node5StartEiPPc_[i] _Zebra _start > in.txt
    filtered in.txt --node
    same '
node::Start
mycrate::run
node::Start_[i]
_Zebra
_start' "$got"
    filtered in.txt --node --v8-work=keep --drop '^_R|^node'
    same 'v8::internal::String::SlowFlatten<v8::internal::DirectHandle>



_Zebra
_start' "$got"
    filtered in.txt --v8-names=merge
    same "$(sed 's/^node;//; s/ 1$//' in.txt)" "$got"
}

@test "a regular expression has one name, whichever node wrote it" {
    printf 'node;%s 1\n' 'RegExp:(a+)+b' "RegExp.< src: '(a+)+b' flags: 'giu'" "RegExp.> src: '(a+)+b' flags: ''_[j]" > in.txt
    filtered in.txt --node
    same 'RegExp:(a+)+b
RegExp:(a+)+b
RegExp:(a+)+b_[j]' "$got"
    filtered in.txt --node --v8-names=raw
    same "$(sed 's/^node;//; s/ 1$//' in.txt)" "$got"
}

@test "--v8-work=detail makes one frame of each run of V8's own, named after what V8 did" {
    filtered perf.txt --node --v8-work=detail
    same 'node::Start(int, char**);(runtime);(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;(garbage collector)
node::Start(int, char**);hot /srv/app.js:2:14;read;read_iter
(runtime)' "$got"
}

@test "--v8-work=detail knows collector, compiler, inline caches, regular expressions and the rest" {
    cat > in.txt <<'END'
n;v8::internal::MarkCompactCollector::CollectGarbage;heap::base::Stack::IteratePointers 1
n;v8::internal::Runtime_CompileLazy;v8::internal::Compiler::Compile;v8::internal::Zone::New 1
n;Builtins_LoadIC_Megamorphic 1
n;v8::internal::Runtime_LoadIC_Miss;v8::internal::LoadIC::Load;v8::internal::Map::Find 1
n;LoadIC:x 1
n;Builtins_RegExpPrototypeExec;v8::internal::RegExpImpl::IrregexpExec 1
n;BytecodeHandler:Wide;v8::internal::Runtime_StringAdd 1
n;f;Builtins_Add;g;Builtins_StoreIC 1
END
    filtered in.txt --v8-work=detail
    same '(garbage collector)
(compiler)
(inline caches)
(inline caches)
(inline caches)
(regexp)
(runtime)
f;(runtime);g;(inline caches)' "$got"
}

@test "--v8-work=summarize makes one frame of what the collector does, and one of the compiler" {
    cat > in.txt <<'END'
n;JS:~f /a.js:1:1;Builtins_Add;v8::internal::Heap::CollectGarbage;std::function::operator();v8::internal::Map::Find;v8::internal::Scavenger::Process;memcpy;copy_[k] 1
n;node::Worker;v8::internal::Compiler::Compile;v8::internal::Zone::New;v8::internal::Heap::CollectGarbage;v8::internal::CompilationCache::Age 1
n;v8::internal::Compiler::Compile;std::sort;v8::internal::compiler::Pipeline::Run;malloc 1
n;v8::internal::Heap::CollectGarbage;JS:~g /a.js:1:1;v8::internal::Heap::CollectGarbage 1
n;v8::internal::Heap::CollectGarbage;node::GCProfiler;v8::internal::Heap::CollectGarbage 1
n;Builtins_LoadIC;v8::internal::LoadIC::Load;JS:*get /a.js:1:1;Builtins_RegExpExec;malloc 1
END
    filtered in.txt --v8-work=summarize
    same 'JS:~f /a.js:1:1;(garbage collector);memcpy;copy_[k]
node::Worker;(compiler);(garbage collector)
(compiler);malloc
(garbage collector);JS:~g /a.js:1:1;(garbage collector)
(garbage collector);node::GCProfiler;(garbage collector)
JS:*get /a.js:1:1;malloc' "$got"
}

@test "--v8-work=keep keeps V8's own frames with --node too" {
    filtered folded.txt --node --v8-work=keep
    same 'node::Start;Builtins_InterpreterEntryTrampoline;(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;Builtins_CEntry_Return1;v8::internal::Heap::AllocateRaw;v8::internal::Scavenger::Process
node::Start;hot /srv/app.js:2:14;read;read_iter_[k]
Builtins_InterpreterEntryTrampoline' "$got"
}

@test "--hide and --only know collector and compiler as kinds of their own" {
    filtered folded.txt --node --only app,gc
    same '(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;(garbage collector)
hot /srv/app.js:2:14
' "$got
"
    filtered folded.txt --node --hide gc,compiler
    same 'node::Start;(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14
node::Start;hot /srv/app.js:2:14;read;read_iter_[k]
(JavaScript without names)' "$got"
}

@test "--only app has functions of new Function" {
    printf 'n;node::Start;JS:*validate :3:33;malloc 1\nn;JS:~ :1:20 2\nn;(anonymous) :1:20 3\n' > in.txt
    filtered in.txt --only app
    same 'JS:*validate :3:33
JS:~ :1:20
(anonymous) :1:20' "$got"
}

@test "--v8-work=hide drops V8's own frames and nothing else" {
    filtered folded.txt --v8-work=hide
    same '__libc_start_call_main;node::Start;JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14
node::Start;JS:^hot /srv/app.js:2:14;read;read_iter_[k]
[node]' "$got"
}

@test "--drop drops the frames whose symbol matches, and may be given more than once" {
    filtered perf.txt --drop '^v8::' --drop '^Builtins_'
    same '__libc_start_call_main;node::Start(int, char**);JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14
node::Start(int, char**);JS:^hot /srv/app.js:2:14;read;read_iter
[unknown]' "$got"
}

@test "patterns are matched on the symbol alone, without its offset and DSO" {
    filtered perf.txt --drop 'libc|perf-7|kernel|0x|7f0'
    same "$(stacks perf.txt | sed 's/__libc_start_call_main;//')" "$got"
    filtered perf.txt --drop 'read_iter$'
    same "$(stacks perf.txt | sed 's/;read_iter//')" "$got"
}

@test "dso: before a pattern matches it on the DSO" {
    filtered perf.txt --drop 'dso:/node$' --drop dso:kernel
    same '__libc_start_call_main;JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14
JS:^hot /srv/app.js:2:14;read
' "$got
"
}

@test "dso: on folded stacks, which have no DSO names, gets a warning" {
    answers 0 "$(< folded.txt)" \
        'stackfilter: folded.txt: folded stacks have no DSO names, so dso: matches nothing in them' \
        stackfilter --drop dso:libc folded.txt
}

@test "--keep drops the frames that match none of its patterns" {
    filtered perf.txt --keep hot --keep '^read$'
    same 'JS:*hot /srv/app.js:2:14
JS:^hot /srv/app.js:2:14;read
' "$got
"
}

@test "--rename substitutes as sed -E does" {
    printf '%s\n' 'n;get a/b;xaay 1' > in.txt
    prints 'n;[a-b] get a/b &;xaay 1' stackfilter --rename 's/get (.*)/[\1] & \&/' --rename 's|/|-|' in.txt
    prints 'n;get ,/b;,,y 1' stackfilter --rename 's,a,\,,g' --rename 's/^x//' in.txt
    for expression in 's/a*/-/g' 's/a*/-/' 's/x*/-/g' 's/(z)?a/<\1>/' 's/^./!/g'; do
        wanted=$(sed -E "$expression" <<< 'baaac|.a')
        prints "n;$wanted 1" stackfilter --rename "$expression" <<< 'n;baaac|.a 1'
    done
}

@test "an escaped delimiter in --rename means itself" {
    prints 'n;a!b 1' stackfilter --rename 's|\||!|' <<< 'n;a|b 1'
    prints 'n;ab!c!d 1' stackfilter --rename 's.\..!.' --rename 's<\<<!<' <<< 'n;ab.c<d 1'
}

@test "--rename dso: renames the DSO" {
    prints "$(sed 's|(/.*/|(|' perf.txt)" stackfilter --rename 'dso:s|.*/||' perf.txt
}

@test "an invalid substitution is wrong usage" {
    for expression in '' s s/ s/a s/a/b 's/a/b/x' 's/(/b/' 's/a/\1/' x/a/b/ $'s/a/\n/'; do
        answers 2 '' "stackfilter: option --rename: '${expression//$'\n'/?}': *" \
            stackfilter --rename "$expression" folded.txt
    done
}

@test "a pattern matches the symbol as read or as written" {
    filtered folded.txt --node --root-at '^hot '
    same 'hot /srv/app.js:2:14;(garbage collector)
hot /srv/app.js:2:14;read;read_iter_[k]' "$got"
    filtered folded.txt --node --root-at '^JS:[*]hot'
    same 'hot /srv/app.js:2:14;(garbage collector)' "$got"
}

@test "--focus keeps the samples with a frame that matches, and reports how many it dropped" {
    answers 0 "$(sed '/^$/q' perf.txt)" 'stackfilter: 2 of 3 samples dropped by --focus' \
        stackfilter --focus Scavenger perf.txt
}

@test "--focus sees the frames that --node hides" {
    filtered folded.txt --node --focus Scavenger
    same '(anonymous) /srv/app.js:9:1;hot /srv/app.js:2:14;(garbage collector)' "${got#node::Start;}"
    same 'stackfilter: 20.5 of 30.5 counts dropped by --focus' "$stderr"
}

@test "--exclude drops the samples with a frame that matches, and reports how many" {
    answers 0 "$(grep -v read folded.txt)" 'stackfilter: 10.5 of 30.5 counts dropped by --exclude' \
        stackfilter --exclude '^read' folded.txt
}

@test "--root-at cuts the callers of the matching frame nearest the root, and drops samples without one" {
    printf '%s\n' 'n;a;f;b;f;c 1000' 'n;f 200' 'n;a;b 34' > in.txt
    answers 0 'n;f;b;f;c 1000
n;f 200' 'stackfilter: 34 of 1,234 counts dropped by --root-at' stackfilter --root-at '^f$' in.txt
}

@test "of two counts both sums are reported" {
    printf '%s\n' 'n;a 1 2' 'n;b 30 40' > in.txt
    answers 0 'n;a 1 2' 'stackfilter: 30 and 40 of 31 and 42 counts dropped by --focus' stackfilter --focus a in.txt
}

@test "what is dropped and what is left add up" {
    for option in --focus --exclude --root-at; do
        try stackfilter "$option" 'read' folded.txt
        left=$(total <<< "$output")
        read -r _ gone _ all _ <<< "$stderr"
        [ "$all" = 30.5 ]
        [ "$(echo "$left $gone" | awk '{ print $1 + $2 }')" = 30.5 ]
    done
}

@test "--collapse-recursion makes one frame of adjacent equal ones" {
    printf '%s\n' 'n;f;f;g;f;f;f 1' 'n;n;n 2' > in.txt
    filtered in.txt --collapse-recursion
    same 'f;g;f
n' "$got"
    filtered in.txt --collapse-recursion --drop g
    same 'f
n' "$got"
}

@test "--collapse-recursion merges frames that differ in address and tier, not unknown ones of different DSOs" {
    cat > in.txt <<'END'
n 1 2.5: 1 c:
	1 [unknown] (/a)
	2 [unknown] (/b)
	3 f+0x1 (/a)
	4 f+0x2 (/a)
	5 JS:*j /p/x.js:1:2+0x1 (/tmp/perf-1.map)
	6 JS:~j /p/x.js:1:2+0x2 (/tmp/perf-1.map)

END
    filtered in.txt --collapse-recursion --v8-names=merge
    same 'j /p/x.js:1:2;f;[unknown];[unknown]' "$got"
}

@test "--max-depth keeps the frames nearest the root and reports how many samples it cut" {
    printf '%s\n' 'n;a;b;c 1' 'n;a;b 2' 'n 3' > in.txt
    filtered in.txt --max-depth 2
    same 'a;b
a;b
' "$got
"
    same 'stackfilter: 1 of 6 counts cut by --max-depth' "$stderr"
    filtered perf.txt --max-depth=1
    same '__libc_start_call_main
node::Start(int, char**)
[unknown]' "$got"
}

@test "--hide and --only select frames by kind" {
    filtered perf.txt --hide builtin,v8 --hide kernel
    same '__libc_start_call_main;node::Start(int, char**);JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14
node::Start(int, char**);JS:^hot /srv/app.js:2:14;read
[unknown]' "$got"
    filtered folded.txt --only app,kernel
    same 'JS:~ /srv/app.js:9:1;JS:*hot /srv/app.js:2:14
JS:^hot /srv/app.js:2:14;read_iter_[k]
' "$got
"
}

@test "an unknown kind is wrong usage, and the message lists the kinds" {
    for list in '' 'app,' nope 'app,nope'; do
        answers 2 '*' '*is not one of app dep core regexp wasm builtin v8 gc compiler cpp native kernel nameless mark wait*' \
            stackfilter --hide "$list" folded.txt
    done
}

@test "samples are chosen first, then cut, then frames dropped, then depth counted" {
    printf '%s\n' 'n;x;r;d;a;b 1' 'n;x;r;a 2' > in.txt
    filtered in.txt --focus '^x$' --root-at r --drop '^[dx]$' --max-depth 2
    same 'r;a
r;a' "$got"
}

@test "no option that drops frames changes the totals" {
    cat perf.txt <(sed 's/cycles:/cpu-clock:pppH:/' "$DATA/stackfilter/old.txt") > in.txt
    for options in --node '--drop .' '--keep nothing' '--hide app,dep,core,regexp,wasm,builtin,v8,cpp,native,kernel' \
        '--only wasm' --v8-work=hide --v8-work=summarize --v8-work=detail --v8-work=keep '--node --v8-work=summarize' '--max-depth 1' \
        --collapse-recursion '--drop dso:.' '--rename s/.*/x/ --collapse-recursion' '--node --v8-names=tier'; do
        # shellcheck disable=SC2086
        stackfilter $options in.txt > out.txt
        [ "$(grep -c '^node' out.txt)" -eq 8 ]
        stackcollapse -q --weight=period out.txt > out.folded
        [ "$(total out.folded)" -eq 35 ]
        # shellcheck disable=SC2086
        stackfilter -q $options folded.txt > out.txt
        [ "$(total out.txt)" = 30.5 ]
        # shellcheck disable=SC2086
        stackfilter -q --no-comm $options folded.txt > out.txt
        [ "$(total out.txt)" = 30.5 ]
    done
}

@test "no option changes or drops the command name of a folded stack" {
    printf '%s\n' 'f;f;g 1' > in.txt
    filtered in.txt --drop f --rename s/./x/
    same 'f;x 1' "$output"
}

@test "with --no-comm the first name is a frame, and a stack that loses all frames reads (no frames)" {
    printf '%s\n' 'f;f;g 1 4' 'f 2 3' > in.txt
    prints 'g 1 4
(no frames) 2 3' stackfilter --no-comm --drop f in.txt
}

@test "a frame on the header line is written on a line of its own" {
    printf 'false 64414 20110.539270:      34467 cycles:u:  ff01 main+0x3 (/bin/false)\n' > in.txt
    stackfilter in.txt > out.txt
    printf 'false 64414 20110.539270:      34467 cycles:u: \n\t            ff01 main+0x3 (/bin/false)\n\n' | cmp - out.txt
    stackfilter --drop main in.txt > out.txt
    printf 'false 64414 20110.539270:      34467 cycles:u: \n\n' | cmp - out.txt
}

@test "a source line stays with its frame" {
    printf 'n 1 2.5: 1 c:\n\t7f01 f+0x1 (/a)\n  f.c:12\n\t7f02 g (/a)\n  g.c:3\n\n' > in.txt
    stackfilter --rename s/f/F/ --drop g in.txt > out.txt
    printf 'n     1     2.5:          1 c: \n\t            7f01 F (/a)\n  f.c:12\n\n' | cmp - out.txt
}

@test "comments, records and lines not understood pass through, and the last are reported" {
    {
        echo '# a comment'
        echo 'node 7 12.5: PERF_RECORD_COMM exec: node:7/7'
        echo 'what is this'
        sed 1d perf.txt
    } > in.txt
    answers 0 "$(< in.txt)" 'stackfilter: in.txt:3: not a line of perf script text, passed through' stackfilter in.txt
}

@test "frames outside of any sample pass through and are reported" {
    printf '\t7f01 f (/a)\n\n' | cat - perf.txt > in.txt
    answers 0 '*' 'stackfilter: in.txt:1: a frame outside of any sample, passed through' stackfilter --node in.txt
    [ "${lines[0]}" = $'\t7f01 f (/a)' ]
}

@test "lines of folded stacks without a count pass through and are reported; most of a file is an error" {
    printf '%s\n' '# a comment' 'n;a 1' one two three four 'n;b 2' 'n;c 3' '' 'n;d 4' > in.txt
    answers 0 "$(sed 's/;a//' in.txt)" 'stackfilter: in.txt:3: not a folded stack, passed through
stackfilter: in.txt:4: not a folded stack, passed through
stackfilter: in.txt:5: not a folded stack, passed through
stackfilter: 4 lines not understood and passed through in all' stackfilter --drop a in.txt
    answers 0 '*' '' stackfilter -q --drop a in.txt
    echo five >> in.txt
    answers 1 "$(sed 's/;a//' in.txt)" 'stackfilter: in.txt: 5 of 11 lines could not be used: is this the right file?' \
        stackfilter -q --drop a in.txt
}

@test "the format is guessed for each file, and --from overrides" {
    answers 0 '*' '' stackfilter --node perf.txt folded.txt
    [ "$(grep -c 'hot /srv/app.js:2:14' <<< "$output")" -eq 4 ]
    [[ $output != *JS:* ]]
    answers 1 "$(< folded.txt)" \
        "$(printf 'stackfilter: folded.txt:%d: not a line of perf script text, passed through\n' 1 2 3)
stackfilter: folded.txt: no line is perf script text; folded stacks need --from=folded" \
        stackfilter --node --from=perf folded.txt
}

@test "lines of a little more than 1 MB are folded stacks, also where the first two are read together" {
    awk 'BEGIN { for (i = 0; i < 2; i++) { for (n = 0; n < 524290; n++) printf "f;"; print "g 1" } }' > in
    prints $'f;g 1\nf;g 1' stackfilter --drop f in
}

@test "empty input is reported" {
    answers 0 '' 'stackfilter: no samples in the input' stackfilter --node < /dev/null
}

@test "a missing file is an error, and the other files are still filtered" {
    answers 1 "$(< folded.txt)" 'stackfilter: nope.txt: No such file or directory' stackfilter nope.txt folded.txt
}

@test "wrong usage is reported on standard error with status 2" {
    for arguments in --nope '--drop' '--drop (' '--focus [' '--max-depth 0' '--max-depth x' '--from=x' \
        '--v8-names=x' '--v8-work=x' '--only x' '--node=1'; do
        # shellcheck disable=SC2086
        answers 2 '' 'stackfilter: *' stackfilter $arguments
    done
}

@test "an empty line that ends in CR LF is an empty line" {
    printf 'a;b 5\r\n\r\n# note\r\nc;d 3\r\n' > in
    prints $'a;b 5\n\n# note\nc;d 3' stackfilter in
}

@test "NUL and invalid UTF-8 are masked, and CR LF becomes LF" {
    printf 'n\r\0 1 2.5: 1 c:\r\n\t7f01 f\0\377+0x1 (/a)\r\n\r\n' > in.txt
    stackfilter --node in.txt > out.txt
    printf 'n??     1     2.5:          1 c: \n\t            7f01 f??+0x1 (/a)\n\n' | cmp - out.txt
    printf 'n;f\0\377;Builtins_x 1\r\n' > in.txt
    stackfilter --node in.txt > out.txt
    printf 'n;f?? 1\n' | cmp - out.txt
}

@test "a line of fifteen megabytes is a line" {
    { printf 'n;'; head -c 15000000 /dev/zero | tr '\0' x; echo ';JS:~f /p/x.js:1:2 1'; } > in.txt
    stackfilter --node in.txt > out.txt
    sed 's/JS:~//' in.txt | cmp - out.txt
}

@test "the last sample needs no blank line after it" {
    printf 'n 1 2.5: 1 c:\n\t7f01 JS:~f /p/x.js:1:2 (/tmp/perf-1.map)' > in.txt
    stackfilter --node in.txt > out.txt
    printf 'n     1     2.5:          1 c: \n\t            7f01 f /p/x.js:1:2 (/tmp/perf-1.map)\n\n' | cmp - out.txt
}

# A recording of 60 samples of a command, in each of which the frames stand below main.
recording() { # COMMAND FRAME...
    local comm=$1 i
    shift
    for i in {10..69}; do
        printf '%s 7/7 [000] 1.0000%d: 1 cpu-clock: \n' "$comm" "$i"
        printf '\t%s\n' "$@" '7c01 main+0x7 (/usr/bin/x)' ''
    done
}

@test "--node reports JIT-compiled code of node without names, and how to get them" {
    nameless='stackfilter: 60 of 60 samples are in JavaScript without names: stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof'
    recording node '3e01 [unknown] (/tmp/perf-7.map)' '7f05 node::Start+0x6 (/usr/bin/node)' '7f06 f (/usr/bin/x)' >in.txt
    answers 0 '*' "$nameless" stackfilter --node in.txt
    # Threads have other names, a stripped binary has no node:: and folded stacks have no DSO.
    recording worker '3e01 [unknown] (/tmp/perf-7.map)' '7f05 g (/opt/node (deleted))' '7f06 f (/usr/bin/x)' >in.txt
    answers 0 '*' "$nameless" stackfilter --node in.txt
    recording worker '3e01 [unknown] (/tmp/perf-7.map)' '7f05 node::Start+0x6 (/x)' '7f06 f (/usr/bin/x)' |
        stackcollapse >in.folded
    answers 0 '*' "${nameless/samples/counts}" stackfilter --node in.folded
    answers 0 '*' '' stackfilter --node -q in.folded
    answers 0 '*' '' stackfilter --drop x in.folded
}

@test "--node asks for the perf map where some JavaScript has names and much has none" {
    { recording node '3e01 [unknown] (/tmp/perf-7.map)' '7f05 node::Start+0x6 (/usr/bin/node)'
      recording node '3e01 JS:~f /p/x.js:1:2 (/tmp/perf-7.map)'; } >in.txt
    for names in merge raw; do
        try stackfilter --node --v8-names=$names in.txt
        same 'stackfilter: 60 of 120 samples are in JavaScript without names: stackrecord leaves out what it is not certain of, and a perf map that was copied before the recording ended lacks names' "$stderr"
    done
}

@test "--node reports interpreted functions without names, and how to get them" {
    trampoline='7f04 Builtins_InterpreterEntryTrampoline+0x5 (/usr/bin/node)'
    recording node '3e01 JS:*f /p/x.js:1:2 (/tmp/perf-7.map)' "$trampoline" >in.txt
    answers 0 '*' 'stackfilter: interpreted functions have no name in 60 of 60 stacks of node: stackrecord and flamepipe read it from the memory of a node that writes no perf map' \
        stackfilter --node in.txt
    # With the option interpreted functions have names; those of node's snapshot have none even so.
    recording node '3e01 JS:~f /p/x.js:1:2 (/tmp/perf-7.map)' "$trampoline" >in.txt
    answers 0 '*' '' stackfilter --node in.txt
}

@test "--node gives no advice on a good recording, and both on one without names" {
    for good in node-http node-http-header node-workers java system-wide; do
        gunzip -c "$DATA/$good.perf.txt.gz" >in.txt
        answers 0 '*' '' stackfilter --node in.txt
    done
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" >in.txt
    try stackfilter --node in.txt
    same 'stackfilter: 220 of 387 samples are in JavaScript without names: stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof
stackfilter: 13 of 387 samples are in WebAssembly without names: V8 names functions of WebAssembly in a perf map alone: start node with --perf-basic-prof
stackfilter: interpreted functions have no name in 9 of 387 stacks of node: stackrecord and flamepipe read it from the memory of a node that writes no perf map' "$stderr"
}

@test "--node gives the advice of the runtime whose code has no names, and none on a few samples" {
    local comm advice
    while read -r comm advice; do
        recording "$comm" '3e01 [unknown] (/tmp/perf-7.map)' >in.txt
        answers 0 '*' "stackfilter: 60 of 60 samples are in $advice" stackfilter --node in.txt
    done <<'END'
java Java without names: before java ends run jcmd PID Compiler.perfmap (JDK 17 or later) or perf-map-agent
python3 Python without names: python (3.12 or later) names its functions with -X perf
ruby Ruby without names: ruby (3.3 or later) names what YJIT compiles with --yjit-perf
php PHP without names: php (8.0 or later) names what its JIT compiles with -d opcache.jit_debug=0x10
beam.smp Erlang without names: start Erlang (OTP 24 or later) with +JPperf true, or with that in ERL_FLAGS
luajit LuaJIT without names: luajit names its code only if it was built with -DLUAJIT_USE_PERFTOOLS: draw what its own profiler prints (luajit -jp=Gf)
deno Deno without names: start deno with DENO_V8_FLAGS=--perf-basic-prof,--interpreted-frames-native-stack in its environment
bun Bun without names: start bun with BUN_JSC_useJITDump=1 and BUN_JSC_jitDumpDirectory=DIR in its environment
dotnet .NET without names: start .NET with DOTNET_PerfMapEnabled=1 in its environment
chromium JIT-compiled code without names: start the browser with --js-flags=--perf-basic-prof --no-sandbox
a JIT-compiled code without names: let the program write a perf map, /tmp/perf-PID.map (node --perf-basic-prof, java with jcmd PID Compiler.perfmap, ...)
END
    recording chromium '7f04 Builtins_InterpreterEntryTrampoline (/opt/chromium)' >in.txt
    answers 0 '*' '' stackfilter --node in.txt
    recording node '3e01 [unknown] (/tmp/perf-7.map)' | head -45 >in.txt
    answers 0 '*' '' stackfilter --node in.txt
}

@test "--node tells WebAssembly without names from JavaScript without names, also in folded stacks" {
    local wrapper
    for wrapper in Builtins_GenericJSToWasmWrapper Builtins_JSToWasmWrapperAsm; do
        printf '%s\n' 'node 7 [000] 1.0: 1 cpu-clock: ' \
            $'\t3f05 [unknown] (/tmp/perf-7.map)' \
            $'\t3f04 JS:*imported /srv/a.js:9:1 (/tmp/perf-7.map)' \
            $'\t3f03 [unknown] (/tmp/perf-7.map)' \
            $'\t3f02 [unknown] (/tmp/perf-7.map)' \
            $'\t7f04 '"$wrapper"$' (/usr/bin/node)' \
            $'\t3e02 JS:*run /srv/a.js:1:1 (/tmp/perf-7.map)' \
            $'\t3e01 [unknown] (/tmp/perf-7.map)' \
            $'\t7f01 node::Start (/usr/bin/node)' '' > in.txt
        local wanted='node;node::Start;(JavaScript without names);run /srv/a.js:1:1;(WebAssembly without names);imported /srv/a.js:9:1;(JavaScript without names) 1'
        same "$wanted" "$(stackfilter -q --node in.txt | stackcollapse)"
        same "$wanted" "$(stackcollapse in.txt | stackfilter -q --node)"
        same "$wanted" "$(perf-script -q --folded --node in.txt)"
    done
    stackcollapse in.txt | stackfilter -q --node | stackreport -q --by=kind | grep -q ' nameless$'
}

@test "--node takes over what stackrecord has found to be WebAssembly, with what it calls, and counts it" {
    recording node '3f07 [unknown] (/tmp/perf-7.map)' \
        '3f06 Stub:wasm-to-js (/tmp/perf-7.map)' \
        '3f05 [unknown] (/tmp/perf-7.map)' \
        '3f04 (WebAssembly without names)+0x1 (/tmp/perf-7.map)' \
        '3f03 (WebAssembly without names)+0x1 (/tmp/perf-7.map)' \
        '3f02 [unknown] (/tmp/perf-7.map)' \
        '3f01 Stub:js-to-wasm (/tmp/perf-7.map)' \
        '3e02 JS:*run /srv/a.js:1:1 (/tmp/perf-7.map)' >in.txt
    try stackfilter --node in.txt
    grep -q '^stackfilter: 60 of 60 samples are in WebAssembly without names: ' <<<"$stderr"
    grep -q '^stackfilter: 60 of 60 samples are in JavaScript without names: ' <<<"$stderr"
    stackfilter -q --node in.txt | stackcollapse >folded
    same 'node;main;run /srv/a.js:1:1;(WebAssembly without names);(JavaScript without names) 60' "$(<folded)"
    same "$(<folded)" "$(stackcollapse in.txt | stackfilter -q --node)"
    same "$(<folded)" "$(stackfilter --node folded 2>&1)"
    recording node '3f04 (WebAssembly without names)+0x1 (/tmp/perf-7.map)' '3e02 JS:*run /srv/a.js:1:1 (/tmp/perf-7.map)' >in.txt
    answers 0 '*' 'stackfilter: 60 of 60 samples are in WebAssembly without names: V8 names functions of WebAssembly in a perf map alone: start node with --perf-basic-prof' stackfilter --node in.txt
}

@test "--node reports an interpreter of another language that hides the functions, in perf script text and folded" {
    local note='stackfilter: 60 of 60 stacks are in the interpreter of Python, which hides the functions that it runs: python (3.12 or later) names its functions with -X perf; of an older one draw what py-spy records (py-spy record -f raw)'
    recording python3 '7f04 malloc+0x1 (/lib/libc.so.6)' '7f05 _PyEval_EvalFrameDefault+0x6 (/usr/bin/python3.11)' >in.txt
    answers 0 '*' "$note" stackfilter --node in.txt
    answers 0 '*' '' stackfilter in.txt
    for i in {10..69}; do echo "python3;main;_PyEval_EvalFrameDefault;f$i 1"; done >folded
    answers 0 '*' "$note" stackfilter --node folded
    # A perf map names them.
    recording python3 '7f05 _PyEval_EvalFrameDefault+0x6 (/usr/bin/python3.12)' '3e01 py::f:/x.py (/tmp/perf-7.map)' >in.txt
    answers 0 '*' '' stackfilter --node in.txt
    sed 's/;f/;py::f:\/x.py;f/' folded >named
    answers 0 '*' '' stackfilter --node named
    sed 's/_PyEval.*;/rb_vm_exec;f:a.rb:1_[j];/' folded >named
    answers 0 '*' '' stackfilter --node named
    # A tenth of the stacks and less says little.
    { head -6 folded; sed 's/_PyEval.*;/g;/' folded; } >some
    answers 0 '*' '' stackfilter --node some
}

# Prints a sample of perf script text: frames, leaf first, as SYMBOL@DSO.
sample() { # COMM FRAME...
    printf '%s 7/7 [000] 1.5: 1 cpu-clock: \n' "$1"
    shift
    local frame
    for frame; do printf '\t3e01 %s (%s)\n' "${frame%@*}" "${frame#*@}"; done
    echo
}

@test "--node makes one frame of JIT-compiled code without names, of the runtime that calls it" {
    local jit='[unknown]@/tmp/perf-7.map'
    { sample a read@/lib/libc.so.6 "$jit" "$jit" 'v8::Function::Call()@/usr/bin/node' main@/usr/bin/node
      sample a "$jit" 'JavaCalls::call_helper()@/usr/lib/jvm/lib/server/libjvm.so' start_thread@/lib/libc.so.6
      sample a "$jit" "$jit" _PyEval_EvalFrameDefault@/usr/bin/python3.12 main@/x
      sample a '[unknown]@/memfd:doublemapper (deleted)' f@/usr/share/dotnet/libcoreclr.so main@/x
      sample a "$jit" '[unknown]@/opt/libnode.so.115 (deleted)' main@/x
      sample a "$jit" main@/x
      # Each of two runtimes in one process has its own code.
      sample a "$jit" f@/usr/lib/jvm/lib/server/libjvm.so "$jit" "$jit" _PyEval_EvalFrameDefault@/usr/bin/python3.12
      # Where the callers are not known, what is called tells, else the command.
      sample a 'node::Start()@/x' "$jit" '[lost]@[unknown]'
      sample java "$jit" "$jit" '[cut]@[unknown]'; } >in.txt
    same 'a;[lost];(JavaScript without names);node::Start 1
a;_PyEval_EvalFrameDefault;(Python without names);f;(Java without names) 1
a;main;(JIT-compiled code without names) 1
a;main;(JavaScript without names) 1
a;main;_PyEval_EvalFrameDefault;(Python without names) 1
a;main;f;(.NET without names) 1
a;main;v8::Function::Call;(JavaScript without names);read 1
a;start_thread;JavaCalls::call_helper;(Java without names) 1
java;[cut];(Java without names) 1' "$(stackfilter --node in.txt | stackcollapse -q)"
}

@test "--node does that to folded stacks too, as far as their names tell" {
    printf '%s\n' 'a;node::Start;[perf-7.map];[perf-7.map];read 1' 'a;[libjvm.so];[perf-7.map]_[j];[perf-8.map]_[j] 2' \
        'a;_PyEval_EvalFrameDefault;[jitted-7-1.so] 3' 'java;[[JIT] tid 7] 4' 'a;[memfd:jit];f 5' \
        'a;[lost];[perf-7.map] 6' 'a;[anon];[unknown];[[heap]];f 7' >in.txt
    prints 'a;node::Start;(JavaScript without names);read 1
a;(Java without names)_[j] 2
a;_PyEval_EvalFrameDefault;(Python without names) 3
java;(Java without names) 4
a;(JIT-compiled code without names);f 5
a;[lost];(JIT-compiled code without names) 6
a;f 7' stackfilter --node in.txt
}

@test "frames that stand for code without names are one where --node drops what is between, and stay when it runs again" {
    local jit='[unknown]@/tmp/perf-7.map'
    { sample node "$jit" Builtins_CallFunction@/usr/bin/node "$jit" 'JS:*f /p/x.js:1:2@/tmp/perf-7.map' "$jit" \
          '[unknown]@/usr/bin/node' "$jit" 'node::Start()@/usr/bin/node'
      sample node "$jit" 'v8::internal::Heap::Scavenge()@/usr/bin/node' "$jit"; } >in.txt
    stackfilter --node in.txt >out.txt
    same 'node::Start();(JavaScript without names);f /p/x.js:1:2;(JavaScript without names)
(JavaScript without names);(garbage collector);(JavaScript without names)' "$(stacks out.txt)"
    stackfilter --node out.txt | cmp - out.txt
    stackcollapse out.txt | stackfilter --node | cmp - <(stackcollapse out.txt)
}

@test "of code without names patterns match both the old name and the new one" {
    sample node read@/lib/libc.so.6 '[unknown]@/tmp/perf-7.map' 'node::Start()@/usr/bin/node' >in.txt
    local option
    for option in '--drop [[]unknown' '--drop ^[(]JavaScript' '--drop dso:perf-' '--hide nameless' '--keep node|read'; do
        # shellcheck disable=SC2086
        filtered in.txt --node $option
        same 'node::Start();read' "$got"
    done
    for option in '--focus [[]unknown' '--focus dso:perf-' '--keep .' '--root-at node' '--exclude Java;'; do
        # shellcheck disable=SC2086
        filtered in.txt --node $option
        same 'node::Start();(JavaScript without names);read' "$got"
    done
    for option in '--focus JavaScript' '--only nameless' '--keep names' '--keep dso:perf-'; do
        # shellcheck disable=SC2086
        filtered in.txt --node $option --only nameless --rename s/.without.names//
        same '(JavaScript)' "$got"
    done
    filtered in.txt --node --exclude '[[]unknown'
    [ -z "$got" ]
}

@test "without --node JIT-compiled code without names stays as it is, and is of a kind of its own" {
    sample node read@/lib/libc.so.6 '[unknown]@/tmp/perf-7.map' '[unknown]@/lib/x.so' >in.txt
    filtered in.txt --drop nothing
    same '[unknown];[unknown];read' "$got"
    filtered in.txt --hide nameless
    same '[unknown];read' "$got"
    stackcollapse --jit in.txt >in.folded
    filtered in.folded --only nameless
    same '[perf-7.map]_[j]' "$got"
}

@test "--node shows a function that V8 interprets without its name where it is the innermost JavaScript" {
    local run=Builtins_InterpreterEntryTrampoline@/usr/bin/node
    { sample node read@/lib/libc.so.6 Builtins_LdaHandler@/usr/bin/node $run $run 'node::Start()@/usr/bin/node'
      sample node 'JS:*f /p/x.js:1:2@/tmp/perf-7.map' $run
      sample node '[unknown]@/tmp/perf-7.map' $run; } >in.txt
    filtered in.txt --node
    same 'node::Start();(JavaScript without names);read
f /p/x.js:1:2
(JavaScript without names)' "$got"
    same "$(stackfilter --node in.txt | stackcollapse -q)" "$(stackcollapse -q in.txt | stackfilter --node | LC_ALL=C sort)"
    filtered in.txt --node --v8-work=hide
    same 'node::Start();(JavaScript without names);read' "${got%%$'\n'*}"
    filtered in.txt --node --v8-work=keep
    same 'node::Start();Builtins_InterpreterEntryTrampoline;Builtins_InterpreterEntryTrampoline;Builtins_LdaHandler;read' "${got%%$'\n'*}"
}

@test "--node keeps all samples of a recording without names, and their time is no C++ function's" {
    gunzip -c "$DATA/node-unnamed.perf.txt.gz" >in.txt
    stackfilter -q --node in.txt | stackcollapse -q >out.folded
    same 387 "$(total out.folded)"
    same '' "$(grep -E 'v8::Function::Call [0-9]+$' out.folded || true)"
    same 221 "$(grep '(JavaScript without names)' out.folded | total)"
}

@test "folded stacks without kernel marks get a warning where the kernel is treated apart from native code" {
    printf '%s\n' 'n;main;read 1' >in.txt
    for option in '--hide kernel' '--only native' '--only app,kernel'; do
        # shellcheck disable=SC2086
        answers 0 '*' "stackfilter: in.txt: folded stacks without _[k] marks do not show which frames are the kernel's: fold with stackcollapse --kernel" \
            stackfilter $option in.txt
    done
    for option in '--hide builtin' '--only app' '--hide native,kernel' '-q --hide kernel'; do
        # shellcheck disable=SC2086
        answers 0 '*' '' stackfilter $option in.txt
    done
    printf '%s\n' 'n;main;read;vfs_read_[k] 1' >in.txt
    prints 'n;main;read 1' stackfilter --hide kernel in.txt
}

@test "Java's methods and stubs are native, in perf script text and folded" {
    recording java '3e01 int java.lang.String.hashCode() (/tmp/perf-7.map)' \
        '3e02 Interpreter (/tmp/perf-7.map)' '3e03 StubRoutines (1) (/tmp/perf-7.map)' >in.txt
    try stackfilter --only app,dep,core in.txt
    [[ $output != *hashCode* && $output != *Interpreter* && $output != *Stub* ]]
    stackcollapse --all in.txt >in.folded
    same 'java;main;StubRoutines (1)_[j];Interpreter_[j];java.lang.String.hashCode_[j] 60' "$(< in.folded)"
    prints 'java 60' stackfilter --only app,dep,core in.folded
}

@test "--strict: status 1 if a line was not understood, which still passes through" {
    { cat perf.txt; printf 'what is this\n'; } >in.txt
    try stackfilter in.txt
    [ "$status" -eq 0 ]
    answers 1 "$(< in.txt)" '*' stackfilter --strict in.txt
    answers 0 '*' '' stackfilter --strict perf.txt folded.txt
}

@test "a file without a usable line is an error, and the message guesses what it is" {
    printf '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]}\n' >in.txt
    answers 1 "$(< in.txt)" \
        'stackfilter: in.txt: no line is perf script text or a folded stack; this looks like a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse' \
        stackfilter -q in.txt
    printf 'what\nis this\n' >in.txt
    answers 1 "$(cat in.txt folded.txt)" \
        'stackfilter: in.txt: no line is perf script text or a folded stack, which ends in a blank and a count' \
        stackfilter -q in.txt folded.txt
    answers 1 '*' 'stackfilter: perf.txt: no line is a folded stack; this looks like perf script text: fold it with stackcollapse' \
        stackfilter -q --from=folded perf.txt
}

@test "comments alone are no error" {
    printf '# captured on: a fine day\n' >in.txt
    answers 0 '*' 'stackfilter: no samples in the input' stackfilter in.txt
}

@test "a last line without newline is reported as perhaps cut" {
    printf 'n;a 1\nn;b 1' >in.txt
    answers 0 'n;a 1
n;b 1' 'stackfilter: in.txt:2: the last line has no newline: perhaps the file was cut' stackfilter in.txt
}

@test "messages print no escape bytes of the command line" {
    answers 2 '*' "*'?[31mred' is not one of*" stackfilter --hide $'\e[31mred' folded.txt
}

@test "counts of several formats are reported as what they are" {
    try stackfilter --exclude Scavenger perf.txt folded.txt
    same 'stackfilter: 11 of 33.5 samples and counts dropped by --exclude' "$stderr"
}

@test "--hide wait drops what a thread waits for, and --only wait keeps that alone" {
    printf '%s\n' 'node;f;[wait: futex] 3' 'node;[not seen running] 2' 'node;f;[unknown] 1' >in
    same $'node;f 3\nnode 2\nnode;f;[unknown] 1' "$(stackfilter -q --hide wait in)"
    stackfilter -q --only wait in >kept
    grep -qF 'node;[wait: futex] 3' kept
    grep -qF 'node;[not seen running] 2' kept
}

@test "--node keeps [cut] and [lost], which say that callers are missing, and --hide mark drops them" {
    printf 'node;[cut];uv__io_poll 3\nnode;[lost];[unknown];f 2\n' > in
    same $'node;[cut];uv__io_poll 3\nnode;[lost];f 2' "$(stackfilter -q --node in)"
    same $'node;uv__io_poll 3\nnode;[unknown];f 2' "$(stackfilter -q --hide mark in)"
}

# ---- waits for work

# A wait of so many microseconds, as stackrecord --off-cpu prints it; the frames from the leaf on.
wait_of() { # PID/TID MICROSECONDS STATE FRAME...
    printf 'app %s [000] 1.000000: %s off-cpu: state %s\n' "$1" "$2" "$3"
    shift 3
    printf '\t1 %s+0x1 (/bin/app)\n' futex_wait "$@"
    echo
}

# The threads that are left, of 7/8 with these frames and 7/7, which sleeps.
left() { # FRAME...
    { wait_of 7/7 500 S nanosleep main && wait_of 7/8 500 S "$@" start_thread; } > waits.txt
    try stackfilter --no-idle-threads waits.txt
    [ "$status" -eq 0 ]
    got=$(grep -o '7/[78]' <<< "$output" | xargs)
}

@test "--no-idle-threads drops waits for work: for events, condition variables, semaphores" {
    for function in pthread_cond_wait@@GLIBC_2.3.2 pthread_cond_timedwait sem_clockwait epoll_pwait do_epoll_wait accept4 \
        '<std::sys::sync::condvar::futex::Condvar>::wait' std::thread::functions::park runtime.notetsleep; do
        left "$function" worker
        same 7/7 "$got"
        same 'stackfilter: left out: waits for work of 1 thread, 0.0 s (50.0 % of all waits)' "$stderr"
    done
    left pthread_cond_wait 'node::ConditionVariableBase<node::LibuvMutexTraits>::Wait' 'node::TaskQueue::Locked::BlockingPop'
    same 7/7 "$got"
    left epoll_wait uv__io_poll '[cut]'
    same 7/7 "$got"
}

@test "--no-idle-threads keeps waits for a lock, for other threads, for what is not known, and sleeps" {
    for function in pthread_mutex_lock own_lock Mutex::Lock PyThread_acquire_lock take_gil uv_barrier_wait uv_thread_join \
        'parking_lot::RawMutex::lock_slow' RwLock::read_contended ObjectMonitor::enter Unsafe_Park; do
        left pthread_cond_wait "$function" worker
        same '7/7 7/8' "$got"
        same '' "$stderr"
    done
    for function in '[unknown]' '[cut]'; do
        left pthread_cond_wait "$function"
        same '7/7 7/8' "$got"
    done
    for function in read poll nanosleep syscall; do
        left $function worker
        same '7/7 7/8' "$got"
    done
}

@test "--no-idle-threads keeps the waits of a process's first thread, for a disk, and all that is no wait" {
    {
        wait_of 7/7 300 S epoll_wait main
        wait_of 7/8 9000 S sem_wait worker
        wait_of 7/8 100 D read worker
        wait_of 7/9 400 S sem_wait worker
        wait_of 7/10 100 D sem_wait worker
        wait_of 7/11 100 S, sem_wait worker
        wait_of 7/12 100 '?' sem_wait worker
        wait_of 8 100 S sem_wait worker
    } > waits.txt
    try stackfilter --no-idle-threads waits.txt
    same 'stackfilter: left out: waits for work of 4 threads, 0.0 s (94.1 % of all waits)' "$stderr"
    same '7/10 7/7 7/8 8' "$(awk '$1 == "app" { print $2 }' <<< "$output" | sort -u | xargs)"
    sed 's/off-cpu: state S/cycles:/' waits.txt > cycles.txt
    cat waits.txt cycles.txt > both.txt
    try stackfilter --no-idle-threads both.txt
    [ "$(grep -c '7/9 .*cycles' <<< "$output")" -eq 1 ]
}

# A sample of so many microseconds, as stackrecord --wall prints it; the frames from the leaf on.
wall_of() { # PID/TID MICROSECONDS STATE FRAME...
    printf 'app %s [000] 1.000000: %s wall: %s\n' "$1" "$2" "$3"
    shift 3
    printf '\t0 %s (/bin/app)\n' "$@"
    echo
}

@test "--no-idle-threads drops the waits for work of --wall, and what was not seen running, of each thread but the first" {
    {
        wall_of 7/7 1000000 waiting '[wait: poll]' epoll_wait main
        wall_of 7/8 995000 waiting '[wait: futex]' futex_wait pthread_cond_wait worker
        wall_of 7/8 5000 running work worker
        wall_of 7/9 1000000 waiting '[not seen running]'
        wall_of 7/10 1000000 waiting '[wait: disk]' io_schedule epoll_wait worker
        wall_of 7/11 1000000 waiting '[wait: futex]' futex_wait pthread_mutex_lock worker
        wall_of 7/12 500000 waiting '[wait: futex]' futex_wait pthread_cond_wait worker
        wall_of 7/12 400000 waiting '[wait: disk]' io_schedule load worker
        wall_of 7/12 100000 ready '[wait: run queue]' load worker
    } > waits.txt
    answers 0 '*' 'stackfilter: left out: waits for work of 3 threads, 2.5 s (42.3 % of all waits)' \
        stackfilter --no-idle-threads waits.txt
    same '7/7 waiting
7/8 running
7/10 waiting
7/11 waiting
7/12 waiting
7/12 ready' "$(awk '$1 == "app" { print $2, $NF }' <<< "$output")"
}

@test "--no-idle-threads leaves out waits without stacks, as a user gets them, which cannot be told from idle, and says how much" {
    {
        wall_of 7/7 300000 waiting '[wait]'
        wall_of 7/7 700000 running main
        wall_of 7/8 900000 waiting '[wait]'
        wall_of 7/8 50000 running work worker
        wall_of 7/8 50000 ready '[wait: run queue]'
        wall_of 7/9 600000 waiting '[wait]'
        wall_of 7/9 300000 waiting '[wait]' '[cut]'
        wall_of 7/9 100000 waiting '[not seen running]'
        wall_of 7/10 1000000 waiting '[wait: futex]' futex_wait pthread_cond_wait worker
        wall_of 7/11 1000000 waiting '[wait]' '[unknown]'
    } > waits.txt
    answers 0 '*' 'stackfilter: left out: waits for work of 2 threads, 1.1 s (26.2 % of all waits); waits of 2 threads without stacks, which may be for work, 1.8 s (42.9 % of all waits)' \
        stackfilter --no-idle-threads waits.txt
    same '7/7 waiting
7/7 running
7/8 running
7/8 ready
7/11 waiting' "$(awk '$1 == "app" { print $2, $NF }' <<< "$output")"
    wall_of 7/8 2000000 waiting '[wait]' > waits.txt
    answers 0 '' 'stackfilter: left out: waits of 1 thread without stacks, which may be for work, 2.0 s (100.0 % of all waits)' \
        stackfilter --no-idle-threads waits.txt
    # A wait for a disk is none for work.
    printf 'app 7/8 [000] 1.000000: 500 off-cpu: state D\n\n' > waits.txt
    answers 0 '*' '' stackfilter --no-idle-threads waits.txt
    [[ $output = *'off-cpu: state D'* ]]
}

@test "--no-idle-threads reads pipes, and says so where no waits are recorded" {
    left sem_wait worker
    printf "%s\n\n" "$output" > expected
    stackfilter -q --no-idle-threads < <(cat waits.txt) | diff expected -
    wait_of 7/8 2000000 S sem_wait worker > waits.txt
    try stackfilter --no-idle-threads waits.txt
    same '' "$output"
    same 'stackfilter: left out: waits for work of 1 thread, 2.0 s (100.0 % of all waits)' "$stderr"
    try stackfilter --no-idle-threads folded.txt
    same "$(cat folded.txt)" "$output"
    same 'stackfilter: no waits as stackrecord --wall and --off-cpu print them: none is left out' "$stderr"
    wait_of 8 2000000 S sem_wait worker > waits.txt
    answers 0 '*sem_wait*' 'stackfilter: no wait has a process id, so the main threads are not known: no wait is left out; perf-script -F +pid prints the ids' \
        stackfilter --no-idle-threads waits.txt
    try stackfilter --no-idle-threads nosuch
    same 'stackfilter: nosuch: No such file or directory' "$stderr"
}
