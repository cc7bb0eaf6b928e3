# perf-script -F +srcline and --inline on recordings that are kept.
load ../lib
load replay

# The source lines of a text.
srclines() { # FILE
    grep '^  [^ ]' "$1"
}

# perf runs addr2line, which takes wrong files for some lines of line tables of version 5 whose first two files differ: in a
# program linked with -flto it says <artificial>, which the kept difference lists.
@test "-F +srcline prints the lines that perf prints, of programs with debug information and without, and of the kernel" {
    replays lines
    replays lines_flat
    replays ended
    grep -q '^  \[kernel.kallsyms\]\[[0-9a-f]*\]$' got
}

@test "source lines are those of inlined calls, of files without line tables, and of programs without symbols" {
    use lines
    replay -F +srcline data > text
    srclines text | grep -q '^  lines.cc:[1-9][0-9]*$'
    srclines text | grep -q '^  lines.cc:0$'
    srclines text | grep -q '^  bin-stripped\[[0-9a-f]*\]$'
    replay --as-perf -F +srcline data > as-perf
    same "$(srclines as-perf)" "$(srclines text)"
}

@test "text with source lines is read as it was written" {
    use lines
    replay --as-perf -F +srcline data > text
    perf-script -q text | cmp text -
}

@test "source lines are found in any number of files, of which few are held open" {
    use lines
    local i
    for i in {1..40}; do cp fs/srv/replay/bin-pie "copy$i"; done
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" files 400 "$PWD"/copy* > many
    perf-script -q -F +srcline many > wanted
    same 40 "$(grep -A 1 'sum<double>+.*/copy' wanted | grep -A 1 'copy' | grep -o '/copy[0-9]*' | sort -u | wc -l)"
    srclines wanted | grep -q 'lines.cc:[1-9]'
    prints "$(cat wanted)" bash -c 'ulimit -n 28 && exec perf-script -F +srcline many'
    same '' "$(grep -i 'too many' <<< "$stderr")"
}

@test "source lines are never of another file than the recorded one" {
    use moved
    replay -F +srcline data | grep -q '^  other.c:[1-9]'
    build_again fs/srv/replay/other
    replay -F +srcline data > text
    grep -q '^  other\[[0-9a-f]*\]$' text
    run ! grep -q '\.c:' text
}

@test "a function's name with a newline does no harm" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'static inline __attribute__((always_inline)) int inner(volatile int *p) { return *p + 1; }' \
        'int main(void) { volatile int i = 0; while (i < 1000) i = inner(&i); return i; }' > named.c
    gcc -g -O1 -S -o named.s named.c
    sed -i 's/\(\.string[ \t]*"in\)\(ner"\)/\1\\n\2/' named.s # in the debug information
    gcc -no-pie -o named named.s
    PYTHONDONTWRITEBYTECODE=1 python3 "$ROOT/tests/record/stream.py" files 500 "$PWD/named" > data
    perf-script -q data > without
    answers 0 '*' '' perf-script -F +srcline data
    [[ $output == *$'\n  named.c:'* ]]
    same "$(cat without)" "$(grep -v '^  ' <<< "$output")"
}

@test "source lines need no other program" {
    use lines
    replay -F +srcline data > wanted
    prints "$(cat wanted)" env PATH=/nonexistent "$BIN/perf-script" -q --symfs fs -F +srcline data
}

@test "--inline prints inlined calls before the function that they are in, and changes nothing else" {
    use lines
    replay data > without
    replay --inline data > text
    same "$(cat without)" "$(grep -v ' (inlined)$' text)"
    stackcollapse text > folded
    grep -q ';_start;sum<double>;twice<double>;wave ' folded
    replay --inline -F +srcline data > text
    grep -A1 ' wave.* (inlined)$' text | grep -q "^  lines.cc:$(awk '/x \* i/ { print NR }' "$ROOT/tests/replay/app/lines.cc")$"
    cmp <(replay --as-perf --inline data) <(replay --as-perf data)
}
