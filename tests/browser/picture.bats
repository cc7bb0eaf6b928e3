# What the picture can do besides zoom and search: menus, steps, switches, touch, print, the page's table.
load ../lib

# Recursion, a function with several callers, and one on both sides of another.
profile() {
    cat <<'END'
main;gc 100
main;loop;loop;loop;parse 60
main;loop;loop;parse;json 40
main;serve;json;parse 50
main;serve;parse;json 150
main;serve;parse 30
main;serve;render;escape(html) 170
worker 20
worker;hash;json 180
worker;parse 200
END
}

draw() { # NAME OPTION...: draws standard input
    flamesvg -q "${@:2}" > "$BATS_FILE_TMPDIR/$1"
}

setup_file() {
    draw own.svg < <(profile)
    draw page.html --html < <(profile)
    "$COMPAT/flamegraph.pl" < <(profile) > "$BATS_FILE_TMPDIR/perl.svg"
    share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

expected() { # STEP...: computed from the folded stacks
    node "$ROOT/tests/browser/expected.js" "$@" < <(profile)
}

SETTLED='eval new Promise(done => requestAnimationFrame(() => setTimeout(done)))'
# What would be in the clipboard.
CLIPBOARD='eval navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; undefined'

# ---- steps ----

@test 'each step by its key gives the frames and widths that the stacks give, in an SVG, its Perl form and a page' {
    steps=() wanted=''
    for file in own.svg perl.svg page.html; do
        for step in f:focus c:callers b:both d:drop h:hide; do
            steps+=("open $file" 'hover parse' "key ${step%:*}" 'check boxes')
            wanted+=$(expected "${step#*:}:parse")$'\n'
        done
        steps+=("open $file" 'hover loop' 'key r' 'check boxes')
        wanted+=$(expected collapse:loop)$'\n'
    done
    says "${wanted%$'\n'}" own.svg "${steps[@]}"
}

@test 'each step by the menu gives what its key gives, and the address has it' {
    steps=()
    wanted=''
    for step in 'Focus on:focus' 'Callers of:callers' 'Its callers:both' 'Drop stacks:drop' 'Hide it:hide'; do
        steps+=('open own.svg' 'right-click parse' "choose ${step%:*}" 'check boxes' address)
        wanted+=$(expected "${step#*:}:parse")$'\n'"?step=${step#*:}%3Aparse"$'\n'
    done
    steps+=('open own.svg' 'right-click loop' 'choose Collapse' 'check boxes' address)
    wanted+=$(expected collapse:loop)$'\n?step=collapse%3Aloop'
    says "$wanted" own.svg "${steps[@]}"
}

@test 'steps follow each other; Back, Forward and a copied address restore them; Reset and Escape take them back' {
    one=$(expected focus:main)
    two=$(expected focus:main hide:parse)
    three=$(expected focus:main hide:parse callers:json)
    all=$(expected)
    address='?step=focus%3Amain&step=hide%3Aparse&step=callers%3Ajson'
    says "$one
$two
$three
$address
Reset
$two
$one
$all
false
$one
$three
focus on main; hidden: parse; callers of json
$two
$one
$all

false
$all" own.svg 'hover main' 'key f' 'check boxes' 'hover parse' 'key h' 'check boxes' 'hover json' 'key c' 'check boxes' \
        address 'text #unzoom' back 'check boxes' back 'check boxes' back 'check boxes' 'shown #unzoom' \
        forward 'check boxes' "open own.svg$address" 'check boxes' 'text #steps' \
        'key Escape' 'check boxes' 'key Escape' 'check boxes' 'key Escape' 'check boxes' address \
        'shown #unzoom' "open own.svg$address" 'click #unzoom' 'check boxes'
}

# ---- pictures higher than the window ----

deep() {
    printf 'f%d;' {1..60}
    printf 'leaf 1\n'
}

@test 'the root stays in sight, at the lower end, when the window gets lower, higher or narrower' {
    draw tall.svg < <(seq -s ';' 70 | sed 's/$/ 1000/')
    gap='eval (({ y, height }) => Math.round(document.querySelector(".foot").getBoundingClientRect().top - y - height))(document.documentElement.flame.boxes()[0])'
    says $'1\n1\n1\n1' tall.svg 'resize 1000x500' "$SETTLED" "$gap" 'resize 1000x800' "$SETTLED" "$gap" \
        'resize 400x600' "$SETTLED" "$gap" 'key Escape' 'resize 1400x300' "$SETTLED" "$gap"
}

@test 'the wheel scrolls a high picture by what it is turned, and the controls stay in sight' {
    draw deep.svg < <(deep)
    in_sight='eval [".title", "#search", "#view", "#details", "#matched"].map(what =>
        (b => b.width > 0 && b.top >= 0 && b.bottom <= innerHeight)(document.querySelector(what).getBoundingClientRect())).join(" ")'
    says $'50\n50\nFunction: f30 (1 samples, 100.00%)\ntrue true true true true' deep.svg 'resize 1000x400' "$SETTLED" \
        'key /' 'type f3' 'eval void (window.before = scrollY)' 'wheel -50' 'eval before - scrollY' \
        'wheel -50' 'eval before - scrollY - 50' 'eval void scrollTo(0, 350)' "$SETTLED" 'hover f30' 'text #details' "$in_sight"
}

@test 'a page keeps its controls in sight while its picture scrolls' {
    draw deep.html --html < <(deep)
    in_sight='eval [".title", "#search", "#view", "#details", "#matched"].map(what =>
        (b => b.width > 0 && b.top >= 0 && b.bottom <= innerHeight)(document.querySelector(what).getBoundingClientRect())).join(" ")'
    says $'50\nFunction: f30 (1 samples, 100.00%)\ntrue true true true true' deep.html 'resize 1000x400' "$SETTLED" \
        'key /' 'type f3' 'eval void (window.chart = document.querySelector(".chart"), window.before = chart.scrollTop)' \
        'wheel -50' 'eval before - chart.scrollTop' 'eval void (chart.scrollTop = 350)' "$SETTLED" 'hover f30' 'text #details' "$in_sight"
}

@test 'a high picture is printed as a whole, once, and is then as it was' {
    draw deep.svg < <(deep)
    says $'true true true\ntrue' deep.svg 'resize 1000x400' "$SETTLED" 'eval void (addEventListener("beforeprint", () => {
            const bottom = what => document.querySelector(what).getBoundingClientRect().bottom + scrollY;
            const top = what => document.querySelector(what).getBoundingClientRect().top + scrollY;
            const rows = document.documentElement.flame.boxes().map(one => one.y + scrollY);
            window.printed = [top(".head") === 0, top(".foot") > Math.max(...rows),
                bottom(".foot") <= Number(document.documentElement.getAttribute("height"))].join(" ");
        }), window.drawn = document.querySelector("#frames").outerHTML)' print "$SETTLED" 'eval printed' \
        'eval document.querySelector("#frames").outerHTML === drawn'
}

# ---- touch ----

@test 'the first tap describes a frame, the second zooms, and a long press opens its menu' {
    menu='eval document.querySelector(".menu")?.getAttribute("aria-label") ?? "no menu"'
    one=$'Function: render (170 samples, 17.00%)\nno zoom\nno menu\nzoom\nmain\n?step=focus%3Amain'
    zoom='eval location.search ? "zoom" : "no zoom"'
    says "$one"$'\n'"$one"$'\n'"$one" own.svg 'tap render' 'text #details' "$zoom" "$menu" 'tap render' "$zoom" \
        'key Escape' 'press main' "$menu" 'choose Focus' address \
        'open page.html' 'tap render' 'text #details' "$zoom" "$menu" 'tap render' "$zoom" \
        'key Escape' 'press main' "$menu" 'choose Focus' address \
        'open perl.svg' 'tap render' 'text #details' "$zoom" "$menu" 'tap render' "$zoom" \
        'key Escape' 'press main' "$menu" 'choose Focus' address
}

# ---- the view ----

upside_down() { # boxes with the root at the top
    sed -E '2,$s/^/-/'
}

@test 'the View menu and its keys turn the picture over, merge from the leaf and sort by size' {
    all=$(expected)
    leaf=$(expected leaf)
    size=$(expected size)
    icicle=$(upside_down <<< "$all")
    wanted='' steps=()
    for file in own.svg page.html; do
        steps+=("open $file" 'click #view' 'choose at the top' 'check boxes' address 'key i' 'check boxes' address
            'click #view' 'choose from the leaf' 'check boxes' address 'text #steps' 'key l' 'check boxes'
            'click #view' 'choose by size' 'check boxes' address 'key o' 'check boxes' 'key o' 'key l' 'key i' address
            'click #unzoom' 'check boxes' 'eval location.search')
        wanted+="$icicle"$'\n?view=icicle\n'"$all"$'\n\n'"$leaf"$'\n?view=leaf\nmerged from the leaf\n'"$all"$'\n'
        wanted+="$size"$'\n?view=size\n'"$all"$'\n?view=icicle%2Cleaf%2Csize\n'"$all"$'\n\n'
    done
    browse own.svg "${steps[@]}"
    same '' "$stderr"
    same "${wanted%$'\n'}" "$output"$'\n'
}

# Kinds and packages.
kinds() {
    cat <<'END'
node;LazyCompile:*serve /srv/node_modules/app/app.js:1;RegExp:x 60
node;LazyCompile:*serve /srv/node_modules/app/app.js:1;write_[k] 100
node;read_[k] 40
END
}

@test 'colours are those of the file, by name, by kind or by package, in the menu and in turn by p' {
    draw kinds.svg --colors=hot < <(kinds)
    same_fills='eval (list => new Set(list).size)(["write", "read"].map(name => (one => getComputedStyle(document.elementsFromPoint(
        one.x + one.width / 2, one.y + 3).find(node => node.closest("#frames"))).fill)(document.documentElement.flame.boxes().find(one => one.name === name))))'
    says $'?view=name\n2\n?view=kind\n1\n?view=package\n\n?view=kind\n1\n?view=package\n?view=name\n2\ntrue' kinds.svg \
        'key p' address "$same_fills" 'key p' address "$same_fills" 'key p' address 'key p' address \
        'click #view' 'choose by kind' address "$same_fills" 'click #view' 'choose by package' address \
        'click #view' 'choose by namep' address "$same_fills" 'click #view' 'choose of the file' 'eval location.search === ""'
}

@test 'a click in the legend hides the frames of a kind, another shows them again' {
    draw legend.svg --colors=node < <(kinds)
    pressed='eval Array.from(document.querySelectorAll(".legend button"), one => one.dataset.kind + "=" + (one.getAttribute("aria-pressed") === "true")).join(" ")'
    all='node LazyCompile:*serve /srv/node_modules/app/app.js:1 RegExp:x write read'
    names='eval document.documentElement.flame.boxes().slice(1).map(one => one.name).join(" ")'
    browse legend.svg "$pressed" "$names" 'click <[data-kind=kernel]>' "$pressed" "$names" address 'text #steps' \
        'click <[data-kind=kernel]>' "$pressed" "$names" 'eval location.search'
    same '' "$stderr"
    same 'node_modules=true regexp=true native=true kernel=true' "${lines[0]}"
    same "$all" "${lines[1]}"
    [[ ${lines[2]} == *'kernel=false'* ]]
    same "${all% write read}"$'\n?step=kind%3Akernel\nhidden: kernel' "${lines[3]}"$'\n'"${lines[4]}"$'\n'"${lines[5]}"
    same "${lines[0]}"$'\n'"$all" "${lines[6]}"$'\n'"${lines[7]}"
}

# ---- the tooltip ----

TIP='eval (tip => tip.hidden ? "none" : tip.querySelector(".name").textContent + ": " + Array.from(tip.querySelectorAll("tr"),
    row => Array.from(row.children, cell => cell.textContent).join(" ")).join("; "))(document.querySelector(".tip"))'

@test 'the tooltip has total, self, their shares of all and of what is shown, and the kind; it goes with the pointer' {
    draw kinds.svg --colors=hot < <(kinds)
    near='eval (b => b.left > 0 && b.right < innerWidth && b.bottom < innerHeight)(document.querySelector(".tip").getBoundingClientRect())'
    says "worker: total 400 samples, 40.00%; self 20 samples, 2.00%; kind native
true
hash: total 180 samples, 18.00% of all, 45.00% of what is shown; self 0 samples, 0.00% of all, 0.00% of what is shown; kind native
none
write: total 100 samples, 50.00%; self 100 samples, 50.00%; kind kernel" \
        own.svg 'hover worker' "$TIP" "$near" 'click worker' 'hover hash' "$TIP" 'hover <.title>' "$TIP" \
        'open kinds.svg' 'hover write' "$TIP"
}

@test 'the tooltip of two profiles has both counts, the change and that of self, of frames that are gone too' {
    draw two.svg <<< $'main;less 100 50\nmain;more 50 100\nnew 0 50'
    printf 'main;less 100\ngone;x 80\n' > "$BATS_TEST_TMPDIR/before"
    printf 'main;less 50\nnew 50\n' > "$BATS_TEST_TMPDIR/after"
    draw gone.svg < <(stackdiff --missing "$BATS_TEST_TMPDIR"/{before,after})
    change="eval document.querySelector('.tip').textContent.match(/before.*%/)[0]"
    says 'before100 samplesafter50 sampleschange-50 samples, -25.00%self change-50 samples, -25.00%
before50 samplesafter100 sampleschange+50 samples, +25.00%self change+50 samples, +25.00%
before150 samplesafter150 sampleschange+0 samples, +0.00%self change+0 samples, +0.00%
before0 samplesafter50 sampleschange+50 samples, +25.00%self change+50 samples, +25.00%
true' two.svg 'hover less' "$change" 'hover more' "$change" 'hover main' "$change" 'hover new' "$change" \
        'open gone.svg' 'hover gone' \
        'eval document.querySelector(".tip").textContent.includes("change-80 samples, -80.00%")'
}

@test 'the tooltip goes when a key zooms out, since its shares are of what was shown' {
    for file in own.svg page.html; do
        browse "$file" 'click worker' 'hover hash' "$TIP" 'key Home' "$TIP"
        same '' "$stderr"
        same none "${lines[1]}"
        [[ ${lines[0]} == 'hash: '*'of what is shown'* ]]
    done
}

# ---- the clipboard ----

@test 'the name, the stack and what is shown are copied, by key and by menu' {
    shown=$'main;serve;json;parse 50\nmain;serve;parse 30\nmain;serve;parse;json 150\nmain;serve;render;escape(html) 170\n'
    one=$'render\nName copied\nmain;serve;render\nStack copied\n'"$shown"$'\n4 stacks copied'
    said=(eval\ copied 'text #details')
    says "$one"$'\n'"$one" own.svg "$CLIPBOARD" 'click serve' 'right-click render' 'choose Copy the name' "${said[@]}" \
        'right-click render' 'choose Copy the stack' "${said[@]}" 'right-click render' 'choose Copy what' "${said[@]}" \
        'open page.html' "$CLIPBOARD" 'click serve' 'key Home' 'key Tab' 'eval document.activeElement.blur()' \
        'hover render' 'key n' "${said[@]}" 'key s' "${said[@]}" 'click serve' 'key w' "${said[@]}"
}

# ---- search ----

@test 'a plain search takes no character as special, and the address says so' {
    says $'1 frame, 17.0%\n?s=e%28h&p=1\n1 frame, 17.0%\ntrue' own.svg 'click #regexp' 'key /' \
        'type e(h' 'text #matched' address 'open own.svg?s=e%28h&p=1' 'text #matched' 'click #regexp' \
        'eval /^Bad expression: unterminated (group|parenthetical)$/.test(document.querySelector("#matched").textContent)'
}

# ---- for screen readers ----

@test 'the frames are a tree with levels, places and one stop of Tab; the details are read out' {
    items='eval Array.from(document.querySelectorAll("[role=tree] > [role=treeitem]"), one => [one.ariaLabel.replace(/ \([^(]*$/, ""),
        ...["aria-level", "aria-posinset", "aria-setsize", "aria-expanded", "tabindex"].map(name => one.getAttribute(name))].join(" ")).join("\n")'
    says 'all 1 1 1 true -1
main 2 1 2 true -1
gc 3 1 3  -1
loop 3 2 3 false -1
serve 3 3 3 true 0
json 4 1 3 false -1
parse 4 2 3 false -1
render 4 3 3 false -1
worker 2 2 2 false -1
polite polite' own.svg 'click serve' "$items" \
        'eval ["details", "matched"].map(id => document.getElementById(id).getAttribute("aria-live")).join(" ")'
}

# ---- the page ----

@test 'the table of a page is sorted by each column, and says by which' {
    draw kinds.html --html --colors=node < <(kinds)
    rows='eval Array.from(document.querySelectorAll(".functions tbody tr"), row => row.lastChild.textContent.replace(/ .*/, "")).join(" ")'
    sorted='eval Array.from(document.querySelectorAll("th")).map(one => one.dataset.column + " " + one.ariaSort).find(one => !/none/.test(one))'
    says 'write RegExp:x read node LazyCompile:*serve
self descending
node LazyCompile:*serve write RegExp:x read
total descending
LazyCompile:*serve RegExp:x node write read
kind ascending
LazyCompile:*serve RegExp:x node read write
function ascending
write RegExp:x read node LazyCompile:*serve
self descending' kinds.html "$rows" "$sorted" 'click <th[data-column=total] button>' "$rows" "$sorted" \
        'click <th[data-column=kind] button>' "$rows" "$sorted" 'click <th[data-column=function] button>' "$rows" "$sorted" \
        'click <th[data-column=self] button>' "$rows" "$sorted"
}

# The table is made when the picture has been painted.
TABLE_MADE='new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => setTimeout(done)))))'

@test 'self, total and shares in the table are those of the stacks, however they are merged' {
    draw straight.html --html <<< $'m;a;x 60\nm;a 30\nm;b;x 10'
    draw reversed.html --html --reverse <<< $'m;a;x 60\nm;a 30\nm;b;x 10'
    rows="eval $TABLE_MADE"'.then(() => Array.from(document.querySelectorAll(".functions tbody tr"), row => ["function", "self", "total"].map(column =>
        row.cells[Array.from(document.querySelectorAll("th"), one => one.dataset.column).indexOf(column)].textContent).join(" ")).join(", "))'
    all='x 70.00% 70.00%, a 30.00% 90.00%, m 0.00% 100.00%, b 0.00% 10.00%'
    of_a='x 60.00% 60.00%, a 30.00% 90.00%'
    says "$all
$all
x: total 70 samples, 70.00%; self 70 samples, 70.00%; kind native
a: total 30 samples, 30.00%; self 30 samples, 30.00%; kind native
$all
a: total 90 samples, 90.00%; self 30 samples, 30.00%; kind native
$of_a, m 0.00% 90.00%
m: total 90 samples, 90.00% of all, 100.00% of what is shown; self 0 samples, 0.00% of all, 0.00% of what is shown; kind native
$of_a
$all
?view=root" straight.html "$rows" 'key l' "$rows" 'hover x' "$TIP" 'open reversed.html' 'hover a' "$TIP" "$rows" \
        'open straight.html' 'hover a' "$TIP" 'key b' "$rows" 'hover m' "$TIP" 'key Escape' 'hover a' 'key f' "$rows" \
        'open reversed.html' 'key l' "$rows" address
}

@test 'the table of two profiles has the change, and is sorted by it' {
    draw two.html --html <<< $'m;less 100 50\nm;more 50 100\nm;more;m 10 40\ngone 20 0'
    rows='eval Array.from(document.querySelectorAll(".functions tbody tr"), row => [2, 4].map(n => row.cells[n].textContent).join(" ")).join(", ")'
    says '+42.11% more, +15.79% m, -10.53% gone, -26.32% less' two.html 'click <th[data-column=change] button>' "$rows"
}

@test 'a click on a row finds its function, a double click focuses on it; the page can fetch nothing' {
    browse page.html 'eval Array.from(document.querySelectorAll(".functions tbody tr")[1].children, cell => cell.textContent).join(" ")' \
        'click <.functions tbody tr:nth-child(2)>' 'text #matched' 'double-click <.functions tbody tr:nth-child(2)>' 'check boxes' \
        'key Escape' 'key Escape' 'shown #unzoom' 'eval new Promise(done => {
            addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
            fetch("https://localhost/").then(() => done("fetched"), () => setTimeout(done, 10000, "not forbidden")); })' requests
    same "34.00% 53.00% native parse
5 frames, 53.0%
$(expected focus:parse)
false
connect-src
1" "$output"
}

@test 'the table of a page has the functions that match the search; it follows the picture' {
    rows="eval $TABLE_MADE"'.then(() => Array.from(document.querySelectorAll(".functions tbody tr"),
        row => row.lastChild.textContent).join(" "))'
    says $'json parse worker\njson' page.html 'key /' 'type ^(json|parse|worker)$' "$rows" 'key Escape' 'key /' 'type json' "$rows"
}

@test 'a page draws its frames once for a click, and for the pointer only an outline' {
    says $'0\ntrue\n1\ntrue' page.html 'eval void (CanvasRenderingContext2D.prototype.setTransform = () => { window.drawings++; },
            window.drawings = 0)' 'hover render' "$SETTLED" 'eval drawings' \
        'eval ((one, box) => Math.abs(one.x - box.x) + Math.abs(one.y - box.y) + Math.abs(one.width - box.width) < 0.2)(
            document.documentElement.flame.boxes().find(frame => frame.name === "render"),
            document.querySelector(".spacer > div:not([hidden])").getBoundingClientRect())' \
        'click serve' "$SETTLED" 'eval drawings' 'eval document.documentElement.flame.boxes()[1].name === "main"'
}

@test 'frames narrower than a pixel fill their row, a tower of them is seen, and so is each that matches' {
    { printf 'row;many;x%04d 1\n' {1..2000}; echo 'row;tower;t;t 1'; echo 'wide 1000'; } | draw pixels.html --html --minwidth=0
    # Of the pixels between a frame's edges, in the row of another: how many are empty, how many have the colour of matches.
    pixels='eval ((name, ofRow) => {
        const all = document.documentElement.flame.boxes();
        const { x, width } = all.find(one => one.name === name), { y, height } = all.findLast(one => one.name === ofRow);
        const canvas = document.querySelector("canvas"), at = canvas.getBoundingClientRect();
        const { data } = canvas.getContext("2d").getImageData(Math.floor(x - at.x), y + height / 2 - at.y, Math.ceil(width), 1);
        const colours = Array.from({ length: data.length / 4 }, (_, n) => data.slice(4 * n, 4 * n + 4).join());
        return colours.filter(one => one.endsWith(",0")).length + " " + colours.filter(one => one === "230,0,230,255").length;
    })'
    says $'0 0\n0 0\n1 frame, 0.0%\n0 1' pixels.html "$pixels('many', 'x0001')" "$pixels('tower', 't')" \
        'key /' 'type x1001' "$SETTLED" 'text #matched' "$pixels('many', 'x1001')"
}

@test 'a picture that opens sets no style on its root, for which the browser would compute the styles of all frames again' {
    style='eval document.documentElement.style.length + " " + getComputedStyle(document.querySelector(".head")).backgroundColor'
    says $'0 rgb(238, 238, 238)\n0 rgb(238, 238, 238)' own.svg "$style" 'open perl.svg' "$style"
}

# ---- what the file holds ----

@test 'frames that --minwidth left out appear on zooming' {
    { echo 'wide;x 100000'; printf 'tiny;t%d 10\n' 1 2 3 4; } | draw narrow.svg --minwidth=5
    run ! grep -q '<title>t' "$BATS_FILE_TMPDIR/narrow.svg"
    says 'tiny 1000.0 t1 250.0 t2 250.0 t3 250.0 t4 250.0' narrow.svg 'click tiny' 'eval (([root, ...all]) => all.map(one =>
        one.name + " " + (one.width * 1000 / root.width).toFixed(1)).join(" "))(document.documentElement.flame.boxes())'
}

@test 'a link made for the picture of flamegraph.pl restores its zoom and search' {
    link='?x=517.4&y=69&s=esc'
    if [ "${FLAMEGRAPH_DIR-}" ]; then
        profile | perl "$FLAMEGRAPH_DIR/flamegraph.pl" > "$BATS_FILE_TMPDIR/theirs.svg"
        browse theirs.svg 'eval Array.from(document.querySelectorAll("#frames g")).find(one => one.textContent.includes("render ("))
            .dispatchEvent(new MouseEvent("click", { bubbles: true })), search("esc"), location.search'
        same "$link" "$output"
    fi
    zoomed='eval document.documentElement.flame.boxes().map(one => one.name).join(" ")'
    one=$'all main serve render escape(html)\n1 frame, 100%'
    says "$one"$'\n'"$one"$'\n'"$one" "own.svg$link" "$zoomed" 'text #matched' "open perl.svg$link" "$zoomed" 'text #matched' \
        "open page.html$link" "$zoomed" 'text #matched'
}

# ---- without script ----

@test 'without script the picture has the pixels of the one under the Perl name, within half a pixel' {
    for i in {1..30}; do
        printf 'main;f%02d;g%d;h%d 330\nmain;f%02dn;g;h 6\n' "$i" $((i % 7)) "$i" "$i"
    done > "$BATS_TEST_TMPDIR/many"
    draw many.svg --width=1200 < "$BATS_TEST_TMPDIR/many"
    "$COMPAT/flamegraph.pl" < "$BATS_TEST_TMPDIR/many" > "$BATS_FILE_TMPDIR/many-perl.svg"
    sed 's/ 6$/ 1/' "$BATS_TEST_TMPDIR/many" | "$COMPAT/flamegraph.pl" > "$BATS_FILE_TMPDIR/fewer.svg"
    browse own.svg 'script off' 'resize 1200x300' 'open many.svg' 'screenshot many.png' 'open many-perl.svg' 'screenshot perl.png' \
        'open fewer.svg' 'screenshot fewer.png' 'script on' 'open own.svg' \
        'compare-pictures many.png perl.png' 'compare-pictures many.png fewer.png'
    same '' "$stderr"
    same '0 of 360000' "${lines[0]}"
    [ "${lines[1]%% *}" -gt 0 ] # as a check on the comparison
}

@test 'a browser that cannot unpack the table of a page says so, and what to do' {
    echo 'a;b 1' | flamesvg -q --html | sed -e '/http-equiv/s/<meta http-equiv[^>]*>//' -e 's/DecompressionStream/Unknown/g' > "$BATS_TEST_TMPDIR/old.html"
    browse "$BATS_TEST_TMPDIR/old.html" 'text <p[role=alert]>'
    [[ $output == 'This browser is too old for this page: open it in a newer one '* ]]
    [[ $stderr == *'This browser is too old for this page'* ]]
}

@test 'a page whose table was cut off or changed says that the file is damaged' {
    local page="$BATS_TEST_TMPDIR/damaged.html"
    echo 'a;b 1' | flamesvg -q --html > "$page.whole"
    head -c -60 "$page.whole" > "$page.cut"
    sed '/application.gzip/s/....<.script>$/AAAA<\/script>/' "$page.whole" > "$page.changed" # the length and checksum
    for kind in cut changed; do
        mv "$page.$kind" "$page"
        browse "$page" 'text <p[role=alert]>'
        [[ $output == 'This file is damaged: a part of it is missing or was changed. '* ]]
        [[ $stderr == *'This file is damaged'* ]]
    done
}
