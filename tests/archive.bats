# stackrecord --archive: what it refuses. What it writes is in unit/stackrecord_archive.c and live/archive.bats.
load lib

@test "--archive refuses what would be printed beside it, and its options need it" {
    for options in '-o data' '--text out' --folded --header --wall --off-cpu '-e cpu-clock,page-faults'; do
        # shellcheck disable=SC2086 # two words
        answers 2 '' 'stackrecord: --archive *' stackrecord -a --archive folder $options
    done
    answers 2 '' 'stackrecord: --keep, --keep-for and --slice go with --archive*' stackrecord -a --keep 1G
    answers 2 '' "stackrecord: option --keep: '1K' is not a size from 1M, such as 500M or 2G*" \
        stackrecord -a --archive folder --keep 1K
    answers 2 '' "stackrecord: option --keep-for: '1w' is not a time such as 90s, 10m, 12h or 7d*" \
        stackrecord -a --archive folder --keep-for 1w
    answers 2 '' "stackrecord: option --slice: '2h' is over 3,600 seconds*" stackrecord -a --archive folder --slice 2h
    [ ! -e folder ]
}
