# Text of other tools, and text that is no profile at all.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

@test "'# key: value' is a comment in folded stacks, and a stack under the scripts' names" {
    printf '# austin: 3.4.1\n# mode: wall\n# duration: 23873\n\nP1;a 3\n\n# duration: 23873\n' >austin
    try stackcollapse austin
    [ "$status" -eq 0 ]
    same 'P1;a 3' "$output"
    same '' "$stderr"
    try stackdiff austin austin
    [ "$status" -eq 0 ]
    same 'P1;a 3 3' "$output"
    same '' "$stderr"
    try stackreport --format=tsv --no-comm austin
    [ "$status" -eq 0 ]
    [[ $output != *duration* && $output == *P1* ]]
    try stackfilter austin
    same "$(cat austin)" "$output"
    try flamesvg -q austin
    [ "$status" -eq 0 ]
    [[ $output != *duration* ]]
    try "$COMPAT/flamegraph.pl" austin
    [[ $output == *'# duration: (47,746 samples'* ]]
    try "$COMPAT/difffolded.pl" austin austin
    [[ $output == *'# duration: 23873 '* || $output == *'# duration: '* ]]
    printf '# a: 1\nmain;a 3 4\n' >two
    try stackcollapse two
    same 'main;a 3 4' "$output"
    printf '#include <x>;a 3\n# a;b: 3\n#1;main 5\n' >stacks
    try stackcollapse stacks
    same "$(LC_ALL=C sort stacks)" "$output"
}
