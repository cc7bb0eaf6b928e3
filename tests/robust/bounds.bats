# Inputs that are made to take much time or memory. tests/bounds/forms.py makes them for every format and program.
load ../lib

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a regular expression that begins to match at each of 100,000 bytes of a name takes no time" {
    { head -c 100000 /dev/zero | tr '\0' a; echo ' 1'; } > in
    try timeout 30 stackfilter --drop 'a.*b' in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same "$(cat in)" "$output"
    try timeout 30 flamesvg --base 'a.*b' in
    [ "$status" -eq 1 ]
    [[ $stderr == *'1 of 1 stacks dropped by --base'* ]]
    try timeout 30 stackreport --callers 'a.*b' in
    [ "$status" -eq 0 ]
}

@test "in a hundred long names it takes some milliseconds each" {
    awk 'BEGIN { a = sprintf("%4080s", ""); gsub(/ /, "a", a); for (i = 0; i < 100; i++) print "m;" a i " 1" }' > in
    try timeout 10 stackfilter --drop 'a.*b' --rename 's/a.*b|(a|aa)*c/x/g' in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same "$(sha256sum < in)" "$(sha256sum <<< "$output")"
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
        try bash -c 'timeout 30 flamesvg --nameattr "$1" <<< "main;f 9999" > picture' - "$file"
        [ "$status" -eq 0 ]
        same '' "$stderr"
        [ -s picture ]
    done
}

# Writes a stack of so many frames.
deep_stack() { # FRAMES
    awk -v n="$1" 'BEGIN { for (i = 1; i < n; i++) printf "a;"; print "b 9999" }'
}

@test "of two million frames in one stack those next to the root are drawn, in 160 MB, and a message says how many" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    deep_stack 2000000 > in
    try bash -c 'ulimit -v 160000; timeout 60 flamesvg --html in > picture.html'
    [ "$status" -eq 0 ]
    [[ $stderr == *'flamesvg: more than 600,000 frames: stacks are cut to the 299999 frames next to the root' ]]
    same 300000 "$(python3 "$ROOT/tests/tool/frametable.py" frames picture.html)"
}

@test "600,000 names are drawn, and are compared as a table, in a limited memory" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    awk 'BEGIN { for (i = 0; i < 600000; i++) printf "%x 1\n", (i * 7919) % 1048576 }' > in
    try bash -c 'ulimit -v 140000; timeout 60 flamesvg --html --sort size in > picture.html'
    [ "$status" -eq 0 ]
    [[ $stderr == *'more than 500,000 frames'* ]]
    try bash -c 'ulimit -v 210000; timeout 60 stackdiff --format table in in > table'
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 600001 "$(wc -l < table)"
}

@test "stackreport keeps two million frames of one stack in 120 MB" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    deep_stack 2000000 > in
    try bash -c 'ulimit -v 120000; timeout 60 stackreport in'
    [ "$status" -eq 0 ]
    same '' "$stderr"
    [[ $output == *'9,999 100.00%  9,999 100.00%  native   b'* ]]
    [[ $output == *'    0   0.00%  9,999 100.00%  native   a' ]]
}

@test "200,000 lines of --nameattr are kept in 60 MB" {
    [ -z "${SAN-}" ] || skip "sanitizers take memory of their own"
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf "f%d\ttitle=t\thref=#a\n", i }' > attributes
    try bash -c 'ulimit -v 60000; timeout 60 flamesvg --nameattr attributes <<< "main;f199999 9999" > picture'
    [ "$status" -eq 0 ]
    same '' "$stderr"
    [ "$(grep -c 'href=.#a' picture)" -gt 0 ]
}

@test "a stack of as many frames as are drawn is drawn whole" {
    deep_stack 400000 > in
    try bash -c 'timeout 60 flamesvg --html in > picture.html'
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same 400001 "$(python3 "$ROOT/tests/tool/frametable.py" frames picture.html)"
}

@test "under the Perl script's name frames that end at one place are told apart in linear time" {
    { seq -f 'm;f%.0f;g 0' 80000; echo 'z 1'; } > in
    try bash -c 'timeout 30 "$1" --minwidth 0 in > picture' - "$COMPAT/flamegraph.pl"
    [ "$status" -eq 0 ]
    same 80002 "$(grep -c '<title>[fmz][0-9]* ' picture)"
}

@test "names in any order are sorted in less than quadratic time: 200,000 that descend and then ascend" {
    awk 'BEGIN { for (i = 199999; i > 0; i -= 2) printf "%06d 1\n", i; for (i = 0; i < 200000; i += 2) printf "%06d 1\n", i }' > in
    try timeout 30 stackcollapse --from folded in
    [ "$status" -eq 0 ]
    same '' "$stderr"
    same "$(seq -f '%06.0f 1' 0 199999 | sha256sum)" "$(sha256sum <<< "$output")"
}

@test "pkgsplit finds the command beside 300,000 blanks and digits in linear time" {
    local piece
    for piece in 2 ' ' '1 ' '1/' ' 1/1'; do
        { yes "$piece" | head -n 300000 | tr -d '\n'; echo ' [0] 1.1: cycles: 7f La;::b (x)'; } > in
        try timeout 30 stackcollapse -q --from pkgsplit in
        [ "$status" -le 1 ]
        try timeout 30 "$COMPAT/pkgsplit-perf.pl" in
        [ "$status" -eq 0 ]
    done
}

@test "what forms.py makes takes time and memory in proportion to its size" {
    [ -z "${SAN-}" ] || skip "sanitizers take time and memory of their own"
    [ -e "$ROOT/build/bench/measure" ] || make -s -C "$ROOT" BUILD=build build/bench/measure
    try env BOUNDS_MB="${BOUNDS_MB:-0.125}" timeout 900 "$ROOT/tests/bounds/run.py" "$ROOT/build"
    same '' "$stderr"
    same '' "$(grep -v '^known' <<< "$output" || true)"
    [ "$status" -eq 0 ]
}
