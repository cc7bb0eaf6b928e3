# Makes a program's bash completion out of its --help, as opt.c prints it:
#
#     usage: flamesvg [option ...] [file ...]
#       -q, --quiet             print no warnings
#       --colors hot|mem|java   the palette             a value: one of these; hot|mem,...: some of these
#       --nameattr FILE         attributes of names     a value: a file, or PID=FILE; DIR: a folder
#       -p, --pid PID,...       these processes         PID and TID, or lists of them: those that run
#       -n, --name NAME         the newest of this name NAME: of a process that runs
#       -e, --event EVENT,...   what is counted         those of --list
#
# An operand is a file, or [PID ...].
#
# usage: awk -v program=NAME -f completion.awk HELP

# Returns a command that offers the lines of another one's output.
function from(command) {
    return "_flamepipe_offer \"$left\" \"$word\" < <(" command ")"
}

function from_words(words) {
    return from("printf '%s\\n' " words)
}

# Returns what completes the value of that form.
function value(form) {
    if (form ~ /^[a-z0-9-]+(\|[a-z0-9-]+)+(,\.\.\.)?$/) {
        sub(/,\.\.\.$/, "", form)
        gsub(/\|/, " ", form)
        return from_words(form)
    }
    if (form ~ /FILE$/)
        return files
    if (form ~ /DIR$/)
        return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    if (form ~ /^PID(,\.\.\.)?$/)
        return pids
    if (form ~ /^TID(,\.\.\.)?$/)
        return from("cd /proc && printf '%s\\n' [0-9]*/task/[0-9]* | sed 's|.*/||'")
    if (form == "NAME")
        return from("cat /proc/[0-9]*/comm 2> /dev/null | sort -u")
    if (form == "EVENT,...")
        return from("\"$1\" --list 2> /dev/null | awk '$2 !~ /^(raw|uprobe)/ { print $1 }'")
    return "return"
}

BEGIN {
    files = "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    pids = from("cd /proc && printf '%s\\n' [0-9]*")
    operands = files
}

/^usage:.*\[PID/ {
    operands = pids
}

/^  (-[A-Za-z], )?--/ {
    letter = $1 ~ /^-.,$/ ? substr($1, 1, 2) " | " : ""
    sub(/^  (-[A-Za-z], )?/, "")
    sub(/  .*/, "") # two blanks end the option
    sub(/\[=.*/, "") # a value that may be left out
    options = options " " $1
    if ($2 != "")
        values = values "    " letter $1 ") " value($2) " ;;\n"
}

END {
    name = "_flamepipe_" program
    gsub(/-/, "_", name)
    printf "# bash completion for %s, made from its --help\n\n", program
    print "# Offers the lines of its input that continue the word, or the last word of a list with commas. `left` is the part"
    print "# before the word that bash takes for words of their own: \"sched:\" of \"sched:sched_switch\"."
    print "_flamepipe_offer() # LEFT WORD"
    print "{"
    print "    local text=$1$2 line"
    print "    while read -r line; do"
    print "        [[ $line != \"${text##*,}\"* ]] || COMPREPLY+=(\"${text%\"${text##*,}\"}$line\")"
    print "    done"
    print "    COMPREPLY=(\"${COMPREPLY[@]#\"$1\"}\")"
    print "}"
    printf "\n%s()\n{\n", name
    print "    local word=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD left=''"
    print "    # bash takes \"--option=value\" for three words, and \"sched:sched_switch\" too."
    print "    if [[ $word == [=:] ]]; then"
    print "        word='' at=$((at + 1))"
    print "    fi"
    print "    while ((at > 2)) && [[ ${COMP_WORDS[at - 1]} == : ]]; do"
    print "        left=${COMP_WORDS[at - 2]}:$left at=$((at - 2))"
    print "    done"
    print "    [[ ${COMP_WORDS[at - 1]} != = ]] || at=$((at - 1))"
    print "    COMPREPLY=()"
    print "    case ${COMP_WORDS[at - 1]} in"
    printf "%s", values
    print "    *)"
    print "        case $word in"
    printf "        -*) %s ;;\n", from_words(substr(options, 2))
    printf "        *) %s ;;\n", operands
    print "        esac"
    print "        ;;"
    print "    esac"
    print "}"
    printf "complete -o filenames -F %s %s\n", name, program
}
