load lib

# Every recording of tests/data as sample text, and as folded stacks.
setup_file() {
    export IN=$BATS_FILE_TMPDIR/in
    mkdir "$IN"
    local file name
    for file in "$DATA"/*.perf.txt.gz; do
        name=$(basename "$file" .perf.txt.gz)
        gunzip -c "$file" > "$IN/$name.perf"
        stackcollapse -q --all "$IN/$name.perf" > "$IN/$name.folded"
    done
    for file in "$DATA"/*.data "$DATA"/*.data.gz "$DATA"/wall/*.data*; do
        [ ! -e "$file" ] || perf-script -q "$file" > "$IN/$(basename "$file").perf" 2> "$IN/messages" || :
    done
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Calls the function for each file; the last one named in the output is the one that failed.
each() { # FUNCTION
    local file
    for file in "$IN"/*.perf "$IN"/*.folded; do
        echo "$(basename "$file") $*"
        "$1" "$file"
    done
}

is_small_and_the_same() { # FILE
    stackreport -q --digest "$1" > once
    LC_ALL=C.UTF-8 TZ=XYZ-5 stackreport -q --digest < "$1" > twice
    cmp once twice
    [ "$(wc -c < once)" -le 4096 ]
    grep -q '^# Profile' once
}

@test "the digest of every recording has 4,096 bytes at most, and the same ones each time" {
    each is_small_and_the_same
}

# The first rows of a digest's table below that title: self, its percentage, total, its percentage, kind.
digest_rows() { # TITLE
    awk -F '|' -v title="## $1" '/^## /{ on = $0 == title } on && /^\|[0-9]/ { print $2, $3, $5, $6, $8 }'
}

# The same from the table of stackreport.
report_rows() { # SORT FILE
    stackreport -q --sort="$1" --top=10 "$2" | awk 'NR > 1 { gsub(/%/, ""); print $1, $2, $3, $4, $5 }'
}

has_the_numbers_of_the_report() { # FILE
    stackreport -q --digest "$1" > page
    same "$(report_rows self "$1")" "$(digest_rows 'Most self' < page)"
    same "$(report_rows total "$1")" "$(digest_rows 'Most total' < page)"
    local kinds
    kinds=$(awk -F '|' '/^## /{ on = /Kinds/ } on && /^\|[0-9]/ { print $2, $3, $4 }' page | tr -d '`')
    same "$(stackreport -q --by=kind --format=tsv "$1" | awk -F '\t' 'NR > 1 && $5 !~ /^\(/ { print $2, $4, $5 }' |
        head -n "$(wc -l <<< "$kinds")")" "$kinds"
}

@test "the numbers of functions and kinds in the digest of every recording are those of the tables" {
    each has_the_numbers_of_the_report
}

warns_as_the_check_does() { # FILE
    stackreport -q --digest "$1" > page
    local line advice
    advice=$(perf-script -q --check "$1")
    while read -r line; do
        line=${line#- \`} line=${line%\`}
        like "*${line%%...*}*" "${advice//\`/\'}"
    done < <(awk '/^## /{ on = /Warnings/ } on && /^- `/' page)
}

@test "the warnings of the digest are advice of perf-script --check" {
    local name
    for name in node-http node-unnamed java-omitted deep no-callchain; do
        echo "$name"
        warns_as_the_check_does "$IN/$name.perf"
    done
    stackreport -q --digest "$IN/java-omitted.perf" | grep -q '^## Warnings'
}

@test "the digest says what was recorded, when, how many samples there are, and how whole their stacks are" {
    {
        printf '# %s\n' 'hostname : web1' 'captured on : 2026-11-28T14:02:09Z' 'process : 4242 : node server.js --port=1' \
            'monotonic clock : 1.0 at 2026-11-28T14:02:09.5Z'
        for i in 1 2 3 4; do
            printf 'node 4242/4242 [000] %d.000000: 250000 cpu-clock: \n\t1 main+0x1 (/x)\n\t2 _start+0x1 (/x)\n\n' $i
        done
        printf 'node 4242/4242 [000] 5.000000: 1 page-faults: \n\t1 main+0x1 (/x)\n\n'
    } > in
    try stackreport -q --digest in
    [ "$status" -eq 0 ]
    same '# Profile of `node server.js --port=1`

- recorded: on `web1`, `2026-11-28T14:02:09Z`, process `4242`, 3.0 s from the first sample to the last
- samples: 4 of `cpu-clock (4)`, 1 a second; lost: 0; of other events and left out: 1; lines skipped: 0
- stacks: 4 with callers; do not reach a root: 0 (0.0 %), cut at 127 frames: 0 (0.0 %); frames without a name: 0 (0.0 %)' \
        "$(head -5 <<< "$output")"
}

@test "the hottest path goes down while a callee has half of its caller's time" {
    printf '%s\n' 'node;main;a;b 4' 'node;main;a;c 2' 'node;main;a;d 1' 'node;main;e 3' > folded
    try stackreport --digest folded
    same '- 100.00 % `main`
- 70.00 % `a`
- 40.00 % `b`' "$(awk '/^## /{ on = /Hottest/ } on && /^-/' <<< "$output")"
    stackreport --callees '^main$' --format=tsv folded | grep -q $'^2\t4\t40.00\t4\t40.00\t.*\tb$'
}

@test "the margin of error is given where each count is a sample, and covers the share in 19 of 20 recordings" {
    try stackreport --digest <<< $'node;a 30\nnode;b 70'
    like '*
- ±: margin of error in percentage points, 95 %, if each count is a sample
*
|70|70.00|*|70|70.00|*|native|`b`|*' "$output"
    awk -F '|' '$9 == "`b`" && !seen++ { exit !($4 > 9 && $4 < 13) }' <<< "$output" # 1.96 * sqrt(0.21 / 100) is 9.0 points
    try stackreport --digest <<< $'node 42/42 1.0: 500 wall: running\n\t1 main+0x1 (/x)\n'
    like '*
- no margins of error: counts are no samples
*|500|100.00|-|500|100.00|-|native|`main`|*' "$output"
    try stackreport --digest --weight=period <<< 'node;b 500'
    like '*
- no margins of error: counts are no samples
*|500|100.00|-|500|100.00|-|native|`b`|*' "$output"
}

@test "npm packages and stalls are in the digest where there are any" {
    {
        printf 'node 42/42 [000] 5.000000: 400000 wall: running\n'
        printf '\t%s\n' '1 JS:*get /srv/node_modules/@a/lib/x.js:3:1+0x1 (/tmp/perf-42.map)' \
            '2 JS:*handle /srv/app.js:1:1+0x1 (/tmp/perf-42.map)' '3 main+0x1 (/x)' ''
        printf 'node 42/42 [000] 5.000000: 400000 turn: ended\n'
    } > in
    try stackreport -q --digest in
    like '*
1 of 50 ms and longer, 400 ms in all; the longest:

- at 0.000 s, `node 42: stall of 400 ms (CPU 400, waiting 0, ready 0, GC 0): handle /srv/app.js:1 > get '\
'/srv/node_modules/@a/lib/x.js:3`*' "$output"
    like '*; their periods count, in all 400,000; *' "$output"
    same '|100.00|100.00|`@a/lib`|' "$(awk '/^## /{ on = /Packages/ } on && /^\|[0-9]/' <<< "$output")"
    try stackreport -q --digest --stalls=400.5 in
    [[ $output != *Stalls* ]]
    try stackreport -q --digest --stalls=399.5 in
    [[ $output == *'1 of 399.5 ms and longer, 400 ms in all'* ]]
    try stackreport -q --digest <<< 'node;a 1'
    [[ $output != *Stalls* && $output != *Packages* ]]
}

@test "names cannot break out of the page, and long ones are cut so that it fits" {
    printf '%s\n' $'node;a|b`c\e[31m 5' 'node;x 1' > in
    try stackreport --digest in
    like "*|native|\`a\\|b'c?[31m\`|*" "$output"
    local i long
    long=$(printf 'é%.0s' $(seq 700))
    for i in $(seq 40); do
        echo "$long$i;$long$i$long;$i$long 1844674407370955"
    done > long
    try stackreport -q --digest long
    [ "$status" -eq 0 ]
    [ "$(printf '%s\n' "$output" | wc -c)" -le 4096 ]
    iconv -f UTF-8 -t UTF-16 <<< "$output" > copy
    same 1844674407370955 "$(awk -F '|' '/^\|[0-9]/ && !n++ { gsub(/,/, "", $2); print $2 }' <<< "$output")"
}

@test "options that --digest has no use for are refused, and input of no use is an error" {
    local option
    for option in --by=kind --callers=x --flame --sort=total --format=json --top=3 --width=80 --latency --live; do
        answers 2 '' '*option --*' stackreport --digest $option </dev/null
    done
    answers 1 '*' '*no line could be used*' stackreport --digest <<< 'this is plain text'
}
