load lib

setup_file() {
    export IN=$BATS_FILE_TMPDIR/in
    mkdir "$IN"
    local file name
    for file in "$DATA"/*.perf.txt.gz; do
        name=$(basename "$file" .perf.txt.gz)
        gunzip -c "$file" > "$IN/$name.perf"
        stackcollapse -q --all --event=all "$IN/$name.perf" > "$IN/$name.folded"
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' 'node;main;parse;read_[k] 4' 'node;main;parse;parse 2' 'node;main;draw 3' 'sh;main 1' > folded
}

# Calls the function for each recording; the last one named in the output is the one that failed.
each() { # FUNCTION [ARGUMENTS]
    local file
    for file in "$IN"/*.perf; do
        echo "$(basename "$file") $*"
        "$1" "${file%.perf}" "${@:2}"
    done
}

# What awk counts in folded stacks, as lines "NAME<tab>SELF<tab>TOTAL". key(NAME) is the row that a frame's name
# belongs to; it is given as the body of an awk function.
count() { # FILE KEY
    awk -v OFMT=%.15g -v CONVFMT=%.15g '
        function unmarked(name) { sub(/_\[[kijw]\]$/, "", name); return name }
        function key(name) { '"$2"' }
        {
            n = $NF
            sub(/ [^ ]*$/, "")
            frames = split($0, frame, ";")
            if (frames < 2) { frames = 2; frame[2] = "(no frames)" }
            split("", seen)
            for (i = 2; i <= frames; i++) {
                k = frame[i] == "(no frames)" ? frame[i] : key(frame[i])
                if (!(k in seen))
                    total[k] += n
                seen[k] = 1
            }
            self[k] += n
        }
        END { for (k in total) print k "\t" self[k] + 0 "\t" total[k] }' "$1" | sort
}

# The same from the table on standard input, in the column of that number the name.
reported() { # COLUMN [KIND-COLUMN, to tell the functions of the kernel from others]
    awk -F '\t' -v at="$1" -v kind="${2:-0}" \
        'NR > 1 { print $at (kind && $kind == "kernel" ? "_[k]" : "") "\t" $1 "\t" $3 }' | sort
}

KEY_FUNCTION='return name ~ /_\[k\]$/ ? name : unmarked(name)'

counts_functions() { # RECORDING
    try stackreport --format=tsv "$1.folded"
    [ "$status" -eq 0 ]
    same "$(count "$1.folded" "$KEY_FUNCTION")" "$(reported 6 5 <<< "$output")"
}

@test "self and total of each function are what awk counts in the folded stacks" {
    each counts_functions
}

gives_the_same_of_text() { # RECORDING OPTION ...
    try stackreport -q "${@:2}" "$1.folded"
    [ "$status" -eq 0 ]
    local wanted=$output
    answers 0 "$wanted" '*' stackreport -q --event=all "${@:2}" "$1.perf"
}

@test "percentages have two decimal places, rounded as printf rounds them" {
    printf '%s\n' 'x;a 1' 'x;b 3' 'x;c 796' >folded
    try stackreport --format=tsv folded
    grep -q $'^1\t0.12\t' <<<"$output"
    grep -q $'^3\t0.38\t' <<<"$output"
    grep -q $'^796\t99.50\t' <<<"$output"
}

@test "perf script text gives the same as the stacks folded from it" {
    local option
    for option in --by=function --by=kind --by=package --by=comm --callers=mall --callees=main --format=json; do
        each gives_the_same_of_text "$option"
    done
}

# The kinds are stackreport's own: awk has them from the table of functions.
counts_kinds() { # RECORDING
    stackreport --format=tsv "$1.folded" | awk -F '\t' 'NR > 1 { print $5 "\t" $6 }' > kinds
    try stackreport --by=kind --format=tsv "$1.folded"
    [ "$status" -eq 0 ]
    same "$(count "$1.folded" 'if (!loaded) {
        while ((getline line < "kinds") > 0) {
            split(line, part, "\t")
            of[part[2] (part[1] == "kernel" ? "_[k]" : "")] = part[1]
        }
        loaded = 1
    }
    return of[name ~ /_\[k\]$/ ? name : unmarked(name)]')" "$(reported 5 <<< "$output")"
}

@test "--by=kind counts a sample once in each kind of code that its stack has" {
    each counts_kinds
}

@test "--by=package counts the packages of npm, and other code by its kind" {
    printf '%s\n' 'node;f /a/node_modules/x/node_modules/@s/y/i.js:1:2;JS:*g /a/node_modules/x/i.js:3:4 5' \
        'node;f /a/node_modules/x/i.js:1:1;h /a/i.js:1:1;k /a/node_modules/x/z.js:2:2 2' 'node;read_[k] 1' \
        'node 4' > packages
    prints 'self	self_percent	total	total_percent	package
7	58.33	7	58.33	x
4	33.33	4	33.33	(no frames)
1	8.33	1	8.33	(kernel)
0	0.00	5	41.67	@s/y
0	0.00	2	16.67	(app)' stackreport --by=package --format=tsv packages
}

counts_comms() { # RECORDING
    try stackreport --by=comm --format=tsv "$1.folded"
    [ "$status" -eq 0 ]
    same "$(awk '{ n = $NF; sub(/;.*| [^ ;]*$/, ""); count[$0] += n }
        END { for (c in count) print c "\t" count[c] "\t" count[c] }' "$1.folded" | sort)" \
        "$(reported 5 <<< "$output")"
}

@test "--by=comm counts the samples of each command" {
    each counts_comms
}

counts_threads() { # RECORDING
    stackcollapse -q --all --event=all --tid "$1.perf" > threads.folded
    try stackreport -q --by=thread --event=all --format=tsv "$1.perf"
    [ "$status" -eq 0 ]
    same "$(awk '{ n = $NF; sub(/;.*| [^ ;]*$/, ""); count[$0] += n }
        END { for (c in count) print c "\t" count[c] "\t" count[c] }' threads.folded | sort)" \
        "$(reported 5 <<< "$output")"
    local wanted=$output
    prints "$wanted" stackreport --by=thread --format=tsv threads.folded
}

@test "--by=thread counts the samples of each thread, of perf script text and of stacks folded with --tid" {
    each counts_threads
    answers 0 '*' 'stackreport: no folded stack names a thread: these are commands (stackcollapse --tid names threads)' \
        stackreport --by=thread folded
}

@test "--by=thread says how to print process ids that perf script text lacks, and perf-script prints them so" {
    perf-script -q "$DATA/stack.data" > out.perf
    answers 0 '*' "stackreport: samples without a process id: 25, shown as '?' (perf-script -F +pid perf.data prints it)" \
        stackreport --by=thread --format=tsv out.perf
    same $'25\t100.00\t25\t100.00\tseq-?/15049' "${lines[1]}"
    perf-script -q -F +pid "$DATA/stack.data" > out.perf
    answers 0 '*' '' stackreport --by=thread --format=tsv out.perf
    same $'25\t100.00\t25\t100.00\tseq-15049/15049' "${lines[1]}"
}

# Of each sample the DSOs of its frames, leaf first, from lines such as "  7f1e main+0x1 (/usr/bin/node)".
count_dsos() { # FILE
    awk '
        function add(    i, seen) {
            for (i = 1; i <= n; i++)
                if (!(dso[i] in seen)) {
                    total[dso[i]]++
                    seen[dso[i]] = 1
                }
            self[n ? dso[1] : "(no frames)"]++
            if (!n)
                total["(no frames)"]++
        }
        /^[^ \t#]/ || /^ *[^ ].*: +[0-9]* *[a-z:-]+: *$/ { if (inside) add(); n = 0; inside = 1; next }
        match($0, / \([^ ()]*( \(deleted\))?\)$/) {
            d = substr($0, RSTART + 2, RLENGTH - 3)
            sub(/.*\//, "", d)
            if (d != "inlined")
                dso[++n] = d
        }
        END { if (inside) add(); for (d in total) print d "\t" self[d] + 0 "\t" total[d] }' "$1" | sort
}

@test "--by=dso counts programs, libraries, the kernel and JIT-compiled code, of perf script text" {
    local name
    for name in node-http-header java cpp system-wide deep; do
        echo "$name"
        answers 0 '*' '' stackreport -q --by=dso --event=all --format=tsv "$IN/$name.perf"
        same "$(count_dsos "$IN/$name.perf")" "$(reported 5 <<< "$output")"
    done
}

@test "--by=dso gives the time of inlined calls to the code that they were inlined into" {
    printf '%s\n' 'a 1 [000] 1.0: 1 cycles:' $'\t1 in (inlined)' $'\t1 out (/bin/a)' $'\t2 main (/lib/b.so)' '' > text
    prints 'self	self_percent	total	total_percent	dso
1	100.00	1	100.00	a
0	0.00	1	100.00	b.so' stackreport --by=dso --format=tsv text
}

@test "--by=dso of folded stacks is an error, since they have no DSO names" {
    answers 1 '*' 'stackreport: folded: folded stacks have no DSO names: --by=dso needs perf script text' \
        stackreport --by=dso folded
}

# What awk counts in trees, as lines "PATH<tab>SELF<tab>TOTAL", where PATH is the function and those below it.
count_tree() { # FILE callers|callees RE
    awk -v way="$2" -v re="$3" '
        function unmarked(name) { sub(/_\[[ijw]\]$/, "", name); return name }
        {
            n = $NF
            sub(/ [^ ]*$/, "")
            frames = split($0, frame, ";")
            for (m = 2; m <= frames; m++) {
                frame[m] = unmarked(frame[m])
                name = frame[m]
                sub(/_\[k\]$/, "", name)
                if (name ~ re)
                    break
            }
            if (m > frames)
                next
            for (i = m; i <= frames; i++)
                frame[i] = unmarked(frame[i])
            path = ""
            if (way == "callers") {
                for (i = m; i >= 2; i--) {
                    path = path ";" frame[i]
                    total[path] += n
                    self[path] += frame[frames] == frame[m] ? n : 0
                }
            } else {
                for (i = m; i <= frames; i++) {
                    path = path ";" frame[i]
                    total[path] += n
                }
                self[path] += n
            }
        }
        END { for (p in total) print p "\t" self[p] + 0 "\t" total[p] }' "$1" | sort
}

# The same from the table on standard input.
reported_tree() {
    awk -F '\t' '
        NR > 1 {
            path[$1] = ($1 > 0 ? path[$1 - 1] : "") ";" $7 ($6 == "kernel" ? "_[k]" : "")
            print path[$1] "\t" $2 "\t" $4
        }' | sort
}

counts_tree() { # RECORDING callers|callees RE
    try stackreport -q "--$2=$3" --format=tsv "$1.folded"
    [ "$status" -eq 0 ]
    same "$(count_tree "$1.folded" "$2" "$3")" "$(reported_tree <<< "$output")"
}

@test "--callers and --callees are the trees that awk makes of the folded stacks" {
    local re
    for re in 'alloc|free' '.'; do
        each counts_tree callers "$re"
        each counts_tree callees "$re"
    done
}

@test "a table has a line of titles and then the rows, the largest self first" {
    prints 'self       %  total       %  kind     function
   4  40.00%      4  40.00%  kernel   read
   3  30.00%      3  30.00%  native   draw
   2  20.00%      6  60.00%  native   parse
   1  10.00%     10 100.00%  native   main' stackreport folded
}

@test "a function that calls itself counts once in total" {
    printf '%s\n' 'a;f;f;g;f 3' 'a;f 1' 'a;g;f;g 5' > deep
    prints 'self	self_percent	total	total_percent	kind	function
4	44.44	9	100.00	native	f
5	55.56	8	88.89	native	g' stackreport --format=tsv --sort=name deep
}

@test "--sort orders by self, total or name, and equal rows by name" {
    printf '%s\n' 'x;b;c 1' 'x;b;a 1' 'x;d 5' > order
    names() { stackreport --format=tsv "$@" order | awk -F '\t' 'NR > 1 { printf "%s", $6 }'; }
    [ "$(names)" = dacb ]
    [ "$(names --sort=self)" = dacb ]
    [ "$(names --sort=total)" = dbac ]
    [ "$(names --sort=name)" = abcd ]
}

@test "--top keeps the first rows of the table, and in a tree the first below each row" {
    prints 'self       %  total       %  kind     function
   4  40.00%      4  40.00%  kernel   read' stackreport --top 1 folded
    prints 'self       %  total       %  kind     function
   1  10.00%     10 100.00%  native   main
   0   0.00%      6  60.00%  native     parse
   4  40.00%      4  40.00%  kernel       read' stackreport --callees '^main' --top 1 folded
}

@test "of callers self is what was spent in the function itself when it was called that way" {
    prints 'self       %  total       %  kind     function
   2  20.00%      6  60.00%  native   parse
   2  20.00%      6  60.00%  native     main' stackreport --callers '^parse' folded
}

@test "a tree of no function is empty, and a note says that nothing matches" {
    answers 0 'self       %  total       %  kind     function' "stackreport: no function matches --callers='misspelt'" \
        stackreport --callers misspelt folded
}

@test "JSON has the rows as objects, and in a tree those below a row in it" {
    prints '{"by":"function","count":10,"rows":[
{"name":"parse","kind":"native","self":0,"self_percent":0.00,"total":6,"total_percent":60.00,"callees":[
{"name":"read","kind":"kernel","self":4,"self_percent":40.00,"total":4,"total_percent":40.00},
{"name":"parse","kind":"native","self":2,"self_percent":20.00,"total":2,"total_percent":20.00}]}
]}' stackreport --format=json --callees '^parse' folded
}

# Names the files of JSON whose count is 0, or of which something is left when each row gives its self.
left_of_json() { # FILE...
    python3 -c '
import json, sys
def own(row):
    return row["self"] + sum(own(r) for r in row.get("callees", []))
for name in sys.argv[1:]:
    with open(name) as file:
        report = json.load(file)
    left = report["count"] - sum(own(row) for row in report["rows"])
    if left != 0 or report["count"] == 0:
        print(name, left)' "$@"
}

write_json() { # RECORDING OPTION ...
    stackreport -q --format=json "${@:2}" "$1.folded" > "$(basename "$1")${2-}.json"
}

@test "JSON is well-formed, and self adds up to the count of all samples" {
    each write_json
    each write_json --by=kind
    each write_json --callees=.
    prints '' left_of_json ./*.json
}

@test "names in JSON are escaped, and bytes that are not UTF-8 become U+FFFD" {
    printf 'a;q"b\\s\tt\033\377 1\n' > odd
    try stackreport --format=json odd
    [ "$(sed -n 2p <<< "$output" | cut -d , -f 1)" = '{"name":"q\"b\\s\u0009t\u001b'$'\xef\xbf\xbd''"' ]
    try stackreport --format=tsv odd
    [ "$(tail -n 1 <<< "$output" | cut -f 6)" = 'q"b\s?t??' ]
    prints '*q"b\s?t??' stackreport odd
}

@test "--width cuts names in the middle so that no line is longer" {
    printf 'a;%s 1\na;%s 2\n' "$(printf 'x%.0s' {1..50})END" 'short' > long
    prints 'self       %  total       %  kind     function
   2  66.67%      2  66.67%  native   short
   1  33.33%      1  33.33%  native   xxxxxxxxxx...xxxxxxEND' stackreport --width 60 long
    [ "${#lines[2]}" -eq 60 ]
    try stackreport --width 0 long
    [ "${#lines[2]}" -eq 91 ]
    try stackreport long
    [ "${#lines[2]}" -eq 91 ]
}

@test "--width counts characters and not bytes, and leaves eight of them" {
    printf 'a;%s 1\n' 'ääääääääääääääää' > wide
    prints 'self       %  total       %  kind     function
   1 100.00%      1 100.00%  native   äää...ää' stackreport --width 1 wide
}

@test "in a terminal lines are as long as it is wide" {
    command -v script > /dev/null || skip 'script(1) is not installed'
    printf 'a;%s 1\n' "$(printf 'x%.0s' {1..200})" > long
    script -qec 'stty cols 70 && stackreport long' typescript < /dev/null > shown
    [ "$(tr -d '\r' < shown | awk '{ if (length > most) most = length } END { print most }')" -eq 70 ]
}

@test "a row deep in a tree has its depth as a number instead of more columns" {
    printf 'a;%s 1\n' "$(printf 'f%s;' {1..40} | sed 's/;$//')" > deep
    try stackreport --callees '^f1$' deep
    [ "${lines[21]}" = "   0   0.00%      1 100.00%  native   $(printf '%40s' '')f21" ]
    [ "${lines[22]}" = "   0   0.00%      1 100.00%  native   $(printf '%40s' '')[21] f22" ]
}

@test "a stack of a hundred thousand frames is counted" {
    awk 'BEGIN { printf "a"; for (i = 0; i < 100000; i++) printf ";f%d", i % 50000; print " 2" }' > deep
    answers 0 '*' '' stackreport --top 1 --sort=total --format=tsv deep
    [ "${lines[1]}" = '2	100.00	2	100.00	native	f49999' ]
    stackreport --callees '^f0$' --format=json deep > tree
    [ "$(grep -c '"name"' tree)" -eq 100000 ]
    stackreport --callers '^f49999$' --format=tsv deep > tree
    [ "$(tail -n 1 tree | cut -f 1)" -eq 49999 ]
}

@test "fractions add up exactly, and sums stay at the largest number" {
    printf '%s\n' 'a;f 0.1' 'a;f 0.2' 'a;g 12345.25' > x
    prints '     self       %      total       %  kind     function
12,345.25 100.00%  12,345.25 100.00%  native   g
      0.3   0.00%        0.3   0.00%  native   f' stackreport x
    printf '%s\n' 'a;f 18446744073709551615' 'a;g;f 18446744073709551615' > x
    try stackreport --format=tsv --top 1 x
    [ "${lines[1]%%	*}" = 18446744073709551615 ]
}

@test "with --no-comm the first frame of a folded stack is a function" {
    try stackreport --no-comm --top 1 --sort=total folded
    [[ ${lines[1]} == *'main' ]]
    [ "$(stackreport --no-comm --format=tsv folded | cut -f 6 | tr '\n' ' ')" = 'function read draw parse main node sh ' ]
    answers 2 '*' 'stackreport: option --by: with --no-comm there are no command names*' \
        stackreport --no-comm --by=comm folded
}

@test "a first frame that is taken for a command, but seems to be a function, gets a note that names --no-comm" {
    echo 'main;mid;leaf;pause 3' > gdb
    answers 0 '*' 'stackreport: the first frames of all stacks, such as main, are taken for commands: if they are functions, give --no-comm' \
        stackreport --format=tsv gdb
    same $'3\t100.00\t3\t100.00\tnative\tpause' "${lines[1]}"
    answers 0 'self       %  total       %  kind     function' \
        "stackreport: no function matches --callees='^main\$', but the first frame of stacks does, which is taken for a command: if it is a function, give --no-comm" \
        stackreport --callees '^main$' gdb
    answers 0 '*' '' stackreport --no-comm --callees '^main$' gdb
    [[ ${lines[1]} == *' native   main' ]]
    printf '%s\n' 'main;_start;main;a 5' 'clone3;b 1' > perf # a program called main
    printf '%s\n' 'main;J.run 9' 'pool;J.run 9' > jstack
    local file
    for file in perf jstack; do
        answers 0 '*' '' stackreport $file
    done
}

@test "a note says how much of the profile is stacks of one frame, if it is a tenth" {
    printf '%s\n' 'parse 1.5' 'paint 8.5' 'run;v8 90' > trace
    answers 0 '*' 'stackreport: 10.00 % are stacks of one frame, which is taken for a command: if it is a function, give --no-comm' \
        stackreport --format=tsv trace
    [[ $output == *$'10\t10.00\t10\t10.00\t-\t(no frames)'* ]]
    local option
    for option in --quiet --no-comm --by=comm; do
        answers 0 '*' '' stackreport $option trace
    done
    printf '%s\n' 'node 50' 'node;main 50' > filtered # of a program whose frames were left out
    answers 0 '*' '' stackreport filtered
    sed -i 's/1.5/1.4/' trace
    answers 0 '*' '' stackreport trace
}

@test "files are added up, of both formats" {
    printf '%s\n' 'sh 1 [000] 1.0: 1 cycles:' $'\t1 draw+0x1 (/bin/sh)' $'\t2 main (/bin/sh)' '' > text
    prints 'self	self_percent	total	total_percent	kind	function
4	36.36	4	36.36	native	draw
1	9.09	11	100.00	native	main
2	18.18	6	54.55	native	parse
4	36.36	4	36.36	kernel	read' stackreport --format=tsv --sort=name folded text
}

@test "of several events the first one is counted, and the others are reported" {
    try stackreport --format=tsv "$IN/two-events.perf"
    [ "$status" -eq 0 ]
    local first=$output
    [[ $stderr == 'stackreport: '*' samples are of other events and left out (--event=LIST counts others, --event=all every one): '* ]]
    answers 0 "$first" '*' stackreport --format=tsv <(stackcollapse -q --all "$IN/two-events.perf")
    answers 1 '*' "stackreport: no sample of 'nonesuch'; the input has: *" \
        stackreport --event=nonesuch "$IN/two-events.perf"
    try stackreport --event=, folded
    [ "$status" -eq 2 ]
}

@test "--weight=period counts periods, and off-CPU time is counted so without it" {
    printf '%s\n' 'a 1 [000] 1.0: 300 cycles:' $'\t1 f (/bin/a)' '' > text
    [ "$(stackreport --format=tsv text | tail -n 1 | cut -f 1)" = 1 ]
    [ "$(stackreport --format=tsv --weight=period text | tail -n 1 | cut -f 1)" = 300 ]
    sed -i s/cycles/off-cpu/ text
    [ "$(stackreport --format=tsv text | tail -n 1 | cut -f 1)" = 300 ]
    [ "$(stackreport --format=tsv --weight=samples text | tail -n 1 | cut -f 1)" = 1 ]
    printf '%s\n' 'a 1 [000] 1.0: cycles:' $'\t1 f (/bin/a)' '' > text
    try stackreport --weight=period text
    same 'stackreport: samples without a period: 1, each counts 1 (perf-script -F +period perf.data prints it)' "$stderr"
}

@test "lines that cannot be used are reported and counted; --strict makes them an error" {
    printf '%s\n' 'a;f 1' 'no count' 'a;g 2' > bad
    answers 0 '*' 'stackreport: bad:2: not a folded stack
stackreport: 2 folded lines, 1 line skipped (first at line 2)' stackreport --format=tsv bad
    [ "${#lines[@]}" -eq 3 ]
    answers 0 '*' '' stackreport -q bad
    try stackreport --strict bad
    [ "$status" -eq 1 ]
}

@test "a file of which more than half is skipped is an error, which says what it looks like" {
    printf '%s\n' 'some words' 'of a text' 'with number 9' > text
    answers 1 '*9 100.00%*with number*' '*' stackreport --no-comm text
    [[ $stderr == *$'\nstackreport: text: 2 of 3 lines could not be used: is this the right file?\n'* ]]
    printf '%s\n' '{"nodes": [{' '  "id": 1,' '  "callFrame": {' '   "lineNumber": 12' '}}]}' > profile
    answers 1 '*12 100.00%*"lineNumber":*' \
        'stackreport: profile: 4 of 5 lines could not be used: this looks like a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse' \
        stackreport -q --no-comm profile
    # perf script text is what it reads: cut as it may be, it is not the wrong file.
    { printf 'a1 1 1.100000: 1 cycles:\n\t1 f (/x)\n\n'; seq 9 | sed 's/.*/words & in between/'; } > perf
    answers 0 '*' '' stackreport -q perf
}

@test "a file that is no profile is refused, and the message says what it looks like" {
    stackdiff folded folded > compared
    answers 1 '*' 'stackreport: compared: each line has two counts, so this is a comparison of two profiles: give one of them' \
        stackreport compared
    flamesvg folded > picture.svg
    answers 1 '*' '*stackreport: picture.svg: no line could be used; this looks like an SVG picture*' \
        stackreport picture.svg folded
    [ "${#lines[@]}" -eq 5 ]
    answers 1 '*' '*stackreport: folded: no line could be used*' stackreport --from=perf folded
}

@test "options that make no sense are wrong usage" {
    local arguments
    for arguments in '--by=colour' '--top 0' '--top x' '--sort=size' '--format=xml' '--width -1' '--callers ( folded' \
        '--callers a --callees b' '--callers= folded' '--callers a --by=kind' '--stalls 100' '--live 2'; do
        echo "$arguments"
        # shellcheck disable=SC2086 # words
        answers 2 '' '*' stackreport $arguments < /dev/null
        [[ $stderr == 'stackreport: '*'usage: stackreport '* ]]
    done
}

@test "if no file can be read, only the error is printed" {
    answers 1 '' 'stackreport: none: No such file or directory' stackreport none
    answers 1 '' 'stackreport: none: No such file or directory' stackreport --format=json none
    answers 1 '*main*' 'stackreport: none: No such file or directory' stackreport none folded
}

@test "without samples only the titles are printed, and a note says so" {
    answers 0 'self       %  total       %  kind     function' 'stackreport: no samples in the input' \
        stackreport < /dev/null
    answers 0 '{"by":"function","count":0,"rows":[
]}' '*' stackreport --format=json < /dev/null
}

@test "--live fits its tables on the terminal, which it erases first" {
    command -v script > /dev/null || skip 'script(1) is not installed'
    awk 'BEGIN { for (i = 100; i < 200; i++) print "a;f" i " 1" }' > many
    script -qec 'stty cols 60 rows 24 && cat many | stackreport --live' typescript < /dev/null | tr -d '\r' > shown
    [ "$(head -c 6 shown)" = $'\033[H\033[J' ]
    [ "$(wc -l < shown)" -le 24 ]
    [ "$(grep -c 'f1[0-9][0-9]$' shown)" -eq 18 ]
}

@test "--live is refused with trees, other formats and times that make no sense" {
    local arguments
    for arguments in '--live --callers a' '--live --format=json' '--live=0' '--live=x' '--live=1e9'; do
        echo "$arguments"
        # shellcheck disable=SC2086 # words
        answers 2 '*' 'stackreport: *usage: stackreport *' stackreport $arguments < /dev/null
    done
}

@test "--flame draws the stacks as boxes of text, with shares where there is room, 80 columns wide in a pipe" {
    prints '                        |parse 20.00%   |read 40.00%                   |
|draw 30.00%            |parse 60.00%                                  |
|main 90.00%                                                           |main   |
|node 90.00%                                                           |sh     |
|all (10)                                                                      |' stackreport --flame folded
}

@test "--flame cuts names as the picture does, and leaves frames without room for three characters without one" {
    printf '%s\n' 'node;process;parse_request 4' 'node;process;go 1' 'sh;main 5' > names
    prints '| |parse_r..|
|process    |main 50.00%|
|node 50.00%|sh 50.00%  |
|all (10)               |' stackreport --flame --width=25 names
}

@test "--flame has the same stacks for perf text as for what is folded from it" {
    same_flame() { # RECORDING
        stackreport -q --flame --event=all "$1.perf" > perf.txt
        stackreport -q --flame "$1.folded" > folded.txt
        cmp perf.txt folded.txt
    }
    each same_flame
}

@test "--flame fills lines of any width, at most, and draws the same characters in colours" {
    fits() { # RECORDING
        local width
        for width in 10 40 79 80 133 300; do
            try stackreport -q --flame --width="$width" "$1.folded"
            same "$width" "$(awk '{ n = length($0) > n ? length($0) : n } END { print n }' <<< "$output")"
            same "$output" "$(stackreport -q --flame --width="$width" --color=always "$1.folded" | sed 's/\x1b\[[0-9;]*m//g')"
        done
    }
    each fits
}

@test "--flame is UTF-8 where the locale is, and its wide characters take two columns" {
    printf '%s\n' 'a;函数名字;x 3' 'a;é;y 2' > wide
    prints '│y 40.00%│x 60.00%     │
│é 40.00%│函数名字     │
│a 100.00%             │
│all (5)               │' env LC_ALL= LC_CTYPE= LANG=en_US.utf8 stackreport --flame --width=24 wide
    prints '│y  │x    │
│é  │函.. │
│a 100.00%│
│all (5)  │' env LC_ALL=C.UTF-8 stackreport --flame --width=11 wide
}

@test "--flame is ASCII in other locales, and shows what could change a terminal's state as ?" {
    printf 'a;\xe5\x87\xbd;x 3\na;\033[31m\tq\x9b\xff;y 2\n' > hostile
    try stackreport --flame --width=30 hostile
    same '' "$stderr"
    [[ $output == *'|?[31m?q?? '*'|? 60.00%'* ]]
    same '' "$(LC_ALL=C tr -d ' -~\n' <<< "$output")"
}

@test "--root draws the functions that match across the whole width, with their share of all samples" {
    prints '|parse      |read 40.00%             |
|parse 60.00%                        |' stackreport --flame --root='^parse$' --width=38 folded
    answers 0 '' "stackreport: no function matches --root='nothing'" stackreport --flame --root=nothing folded
}

@test "--depth and --min leave frames out, --sort orders them" {
    prints '|main 90.00%                         |m..|
|node 90.00%                         |sh |
|all (10)                                |' stackreport --flame --width=42 --depth=2 folded
    prints '            |parse 60.00%            |
|main 90.00%                         |
|node 90.00%                         |
|all (10)                                |' stackreport --flame --width=42 --min=50 folded
    prints '|parse 60.00%            |draw 30.00%|' \
        eval 'stackreport --flame --width=42 --depth=3 --sort=total folded | head -n 1'
}

@test "--flame draws a stack of 10,000 frames, one sample, and nothing of an empty input" {
    awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%sf%d", i ? ";" : "", i % 7; print " 1" }' > deep
    try stackreport --flame --width=40 deep
    same 10001 "${#lines[@]}"
    same '|all (1)                               |' "${lines[10000]}"
    same '' "$stderr"
    answers 0 '' 'stackreport: no samples in the input' stackreport --flame /dev/null
    answers 0 '' '' stackreport --flame <(echo 'a;b 0')
}

@test "--flame fails with status 1 if its output cannot be written" {
    status=0
    stackreport --flame folded > /dev/full 2> messages || status=$?
    same 1 "$status"
    same 'stackreport: standard output: No space left on device' "$(< messages)"
}

@test "--flame --live prints the graph again when the input ends" {
    prints "$(stackreport --flame folded)" eval 'stackreport --flame --live=3600 folded'
}

@test "what is for the flame graph alone, or for tables alone, is refused with the other" {
    local option
    for option in --root=x --depth=1 --min=1 --color=always; do
        answers 2 '' 'stackreport: options --root, --depth, --min and --color need --flame*' stackreport "$option" folded
    done
    for option in --by=kind --format=tsv --top=3; do
        answers 2 '' 'stackreport: option --flame: not with --by, --format and --top*' \
            stackreport --flame "$option" folded
    done
    answers 2 '' 'stackreport: option --flame: with --root instead of*' stackreport --flame --callers=x folded
    answers 2 '' 'stackreport: option --width: with --flame from 10 to 10000*' stackreport --flame --width=9 folded
    answers 2 '' "stackreport: option --min: '101' is not between*" stackreport --flame --min=101 folded
}
