# Inputs that are made to take much time or memory. tests/robust/bounds/forms.py makes them for every format and program.
load ../lib
load within

@test "a regular expression that begins to match at each of 100,000 bytes of a name takes no time" {
    { head -c 100000 /dev/zero | tr '\0' a; echo ' 1'; } > in
    within 100 10 stackfilter --drop 'a.*b' in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    cmp in out
    within 100 10 flamesvg --base 'a.*b' in
    [ "$status" -eq 1 ]
    [[ $stderr == *'1 of 1 stacks dropped by --base'* ]]
    within 100 10 stackreport --callers 'a.*b' in
    [ "$status" -eq 0 ]
}

@test "in a hundred long names it takes some milliseconds each" {
    awk 'BEGIN { a = sprintf("%4080s", ""); gsub(/ /, "a", a); for (i = 0; i < 100; i++) print "m;" a i " 1" }' > in
    within 100 10 stackfilter --drop 'a.*b' --rename 's/a.*b|(a|aa)*c/x/g' in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    cmp in out
}

@test "a name is searched in its first 1,024 bytes" {
    awk 'BEGIN { a = sprintf("%1022s", ""); gsub(/ /, "a", a); print "m;" a "bc;x 1"; print "m;a" a "bc;x 2" }' > in
    try stackfilter --drop 'bc' in
    [ "$status" -eq 0 ]
    same "$(printf "m;x 1\n"; sed 1d in)" "$output"
    try stackfilter --drop 'b$' in
    [ "$status" -eq 0 ]
    same "$(cat in)" "$output"
}

@test "a back reference is refused with a reason" {
    try stackfilter --drop '(a)\1' /dev/null
    [ "$status" -eq 2 ]
    same '' "$output"
    [[ $stderr == *"'(a)\\1': back references are not supported: they may take any time"* ]]
}

@test "80,000 attributes on a line of --nameattr, and titles of ampersands alone, take no time" {
    { printf 'f\tg_extra='; seq -f 'a%.0f="1"' 80000 | tr '\n' ' '; echo; } > attributes
    { printf 'f\ttitle='; head -c 1000000 /dev/zero | tr '\0' '&'; echo; } > title
    { printf 'f\ttitle='; head -c 1000000 /dev/zero | sed 's/\x00/\&#/g'; echo; } > numbers
    local file
    for file in attributes title numbers; do
        within 100 10 flamesvg --nameattr "$file" <<< "main;f 9999"
        [ "$status" -eq 0 ]
        same '' "$stderr"
        [ -s out ]
    done
}

# Writes a stack of so many frames.
deep_stack() { # FRAMES
    awk -v n="$1" 'BEGIN { for (i = 1; i < n; i++) printf "a;"; print "b 9999" }'
}

@test "of two million frames in one stack those next to the root are drawn, in 160 MB, and a message says how many" {
    deep_stack 2000000 > in
    within 160 20 flamesvg --html in
    [ "$status" -eq 0 ]
    [[ $stderr == *'flamesvg: more than 600,000 frames: stacks are cut to the 299999 frames next to the root' ]]
    same 300000 "$(python3 "$ROOT/tests/tool/frametable.py" frames out)"
}

@test "600,000 names are drawn, and are compared as a table, in a limited memory" {
    awk 'BEGIN { for (i = 0; i < 600000; i++) printf "%x 1\n", (i * 7919) % 1048576 }' > in
    within 140 20 flamesvg --html --sort size in
    [ "$status" -eq 0 ]
    [[ $stderr == *'more than 500,000 frames'* ]]
    within 210 20 stackdiff --format table in in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 600001 "$(wc -l < out)"
}

@test "stackreport keeps two million frames of one stack in 120 MB" {
    deep_stack 2000000 > in
    within 120 20 stackreport in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    grep -q '9,999 100.00%  9,999 100.00%  native   b$' out
    grep -q '    0   0.00%  9,999 100.00%  native   a$' out
}

@test "200,000 lines of --nameattr are kept in 60 MB" {
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf "f%d\ttitle=t\thref=#a\n", i }' > attributes
    within 60 10 flamesvg --nameattr attributes <<< "main;f199999 9999"
    [ "$status" -eq 0 ]
    same '' "$stderr"
    [ "$(grep -c 'href=.#a' out)" -gt 0 ]
}

@test "a stack of as many frames as are drawn is drawn whole" {
    deep_stack 400000 > in
    within 160 20 flamesvg --html in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 400001 "$(python3 "$ROOT/tests/tool/frametable.py" frames out)"
}

@test "under the Perl script's name frames that end at one place are told apart in linear time" {
    { seq -f 'm;f%.0f;g 0' 80000; echo 'z 1'; } > in
    within 200 10 "$COMPAT/flamegraph.pl" --minwidth 0 in
    [ "$status" -eq 0 ]
    same 80002 "$(grep -c '<title>[fmz][0-9]* ' out)"
}

@test "names in any order are sorted in less than quadratic time: 200,000 that descend and then ascend" {
    awk 'BEGIN { for (i = 199999; i > 0; i -= 2) printf "%06d 1\n", i; for (i = 0; i < 200000; i += 2) printf "%06d 1\n", i }' > in
    within 100 10 stackcollapse --from folded in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    seq -f '%06.0f 1' 0 199999 | cmp - out
}

@test "pkgsplit finds the command beside 300,000 blanks and digits in linear time" {
    local piece
    for piece in 2 ' ' '1 ' '1/' ' 1/1'; do
        { yes "$piece" | head -n 300000 | tr -d '\n'; echo ' [0] 1.1: cycles: 7f La;::b (x)'; } > in
        within 100 10 stackcollapse -q --from pkgsplit in
        [ "$status" -le 1 ]
        within 100 10 "$COMPAT/pkgsplit-perf.pl" in
        [ "$status" -eq 0 ]
    done
}

@test "what forms.py makes takes time and memory in proportion to its size" {
    [ -z "${SAN-}" ] || skip "sanitizers take time and memory of their own"
    [ -e "$ROOT/build/bench/measure" ] || make -s -C "$ROOT" BUILD=build build/bench/measure
    try env BOUNDS_MB="${BOUNDS_MB:-0.125}" "$ROOT/tests/robust/bounds/run.py" "$ROOT/build"
    same '' "$stderr"
    same '' "$(grep -v '^known' <<< "$output" || true)"
    [ "$status" -eq 0 ]
}
