# For every recording in tests/data, samples in = samples out + samples reported. The samples in are counted by awk,
# from the headers.
load ../lib

setup_file() {
    export IN=$BATS_FILE_TMPDIR/in COUNTED=$BATS_FILE_TMPDIR/counted
    mkdir "$IN" "$COUNTED"
    local file name
    for file in "$DATA"/*.perf.txt.gz; do
        name=$(basename "$file" .perf.txt.gz)
        gunzip -c "$file" > "$IN/$name"
        headers "$IN/$name" > "$COUNTED/$name"
    done
}

# Sets the counts of a recording's input.
count() { # FILE
    read -r samples all periods < "$COUNTED/$(basename "$1")"
    [ "$samples" -gt 0 ]
}

# Calls the function for each recording; the last one named in the output is the one that failed.
each() { # FUNCTION [ARGUMENTS]
    local file function=$1
    shift
    for file in "$IN"/*; do
        echo "$(basename "$file") $*"
        "$function" "$file" "$@"
    done
}

# "SAMPLES ALL-SAMPLES PERIODS": of the first sample's event, of all events, of the first event. A header is
# known by its time and its event: " 1593.961814:    1001001 cpu-clock: ".
headers() { # FILE
    awk '
        match($0 " ", / [0-9]+\.[0-9]+: +([0-9]+ +)?[a-z][-a-z0-9_:]*: /) {
            n = split(substr($0 " ", RSTART, RLENGTH), field, " ")
            if (event == "")
                event = field[n]
            all++
            if (event == field[n]) {
                samples++
                periods += n == 3 ? field[2] : 1
            }
        }
        END { printf "%.0f %.0f %.0f\n", samples, all, periods }' "$1"
}

# The sum of a folded file's counts.
sum() { # FILE
    awk '{ sum += $NF } END { printf "%.0f\n", sum }' "$1"
}

# The numbers in messages "15 of 32 samples ...", added up.
reported() {
    printf '%s\n' "$stderr" | tr -d , | awk '/ of [0-9]+ samples / { sum += $2 } END { print sum + 0 }'
}

# Runs a program on a file, its output into another.
into() { # OUTPUT COMMAND...
    local output=$BATS_TEST_TMPDIR/$1
    shift
    try bash -c '"${@:2}" > "$1"' bash "$output" "$@"
    [ "$status" -eq 0 ] || { echo "$* : status $status: $stderr" && return 1; }
}

collapse_keeps_periods() { # FILE
    local samples all periods
    count "$1"
    into folded stackcollapse --weight=period "$1"
    same "$periods" "$(sum "$BATS_TEST_TMPDIR/folded")"
    same $((all - samples)) "$(reported)"
}

collapse_keeps_samples() { # FILE OPTION...
    local samples all periods
    count "$1"
    into folded stackcollapse "${@:2}" "$1"
    same "$all" $(($(sum "$BATS_TEST_TMPDIR/folded") + $(reported)))
}

copy_is_the_same() { # FILE
    into copy perf-script "$1"
    [ -z "$stderr" ]
    into wanted stackcollapse "$1"
    into got stackcollapse "$BATS_TEST_TMPDIR/copy"
    cmp "$BATS_TEST_TMPDIR/wanted" "$BATS_TEST_TMPDIR/got"
}

filter_keeps_samples() { # FILE OPTION...
    local samples all periods
    count "$1"
    into filtered stackfilter "${@:2}" "$1"
    into folded stackcollapse --weight=period "$BATS_TEST_TMPDIR/filtered"
    same "$samples $all $periods" "$(headers "$BATS_TEST_TMPDIR/filtered")"
    same "$periods" "$(sum "$BATS_TEST_TMPDIR/folded")"
}

filter_keeps_counts() { # FILE OPTION...: the same on folded stacks
    into folded stackcollapse "$1"
    into filtered stackfilter "${@:2}" "$BATS_TEST_TMPDIR/folded"
    same "$(sum "$BATS_TEST_TMPDIR/folded")" "$(sum "$BATS_TEST_TMPDIR/filtered")"
}

filter_says_what_it_drops() { # FILE OPTION...
    local samples all periods
    count "$1"
    into filtered stackfilter "${@:2}" "$1"
    local rest
    read -r _ rest _ <<< "$(headers "$BATS_TEST_TMPDIR/filtered")"
    same "$all" $((rest + $(reported)))
}

graph_shows_total() { # FILE
    into folded stackcollapse "$1"
    into svg flamesvg "$BATS_TEST_TMPDIR/folded"
    same "$(sum "$BATS_TEST_TMPDIR/folded")" \
        "$(grep -o '<title>all ([0-9,]* samples' "$BATS_TEST_TMPDIR/svg" | tr -dc 0-9)"
}

slices_add_up() { # FILE
    local samples all periods slice rest sum=0
    count "$1"
    for slice in 0%,30% 30%,70% 70%,100%; do
        into slice perf-script --time "$slice" "$1"
        read -r _ rest _ <<< "$(headers "$BATS_TEST_TMPDIR/slice")"
        sum=$((sum + rest))
    done
    same "$all" "$sum"
}

@test "stackcollapse --weight=period: counts out are periods in, less the samples that it reports" {
    each collapse_keeps_periods
}

@test "stackcollapse: counts out and samples reported are the samples in" {
    each collapse_keeps_samples
}

@test "stackcollapse: no option that shapes names or stacks changes the total" {
    each collapse_keeps_samples --all --pid --addrs
    each collapse_keeps_samples --tid --comm-digits=1 --tidy=none
    each collapse_keeps_samples --skip-after '^[a-z]'
    each collapse_keeps_samples --tidy=perl --srcline
}

@test "stackcollapse --no-comm: a sample of which nothing remains is reported" {
    each collapse_keeps_samples --no-comm
}

@test "stackcollapse: one event's total is the other's complement" {
    local event sum=0
    for event in cpu-clock page-faults; do
        into folded stackcollapse --event-filter="$event" "$IN/two-events"
        sum=$((sum + $(sum "$BATS_TEST_TMPDIR/folded")))
    done
    read -r _ all _ < "$COUNTED/two-events"
    same "$all" "$sum"
}

@test "perf-script: a copy folds to the same stacks as what it was made from" {
    each copy_is_the_same
}

@test "perf-script: slices of the time have every sample once" {
    each slices_add_up
}

@test "stackfilter: no option that drops frames changes the total" {
    each filter_keeps_samples --node
    each filter_keeps_samples --node --v8-work=summarize
    each filter_keeps_samples --drop .
    each filter_keeps_samples --keep 'no such frame'
    each filter_keeps_samples --hide kernel,native,v8,builtin
    each filter_keeps_samples --only app
    each filter_keeps_samples --max-depth 3
    each filter_keeps_samples --collapse-recursion
    each filter_keeps_samples --rename 's/.*/x/'
}

@test "stackfilter: nor does it in folded stacks" {
    each filter_keeps_counts --node
    each filter_keeps_counts --node --v8-work=summarize
    each filter_keeps_counts --drop .
    each filter_keeps_counts --keep 'no such frame'
    each filter_keeps_counts --hide kernel,native,v8,builtin
    each filter_keeps_counts --only app
    each filter_keeps_counts --max-depth 3
    each filter_keeps_counts --collapse-recursion
    each filter_keeps_counts --rename 's/.*/x/'
}

@test "stackfilter: an option that drops samples says how many" {
    each filter_says_what_it_drops --focus '^[a-m]'
    each filter_says_what_it_drops --exclude '^[a-m]'
    each filter_says_what_it_drops --root-at '^main$'
}

@test "flamesvg: the lowest frame shows the total" {
    each graph_shows_total
}
