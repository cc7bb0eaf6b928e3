# Names that were made to do harm in a picture: tests/data/flamesvg/hostile.
load lib

# Draws pictures with all names in all fields, and checks what is in the files.
draw() { # KIND PROGRAM
    mkdir "$BATS_TEST_TMPDIR/$1"
    try python3 "$ROOT/tests/browser/hostile.py" "$2" "$1" "$BATS_TEST_TMPDIR/$1"
    same '' "$stderr"
    same '' "$output"
    [ "$status" -eq 0 ]
}

# Opens those pictures, and uses them.
show() { # KIND
    needs_browser
    try node "$ROOT/tests/browser/hostile.js" "$BATS_TEST_TMPDIR/$1"
    same '' "$stderr"
    same '' "$output"
    [ "$status" -eq 0 ]
}

@test "the list has more than 80 names" {
    [ "$(grep -cv '^# \|^#$' "$DATA/flamesvg/hostile")" -gt 80 ]
}

@test "in a picture hostile names are text: the XML parses, nothing runs, nothing is fetched, they show as themselves" {
    draw svg "$BIN/flamesvg"
    show svg
}

@test "under the Perl script's name hostile names are text, too" {
    draw perl "$COMPAT/flamegraph.pl"
    show perl
}

@test "in a page of --html hostile names are text, too" {
    draw html "$BIN/flamesvg"
    show html
}
