# The options of perf-script on recordings that are kept. What perf prints with -F, --ns, -G, --comm, --pid and --show-… is
# compared in recordings.bats.
load ../lib
load replay

# A number of --stats=json.
number() { # KEY OPTION... FILE
    perf-script -q --stats=json "${where[@]}" "${@:2}" | grep -o "\"$1\":[0-9]*" | head -n 1 | cut -d : -f 2
}

@test "lists that perf refuses are wrong usage, and so are frames' fields without addresses" {
    use moved
    local fields
    # perf prints a line without anything for the last four.
    for fields in '' bogus COMM comm,bogus +pid,ip comm,+tid ip,symoff srcline sym dso sym,dso ','; do
        answers 2 '' 'perf-script: option --fields: *' perf-script -F "$fields" data
    done
}

@test "--hide-call-graph is -G" {
    use chain
    cmp <(replay -G data) <(replay --hide-call-graph data)
}

# ---- selection

@test "--comm, --tid and --event select of perf.data what they select of its text" {
    use chain
    local tid option
    replay data > text
    tid=$(awk '/^sort / { print $2; exit }' text)
    for option in --comm=sort,seq --tid="$tid" '--event=page-faults*' '--event=all'; do
        replay "$option" data > ours
        [ -s ours ]
        same "$(perf-script -q "$option" text)" "$(cat ours)"
    done
}

@test "a process that is not in the recording is an error, which names those that are" {
    use moved
    answers 1 '' "perf-script: no sample of process id '1'; the input has: *" perf-script --pid 1 data
}

@test "--time and --range cut perf.data where they cut its text, and percents have each sample once" {
    use chain
    replay data > text
    local from option part parts=()
    from=$(awk '/: $/ { sub(":", "", $3); print $3; if (n++ > 20) exit }' text | tail -n 1)
    for option in "--time=$from," "--time=,$from" --time=0%,60% --range=0,0.02; do
        echo "$option"
        replay "$option" data > ours
        [ -s ours ]
        same "$(perf-script -q "$option" text)" "$(cat ours)"
    done
    for part in 0%,30% 30%,70% 70%,100%; do
        parts+=("$(number samples --time "$part" data)")
    done
    same "$(number samples data)" "$((parts[0] + parts[1] + parts[2]))"
    same "$(replay --time 0%,50% data)" "$(replay --time 0%,50% < data)"
}

@test "--check and --stats=json report of perf.data what they report of its text" {
    local name counted
    for name in chain system; do
        use $name
        replay -F +pid data > text
        answers 0 '*' '' perf-script -q "${where[@]}" --check -F +pid data
        # The text does not say what perf has lost.
        same "$(perf-script -q --check text)" "$(sed '/^other lines$/,/^$/d' <<< "$output")"
        for counted in samples frames nameless_frames; do
            same "$(number $counted text)" "$(number $counted data)"
        done
    done
}

# ---- where names come from

@test "a program that is not here has no names, which is said with where it was looked for; --symfs has it" {
    use moved
    answers 0 '* [unknown] (/srv/replay/other)*' \
        '*perf-script: /srv/replay/other: No such file or directory; its functions have no names*' perf-script data
    [[ $output != *inner_loop* ]]
    prints '* inner_loop+0x* (/srv/replay/other)*' perf-script --symfs fs data
    replays moved
}


@test "a program that was built again since the recording is reported, and its names are not used" {
    use moved
    build_again fs/srv/replay/other
    answers 0 '* [unknown] (/srv/replay/other)*' '*/srv/replay/other: is not the recorded file (another build-id)*' \
        perf-script --symfs fs data
    [[ $output != *inner_loop* ]]
}

@test "perf's cache of build-ids has the program that is not here any more" {
    use moved
    local id
    id=$(readelf -n fs/srv/replay/other | sed -n 's/.*Build ID: //p')
    mkdir -p "home/.debug/.build-id/${id:0:2}/${id:2}"
    cp fs/srv/replay/other "home/.debug/.build-id/${id:0:2}/${id:2}/elf"
    replay data > wanted
    where=()
    replay data | cmp - wanted
}

@test "--kallsyms names the kernel's functions, also as they lay after another boot, and a file that has none is reported" {
    use system
    replay data | grep -F '[kernel.kallsyms]' > wanted
    sed 's/ \([^ ]*\)$/ renamed_\1/' kallsyms > renamed
    perf-script -q --symfs fs --kallsyms renamed data > ours
    grep -q ' renamed_[a-z_]*+0x.* (\[kernel.kallsyms\])$' ours
    python3 -c '
import sys
for line in open("kallsyms"):
    address, rest = line.split(" ", 1)
    sys.stdout.write("%016x %s" % ((int(address, 16) + 0x1200000) % 2**64, rest))' > elsewhere
    perf-script -q --symfs fs --kallsyms elsewhere data | grep -F '[kernel.kallsyms]' | cmp - wanted
    local file
    echo 'no symbols' > nothing
    mkfifo fifo
    for file in nowhere nothing fifo /dev/zero; do
        try perf-script --symfs fs --kallsyms $file data
        if [ $file = nowhere ]; then [ "$status" -eq 1 ]; else [ "$status" -eq 0 ]; fi
        [[ $output == *' [unknown] ([kernel.kallsyms])'* ]]
        [[ $stderr == *"perf-script: the kernel's functions have no names: $file: "*"; give the recorded kernel's file with --kallsyms or --vmlinux"* ]]
    done
    try perf-script --symfs fs --kallsyms fifo data
    [[ $stderr == *"perf-script: the kernel's functions have no names: fifo: is not a regular file; "* ]]
}

@test "a --vmlinux that is not there, not an ELF file, or not the recorded kernel's is reported" {
    use system
    local file
    for file in nowhere kallsyms "$BIN/perf-script"; do
        try perf-script --symfs fs --vmlinux "$file" data
        if [ "$file" = nowhere ]; then [ "$status" -eq 1 ]; else [ "$status" -eq 0 ]; fi
        [[ $output == *' [unknown] ([kernel.kallsyms])'* ]]
        [[ $stderr == *"perf-script: the kernel's functions have no names: $file: "* ]]
    done
}

@test "a --symfs that is not a folder is an error, and the samples are printed all the same" {
    use moved
    answers 1 '*cpu-clock*' 'perf-script: nowhere: No such file or directory*' perf-script --symfs nowhere data
}

@test "a --kallsyms or --vmlinux that is not there is an error, also where no sample is in the kernel" {
    local option
    for option in --kallsyms --vmlinux; do
        answers 1 '*page-faults*' 'perf-script: nowhere: No such file or directory*' \
            perf-script $option nowhere "$DATA/two-events.data"
    done
}

# ---- the input

@test "-i and --input name a file as an operand does" {
    use moved
    local option
    replay data > wanted
    for option in '-i data' '--input data' '--input=data' -; do
        # shellcheck disable=SC2086 # two words
        replay $option < data | cmp wanted -
    done
    replay data data > wanted
    replay -i data -i data | cmp wanted -
    replay data > wanted
    replay < data | cmp wanted -
}

@test "without a file, at a terminal, perf.data in the current folder is read" {
    command -v script > /dev/null || skip "no script(1)"
    use moved
    cp data perf.data
    script -qec 'perf-script -q --symfs fs > out' /dev/null > /dev/null < /dev/null
    replay data | cmp out -
}

# ---- what is not read

@test "a recording of perf's first format is read as one of the second" {
    use moved
    { printf PERFFILE; tail -c +9 data; } > first
    replay data > wanted
    replay first | cmp wanted -
    answers 1 '' "stackcollapse: first is perf's binary recording; run: perf-script first | stackcollapse" \
        stackcollapse first
    cp first 'a name of words'
    try stackcollapse 'a name of words'
    same "stackcollapse: a name of words is perf's binary recording; run: perf-script FILE | stackcollapse" "$stderr"
}

@test "a recording of a machine of the other byte order is refused with the remedy" {
    use moved
    { printf 2ELIFREP; tail -c +9 data; } > other-order
    answers 1 '' "perf-script: other-order: was recorded on a machine of the other byte order: run perf script there" \
        perf-script other-order
}

@test "a recording that is a folder, or a file in it, is refused with the remedy" {
    use threads
    mkdir folder
    cp data folder/data
    answers 1 '' "perf-script: folder: Is a directory: if perf record --threads made it, record without" \
        perf-script folder
    answers 1 '' "perf-script: folder/data: is one of several files: record without --threads" perf-script folder/data
}

@test "a missing file, an empty one and one that is cut are each reported" {
    use chain
    answers 1 '*' "perf-script: nowhere: No such file or directory" perf-script nowhere
    head -c 50 data > short
    answers 1 '' "perf-script: short: at byte 50: the file ends inside its header" perf-script short
    head -c "$(($(stat -c %s data) * 3 / 4))" data > short
    answers 1 '*' '*perf-script: short: *' perf-script "${where[@]}" short data
    [[ $output == *"$(replay data)"* ]]
}
