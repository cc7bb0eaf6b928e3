# Prints the completion for zsh: a file _PROGRAM for a folder in fpath.

function quoted(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}

# Returns the last part of a specification of _arguments: what completes a value.
function offer(kind, words, many) {
    if (kind == "words")
        return many ? ":value:_values -s , value " words : ":value:(" words ")"
    if (kind == "files")
        return ":file:_files"
    if (kind == "folders")
        return ":folder:_files -/"
    if (kind == "pids")
        return ":process:" (many ? "_sequence _pids" : "_pids")
    if (kind == "tids")
        return ":thread:{ _sequence compadd - /proc/<->/task/<->(N\\:t) }"
    if (kind == "names")
        return ":name:{ compadd - ${(fu)\"$(cat /proc/<->/comm 2> /dev/null)\"} }"
    if (kind == "events")
        return ":event:{ _sequence compadd - ${(f)\"$(" program \
            " --list 2> /dev/null | awk '$2 !~ /^(raw|uprobe)/ { print $1 }')\"} }"
    return kind == "" ? "" : ":value: "
}

END {
    printf "#compdef %s\n# zsh completion for %s, made from its --help\n\n_arguments -s -S \\\n", program, program
    for (i = 1; i <= n; i++) {
        gsub(/[][\\]/, "\\\\&", text[i])
        long = "--" option[i]
        printf "    "
        if (letter[i] != "")
            printf "'(-%s %s)'{-%s%s,%s%s}", letter[i], long, letter[i], kind[i] == "" ? "" : "+", long,
                kind[i] == "" ? "" : "="
        else
            printf "%s", long (kind[i] == "" ? "" : "=")
        printf "%s \\\n", quoted("[" text[i] "]" offer(kind[i], words[i], many[i]))
    }
    printf "    %s\n", quoted("*" offer(operands, "", 0))
}
