# Prints the completion for bash.

# Returns a command that offers the lines of another one's output.
function from(command) {
    return "_flamepipe_offer \"$left\" \"$word\" < <(" command ")"
}

function from_words(words) {
    return from("printf '%s\\n' " words)
}

# Returns what completes a value, or an operand.
function offer(kind, words) {
    if (kind == "words")
        return from_words(words)
    if (kind == "files")
        return "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    if (kind == "folders")
        return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
    if (kind == "pids")
        return from("cd /proc && printf '%s\\n' [0-9]*")
    if (kind == "tids")
        return from("cd /proc && printf '%s\\n' [0-9]*/task/[0-9]* | sed 's|.*/||'")
    if (kind == "names")
        return from("cat /proc/[0-9]*/comm 2> /dev/null | sort -u")
    if (kind == "events")
        return from("\"$1\" --list 2> /dev/null | awk '$2 !~ /^(raw|uprobe)/ { print $1 }'")
    return "return"
}

END {
    for (i = 1; i <= n; i++) {
        options = options " --" option[i]
        if (kind[i] != "")
            values = values "    " (letter[i] == "" ? "" : "-" letter[i] " | ") "--" option[i] ") " \
                offer(kind[i], words[i]) " ;;\n"
    }
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
    printf "        *) %s ;;\n", offer(operands, "")
    print "        esac"
    print "        ;;"
    print "    esac"
    print "}"
    printf "complete -o filenames -F %s %s\n", name, program
}
