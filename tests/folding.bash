# For tests of what stackcollapse makes of a file: after "load lib", "load folding".

setup() {
    cd "$BATS_TEST_TMPDIR" || return
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

# Folds the file "in", which must be guessed as the format.
folds() { # FORMAT OUTPUT [NOTE]
    try stackcollapse -v in
    same "$2" "$output"
    same "stackcollapse: in: read as $1${3:+$'\n'stackcollapse: $3}" "$stderr"
    [ "$status" -eq 0 ]
}
