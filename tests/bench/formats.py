"""The stacks of a profile as other profilers print them: long inputs for formats whose producers do not run here, or
print little in a test's time.

A format of stacks has them one by one, in random order; a format of call trees has the tree that they merge to.
"""
import random

SEED = 0


def read_folded(text):
    """[([frames from the root on], count)]. Names lose what ends a name in some format."""
    stacks = []
    for line in text.decode().splitlines():
        stack, _, count = line.rpartition(" ")
        names = stack.translate(str.maketrans('"`', "''")).replace("  ", " ").split(";")
        stacks.append((names, int(count)))
    return stacks


def merge(stacks):
    """The call tree: [(level, name, total, self)], the root's callees at level 0, callers before what they call."""
    root = {}
    for names, count in stacks:
        node = (0, root)
        for name in names:
            total, callees = node[1].get(name, (0, {}))
            node[1][name] = node = (total + count, callees)
    rows = []
    todo = [(0, name, node) for name, node in reversed(root.items())]
    while todo:
        level, name, (total, callees) = todo.pop()
        own = total - sum(one for one, _ in callees.values())
        rows.append((level, name, total, own))
        todo += [(level + 1, callee, node) for callee, node in sorted(callees.items(), key=lambda item: item[1][0])]
    return rows


def address(name):
    return 0x7f1000000000 + sum(map(ord, name)) * 16


def word(name):
    """A name without blanks and parentheses."""
    return "".join(c if c.isalnum() or c in "._:" else "_" for c in name) or "_"


def field(text):
    """A field of a CSV file."""
    return '"%s"' % text if "," in text else text


# Formats of stacks: the text of one, which gets its frames with the leaf first, its count, and its number.


def aix(frames, _, number):
    return "---------- tid# %d (pthread ID: %6d) ----------\n" % (64291089 + number, number) + "".join(
        "0x%016x  %s(??, ??) + 0x8c\n" % (address(f), word(f)) for f in frames)


def bpftrace(frames, count, _):
    return "@[\n" + "".join("    %s+%d\n" % (f, len(f)) for f in frames) + "]: %d\n" % count


def dtrace(frames, count, _):
    return "".join("              node`%s+0x%x\n" % (f, len(f)) for f in frames) + "%16d\n\n" % count


def elfutils(frames, _, number):
    return "TID %d:\n" % number + "".join("#%-2d 0x%016x %s\n" % (i, address(f), f) for i, f in enumerate(frames))


def ljp(frames, count, number):
    first = "%d %d" % (count, number % 9)
    return "".join("%-10s%s(App.java:%d)\n" % (first if i == 0 else "", word(f), len(f)) for i, f in enumerate(frames))


def perf_sched(frames, count, number):
    seconds = number * 0.01
    line = "%s %d/%d [001] %.6f: sched:sched_switch: prev_comm=%s prev_pid=%d prev_prio=120 prev_state=%s ==> " \
        "next_comm=%s next_pid=%d next_prio=120\n"
    return line % ("node", 42, 42, seconds, "node", 42, "S", "swapper/1", 0) + "".join(
        "\t%16x %s+0x%x (/usr/bin/node)\n" % (address(f), f, len(f)) for f in frames) + "\n" + line % (
            "swapper", 0, 0, seconds + count % 9 * 0.001 + 0.0001, "swapper/1", 0, "R", "node", 42) + "\n"


def recursive(frames, count, _):
    return ";".join(reversed(frames)) + " %d\n" % count


def stap(frames, count, _):
    return "".join(" 0x%x : %s+0x%x/0x700 [/usr/bin/node]\n" % (address(f), f, len(f)) for f in frames) + "\t%d\n" % count


def wcp(frames, count, _):
    return "%.3f%% %s (%d samples)\n" % (count / 10, "=" * 20, count) + "".join(
        "%8d: %s   (at /home/user/app/src/loop.nim:%d)\n" % (i + 1, f, len(f)) for i, f in enumerate(frames)) + "\n"


# Formats of call trees: the line of a row of merge(), which gets the count of all stacks last.


def ghcprof(level, name, total, own, all_counts):
    return "%-60s Main       Main.hs:%d:1-70    %6d %11d %6.1f %6.1f %6.1f %6.1f\n" % (
        " " * level + word(name), len(name), total, total, 100 * own / all_counts, 0, 100 * total / all_counts, 0)


def instruments(level, name, total, own, all_counts):
    return "%s  %5.1f%%\t%s\t \t%s%s\n" % (
        milliseconds(total), 100 * total / all_counts, milliseconds(own), " " * level, name)


def milliseconds(count):
    return "0 s" if count == 0 else "%.2f s" % (count / 1000) if count >= 1000 else "%.2f ms" % count


def sample(level, name, total, _own, _all):
    if level == 0:
        return "    %d Thread_%d: %s\n" % (total, address(name), name)
    marks = ("+ " + "  ! : | " * level)[:2 * level]
    return "    %s%d %s  (in node) + %d  [0x%x]\n" % (marks, total, name, len(name), address(name))


def vsprof(level, name, total, own, all_counts):
    return '%d,"%s",%s,%.2f,%.2f,%.2f,%.2f,"node.exe",\n' % (
        level, name, field("{:,}".format(total)), 100 * total / all_counts, 100 * own / all_counts, total * 3.1, own * 3.1)


def vtune(level, name, _total, own, _all):
    return " " * (level + 1) + "%s,%.6g,node\n" % (field(name), own / 1000)


def vtune_mc(level, name, _total, own, _all):
    return " " * (level + 1) + "%s,%s,node\n" % (field(name), "%d,%d,%d" % (own * 48, own * 48, own) if own else ",,")


# Formats of call trees whose lines depend on others: the lines of all rows.


def pmc(rows, all_counts):
    """Percentages of the caller, which in this tree is called: it is that of the stacks with the leaf first."""
    totals = []
    for level, name, total, _ in rows:
        totals[level:] = [total]
        yield "%s%05.2f%%  [%d]%s%s\n" % (" " * level, 100 * total / (totals[level - 1] if level else all_counts), total,
                                         " " * (level + 10 - len(str(total))), word(name))


def xdebug(rows, _):
    """A call for each row, which takes its own count before it calls others."""
    now, open_calls = 0, []

    def end(level):
        while len(open_calls) > level:
            yield "%d\t%d\t1\t%.6f\t399280\n" % (len(open_calls), open_calls.pop(), now / 1e6)

    for number, (level, name, _, own) in enumerate(rows):
        yield from end(level)
        open_calls.append(number)
        yield "%d\t%d\t0\t%.6f\t399184\t%s\t1\t\t/srv/app/app.php\t%d\t1\t'a'\n" % (
            level + 1, number, now / 1e6, word(name), len(name))
        now += own
    yield from end(0)


def each(line):
    return lambda rows, all_counts: (line(*row, all_counts) for row in rows)


# name: what precedes the stacks or the tree, and the function
STACKS = {
    "aix": ("15466950: /usr/bin/node app.js\n", aix),
    "bpftrace": ("Attaching 1 probe...\n", bpftrace),
    "dtrace": ("CPU     ID                    FUNCTION:NAME\n  0  64091                        :tick-60s\n\n\n", dtrace),
    "elfutils": ("PID 4242 - process\n", elfutils),
    "ljp": ("", ljp),
    "perf-sched": ("", perf_sched),
    "recursive": ("", recursive),
    "stap": ("", stap),
    "wcp": ("Full stacks with at least 0.100% of samples:\n\n", wcp),
}
TREES = {
    "ghcprof": ("\tSat Nov 21 22:06 2026 Time and Allocation Profiling Report  (Final)\n\n"
                "COST CENTRE MODULE SRC no. entries  %time %alloc   %time %alloc\n\n"
                "MAIN MAIN <built-in> 156 0    0.0    0.0   100.0  100.0\n", each(ghcprof)),
    "instruments": ("Running Time\tSelf (ms)\t\tSymbol Name\n", each(instruments)),
    "sample": ("Analysis of sampling node (pid 4242) every 1 millisecond\n\nCall graph:\n", each(sample)),
    "vsprof": ("Level,Function Name,Number of Calls,Elapsed Inclusive Time %,Elapsed Exclusive Time %,"
               "Avg Elapsed Inclusive Time,Avg Elapsed Exclusive Time,Module Name,\n", each(vsprof)),
    "vtune": ("Function Stack,CPU Time:Self,Module\nTotal,0.0,[Unknown]\n", each(vtune)),
    "vtune-mc": ("Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module\n"
                 "Total,,,,[Unknown]\n", each(vtune_mc)),
    "pmc": ("@ CPU_CLK_UNHALTED_CORE [1 samples]\n\n", pmc),
    "xdebug": ("Version: 3.2.0\nFile format: 4\nTRACE START [2026-11-21 22:19:39.290849]\n", xdebug),
}
NAMES = sorted([*STACKS, *TREES])


def write(name, folded, size, out):
    """Writes about `size` bytes of the format: the same stacks over and over, each time in another order."""
    stacks = read_folded(folded)
    if name == "pmc":
        stacks = [(names[::-1], count) for names, count in stacks]
    all_counts = sum(count for _, count in stacks)
    head, text_of = STACKS.get(name) or TREES[name]
    rand, number, written = random.Random(SEED), 0, 0
    out.write(head.encode())
    while written < size:
        rand.shuffle(stacks)
        if name in STACKS:
            lines = (text_of(names[::-1], count, number + i) for i, (names, count) in enumerate(stacks))
        else:
            lines = text_of(merge(stacks), all_counts)
        written += out.write("".join(lines).encode())
        number += len(stacks)
