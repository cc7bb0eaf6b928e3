
# ---- archives of stackrecord --archive: what was recorded at some time

# Checks the options that go with a time; --last and --between give it. A picture is drawn only if -o or --html is given.
check_archive() {
    [ -n "$operand" ] || usage "option --${range%% *} needs the folders that stackrecord --archive writes"
    [ -z "$target$inspect$wall$off_cpu$event$freq$seconds$idle$compare$keep" ] ||
        usage "option --${range%% *} draws what is recorded already: options for recording do not go with it"
    target="file"
    [ -n "$output$html" ] || no_picture=1
    no_flame=1
}

# Takes the stacks of that time out of the folders, and sets `data` to a file of them. Says which time that is: from here
# on the title says it. The stacks of one folder are of one host; where a table is wanted, those of all
# hosts and times add up.
take_archive() {
    case $apart in
    '') merge='processes' ;;
    *pid) merge='threads' ;;
    *) merge='' ;;
    esac
    [ "$several:$no_picture" = 1: ] || merge=$merge${merge:+,}hosts
    [ -z "$no_picture" ] || merge=$merge,times
    taken="stackfilter${merge:+ --merge=$merge} --$range$operands"
    apart='' kind=folded
    if [ -n "$print" ]; then
        printf '%s > out.folded\n' "$taken" || exit 1
        data=out.folded
        return
    fi
    toolkit "$taken > \"\$work/archive\" 2> \"\$work/said\"" || status=$?
    if [ "$status" = 2 ]; then
        fail "$(sed -n '1s/^stackfilter: //p' "$work/said")"
    fi
    [ "$status" = 0 ] || damaged=1
    [ "$quiet:$damaged" = 1: ] || sed 's/^stackfilter:/flamepipe:/' "$work/said" >&2
    data=$work/archive
    [ -s "$data" ] || fail_full 'nothing was recorded then'
    [ -z "$default_title" ] || title="$target_title: $(sed -n 's/^stackfilter: \(.* to .*\): .* counts$/\1/p' "$work/said")"
}

# Prints the functions with most samples on standard output, or with --print how.
print_table() {
    choose_stages
    if [ -n "$print" ]; then
        print_pipe "$stage1" "$stage2" "stackreport$silent --top 20"
        return
    fi
    run_pipe "$stage1" "$stage2" "stackreport$silent --top 20" || fail_full 'no table is printed'
    print_nameless
}
