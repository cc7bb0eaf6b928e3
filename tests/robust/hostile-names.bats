# Names that were made to do harm in a picture: tests/data/flamesvg/hostile.
load ../lib

# Draws pictures with all names in all fields, and checks what is in the files: the XML parses, and names are text.
draw() { # KIND PROGRAM
    mkdir "$BATS_FILE_TMPDIR/$1"
    try python3 "$ROOT/tests/browser/hostile.py" "$2" "$1" "$BATS_FILE_TMPDIR/$1"
    same '' "$stderr"
    same '' "$output"
    [ "$status" -eq 0 ]
}

@test "the list has more than 80 names" {
    [ "$(grep -cv '^# \|^#$' "$DATA/flamesvg/hostile")" -gt 80 ]
}

@test "in a picture's file hostile names are text" {
    draw svg "$BIN/flamesvg"
}

@test "under the Perl script's name, too" {
    draw perl "$COMPAT/flamegraph.pl"
}

@test "and in a page of --html" {
    draw html "$BIN/flamesvg"
}

@test "in a browser these pictures show the names as they are; nothing runs, and nothing is fetched" {
    needs_browser
    cd "$BATS_FILE_TMPDIR"
    try node "$ROOT/tests/browser/hostile.js" svg perl html
    same '' "$stderr"
    same '' "$output"
    [ "$status" -eq 0 ]
}
