# Reads a program's --help, as common/base/opt.c prints it, for the shells' completions (completion-SHELL.awk):
#
#     usage: flamesvg [option ...] [file ...]
#     Other:                                          a heading
#       -q, --quiet             print no warnings
#       --colors hot|mem|java   the palette             a value: one of these; hot|mem,...: some of these
#       --nameattr FILE         attributes of names     a value: a file, or PID=FILE; DIR: a folder
#       -p, --pid PID,...       these processes         PID and TID, or lists of them: those that run
#       -n, --name NAME         the newest of this name NAME: of a process that runs
#       -e, --event EVENT,...   what is counted         those of --list
#
# An operand is a file, or [PID ...].
#
# usage: awk -v program=NAME -f completion.awk -f completion-SHELL.awk HELP
#
# Sets, for i from 1 to n: letter[i], such as "q", or ""; option[i], such as "quiet"; text[i], what it does; kind[i] of
# its value, which is "" (it takes none), words, files, folders, pids, tids, names, events or free; words[i], with a
# blank between two; many[i]: the value is a list with commas. `operands` is files or pids.

function kind_of(form) {
    if (form == "EVENT,...") # another EVENT is part of an event's name
        return "events"
    sub(/,\.\.\.$/, "", form)
    if (form == "")
        return ""
    if (form ~ /^[a-z0-9-]+(\|[a-z0-9-]+)+$/)
        return "words"
    if (form ~ /FILE$/)
        return "files"
    if (form ~ /DIR$/)
        return "folders"
    return form in kinds ? kinds[form] : "free"
}

BEGIN {
    kinds["PID"] = "pids"
    kinds["TID"] = "tids"
    kinds["NAME"] = "names"
    operands = "files"
}

/^usage: [^ ]+ \[option [.]+\] \[?PID/ {
    operands = "pids"
}

/^  (-[A-Za-z], )?--/ {
    n++
    letter[n] = $1 ~ /^-.,$/ ? substr($1, 2, 1) : ""
    sub(/^  (-[A-Za-z], )?--/, "")
    text[n] = $0
    sub(/  .*/, "") # two blanks end the option
    text[n] = substr(text[n], length($0) + 1)
    sub(/^ +/, "", text[n])
    sub(/\[=.*/, "") # a value that may be left out
    option[n] = $1
    many[n] = $2 ~ /,\.\.\.$/
    kind[n] = kind_of($2)
    if (kind[n] == "words") {
        words[n] = $2
        sub(/,\.\.\.$/, "", words[n])
        gsub(/\|/, " ", words[n])
    }
    next
}

# The rest of a text, or all of it below a long option.
/^          / && n > 0 {
    sub(/^ +/, "")
    text[n] = text[n] (text[n] == "" ? "" : " ") $0
}
