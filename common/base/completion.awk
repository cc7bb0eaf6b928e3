# Makes a program's bash completion out of its --help, as opt.c prints it:
#
#     usage: flamesvg [option ...] [file ...]
#       -q, --quiet             print no warnings
#       --colors hot|mem|java   the palette             a value: one of these
#       --nameattr FILE         attributes of names     a value: a file, or PID=FILE; DIR: a folder
#
# usage: awk -v program=NAME -f completion.awk HELP

/^  (-[A-Za-z], )?--/ {
    sub(/^  (-[A-Za-z], )?/, "")
    sub(/  .*/, "") # two blanks end the option
    sub(/\[=.*/, "") # a value that may be left out
    words = words (words == "" ? "" : " ") $1
    if ($2 ~ /^[a-z0-9-]+(\|[a-z0-9-]+)+$/) {
        gsub(/\|/, " ", $2)
        values = values "    " $1 ") mapfile -t COMPREPLY < <(compgen -W '" $2 "' -- \"$word\") ;;\n"
    } else if ($2 ~ /FILE$/)
        files = files (files == "" ? "" : " | ") $1
    else if ($2 ~ /DIR$/)
        folders = folders (folders == "" ? "" : " | ") $1
    else if ($2 != "")
        others = others (others == "" ? "" : " | ") $1
}

function row(options, action) {
    return options == "" ? "" : "    " options ") " action " ;;\n"
}

END {
    name = "_flamepipe_" program
    gsub(/-/, "_", name)
    printf "# bash completion for %s, made from its --help\n", program
    printf "%s()\n{\n", name
    print "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
    print "    # bash takes \"--option=value\" for three words."
    print "    if [ \"$word\" = = ]; then"
    print "        word="
    print "    elif [ \"$before\" = = ]; then"
    print "        before=${COMP_WORDS[COMP_CWORD - 2]}"
    print "    fi"
    print "    COMPREPLY=()"
    print "    case $before in"
    printf "%s", values
    printf "%s", row(files, "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")")
    printf "%s", row(folders, "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")")
    printf "%s", row(others, "return")
    print "    *)"
    print "        case $word in"
    printf "        -*) mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\") ;;\n", words
    print "        *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;"
    print "        esac"
    print "        ;;"
    print "    esac"
    print "}"
    printf "complete -o filenames -F %s %s\n", name, program
}
