# What a picture of two profiles says of them: its title, and which colour means which side.
load ../lib

setup() {
    cd "$BATS_FILE_TMPDIR" || return
    printf '%s\n' 'app;parse 1000 1400' 'app;draw 980 700' >two
    printf '%s\n' 'app;parse 1000' 'app;draw 980' >one
}

title() { # FILE
    sed -n 's/^<\(text id="title"\|h1 id="title"\)[^>]*>\([^<]*\)<.*/\2/p' "$1"
}

# Each square's colour and its label.
sides() { # FILE
    sed -n '/<g id="legend">/,/<\/g>/p' "$1" | grep -o 'fill="[^"]*">[^<]*</tspan><tspan[^>]*>[^<]*' | sed 's/fill="\([^"]*\)".*>/\1 /'
}

@test "the title of a picture of two profiles says so, unless one is given" {
    flamesvg -q two >out
    same 'Differential Flame Graph' "$(title out)"
    flamesvg -q --inverted two >out
    same 'Differential Icicle Graph' "$(title out)"
    flamesvg -q --html two >out
    same 'Differential Flame Graph' "$(title out)"
    flamesvg -q --title='Flame Graph' two >out
    same 'Flame Graph' "$(title out)"
    flamesvg -q one >out
    same 'Flame Graph' "$(title out)"
    "$COMPAT/flamegraph.pl" two >out
    same 'Flame Graph' "$(title out)"
}

@test "a legend says what the two colours mean, and whose counts the widths are" {
    flamesvg -q two >out
    same $'rgb(255,0,0) more in the second profile (its counts are the widths)\nrgb(0,0,255) more in the first' "$(sides out)"
    flamesvg -q --colors=diff-cb two >out
    same $'rgb(230,97,1) more in the second profile (its counts are the widths)\nrgb(94,60,153) more in the first' "$(sides out)"
    flamesvg -q --negate two >out
    same $'rgb(0,0,255) more in the second profile (its counts are the widths)\nrgb(255,0,0) more in the first' "$(sides out)"
    flamesvg -q --colors=node two >out
    [ "$(sides out | wc -l)" -eq 2 ]
}

@test "there is none of one profile, nor in flamegraph.pl's picture of two, whose frames are at the same places" {
    flamesvg -q one >out
    same '' "$(sides out)"
    "$COMPAT/flamegraph.pl" two >script
    same '' "$(sides script)"
    flamesvg -q two >out
    same "$(sed -n 's/.*<rect \(x="[^"]*" y="[^"]*" width="[^"]*"\).*rx=.*/\1/p' script)" \
        "$(sed -n 's/.*<rect \(x="[^"]*" y="[^"]*" width="[^"]*"\).*rx=.*/\1/p' out)"
}

@test "in a browser the legend is above the frames of a picture and of a page" {
    needs_browser
    flamesvg -q two >out.svg
    flamesvg -q --html --negate two >out.html
    said='eval Array.from(document.querySelectorAll(".legend .side"), side => side.firstChild.style.color + side.textContent).join("|")'
    says 'rgb(255, 0, 0)■ more in the second profile (its counts are the widths)|rgb(0, 0, 255)■ more in the first' out.svg "$said"
    says 'rgb(0, 0, 255)■ more in the second profile (its counts are the widths)|rgb(255, 0, 0)■ more in the first' out.html "$said"
}
