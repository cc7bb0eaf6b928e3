# For tests of what stackcollapse makes of a file: after "load lib", "load folding".

# FILE is folded into these stacks, and these messages are printed.
gives() { # FILE STACKS [MESSAGES]
    answers 0 "$2" "${3-}" stackcollapse "$1"
}

# FILE is refused with these messages.
refuses() { # FILE MESSAGES
    answers 1 '' "$2" stackcollapse "$1"
}

# Folds the file "in", which must be guessed as the format.
folds() { # FORMAT OUTPUT [NOTE]
    answers 0 "$2" "stackcollapse: in: read as $1${3:+$'\n'stackcollapse: $3}" stackcollapse -v in
}
