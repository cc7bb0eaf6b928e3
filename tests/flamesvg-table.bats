load lib

TABLE=$ROOT/tests/tool/frametable.py

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    command -v python3 >where || skip 'no python3 to decode the table with'
    printf '%s\n' 'main;parse 60' 'main;draw 30' 'main;draw;line 10' >in
    gunzip -c "$DATA/node-http.perf.txt.gz" | stackcollapse -q --all >real
}

# The table's frames: depth, start, width and name, where profiles are compared also the difference.
decoded() { # PICTURE
    "$TABLE" decode "$1" | awk -F'\t' -v OFS='\t' '{ print $1, $2, $3 (NF == 6 ? OFS $4 : ""), $NF }'
}

# The same, counted from folded stacks without flamesvg; names without their marks.
counted() { # FOLDED [ORDER]
    "$TABLE" count "$@" | sed 's/_\[[kij01w]\]$//'
}

# A number of the table.
number() { # KEY PICTURE
    "$TABLE" json "$2" | sed -n "s/^ \"$1\": \(.*[^,]\),*\$/\1/p"
}

@test "the table has every frame of the input, also those narrower than --minwidth" {
    for options in '' --minwidth=5 --html '--width=300 --inverted' '--encoding=koi8-r' '--colors=node --hash'; do
        # shellcheck disable=SC2086
        flamesvg -q $options real >out
        same "$(counted real)" "$(decoded out)"
    done
    [ "$(decoded out | wc -l)" -gt 3000 ]
}

@test "the table has the starts and widths of --flamechart, --sort=size and --reverse" {
    for line in 'b;x 2' 'a;x;y 1' 'a;x;z 6' 'a;w 3' 'b;x 4' 'a;x 1'; do
        echo "$line"
    done >order
    flamesvg -q --flamechart order >out.svg
    same "$(counted order order)" "$(decoded out.svg)"
    flamesvg -q --sort=size order >out.svg
    same "$(counted order size)" "$(decoded out.svg)"
    flamesvg -q --sort=size real >out.svg
    same "$(counted real size)" "$(decoded out.svg)"
    flamesvg -q --reverse order >out.svg
    sed 's/\(.*\);\(.*\);\(.*\) /\3;\2;\1 /; t; s/\(.*\);\(.*\) /\2;\1 /' order >reversed
    same "$(counted reversed)" "$(decoded out.svg)"
}

@test "the table has fractional counts exactly, multiplied by the smallest power of ten that makes them whole" {
    printf '%s\n' 'a 0.1' 'a;b 0.2' 'c;d 4.35' 'e 99.7' 'f 7' >fractions
    flamesvg -q fractions >out.svg
    same "$(counted fractions)" "$(decoded out.svg)"
    [ "$(number scale out.svg)" = 100 ]
    flamesvg -q --factor=0.001 in >out.svg # which multiplies what is shown, not what is counted
    [ "$(number scale out.svg)" = 1 ]
    printf '%s\n' 'a 0.1 100.3' 'b 100.2 0.3' >fractions
    flamesvg -q fractions >out.svg
    [ "$(number scale out.svg)" = 10 ]
}

@test "counts too large for the whole numbers of a script are in the table with what they are multiplied by" {
    printf '%s\n' 'a 9000000000000000000' 'b 3000000000000000000' >large
    flamesvg -q large >out.svg
    [ "$(number scale out.svg)" = '"0.0001"' ]
    same "$(counted large)" "$(decoded out.svg)"
    printf 'a %0400d\nb 5\n' 0 | tr 0 9 >huge
    flamesvg -q huge >out.svg || [ "$?" -eq 1 ]
    [ "$(decoded out.svg | wc -l)" -eq 3 ]
    flamesvg -q --total=1e300 in >out.svg
    [ "$(decoded out.svg | wc -l)" -eq 5 ]
}

@test "stacks with a count of 0 are in the table, and hide no others" {
    printf '%s\n' 'a;b 5' 'a;b-c 0' 'a;b;x 0' 'a;d;x 0' >zero
    flamesvg -q zero >out.svg
    same "$(counted zero)" "$(decoded out.svg)"
    grep -q '<title>b (5 samples, 100.00%)' out.svg
    flamesvg -q --sort=size zero >out.svg
    same "$(counted zero size)" "$(decoded out.svg)"
}

@test "--total is the root's width in the table" {
    flamesvg -q --total=150 in >out.svg
    same '0	0	150	all
1	0	100	main' "$(decoded out.svg | head -2)"
}

@test "of a comparison the table has each frame's own difference, as shown, and the full colours" {
    printf '%s\n' 'a;b 10 30' 'a;c 10 10' 'a;d;e 30 5' 'a;gone 4 0' '-;x 1 2' >two
    flamesvg -q two >out.svg
    same '0	0	47	0	all
1	0	2	0	-
2	0	2	1	x
1	2	45	0	a
2	2	30	20	b
2	32	10	0	c
2	42	5	0	d
3	42	5	-25	e
2	47	0	-4	gone' "$(decoded out.svg)"
    "$TABLE" json out.svg | tr -d ' \n' >table.json
    grep -q '"maxDelta":25,"grown":\[255,0,0\],"shrunk":\[0,0,255\]' table.json
    flamesvg -q --negate --colors=diff-cb two >out.svg
    decoded out.svg | grep -q '	-20	b$'
    decoded out.svg | grep -q '	25	e$'
    "$TABLE" json out.svg | tr -d ' \n' >table.json
    grep -q '"grown":\[230,97,1\],"shrunk":\[94,60,153\]' table.json
    flamesvg -q in >out.svg
    [ "$("$TABLE" json out.svg | grep -c '"deltas"\|"maxDelta"\|"frameFills"\|"attrs"\|"least"')" -eq 0 ]
}

@test "a frame has the same fill in the table as where it is drawn, with every palette" {
    for options in '' --hash --random --seed=7 --colors={mem,chain,java,js,perl,node,wait} '--colors=node --random'; do
        # shellcheck disable=SC2086
        flamesvg -q $options in >out.svg
        "$TABLE" decode out.svg | awk -F'\t' '{ print $5, $4 }' | sort >table
        sed -n 's/^<g><title>\([-a-z]*\) (.* fill="\(rgb[^"]*\)" rx.*/\1 \2/p' out.svg | sort >drawn
        [ "$(wc -l <drawn)" -ge 5 ]
        cmp drawn table
    done
    echo 'parse->#123456' >palette.map
    flamesvg -q --cp in >out.svg
    "$TABLE" decode out.svg | grep -q '#123456	parse$'
}

@test "--random gives the frames that are drawn the colours that the picture of flamegraph.pl has" {
    for i in $(seq 9); do
        printf 'n%s 1\nw%s 9000\n' "$i" "$i"
    done >narrow
    flamesvg -q --random narrow >out.svg
    "$COMPAT/flamegraph.pl" --random narrow >perl.svg 2>err
    for file in out perl; do
        sed -n 's/.*<title>\([a-z0-9]*\) (.* fill="\(rgb[^"]*\)" rx.*/\1 \2/p' "$file.svg" >"$file"
    done
    [ "$(wc -l <out)" -eq 10 ]
    cmp out perl
    [ "$("$TABLE" decode out.svg | wc -l)" -eq 19 ]
}

@test "kinds and packages in the table are those of stackreport" {
    {
        echo 'node;JS:*f /srv/node_modules/@a/b/x.js:1:2 1'
        echo 'node;g /srv/node_modules/lodash/get.js:7:1_[j] 2'
        echo 'node;JS:~app /srv/app.js:1:2 4'
        echo 'node;JS:*emit node:events:340:12 8'
        echo 'node;do_syscall_64_[k] 16'
        echo 'node;malloc 32'
        echo 'node;Builtin:ArrayMap 64'
    } >kinds
    flamesvg -q kinds >out.svg
    "$TABLE" json out.svg >table.json
    python3 - table.json >got <<'EOF'
import json, sys
table = json.load(open(sys.argv[1]))
digit = "0123456789ABCDEF".index
for name, kind, package in zip(table["names"], table["kinds"], table["namePackages"]):
    print(name, table["kindNames"][digit(kind)], table["kindFills"][digit(kind)], table["packages"][digit(package)],
          sep="|")
EOF
    same '||rgb(225,225,225)|
node|native|rgb(210,195,175)|(native)
Builtin:ArrayMap|V8 built-in code|rgb(245,227,107)|(builtin)
JS:*emit node:events:340:12|node library|rgb(110,197,232)|(core)
JS:*f /srv/node_modules/@a/b/x.js:1:2|node_modules|rgb(185,220,90)|@a/b
JS:~app /srv/app.js:1:2|application|rgb(110,220,110)|(app)
do_syscall_64|kernel|rgb(230,117,117)|(kernel)
g /srv/node_modules/lodash/get.js:7:1|node_modules|rgb(185,220,90)|lodash
malloc|native|rgb(210,195,175)|(native)' "$(cat got)"
    stackreport -q --by=package --format=tsv kinds | cut -f1,5 | sort -n >packages
    printf 'self\tpackage\n1\t@a/b\n2\tlodash\n4\t(app)\n8\t(core)\n16\t(kernel)\n32\t(native)\n64\t(builtin)\n' | cmp - packages
}

@test "hostile names are in the table as they are, and end neither the picture nor a script element" {
    {
        printf '%s;' ']]>' '</script><script>alert(1)</script>' '<!--' '&amp' '&#60' '"\\u0041' "\${x}'" __proto__
        printf '\x01\x1b[0m\x7f;\xff\xc0\x80\xed\xa0\x80;\xef\xbf\xbe;\xf0\x9f\x98\x80\xe2\x80\xa8;x\xe2\x80\xaegpj 100\n'
    } >hostile
    local option scripts
    for option in --sort=name --html --encoding=iso-8859-2; do
        scripts=3 # the table, the picture's script, and what starts that
        [ "$option" != --html ] || scripts=2
        flamesvg -q "$option" hostile >out
        "$TABLE" decode out | cut -f5- >got
        {
            printf '%s\n' all ']]>' '</script><script>alert(1)</script>' '<!--' '&amp' '&#60' '"\\u0041' "\${x}'" __proto__
            printf '\x01\x1b[0m\x7f\n'
            printf '\xef\xbf\xbd%.0s' 1 2 3 4 5 6
            printf '\n\xef\xbf\xbe\n\xf0\x9f\x98\x80\xe2\x80\xa8\nx<U+202E>gpj\n'
        } >wanted
        cmp wanted got
        [ "$(grep -c '</script>' out)" -eq "$scripts" ]
        sed -n '/application.json/,/<.script>/p' out >table.json
        try grep -c $'\x01\|\x1b\|\xff\|\xe2\x80\xa8' table.json
        [ "$output" = 0 ]
    done
    flamesvg -q hostile >out.svg
    well_formed out.svg
    [ "$(grep -o ']]>' out.svg | wc -l)" -eq 4 ] # style, table and two scripts
}

# A file for --lines: rows with "|" for tabs.
source_lines() { # ROW...
    printf '%s\n' 'self|self_percent|total|total_percent|inlined|line|file|note|function|source' "$@" | tr '|' '\t'
}

lines_of() { # PAGE
    "$TABLE" json "$1" | tr -d ' \n' | sed 's/.*"sourceFiles"/"sourceFiles"/'
}

@test "--lines: a page has the lines of its functions, and its policy allows their script and style" {
    source_lines '0|0.00|100|100.00|||||main|' '60|60|60|60.00|||||parse|' '|||||1|a.c||parse|{' '5|5.004|60|60.00|1|2|a.c||parse|  f();' \
        '1|1|1|1||7|b.h|newer: moved|parse|}' '1|1|1|1||9|c.c||other|x' '1|1|1|1||3|a.c||line|y' > lines
    sed 's/draw;line/draw;line_[i]/' in > marked
    answers 0 '' '' flamesvg -o out.html --lines=lines marked
    same '"sourceFiles":["a.c","b.h(newer:moved)","c.c"],"sourceLines":[[3,0,0,[[0,3,"y",100,100]]],[4,6000,6000,[[0,1,"{"],[0,2,"f();",500,6000,1],[1,7,"}",100,100]]]]}' \
        "$(lines_of out.html)"
    python3 - out.html <<'EOF'
import base64, hashlib, re, sys
page = open(sys.argv[1]).read()
texts = [text for tag in ("script", "style") for text in re.findall("<%s>(.*?)</%s>" % (tag, tag), page, re.S)]
hashes = tuple("'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
wanted = "default-src 'none'; script-src %s; style-src %s %s; base-uri 'none'; form-action 'none'" % hashes
if 'content="%s"' % wanted not in page:
    sys.exit(wanted)
EOF
}

@test "--lines reports rows that it cannot use, a file of another kind, and one without lines of the functions" {
    source_lines '1|1|1|1||3|a.c||main' '1|101|1|1||3|a.c||main|' '1||1|1||3|a.c||main|' '1|1|1|1||-3|a.c||main|' '1|1|1|1||4|a.c||main|ok' > lines
    answers 0 '*' 'flamesvg: lines:2: not ten columns
flamesvg: lines:3: not a share in percent
flamesvg: lines:4: not a share in percent
flamesvg: 4 source lines left out in all' flamesvg --html --lines=lines in
    flamesvg -q --html --lines=lines in > out.html
    same '"sourceFiles":["a.c"],"sourceLines":[[1,0,0,[[0,4,"ok",100,100]]]]}' "$(lines_of out.html)"
    answers 1 '' 'flamesvg: in: not source lines as stackreport --lines --format=tsv prints them' flamesvg --html --lines=in in
    answers 1 '' 'flamesvg: nosuch: No such file or directory' flamesvg --html --lines=nosuch in
    source_lines '1|1|1|1||3|a.c||other|x' > other
    answers 0 '*' 'flamesvg: other: no source lines of these functions' flamesvg --html --lines=other in
    answers 2 '' 'flamesvg: option --lines: only a page shows source lines: give --html*' flamesvg --lines=lines -o out.svg in
    answers 255 '' 'flamegraph.pl: option --lines: flamegraph.pl has none; use flamesvg*' "$COMPAT/flamegraph.pl" --lines=lines in
}

@test "--lines: hostile texts are in the table as they are, and long ones and long files are cut" {
    local evil=$'</script><script>alert(1)</script>\x01\x1b]]>"\\\xff\xe2\x80\xae'
    {
        source_lines "1|1|1|1||3|$evil|$evil|main|$evil"
        printf '1\t1\t1\t1\t\t4\ta.c\t\tmain\t%s\303\251%s\n' "$(printf x%.0s {1..199})" "$(printf y%.0s {1..70000})"
        yes $'\t\t\t\t\t5\ta.c\t\tmain\t' | head -n 200000
    } > lines
    answers 0 '' 'flamesvg: lines:200002: more lines than a page can have
flamesvg: lines:200003: more lines than a page can have' flamesvg --lines=lines -o out.html in
    [ "$(grep -c '</script>' out.html)" -eq 2 ]
    same '</script><script>alert(1)</script>\u0001\u001b]]>\"\\\ufffd\u202e' \
        "$(lines_of out.html | sed 's/.*"sourceLines":\[\[1,0,0,\[\[0,3,"//; s/",100,.*//')"
    same 199 "$(lines_of out.html | grep -o '4,"x*"' | tr -cd x | wc -c)"
    [ "$(wc -c < out.html)" -lt 200000 ]
}

@test "attributes of --nameattr are in the table, and what is not safe is not" {
    printf 'main\ttitle=the "entry"\thref=http://x/?a=1&amp;b=2\tclass=c\nabsent\tclass=x\n' >attr
    printf 'line\tg_extra=onclick="x()" stroke="red"\n' >>attr
    flamesvg -q --nameattr=attr in >out.svg
    "$TABLE" json out.svg | tr -d '\n' | sed 's/.*"attrs": //; s/  */ /g' >got
    same '{ "1": { "title": "the \"entry\"", "href": "http://x/?a=1&b=2", "target": "_top", "class": "c" }, "3": { "stroke": "red" } }}' \
        "$(cat got)"
}

@test "frames under a pixel are a path for each colour, on half pixels, neighbours of one colour merged" {
    {
        printf 'w;%s 1\n' a1 a2 a3 b1 c1 z1
        echo 'w 2354'
    } >narrow
    printf '%s->#111111\n' a1 a2 a3 c1 >palette.map
    printf '%s->#222222\n' b1 z1 >>palette.map
    flamesvg -q --cp narrow >out.svg # half a pixel a sample
    same '<path fill="#111111" d="M1187 37h1.5v15h-1.5zM1189 37h.5v15h-.5z"/>
<path fill="#222222" d="M1188.5 37h.5v15h-.5zM1189.5 37h.5v15h-.5z"/>' "$(sed -n '/id="mosaic"/,/<.g>/p' out.svg | sed '1d; $d')"
    [ "$(grep -c '^<g><title>' out.svg)" -eq 2 ] # the root and w
    flamesvg -q --cp --minwidth=0.6 narrow >out.svg
    [ "$(grep -c 'id="mosaic"' out.svg)" -eq 0 ]
    printf 'b1\tclass=x\n' >attr
    flamesvg -q --cp --nameattr=attr narrow >out.svg
    grep -q '^<g class="x"><title>b1 (1' out.svg
}

@test "--output FILE.html writes the page of --html" {
    flamesvg --html in >page
    for name in out.html OUT.HTM a.svg.html; do
        flamesvg -o "$name" in
        cmp "$name" page
    done
    for name in html .html x.html.svg; do
        flamesvg -o "$name" in
        well_formed "$name"
    done
}

@test "messages have numbers that a person reads" {
    printf 'a;b 12.3456789012\na;c 7.1\n' >fractions
    answers 0 '*' 'flamesvg: only 19.45 samples in total: too few to mean much
flamesvg: --total 9.877 is less than the sum 19.45: ignored' flamesvg --total=9.87654321 fractions
}

@test "of more than 500,000 frames the narrowest are left out, which a message says" {
    awk 'BEGIN { for (i = 0; i < 300000; i++) print "f" i ";g " 1 + (i % 100 == 0) * 999 }' >many
    try flamesvg many
    [ "$status" -eq 0 ]
    [[ $stderr =~ ^'flamesvg: more than 500,000 frames: those with a count under '([0-9.]{1,6})' are left out'$ ]]
    printf '%s\n' "$output" >out.svg
    least=$(number least out.svg)
    [ "$least" -ge 1 ] && [ "$least" -le 400 ]
    [ "$("$TABLE" decode out.svg | wc -l)" -eq 6001 ]
}

@test "a page has the table in gzip's format and base64, as the manual unpacks it" {
    for name in a aa aaa; do # base64 ends in another way for each
        echo "$name;b 1" | flamesvg -q --html >page
        sed -n 's/.*<script type="application.gzip">//p' page | sed 's/<.*//' | base64 -d | gzip -d >table
        [[ $(<table) == '{"names":["","'$name'","b"],'*'}' ]]
    done
}

@test "under the name flamegraph.pl there is no table, every frame is an element, and frames have no data of ours" {
    "$COMPAT/flamegraph.pl" --minwidth=0 in >out.svg 2>err
    try grep -c 'application/json\|id="mosaic"\|data-x=' out.svg
    [ "$output" = 0 ]
    [ "$(grep -c '^<g><title>' out.svg)" -eq 5 ]
    for id in details unzoom search ignorecase matched; do
        grep -q "<text id=\"$id\"" out.svg
    done
    flamesvg -q in >out.svg
    try grep -c '<text id="[dusim][^"]*[^e]"' out.svg
    [ "$output" = 0 ] # the script makes them
}

# ---- slices of time

# A recording's stacks by slices of 20 ms, in the order of time.
sliced() {
    gunzip -c "$DATA/node-http.perf.txt.gz" | stackcollapse -q --slice=20 | LC_ALL=C sort
}

@test "the page has the counts of each slice, and its frames are those of all slices together" {
    sliced >slices
    answers 0 '*' '' flamesvg --html slices
    echo "$output" >page
    same "$(<slices)" "$("$TABLE" slices page | LC_ALL=C sort)"
    sed 's/^@[^;]*;//' slices | stackcollapse >merged
    same "$(counted merged)" "$(decoded page)"
    [ "$(LC_ALL=C sort -r slices | flamesvg --html | md5sum)" = "$(md5sum <page)" ]
    flamesvg --html --sort=size slices >page
    same "$(<slices)" "$("$TABLE" slices page | LC_ALL=C sort)"
    flamesvg --html --reverse slices >page
    same "$(sed 's/.* //' slices | awk '{ n += $1 } END { print n }')" "$("$TABLE" slices page | awk '{ n += $NF } END { print n }')"
}

@test "fractional counts of slices are exact, and several lines of a stack are one" {
    printf '%s\n' '@1.200;a;b 0.5' '@1.200;a 3' '@1.300;a;b 2' '@1.200;a;b 0.25' '@7.000;a;b 1' >in
    flamesvg -q --html in >page
    same $'@1.200;a 3\n@1.200;a;b 0.75\n@1.300;a;b 2\n@7.000;a;b 1' "$("$TABLE" slices page)"
    same '[1200,100,100]' "$("$TABLE" json page | tr -d ' \n' | sed 's/.*"time":\(\[[^]]*\]\).*/\1/')"
}

@test "an SVG has all slices together, and says so; flamegraph.pl does not know them" {
    sliced >slices
    sed 's/^@[^;]*;//' slices | stackcollapse >merged
    answers 0 "$(flamesvg merged)" 'flamesvg: slices of time are merged: --html shows them' flamesvg slices
    grep -q '<title>@1.200 ' <("$COMPAT/flamegraph.pl" <(echo '@1.200;a 1'))
}

@test "a sample takes at most three and a half bytes, even where each is of a slice of its own" {
    awk 'BEGIN { srand(1); for (i = 0; i < 30000; i++) printf "@%d.%03d;node;main;f%d;g%d;h%d 1\n",
        10000 + i / 100, i % 100 * 10, rand() * 10, rand() * 50, rand() * 40 }' >in
    flamesvg -q --html in >page
    [ "$(sed 's/^@[^;]*;//' in | flamesvg -q --html | wc -c)" -gt $(($(wc -c <page) - 30000 * 7 / 2)) ]
}
