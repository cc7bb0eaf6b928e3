# Prints a part of the script after all parts that it imports, each once, without their heads of imports and exports.
# Parts that import each other come in the order in which they are found, as the modules of a browser do.
#
# usage: awk -f join.awk FOLDER PART [NAME=PART ...]     in place of the part NAME, which has no path, comes PART
#        awk -v alone=1 -f join.awk FOLDER PART         prints the part without those that it imports

function join(name,    file, line, head, text, imports, count, i) {
    if (name in given)
        name = given[name]
    if (joined[name]++)
        return
    file = ARGV[1] "/" name ".js"
    while ((status = getline line < file) > 0) {
        head = head || line ~ /^(import|export) /
        if (!head)
            text = text line "\n"
        else if (match(line, /'[^']*'/))
            imports[++count] = substr(line, RSTART + 1, RLENGTH - 2)
        head = head && line !~ /;$/
    }
    close(file)
    failed = failed || status < 0
    for (i = 1; i <= count && !alone; i++) {
        gsub(/\.\/|\.js/, "", imports[i])
        join(imports[i])
    }
    printf "%s", text
}

BEGIN {
    for (i = 3; i < ARGC; i++) {
        split(ARGV[i], pair, "=")
        given[pair[1]] = pair[2]
    }
    join(ARGV[2])
    exit failed
}
