# Prints the completion for fish.

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/'/, "\\'", text)
    return "'" text "'"
}

# Returns the options of `complete` that say what completes a value: -F files too, -x nothing else, -a these.
function offer(kind, words, many) {
    if (kind == "files")
        return " -r -F"
    if (kind == "folders")
        command = "__fish_complete_directories"
    else if (kind == "words")
        command = "printf \"%s\\n\" " words
    else if (kind == "pids")
        command = "__fish_complete_pids"
    else if (kind == "tids")
        command = "string replace -r \".*/\" \"\" /proc/*/task/*"
    else if (kind == "names")
        command = "cat /proc/*/comm 2> /dev/null | sort -u"
    else if (kind == "events")
        command = program " --list 2> /dev/null | awk \"\\$2 !~ /^(raw|uprobe)/ { print \\$1 }\""
    else
        return kind == "" ? "" : " -x"
    return " -x -a " quoted("(" (many ? "__fish_complete_list , " quoted(command) : command) ")")
}

END {
    printf "# fish completion for %s, made from its --help\n", program
    if (operands != "files")
        printf "complete -c %s -f%s\n", program, substr(offer(operands, "", 0), 4)
    for (i = 1; i <= n; i++)
        printf "complete -c %s%s -l %s%s -d %s\n", program, letter[i] == "" ? "" : " -s " letter[i], option[i],
            offer(kind[i], words[i], many[i]), quoted(text[i])
}
