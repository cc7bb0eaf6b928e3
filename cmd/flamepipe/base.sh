#!/bin/sh
# Records a command, processes or the whole machine, and draws a flame graph: the pipe of flamepipe(7) as one command.
# `flamepipe --print` shows the pipe.
#
# A command line is built as text, with its words quoted, and then printed or evaluated: what --print shows is what runs,
# but that a recorder that runs ends with this script, however that ends.
#
# The script is made of the files in cmd/flamepipe: base, options, record, inspect, archive, draw, compare, main.
set -u

say() {
    case $1 in
    *[!\ -~]*) printf 'flamepipe: %s\n' "$(mask "$1")" >&2 ;;
    *) printf 'flamepipe: %s\n' "$1" >&2 ;;
    esac
}

# Prints the text with "?" for each byte of what may change the state of a terminal or begin a line, as the other programs
# do (utf8_mask in common/base/utf8.c): control characters but tabs, characters that change the direction of text, and
# what is not UTF-8. Each character of more than one byte is put on a line of its own, so that the bytes that are left on
# other lines are none.
mask() { # TEXT
    low=$(printf '[\200-\277]') two=$(printf '[\302-\337]') three=$(printf '[\340-\357]') four=$(printf '[\360-\364]')
    high=$(printf '[\200-\377]') c1=$(printf '\302[\200-\237]')
    turn=$(printf '\330\234|\342\200[\216\217\250-\256]|\342\201[\246-\251]')
    printf '%s' "$1" | LC_ALL=C tr '\001-\010\012-\037\177' '?' |
        LC_ALL=C sed -E "s/$c1/??/g; s/$(printf '\330\234')/??/g; s/$turn/???/g
            s/$two$low|$three$low$low|$four$low$low$low/\\
&\\
/g" |
        LC_ALL=C sed -E "/^($two$low|$three$low$low|$four$low$low$low)\$/!s/$high/?/g" | tr -d '\n'
}

note() {
    [ -n "$quiet" ] || say "$1"
}

# Ends with the recorded command's status if that is an error, else with 1.
fail() {
    say "$1"
    [ "$status" != 0 ] || status=1
    exit "$status"
}

# True if there is room for temporary files.
has_room() {
    { printf '%0100000d' 0 > "$work/room"; } 2> /dev/null && rm -f "$work/room"
}

# Says so if there is no room for temporary files; false if there is.
say_full() {
    ! has_room || return 1
    say "${TMPDIR:-/tmp} is full: the variable TMPDIR can name another folder for temporary files"
}

# What has been recorded stays, where there was no room to draw it.
fail_full() {
    if say_full && [ "$target" != file ] && [ -s "$work/recording" ]; then
        stays=$work/recording
        say "what has been recorded stays in $stays: 'TMPDIR=FOLDER flamepipe $(quote "$stays")' draws it"
    fi
    fail "$1"
}

fail_undrawn() {
    [ -z "$no_picture" ] || fail_full 'no digest is printed'
    fail_full "$output: not drawn"
}

usage() {
    {
        say "$1"
        usage_lines
        echo "try 'flamepipe --help' for the options"
    } >&2
    exit 2
}

# Prints a word as it must be written in a command line.
quote() { # WORD
    case $1 in
    '' | *[!A-Za-z0-9_./:,@%+=-]*) printf '%s\n' "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

# Prints a blank and the quoted word, for each word.
quote_all() { # WORD ...
    for word; do
        printf ' %s' "$(quote "$word")"
    done
}

# Evaluates a command line of the programs beside this script, or of those on PATH. The recorded command gets the
# user's PATH. No subshell: a process costs more than what this script does itself.
toolkit() { # LINE
    path=$PATH PATH=$here:$PATH
    eval "$1"
    set -- $?
    PATH=$path
    return "$1"
}

# Evaluates a pipe; an empty command is left out. A shell reports the status of the last command only, so each command
# that fails makes a file.
run_pipe() { # COMMAND ...
    line=
    for stage; do
        [ -z "$stage" ] || line="$line${line:+ | }{ $stage || : > \"\$work/failed\"; }"
    done
    toolkit "$line" && [ ! -e "$work/failed" ]
}

print_pipe() { # COMMAND ...
    line=
    for stage; do
        [ -z "$stage" ] || line="$line${line:+ | }$stage"
    done
    printf '%s\n' "$line"
}
