# Judges the stacks of perf script text that have spin() as their leaf, or the function that `leaf` matches: whether they
# are as `path` says, the functions' names leaf first. "500 495 5" are the samples, those on the path, and those that are
# marked: [cut] or [lost]. The others are printed on standard error.
#
# usage: awk -v path='^spin f main ' [-v leaf=^f$] -f judge.awk

BEGIN {
    RS = ""
    FS = "\n"
    if (leaf == "")
        leaf = "^spin$"
}
{
    stack = ""
    for (i = 2; i <= NF; i++) {
        if ($i ~ /\(\[kernel\.kallsyms\]\)$/)
            continue
        name = $i
        sub(/^[ \t]*[0-9a-f]+ /, "", name)
        sub(/ \([^()]*\)$/, "", name)
        sub(/\+0x[0-9a-f]+$/, "", name)
        gsub(/ /, "_", name)
        if (stack == "" && name !~ leaf)
            next
        stack = stack (stack == "" ? "" : " ") name
    }
    if (stack == "")
        next
    samples++
    if (stack ~ /\[(cut|lost)\]$/)
        marked++
    else if (stack ~ path)
        right++
    else if (shown++ < 5)
        print stack > "/dev/stderr"
}
END {
    print samples + 0, right + 0, marked + 0
}
