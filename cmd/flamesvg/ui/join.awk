# Joins a part of the script and all that it imports, each part after those that it imports (but where they import each
# other), without their imports and exports. In place of a part that only some pictures have comes the one given for it.
#
# usage: awk -f join.awk PART.js [NAME=PART ...]

function join(name,    file, line, text, imports, list, count, i) {
    if (name in given)
        name = given[name]
    if (name in joined)
        return
    joined[name]
    file = folder name ".js"
    while ((status = getline line < file) > 0) {
        if (line ~ /^(import|export) /)
            isHead = 1
        if (isHead && match(line, /'[^']*'/))
            imports = imports " " substr(line, RSTART + 1, RLENGTH - 2)
        if (!isHead)
            text = text line "\n"
        if (line ~ /;$/)
            isHead = 0
    }
    if (status < 0) {
        print "join.awk: cannot read " file | "cat >&2"
        exit 1
    }
    close(file)
    gsub(/\.\/|\.js/, "", imports)
    count = split(imports, list, " ")
    for (i = 1; i <= count; i++)
        join(list[i])
    printf "%s", text
}

BEGIN {
    for (i = 2; i < ARGC; i++) {
        split(ARGV[i], pair, "=")
        given[pair[1]] = pair[2]
    }
    folder = name = ARGV[1]
    sub(/[^\/]*$/, "", folder)
    sub(/.*\//, "", name)
    sub(/\.js$/, "", name)
    join(name)
}
