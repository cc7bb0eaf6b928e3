# For tests of what all programs promise, after "load lib". ONLY names the programs that are tested.

read -ra PROGRAMS <<< "${ONLY:-perf-script stackfilter stackcollapse flamesvg stackdiff stackreport stackexport}"
# stackexport always wants a format: setup_file makes a program that has one. bats reads this again for each test, after
# lib.bash has put other programs before it.
[ -z "${IN-}" ] || PATH=$IN/bin:$PATH

setup_file() {
    export IN=$BATS_FILE_TMPDIR
    mkdir "$IN/bin"
    printf '#!/bin/sh\nexec %s --to=tsv "$@"\n' "$(command -v stackexport)" > "$IN/bin/stackexport"
    chmod +x "$IN/bin/stackexport"
    PATH=$IN/bin:$PATH
    printf '%s\n' 'good 1 [000] 1.000000: 1 cycles:' \
        $'\t1 leaf+0x1 (/bin/good)' $'\t2 main (/bin/good)' '' > "$IN/good.perf"
    printf 'good;main;leaf 1\n' > "$IN/good.folded"
    gunzip -c "$DATA/node-http.perf.txt.gz" > "$IN/big.perf"
    stackcollapse "$IN/big.perf" > "$IN/big.folded"
}

# Calls the function for each program.
each() { # FUNCTION [ARGUMENTS]
    local program
    for program in "${PROGRAMS[@]}"; do
        echo "$program $*"
        "$1" "$program" "${@:2}"
    done
}

# perf or folded: what the program reads.
format() { # PROGRAM
    case $1 in
    flamesvg | stackdiff) echo folded ;;
    *) echo perf ;;
    esac
}

# Sets `command` to the program and what it needs to work on the files; stackdiff always wants two.
with() { # PROGRAM FILE...
    command=("$@")
    [ "$1" != stackdiff ] || [ $# -gt 2 ] || command+=("$IN/good.folded")
}

# The same for the small file in the format that the program reads.
with_good() { # PROGRAM
    with "$1" "$IN/good.$(format "$1")"
}

# Passes if the file "output" has the good sample. A picture must be XML.
has_good_sample() { # PROGRAM
    case $1 in
    flamesvg)
        well_formed output
        grep -q '<title>main ' output
        ;;
    stackdiff) grep -aq '^good;main;leaf [0-9]* 1$' output ;;
    stackcollapse) grep -aqx 'good;main;leaf 1' output ;;
    stackexport) grep -aqF '["good","main","leaf"]' output ;;
    stackreport) grep -aq ' leaf$' output ;;
    *) stackcollapse output | grep -aqx 'good;main;leaf 1' ;;
    esac
}

# Runs the command with its output in a file.
keep() {
    try bash -c '"$@" > output' bash "$@"
}
