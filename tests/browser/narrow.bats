# The picture in a narrow window: it opens where the counts part, and names can be read whole.
load ../lib

# 30 frames that all counts are in, then two branches, of which the larger one has 30 frames more below its hot function.
deep() {
    chain=$(printf 'c%d;' {1..30})
    printf '%ssplit;hot;leaf 60\n%ssplit;hot 20\n%ssplit;cold 20\n' "$chain" "$chain" "$chain"
}

# The same, with the part at the root, so that nothing has nearly all.
forked() {
    printf 'node;%shot 60\nnode;gc 20\nshell 20\n' "$(printf 'c%d;' {1..60})"
}

long_name() {
    printf 'long%s' "$(printf '_name%.0s' {1..60})"
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    deep | flamesvg -q --html > deep.html
    deep | flamesvg -q > deep.svg
    forked | flamesvg -q --html > forked.html
    forked | flamesvg -q --html --inverted > icicle.html
    printf 'main;%s 60\nmain;other 40\n' "$(long_name)" | flamesvg -q --html > long.html
    share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

# Whether a frame is in the part of the chart that is in sight, and which part of the width it has.
seen() { # NAME
    echo "eval (() => { const chart = document.querySelector('.chart')?.getBoundingClientRect() || { top: 0, bottom: innerHeight, width: innerWidth };
        const box = document.querySelector('[data-xpad]').flame.boxes().find(one => one.name === '$1');
        return box.y >= chart.top && box.y + box.height <= chart.bottom ? Math.round(10 * box.width / chart.width) : 'out of sight'; })()" | tr '\n' ' '
}

@test 'in a narrow window a picture opens where the counts part, and Reset Zoom leads to the root' {
    for picture in deep.html deep.svg; do
        browse deep.html 'resize 400x600' "open $picture" 'shown #unzoom' "$(seen split)" "$(seen hot)" "$(seen all)" \
            'click #unzoom' 'shown #unzoom'
        same '' "$stderr"
        same 'true 9 7 out of sight false' "${lines[*]}"
    done
}

@test 'where no function has nearly all, a narrow window opens without zoom at the function that has half' {
    for picture in forked.html icicle.html; do
        says $'false\n5\nout of sight' forked.html 'resize 400x600' "open $picture" 'shown #unzoom' "$(seen hot)" "$(seen all)"
    done
}

@test 'a wide window opens at the root, and so does an address that says what is shown' {
    says $'false\n10' deep.html 'resize 1200x600' 'open deep.html' 'shown #unzoom' "$(seen all)"
    says $'false\nall' deep.html 'resize 400x600' 'open deep.html?s=hot' 'shown #unzoom' 'eval document.documentElement.flame.boxes()[0].name'
}

# Whether the whole name in the table's first row is in sight.
WHOLE='eval (name => { const at = name.getBoundingClientRect(), table = document.querySelector(".functions").getBoundingClientRect();
    return name.textContent.length + " " + (name.scrollHeight <= name.clientHeight && name.scrollWidth <= name.clientWidth && at.right <= table.right);
    })(document.querySelector(".functions tbody .name"))'

@test 'a long name in the table is cut to three lines, and whole with the pointer or the focus on its row' {
    whole=${WHOLE//$'\n'/ }
    for size in 1200x800 700x800 360x700; do
        says $'304 false\n304 true\n304 false\n304 true' long.html "resize $size" "$whole" 'hover <.functions tbody tr>' "$whole" \
            'hover <.title>' "$whole" 'eval void document.querySelector(".functions tbody tr").focus()' "$whole"
    done
}
