
# ---- drawing

# Prints what stackcollapse calls the format of the file, by its beginning; nothing for perf.data.
file_format() {
    toolkit 'stackcollapse --guess "$data" 2> /dev/null'
}

# Prints what is wrong with the recording, and what to do about it. What can be read of a damaged file is drawn.
check() {
    [ -s "$data" ] || fail_empty
    toolkit "perf-script${quiet:+ -q} --check \"\$data\" > \"\$work/report\"" || damaged=1 status=1
    read_report
    use_report
}

# Folds the recording, in the pass that makes the report, and prints what the report says is wrong. Waits for work are
# left out before; those of a file are known by its events.
fold_recording() {
    [ -s "$data" ] || fail_empty
    [ -n "$idle" ] || choose_idle_filter
    [ -z "$idle_filter" ] || leave_out_idle
    fold_once "${quiet:+-q }"
    case $target$idle_filter:$report in
    file:*'  wall
'* | file:*'  off-cpu
'*)
        take_waits
        [ -n "$idle" ] || choose_idle_filter
        [ -z "$idle_filter" ] || leave_out_idle
        [ -z "$idle_filter" ] || fold_once '-q '
        ;;
    esac
    use_report
}

fold_once() { # OPTIONS
    toolkit "perf-script $1$inline --folded --mark-kernel --node$v8_work$maps --report \"\$work/report\" \"\$data\" \
        > \"\$work/folded\"" || damaged=1 status=1
    read_report
}

# Sets `report`, and of it `samples`, `advice` and `nameless`.
read_report() {
    report='' samples='' advice='' nameless='' part=''
    [ -e "$work/report" ] || return 0
    while IFS= read -r line; do
        report=$report$line$newline
        case $part:$line in
        :*'  samples') part=counts samples=${line%'  samples'} samples=${samples##* } ;;
        *:advice) part=advice ;;
        *:'without names') part=names ;;
        advice:'  '*) advice=$advice${line#  }$newline ;;
        names:'  '*) nameless=$nameless${line#  }$newline ;;
        esac
    done < "$work/report"
}

# Prints the advice of the report. Of several events not all are drawn, so the number of samples says nothing.
use_report() {
    [ -n "$samples" ] || fail_undrawn
    [ "$samples" != 0 ] || fail_empty
    case $report in
    *'  several events: '*) samples='' ;;
    esac
    [ -n "$quiet$advised" ] || print_advice >&2
}

# Of what stackrecord has recorded, two things are left out: which processes write no perf map, as it has said that
# itself, and the advice to record with stackrecord.
print_advice() {
    unneeded=': record with --call-graph dwarf, or with stackrecord' hint=''
    while IFS= read -r line; do
        case $recorder:$line in
        "stackrecord:JIT frames without a name: "*) continue ;;
        stackrecord:*"$unneeded"*) line=${line%%"$unneeded"*}${line#*"$unneeded"} ;;
        esac
        case $target$event:$line in
        file?*:'several events: '* | *:) continue ;;
        file*) ;;
        *--call-graph* | *--memory*) hint=1 ;;
        esac
        printf 'flamepipe: %s\n' "$line"
    done << END
$advice
END
    [ -z "$hint" ] || say "'flamepipe --print' prints the commands, to which such options can be added"
}

fail_empty() {
    [ "$target" != file ] || [ -s "$data" ] || fail "$operand: the input is empty"
    [ "$target" != file ] || [ "$(head -c 8 -- "$data" | tr -d '\000')" != PERFILE2 ] ||
        fail "$operand: no samples in the recording"
    [ "$target" != file ] || fail "$operand: no samples in the input; a command to record comes after --"
    ! say_full || fail_undrawn
    [ -z "$heap" ] || fail 'no samples: nothing that was allocated during the recording is still in use; record longer'
    [ -z "$off_cpu" ] || fail 'no samples: no thread began to wait and ran again during the recording; record longer'
    [ "$target" != command ] || [ "$status" = 0 ] ||
        fail "no samples: the command ended with status $status, and hardly ran on a CPU"
    fail 'no samples: what was recorded hardly ran on a CPU; record longer, or more often (--freq)'
}

# Folds a file of another format of stackcollapse, which says what it cannot read. What can be read of a damaged file is
# drawn.
fold_profile() {
    [ -s "$data" ] || return 0
    toolkit 'stackcollapse "$data"' > "$work/profile" 2> "$work/said" || damaged=1 status=1
    [ "$quiet:$damaged" = 1: ] || cat "$work/said" >&2
    [ -z "$damaged" ] || { [ -s "$work/profile" ] && has_room; } || fail_undrawn
    ! grep -q 'no time deltas: each sample counts 1' "$work/said" || micros=''
    data=$work/profile kind=folded
}

# Leaves out the waits for work, and of a profile by V8 what it calls (idle), unless nothing else is there. Says how long
# they were.
leave_out_idle() {
    [ -s "$data" ] || return 0
    toolkit "stackfilter $idle_filter \"\$data\"" > "$work/busy" 2> "$work/notes" || fail_undrawn
    if [ ! -s "$work/busy" ]; then
        note 'all are waits for work: none is left out'
        return
    fi
    left=$(sed -n 's/^stackfilter: \(left out: .*\)/\1/p
        s/^stackfilter: \(.*\) counts dropped by --exclude$/left out: (idle), \1 microseconds/p' "$work/notes")
    [ -z "$left" ] || note "$left; --idle-threads shows them"
    data=$work/busy
}

# Sets `slices` to the option that the heat map of a page needs, for a recording of ours: longer slices for a million
# samples, and where stackrecord adds times up for a second.
choose_slices() {
    slices=''
    case $target$stalls:$kind$compare in
    file:* | *:?*) return ;;
    esac
    is_page || return 0
    case ${#samples}:$wall$off_cpu in
    [0-8]:) slices=' --slice=20' ;;
    *) slices=' --slice=1000' ;; # 1,000,000
    esac
}

# Says how many samples are in code without names, but not of waits, whose samples are of different lengths. How to get
# the names check has said, or stackrecord.
print_nameless() {
    [ -z "$notes" ] || nameless=$(sed -n 's/^stackfilter: \(.* are in .* without names\): .*/\1/p' "$work/notes")
    [ -n "$micros$quiet$advised" ] || [ -z "$nameless" ] || printf '%s\n' "${nameless%"$newline"}" | sed 's/^/flamepipe: /' >&2
}

# Sets `stage1`, `stage2` (empty if one is enough) and `fold` to the commands of the pipe that folds `data`. They do not
# repeat what `check` has said.
choose_stages() {
    file=$(quote "$data")
    silent=${quiet:+ -q} notes=''
    [ -n "$kind$print" ] || silent=' -q'
    filter="stackfilter${quiet:+ -q} --node$v8_work$maps"
    [ -z "$print" ] || filter="$filter${idle_filter:+ $idle_filter}"
    [ "$silent$print" != ' -q' ] || notes=' 2> "$work/notes"'
    case $kind:$form in
    folded:* | :text) stage1="$filter $file$notes" stage2='' ;;
    other:*) stage1="stackcollapse$silent $file" stage2=$filter ;;
    *) stage1="perf-script$silent$inline $file${damaged:+ 2> \"\$work/said\" || :}" stage2="$filter$notes" ;;
    esac
    choose_slices
    fold="stackcollapse$silent --kernel$apart$slices"
    [ "$target" != file ] || [ -z "$event" ] || fold="$fold --event $(quote "$event")"
}

# Draws, or with --print prints how. flamesvg starts when all stacks are there, and replaces the picture when it has written
# all of the new one.
draw() {
    clock=''
    [ -z "$stalls" ] || [ -n "$print" ] || clock=$(sed -n '/^#/!q; s/^# monotonic clock : //p' "$recording")
    if [ -n "$print" ]; then source_lines=out.lines; else source_lines=$work/lines; fi
    svg="flamesvg${quiet:+ -q}$html --colors=node${line_page:+ --lines=$(quote "$source_lines")}${clock:+ --clock=$(quote "$clock")}${micros:+ --countname=us}${bytes:+ --countname=bytes}"
    [ -n "$one_pass" ] || choose_stages
    if [ -n "$print" ]; then
        [ -n "$kind" ] || [ "$data" = - ] || echo "perf-script --check $file" || return
        print_pipe "$stage1" "$stage2" "$fold" "$svg --title=$(quote "$title") -o $(quote "$output")"
        return
    fi
    [ -n "$one_pass" ] || run_pipe "$stage1" "$stage2" "$fold > \"\$work/folded\"" || {
        [ -z "$notes" ] || cat "$work/notes" >&2
        fail_undrawn
    }
    print_nameless
    toolkit "$svg --title=\"\$title\" -o \"\$output\" \"\$work/folded\"" || undelivered $?
}

# Draws the picture, and prints what is wanted beside it, or with --print how.
conclude() {
    [ -n "$no_picture" ] || draw || return
    [ -n "$no_picture$print" ] || say_drawn
    if [ -n "$digest" ]; then
        print_digest
    elif [ -n "$stalls" ]; then
        list_stalls
    elif [ -n "$no_picture" ]; then
        print_table
    elif [ -z "$quiet$print" ]; then
        print_hottest
    fi
}

say_drawn() {
    [ "$samples" = 1 ] && unit=sample || unit=samples
    [ "$output" = - ] || note "$output${samples:+: $samples $unit}${damaged:+, of a file that is damaged}"
}

# Prints the ten hottest functions, and under them the flame graph.
print_hottest() {
    [ -z "$micros" ] || note 'the functions with the most time, in microseconds:'
    [ -z "$bytes" ] || note 'the functions that allocated the most memory, in bytes:'
    if [ -n "$off_cpu" ]; then
        table_of_waits
    else
        hottest='stackreport -q --top 10 "$work/folded"'
        # Of several hosts the names come before the commands, and are no functions.
        [ -z "$several" ] || hottest="sed 's/^\\(@[^;]*;\\)[^;]*;/\\1/' \"\$work/folded\" | stackreport -q --top 10"
        table=$(toolkit "$hottest")
    fi
    printf '%s\n' "$table" >&2
    [ -n "$no_flame" ] || print_flame $(($(printf '%s\n' "$table" | wc -l) + 3))
}

# Prints the flame graph as text if standard error is a terminal that has the rows for it beside those that are used: with
# all frames, or, where that is too high, without the narrowest.
print_flame() { # ROWS
    size=$(stty size <&2 2> "$work/why") || return 0
    for min in 0 1 2 5; do
        flame="stackreport -q --flame --width ${size#* } --min $min \"\$work/folded\""
        toolkit "$flame" > "$work/flame" 2> "$work/why" || return 0
        [ "$(($(wc -l < "$work/flame") + $1))" -gt "${size% *}" ] || break
        flame=''
    done
    [ -z "$flame" ] || toolkit "$flame" >&2
}

# Prints the stalls, or with --print how, with the names that source maps give. What watched the recording has said what is
# odd about it.
list_stalls() {
    named="stackfilter -q$maps $(quote "$recording")" report="stackreport${quiet:+ -q} --stalls=$stalls"
    if [ -n "$print" ]; then
        print_pipe "$named" "$report"
        return
    fi
    toolkit "{ $named | $report; }${live:+ 2> \"\$work/why\"}" >&2 || status=1
}

# Lists the source lines of functions, for a page in a file, or with --print prints how. A page is drawn without lines if
# there are none, which stackreport says. What else is odd is said when it is drawn.
list_lines() {
    [ -n "$print" ] || [ -s "$data" ] || fail_empty
    file=$(quote "$data") silent=${quiet:+ -q} stage1='' stage2='' listed=''
    [ -z "$line_page" ] || listed=' > "$work/lines"'
    [ -z "$line_page" ] || [ -n "$print" ] || silent=' -q'
    list="stackreport$silent $lines${event:+ --event $(quote "$event")}"
    case $recorder:$kind:${format-} in
    nodeprofile:folded:*) list="$list \"\$work/profiles\"/*" ;; # see join_profiles
    nodeprofile:* | :other:cpuprofile) list="$list $file" ;;
    :folded:*) fail "$operand: folded stacks have no source lines; give the recording" ;;
    :other:*) fail "$operand: $format has no source lines that are read; perf.data, perf script text and .cpuprofile have" ;;
    *)
        stage1="perf-script$silent$inline -F +srcline --full-source-path $file"
        stage2="stackfilter$silent --node$v8_work"
        ;;
    esac
    if [ -n "$print" ]; then
        print_pipe "$stage1" "$stage2" "$list${line_page:+ > out.lines}"
        return
    fi
    run_pipe "$stage1" "$stage2" "$list$listed" || status=1
    [ -z "$line_page" ] || [ -s "$work/lines" ] || line_page=''
    rm -f "$work/failed"
}

# Prints the digest of what is drawn. Counts that are times or bytes have no margin of error.
print_digest() {
    choose_stages
    page="stackreport$silent --digest${stalls:+ --stalls=$stalls}"
    [ "$target" != file ] || [ -z "$event" ] || page="$page --event $(quote "$event")"
    case $kind:$micros$bytes in
    ?*:1) page="$page --weight=period" ;;
    esac
    if [ -n "$print" ]; then
        print_pipe "$stage1" "$stage2" "$page"
        return
    fi
    run_pipe "$stage1" "$stage2" "$page" || fail_undrawn
    [ -z "$no_picture" ] || print_nameless
}

# Sets `table` to that of the functions that called the C library and the kernel, in which every wait ends. Where most of them have no
# name, those of the C library are all that is known.
table_of_waits() {
    for drop in " --drop 'dso:/(libc|libpthread|ld-musl)[-.]|^inlined\$'" ''; do
        table=$(toolkit "stackfilter -q --node$maps --hide kernel$drop \"\$data\" | stackreport -q --top 10")
        printf '%s\n' "$table" | sed 1d | head -n 1 | grep -q ' (no frames)$' || break
    done
}

# A picture on standard output that nobody reads ends the script quietly.
undelivered() { # STATUS
    [ "$1" -lt 128 ] || exit "$1"
    [ "$output" != - ] || output='standard output'
    fail_full "$output: not written"
}
