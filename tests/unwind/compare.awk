# Compares what perf and perf-script print of one recording, sample by sample: "1000 990 989 995" are the samples, those
# whose stack perf unwound to a root, those of them of which both print the same, and those that perf-script unwound to
# a root. Left out are stacks in the dynamic linker before main: perf lacks some of their frames. perf also lacks what
# calls start_thread, so that threads do not count as unwound to their root, and the caller of a function without call
# frame information that has no frame yet, or no longer: a stack that has this one frame more is taken for the same.
#
# usage: awk -f compare.awk OF_PERF OF_PERF_SCRIPT

function is_root(sample) {
    return sample ~ /[ _](_start|__clone|__GI___clone|__clone3|clone3|__GI___clone3)\+0x[0-9a-f]+ \([^\n]*\)$/
}

# The stack without the caller of its leaf in user code.
function without_caller(sample,    lines, n, i, text, at) {
    n = split(sample, lines, "\n")
    for (i = 1; i <= n && (i == 1 || lines[i] ~ /\(\[kernel\.kallsyms\]\)$/); i++)
        at = i
    text = lines[1]
    for (i = 2; i <= n; i++)
        if (i != at + 2)
            text = text "\n" lines[i]
    return text
}

BEGIN {
    RS = ""
}
{
    sub(/\n+$/, "")
}
FNR == NR {
    theirs[++count] = $0
    next
}
{
    other = theirs[++at_sample]
    if (other ~ /ld-linux|ld-musl/)
        next
    samples++
    ours += is_root($0)
    if (!is_root(other) || index($0, other "\n") == 1)
        next
    finished++
    if (other == $0 || other == without_caller($0))
        same++
    else if (shown++ < 3)
        print "perf:\n" other "\nperf-script:\n" $0 > "/dev/stderr"
}
END {
    print samples + 0, finished + 0, same + 0, ours + 0
    exit count != at_sample
}
