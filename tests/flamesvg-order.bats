# In which order flamesvg draws stacks: frame by frame, so that a function is never twice beside itself, whatever byte
# the name of a sibling goes on with, and in whatever order the lines are.
load lib

TABLE=$ROOT/tests/tool/frametable.py

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export LC_ALL=C
}

# The frames that are drawn, but for the root: name and count, from left to right, callers first.
frames() { # [FILE]
    flamesvg -q "$@" | sed -n 's/^<g[^>]*><title>\(.*\) (\([0-9]*\) samples*, .*/\1 \2/p' | sed 1d
}

# Stacks of functions whose names continue each other with bytes below and above ";", sorted as stackcollapse sorts.
random_stacks() { # SEED LINES DEPTH
    awk -v seed="$1" -v lines="$2" -v depth="$3" 'BEGIN {
        srand(seed)
        n = split(" |!|(x)|#|$1|-p|.k|+0x10|1|:2|<t>|@plt|_|z| b", more, "|")
        for (i = 0; i < lines; i++) {
            stack = ""
            for (d = 1 + int(rand() * depth); d > 0; d--) {
                name = substr("abc", 1 + int(rand() * 3), 1)
                while (rand() < 0.4)
                    name = name more[1 + int(rand() * n)]
                stack = stack (stack == "" ? "" : ";") name
            }
            print stack, 1 + int(rand() * 9)
        }
    }'
}

@test "a function is one frame though the name of a sibling goes on with a byte below ';'" {
    for more in ' ' ' b' '!' '"' '#' '$' '%' '&' '(x)' '*' '+0x10' ',' '-exec' '.part.0' '/' '0' '9' ':'; do
        printf '%s\n' "main 1" "main$more 2" "main$more;x 4" "main;x 8" "main;y 16" >in
        frames in | sed 's/&amp;/\&/g; s/&quot;/"/g' >said
        same "$(printf '%s\n' 'main 25' 'x 8' 'y 16' "main$more 6" 'x 4')" "$(cat said)"
    done
}

@test "a function is one frame beside names that go on from each other, deep in stacks and before other functions" {
    printf '%s\n' 'r;f 1' 'r;f g;x 1' 'r;f g h;x 1' 'r;f g;y 1' 'r;f.0;x 1' 'r;f;x 1' 'r;f;y 1' 'r;fz 1' 's 1' >in
    same $'r 8\nf 3\nx 1\ny 1\nf g 2\nx 1\ny 1\nf g h 1\nx 1\nf.0 1\nx 1\nfz 1\ns 1' "$(frames in)"
    sort in >sorted
    same "$(frames in)" "$(frames sorted)"
}

@test "random stacks in the order of their bytes, of stackcollapse and in any other give the same bytes" {
    command -v python3 >where || skip 'no python3 to decode the table with'
    for seed in 1 2 3 4 5 6; do
        random_stacks "$seed" 2000 $((seed * 2)) >in
        stackcollapse -q --from=folded in >collapsed
        sort collapsed >sorted
        awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand() "\t" $0 }' collapsed | sort | cut -f2- >shuffled
        flamesvg -q collapsed >collapsed.svg
        flamesvg -q sorted >sorted.svg
        flamesvg -q shuffled >shuffled.svg
        cmp collapsed.svg sorted.svg
        cmp collapsed.svg shuffled.svg
        "$TABLE" count in >wanted
        "$TABLE" decode collapsed.svg | cut -f1-3,5- >drawn
        cmp wanted drawn
    done
}

@test "more lines than are kept unmerged are drawn as those that were merged before" {
    random_stacks 7 30000 6 >in
    stackcollapse -q --from=folded in >collapsed
    flamesvg -q in >in.svg
    flamesvg -q collapsed >collapsed.svg
    cmp in.svg collapsed.svg
}

@test "stacks with two counts, and with fractions, do not depend on the order of lines either" {
    random_stacks 8 500 4 | awk '{ n = $NF; sub(/ [0-9]*$/, ""); print $0, n, (n * 7) % 10 }' >two
    random_stacks 9 500 4 | awk '{ n = $NF; sub(/ [0-9]*$/, ""); print $0, n / 8 }' >fractions
    for file in two fractions; do
        sort "$file" >sorted
        sort -r "$file" >reversed
        for options in '' --html --reverse --sort=size --base=b; do
            # shellcheck disable=SC2086
            flamesvg -q $options sorted >a
            # shellcheck disable=SC2086
            flamesvg -q $options reversed >b
            cmp a b
        done
    done
}

@test "flamegraph.pl goes on to draw stacks in the order of their lines' bytes" {
    printf '%s\n' 'a;b 1' 'a;b.c 1' 'a;b;d 1' >in
    same $'a 3\nb 1\nb.c 1\nb 1\nd 1' "$("$COMPAT/flamegraph.pl" in | sed -n 's/^<g[^>]*><title>\(.*\) (\([0-9]*\) samples*, .*/\1 \2/p' | sed 1d)"
}
