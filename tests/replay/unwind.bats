# Stacks that perf copied (--call-graph dwarf) of programs without frame pointers, in recordings that are kept: what perf-script
# unwinds is compared with what perf unwound, and with the paths that tests/unwind/paths.c and paths.cc can take.
load ../lib
load replay

UNWIND=$ROOT/tests/unwind

# Fails if a stack is neither on the path nor marked.
on_path() { # RECORDING PATH [LEAF]
    local samples right marked
    replays "$1"
    replay -F +pid data > text
    read -r samples right marked < <(awk -v path="$2" -v leaf="${3-}" -f "$UNWIND/judge.awk" text)
    echo "$1: $samples samples, $right on the path, $marked marked"
    ((samples >= 20 && right + marked == samples && marked * 10 <= samples))
}

# The functions that call main, or a thread's first function: they may have no names.
CALLERS='( [^ ]+)+$'

# So often the same, since not every awk knows {50}.
times() { # COUNT TEXT
    printf "$2%.0s" $(seq "$1")
}

# All ways to spin(), of which each stack is one.
all_ways() {
    local way ways=('compare( [^ ]+)+ sorts main' 'handler [^ ]+( ([^ ]+ )?copies| [^ ]*setitimer)? interrupted main'
        'returned longjumps main' 'threaded' 'forked forks main' 'allocates allocations main' 'tail tails main' 'in_context'
        "$(times 50 'recursion ')main")
    printf '^spin (%s' "${ways[0]}"
    for way in "${ways[@]:1}"; do
        printf '|%s' "$way"
    done
    printf ')%s' "$CALLERS"
}

@test "recursion, callbacks, signal handlers, longjmp, threads, forks, alloca, contexts and tail calls have the callers that the program has" {
    on_path unwind_gcc "$(all_ways)"
}

@test "so have they in static programs, of clang, with lazy binding, and of musl" {
    local name
    for name in lld static lazy musl; do
        on_path unwind_$name "$(all_ways)"
    done
}

@test "a function called through the PLT has its caller, also while it is in the PLT" {
    local name
    for name in gcc lazy; do
        on_path unwind_calls_$name "^[^ ]+( calls)? main$CALLERS" '^(calls|labs|labs@plt)$'
    done
}

@test "stacks of stripped programs reach their root" {
    replays unwind_stripped
    run ! grep '\[lost\]\|\[cut\]' text
}

@test "std::sort and exceptions of C++ have the callers that the program has" {
    on_path unwind_cxx "^spin (before( [^ ]+)+ $(times 7 'descend ')|caught catches )main$CALLERS"
}

@test "a recording that comes through a pipe is unwound too" {
    use unwind_gcc
    replay data > of-file
    replay - < <(cat data) | cmp of-file -
}

@test "[cut] and [lost] are the outermost frames of stacks whose callers are missing, unless --no-marks or --as-perf is given" {
    replays unwind_cut
    grep -q $'^\t               0 \[cut\] (\[unknown\])$' text
    same 0 "$(replay --no-marks data | grep -c '\[cut\]')"
    same 0 "$(replay --as-perf data | grep -c '\[cut\]')"
    same "$(replay --no-marks data)" "$(grep -v '\[cut\]\|\[lost\]' text)"
    try perf-script --check --symfs fs data
    [[ $output == *"are cut: the copy of the stack was too short"* ]]
    [[ $output == *"stacks are cut, since the copy of the stack was too short, most often in /srv/replay/cut: record a larger one (stackrecord or perf record, with --call-graph dwarf,64512)"* ]]
}

@test "copied stacks are unwound without a word about perf, and -G prints their leaves" {
    use unwind_gcc
    try perf-script "${where[@]}" data
    [ "$status" -eq 0 ]
    [[ $stderr != *'perf script'* ]]
    [ "$(grep -c $'^\t' <<< "$output")" -gt "$(replay -G data | grep -c .)" ]
}
