load ../lib

PROGRAMS=(perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackexport stackstat stackrecord stackfiles flamepipe jmaps nodeprofile)

# Installs from a copy of the build, in which make may compile what is out of date.
setup_file() {
    copy_build "$BUILD" "$BATS_FILE_TMPDIR/build"
    export BUILD=$BATS_FILE_TMPDIR/build DEST=$BATS_FILE_TMPDIR/dest
    house install "$DEST"
}

# With the flags of the make that runs the tests, so that nothing is compiled again.
house() { # TARGET DESTDIR
    make -s -j2 -C "$ROOT" ${CFLAGS+CFLAGS="$CFLAGS"} BUILD="$BUILD" DESTDIR="$2" PREFIX=/opt/flame "$1"
}

# What bash offers for the last of the words, with the installed completion.
complete_words() { # PROGRAM WORD ...
    PATH=${offered_by-$DEST/opt/flame/bin}:$PATH bash -c '
        . "$0/opt/flame/share/bash-completion/completions/$1"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "$(complete -p "$1" | sed "s/.* -F \([^ ]*\) .*/\1/")" "$1"
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

# Makes the input of the tests below, and sets `folder` to the Perl scripts' names and `script` to one of them.
use_script() {
    cd "$BATS_TEST_TMPDIR"
    printf 'a;b 1\n' >'one file'
    printf 'a;b 1\na;c 2\n' >'the other'
    folder=$DEST/opt/flame/libexec/flamepipe script=$DEST/opt/flame/libexec/flamepipe/difffolded.pl
}

# Passes where the command with the two files as operands gives what the Perl script gives.
compares() { # COMMAND...
    try "$@" "$BATS_TEST_TMPDIR/one file" "$BATS_TEST_TMPDIR/the other"
    [ "$status" = 0 ]
    same $'a;b 1 1\na;c 0 2' "$(sort <<<"$output")"
    [ "$stderr" = "" ]
}

@test "under a Perl script's name a program runs by its path, from PATH, by sh and by perl" {
    use_script
    compares "$script"
    PATH=$folder:$PATH compares difffolded.pl
    cp -a "$DEST/opt/flame/." .
    cd libexec/flamepipe
    compares ./difffolded.pl
    compares sh difffolded.pl
    command -v perl || skip "no perl"
    compares perl "$script"
    compares perl difffolded.pl
    compares perl ../flamepipe/difffolded.pl
}

@test "under a Perl script's name a program runs through links to links, by any name" {
    use_script
    mkdir 'my links'
    ln -s "$script" 'my links/first'
    ln -s first 'my links/second'
    ln -s 'my links/second' 'the third'
    ln -s "$folder" folder
    compares 'my links/first'
    compares 'my links/second'
    compares './the third'
    PATH=$PWD:$PATH compares 'the third'
    compares folder/difffolded.pl
    command -v perl || skip "no perl"
    compares perl 'the third'
    compares perl ./folder/difffolded.pl
}

@test "arguments with blanks, quotes and nothing in them reach the program, from perl too" {
    use_script
    for call in '' perl; do
        [ -z "$call" ] || command -v $call || skip "no perl"
        # shellcheck disable=SC2086
        try $call "$folder/flamegraph.pl" --title "a  'b' \$c *" --subtitle '' 'one file'
        [ "$status" = 0 ]
        [[ $output = *">a  'b' \$c *</text>"* ]] || [[ $output = *">a  &apos;b&apos; \$c *</text>"* ]]
    done
}

@test "under a Perl script's name standard input and the exit status are the program's own" {
    use_script
    try "$folder/stackcollapse-perf.pl" <<<$'node 1 1.0: 1 cycles:\n\t1 f (/x)\n'
    [ "$status" = 0 ]
    [ "$output" = "node;f 1" ]
    try "$folder/stackcollapse-perf.pl" --nonsense
    [ "$status" = 255 ]
}

@test "the Perl scripts' names work wherever the whole is put, with blanks in the path too" {
    use_script
    mkdir 'a new'
    cp -a "$DEST/opt/flame" 'a new/place'
    script="a new/place/libexec/flamepipe/difffolded.pl"
    compares "$script"
    compares "$PWD/$script"
    try readlink "${script%/*}/programs/flamegraph.pl"
    [ "$output" = ../../../bin/flamesvg ]
    command -v perl || skip "no perl"
    compares perl "$script"
}

@test "a copy of one script alone says what to do" {
    use_script
    cp "$script" .
    try ./difffolded.pl 'one file' 'the other'
    [ "$status" = 1 ]
    [ "$output" = "" ]
    [ "$stderr" = "difffolded.pl: ./programs/difffolded.pl is missing: use a link to the installed difffolded.pl, not a copy of it" ]
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
    try complete_words stackcollapse --event-
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
    [[ $output == $'perf\n'*$'\nfolded\n'*$'\nguess' ]]
    try complete_words stackcollapse --from = fo
    [ "$output" = folded ]
    try complete_words stackcollapse --from =
    [[ $output == $'perf\n'*$'\nfolded\n'*$'\nguess' ]]
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

@test "bash completes one kind of several, and the last of a list" {
    try complete_words stackfilter --hide ''
    same "$(stackfilter --hide=x 2>&1 | sed -n '1s/.* is not one of //p' | tr ' ' '\n')" "$output"
    try complete_words stackfilter --hide = app,ker
    same app,kernel "$output"
}

@test "bash completes the numbers and the names of what runs" {
    for words in 'stackrecord -p' 'stackrecord --pid =' 'stackrecord -t' 'stackrecord --parent' 'flamepipe -p' jmaps nodeprofile; do
        # shellcheck disable=SC2086
        try complete_words $words "$BASHPID"
        [ "$status" -eq 0 ]
        [ "$stderr" = '' ]
        grep -qx "$BASHPID" <<<"$output"
    done
    try complete_words stackrecord -p "1,$BASHPID"
    grep -qx "1,$BASHPID" <<<"$output"
    try complete_words stackrecord --name ba
    grep -qx bash <<<"$output"
}

@test "bash runs nothing that a name says" {
    cd "$BATS_TEST_TMPDIR"
    local name='$(touch x)'
    cp "$(command -v sleep)" "$name"
    "./$name" 20 3>&- &
    soon grep -qxF "$name" "/proc/$!/comm"
    try complete_words stackrecord -n '$(t'
    kill $!
    same "$name" "$output"
    [ ! -e x ]
}

@test "bash completes events, and those of tracepoints after the colon" {
    try complete_words stackrecord -e cpu-
    same $'cpu-clock\ncpu-migrations' "$output"
    try complete_words stackrecord --event = cpu-clock,page-
    same cpu-clock,page-faults "$output"
    # a list of events in place of the machine's
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nprintf "%%s x\\n" sched:sched_switch sched:sched_wakeup other:one\n' > "$BATS_TEST_TMPDIR/bin/stackrecord"
    chmod +x "$BATS_TEST_TMPDIR/bin/stackrecord"
    offered_by=$BATS_TEST_TMPDIR/bin
    for words in '-e sched :' '-e sched : sched_' '--event = other:one,sched : sched_' '-e other : one,sched : sched_'; do
        # shellcheck disable=SC2086
        try complete_words stackrecord $words
        same $'sched_switch\nsched_wakeup' "$output"
    done
}

# What fish offers for the end of a command line, each with a tab and its text.
fish_offers() { # PROGRAM LINE
    PATH=$DEST/opt/flame/bin:$PATH HOME=$BATS_TEST_TMPDIR fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
        "$DEST/opt/flame/share/fish/vendor_completions.d/$1.fish" "$2"
}

@test "fish offers every option of --help, with what it does" {
    command -v fish || skip "no fish"
    for program in "${PROGRAMS[@]}"; do
        try fish_offers "$program" "$program --"
        [ "$status" = 0 ]
        [ "$stderr" = "" ]
        same "$("$BUILD/bin/$program" --help | grep -oE '^  (-., )?--[a-z0-9-]+' | sed 's/.* //' | sort)" \
            "$(cut -f 1 <<<"$output" | cut -d = -f 1 | sort -u)"
    done
    try fish_offers flamesvg 'flamesvg --tru'
    same $'--truncate\tcut long names at this end (right)' "$output"
}

@test "fish completes values of several, lists, processes and files" {
    command -v fish || skip "no fish"
    cd "$BATS_TEST_TMPDIR"
    touch in.folded
    mkdir folder
    same 'left right' "$(fish_offers flamesvg 'flamesvg --truncate ' | cut -f1 | paste -sd ' ')"
    same app,kernel "$(fish_offers stackfilter 'stackfilter --hide app,kern' | cut -f1)"
    same 'folder/ in.folded' "$(fish_offers stackdiff 'stackdiff ' | cut -f1 | paste -sd ' ')"
    same folder/ "$(fish_offers perf-script 'perf-script --symfs ' | cut -f1)"
    fish_offers stackrecord "stackrecord -p 1,$$" | grep -q "^1,$$"
    fish_offers stackrecord "stackrecord --tid $$" | grep -q "^$$"
    fish_offers stackrecord "stackrecord -e cpu-clock,page-f" | grep -q '^cpu-clock,page-faults'
}

# What zsh offers for the end of a command line, and the line that it becomes, in "<>".
zsh_offers() { # LINE
    PATH=$DEST/opt/flame/bin:$PATH timeout 60 zsh -f "$ROOT/tests/complete.zsh" \
        "$DEST/opt/flame/share/zsh/site-functions" "$1"
}

@test "zsh offers every option of --help, with what it does" {
    command -v zsh || skip "no zsh"
    for program in "${PROGRAMS[@]}"; do
        try zsh_offers "$program --"
        [ "$status" = 0 ]
        for option in $("$BUILD/bin/$program" --help | grep -oE '^  (-., )?--[a-z0-9-]+' | sed 's/.* //'); do
            grep -q -- "^$option  .*-- ." <<<"$output"
        done
    done
}

# Passes where zsh makes the one line of the other. What it adds, a blank or a comma, goes when another one is typed.
completes() { # LINE LINE
    try zsh_offers "$1"
    grep -qxE "<$2[, ]?>" <<<"$output"
}

@test "zsh completes values of several, lists, processes and files" {
    command -v zsh || skip "no zsh"
    cd "$BATS_TEST_TMPDIR"
    touch in.folded other # of several files Tab offers a list
    completes 'flamesvg --truncate le' 'flamesvg --truncate left'
    completes 'flamesvg --truncate=ri' 'flamesvg --truncate=right'
    completes 'stackfilter --hide app,kern' 'stackfilter --hide app,kernel'
    completes 'stackdiff in.f' 'stackdiff in.folded'
    completes 'stackrecord -e cpu-clock,page-f' 'stackrecord -e cpu-clock,page-faults'
    completes 'stackrecord --name zs' 'stackrecord --name zsh'
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
    touch "$BATS_TEST_TMPDIR/copy/opt/flame/"{bin,libexec/flamepipe,libexec/flamepipe/programs}/other
    house uninstall "$BATS_TEST_TMPDIR/copy"
    try find "$BATS_TEST_TMPDIR/copy/opt/flame/"{bin,libexec} -not -type d
    same "$BATS_TEST_TMPDIR/copy/opt/flame/bin/other
$BATS_TEST_TMPDIR/copy/opt/flame/libexec/flamepipe/other
$BATS_TEST_TMPDIR/copy/opt/flame/libexec/flamepipe/programs/other" "$(sort <<<"$output")"
    try find "$BATS_TEST_TMPDIR/copy/opt/flame/share" -not -type d
    [ "$output" = '' ]
}
