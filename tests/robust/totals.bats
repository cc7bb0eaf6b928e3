# For every recording in tests/data, samples in = samples out + samples reported. The samples in are counted by awk,
# from the headers. The first 500 samples are enough of the long ones; a blank line ends a sample.
load ../lib

setup_file() {
    export IN=$BATS_FILE_TMPDIR/in COUNTED=$BATS_FILE_TMPDIR/counted
    mkdir "$IN"
    local file
    for file in "$DATA"/*.perf.txt.gz; do
        gunzip -c "$file" | awk -v RS= -v ORS='\n\n' 'NR <= 500' > "$IN/$(basename "$file" .perf.txt.gz)"
    done
    headers "$IN" > "$COUNTED"
    [ "$(awk '$2 > 0' "$COUNTED" | wc -l)" -eq "$(find "$IN" -type f | wc -l)" ]
}

# The end of an awk program that has read all files of a folder: a line for each, of its name and of what figures(FILE) returns,
# which has zeros for an empty file.
EACH_FILE='END {
    for (i = 1; i < ARGC; i++) {
        name = ARGV[i]
        sub(/.*\//, "", name)
        print name, figures(ARGV[i])
    }
}'

# "NAME SAMPLES ALL-SAMPLES PERIODS": of the first sample's event, of all events, of the first event. A header is
# known by its time and its event: " 1593.961814:    1001001 cpu-clock: ".
headers() { # FOLDER
    awk '
        function figures(file) { return sprintf("%.0f %.0f %.0f", samples[file], all[file], periods[file]) }
        match($0 " ", / [0-9]+\.[0-9]+: +([0-9]+ +)?[a-z][-a-z0-9_:]*: /) {
            n = split(substr($0 " ", RSTART, RLENGTH), field, " ")
            if (!(FILENAME in event))
                event[FILENAME] = field[n]
            all[FILENAME]++
            if (event[FILENAME] == field[n]) {
                samples[FILENAME]++
                periods[FILENAME] += n == 3 ? field[2] : 1
            }
        }'"$EACH_FILE" "$1"/*
}

# "NAME SUM": of the counts of folded files.
sums() { # FOLDER
    awk '
        function figures(file) { return sprintf("%.0f", sum[file]) }
        { sum[FILENAME] += $NF }'"$EACH_FILE" "$1"/*
}

# "NAME NUMBER": the numbers in messages "15 of 32 samples ...", added up.
reported() { # FOLDER
    awk '
        function figures(file) { return sprintf("%.0f", sum[file]) }
        match($0, / [0-9,]+ of [0-9,]+ samples /) {
            split(substr($0, RSTART, RLENGTH), field, " ")
            gsub(/,/, "", field[1])
            sum[FILENAME] += field[1]
        }'"$EACH_FILE" "$1.said"/*
}

# Runs a program on each file of a folder. What it prints becomes a file of another folder, and its messages one of the
# folder with ".said" after its name.
through() { # FROM TO COMMAND...
    local file name from=$1 to=$2
    shift 2
    rm -rf "$to" "$to.said"
    mkdir "$to" "$to.said"
    for file in "$from"/*; do
        name=${file##*/}
        "$@" "$file" > "$to/$name" 2> "$to.said/$name" || { echo "$* $name: status $?" && cat "$to.said/$name" && return 1; }
    done
}

# Columns of what was counted of the recordings.
counted() { # COLUMN...
    local IFS=,
    cut -d ' ' -f "1,$*" "$COUNTED"
}

# The second numbers of lines that begin with the same names, added up.
added() { # LINES LINES
    paste -d ' ' <(echo "$1") <(echo "$2") | awk '{ print $1, $2 + $4 }'
}

collapse_keeps_samples() { # OPTION...
    echo "$*"
    through "$IN" folded stackcollapse "$@"
    same "$(counted 3)" "$(added "$(sums folded)" "$(reported folded)")"
}

filter_keeps_samples() { # OPTION...
    echo "$*"
    through "$IN" filtered stackfilter "$@"
    through filtered folded stackcollapse --weight=period
    same "$(< "$COUNTED")" "$(headers filtered)"
    same "$(counted 4)" "$(sums folded)"
}

filter_keeps_counts() { # OPTION...: of the folded stacks in the folder "stacks"
    echo "$*"
    through stacks filtered stackfilter "$@"
    same "$(sums stacks)" "$(sums filtered)"
}

filter_says_what_it_drops() { # OPTION...
    echo "$*"
    through "$IN" filtered stackfilter "$@"
    same "$(counted 3)" "$(added "$(headers filtered | cut -d ' ' -f 1,3)" "$(reported filtered)")"
}

@test "stackcollapse --weight=period: counts out are periods in, less the samples that it reports" {
    through "$IN" folded stackcollapse --weight=period
    same "$(counted 4)" "$(sums folded)"
    same "$(counted 3)" "$(added "$(counted 2)" "$(reported folded)")"
}

@test "stackcollapse: counts out and samples reported are the samples in" {
    collapse_keeps_samples
}

@test "stackcollapse: no option that shapes names or stacks changes the total" {
    collapse_keeps_samples --all --pid --addrs
    collapse_keeps_samples --tid --comm-digits=1 --tidy=none
    collapse_keeps_samples --skip-after '^[a-z]'
    collapse_keeps_samples --tidy=perl --srcline
}

@test "stackcollapse --no-comm: a sample of which nothing remains is reported" {
    collapse_keeps_samples --no-comm
}

@test "stackcollapse: one event's total is the other's complement" {
    mkdir two
    ln -s "$IN/two-events" two
    through two clock stackcollapse --event-filter=cpu-clock
    through two faults stackcollapse --event-filter=page-faults
    same "$(counted 3 | grep two-events)" "$(added "$(sums clock)" "$(sums faults)")"
}

@test "perf-script: a copy folds to the same stacks as what it was made from" {
    through "$IN" copy perf-script
    same '' "$(cat copy.said/*)"
    through "$IN" wanted stackcollapse
    through copy got stackcollapse
    diff -r wanted got
}

@test "perf-script: slices of the time have every sample once" {
    through "$IN" first perf-script --time 0%,30%
    through "$IN" second perf-script --time 30%,70%
    through "$IN" third perf-script --time 70%,100%
    local sum
    sum=$(added "$(headers first | cut -d ' ' -f 1,3)" "$(headers second | cut -d ' ' -f 1,3)")
    same "$(counted 3)" "$(added "$sum" "$(headers third | cut -d ' ' -f 1,3)")"
}

# Calls a function for each option of stackfilter that drops or renames frames, and no samples.
with_frame_options() { # FUNCTION
    "$1" --node
    "$1" --node --v8-work=summarize
    "$1" --drop .
    "$1" --keep 'no such frame'
    "$1" --hide kernel,native,v8,builtin
    "$1" --only app
    "$1" --max-depth 3
    "$1" --collapse-recursion
    "$1" --rename 's/.*/x/'
}

@test "stackfilter: no option that drops frames changes the total" {
    with_frame_options filter_keeps_samples
}

@test "stackfilter: nor does it in folded stacks" {
    through "$IN" stacks stackcollapse
    with_frame_options filter_keeps_counts
}

@test "stackfilter: an option that drops samples says how many" {
    filter_says_what_it_drops --focus '^[a-m]'
    filter_says_what_it_drops --exclude '^[a-m]'
    filter_says_what_it_drops --root-at '^main$'
}

@test "flamesvg: the lowest frame shows the total" {
    through "$IN" folded stackcollapse
    through folded svg flamesvg
    same "$(sums folded)" "$(cd svg && grep -o '<title>all ([0-9,]* samples' ./* | sed 's,^\./,,; s/:.*(/ /; s/ samples$//; s/,//g')"
}
