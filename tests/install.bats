load lib

PROGRAMS=(perf-script stackfilter stackcollapse flamesvg stackdiff)

setup_file() {
    export BUILD=$BATS_FILE_TMPDIR/build DEST=$BATS_FILE_TMPDIR/dest
    house install "$DEST"
}

house() { # TARGET DESTDIR
    make -s -j2 -C "$ROOT" BUILD="$BUILD" CFLAGS=-O0 DESTDIR="$2" PREFIX=/opt/flame "$1"
}

# What bash offers for the last of the words, with the installed completion.
complete_words() { # PROGRAM WORD ...
    bash -c '
        . "$0/opt/flame/share/bash-completion/completions/$1"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")"
        printf "%s\n" "${COMPREPLY[@]}"' "$DEST" "$@"
}

@test "every program is installed and runs" {
    for program in "${PROGRAMS[@]}"; do
        try "$DEST/opt/flame/bin/$program" --version
        [ "$status" = 0 ]
        [[ $output = "$program (flamepipe) "* ]]
        [ "$stderr" = "" ]
    done
}

@test "the Perl scripts' names are relative links in libexec, which work wherever the whole is put" {
    cp -a "$DEST/opt/flame" "$BATS_TEST_TMPDIR/moved"
    printf 'a;b 1\n' >"$BATS_TEST_TMPDIR/one"
    try "$BATS_TEST_TMPDIR/moved/libexec/flamepipe/difffolded.pl" "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/one"
    [ "$status" = 0 ]
    [ "$output" = "a;b 1 1" ]
    try readlink "$DEST/opt/flame/libexec/flamepipe/flamegraph.pl"
    [ "$output" = ../../bin/flamesvg ]
    try readlink "$DEST/opt/flame/libexec/flamepipe/stackcollapse-perf.pl"
    [ "$output" = ../../bin/stackcollapse ]
}

@test "every man page is installed in its section" {
    for page in "$ROOT"/man/*.[1-8]; do
        cmp "$page" "$DEST/opt/flame/share/man/man${page##*.}/${page##*/}"
    done
}

@test "nothing is installed that anybody may write" {
    try find "$DEST" -type f -perm /022
    [ "$output" = "" ]
}

@test "bash completes an option" {
    try complete_words stackcollapse --event
    [ "$output" = --event-filter ]
}

@test "bash offers every option of --help" {
    for program in "${PROGRAMS[@]}"; do
        try complete_words "$program" --
        same "$("$BUILD/bin/$program" --help | grep -oE '^  (-., )?--[a-z0-9-]+' | sed 's/.* //' | sort)" \
            "$(sort <<<"$output")"
    done
}

@test "bash completes a value that is one of several, in either form" {
    try complete_words stackcollapse --from ''
    same $'perf\nfolded\nguess' "$output"
    try complete_words stackcollapse --from = f
    [ "$output" = folded ]
    try complete_words stackcollapse --from =
    same $'perf\nfolded\nguess' "$output"
}

@test "bash completes operands with files, spaces in their names too" {
    cd "$BATS_TEST_TMPDIR"
    touch 'in put.folded'
    try complete_words stackdiff in
    [ "$output" = 'in put.folded' ]
}

@test "bash completes nothing where the value is free text" {
    cd "$BATS_TEST_TMPDIR"
    touch RE
    try complete_words stackcollapse --skip-after R
    [ "$output" = "" ]
}

@test "uninstall leaves no file" {
    cp -a "$DEST" "$BATS_TEST_TMPDIR/copy"
    house uninstall "$BATS_TEST_TMPDIR/copy"
    try find "$BATS_TEST_TMPDIR/copy" -not -type d
    [ "$output" = "" ]
    [ ! -e "$BATS_TEST_TMPDIR/copy/opt/flame/libexec/flamepipe" ]
}

@test "uninstall leaves what others have installed" {
    cp -a "$DEST" "$BATS_TEST_TMPDIR/copy"
    touch "$BATS_TEST_TMPDIR/copy/opt/flame/"{bin,libexec/flamepipe}/other
    house uninstall "$BATS_TEST_TMPDIR/copy"
    try find "$BATS_TEST_TMPDIR/copy/opt/flame/"{bin,libexec} -not -type d
    same "$BATS_TEST_TMPDIR/copy/opt/flame/bin/other
$BATS_TEST_TMPDIR/copy/opt/flame/libexec/flamepipe/other" "$output"
    try find "$BATS_TEST_TMPDIR/copy/opt/flame/share" -not -type d
    [ "$output" = '' ]
}
