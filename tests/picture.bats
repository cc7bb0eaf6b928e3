# What the picture can do besides zoom and search: menus, steps, switches, touch, print, the page's table.
load lib

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
}

setup() {
    needs_browser
}

browse() { # FILE STEP...
    cd "$BATS_FILE_TMPDIR"
    try node "$ROOT/tests/browser/browse.js" "$@"
}

# Checks what the steps print, and that the page threw nothing.
says() { # WANTED FILE STEP...
    browse "${@:2}"
    same '' "$stderr"
    same "$1" "$output"
    [ "$status" -eq 0 ]
}

expected() { # STEP...: computed from the folded stacks
    node "$ROOT/tests/browser/expected.js" "$@" < <(profile)
}

SETTLED='eval new Promise(done => requestAnimationFrame(() => setTimeout(done)))'
# What would be in the clipboard.
CLIPBOARD='eval navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }; undefined'

# ---- steps ----

@test 'each step by its key gives the frames and widths that the stacks give, in an SVG, its Perl form and a page' {
    steps=() wanted=
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
    wanted=
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
of main; hidden: parse; callers of json
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
