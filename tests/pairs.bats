# What every program writes, in each of its formats, every program that reads text reads, or refuses with a message
# that says what it is.
load lib

PERF='perf script text'
SVG='an SVG picture'
FOLDED='folded stacks, which stackcollapse has made already'
TWICE='each line has two counts, so this is a comparison'
REPORT='a table of stackreport'
DIFF='a table of stackdiff'
CHECK='a report of perf-script --check'
TEXT=(in perf-script stackfilter)
FOLDED_ONE=(stackcollapse stackfilter-folded fractions no-frames no-frames-alone stackfiles)
FOLDED_TWO=(stackdiff stackfilter-two stackcollapse-two no-frames-two)

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    gunzip -c "$DATA/node-http.perf.txt.gz" | head -n 20000 >of-in
    perf-script -q of-in >of-perf-script
    stackfilter -q --node of-in >of-stackfilter
    stackcollapse -q of-in >of-stackcollapse
    stackfilter -q --node of-stackcollapse >of-stackfilter-folded
    printf '%s\n' 'main;a 1.5' 'main;b 7' >of-fractions
    stackdiff -q of-stackcollapse of-stackfilter-folded >of-stackdiff
    stackfilter -q --drop=x of-stackdiff >of-stackfilter-two
    stackcollapse -q of-stackdiff >of-stackcollapse-two
    flamesvg -q of-stackcollapse >of-flamesvg
    flamesvg -q of-stackdiff >of-flamesvg-two
    flamesvg -q --html of-stackcollapse >of-flamesvg-html
    "$COMPAT/flamegraph.pl" of-stackcollapse >of-flamegraph.pl 2>/dev/null
    for format in table tsv json; do
        stackreport -q --format=$format of-in >of-stackreport-$format
        stackreport -q --format=$format --callers=. of-in >of-stackreport-callers-$format
    done
    stackreport -q --by=dso of-in >of-stackreport-dso
    stackdiff -q --format=table of-stackcollapse of-stackfilter-folded >of-stackdiff-table
    stackdiff -q --format=json of-stackcollapse of-stackfilter-folded >of-stackdiff-json
    perf-script -q --check of-in >of-perf-script-check
    perf-script -q --stats=json of-in >of-perf-script-json
    printf 'main;a 3\n 4\n' | stackcollapse >of-no-frames
    printf ' 4\n' | stackfilter -q >of-no-frames-alone
    stackdiff -q of-no-frames of-no-frames-alone >of-no-frames-two
    cp "$DATA/stack.data" of-recording
    mkdir folder && echo text >folder/file
    stackfiles folder >of-stackfiles
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

# Runs a reader on the output of a writer; of stackdiff it is the profile before.
read_output() { # READER WRITER
    local operands=("of-$2")
    [ "$1" != stackdiff ] || operands+=(of-stackcollapse)
    echo "$1 of what $2 wrote"
    try bash -c '"$@" >output' bash "$1" "${operands[@]}"
}

reads() { # READER WRITER...
    local writer
    for writer in "${@:2}"; do
        [ -s "of-$writer" ]
        read_output "$1" "$writer"
        [ "$status" -eq 0 ]
        [[ $stderr != *skipped* && $stderr != *'not understood'* ]]
        [ -s output ]
    done
}

refuses() { # READER WHAT WRITER...
    local writer
    for writer in "${@:3}"; do
        [ -s "of-$writer" ]
        read_output "$1" "$writer"
        [ "$status" -eq 1 ]
        [[ $stderr = *"$2"* ]] || { echo "$stderr" && false; }
    done
}

# What only people and other tools read.
refuses_reports() { # READER
    refuses "$1" "$SVG" flamesvg flamesvg-two flamegraph.pl
    refuses "$1" HTML flamesvg-html
    refuses "$1" JSON stackreport-json stackreport-callers-json stackdiff-json perf-script-json
    refuses "$1" "$REPORT" stackreport-{table,tsv,callers-table,callers-tsv,dso}
    refuses "$1" "$DIFF" stackdiff-table
    refuses "$1" "$CHECK" perf-script-check
}

@test "what each program writes, perf-script reads or names" {
    reads perf-script "${TEXT[@]}"
    refuses perf-script "$FOLDED" "${FOLDED_ONE[@]}" "${FOLDED_TWO[@]}"
    refuses_reports perf-script
}

@test "what each program writes, stackfilter reads or names" {
    reads stackfilter "${TEXT[@]}" "${FOLDED_ONE[@]}" "${FOLDED_TWO[@]}"
    refuses_reports stackfilter
}

@test "what each program writes, stackcollapse reads or names" {
    reads stackcollapse "${TEXT[@]}" "${FOLDED_ONE[@]}" "${FOLDED_TWO[@]}"
    refuses_reports stackcollapse
}

@test "what each program writes, stackreport reads or names" {
    reads stackreport "${TEXT[@]}" "${FOLDED_ONE[@]}"
    refuses stackreport "$TWICE" "${FOLDED_TWO[@]}"
    refuses_reports stackreport
}

@test "what each program writes, flamesvg reads or names" {
    reads flamesvg "${FOLDED_ONE[@]}" "${FOLDED_TWO[@]}"
    refuses flamesvg "$PERF" "${TEXT[@]}"
    refuses_reports flamesvg
}

@test "what each program writes, stackdiff reads or names" {
    reads stackdiff "${FOLDED_ONE[@]}"
    refuses stackdiff "$TWICE" "${FOLDED_TWO[@]}"
    refuses stackdiff "$PERF" "${TEXT[@]}"
    refuses_reports stackdiff
}

@test "a binary recording is read by perf-script, and named by the others" {
    local reader
    reads perf-script recording
    for reader in stackfilter stackcollapse stackreport flamesvg stackdiff; do
        refuses "$reader" "perf's binary recording" recording
    done
}
