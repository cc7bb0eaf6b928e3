
# ---- comparing two commands, recorded in turns: before, after, before, after, ...

# Sets `before` and `after` to the commands, as text, of the words "A ... --vs -- B ...".
split_commands() { # WORD ...
    while [ $# -gt 0 ] && [ "$1:${2-}" != --vs:-- ]; do
        before=$before$(quote_all "$1")
        shift
    done
    if [ -z "$before" ] || [ $# -lt 3 ]; then
        usage 'option --compare: two commands are needed: -- A --vs -- B'
    fi
    shift 2
    after=$(quote_all "$@")
}

# Prints the name of the folded file of a run: beside the picture if it is kept.
folded_name() { # before|after RUN
    case $keep$print in
    '') printf '%s\n' "$work/$1$2.folded" ;;
    *) printf '%s\n' "$(kept_stem).$1$2.folded" ;;
    esac
}

# Prints a blank and the quoted name of each folded file of a side.
folded_names() { # before|after
    run=0
    while [ "$run" -lt "$runs" ]; do
        run=$((run + 1))
        quote_all "$(folded_name "$1" "$run")"
    done
}

# Records one run of a command, and folds it, or with --print prints how. Only the first run of each command gets advice
# on what is wrong with its recording.
record_run() { # before|after RUN COMMAND [ARGUMENT ...]
    run=$2 folded=$(folded_name "$1" "$2") java=''
    shift 2
    [ "$run" = 1 ] || advised=1
    take_command "$1"
    choose_form
    build_record "$@"
    if [ -n "$print" ]; then
        printf '%s\n' "$record"
    else
        note "run $run of $runs of '$*'"
        run_record
        [ -z "$stopped" ] || fail 'not all runs were recorded, so nothing is compared'
        [ "$status" = 0 ] || fail "'$*' ended with status $status, so nothing is compared"
        fold_recording
        [ -z "$damaged" ] || fail 'a recording is damaged, so nothing is compared'
    fi
    if [ -n "$print" ]; then
        choose_stages
        print_pipe "$stage1" "$stage2" "$fold > $(quote "$folded")"
        return
    fi
    print_nameless
    move_file "$work/folded" "$folded"
    remove_left_files
}

# Checks, before the first run, that both commands can be started and that the files to keep can be written.
can_compare() {
    eval "take_command $before"
    eval "take_command $after"
    [ -z "$keep" ] || [ -n "$print" ] || eval "can_keep_all$(folded_names before)$(folded_names after)"
}

can_keep_all() { # FILE ...
    for kept; do
        can_keep "$kept"
    done
}

record_runs() {
    number=0
    while [ "$number" -lt "$runs" ]; do
        number=$((number + 1))
        eval "record_run before $number $before" && eval "record_run after $number $after" || return
    done
}

# Draws the comparison and prints the ten functions whose share changed most, or with --print prints how.
draw_comparison() {
    sides="--before$(folded_names before) --after$(folded_names after)"
    diff="stackdiff${quiet:+ -q} --normalize --missing $sides"
    svg="flamesvg${quiet:+ -q}$html --colors=diff-cb --title=$(quote "$title") -o $(quote "$output")"
    if [ -n "$print" ]; then
        print_pipe "$diff" "$svg"
        return
    fi
    run_pipe "$diff > \"\$work/folded\"" || fail_full "$output: not drawn"
    toolkit "$svg \"\$work/folded\"" || undelivered $?
    each="$runs runs of each command"
    [ "$runs" -ne 1 ] || each='one run of each command'
    [ "$output" = - ] || note "$output: $each"
    [ -t 2 ] && width='' || width=' --width 100'
    [ -n "$quiet" ] || toolkit "stackdiff -q --format=table --top 10$width $sides" >&2
}

compare() {
    eval "choose_recorder $before"
    data=$work/recording
    [ -z "$print" ] || data=out.perf
    record_runs || exit 1
    trap_exit
    draw_comparison || exit 1
}
