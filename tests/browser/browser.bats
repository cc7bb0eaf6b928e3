# The picture in a real browser: zoom and search, by mouse, keyboard and address. All else: picture.bats.
load ../lib

# 1000 samples on 1000 pixels: a sample is a pixel, and x is 10 for the first.
profile() {
    cat <<'END'
main;gc 100
main;serve 100
main;serve;parse 100
main;serve;parse;json_parse 200
main;serve;render;escape(html) 100
main;serve;render;json_string 200
worker;hash 140
worker;hash;block_of_sha512 10
worker;json_parse 50
END
}

draw() { # NAME OPTION...: draws standard input
    flamesvg --width 1020 "${@:2}" > "$BATS_FILE_TMPDIR/$1"
}

SETTLED='eval new Promise(done => requestAnimationFrame(() => setTimeout(done)))'

setup_file() {
    draw plain.svg < <(profile)
    share_browser
}

teardown_file() {
    end_browser
}

setup() {
    needs_browser
}

# ---- details ----

@test 'the details show the frame under the pointer, and become empty when the pointer leaves' {
    says $'Function: parse (300 samples, 30.00%)' \
        plain.svg 'hover parse' 'text #details' 'hover <.title>' 'text #details'
}

@test 'a long name is cut in the details so that its counts fit' {
    long=$(printf 'long%.0s' {1..100})
    draw long.svg <<< "$long 5"
    browse long.svg "hover $long" 'text #details' \
        'eval document.querySelector("#details").getBoundingClientRect().right < 1020'
    [[ $output == *'..'*' (5 samples, 100.00%)'* ]]
    [ "${lines[-1]}" = true ]
}

@test 'text of the profile is shown as text and never becomes markup or script' {
    draw evil.svg <<< '<script>throw 1</script>;]]><b>&</b><img src=x onerror="throw 2"/> 7'
    says $'Function: ]]><b>&</b><img src=x onerror="throw 2"/> (7 samples, 100.00%)\n3 0' \
        evil.svg 'click ]]><b>&</b><img src=x onerror="throw 2"/>' 'text #details' \
        'eval ["script", "#frames img, #frames b, .layer img, .layer b"].map((tag) => document.querySelectorAll(tag).length).join(" ")'
}

# ---- zoom ----

@test 'a click zooms: the frame fills the width, and only its callers and callees stay' {
    says 'all escape(html) json_string main render serve
10.0 1000.0 render
10.0 333.3 escape(html)
343.3 666.7 json_string' \
        plain.svg 'click render' frames 'frame render' 'frame escape(html)' 'frame json_string'
}

@test 'the callers of the zoomed frame take the full width, faded' {
    says $'10.0 1000.0 main\n0.5\n10.0 1000.0 serve\n0.5\n1' \
        plain.svg 'click render' 'frame main' 'style fillOpacity main' \
        'frame serve' 'style fillOpacity serve' 'style fillOpacity render'
}

@test 'a click on a caller of the zoomed frame zooms to that caller' {
    says $'all escape(html) json_parse json_string main parse render serve\n1' \
        plain.svg 'click render' 'click serve' frames 'style fillOpacity serve'
}

@test 'Reset Zoom shows while zoomed, and restores what was drawn' {
    drawn='eval Array.from(document.querySelectorAll("#frames path, #frames text"), e => e.outerHTML).join(" ")'
    browse plain.svg 'shown #unzoom' "$drawn" 'click worker' 'click hash' 'shown #unzoom' 'click #unzoom' 'shown #unzoom' "$drawn"
    same 0 "$status"
    same 'false true false' "${lines[0]} ${lines[2]} ${lines[3]}"
    same "${lines[1]}" "${lines[4]}"
}

# Fails if the text is not the begin of the name with two dots, as long as the frame has room for by the browser's measure of
# the font that there is, which labels.js has made.
is_cut() { # TEXT NAME MEASURED
    [[ $1 == ?*.. && $2 == "${1%..}"* ]]
    same ' 0 long, 0 cut [null,null]' "${3#*e}"
}

@test 'a text is cut to its frame, and left out where not one letter fits' {
    browse plain.svg 'frame block_of_sha512' 'click hash' 'frame block_of_sha512' 'check labels'
    same '' "$stderr"
    same '950.0 10.0 ' "${lines[0]}"
    is_cut "${lines[1]#943.3 66.7 }" 'block_of_sha512' "${lines[2]}"
}

@test 'with --truncate=left the end of a text is kept' {
    draw left.svg --truncate=left < <(profile)
    browse left.svg 'click hash' 'frame block_of_sha512' 'check labels'
    same '' "$stderr"
    is_cut "$(rev <<< "${lines[0]#943.3 66.7 }")" "$(rev <<< 'block_of_sha512')" "${lines[1]}"
}

@test 'a character is never cut in half' {
    draw faces.svg < <(printf 'main;x%s 500\nother 500\n' "$(printf '\xf0\x9f\x98\x80%.0s' {1..900})")
    says 'true true' faces.svg 'click main' \
        'eval (t => t.isWellFormed() + " " + /\u{1F600}\.\.$/u.test(t))(Array.from(document.querySelectorAll(
            "#frames text"), e => e.textContent).find(t => t.startsWith("x")))'
}

@test 'a scrolled page stays where it is through a zoom, and when the pointer leaves the frame' {
    { printf 'f%d;' {1..60}; printf 'leaf 1\n'; } > "$BATS_TEST_TMPDIR/deep"
    settle='eval new Promise(done => setTimeout(() => done(scrollY), 100))'
    for flag in '' --inverted; do
        draw deep.svg ${flag:+"$flag"} < "$BATS_TEST_TMPDIR/deep"
        frame=$([ "$flag" ] && echo f55 || echo f6)
        says $'600\n600\n600\n600' deep.svg 'resize 1100x440' 'eval void scrollTo(0, 600)' \
            "$settle" "click $frame" "$settle" 'hover #details' "$settle" "click $frame" "$settle"
    done
}

@test 'a scrolled page stays where it is when Enter zooms, and Escape zooms out' {
    { printf 'f%d;' {1..60}; printf 'leaf 1\n'; } > "$BATS_TEST_TMPDIR/deep"
    draw deep-keys.svg -q < "$BATS_TEST_TMPDIR/deep"
    settle='eval new Promise(done => setTimeout(() => done(scrollY), 100))'
    for y in 180 600; do
        frame=f$((62 - (y + 200) / 16))
        says "$y"$'\ntrue\n'"$y"$'\n'"$y" deep-keys.svg 'resize 1100x440' "eval void scrollTo(0, $y)" "click $frame" "$settle" \
            'shown #unzoom' 'key Backspace' 'key Enter' "$settle" 'key Escape' "$settle"
    done
}

# ---- search ----

@test 'Ctrl-F, the slash and the Search button open a field, and matches show while the user types' {
    for way in 'key Ctrl-f' 'key /' 'click #search'; do
        says $'rgb(230, 0, 230)\nrgb(230, 0, 230)\n3 frames, 45.0%' plain.svg "$way" 'type json_' \
            'style fill json_parse' 'style fill json_string' 'text #matched'
    done
}

@test 'a stack with several matches counts once' {
    says '5 frames, 85.0%' plain.svg 'key /' 'type main|serve|json' 'text #matched'
}

@test 'the matches and their percentage are those of the zoomed frame' {
    says $'3 frames, 45.0%\n1 frame, 25.0%\n3 frames, 45.0%' plain.svg 'key /' 'type json' \
        'text #matched' 'click worker' 'text #matched' 'click #unzoom' 'text #matched'
}

@test 'a search matches names only, which may hold parentheses' {
    says $'1 frame, 10.0%\nNo frame matches' plain.svg 'key /' 'type html\)$' 'text #matched' \
        'key Escape' 'key /' 'type samples' 'text #matched'
}

@test 'names are separated from counts whatever --countname is' {
    draw kib.svg --countname 'bytes (KiB)' < <(profile)
    says $'Function: parse (300 bytes (KiB), 30.00%)\n1 frame, 30.0%' kib.svg \
        'hover parse' 'text #details' 'key /' 'type ^parse$' 'text #matched'
}

@test 'names are separated from counts that have units' {
    draw time.svg --countname ns --factor 1e6 < <(profile)
    says $'Function: parse (300 ms, 30.00%)\n1 frame, 30.0%\nFunction: all (1.00 s, 100%)' time.svg \
        'hover parse' 'text #details' 'key /' 'type ^parse$' 'text #matched' 'hover all' 'text #details'
}

@test 'a bad expression is a message in the picture, not an exception' {
    says $'true\nfalse\n1012' plain.svg 'key /' 'type json(' \
        'eval /^Bad expression: unterminated (group|parenthetical)$/.test(document.querySelector("#matched").textContent)' \
        'eval document.querySelector("#frames [fill=\"#e600e6\"]") !== null' \
        'eval Math.round(document.querySelector("#matched").getBoundingClientRect().right)'
}

@test 'Enter and Shift-Enter go to the next and the previous match, and say which it is' {
    at='eval (mark => document.documentElement.flame.boxes().find(one => Math.abs(one.x - mark.x) < 2 && Math.abs(one.y - mark.y) < 3).title)(
        document.querySelector("#frames .focus").getBoundingClientRect()) + " " + document.querySelector("#matched").textContent'
    says $'json_parse (200 samples, 20.00%) 1 of 3 frames, 45.0%
json_string (200 samples, 20.00%) 2 of 3 frames, 45.0%
json_parse (50 samples, 5.00%) 3 of 3 frames, 45.0%
json_parse (200 samples, 20.00%) 1 of 3 frames, 45.0%
json_parse (50 samples, 5.00%) 3 of 3 frames, 45.0%
Function: json_parse (50 samples, 5.00%)' plain.svg 'key /' 'type json' 'key Enter' "$at" \
        'key Enter' "$at" 'key Enter' "$at" 'key Enter' "$at" 'key Shift-Enter' "$at" 'text #details'
}

@test 'a match out of sight is scrolled to' {
    { printf 'f%d;' {1..60}; printf 'leaf 1\n'; } > "$BATS_TEST_TMPDIR/deep"
    draw deep.svg -q < "$BATS_TEST_TMPDIR/deep"
    says $'true\ntrue' deep.svg 'resize 1100x440' 'key /' 'type f2$' 'eval scrollY === 0' 'key Enter' \
        'eval (b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector("#frames .focus").getBoundingClientRect())'
}

@test 'Tab leaves the field and keeps the search, at the match found last' {
    says $'json_string\n2 of 3 frames, 45.0%' plain.svg 'key Ctrl-f' 'type json' \
        'key Enter' 'key Enter' 'key Tab' focused 'text #matched'
}

@test 'opening the search on a scrolled page does not move the page, and the field is in sight' {
    { printf 'f%d;' {1..60}; printf 'leaf 1\n'; } > "$BATS_TEST_TMPDIR/deep"
    draw deep.svg -q < "$BATS_TEST_TMPDIR/deep"
    says $'600\ntrue' deep.svg 'resize 1100x440' 'eval void scrollTo(0, 600)' "$SETTLED" 'key /' 'eval scrollY' \
        'eval (b => b.top >= 0 && b.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())'
}

@test 'a bad expression is marked in the field' {
    says $'true\nfalse' plain.svg 'key /' 'type json(' 'eval document.activeElement.matches("[aria-invalid=true]")' \
        'type )' 'eval document.activeElement.matches("[aria-invalid=true]")'
}

@test 'Escape leaves the field and ends the search' {
    says all plain.svg 'key Ctrl-f' 'type json' 'key Escape' focused 'text #matched'
}

@test "a second Ctrl-F is the browser's" {
    says 'false true' plain.svg \
        'eval window.stopped = []; addEventListener("keydown", e => e.key === "f" && stopped.unshift(e.defaultPrevented)); undefined' \
        'key Ctrl-f' 'key Ctrl-f' 'eval stopped.join(" ")'
}

@test 'letters match in any case, unless the term has a capital or "ic" is pressed' {
    says $'3 frames, 45.0%\nNo frame matches\n3 frames, 45.0%\nNo frame matches\n3 frames, 45.0%' plain.svg \
        'key /' 'type json\S' 'text #matched' 'key Escape' 'key /' 'type JSON' 'text #matched' \
        'key Ctrl-i' 'text #matched' 'key Tab' 'click #ignorecase' 'text #matched' \
        'click #ignorecase' 'text #matched'
    draw capitals.svg <<< $'JSON;json 500\nother 500'
    says $'2 frames, 50.0%\n1 frame, 50.0%' capitals.svg 'key /' 'type json' 'text #matched' 'key Escape' \
        'key /' 'type JSON' 'text #matched'
}

@test '"ic" says what it does, and whether it is pressed' {
    says $'Ignore case, also if the search has capitals (Ctrl-I)\nfalse\ntrue' plain.svg \
        'eval document.querySelector("#ignorecase").title' \
        'eval document.querySelector("#ignorecase").getAttribute("aria-pressed")' 'click #ignorecase' \
        'eval document.querySelector("#ignorecase").getAttribute("aria-pressed")'
}

# ---- the address ----

@test 'the address has zoom, search and case, until they are reset' {
    says $'?x=510.0&y=53&s=json+%2F&i=1\n\nnothing' plain.svg 'click render' 'key /' 'type json /' \
        'key Ctrl-i' address 'key Escape' 'key Escape' 'key Ctrl-i' address 'eval location.search || "nothing"'
}

@test 'a copied address restores zoom, search and case' {
    browse plain.svg 'click render' 'key /' 'type JSON' 'key Ctrl-i' address frames 'text #matched'
    before=$output
    browse "plain.svg${lines[0]}" address frames 'text #matched' 'shown #unzoom'
    same $'?x=510.0&'"${before#*&}"$'\ntrue' "$output"
    [ "$status" -eq 0 ]
}

@test 'other parts of the address are kept, and the position of no frame is ignored' {
    says $'?theme=b&s=json#part\nfalse' 'plain.svg?x=1&y=2&theme=b&s=gc#part' \
        'key /' 'type json' address 'shown #unzoom'
}

@test 'a bad expression in the address is a message, not an exception' {
    says 'Bad expression: nothing to repeat' 'plain.svg?s=*' 'text #matched'
}

@test 'a browser that does not allow writing the address does all else' {
    says 'all escape(html) json_string main render serve' \
        plain.svg 'eval void (history.replaceState = history.pushState = () => { throw new Error("denied") })' \
        'click render' frames
}

# ---- links ----

@test 'a click follows a frame that is a link, Ctrl-click zooms it' {
    printf 'render\thref=other.svg\ttarget=_self\n' > "$BATS_TEST_TMPDIR/names"
    draw linked.svg --nameattr "$BATS_TEST_TMPDIR/names" < <(profile)
    draw other.svg <<< 'other 1'
    says $'all escape(html) json_string main render serve\nother.svg' \
        linked.svg 'ctrl-click render' frames 'follow render'
}

# ---- keys ----

@test 'Tab goes to the buttons, then to the frames; arrows go to child, parent and neighbours' {
    says $'View\nThe search is a regular expression, not plain text\nIgnore case, also if the search has capitals (Ctrl-I)
Search for a regular expression\nall\nmain\nserve\nhash\nserve\nmain' plain.svg 'key Tab' focused \
        'key Tab' focused 'key Tab' focused 'key Tab' focused 'key Tab' focused 'key ArrowUp' focused 'key ArrowUp' focused \
        'key ArrowRight' focused 'key ArrowLeft' focused 'key ArrowDown' focused
}

@test 'the details show the frame that has the focus' {
    says 'Function: main (800 samples, 80.00%)' plain.svg 'key /' 'key Tab' 'key ArrowUp' 'text #details'
}

@test 'in an inverted picture the arrow down goes to the child' {
    draw icicle.svg --inverted < <(profile)
    says $'main\nall' icicle.svg 'key /' 'key Tab' 'key ArrowDown' focused 'key ArrowUp' focused
}

@test 'Enter zooms; Escape takes back the search, then the zoom' {
    says $'true 2 frames, 50.0%\ntrue \nfalse ' plain.svg \
        'key /' 'type json' 'key Tab' 'key ArrowUp' 'key Enter' "$(state)" \
        'key Escape' "$(state)" 'key Escape' "$(state)"
}

state() {
    echo 'eval (getComputedStyle(document.querySelector("#unzoom")).display !== "none") + " " +
        document.querySelector("#matched").textContent'
}

@test 'the arrows go to visible frames only' {
    says $'render\nrender' plain.svg 'click render' focused 'key ArrowRight' 'key ArrowLeft' focused
}

@test 'a key that is pressed at once after a click is about the frame that was clicked' {
    says $'serve
true' plain.svg \
        'eval void (frame => {
            const at = document.querySelector("svg").flame.boxes().find(one => one.name === frame);
            document.elementFromPoint(at.x + 5, at.y + 5).dispatchEvent(new MouseEvent("click",
                { bubbles: true, clientX: at.x + 5, clientY: at.y + 5 }));
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown" }));
        })("parse")' focused 'shown #unzoom'
}

@test "keys with Alt, and Ctrl-Shift with a letter, are the browser's" {
    says $'render\nfalse' plain.svg 'click render' 'key Alt-ArrowUp' focused 'key Ctrl-Shift-F' \
        'eval document.activeElement.localName === "input"'
}

@test 'the buttons work from the keyboard' {
    says $'true\nfalse\nfalse' plain.svg 'click main' 'key Shift-Tab' 'key Shift-Tab' 'key Shift-Tab' 'key Shift-Tab' 'key Shift-Tab' \
        'shown #unzoom' 'key Enter' 'shown #unzoom' 'eval location.search !== ""'
}

@test 'Backspace zooms out by one level; Home zooms out and goes to the root; End goes to a leaf' {
    says $'all escape(html) json_parse json_string main parse render serve
serve\nfalse\nall\njson_parse' plain.svg 'click render' 'key Backspace' frames \
        focused 'key Home' 'shown #unzoom' focused 'key End' focused
}

@test 'the question mark shows the keys, all of them in a low picture too; Escape hides them' {
    says $'true\ntrue\nfalse' plain.svg 'key ?' 'eval /Backspace.*zoom out/.test(document.querySelector(".help").textContent)' \
        'eval innerHeight > document.querySelector(".help").getBoundingClientRect().bottom' \
        'key Escape' 'eval document.querySelector(".help") !== null'
}

@test 'a zoom is a step of the history: Back takes it back, and keeps the search' {
    says $'?x=10.0&y=85\nall escape(html) gc json_parse json_string main parse render serve
?x=10.0&y=85&s=gc\nfalse\n?s=gc' plain.svg 'click main' 'click render' back address frames 'key /' 'type gc' 'key Tab' \
        'click serve' back address back 'shown #unzoom' address
}

@test 'after Back the address is that of the picture, also if a search came just before' {
    says $'?s=json\nfalse' plain.svg 'key /' 'type gc' 'key Tab' 'click main' 'eval new Promise(done => {
            addEventListener("popstate", () => setTimeout(done), { once: true });
            const field = document.querySelector("input");
            history.back();
            field.value = "json";
            field.dispatchEvent(new Event("input"));
        })' address 'shown #unzoom'
}

# ---- where the picture is shown ----

# A page with pictures inline, elements with the same ids, and a style that makes pictures fit.
page() { # FILE PICTURE...
    {
        echo '<!DOCTYPE html><style>svg { width: 100%; height: auto }</style>'
        echo '<p id="search">mine</p><input id="q">'
        for picture in "${@:2}"; do
            sed '/^<?xml/d' "$BATS_FILE_TMPDIR/$picture"
        done
    } > "$BATS_FILE_TMPDIR/$1"
}

@test 'inline in a page two pictures, and elements of the page with the same ids, do not affect each other' {
    draw second.svg <<< 'second;leaf 1'
    page page.html plain.svg second.svg
    says $'all all escape(html) json_string leaf main render second serve\n?s=mine\n\nmine\nrgb(0, 0, 0)' \
        'page.html?s=mine' 'click render' frames address 'text #matched' 'text #search' \
        'style color #search'
}

@test 'inline in a page it does not handle keys that are typed into the page' {
    page typed.html plain.svg
    says a/b typed.html 'click #q' 'type a' 'key /' 'type b' \
        'eval document.querySelector("#q").value'
}

@test 'a zoomed picture still works after a resize' {
    page resized.html plain.svg
    says $'12.7 474.5 render\nall gc main' resized.html 'click render' 'resize 500x400' \
        'frame render' 'click main' 'click serve' 'click main' 'click gc' frames
}

@test 'it works in an object element' {
    echo '<object data="plain.svg" type="image/svg+xml"></object>' > "$BATS_FILE_TMPDIR/object.html"
    browse object.html 'click <object>' \
        'eval document.querySelector("object").contentDocument.querySelector("#details").textContent' \
        'eval document.querySelector("object").contentDocument.querySelectorAll("[display=none]").length > 1'
    [[ ${lines[0]} == Function:* ]]
    [ "${lines[1]}" = true ]
    same '' "$stderr"
    [ "$status" -eq 0 ]
}

@test 'without the script there are no buttons, also where a policy forbids styles' {
    (cd "$BATS_FILE_TMPDIR" && "$COMPAT/flamegraph.pl" --width 1020 < <(profile) > perl.svg)
    for picture in plain.svg perl.svg; do
        for policy in "script-src 'none'" "script-src 'none'; style-src 'none'"; do
            {
                echo "<!DOCTYPE html><meta http-equiv='Content-Security-Policy' content=\"$policy\">"
                sed '/^<?xml/d' "$BATS_FILE_TMPDIR/$picture"
            } > "$BATS_FILE_TMPDIR/static.html"
            browse static.html 'eval Array.from(document.querySelectorAll("svg > text"))
                .filter(text => text.getBoundingClientRect().width > 5).map(text => text.textContent).join()'
            same 'Flame Graph' "$output"
        done
    done
}

@test 'where a policy forbids styles the zoom works' {
    {
        echo "<!DOCTYPE html><meta http-equiv='Content-Security-Policy' content=\"style-src 'none'\">"
        sed '/^<?xml/d' "$BATS_FILE_TMPDIR/plain.svg"
    } > "$BATS_FILE_TMPDIR/styleless.html"
    browse styleless.html 'shown #unzoom' 'click render' frames 'shown #unzoom'
    same $'false\nall escape(html) json_string main render serve\ntrue' "$output"
}

# ---- what it costs ----

@test 'opening a picture of many elements reads none of them; a search tests each name once' {
    for i in {0..199}; do printf 'caller%d;callee 5\n' "$i"; done > "$BATS_TEST_TMPDIR/wide"
    (cd "$BATS_FILE_TMPDIR" && "$COMPAT/flamegraph.pl" < "$BATS_TEST_TMPDIR/wide" > wide.svg)
    {
        echo '<!DOCTYPE html><script>var reads = 0, tests = 0;
            const read = Element.prototype.getAttribute, test = RegExp.prototype.test;
            Element.prototype.getAttribute = function (...a) { reads++; return read.apply(this, a); };
            RegExp.prototype.test = function (...a) { tests++; return test.apply(this, a); };
            addEventListener("load", () => { window.atLoad = reads; });
            </script>'
        sed '/^<?xml/d' "$BATS_FILE_TMPDIR/wide.svg"
    } > "$BATS_FILE_TMPDIR/counted.html"
    # 202 names, and the term for capitals
    says $'true\n203\n400 frames, 100%' counted.html 'eval atLoad < 100' 'hover caller7' \
        'key Tab' 'key /' 'type cal' 'eval void (tests = 0)' 'type l' 'eval tests' 'text #matched'
}

@test 'a picture is shown with the frames of the file, where the script draws them next; one that an address zooms or searches, at once as asked' {
    { profile; seq -s ';' 70 | sed 's/$/ 1/'; } | flamesvg -q > "$BATS_FILE_TMPDIR/high.svg"
    for address in '' '?s=json'; do
        echo "<!DOCTYPE html><iframe src='high.svg$address' style='width: 900px; height: 300px; border: 0'></iframe><script>
            const its = () => document.querySelector('iframe').contentDocument;
            const look = () => [its().querySelectorAll('#frames > g > title').length > 10, its().querySelector('.layer') !== null,
                its().documentElement.getBoundingClientRect().width === its().documentElement.clientWidth,
                Math.abs(its().defaultView.scrollY + its().defaultView.innerHeight - its().documentElement.getAttribute('height')) < 30].join(' ');
            addEventListener('load', () => { window.atLoad = look(); });
            </script>" > "$BATS_FILE_TMPDIR/opens$address.html"
    done
    mv "$BATS_FILE_TMPDIR/opens?s=json.html" "$BATS_FILE_TMPDIR/searches.html"
    says $'true false true true\nfalse true true true\nfalse true true true' opens.html 'eval atLoad' 'eval look()' \
        'open searches.html' 'eval atLoad'
}

# ---- the width of the window ----

# Draws as people do, without --width.
follow() { # NAME OPTION...
    flamesvg -q "${@:2}" > "$BATS_FILE_TMPDIR/$1"
}

@test 'the picture is as wide as the window, from 360 to 3840 pixels, and its rows are 16 pixels high' {
    follow wide-as.svg < <(profile)
    size='eval (([root, main]) => [document.querySelector("svg").getBoundingClientRect().width, root.width, root.y - main.y].map(Math.round).join(" "))(
        document.documentElement.flame.boxes())'
    says $'1400 1380 16\n360 340 16\n360 340 16\n3840 3820 16\n3840 3820 16' wide-as.svg "$size" 'resize 360x500' "$SETTLED" "$size" \
        'resize 300x500' "$SETTLED" "$size" 'resize 3840x900' "$SETTLED" "$size" 'resize 4000x900' "$SETTLED" "$size"
}

@test 'the width is fixed with a --width and as flamegraph.pl' {
    follow fixed.svg --width=1200 < <(profile)
    (cd "$BATS_FILE_TMPDIR" && "$COMPAT/flamegraph.pl" < <(profile) > perl.svg)
    for file in fixed.svg perl.svg; do
        says 1200 "$file" 'resize 700x500' "$SETTLED" 'eval document.querySelector("svg").getBoundingClientRect().width'
    done
}

@test 'labels are cut for the width of the window, at the root and zoomed' {
    for i in {1..60}; do
        printf 'main;%s%d;iiii_lll_%d;WWMM_%d;function_with_name_%d %d\n' "$(printf 'x%.0s' $(seq $((i % 9))))" \
            "$i" "$i" "$i" "$i" $((i * i % 97 + 3))
    done > "$BATS_TEST_TMPDIR/names"
    follow follow.svg < "$BATS_TEST_TMPDIR/names"
    fits='true 0 long, 0 cut [null,null]'
    says "$fits"$'\n'"$fits"$'\n'"$fits"$'\n'"$fits"$'\n'"$fits" follow.svg 'check labels' 'resize 3000x700' "$SETTLED" 'check labels' \
        'click xxx21' 'check labels' 'resize 500x700' "$SETTLED" 'check labels' 'key Escape' 'resize 1000x700' "$SETTLED" 'check labels'
}

@test 'the header, the field and the matches stay in the window when it becomes narrow' {
    follow narrow.svg < <(profile)
    says $'true true true true' narrow.svg 'resize 400x500' "$SETTLED" 'key /' 'type json' \
        'eval [".title", "#search", "#matched", "#view"].map(what => (b => b.left >= 0 && b.right <= 400)(document.querySelector(what).getBoundingClientRect())).join(" ")'
}

@test 'a picture higher than the window opens where the root is' {
    { printf 'f%d;' {1..60}; printf 'leaf 1\n'; } > "$BATS_TEST_TMPDIR/deep"
    in_sight='eval (b => b.y >= 0 && b.y + b.height <= innerHeight)(document.documentElement.flame.boxes()[0])'
    for flag in '' --inverted; do
        follow deep.svg ${flag:+"$flag"} < "$BATS_TEST_TMPDIR/deep"
        says $'true\ntrue' deep.svg 'eval innerHeight < document.querySelector("svg").getBoundingClientRect().height' "$in_sight"
    done
}

@test 'a link restores the zoom at any width of the window' {
    follow linked.svg < <(profile)
    browse linked.svg 'click render' address
    address=$output
    says $'1380\ntrue' "linked.svg$address" 'eval Math.round(document.documentElement.flame.boxes().find(one => one.name === "render").width)' 'shown #unzoom'
}

# ---- looks ----

@test 'with dark colours preferred the background is dark, and the frames keep their colours' {
    browse plain.svg 'style fill render' 'media prefers-color-scheme=dark' 'style fill render' \
        'style fill <svg > rect>' 'style fill #title'
    [ "${lines[0]}" = "${lines[1]}" ]
    same $'rgb(30, 31, 34)\nrgb(221, 221, 221)' "${lines[2]}"$'\n'"${lines[3]}"
}

@test 'a background that was asked for stays with dark colours preferred, and so does the text on it' {
    draw grey.svg --bgcolors=grey < <(profile)
    browse grey.svg 'style fill <svg > rect>' 'style fill #title' \
        'media prefers-color-scheme=dark' 'style fill <svg > rect>' 'style fill #title'
    same $'url("#background")\nrgb(0, 0, 0)' "${lines[0]}"$'\n'"${lines[1]}"
    same "${lines[0]}"$'\n'"${lines[1]}" "${lines[2]}"$'\n'"${lines[3]}"
}

@test 'the largest change has the full colour, where counts are fractions too' {
    draw fractions.svg -q <<< $'grown 10.5 20.5\nsame 10.5 10.5'
    says $'rgb(255, 0, 0)\nrgb(255, 255, 255)' fractions.svg 'style fill grown' 'style fill same'
}

# Every palette, and a comparison, in one page.
palettes() {
    for name in hot mem io wakeup chain java js perl red green blue aqua yellow purple orange node; do
        draw "$name.svg" --colors="$name" < "$BATS_TEST_TMPDIR/names"
    done
    awk '{ print $0, NR % 7 * 50 }' "$BATS_TEST_TMPDIR/names" > "$BATS_TEST_TMPDIR/two"
    draw two.svg -q < "$BATS_TEST_TMPDIR/two"
    draw grey.svg --bgcolors='#303030' --colors=blue < "$BATS_TEST_TMPDIR/names"
    page palettes.html {hot,mem,io,wakeup,chain,java,js,perl,red,green,blue,aqua,yellow,purple,orange,node,two,grey}.svg
}

@test 'every label contrasts with its frame by 4.5 at least: each palette, light and dark, faded and matched' {
    for i in {0..39}; do
        echo "main;zoomed;f$i;java/x::m$i;LazyCompile:*g$i /a.js:1;k${i}_[k];j${i}_[j];v8::internal::F$i 100"
    done > "$BATS_TEST_TMPDIR/names"
    palettes
    find='eval document.querySelectorAll("input").forEach(i => { i.value = "main|1"; i.dispatchEvent(new Event("input")) })'
    says $'true true \ntrue true \ntrue true \ntrue true \ntrue true ' palettes.html 'check contrast' \
        'media prefers-color-scheme=dark' 'check contrast' 'click-all zoomed' 'check contrast' \
        "$find" 'check contrast' 'media prefers-color-scheme=light' "$SETTLED" 'check contrast'
}

@test 'no label is longer than its frame, and none is cut where two more characters fit' {
    for i in {1..60}; do
        printf 'main;%s%d;iiii_lll_%d;WWMM_%d;function_with_name_%d %d\n' "$(printf 'x%.0s' $(seq $((i % 9))))" \
            "$i" "$i" "$i" "$i" $((i * i % 97 + 3))
    done > "$BATS_TEST_TMPDIR/names"
    for font in Verdana 'DejaVu Sans' 'Liberation Sans'; do
        draw fonts.svg --fonttype="$font" < "$BATS_TEST_TMPDIR/names"
        says $'true 0 long, 0 cut [null,null]\ntrue 0 long, 0 cut [null,null]' fonts.svg \
            'check labels' 'click xxx21' 'check labels'
    done
}

@test 'the root has its label from the start' {
    says all plain.svg 'text all'
}

@test 'controls of text direction are visible in titles, labels and details' {
    draw bidi.svg <<< $'main;x\xe2\x80\xaegpj.exe\xe2\x81\xa6 500'
    says $'x<U+202E>gpj.exe<U+2066>\nFunction: x<U+202E>gpj.exe<U+2066> (500 samples, 100.00%)' bidi.svg \
        'text x<U+202E>gpj.exe<U+2066>' 'hover x<U+202E>gpj.exe<U+2066>' 'text #details'
    (cd "$BATS_FILE_TMPDIR" && "$COMPAT/flamegraph.pl" <<< $'main;x\xe2\x80\xaegpj.exe 500' > perl.svg)
    says $'Function: x<U+202E>gpj.exe (500 samples, 100.00%)\nx<U+202E>gpj.exe' perl.svg \
        'hover x<U+202E>gpj.exe' 'text #details' 'click x<U+202E>gpj.exe' 'text x<U+202E>gpj.exe'
}

@test 'a long name of wide characters stays in the details line' {
    face=$(printf '\xf0\x9f\x98\x80%.0s' {1..200})
    draw wide-name.svg <<< "$face 500"
    says true wide-name.svg "hover $face" 'eval document.querySelector("#details").getBoundingClientRect().right < 1020'
}

@test 'the gaps of the legend are even' {
    draw legend.svg --colors=node <<< 'node;LazyCompile:*serve /srv/app.js:1;v8::internal::Run;write_[k];RegExp:x 100'
    # the script hides it, and Firefox has no places of hidden text
    says $'true 0' legend.svg 'eval document.querySelector("#legend").removeAttribute("display")' 'eval (parts => {
        const gaps = parts.slice(1).map((part, n) => part.getStartPositionOfChar(0).x - parts[n].getEndPositionOfChar(parts[n].textContent.length - 1).x);
        const even = list => Math.max(...list) - Math.min(...list) < 0.5;
        return (gaps.length > 6) + " " + ["even", "odd"].filter((_, rest) => !even(gaps.filter((_, n) => n % 2 === rest))).length;
    })(Array.from(document.querySelectorAll("#legend tspan")))'
}

@test 'the frame under the pointer has an outline of more than a pixel' {
    says $'none\n1.5px' plain.svg 'style stroke <#frames path>' 'hover render' 'style strokeWidth <#frames .hover>'
}

@test 'nothing is fetched but the picture itself' {
    says 1 plain.svg 'click render' 'key /' 'type json' 'key Enter' requests
}

@test 'nothing is fetched for an attribute of --nameattr either' {
    for style in 'background:url(fetched.png)' 'background:\75rl(fetched.png)' \
        'background-image:image-set(&quot;fetched.png&quot; 1x)' 'mask-image:url(fetched.png)' \
        'background:u/**/rl(fetched.png)'; do
        printf 'render\tg_extra=style="%s"\n' "$style"
        printf 'main\tg_extra=fill="url(fetched.svg#a)" filter="url(fetched.svg#b)"\n'
    done > "$BATS_TEST_TMPDIR/names"
    for n in 1 3 5 7 9; do
        draw styled.svg --quiet --nameattr <(sed -n "$n,$((n + 1))p" "$BATS_TEST_TMPDIR/names") < <(profile)
        says 1 styled.svg 'hover render' 'eval new Promise(done => setTimeout(done, 50))' requests
    done
}
