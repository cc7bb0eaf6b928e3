load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' 'main;parse 60' 'main;draw 30' 'main;draw;line 10' >in
}

# Fails if a line of the file matches.
lacks() { # RE FILE
    if LC_ALL=C grep "$1" "$2"; then return 1; fi
}

# The picture without the script.
markup() { # FILE
    sed '/^<script type="text/,$d' "$1"
}

# The frames of a picture, sorted: "title|x y width height|fill|text".
frames() { # FILE
    sed -n 's/^<[ag].*<title>\(.*\)<\/title><rect x="\([^"]*\)" y="\([^"]*\)" width="\([^"]*\)"'` \
        `' height="\([^"]*\)" fill="\([^"]*\)"[^>]*\/>\(<text[^>]*>\(.*\)<\/text>\)*<\/[ag]>$/\1|\2 \3 \4 \5|\6|\8/p' "$1" |
        sort
}

# The labels of the legend, one a line.
legend() { # FILE
    sed -n '/<g id="legend">/,/<\/g>/p' "$1" | grep -o 'dx="[^"]*">[^<]*' | sed 's/.*>//'
}

titles() { # FILE
    frames "$1" | cut -d'|' -f1
}

fill() { # TITLE-PREFIX FILE
    frames "$2" | awk -F'|' -v title="$1" 'index($0, title) == 1 { print $3; exit }'
}

draw() { # ARGUMENT ...   (leaves out.svg and err)
    status=0
    flamesvg "$@" >out.svg 2>err || status=$?
    [ "$status" -eq 0 ]
    well_formed out.svg
}

perl_name() { # ARGUMENT ...
    "$COMPAT/flamegraph.pl" "$@"
}

@test "frames are where flamegraph.pl draws them, with its titles, colours and texts" {
    draw in
    same 'all (100 samples, 100%)|10.0 85 1180.0 15.0|rgb(213,39,9)|
draw (40 samples, 40.00%)|10.0 53 472.0 15.0|rgb(235,141,33)|draw
line (10 samples, 10.00%)|364.0 37 118.0 15.0|rgb(224,89,21)|line
main (100 samples, 100.00%)|10.0 69 1180.0 15.0|rgb(243,179,42)|main
parse (60 samples, 60.00%)|482.0 53 708.0 15.0|rgb(231,122,29)|parse' "$(frames out.svg)"
    [ "$(cat err)" = '' ]
}

@test "standard input gives the same picture as a file, and a second run gives the same bytes" {
    draw in
    mv out.svg first
    answers 0 '*' '' bash -c 'flamesvg <in >out.svg'
    cmp first out.svg
    draw -- - <in
    cmp first out.svg
}

@test "several files make one picture, and a last line without a newline is read" {
    printf 'main;a 70' >one
    printf 'main;b 30' >two
    draw one two
    [ "$(titles out.svg | head -2)" = 'a (70 samples, 70.00%)
all (100 samples, 100%)' ]
}

@test "under both names the frames are the same" {
    draw --colors=js --inverted --hash in
    perl_name --colors=js --inverted --hash in >perl.svg
    same "$(frames perl.svg)" "$(frames out.svg)"
}

@test "lines that are not stacks are reported, counted and skipped; empty lines are ignored" {
    printf '%s\n' 'a 100' 'junk' '' 'b;c' 'a;d 1.2.3' 'd' '  ' 'a 1' 'a 1' 'a 1' >bad
    draw bad
    same 'flamesvg: bad:2: not a folded stack
flamesvg: bad:4: not a folded stack
flamesvg: bad:5: not a folded stack
flamesvg: 4 stacks, 4 lines skipped (first at line 2)' "$(cat err)"
    [ "$(titles out.svg | wc -l)" -eq 2 ]
}

@test "--strict ends with 1 if a line was skipped, after drawing the others, under both names" {
    printf '%s\n' 'a 100' 'junk' >bad
    for name in flamesvg perl_name; do
        answers 1 '*' '*1 stack, 1 line skipped (first at line 2)' "$name" --strict bad
        [[ $output == *'a (100 samples, 100.00%)'* ]]
        try "$name" --strict -q bad
        [ "$status" -eq 1 ]
        try "$name" --strict in
        [ "$status" -eq 0 ]
        try "$name" bad
        [ "$status" -eq 0 ]
    done
}

@test "lines drawn and lines skipped are all the lines, also where lines repeat a stack" {
    printf '%s\n' 'a 50' 'a 50' 'b;a 1' 'junk' 'a 50' >repeated
    draw repeated
    [[ $(cat err) == *'flamesvg: 4 stacks, 1 line skipped (first at line 4)' ]]
    draw --base='^b$' repeated
    [[ $(cat err) == *'flamesvg: 3 of 4 stacks dropped by --base'* ]]
}

@test "input without one folded stack is an error that says what it looks like" {
    flamesvg in >picture.svg
    echo '{"nodes":[{"id":1,"callFrame":{}}]}' >app.cpuprofile
    echo '<!DOCTYPE html>' >page.html
    printf '%s\n' main parse >list
    printf '%s\n' 'no such thing' 'is known' >words
    for row in 'picture.svg:looks like an SVG picture' 'app.cpuprofile:looks like a V8 CPU profile' \
        'page.html:looks like HTML' 'list:looks like a list of names without counts' \
        "words:a line is frames with ';' between them, a blank and a count"; do
        answers 1 '*ERROR: No valid input provided*' '*' flamesvg -q "${row%%:*}"
        [[ $stderr == "flamesvg: ${row%%:*}: no folded stacks: "*"${row#*:}"* ]]
    done
    answers 1 '*' 'flamesvg: standard input: no folded stacks: *' bash -c 'flamesvg -q <list'
}

@test "a file of which more than half is skipped is an error, which says what it looks like" {
    printf '%s\n' 'some words' 'of a text' 'with number 9' >text
    answers 1 '*with number (9 samples, 100.00%)*' '*' flamesvg text
    [[ $stderr == *$'\nflamesvg: text: 2 of 3 lines could not be used: is this the right file?\n'* ]]
    printf '%s\n' '{"nodes": [{' '  "id": 1,' '  "callFrame": {' '   "lineNumber": 12' '}}]}' >app.cpuprofile
    answers 1 '*(12 samples, 100.00%)*' \
        'flamesvg: app.cpuprofile: 4 of 5 lines could not be used: this looks like a V8 CPU profile (.cpuprofile), which is JSON: fold it with stackcollapse' \
        flamesvg -q app.cpuprofile
    echo '<!DOCTYPE html>' >page.html
    answers 1 '*' 'flamesvg: page.html: 1 of 1 lines could not be used: this looks like HTML: *' \
        flamesvg -q in page.html
    [[ $output == *'parse (60 samples, 60.00%)'* ]]
    try perl_name text
    [ "$status" -eq 0 ]
    [[ $stderr != *'could not be used'* ]]
}

@test "text of perf that was cut is called that, and not no stacks" {
    printf 'node 1/1 1.0: 1 cycles:\n\t7f a+0x1 (b)\n\t7f 0' >cut.perf
    answers 1 '*ERROR: No valid input provided to flamesvg.*' \
        'flamesvg: cut.perf: 2 of 3 lines could not be used: this looks like perf script text: fold it with stackcollapse
flamesvg: nothing to draw: every count is 0' flamesvg -q cut.perf
}

@test "-q does not report skipped lines" {
    printf '%s\n' 'a 100' 'junk' >bad
    draw -q bad
    [ "$(cat err)" = '' ]
}

@test "a file that does not exist is an error, and the others are drawn" {
    answers 1 '*' 'flamesvg: missing: No such file or directory' flamesvg missing in
    [[ $output == *'parse (60 samples, 60.00%)'* ]]
    answers 0 '*' 'flamegraph.pl: missing: No such file or directory' perl_name missing in
}

@test "without stacks the picture says so, and each name has its own status" {
    for input in /dev/null zero; do
        printf 'a;b 0\n' >zero
        answers 1 '*' 'flamesvg: no stacks in the input' flamesvg -q "$input"
        [[ $output == *'ERROR: No valid input provided to flamesvg.'* ]]
        printf '%s\n' "$output" >error.svg
        well_formed error.svg
        answers 2 '*ERROR: No valid input provided to flamegraph.pl.*' '*' perl_name -q "$input"
    done
}

@test "if nothing is left to draw the message says why" {
    answers 1 '*' 'flamesvg: missing: No such file or directory' flamesvg missing
    printf 'good 1 1.000000: 1 cycles:\n\t401136 leaf (/bin/good)\n\n' >perf
    answers 1 '*' 'flamesvg: perf: no folded stacks: this looks like perf script text: fold it with stackcollapse' \
        flamesvg -q perf
    answers 1 '*' 'flamesvg: 3 of 3 stacks dropped by --base
flamesvg: no stacks are left to draw' flamesvg --base=nowhere in
    answers 1 '*' 'flamesvg: no stacks in the input' flamesvg /dev/null
}

@test "fewer than a hundred samples are reported, but not a hundred of anything else" {
    printf 'a 99\n' >little
    draw little
    [ "$(cat err)" = 'flamesvg: only 99 samples in total: too few to mean much' ]
    draw --countname=bytes little
    [ "$(cat err)" = '' ]
}

@test "wrong usage ends with 2, under the Perl script's name with 255, and nothing is drawn" {
    for wrong in --bogus --width=20 --width=12x --width= --width=Auto --height=0 --fontsize=0 --fontwidth=0 --factor=0 --minwidth=x \
        --minwidth=1.2.3 --bgcolors=pink --bgcolors='#12345"' --colors=pink --notes='a<b' \
        --encoding='x" y="' --encoding=UTF-16 --base='(' --seed=-1 --truncate=middle; do
        answers 2 '' '*' flamesvg "$wrong" in
        [[ $stderr == flamesvg:* ]]
        answers 255 '' '*' perl_name "$wrong" in
    done
}

@test "--width=auto is the default, and 1200 pixels where no script runs; the Perl script's name does not have it" {
    draw in
    mv out.svg default.svg
    draw --width=auto in
    cmp default.svg out.svg
    grep -q '<svg[^>]* width="1200" .* data-follow="1"' out.svg
    draw --width=1200 in
    lacks '<svg[^>]* data-follow' out.svg
    same "$(frames default.svg)" "$(frames out.svg)"
    answers 255 '*' "flamegraph.pl: option --width: 'auto' is not a number*" perl_name --width=auto in
}

@test "--help prints every option: on standard output, under the Perl script's name on standard error" {
    answers 0 '*' '' flamesvg --help
    [[ $output == *--truncate* ]]
    answers 255 '' '*' perl_name --help
    [[ $stderr == *--truncate* ]]
}

@test "options are read as Perl reads them: one dash, any case, shortened" {
    draw -COLOR=green --inv --tit 'A title' in
    grep -q '<text id="title"[^>]*>A title</text>' out.svg
    [ "$(fill main out.svg)" = 'rgb(96,242,96)' ]
}

@test "each palette has colours of its own" {
    for palette in hot mem io wakeup chain java js perl red green blue aqua yellow purple orange node wait diff-cb; do
        draw --colors="$palette" in
        fill main out.svg
    done >fills
    [ "$(sort -u fills | wc -l)" -eq 12 ] # java, js, perl are red here, chain is blue, diff-cb hot
    [ "$(sed -n 4p fills)" = "$(sed -n 12p fills)" ] # wakeup is aqua
}

@test "java, js and perl tell frames apart by their names" {
    printf '%s\n' 'java/lang/A;b::c;k_[k];libc 100' >names
    draw --colors=java names
    [[ $(fill java/lang out.svg) == rgb\(*,2[0-9][0-9],* ]] # green
    [ "$(fill b::c out.svg)" = "$(draw --colors=yellow names && fill b::c out.svg)" ]
    printf '%s\n' '/x/y.js:1;/x/y_[j];y_[j];a:b;a::b; ;k_[k];libc 100' >names
    for pair in /x/y.js:1=green '/x/y (=green' 'y (=aqua' a:b=aqua a::b=yellow 'k (=orange' libc=red; do
        draw --colors=js names
        got=$(fill "${pair%=*}" out.svg)
        draw --colors="${pair##*=}" names
        [ "$got" = "$(fill "${pair%=*}" out.svg)" ]
    done
    printf '%s\n' 'a::b;Perl_x;x.pl;k_[k];libc 100' >names
    for pair in a::b=yellow Perl_x=green x.pl=green 'k (=orange' libc=red; do
        draw --colors=perl names
        got=$(fill "${pair%=*}" out.svg)
        draw --colors="${pair##*=}" names
        [ "$got" = "$(fill "${pair%=*}" out.svg)" ]
    done
}

@test "chain marks the frames after -- as wakers" {
    printf '%s\n' 'sleeper;read;--;waker;write 100' 'alone 10' >chained
    draw --colors=chain chained
    same 'all
alone
read
sleeper
waker
write' "$(titles out.svg | grep -v '^-' | sed 's/ (.*//')"
    [ "$(titles out.svg | grep -c '^-- ')" -eq 2 ]
    sleeper=$(fill sleeper out.svg) waker=$(fill waker out.svg)
    [ "${sleeper%,*,*}" != "${waker%,*,*}" ]
    [ "$(fill '-- ' out.svg)" = 'rgb(160,160,160)' ]
}

@test "node draws each kind of frame in its own hue, with a legend of the kinds that occur" {
    printf '%s\n' 'node;LazyCompile:*serve /srv/app.js:1;v8::internal::Run;write_[k] 100' >node
    draw --colors=node node
    legend out.svg >labels
    same 'application
V8
native
kernel' "$(cat labels)"
    [ "$(frames out.svg | cut -d'|' -f3 | sort -u | wc -l)" -eq 5 ]
    draw in
    lacks '<g id="legend">' out.svg
}

@test "node draws what stackfilter --v8-work wrote in the colours of its kinds" {
    printf '%s\n' 'a;(garbage collector) 30' 'a;(compiler) 30' 'a;(runtime) 30' 'a;(inline caches) 30' \
        'a;(regexp) 30' 'a;v8::internal::Run 30' 'a;Builtins_LoadIC 30' 'a;RegExp:x 30' >work
    draw --colors=node work
    legend out.svg >labels
    same 'regexp
V8 built-in code
V8
garbage collector
compiler
native' "$(cat labels)"
    frames out.svg >all
    grep -v '(inline\|(regexp\|(garbage\|(compiler\|Builtins\|RegExp\|^a \|^all' all >v8
    [ "$(wc -l <v8)" -eq 2 ] # V8's hue: red 235 to 255, green 170 to 200
    [ "$(grep -cE '\|rgb\((23[5-9]|24.|25[0-5]),(1[789].|200),' v8)" -eq 2 ]
}

@test "node draws what a thread waits for in a colour of its own" {
    printf '%s\n' 'a;f;[wait: futex] 30' 'a;f;[wait] 30' 'a;[not seen running] 30' 'a;[cut] 30' >waits
    draw --colors=node waits
    legend out.svg >labels
    same 'native
callers not known
waiting' "$(cat labels)"
}

@test "wait and node draw each thing that a thread waits for in a hue of its own" {
    for kind in 'run queue' futex 'kernel lock' disk network pipe process signal terminal poll sleep 'event loop' 'later kind'; do
        echo "a;f;[wait: $kind] 30"
    done >waits
    printf '%s\n' 'a;[wait] 30' 'a;[not seen running] 30' >>waits
    draw --colors=wait waits
    frames out.svg | grep '^\[' | cut -d'|' -f3 >kinds
    [ "$(wc -l <kinds)" -eq 15 ]
    [ "$(sort -u kinds | wc -l)" -ge 13 ]
    run_queue=$(fill '[wait: run queue' out.svg)
    [[ $run_queue == rgb\(2[234][0-9],[789]?,[789]?\) ]]
    lacks '<g id="legend">' out.svg
    draw --colors=node waits
    same "$run_queue" "$(fill '[wait: run queue' out.svg)"
    same "$(cat kinds)" "$(frames out.svg | grep '^\[' | cut -d'|' -f3)"
}

@test "a legend has room of its own below the title, and takes several rows if the picture is narrow" {
    printf '%s\n' 'node;LazyCompile:*serve /srv/app.js:1;v8::internal::Run;write_[k] 100' >node
    for flag in '' --inverted; do
        draw --colors=node --subtitle=below --width=200 ${flag:+"$flag"} node
        lowest=$(sed -n '/<g id="legend">/,/<\/g>/s/.*<text x="[^"]*" y="\([^"]*\)".*/\1/p' out.svg | sort -n | tail -1)
        highest=$(frames out.svg | cut -d'|' -f2 | cut -d' ' -f2 | sort -n | head -1)
        [ "${highest%.*}" -ge "${lowest%.*}" ]
    done
}

@test "--cp keeps colours in palette.map from one picture to the next" {
    draw --cp --random --seed=1 in
    [ "$(wc -l <palette.map)" -eq 5 ]
    grep -q '^parse->rgb(.*)$' palette.map
    LC_ALL=C sort -c palette.map
    frames out.svg >first
    draw --cp --random --seed=2 in
    cmp first <(frames out.svg)
    [ "$(echo palette.map*)" = palette.map ]
}

@test "palette.map gives colours and nothing else; a name may hold an arrow" {
    printf '%s\n' 'main->red' 'p->q->#123456' 'parse->url(http://x/)' 'draw->"/><script>' 'line' >palette.map
    printf 'p->q;main;parse;draw 100\n' >arrow
    draw --cp arrow
    [ "$(fill 'main (' out.svg)" = red ]
    grep -q 'fill="#123456"' out.svg
    lacks 'url(http' out.svg
    lacks 'url(http' palette.map
    [ "$(grep -c 'not name->colour' err)" -eq 3 ]
}

@test "a palette.map that is not a file is an error, and a FIFO does not hang" {
    mkdir palette.map
    answers 1 '*' '*palette.map: is not a regular file*' flamesvg --cp in
    rmdir palette.map
    mkfifo palette.map
    answers 1 '*' 'flamesvg: palette.map: is not a regular file' flamesvg -q --cp in
}

@test "a read-only palette.map stays as it is: an error if names are new, none if all have colours" {
    echo 'main->red' >palette.map
    chmod 444 palette.map
    answers 1 '*' 'flamesvg: palette.map: read-only: the colours of 4 new names are not kept' flamesvg -q --cp in
    [[ $output == *'fill="red"'* ]]
    same 'main->red' "$(cat palette.map)"
    [ "$(stat -c %a palette.map)" = 444 ]
    echo 'main 100' >known
    printf '%s\n' '->red' 'main->red' >all.map
    mv -f all.map palette.map
    chmod 444 palette.map
    draw --cp known
    same '' "$(cat err)"
    [ "$(echo palette.map*)" = palette.map ]
}

@test "a palette.map that is a link is updated where it leads, and keeps the mode of the file there" {
    mkdir shared
    echo 'main->red' >shared/colours
    chmod 640 shared/colours
    ln -s shared/colours palette.map
    draw --cp in
    [ -L palette.map ]
    [ "$(wc -l <shared/colours)" -eq 5 ]
    [ "$(stat -c %a shared/colours)" = 640 ]
    [ "$(echo shared/*)" = shared/colours ]
    rm shared/colours # the link now leads to a file that does not exist yet
    draw --cp in
    [ -L palette.map ]
    [ "$(wc -l <shared/colours)" -eq 5 ]
}

@test "a palette.map that cannot be written whole stays as it was, and nothing is left beside it" {
    echo 'main->red' >palette.map
    for i in {1..60}; do echo "a_function_with_a_long_name_$i 100"; done >many
    answers 1 '*' 'flamesvg: palette.map: not updated: File too large' \
        bash -c 'trap "" XFSZ; ulimit -f 1; flamesvg -q --cp many'
    same 'main->red' "$(cat palette.map)"
    [ "$(echo palette.map*)" = palette.map ]
}

@test "the text of a dark frame is white, of a bright one black" {
    printf '%s\n' 'main->rgb(10,20,130)' 'parse->#000080' 'draw->rgb(250,250,0)' 'line->#ffffff' >palette.map
    draw --cp in
    same 'main
parse' "$(sed -n 's/.*<text[^>]* fill="#fff">\(.*\)<\/text><\/g>/\1/p' out.svg | grep . | sort)"
}

@test "--hash gives similar names the same colours, --random the same ones for the same seed" {
    printf '%s\n' 'malloc_one_end 50' 'malloc_two_end 50' >like
    draw --hash like
    [ "$(fill malloc_one out.svg)" = "$(fill malloc_two out.svg)" ]
    draw --random like && frames out.svg >a
    draw --random like && frames out.svg >b
    draw --seed=1 like && frames out.svg >c
    draw --seed=2 like && frames out.svg >d
    cmp a b
    cmp a c
    [ "$(cat a)" != "$(cat d)" ]
}

@test "--colors=diff-cb shows a comparison in orange and purple, paler where less has changed" {
    printf '%s\n' 'a;more 10 30' 'a;some 10 15' 'a;less 40 20' 'a;same 5 5' >two
    draw --colors=diff-cb two
    [ "$(fill more out.svg)" = 'rgb(230,97,1)' ]
    [ "$(fill some out.svg)" = 'rgb(245,194,157)' ]
    [ "$(fill less out.svg)" = 'rgb(94,60,153)' ]
    [ "$(fill same out.svg)" = 'rgb(255,255,255)' ]
    grep -q '<title>less .* fill="#fff">less<' out.svg
    draw --colors=diff-cb --negate two
    [ "$(fill more out.svg)" = 'rgb(94,60,153)' ]
}

@test "a colour of palette.map has black or white text, whichever is read more easily on it" {
    for colour in navy Purple black '#008' '#000080' 'rgb(0, 0, 128)'; do
        echo "main->$colour" >palette.map
        draw --cp in
        grep -q '<title>main .* fill="#fff">main<' out.svg
    done
    for colour in white yellow orange '#ff0' lime 'hsl(0,0%,0%)' navyblue; do
        echo "main->$colour" >palette.map
        draw --cp in
        grep -q '<title>main .*<text x="[0-9.]*" y="[0-9.]*">main<' out.svg
    done
}

@test "--html writes a page, whose policy allows its own script and style and nothing else" {
    flamesvg --html --title='a <b> & "c"' --subtitle='</p>' --notes='hello -- there' --fonttype='My "font"' in >out.html
    head -1 out.html | grep -qx '<!DOCTYPE html>'
    grep -qF '<title>a &lt;b&gt; &amp; &quot;c&quot;</title>' out.html
    grep -qF '<h1 id="title">a &lt;b&gt; &amp; &quot;c&quot;</h1>' out.html
    grep -qF '<p id="subtitle">&lt;/p&gt;</p>' out.html
    grep -qF '<!-- hello - - there -->' out.html
    grep -q '<html lang="en".* data-total="100".* data-picture="html" data-fonttype="My &quot;font&quot;"' out.html
    grep -q '<noscript>.*</noscript>' out.html
    for tag in script style; do
        awk -v start="<$tag>" -v end="</$tag>" 'index($0, start) == 1 { in_it = 1; $0 = substr($0, length(start) + 1) }
            index($0, end) == 1 { in_it = 0 }
            in_it' out.html >"$tag"
        [ "$(wc -l <"$tag")" -gt 10 ]
        hash=$(python3 -c 'import base64, hashlib, sys; print(base64.b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).decode())' <"$tag")
        grep -qF "$tag-src 'sha256-$hash'; " out.html
    done
    grep -qF "content=\"default-src 'none'; script-src 'sha256-" out.html
    grep -qF "; base-uri 'none'; form-action 'none'\">" out.html
    lacks '<svg\|<?xml' out.html
}

@test "--html without stacks is a page that says so, and wrong usage with an encoding or as flamegraph.pl" {
    answers 1 '*' 'flamesvg: no stacks in the input' flamesvg --html /dev/null
    [[ $output == '<!DOCTYPE html>'*'ERROR: No valid input provided to flamesvg.'* ]]
    try flamesvg --html --encoding=latin1 in
    [ "$status" -eq 2 ]
    try flamesvg --html --encoding=koi8-r in
    [ "$status" -eq 2 ]
    [ "${stderr_lines[0]}" = 'flamesvg: option --encoding: an HTML page is always in UTF-8' ]
    flamesvg -q --html --encoding=utf-8 in >out.html
    try perl_name --html in
    [ "$status" -eq 255 ]
    [ "${stderr_lines[0]}" = 'flamegraph.pl: option --html: flamegraph.pl has none; use flamesvg' ]
}

@test "two counts are a comparison: red where there is more, blue where there is less" {
    printf '%s\n' 'a;more 10 60' 'a;less 60 10' 'a;same 30 30' >two
    draw two
    same 'a (100 samples, 100.00%; 0.00%)|10.0 53 1180.0 15.0|rgb(255,255,255)|a
all (100 samples, 100%)|10.0 69 1180.0 15.0|rgb(255,255,255)|
less (10 samples, 10.00%; -50.00%)|10.0 37 118.0 15.0|rgb(0,0,255)|less
more (60 samples, 60.00%; +50.00%)|128.0 37 708.0 15.0|rgb(255,0,0)|more
same (30 samples, 30.00%; 0.00%)|836.0 37 354.0 15.0|rgb(255,255,255)|same' "$(frames out.svg)"
    draw --negate two
    frames out.svg | grep -qF 'less (10 samples, 10.00%; +50.00%)|10.0 37 118.0 15.0|rgb(255,0,0)|less'
}

@test "--reverse merges from the leaves, --inverted draws the root at the top" {
    printf '%s\n' 'a;x 60' 'b;x 40' >leaves
    draw --reverse leaves
    titles out.svg | grep -qF 'x (100 samples'
    draw --inverted leaves
    frames out.svg | grep -q '^all .*|10.0 36 '
    grep -q '>Icicle Graph</text>' out.svg
}

@test "a function is one frame also where another's name begins with its own; flamegraph.pl draws it on either side" {
    printf '%s\n' 'm;f 10' 'm;f.c;x 5' 'm;f;b 20' >sorted
    printf '%s\n' 'm;f;b 20' 'm;f 10' 'm;f.c;x 5' >unsorted
    printf '%s\n' 'f;m 10' 'x;f.c;m 5' 'b;f;m 20' >reversed
    for options in sorted unsorted '--colors=chain sorted' '--reverse reversed'; do
        # shellcheck disable=SC2086 # several words
        draw $options
        titles out.svg >all
        [ "$(grep -c '^f (30 samples' all)" -eq 1 ]
        [ "$(grep -c '^f (' all)" -eq 1 ]
    done
    perl_name sorted >out.svg
    titles out.svg >all
    grep -q '^f (10 samples' all
    grep -q '^f (20 samples' all
}

@test "--reverse keeps numbers in names; flamegraph.pl reads one at the end of a reversed line as a count" {
    printf '%s\n' 'x 7;b 3' 'x 9;b 97' >numbers
    draw --reverse numbers
    same 'all (100 samples, 100%)
b (100 samples, 100.00%)
x 7 (3 samples, 3.00%)
x 9 (97 samples, 97.00%)' "$(titles out.svg)"
    "$COMPAT/flamegraph.pl" --reverse numbers >out.svg
    same 'all (100 samples, 100%)
b (100 samples, 100.00%; 0.00%)
x (100 samples, 100.00%; -4.00%)' "$(titles out.svg)"
}

@test "a name that ends in a number is not a second count where another line has one count only" {
    printf '%s\n' 'a;Thread 5 20' 'b 80' >numbers
    draw numbers
    same 'Thread 5 (20 samples, 20.00%)
a (20 samples, 20.00%)
all (100 samples, 100%)
b (80 samples, 80.00%)' "$(titles out.svg)"
    same "$(stackcollapse numbers)" "$(stackfilter numbers)"
}

@test "--flamechart keeps the order of the input and merges only neighbours" {
    printf '%s\n' 'b 50' 'a 30' 'b 20' >series
    draw --flamechart series
    same 'a (30 samples
b (20 samples
b (50 samples' "$(titles out.svg | sed 's/,.*//; /^all/d')"
    grep -q '>Flame Chart</text>' out.svg
    answers 2 '' '*' flamesvg --flamechart --sort=size series
}

@test "--sort=size draws the largest frame of each caller first, with its callees" {
    printf '%s\n' 'a;x 10' 'b;y 20' 'b;z 50' 'c 20' >sizes
    draw --sort=size sizes
    same 'b 10.0 826.0
z 10.0 590.0
y 600.0 236.0
c 836.0 236.0
a 1072.0 118.0
x 1072.0 118.0' "$(frames out.svg | sed 's/^\(.\) ([^|]*|\([^ ]*\) [^ ]* \([^ ]*\) .*/\1 \2 \3/; /^all/d' |
        sort -k2,2n -k3,3nr -k1,1)"
}

@test "--base begins stacks at the first frame that matches, and counts those without one" {
    printf '%s\n' 'start;init;main;a 40' 'thread;main;b;main 50' 'idle 10' >bases
    draw --base='^main$' bases
    same 'a (40 samples, 44.44%)
all (90 samples, 100%)
b (50 samples, 55.56%)
main (50 samples, 55.56%)
main (90 samples, 100.00%)' "$(titles out.svg)"
    [[ $(cat err) == *'1 of 3 stacks dropped by --base'* ]]
}

@test "a name is cut at the end that --truncate names, between characters" {
    printf 'été_abcdefgh_fin 10\nrest 90\n' >long
    draw --width=820 long
    frames out.svg | grep -q '|été_abcde\.\.$'
    draw --width=820 --truncate=left long
    frames out.svg | grep -q '|\.\.defgh_fin$'
}

@test "the suffixes of stackcollapse --all colour a frame and are not shown" {
    printf 'a_[k];b_[j];c_[i];d_[w];e_[x] 100\n' >marks
    draw marks
    same 'a,b,c,d,e_[x]' "$(frames out.svg | cut -d'|' -f4 | grep . | paste -sd,)"
}

@test "--total sets the count of the whole width, and is ignored with a message if it is too small" {
    draw --total=200 in
    titles out.svg | grep -qF 'parse (60 samples, 30.00%)'
    titles out.svg | grep -qF 'all (200 samples, 100%)'
    draw --total=50 in
    titles out.svg | grep -qF 'parse (60 samples, 60.00%)'
    [ "$(cat err)" = 'flamesvg: --total 50 is less than the sum 100: ignored' ]
    printf 'a 12345678\n' >large
    draw --total=1234567 large
    [ "$(cat err)" = 'flamesvg: --total 1,234,567 is less than the sum 12,345,678: ignored' ]
    draw --total=1 in
    [ "$(cat err)" = 'flamesvg: --total 1 is less than the sum 100: ignored' ]
    draw --total=-5 in
    [ "$(cat err)" = 'flamesvg: --total -5 is less than the sum 100: ignored' ]
}

@test "as flamegraph.pl, a --total below a fiftieth of the sum is ignored without a message" {
    answers 0 '*' '' perl_name --total=1 in
    answers 0 '*' 'flamegraph.pl: --total 50 is less than the sum 100: ignored' perl_name --total=50 in
}

@test "--factor multiplies the counts shown and changes no width" {
    draw --factor=2.5 --countname=ms in
    frames out.svg | grep -qF 'parse (150 ms, 60.00%)|482.0 53 708.0'
}

@test "counts of time and of bytes are shown in the unit that suits their size, with three digits" {
    printf '%s\n' 'a 999' 'b 999499' 'c 999500' 'd 9994' 'e 9995' 'f 2140000000' 'g 5943887728000' >sizes
    printf '%s\tclass=x\n' a b c d e f >attr # so that they are elements, with a title, although narrow
    draw --minwidth=0 --nameattr=attr --countname=ns sizes
    same 'a (999 ns
b (999 µs
c (1.00 ms
d (9.99 µs
e (10.0 µs
f (2.14 s
g (5,944 s' "$(titles out.svg | grep -v ^all | cut -d, -f1,2 | sed 's/, [0-9.]*%.*//')"
    grep -q 'data-countname="ns" data-units="ns µs ms s"' out.svg
    draw --minwidth=0 --nameattr=attr --countname=bytes sizes
    same 'a (999 bytes
b (999 kB
c (1.00 MB
d (9.99 kB
e (10.0 kB
f (2.14 GB
g (5.94 TB' "$(titles out.svg | grep -v ^all | cut -d, -f1,2 | sed 's/, [0-9.]*%.*//')"
    draw --minwidth=0 --nameattr=attr --countname=us sizes
    titles out.svg | grep -qF 'a (999 µs, 0.00%)'
    titles out.svg | grep -qF 'f (2,140 s, 0.04%)'
    draw --minwidth=0 --nameattr=attr --countname=ms --factor=0.000001 sizes
    titles out.svg | grep -qF 'f (2.14 s, 0.04%)'
    titles out.svg | grep -qF 'a (999 ns, 0.00%)'
}

@test "under the Perl script's name, and with any other word, --countname is a word alone" {
    printf 'f 2140000000\n' >long
    perl_name --countname=ns long >out.svg
    titles out.svg | grep -qF 'f (2,140,000,000 ns, 100.00%)'
    draw --countname=cycles long
    titles out.svg | grep -qF 'f (2,140,000,000 cycles, 100.00%)'
    lacks 'data-units=' out.svg
}

@test "fractional counts add up" {
    printf '%s\n' 'a 0.1' 'b 0.2' 'c 99.7' >fractions
    draw fractions
    titles out.svg | grep -qF 'all (100 samples, 100%)'
    frames out.svg | grep -q '^c (99.7 samples, 99.70%)|13.5 .* 1176.5 '
}

@test "counts too large for any number are drawn" {
    printf 'a %0400d\nb 5\n' 0 | tr 0 9 >huge
    draw huge || [ "$status" -eq 1 ]
    well_formed out.svg
    markup out.svg >shown
    lacks '"-*nan"\|"-*inf"' shown
    titles out.svg | grep -q '^a '
}

@test "--minwidth leaves out narrower frames, in pixels or percent, and the picture becomes lower" {
    for width in 200 '15%'; do
        draw --minwidth="$width" in
        titles out.svg >shown
        lacks '^line' shown
        grep -q '<svg[^>]* height="118"' out.svg
    done
    draw --minwidth=100 in
    titles out.svg | grep -q '^line'
}

@test "sizes, fonts, background and subtitle are those of the options" {
    draw --width=800 --height=24 --fontsize=20 --fonttype='DejaVu Sans' --bgcolors='#123456' --subtitle=sub in
    grep -q '<svg[^>]* width="800" height="246" viewBox="0 0 800 246"[^>]* font-family="DejaVu Sans, sans-serif" font-size="20"' out.svg
    [ "$(grep -c 'stop-color="#123456"' out.svg)" -eq 2 ]
    grep -q '<text id="subtitle" x="400.00" y="80"[^>]*>sub</text>' out.svg
}

# The second heading of a picture.
subtitle() { # FILE
    sed -n 's,^<text id="subtitle"[^>]*>\(.*\)</text>$,\1,p; s,^<p id="subtitle">\(.*\)</p>$,\1,p' "$1"
}

@test "the second heading says how much code has no names, and how to get them" {
    local note='30 % of samples are in JavaScript without names: stackrecord and flamepipe read the names from the memory of node, if they may; for perf start node with --perf-basic-prof'
    local js='(JavaScript without names)' java='(Java without names)'
    # A stack counts once, and all runtimes but the largest are left out.
    printf '%s\n' 'a;main 60' "a;$js;f;$js 20" "a;g;$js 10" "java;$java 10" >nameless
    draw nameless
    same "$note" "$(subtitle out.svg)"
    [ ! -s err ]
    for options in --html --inverted --reverse --flamechart '--sort=size' '--colors=node -q'; do
        # shellcheck disable=SC2086
        flamesvg $options nameless >out.svg
        same "$note" "$(subtitle out.svg)"
    done
    draw --subtitle='a &amp; b' nameless
    same "a &amp; b; $note" "$(subtitle out.svg)"
    draw --countname=us nameless
    same "${note/of samples are/is}" "$(subtitle out.svg)"
    draw --total=200 nameless
    same "${note/30/15}" "$(subtitle out.svg)"
    same '' "$(perl_name nameless | subtitle -)"
    same 's' "$(perl_name --subtitle s nameless | subtitle -)"
}

@test "each runtime has its advice in the second heading, and a twentieth without names is too little for one" {
    local name advice
    while IFS=: read -r name advice; do
        printf 'a;(%s without names)_[j] 10\n' "$name" >nameless
        flamesvg -q nameless >out.svg
        same "100 % of samples are in $name without names:$advice" "$(subtitle out.svg)"
    done <<'END'
Java: before java ends run jcmd PID Compiler.perfmap (JDK 17 or later) or perf-map-agent
Python: python (3.12 or later) names its functions with -X perf
Ruby: ruby (3.3 or later) names what YJIT compiles with --yjit-perf
PHP: php (8.0 or later) names what its JIT compiles with -d opcache.jit_debug=0x10
Erlang: start Erlang (OTP 24 or later) with +JPperf true, or with that in ERL_FLAGS
LuaJIT: luajit names its code only if it was built with -DLUAJIT_USE_PERFTOOLS: draw what its own profiler prints (luajit -jp=Gf)
Deno: start deno with DENO_V8_FLAGS=--perf-basic-prof,--interpreted-frames-native-stack in its environment
Bun: start bun with BUN_JSC_useJITDump=1 and BUN_JSC_jitDumpDirectory=DIR in its environment
.NET: start .NET with DOTNET_PerfMapEnabled=1 in its environment
JIT-compiled code: let the program write a perf map, /tmp/perf-PID.map (node --perf-basic-prof, java with jcmd PID Compiler.perfmap, ...)
END
    printf '%s\n' 'a;main 95' 'a;main;(Java without names) 5' >nameless
    draw nameless
    same '' "$(subtitle out.svg)"
}

# The titles of the frames that are grey, but for the root.
grey() { # FILE
    frames "$1" | sed -n 's/^\([^|]*\) ([^|]*|[^|]*|rgb(\([0-9]*\),\2,\2)|.*/\1/p' | sed '/^all$/d'
}

@test "what is no function is grey in every palette, but not under flamegraph.pl's name" {
    local colours
    printf '%s\n' '[lost];f 5' '[cut];(Java without names) 5' >marks
    for colours in hot java js wait node red diff-cb; do
        flamesvg -q --colors=$colours marks >out.svg
        same '(Java without names)
[cut]
[lost]' "$(grey out.svg | LC_ALL=C sort)"
        [ $colours = node ] || same '' "$(perl_name --colors=$colours marks 2>err | grey -)"
    done
    draw --colors=node marks
    same 'native
without names
callers not known' "$(legend out.svg)"
}

@test "the frames of an icicle graph begin below its subtitle, under flamegraph.pl's name where that puts them" {
    draw --inverted --subtitle=sub in
    grep -q '<text id="subtitle" [^>]*y="48"' out.svg
    same 60 "$(frames out.svg | cut -d'|' -f2 | cut -d' ' -f2 | sort -n | head -1 | cut -d. -f1)"
    perl_name --inverted --subtitle=sub in > perl.svg
    same 36 "$(frames perl.svg | cut -d'|' -f2 | cut -d' ' -f2 | sort -n | head -1 | cut -d. -f1)"
}

@test "the script finds its data on the root" {
    draw --nametype=Method: --countname=ms --truncate=left --inverted --height=20 --factor=2 in
    for data in xpad='"10"' fontsize='"12"' fontwidth='"0.59"' inverted='"1"' nametype='"Method:"' countname='"ms"' \
        total='"100"' truncate='"left"' rowheight='"20"' factor='"2"' width='"1200"' top='"36"' bottom='"34"' \
        picture='"svg"' follow='"1"' dark='"1"'; do
        grep -q "<svg[^>]* data-$data" out.svg
    done
    lacks '<svg[^>]* data-flamechart' out.svg
    draw --flamechart --reverse --width=900 --bgcolors=blue --subtitle=sub in
    for data in flamechart='"1"' reverse='"1"' width='"900"' top='"61"'; do # the topmost row, below the subtitle
        grep -q "<svg[^>]* data-$data" out.svg
    done
    grep -q '<title>[a-z]* .*<rect x="[0-9.]*" y="61"' out.svg
    lacks '<svg[^>]* data-\(dark\|follow\)' out.svg
    perl_name in >out.svg
    grep -q '<svg[^>]* data-picture="perl"' out.svg
}

@test "any bytes give a well-formed picture, with U+FFFD for those that XML does not allow" {
    printf 'a\0b;c\xff\xfe;\xed\xa0\x80;\xef\xbf\xbe;\x01\x1b[0m;ok 100\n' >bytes
    draw bytes
    titles out.svg | grep -qF $'a\xef\xbf\xbdb ('
    titles out.svg | grep -qF $'c\xef\xbf\xbd\xef\xbf\xbd ('
    lacks $'\x01\|\x1b\|\xff\|\xed\xa0\x80\|\xef\xbf\xbe' out.svg
}

@test "characters that control the direction of text are visible, under the Perl script's name as they are" {
    printf 'x\xe2\x80\xaegpj;\xd8\x9ca\xe2\x81\xa9;\xe2\x82\xac\xd8\x9d 100\n' >bidi
    draw bidi
    titles out.svg >shown
    grep -qF 'x<U+202E>gpj (' <(sed 's/&lt;/</g; s/&gt;/>/g' shown)
    grep -qF '<U+061C>a<U+2069> (' <(sed 's/&lt;/</g; s/&gt;/>/g' shown)
    grep -qF $'\xe2\x82\xac\xd8\x9d (' shown
    perl_name bidi >out.svg
    titles out.svg | grep -qF $'x\xe2\x80\xaegpj ('
}

@test "a frame too narrow for a letter and two dots has no text, except under the Perl script's name" {
    printf '%s\n' 'wide 1000' 'narrow 5' >narrow
    draw narrow
    lacks '<title>narrow .*<text' out.svg
    grep -q '<title>wide .*<text' out.svg
    perl_name narrow >out.svg
    grep -q '<title>narrow .*<text' out.svg
}

@test "names and option texts are text, never markup or script" {
    evil='"><script>alert(1)</script>]]>&<!--'
    printf '%s\n' "$evil 100" >evil
    draw --title="$evil" --subtitle="$evil" --countname="$evil" --nametype="$evil" \
        --fonttype="$evil" evil
    [ "$(grep -c '<script' out.svg)" -eq 3 ] # with the table
    [ "$(markup out.svg | grep -o 'alert(1)' | wc -l)" -eq 10 ] # 6 in options, 3 of the frame, 1 in the table
    sed '1,/^<script type="text/d' out.svg >script
    lacks alert script
}

@test "a reference in an option's text is its character, as in flamegraph.pl" {
    draw --title='a &amp; b &#233; &bogus; & c' in
    grep -qF '>a &amp; b é &amp;bogus; &amp; c</text>' out.svg
}

@test "CR LF ends a line" {
    printf 'a;b 50\r\na;c 60\r\n' >crlf
    draw crlf
    titles out.svg | grep -qF 'all (110 samples, 100%)'
    [ "$(cat err)" = '' ]
}

@test "with an --encoding other than UTF-8 characters outside of ASCII become references" {
    printf 'caf\xc3\xa9 100\n' >accent
    draw --encoding=ISO-8859-1 accent
    head -1 out.svg | grep -q 'encoding="ISO-8859-1"'
    grep -qF '>caf&#233; (100' out.svg
    lacks $'[\x80-\xff]' out.svg
    draw --encoding=utf-8 accent
    grep -qF '>café (100' out.svg
}

@test "--nameattr gives titles, links and attributes" {
    printf 'main\ttitle=the entry\thref=http://x/?a=1&amp;b=2\ttarget=_blank\ta_extra=rel="external"\tclass=c\n' >attr
    printf 'parse\tid=p\tg_extra=stroke="green" stroke-width='\''2'\''\nline\thref=/y\n' >>attr
    draw --nameattr=attr in
    grep -q '^<a xlink:href="http://x/?a=1&amp;b=2" target="_blank" rel="external" class="c"><title>the entry</title>' out.svg
    grep -q '^<g id="p" stroke="green" stroke-width="2"><title>parse (' out.svg
    grep -q '^<a xlink:href="/y" target="_top"><title>line (' out.svg
    [ "$(cat err)" = '' ]
}

@test "--nameattr leaves out script and what is not well-formed, and reports it" {
    {
        printf 'main\tg_extra=onclick="alert(1)" fill="red"\thref=java\tclass=a"b<c\n'
        printf 'draw\thref= Java&#115;cript:alert(1)\n'
        printf 'parse\tg_extra=x="1" x="2" foo:y="3" xmlns="z" broken="\n'
        printf 'no tab\n'
    } >attr
    try flamesvg --nameattr=attr in
    [ "$status" -eq 0 ]
    printf '%s\n' "$output" >out.svg
    well_formed out.svg
    markup out.svg >shown
    lacks 'onclick\|cript:' shown
    grep -q '^<a xlink:href="java" target="_top" class="a&quot;b&lt;c" fill="red"><title>main' out.svg
    grep -q '^<g><title>draw (' out.svg
    grep -q '^<g x="1"><title>parse (' out.svg
    [ "${stderr_lines[0]}" = "flamesvg: attr:1: attribute not allowed: 'onclick'" ]
    [ "${stderr_lines[1]}" = "flamesvg: attr:2: link not allowed, only http:, https:, mailto: and relative ones: ' Javascript:alert(1)'" ]
    [[ $stderr == *'7 attributes left out in all' ]]
}

@test "--nameattr allows links with http, https and mailto and relative ones, and no others" {
    links='http://x/ HTTPS://x/?a:b mailto:a@b.c #part page.html ../a/b:c //host/x ?q=javascript:x'
    others='file:///etc/passwd FILE:x javascript:x() data:text/html,x ftp://x/ blob:x about:blank view-source:http://x x.js:12'
    for link in $links; do
        printf 'main\thref=%s\n' "$link" >attr
        draw --nameattr=attr in
        grep -qF "<a xlink:href=\"$link\"" out.svg
    done
    for link in $others $' \x01file:x' 'ht&#9;tp&#10;s&#58;x' 'fi&#9;le:x'; do
        printf 'main\thref=%s\ta_extra=x="1"\nparse\thref=/y\ta_extra=href="%s"\n' "$link" "$link" >attr
        draw -q --nameattr=attr in
        case $link in
        ht*) grep -q '<a xlink:href="ht' out.svg ;;
        *) [ "$(markup out.svg | grep -c 'href=')" -eq 1 ] ;;
        esac
    done
}

@test "--nameattr leaves out attributes that could make a browser fetch something" {
    for value in 'background:url(http://x/)' 'fill: URL( #f )' 'a:u\72l(http://x/)' 'a:ur/**/l(x)' 'a:&#117;rl(x)' \
        'a:image-set(&quot;http://x/&quot; 1x)' 'a:-webkit-image-set(x)' 'a:image(x)' 'a:src(x)'; do
        printf 'main\tg_extra=style="%s" fill="%s" rx="3"\tclass=%s\n' "$value" "$value" "$value" >attr
        answers 0 '*' 'flamesvg: attr:1: value not allowed, it could fetch something: *' flamesvg --nameattr=attr in
        [[ $output == *$'\n<g rx="3"><title>main ('* ]]
    done
    printf 'main\tg_extra=style="stroke:rgb(1,2,3);transform:scale(2)"\n' >attr
    draw --nameattr=attr in
    grep -qF '<g style="stroke:rgb(1,2,3);transform:scale(2)"><title>main (' out.svg
    same '' "$(cat err)"
}

@test "a --nameattr file that cannot be read ends with 1, under the Perl script's name with 2" {
    answers 1 '' 'flamesvg: missing: No such file or directory' flamesvg --nameattr=missing in
    try perl_name --nameattr=missing in
    [ "$status" -eq 2 ]
}

@test "notes are a comment, whatever dashes they hold" {
    draw --notes='run 7 -- fast---' in
    grep -qF '<!-- run 7 - - fast- - - -->' out.svg
}

@test "marks of async-profiler are not shown, except under the name flamegraph.pl, which knows fewer" {
    printf 'run_[0];hot_[1];jit_[j] 100\n' > in
    answers 0 '*' '' flamesvg -q in
    [[ $output == *'<title>run ('*'<title>hot ('*'<title>jit ('* ]]
    answers 0 '*' '' "$COMPAT/flamegraph.pl" in
    [[ $output == *'<title>run_[0] ('* && $output == *'<title>hot_[1] ('* && $output == *'<title>jit ('* ]]
}

# ---- --output

@test "--output replaces a file when the whole picture is written, and keeps its mode" {
    echo old >out.svg
    chmod 640 out.svg
    ln out.svg second
    answers 0 '*' '' flamesvg -q -o out.svg in
    [ -z "$output$stderr" ]
    cmp out.svg <(flamesvg -q in)
    same old "$(cat second)" # it was not written in place
    [ "$(stat -c %a out.svg)" = 640 ]
    (umask 027 && flamesvg -q -o new.svg in)
    [ "$(stat -c %a new.svg)" = 640 ]
    cmp new.svg out.svg
    same '' "$(find . -name '.flamesvg*')"
}

@test "--output leaves the old file where nothing can be drawn or written" {
    echo old >out.svg
    answers 1 '' 'flamesvg: no stacks in the input' flamesvg -q -o out.svg /dev/null
    answers 1 '*' 'flamesvg: out.svg: File too large' sh -c 'ulimit -f 1; trap "" XFSZ; exec flamesvg -q -o out.svg in'
    same old "$(cat out.svg)"
    same '' "$(find . -name '.flamesvg*')"
    answers 1 '*' 'flamesvg: /dev/full: No space left on device' flamesvg -q -o /dev/full in
    answers 1 '*' 'flamesvg: nowhere/out.svg: No such file or directory' flamesvg -q -o nowhere/out.svg in
    mkdir folder
    answers 1 '*' 'flamesvg: folder: Is a directory' flamesvg -q -o folder in
}

@test "--output writes standard output, a FIFO and the target of a link as they are" {
    flamesvg -q in >wanted
    for name in - /dev/stdout /proc/self/fd/1; do
        flamesvg -q -o $name in >out.svg
        cmp wanted out.svg
        flamesvg -q -o $name in | cmp wanted -
    done
    mkfifo fifo
    flamesvg -q -o fifo in &
    cmp wanted fifo
    mkdir folder
    ln -s folder/there first
    ln -s first second
    flamesvg -q -o second in
    [ -L first ] && [ -L second ]
    cmp wanted folder/there
    ln -s loop loop
    try flamesvg -q -o loop in
    [[ $stderr == 'flamesvg: loop: '*ymbolic\ link* ]] # the C library's words
}

@test "--output follows no link of another user, and opens no FIFO" {
    [ "$(id -u)" = 0 ] || skip 'only root can make links of another user'
    echo old >target
    ln -s target link
    mkfifo fifo
    chown -h 65534 link fifo
    answers 1 '*' "flamesvg: link: is another user's symbolic link, which is not followed" flamesvg -q -o link in
    answers 1 '*' "flamesvg: fifo: is another user's FIFO" flamesvg -q -o fifo in
    same old "$(cat target)"
}

@test "--output writes a file in place where its folder is not to be written, and no read-only file" {
    as_user=()
    [ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    mkdir folder
    printf 'old%.0s' {1..9999} >folder/out.svg
    echo old >folder/fixed.svg
    let_others_in
    chmod 777 . folder
    chmod 666 folder/out.svg
    chmod 444 folder/fixed.svg
    chmod 555 folder
    answers 0 '*' '' "${as_user[@]}" flamesvg -q -o folder/out.svg in
    cmp folder/out.svg <(flamesvg -q in)
    try "${as_user[@]}" flamesvg -q -o folder/fixed.svg in
    chmod 755 folder
    [ "$status" -eq 1 ]
    same 'flamesvg: folder/fixed.svg: Permission denied' "$stderr"
    same old "$(cat folder/fixed.svg)"
}

@test "flamegraph.pl has no --output" {
    try "$COMPAT/flamegraph.pl" --output=x in
    [ "$status" -eq 255 ]
    [ ! -e x ]
}

@test "flamesvg --cp neither reads nor writes where another user's palette.map leads" {
    [ "$(id -u)" -eq 0 ] || skip "needs root, to make the other user's link"
    local theirs=65534
    mkdir -m 1777 shared
    cd shared
    echo 'a->#123456' > ../secret
    printf 'a;b 1000\n' > in
    ln -s ../secret palette.map
    chown -h "$theirs" palette.map
    answers 1 '*' "flamesvg: palette.map: is another user's symbolic link, which is not followed" flamesvg --cp in
    [[ $output != *123456* ]]
    same 'a->#123456' "$(cat ../secret)"
    ln -sfn ../none palette.map
    chown -h "$theirs" palette.map
    try flamesvg --cp in
    [ "$status" -eq 1 ]
    [ ! -e ../none ]
    chown -h root palette.map # our own
    try flamesvg --cp in
    [ "$status" -eq 0 ]
    [ -s ../none ]
    ln -sfn second palette.map
    ln -s ../secret second # where ours leads there is one of theirs
    chown -h "$theirs" second
    answers 1 '*' "flamesvg: palette.map: is another user's symbolic link, which is not followed" flamesvg --cp in
    same 'a->#123456' "$(cat ../secret)"
}
