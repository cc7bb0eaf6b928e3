#!/usr/bin/env bats
# Texts and JSON that few programs print, and that people try to draw all the same: each is read, or refused with what to do.
load lib

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# FILE is folded into these stacks, and these messages are printed.
gives() { # FILE STACKS [MESSAGES]
    try stackcollapse "$1"
    same "$2" "$output"
    same "${3-}" "$stderr"
    [ "$status" -eq 0 ]
}

# FILE is refused with these messages.
refuses() { # FILE MESSAGES
    try stackcollapse "$1"
    same '' "$output"
    same "$2" "$stderr"
    [ "$status" -eq 1 ]
}

@test "go tool pprof -raw: samples without locations are samples without frames" {
    printf '%s\n' 'PeriodType: space bytes' 'Samples:' 'objects/count space/bytes' \
        '  5  500: 1 ' '  7  700: ' '    bytes:[288]' '  2  200:' '  1  100:   ' ' -1 -100: ' '  3: ' 'Locations' \
        '     1: 0x48f1e3 M=1 main.keep /home/user/app/main.go:12:0 s=10' 'Mappings' > raw
    gives raw 'main.keep 5' "stackcollapse: raw:9: a value below 0
stackcollapse: 4 of 5 samples have no frames and are left out
stackcollapse: 5 samples, 1 line skipped (first at line 9)"
}
