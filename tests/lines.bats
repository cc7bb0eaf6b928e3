# Source lines and instructions of functions: stackreport --lines and --instructions, and what passes source lines on.
load lib

# A sample: each frame is "SYMBOL+OFFSET DSO SOURCE-LINE"; leaf first; DSO "inlined" for a call that was inlined.
sample() { # FRAME...
    local sym dso line address=4010
    echo 'app 7 1.000001:  1 cycles:'
    while [ $# -gt 0 ]; do
        read -r sym dso line <<< "$1"
        printf '\t%16s %s (%s)\n' $((address++)) "$sym" "$dso"
        [ -z "$line" ] || printf '  %s\n' "$line"
        shift
    done
    echo
}

# A source of ten lines, "line 1" to "line 10".
source_file() { # FILE
    mkdir -p "$(dirname "$1")"
    seq -f 'line %g' 10 > "$1"
}

@test "--lines lists each line of a function with its self and total, and the lines around" {
    source_file src/app.c
    {
        sample "work+0x8 /srv/app /src/app.c:5" "main+0x4 /srv/app /src/app.c:9"
        sample "work+0x8 /srv/app /src/app.c:5" "main+0x4 /srv/app /src/app.c:9"
        sample "work+0x9 /srv/app /src/app.c:6" "main+0x4 /srv/app /src/app.c:9"
        sample "main+0x2 /srv/app /src/app.c:1"
    } > in
    prints "work: self 75.00 %, total 75.00 %
    self   total      line  /src/app.c
                         3  line 3
                         4  line 4
   50.00   50.00         5  line 5
   25.00   25.00         6  line 6
                         7  line 7
                         8  line 8

main: self 25.00 %, total 100.00 %
    self   total      line  /src/app.c
   25.00   25.00         1  line 1
                         2  line 2
                         3  line 3
                           ...
                         7  line 7
                         8  line 8
    0.00   75.00         9  line 9
                        10  line 10" stackreport --lines --source-dir . in
    answers 0 'main: self 25.00 %, total 100.00 %*' '' stackreport --lines='^main$' --source-dir . in
    answers 0 '' "stackreport: no function matches --lines='nosuch'" stackreport --lines=nosuch in
    answers 0 '' "stackreport: no function matches --instructions='nosuch': where it was inlined, its instructions are \
those of the function around it" stackreport --instructions=nosuch in
}

@test "--lines --format=tsv prints the same with counts, of all functions, and names the file in each row" {
    printf 'a\n\tb\033[2J\nc\nd\ne\n' > a.c
    touch -d 2020-01-01 app
    {
        sample "twice+0x8 inlined a.c:1" "main+0x8 $PWD/app a.c:5"
        sample "main+0x9 $PWD/app a.c:5"
        sample "f+0x9 /srv/app gone.c:7" "main+0x9 $PWD/app"
        sample "main+0x9 $PWD/app"
    } > in
    local note="newer than $PWD/app: lines may have moved"
    prints "$(tr '|' '\t' << END
self|self_percent|total|total_percent|inlined|line|file|note|function|source
2|50.00|4|100.00|||||main|
|||||3|a.c|$note|main|c
|||||4|a.c|$note|main|d
1|25.00|2|50.00|1|5|a.c|$note|main|e
1|25.00|1|25.00|||||f|
1|25.00|1|25.00||7|gone.c|not found in the folder of --source-dir|f|
1|25.00|1|25.00|||||twice|
1|25.00|1|25.00||1|a.c||twice|a
|||||2|a.c||twice|        b?[2J
|||||3|a.c||twice|c
END
    )" stackreport --lines --format=tsv --source-dir . in
    {
        for ((i = 0; i < 12; i++)); do
            sample "f$i+0x8 /srv/app a.c:1"
        done
    } > many
    same 12 "$(stackreport --lines --format=tsv many | grep -c $'^1\t8.33.*\t1\ta.c')"
    same 3 "$(stackreport --lines --format=tsv --top 1 many | wc -l)"
    answers 2 '' '*source lines are a table or tsv, instructions a table*' stackreport --lines --format=json in
    answers 2 '' '*source lines are a table or tsv, instructions a table*' stackreport --instructions=main --format=tsv in
}

@test "--lines counts a sample once for a line and a function that called itself" {
    sample "f+0x8 /srv/app a.c:5" "f+0x9 /srv/app a.c:6" "f+0x9 /srv/app a.c:6" > in
    prints "f: self 100.00 %, total 100.00 %
    self   total      line  a.c (not an absolute path: --source-dir says where it is)
  100.00  100.00         5
    0.00  100.00         6" stackreport --lines in
}

@test "--lines: an inlined function has lines of its own, and the line that called it is marked" {
    source_file a.c
    source_file b.h
    {
        sample "twice+0x8 inlined b.h:2" "main+0x8 /srv/app a.c:9"
        sample "main+0x9 /srv/app a.c:10"
    } > in
    prints "main: self 50.00 %, total 100.00 %
    self   total      line  a.c
                         7  line 7
                         8  line 8
    0.00   50.00 >       9  line 9
   50.00   50.00        10  line 10

twice: self 50.00 %, total 50.00 %
    self   total      line  b.h
                         1  line 1
   50.00   50.00         2  line 2
                         3  line 3
                         4  line 4

>: a call in this line was inlined; the lines of the function that was inlined are listed under its name" \
        stackreport --lines --source-dir . in
}

@test "--prefix-map and --source-dir find the sources of a build elsewhere, --source-dir none outside of its folder" {
    source_file tree/lib/a.c
    source_file outside.c
    ln -s ../outside.c tree/b.c
    sample "f+0x8 /srv/app /build/x/lib/a.c:10" > in
    answers 0 '*line 10' '' stackreport --lines --source-dir tree in
    answers 0 '*line 10' '' stackreport --lines --prefix-map=/nosuch=/y --prefix-map="/build/x=$PWD/tree" in
    answers 0 '*/build/x/lib/a.c (No such file or directory)*' '' stackreport --lines in
    sample "f+0x8 /srv/app b.c:10" > in
    answers 0 '*  b.c (not found in the folder of --source-dir)*' '' stackreport --lines --source-dir tree in
}

@test "--lines says that a source file is newer than the program" {
    source_file a.c
    touch -d 2020-01-01 a.c
    touch -d 2020-01-02 app
    sample "f+0x8 $PWD/app $PWD/a.c:10" > in
    answers 0 "*  $PWD/a.c"$'\n*' '' stackreport --lines in
    touch -d 2020-01-03 a.c
    answers 0 "*  $PWD/a.c (newer than $PWD/app: lines may have moved)"$'\n*' '' stackreport --lines in
}

@test "--lines reads regular files alone, of 16 MB at most, and masks what could control a terminal" {
    mkfifo fifo
    truncate -s 17M large.c
    printf 'a\033[2Jb\n\tc\n' > odd.c
    local file
    for file in "$PWD/fifo" /dev/zero "$PWD/large.c" "$PWD"; do
        echo "$file"
        sample "f+0x8 /srv/app $file:1" > in
        answers 0 "*
    self   total      line  $file (*
  100.00  100.00         1" '' timeout 20 stackreport --lines in
    done
    sample "f+0x8 /srv/app $PWD/odd.c:1" > in
    answers 0 '*         1  a?[2Jb
                         2          c' '' stackreport --lines in
}

@test "--lines says of functions without lines how to get them, and of input without any, which is an error" {
    {
        sample "f+0x8 /srv/app a.c:1"
        sample "g+0x8 /usr/lib/libg.so libg.so[2724a]"
        sample "h+0x8 /tmp/perf-7.map ??:12"
        sample "k+0x8 [kernel.kallsyms]"
    } > in
    try stackreport --lines in
    same 0 "$status"
    same '   25.00   25.00         -  no source line: build libg.so with -g, or install its debug symbols
   25.00   25.00         -  no source line: of JIT-compiled code, jitdumps have lines, and of node stackrecord --lines
   25.00   25.00         -  no source line: those of the kernel are not looked up' "$(grep ' - ' <<< "$output")"
    sample "f+0x8 /srv/app" > in
    answers 1 '' 'stackreport: no frame has a source line: record with stackrecord --inline --lines*' stackreport --lines in
    echo 'app;main;f 3' > folded
    answers 1 '' '*folded stacks have neither source lines nor instructions*' stackreport --lines folded
}

@test "--lines reads a .cpuprofile: lines by positionTicks, and the total of functions" {
    source_file 'a b.js'
    cat > CPU.cpuprofile << END
{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2]},
{"id":2,"callFrame":{"functionName":"main","scriptId":"1","url":"file://$PWD/a%20b.js","lineNumber":0,"columnNumber":0},
 "hitCount":1,"positionTicks":[{"line":8,"ticks":1}],"children":[3,4]},
{"id":3,"callFrame":{"functionName":"","scriptId":"1","url":"file://$PWD/a%20b.js","lineNumber":1,"columnNumber":4},
 "hitCount":2,"positionTicks":[{"line":3,"ticks":2}],"children":[5]},
{"id":4,"callFrame":{"functionName":"(garbage collector)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":1},
{"id":5,"callFrame":{"functionName":"main","scriptId":"1","url":"file://$PWD/a%20b.js","lineNumber":0,"columnNumber":0},
 "hitCount":4,"positionTicks":[{"line":8,"ticks":1},{"line":9,"ticks":2}]}
],"startTime":1,"endTime":9,"samples":[2],"timeDeltas":[1]}
END
    answers 0 "main $PWD/a b.js:1:1: self 62.50 %, total 100.00 %
    self   total      line  $PWD/a b.js
                         6  line 6
                         7  line 7
   25.00   25.00         8  line 8
   25.00   25.00         9  line 9
                        10  line 10
   12.50   12.50         -  no source line

(anonymous) $PWD/a b.js:2:5: self 25.00 %, total 75.00 %
    self   total      line  $PWD/a b.js
                         1  line 1
                         2  line 2
   25.00   25.00         3  line 3
                         4  line 4
                         5  line 5

(garbage collector): self 12.50 %, total 12.50 %
   12.50   12.50         -  no source line" \
        'stackreport: a .cpuprofile has no lines of calls: the total of its lines is self' stackreport --lines CPU.cpuprofile
    head -c 900 CPU.cpuprofile > cut.cpuprofile
    answers 1 '*' 'stackreport: cut.cpuprofile: *' stackreport -q --lines cut.cpuprofile
    same "$(stackreport -q --lines=main CPU.cpuprofile)" "$(flamepipe --lines=main -q CPU.cpuprofile)"
}

@test "--lines takes the lines of optimized JavaScript, of which jitdumps say no file, for those of the function" {
    source_file app.js
    local name
    for name in 'JS:*work' work; do
        {
            printf 'node 7 1.000001:  1 cycles:\n\t%16x %s %s/app.js:4:2+0x22d (/tmp/jitted-7-1.so)\n  ??:5\n\n' 685 "$name" "$PWD"
            printf 'node 7 1.000002:  1 cycles:\n\t%16x %s %s/app.js:4:2+0x22f (/tmp/jitted-7-1.so)\n  ??:2\n\n' 687 "$name" "$PWD"
        } > in
        answers 0 "*
   50.00   50.00         5  line 5*
   50.00   50.00         -  no source line: of JIT-compiled code*

Lines of JavaScript in jitdumps are listed under the file of the function*" '' stackreport --lines in
    done
}

@test "--instructions lists the offsets of a function with what objdump prints there, and without objdump alone" {
    local start
    for tool in gcc nm objdump; do
        command -v $tool > /dev/null || skip "needs $tool"
    done
    cat > p.c << 'C'
__attribute__((noinline)) int work(int *p) { return p[0] * p[1] + p[2] * p[3]; }
int main(void) { int a[] = {1, 2, 3, 4}; return work(a); }
C
    gcc -O1 -o p p.c
    start=$((16#$(nm p | awk '$3 == "work" { print $1 }')))
    offsets=$(objdump -d --disassemble=work --no-show-raw-insn p | awk '/^ +[0-9a-f]+:\t/ { print $1 }' | tr -d :)
    second=$((16#$(sed -n 2p <<< "$offsets") - start))
    for offset in 0 $second $second $second; do
        printf 'p 7 1.000001:  1 cycles:\n\t%16x work+0x%x (%s)\n\n' $((start + offset)) "$offset" "$PWD/p"
    done > in
    text=$(objdump -d --disassemble=work --no-show-raw-insn p | sed -n 's/^ *[0-9a-f]*:\t//p' | sed -n '2{s/\t/ /; s/ *$//; p}')
    answers 0 "work: self 100.00 %, total 100.00 %
    self   total      offset  $PWD/p
   25.00   25.00        +0x0  *
   75.00   75.00        +0x$(printf %x $second)  $text

A sample is often an instruction or a few after the one that took the time (skid)*" '' stackreport --instructions '^work$' in
    mkdir bin
    ln -s "$BIN/stackreport" bin
    PATH=$PWD/bin answers 0 "work: self 100.00 %, total 100.00 %
    self   total      offset  $PWD/p (objdump, of binutils, is not installed)
   25.00   25.00        +0x0
   75.00   75.00        +0x$(printf %x $second)
*" '' stackreport --instructions '^work$' in
}

@test "--instructions: an inlined call belongs to the function around it; frames without offsets are an error" {
    sample "twice+0x8 inlined" "main+0x8 /nosuch/app" > in
    answers 0 "main: self 100.00 %, total 100.00 %
    self   total      offset  /nosuch/app (*)
  100.00  100.00        +0x8
*" '' stackreport --instructions . in
    sample "f /srv/app" > in
    answers 1 '' 'stackreport: no frame has an offset: perf-script prints them (symoff)' stackreport --instructions . in
}

@test "stackfilter passes the source lines of frames on, and stackcollapse ignores them" {
    {
        sample "work+0x8 /srv/app /src/app.c:5" "drop+0x4 /srv/app /src/app.c:7" "main+0x4 /srv/app /src/app.c:9"
    } > in
    try stackfilter --drop '^drop$' in
    same '  /src/app.c:5
  /src/app.c:9' "$(grep '^  /' <<< "$output")"
    prints 'app;main;work 1' bash -c "stackfilter --drop '^drop\$' in | stackcollapse"
}

@test "options that do not go with --lines and --instructions are wrong usage" {
    local options
    for options in '--lines --flame' '--lines --by=dso' '--lines --lines' '--lines --instructions=f' '--lines --from=folded' \
        '--source-dir=.' '--prefix-map=/a=/b' '--lines --prefix-map=/a' '--lines --digest' '--instructions=' \
        '--lines --syscalls' '--lines --stalls' '--lines --live' '--instructions=f --source-dir=.'; do
        echo "$options"
        # shellcheck disable=SC2086 # they are several
        answers 2 '' 'stackreport: option*' stackreport $options in
    done
    answers 2 '' 'flamepipe: option --lines lists a file*' flamepipe --lines -- true
    answers 2 '' 'flamepipe: option --lines goes with a file*' flamepipe --lines --digest in
    answers 2 '' 'flamepipe: option --lines: with a page it goes with none of *' flamepipe --lines --html --wall -- true
}

@test "flamepipe --lines is the pipe in one command" {
    prints "perf-script --inline -F +srcline --full-source-path perf.data | stackfilter --node | stackreport --lines='^f\$'" \
        bash -c ': > perf.data; flamepipe --print --lines="^f$" perf.data'
    source_file app.c
    sample "f+0x8 /srv/app $PWD/app.c:5" "v8::internal::g+0x4 /srv/node" "main+0x4 /srv/app $PWD/app.c:9" > in
    answers 0 "f: self 100.00 %, total 100.00 %
*  100.00  100.00         5  line 5*" '' flamepipe --lines in
    echo 'a;b 1' > folded
    answers 1 '' 'flamepipe: folded: folded stacks have no source lines; give the recording' flamepipe --lines folded
}

@test "flamepipe --lines with a page records or reads, and draws the page with its lines" {
    prints "stackrecord -p 7 -F 99 --inline --lines --text out.perf
perf-script --inline -F +srcline --full-source-path out.perf | stackfilter --node | stackreport --lines=. --top=1000 --format=tsv > out.lines
perf-script --check out.perf
stackfilter --node --source-maps out.perf | stackcollapse --kernel --slice=20 | flamesvg --html --colors=node --lines=out.lines --title='process 7' -o flame.html" \
        flamepipe --print --lines --html -p 7
    source_file app.c
    sample "f+0x8 /srv/app $PWD/app.c:5" "main+0x4 /srv/app $PWD/app.c:9" > in
    answers 0 '' '*flamepipe: out.html: 1 sample*' flamepipe --lines -o out.html in
    python3 "$ROOT/tests/tool/frametable.py" json out.html | tr -d ' \n' > table
    grep -qF '[[0,3,"line3"],[0,4,"line4"],[0,5,"line5",10000,10000],[0,6,"line6"],[0,7,"line7"]]' table
    answers 0 '' '*' flamepipe --lines='^main$' --no-flame -o out.html in
    python3 "$ROOT/tests/tool/frametable.py" json out.html | tr -d ' \n' > table
    grep -qF '"sourceLines":[[2,0,10000,[[' table
    # Without source lines there is a page all the same.
    sample "f+0x8 /srv/app" > none
    answers 1 '' 'stackreport: no frame has a source line*flamepipe: plain.html: 1 sample*' flamepipe --lines -o plain.html none
    same 1 "$(grep -c '<style>' plain.html)"
}

@test "--full-source-path prints the folders of source files, from DWARF 4 and 5 of gcc and clang" {
    local compiler version
    command -v python3 > /dev/null || skip 'no python3'
    mkdir -p src/include out
    echo 'static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + *p * *p - *p / 3 + *p / 5 + *p / 7 + *p / 9; }' > src/include/inner.h
    printf '%s\n' '#include "inner.h"' 'int main(void) { volatile int i = 0; while (i < 1000) i = inner(&i); return i; }' > src/main.c
    for compiler in gcc clang; do
        for version in 4 5; do
            command -v $compiler > /dev/null || continue
            echo "$compiler $version"
            (cd out && $compiler -gdwarf-$version -O1 -no-pie -I ../src/include -o p ../src/main.c)
            PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" files 600 "$PWD/out/p" > data
            perf-script -q --inline -F +srcline data | grep '^  ' | sort -u > names
            perf-script -q --inline -F +srcline --full-source-path data | grep '^  ' | sort -u > paths
            same "  $PWD/out/../src/include/inner.h:1" "$(grep inner.h: paths)"
            same "  $PWD/out/../src/main.c:2" "$(grep main.c:2 paths)"
            same "$(cat names)" "$(sed 's|^  /.*/|  |' paths | sort -u)"
        done
    done
}

@test "--full-source-path without -F +srcline is wrong usage" {
    answers 2 '' 'perf-script: option --full-source-path goes with -F +srcline*' perf-script --full-source-path in
}

@test "stackrecord --lines goes with neither --folded nor --archive" {
    answers 2 '' 'stackrecord: --lines goes with sample text*' stackrecord --lines --folded -- true
    answers 2 '' 'stackrecord: --lines goes with sample text*' stackrecord --lines --archive . -- true
}
