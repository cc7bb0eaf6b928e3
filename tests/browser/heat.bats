# The heat map of a page, and the ranges of time that are chosen in it.
load ../lib

# 20 seconds from 100 on: a sample every 10 ms, and three bursts of 50 ms with 200 samples each.
recording() {
    awk 'function put(time, leaf) {
            printf "node 7/7 [000] %.6f: 1 cycles:\n\t30 %s (/app)\n\t20 %s (/app)\n\t10 main (/app)\n\n", time, leaf, leaf ~ /burst/ ? "handle" : "loop" i % 4
        }
        BEGIN {
            for (i = 0; i < 2000; i++)
                put(100 + i / 100, i % 7 < 4 ? "parse" : "render")
            for (n = split("103.4 109.12 115.7", start); n > 0; n--)
                for (i = 0; i < 200; i++)
                    put(start[n] + i / 4000, "burst" n)
        }'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    recording > perf.txt
    stackcollapse --slice=20 perf.txt | flamesvg --html > page.html
    TZ=Asia/Tokyo share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

# The self and total counts of functions: of the page, and of folded stacks.
FUNCTIONS='eval document.documentElement.flame.functions().map(f => [f.self, f.total, f.name].join(" ")).sort().join("\n")'
functions_of() { # FOLDED
    stackreport --no-comm "$1" | awk 'NR > 1 { print $1, $3, $6 }' | LC_ALL=C sort
}

# What perf-script --time of a printed range gives.
stacks_of() { # RANGE
    perf-script --time "$1" perf.txt | stackcollapse
}

RANGES='text <.ranges>'

@test 'bursts of 50 ms are the hot cells' {
    says '103.400 103.420 103.440 109.120 109.140 109.160 115.700 115.720 115.740' page.html \
        'eval document.documentElement.flame.cells().filter(c => c.count > 10).map(c => c.time.split(",")[0]).join(" ")'
}

@test 'a dragged range shows the functions of that range alone, as perf-script --time does' {
    browse page.html 'drag 150 185' "$RANGES" "$FUNCTIONS"
    same '' "$stderr"
    [[ ${lines[0]} == *'3.000 s to 3.720 s: 272 samples (--time 103.000,103.719999999)' ]]
    same "$(functions_of <(stacks_of 103.000,103.719999999))" "$(tail -n +2 <<< "$output")"
}

@test 'a second range with Ctrl is compared with the first, as stackdiff does' {
    browse page.html 'drag 150 185' 'ctrl-drag 470 455' "$RANGES" \
        'eval document.documentElement.flame.functions().map(f => [f.name, f.total.toFixed(0), f.change.toFixed(3), f.margin.toFixed(2)].join(" ")).sort().join("\n")'
    same '' "$stderr"
    [[ ${lines[0]} == *'before: 3.000 s to 3.720 s: 272 samples'*'after: 9.100 s to 9.420 s: 232 samples (--time 109.100,109.419999999)'* ]]
    stacks_of 103.000,103.719999999 > before
    stacks_of 109.100,109.419999999 > after
    stackdiff -q --format=json before after | sed -n 's/^{"name":"\(.*\)","before":\(.*\),"before_percent.*"after":\(.*\),"after_percent.*"margin_points":\([^,]*\).*/\1 \2 \3 \4/p' |
        awk '{ printf "%s %d %.3f %s\n", $1, $3, $3 - $2 * 232 / 272, $4 }' | sed 's/ -0.000 / 0.000 /' | LC_ALL=C sort > wanted
    same "$(< wanted)" "$(tail -n +2 <<< "$output" | sed 's/ -0.000 / 0.000 /')"
}

@test 'where counts are times, none of the change of two ranges is chance' {
    stackcollapse --slice=20 perf.txt | flamesvg --html --countname us > time.html
    says '0|■ grew, ■ shrank' time.html 'drag 150 185' 'ctrl-drag 470 455' \
        'eval document.documentElement.flame.functions().filter(f => f.margin > 0).length + "|" + document.querySelector(".strip .ranges > span").innerText.replace(/; gone.*/, "")'
}

@test 'two clicks choose a range, Back undoes it, and its address shows it again' {
    says $'?t=109.120%2C109.139999999\nall burst2 handle main node\n?t=109.120%2C109.139999999' page.html \
        'click-cell 456' 'click-cell 456' address 'click burst2' frames back address back address
    says 'all burst2 handle loop0 loop1 main node parse parse' \
        'page.html?t=109.120%2C109.139999999' frames
}

@test 'the keys choose ranges: t, arrows, Enter twice, and with Ctrl one to compare; Escape shows all' {
    browse page.html 'key t' 'key ArrowRight' 'key ArrowUp' 'key Enter' 'key ArrowRight' 'key Enter' "$RANGES" \
        'key Home' 'key Enter' 'key ArrowUp' 'key Ctrl-Enter' "$RANGES" 'key Escape' "$RANGES" address
    same '' "$stderr"
    [[ ${lines[0]} == *'0.220 s to 0.440 s: 22 samples'* ]]
    [[ ${lines[1]} == *'before: 0.220 s to 0.440 s'*'after: 0.000 s to 0.040 s: 4 samples'* ]]
    [[ ${lines[2]} == *'Drag, or click twice'* ]]
}

# Where the last column ends, as a share of the heat map's width, and whether all cells are at least 3 by 2 pixels.
COLUMNS='eval (cells => { const at = document.querySelector(".heat canvas").getBoundingClientRect();
    const size = cells[0].size; return ((2 * (cells.at(-1).x - at.left) + size.width) / (2 * at.width)).toFixed(3) + " " + (size.width >= 3 && size.height >= 2);
    })(document.documentElement.flame.cells())'

@test 'the columns of a recording of any length take the width that there is, and each cell can be seen' {
    for seconds in 0.3 10 45 7200; do
        for length in 20 1000; do
            awk -v seconds="$seconds" -v step=$((length / 20)) 'BEGIN {
                for (time = 0; time < seconds; time += seconds / 100)
                    printf "node 7/7 [000] %.6f: 1 cycles:\n\t20 f (/app)\n\n", 100 + time
            }' | stackcollapse --slice="$length" | flamesvg -q --html > length.html
            says $'1.000 true\n1.000 true\n1.000 true' length.html 'resize 1400x900' "${COLUMNS//$'\n'/ }" 'resize 700x900' \
                "${COLUMNS//$'\n'/ }" 'resize 360x700' "${COLUMNS//$'\n'/ }"
        done
    done
}

@test 'the columns of a short recording are parts of a second, fewer in a narrow window' {
    each='eval (cells => cells.filter(c => c.x === cells[0].x).length)(document.documentElement.flame.cells())'
    says $'10\n25' page.html "$each" 'resize 700x700' "$each"
}

@test 'times that are thousands of years apart do not hang the page' {
    printf '@0.000;a;b 1\n@99999999999.000;a;c 2\n' | flamesvg -q --html > far.html
    says 'a all b c' far.html frames
}

@test 'that nothing was seen in a range is said until something else is shown' {
    printf '@%s;a 1\n' 100.000 100.020 110.000 | flamesvg -q --html > gap.html
    browse gap.html 'drag 0 40' 'drag 300 400' "$RANGES" 'key Escape' "$RANGES"
    [[ ${lines[0]} == *'Nothing was seen there' ]]
    [[ ${lines[1]} == *'Drag, or click twice'* ]]
}

@test 'of two ranges the counts that are gone are those of the first one, not scaled to the second one' {
    printf '@100.000;a;x 100\n@100.500;a;y 300\n@110.000;a;x 50\n' | flamesvg -q --html > gone.html
    browse 'gone.html?t=100.000,101.999999999;110.000,110.499999999' 'text <.strip>'
    [[ $output == *'gone: 300 samples, 75.00% of the first'* ]]
}

@test 'stacks without frames are in the row of their thread, though another name comes between' {
    printf '@100.000;node 1\n@100.000;node-7;work 2\n@100.500;node;main 6\n@101.000;node 2\n' | stackcollapse | flamesvg -q --html > frameless.html
    says $'node 9\nnode-7 2' frameless.html 'key t' 'key t' \
        'eval Object.entries(Object.groupBy(document.documentElement.flame.cells(), c => c.thread)).map(([name, cells]) => name + " " + cells.reduce((n, c) => n + c.count, 0)).sort().join("\n")'
}

# Two threads, of which the second one runs in the second half only, in the kernel.
threads() {
    awk 'function put(thread, time, frame) {
            printf "node 7/%d [000] %.6f: 1 cycles:\n\t20 %s\n\t10 main (/app)\n\n", thread, time, frame
        }
        BEGIN {
            for (i = 0; i < 1000; i++) {
                put(7, 100 + i / 100, "parse (/app)")
                if (i >= 500 && i % 2)
                    put(8, 100 + i / 100, "do_read ([kernel.kallsyms])")
            }
        }'
}

# For each thread its counts in the columns of the first half and in all, and the kinds of its cells.
HALVES='eval Object.entries(Object.groupBy(document.documentElement.flame.cells(), c => c.thread)).map(([name, cells]) => [name,
    cells.filter(c => c.range[1] <= 250).reduce((n, c) => n + c.count, 0), cells.reduce((n, c) => n + c.count, 0),
    [...new Set(cells.filter(c => c.count > 0).map(c => c.kind))].join("+")].join(" ")).sort().join("\n")'

@test 'rows of threads over time have the colour of their kind of code; a click or f shows the stacks of one alone' {
    threads | stackcollapse --slice=20 --tid --kernel | flamesvg --html --colors=node > threads.html
    says $'node-7/7 498 1000 native\nnode-7/8 0 250 kernel' threads.html 'key t' 'key t' "${HALVES//$'\n'/ }"
    says 'all do_read main node-7/8
?step=thread%3Anode-7%2F8
all do_read main main node-7/7 node-7/8 parse' threads.html 'click #threads' 'click-cell 0' frames address 'key f' frames
}

@test 'slices of an archive have times of day, in the time zone of the browser' {
    printf '@%d.000;web1;node-7;main 9\n' 1764270000 1764270060 1764273600 | flamesvg -q --html > archive.html
    says '■ 04:00 to 04:01: 9 samples
?t=1764270000.000%2C1764270059.999999999' archive.html 'click-cell 0' 'click-cell 0' "text <.ranges span[aria-live] span>" address
    printf '@%d.000;web1;node-7;main 9\n' 1764270000 1764270060 1764356400 | flamesvg -q --html > days.html
    says '■ 11-28 04:00 to 11-28 04:01: 9 samples' days.html 'click-cell 0' 'click-cell 0' "text <.ranges span[aria-live] span>"
}

@test 'where slices were merged, the line says the resolution' {
    table() {
        sed -n 's/.*"application.gzip">//p' page.html | sed 's/<.*//' | base64 -d | gzip -d
    }
    packed=$(table | sed 's/^"time":\(.*\),20,20\]/"time":\1,60000,20]/' | gzip | base64 -w 0)
    sed "s|\"application/gzip\">[^<]*|\"application/gzip\">$packed|" page.html > merged.html
    says 'Resolution: 1 min. Drag, or click twice, for a range of time; with Ctrl for one to compare with it' merged.html 'text <.ranges span[aria-live]>'
}
