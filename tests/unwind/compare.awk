# Compares what perf and perf-script print of one recording, sample by sample: "1000 990 989 995" are the samples, those
# whose stack perf unwound to a root, those of them of which both print the same, and those that perf-script unwound to
# a root. Stacks in the dynamic linker before main are left out: perf lacks some of
# their frames. It often does not find what calls start_thread, and so does not finish those of threads.
#
# usage: awk -f compare.awk OF_PERF OF_PERF_SCRIPT

function is_root(sample) {
    return sample ~ /[ _](_start|__clone|__GI___clone|__clone3|clone3|__GI___clone3)\+0x[0-9a-f]+ \([^\n]*\)$/
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
    other = theirs[++at]
    if (other ~ /ld-linux|ld-musl/)
        next
    samples++
    ours += is_root($0)
    if (is_root(other)) {
        finished++
        same += other == $0
        if (other != $0 && shown++ < 3)
            print "perf:\n" other "\nperf-script:\n" $0 > "/dev/stderr"
    }
}
END {
    print samples + 0, finished + 0, same + 0, ours + 0
    exit count != at
}
