# What perf script prints of one recording with other fields (-F): the stacks are the same, but for what is not
# printed.
load lib

# Folds the text that perf printed with the fields $1, changed by the program $2. Sets $output.
fold_fields() {
    awk -v fields="$1" '/^== / { on = $2 == fields; next } on' "$texts" > in
    ${2:-cat} in > changed
    answers 0 '*' '' stackcollapse changed
}

# Compares the stacks of all texts in a file of tests/data with those of its first.
all_fields() {
    local fields full program count=0
    texts=$DATA/perf-fields-$1.txt
    fold_fields "$(sed -n '1s/== //p' "$texts")"
    full=$output
    [ -n "$full" ]
    while read -r _ fields; do
        for program in cat expand perf-script stackfilter; do
            echo "$fields $program"
            fold_fields "$fields" "$program"
            case ,$fields, in
            *,-comm,*) same "$(cut -d ';' -f 2- <<< "$full" | merge)" "$output" ;;
            *,comm,* | *,[+-]*) same "$full" "$output" ;;
            *) same "$(cut -d ';' -f 2- <<< "$full" | merge)" "$output" ;;
            esac
        done
        count=$((count + 1))
    done < <(grep '^== ' "$texts")
    [ "$count" -gt "$2" ]
}

# Adds up equal stacks.
merge() {
    awk '{ n = $NF; sub(/ [0-9]+$/, ""); count[$0] += n } END { for (s in count) print s, count[s] }' | LC_ALL=C sort
}

@test "whatever fields perf prints above the frames, the stacks are the same" {
    all_fields chain 30
}

@test "whatever perf prints below the frames, the stacks are the same" {
    all_fields below 5
}

@test "text that is not perf's is refused by name, and gives no sample" {
    printf 'job 7 WARN: slow\njob 8 WARN: late\n' > log
    printf '# tracer: nop\n     sh-41    [003] d..3. 812.345678: <stack trace>\n => schedule\n' > ftrace
    printf 'cpus=4\n     sh-41    [003]   812.345678: funcgraph_entry:   0.310 us   |  f();\n' > trace-cmd
    local row file said
    for row in 'log:a log' 'ftrace:a trace of ftrace' 'trace-cmd:a trace of ftrace'; do
        file=${row%%:*} said=${row#*:}
        for program in stackcollapse perf-script stackfilter; do
            echo "$row $program"
            answers 1 '*' "*$said*" "$program" "$file"
            [ "$program $file" = 'stackfilter log' ] || ! grep -v '^#' <<< "$output" | grep .
        done
    done
}

# Prints what perf script -D prints of a recording: bytes, parts and the text of each of its samples.
print_dump() {
    local i
    for i in 1 2 3; do
        printf '\n0x%s8@perf.data [0x50]: event: 9\n.\n. ... raw event: size 80 bytes\n' $i
        printf '.  00%s0:  09 00 00 00 02 00 50 00 35 71 46 3f 57 55 00 00  ......P.5qF?WU..\n' 0 1 2 3 4
        printf '\n812345678 0x%s8 [0x50]: PERF_RECORD_SAMPLE(IP, 0x2): 7/7: 0x1135 period: 1000 addr: 0\n' $i
        printf '... FP chain: nr:2\n.....  0: fffffffffffffe00\n.....  1: 0000000000001135\n'
        printf ' ... thread: app:7\n ...... dso: /bin/app\n'
        printf 'app     7   812.34567%s:       1000 cpu-clock: \n\t            1135 f+0x1 (/bin/app)\n\n' $i
    done
}

@test "what perf script -D prints is refused by name, though samples are among the bytes" {
    print_dump > dump
    answers 1 '' 'perf-script: dump: a dump of perf script -D: print the recording without -D' perf-script dump
    answers 1 '' 'stackcollapse: dump: a dump of perf script -D: print the recording without -D' stackcollapse dump
}

@test "perf-script prints samples among many other lines, names what those are, and fails" {
    { echo "# captured on    : Mon"; print_dump; } > dump
    answers 1 '*' '*perf-script: dump: 42 of 58 lines could not be used: this looks like a dump of perf script -D: *' \
        perf-script dump
    same 3 "$(grep -c 'f+0x1' <<< "$output")"
    answers 1 '' '*this looks like a dump of perf script -D: print the recording without -D*' stackcollapse dump
}

@test "samples with and without a command's name stand in one text, in any order" {
    local order n
    printf 'a 1 2.500000: c:\n\t            7f1 f (/x)\n\n' > named
    printf '  1 2.500000: c:\n\t            7f1 f (/x)\n\n' > unnamed
    for order in 'named unnamed' 'unnamed named' 'named unnamed named unnamed'; do
        # shellcheck disable=SC2086
        cat $order $order > in
        answers 0 '*' '' stackcollapse in
        n=$(wc -w <<< "$order") # half of 2 n samples, each
        same $'a;f '"$n"$'\nf '"$n" "$output"
    done
}

# Three samples with short and long addresses and no time, as perf 3.x printed them with -F comm,tid,event.
untimed() {
    printf 'app 12 cycles:\n\t          401136 main+0x4 (/srv/app)\n\t    7f0a12cd3a90 __libc_start_main (/lib/libc.so.6)\n\n'
    printf 'app 12 cycles:\n\tffffffff8103d0ca schedule ([kernel.kallsyms])\n\t          401136 main+0x4 (/srv/app)\n\n'
    printf 'app 12 cycles:\n\t          401136 main+0x4 (/srv/app)\n\n'
}

@test "perf's text without a time is read if it was pasted with other indentation, or none" {
    local change wanted=$'app;__libc_start_main;main 1\napp;main 1\napp;main;schedule 1'
    for change in '' 's/^[ \t]*//' 's/^/\t/' 's/^/    /' 's/^\t/    /' 's/$/\r/'; do
        echo "$change"
        untimed | sed "$change" >text
        prints "$wanted" stackcollapse text
    done
}

@test "perf's text that is quoted with a sign before each line is refused, and gives no samples of that sign" {
    local sign
    for sign in '> ' '| ' '* ' '>\t'; do
        untimed | sed "s/^/$sign/" >text
        answers 1 '' '*' stackcollapse text
    done
}

@test "samples without frames count before the first one that has frames, in a text without times" {
    local i
    for i in 1 2 3; do
        printf 'idle %d cycles:\n\n' "$i"
    done >text
    untimed >>text
    prints $'app;__libc_start_main;main 1\napp;main 1\napp;main;schedule 1\nidle 3' stackcollapse text
}

@test "frames without a DSO, indented by a few blanks instead of a tab, are below a header without a time" {
    untimed | sed -E 's/ \([^)]*\)$//; s/^\t */  /' >text
    prints $'app;__libc_start_main;main 1\napp;main 1\napp;main;schedule 1' stackcollapse text
}

# Folds the text $2, also as perf-script prints it: the stacks are $1, and no line of it is reported.
folds_to() {
    # shellcheck disable=SC2059
    printf "$2" > in
    try stackcollapse in
    echo "$2"
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same "$1" "$output"
    answers 0 '*' '' perf-script in
    printf '%s\n' "$output" > again
    same "$1" "$(stackcollapse again)"
}

chain='\n\t            7f12 f+0x1 (/bin/app)\n\t            7f34 main+0x2 (/bin/app)\n'
nine='812.345678901:       1000 cycles:u:'

@test "a control group between the event and the frames is no frame and hides none" {
    local group
    for group in / /user.slice/a.scope '/a b.scope' unknown; do
        folds_to 'app;main;f 1' "app     7   $nine  $group$chain\n"
        folds_to 'main;f 1' "    7   $nine  $group$chain\n"
        folds_to 'app;f 1' "             app     7   $nine  $group           7f1234 f+0x1 (/bin/app)\n"
        folds_to 'app;f 1' "             app     7   $nine  $group           7f1234 f\n"
        folds_to 'app;f 1' "             app     7   $nine  $group ffffffff81001234 f ([kernel.kallsyms])\n"
    done
    folds_to 'app;main;f 1' "app     7  /a.scope$chain\n"
    folds_to 'app;f 1' "             app     7  /a.scope           7f1234 f\n"
}

@test "the kind of a branch between the event and the frames is no frame and hides none" {
    local kind to=' =>           7f12 f+0x0 (/lib/x.so)'
    for kind in call jmp jcc return int iret syscall sysret async 'hw int' 'tx abrt' 'tr strt jmp' 'tr end  call' vmentry; do
        kind=$(printf '%-21s' "$kind")
        folds_to 'app;main 1' "             app     7 [001]   $nine   $kind            401136 main+0x4 (/bin/app)$to\n"
        folds_to 'main 1' "    7 [001]   $nine   $kind            401136 main+0x4 (/bin/app)$to\n"
        folds_to 'app;main;f 1' "app     7 [001]   $nine   $kind $chain\n"
        folds_to 'main;f 1' "    7 [001]   $nine   $kind $chain\n"
    done
}

@test "frames of a guest, with its machine in front of the header, are read with and without a command" {
    local frame='\n\tffffffff81001234 f+0x1 ([guest.kernel.kallsyms.1234])\n'
    folds_to 'app;f 1' "app     7   $nine $frame\n"
    folds_to 'app;f 1' "VM:1376 VCPU:003             app     7   $nine $frame\n"
    folds_to 'f 1' "VM:1376 VCPU:003     7   $nine $frame\n"
    folds_to 'f 1' "VM:1376 VCPU:003     5/7     [001] G    $nine $frame\n"
}

@test "branches are no frames, below the frames, in their line, and without a callchain" {
    local branches
    for branches in ' 0x7f12/0x7f34/P/-/-/0  0x7f56/0x7f78/M/-/-/0 ' 'main+0x4/f+0x0/P/-/-/0 f(int, char)+0x1/main+0x2/P/-/-/0 ' \
        ' 0x10(/bin/app)/0x20(/bin/app)/P/-/-/0/ ' '[unknown](/bin/app)/[unknown](/bin/app)/-/-/-/0/ '; do
        folds_to 'app;main;f 1' "app     7   $nine $chain$branches\n"
        folds_to 'app;f 1' "             app     7   $nine            7f1234 f+0x1 (/bin/app)$branches\n"
        folds_to 'f 1' "    7   $nine            7f1234 f+0x1 (/bin/app)$branches\n"
        folds_to 'app 1' "app     7   $nine $branches\n"
    done
}
