# The page of two profiles that stackdiff has compared: what may be chance, and what is gone.
load ../lib

# 4,000 samples, of which `parse` has 1,000 and then 1,400, and `draw` nearly as many as before; a path is gone.
profiles() {
    printf '%s\n' 'app;main;parse 1000' 'app;main;draw 980' 'app;main;old;clone 200' 'app;main;old;draw 20' 'app;main 1800' > before
    printf '%s\n' 'app;main;parse 1400' 'app;main;draw 1000' 'app;main 1600' > after
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    profiles
    stackdiff before after | flamesvg --html > page.html
    stackdiff --missing before after | flamesvg --html > missing.html
    stackdiff --missing before after | flamesvg > missing.svg
    stackdiff before after | flamesvg --html --countname ms > time.html
    awk '{ $NF *= 10000; print }' before > before.periods
    awk '{ $NF *= 10000; print }' after > after.periods
    stackdiff -q before.periods after.periods | flamesvg --html > periods.html
    stackdiff -q before before | flamesvg --html > same.html
    stackdiff before after | flamesvg --html --negate > negated.html
    share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

STRIP='eval document.querySelector(".strip").innerText.replaceAll("\u00a0", " ").trim().split("\n").filter(Boolean).join("|")'
# Of each frame the colour of a pixel below its name.
FILLS='eval document.documentElement.flame.boxes().map(b => {
    const canvas = document.querySelector(".chart canvas"), at = canvas.getBoundingClientRect(), ratio = devicePixelRatio;
    const place = [b.x + b.width / 2 - at.left, b.y + 1 - at.top].map(pixels => pixels * ratio);
    return `${b.name} rgb(${canvas.getContext("2d").getImageData(...place, 1, 1).data.slice(0, 3)})`;
}).sort().join("\n")'
GREY='rgb(200,200,200)'

@test 'what may be chance is grey, by the margin of error that stackdiff prints, and the strip says so' {
    browse page.html 'eval document.documentElement.flame.functions().map(f => f.name + " " + f.margin.toFixed(2)).sort().join("\n")'
    same '' "$stderr"
    same "$(stackdiff --format=json before after | sed -n 's/^{"name":"\(.*\)","before":.*"margin_points":\([^,]*\).*/\1 \2/p' | LC_ALL=C sort)" \
        "$output"
    browse page.html "$FILLS"
    same "main $GREY" "$(grep '^main' <<< "$output")"
    same "draw $GREY" "$(grep '^draw' <<< "$output")"
    [[ $(grep '^parse' <<< "$output") == 'parse rgb(255,'* ]]
    says 'Gone|■ within the margin of error; gone: 220 samples, 5.50% of the first|old' page.html "$STRIP"
}

@test 'with --negate the margin is the same, and the colours are swapped' {
    margins='eval document.documentElement.flame.functions().map(f => f.name + " " + f.margin.toFixed(4)).sort().join("\n")'
    browse page.html "$margins"
    wanted=$output
    browse negated.html "$margins"
    same "$(grep -v ^old <<< "$wanted")" "$(grep -v ^old <<< "$output")"
    browse negated.html "$FILLS"
    [[ $(grep '^parse' <<< "$output") =~ ^parse\ rgb\(([0-9]+),\1?[0-9]*,255\) ]]
}

@test 'the margin is among the details of a frame' {
    says 'parse 4.2' page.html \
        'hover parse' 'eval "parse " + document.querySelector(".tip").textContent.match(/margin of error±([\d.]+?)\d points of its function.s share/)[1]'
}

@test 'a click on what is gone shows its stacks, with the counts that they had; Escape goes back' {
    shown='eval document.documentElement.flame.boxes().map(b => b.title).sort().join("|")'
    says 'all (220 samples, 100.00%)|clone (200 samples, 90.91%)|draw (20 samples, 9.09%)|old (220 samples, 100.00%)
true
220
Gone|■ within the margin of error; gone: 220 samples, 5.50% of the first|old
all (4,000 samples, 100%)|app (4,000 samples, 100.00%; +0.00%)|draw (1,000 samples, 25.00%; +0.50%)|main (4,000 samples, 100.00%; -5.00%)|parse (1,400 samples, 35.00%; +10.00%)' page.html \
        'click <.boxes button>' "$shown" 'eval location.search.includes("step=gone%3A")' \
        'eval document.documentElement.flame.functions().filter(f => f.name === "old")[0].total' 'key Escape' 'key Escape' "$STRIP" "$shown"
}

@test 'stacks that stackdiff --missing has marked are in the strip of a page, too, and in an SVG beside the others' {
    says 'Gone|■ within the margin of error; gone: 220 samples, 5.50% of the first|old' missing.html "$STRIP"
    try grep -o '<title>[^<]*' missing.svg
    same '<title>all (4,000 samples, 100%)
<title>(gone) (220 samples, 5.50%; 0.00%)
<title>app (220 samples, 5.50%; 0.00%)
<title>main (220 samples, 5.50%; 0.00%)
<title>old (220 samples, 5.50%; 0.00%)
<title>clone (200 samples, 5.00%; -5.00%)
<title>draw (20 samples, 0.50%; -0.50%)
<title>app (4,000 samples, 100.00%; 0.00%)
<title>main (4,000 samples, 100.00%; -5.00%)
<title>draw (1,000 samples, 25.00%; +0.50%)
<title>parse (1,400 samples, 35.00%; +10.00%)' "$output"
    says 'before200 samplesafter0 samples' missing.svg 'hover clone' \
        'eval document.querySelector(".tip").textContent.match(/before.*?after[\d,]+ samples/)[0]'
}

@test 'counts that are no samples have no chance, and nothing is grey: times, and sums of periods' {
    for page in time periods; do
        browse $page.html "$STRIP" "$FILLS"
        same '' "$stderr"
        [[ ${lines[0]} == 'Gone|gone: '* ]]
        same '' "$(grep -F "$GREY" <<< "$output")"
    done
}

@test 'of profiles that are the same nothing is gone' {
    says '■ within the margin of error' same.html "$STRIP"
}
