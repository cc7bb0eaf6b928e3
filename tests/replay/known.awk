# Fails if the text of perf-script differs from perf's in another way than these, where perf is wrong, and counts them:
# - JIT: another function of the same perf map, at an address that was used again
# - PLT: an entry of .plt.sec or .plt.got has its name, and one of .plt the name of its slot in the GOT, where perf counts
#   the entries, which are not always in the order of their names, or takes the .plt of a static program for a part of
#   _init, the function before it
# - C++20: names that perf leaves mangled
# - vdso: its functions have names, in 32-bit processes they have none
# - sources of data (perf mem), which perf cuts short
# - etext: a label at the end of the code, which is no function
# - stacks with an impossible address, as there are without frame pointers: perf prints none of their frames
#
# usage: awk -f known.awk OF_PERF OF_PERF_SCRIPT

function place(line,    n, part) {
    n = split(line, part, " ")
    return part[1] " " part[n]
}
function without_source(line) {
    sub(/ \|OP .*  +/, " ", line)
    return line
}
function wrong() {
    if (unknown++ < 5)
        print "unknown: " line "\n    not: " $0
}
BEGIN {
    theirs = ARGV[1]
    ARGV[1] = ""
}
{ before = line; getline line < theirs }
line == $0 { next }
line == "" && before !~ /^\t/ {
    discarded++
    while ($0 != "" && getline)
        ;
    next
}
/ \|OP / && without_source(line) == without_source($0) { sources++; next }
place(line) != place($0) { wrong(); next }
line ~ /\(\/tmp\/perf-[0-9]+\.map\)$/ { jit++; next }
/@plt\+0x/ && line ~ / (\[unknown\]|[^ ]*@plt\+0x[0-9a-f]+|_init\+0x[0-9a-f]+) / { plt++; next }
line ~ / _Z[^ +]*(Q|T[kntpy])[^ +]*/ { cxx20++; next }
line ~ / _?etext\+0x/ { etext++; next }
line ~ / \[unknown\] \(\[vdso\]\)$/ { vdso++; next }
line ~ / \(\[vdso32\]\)$/ && / \[unknown\] / { vdso++; next }
{ wrong() }
END {
    printf "%d lines: JIT %d, PLT %d, C++20 %d, vdso %d, stacks %d, sources %d, etext %d, unknown %d\n", NR, jit, plt, cxx20, vdso,
        discarded, sources, etext, unknown
    exit unknown > 0 || (getline line < theirs) > 0
}
