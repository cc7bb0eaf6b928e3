# The source lines of a page made with --lines.
load ../lib

# main calls parse, which has two hot lines, and draw, which has no lines.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    printf '%s\n' 'main;parse 60' 'main;draw 40' > folded
    tr '|' '\t' > lines << 'END'
self|self_percent|total|total_percent|inlined|line|file|note|function|source
60|60.00|60|60.00|||||parse|
|||||11|/srv/parse.c|newer than /srv/app: lines may have moved|parse|<b>{
45|45.00|50|50.00|1|12|/srv/parse.c|newer than /srv/app: lines may have moved|parse|    f();
|||||13|/srv/parse.c|newer than /srv/app: lines may have moved|parse|
|||||29|/srv/parse.c|newer than /srv/app: lines may have moved|parse|
15|15.00|15|15.00||30|/srv/parse.c|newer than /srv/app: lines may have moved|parse|    g();
0|0.00|100|100.00|||||main|
0|0.00|60|60.00||3|main.c|not found|main|
0|0.00|40|40.00||5|main.c|not found|main|
END
    flamesvg -q --lines=lines -o page.html folded
    # main calls parse below 200 other functions.
    awk 'BEGIN { printf "main"; for (i = 1; i <= 200; i++) printf ";f" i; print ";parse 60" }' | tee deep |
        flamesvg -q --lines=lines -o deep.html
    share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

# What is shown: a line for each row, cells between bars; in front of the hottest an asterisk.
SHOWN='eval [document.querySelector(".lines .about").textContent].concat(Array.from(document.querySelectorAll(".lines tr"),
    row => (row.className ? "*" : "") + Array.from(row.cells, cell => cell.textContent).join("|"))).join("\n")'
PARSE='parseself 60.00%, total 60.00% of the whole profile
self|total||line|
/srv/parse.c (newer than /srv/app: lines may have moved)
|||11|<b>{
*45.00%|50.00%|>|12|    f();
|||13|
⋮
|||29|
15.00%|15.00%||30|    g();'
MAIN='mainself 0.00%, total 100.00% of the whole profile
self|total||line|
main.c (not found)
*0.00%|60.00%||3|
0.00%|40.00%||5|'

@test 'a page opens with the lines of the hottest function, and shows those of a frame that is clicked or gone to' {
    says "$PARSE
$MAIN
drawhas no source lines here
$PARSE" page.html "$SHOWN" 'click main' "$SHOWN" 'click draw' "$SHOWN" 'key ArrowDown' 'key ArrowUp' 'click <[data-name="3"]>' "$SHOWN"
}

@test 'a page opens with the lines of the frame that its address zooms to' {
    browse page.html 'click main' 'eval location.search'
    says "$MAIN" "page.html$output" "$SHOWN"
}

@test 'the darker a line, the larger its total; the lines can be scrolled by keys, and fit in a narrow window' {
    says "45 13
Source lines
true" page.html 'eval [3, 7].map(n => document.querySelectorAll(".lines tr")[n].outerHTML.match(/0[.]\d\d/)[0] * 100).join(" ")' \
        'click main' 'key Tab' 'eval document.activeElement.getAttribute("aria-label")' \
        'resize 360x640' 'eval document.documentElement.scrollWidth <= 360 &&
            [".chart", ".lines", ".functions"].every(one => document.querySelector(one).clientHeight > 100)'
}

@test 'deep stacks are shown from their root, and with them the hottest lines, also in a narrow window that opens below it' {
    local end='eval (({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < 20)(document.querySelector(".chart"))'
    says "true
$PARSE" deep.html "$end" "$SHOWN"
    says "$PARSE" deep.html 'resize 500x800' "open deep.html" "$SHOWN"
}
