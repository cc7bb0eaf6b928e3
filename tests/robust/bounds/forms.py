"""Inputs that are the worst known ones for some program: FORMS lists them, each with the commands that read it.

A form is a function of a size in bytes, which its input has about. What makes it bad is said before it or in its first
sentence. In a command "IN" is the input's file; without it the command reads the input from its standard input. Files
that come with the commands, always the same ones, are in FILES.
"""
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
import formats as bench  # noqa: E402

FORMS = []  # (name, function, commands)
SILENT = set()  # the names of forms that need no answer: the input is refused, or dropped as a whole

# The forms for which the square of their size is printed, so that only the memory is judged.
LONG_OUTPUT = {"cpuprofile-chain", "speedscope-chain"}

# What is known to take too much, with the reason.
KNOWN = {
    (form, "stackreport --callees ."): "a tree takes 55 bytes for each frame of the stack"
    for form in ("folded-deep", "folded-deep-twice", "folded-deep-names")
}
KNOWN[("folded-empty-frames", "stackreport --callers f --top 5")] = "the same, and these frames have one byte"
KNOWN[("folded-deep-names", "stackreport")] = "200 bytes for each name, and these have seven"
KNOWN[("data-frames", "perf-script --check IN")] = "200 bytes for each address without a name, and these have eight"
KNOWN.update({
    (form, "stackexport --to " + to): "100 to 400 bytes for each name, and these have five or eight"
    for form in ("folded-names", "folded-short-names") for to in ("pprof", "firefox", "speedscope", "cpuprofile")
})

# What these forms lack for the command to print something: they show nothing of its time and memory.
DEEP = ("deep", "deep different")
UNREACHED = {command: ["%s, %s" % (name, shape) for shape in shapes] for command, name, shapes in (
    ("pkgsplit-perf.pl", "pkgsplit", ("chains", *DEEP, "different", "same")),
    ("stackcollapse --from ghcprof", "ghcprof", DEEP),
    ("stackcollapse --from instruments", "instruments", DEEP),
    ("stackcollapse --from vtune", "vtune", DEEP),
    ("stackcollapse --from vtune-mc", "vtune-mc", DEEP),
    ("stackcollapse --from xctrace", "xctrace", ("chains", *DEEP, "different", "same")),
    ("stackcollapse-ibmjava.pl", "ibmjava", ("chains", *DEEP, "different", "same")),
    ("stackcollapse-ljp.awk", "ljp", DEEP),
    ("stackcollapse-perf-sched.awk", "perf-sched", ("chains", *DEEP, "different", "same")),
    ("stackcollapse-sample.awk", "sample", DEEP),
    ("stackcollapse-vtune-mc.pl IN", "vtune-mc", DEEP),
    ("stackcollapse-vtune.pl IN", "vtune", ("chains", *DEEP, "different", "same")),
    ("stackcollapse-xdebug.php", "xdebug", ("chains", *DEEP, "different", "same")),
)}
UNREACHED["stackcollapse-chrome-tracing.py IN"] = [
    "chrome-nested", "chrome-nested-complete", "chrome-same-time", "chrome-threads"]

FILES = {
    "one.folded": b"main;f 1\n",
    "one.perf": b"node 7/7 [000] 1.000000: 1 cycles: \n\t    1000 [unknown] (/tmp/perf-7.map)\n\n",
}


def form(*commands, name=None, silent=False):
    def add(function):
        FORMS.append((name or function.__name__.replace("_", "-"), function, list(commands)))
        if silent:
            SILENT.add(FORMS[-1][0])
        return function
    return add


def cut(parts, size):
    """The texts one after the other, up to the size."""
    out, length = [], 0
    for part in parts:
        out.append(part)
        length += len(part)
        if length >= size:
            break
    return "".join(out).encode()


def count_up(text, size):
    """A text with numbers from 0 for its %d."""
    holes = text.count("%d")
    return cut((text % ((i,) * holes) for i in range(size)), size)


def repeat(text, size):
    return text.encode() * (size // len(text.encode()))


# Folded text, which six programs read.

REPORTS = ["stackreport", "stackreport --callers f --top 5", "stackreport --callees .", "stackreport --by package"]
FILTERS = ["stackfilter --node", "stackfilter --drop zz --rename s/a/b/g --collapse-recursion", "stackfilter --max-depth 9"]
PICTURES = ["flamesvg", "flamesvg --html", "flamesvg --reverse", "flamesvg --flamechart", "flamesvg --sort size",
            "flamesvg --minwidth 0", "flamegraph.pl --hash", "flamegraph.pl --colors java --reverse"]
DIFFS = ["stackdiff IN IN", "stackdiff --format table IN IN", "stackdiff --strip-hex --normalize one.folded IN",
         "difffolded.pl one.folded IN"]
EXPORTS = ["stackexport --to pprof", "stackexport --to firefox", "stackexport --to speedscope", "stackexport --to cpuprofile",
           "stackexport --to tsv"]
FOLDED = ["stackcollapse --from folded", "stackcollapse-recursive.pl"] + REPORTS + FILTERS + PICTURES + DIFFS + EXPORTS


# Each stack is a name of its own, so nothing is shared.
form(*FOLDED, name="folded-names")(lambda size: count_up("f%d 1\n", size))


@form(*FOLDED)
def folded_short_names(size):
    """The shortest names that differ: most names for each byte."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return cut((a + b + c + d + " 1\n" for a in letters for b in letters for c in letters for d in letters), size)


@form(*FOLDED)
def folded_valley(size):
    """Names that descend and then ascend, for a sort that takes its pivots from the ends and the middle."""
    n = size // 18 * 2
    return b"".join(b"%06x 1\n" % i for i in [*range(n - 1, 0, -2), *range(0, n, 2)])


# One stack of a name again and again: two bytes a frame, the deepest stack for each byte.
form(*FOLDED, name="folded-deep")(lambda size: repeat("a;", size) + b"a 1\n")
# Two deep stacks that share nothing, each with half of the width.
form(*FOLDED, name="folded-deep-twice")(
    lambda size: repeat("f;", size // 2) + b"f 1\n" + repeat("g;", size // 2) + b"g 1\n")
# One stack whose frames all differ.
form(*FOLDED, name="folded-deep-names")(lambda size: count_up("f%d;", size) + b"f 1\n")
# One stack of empty frames: one byte a frame.
form(*FOLDED, name="folded-empty-frames", silent=True)(lambda size: repeat(";", size) + b"f 1\n")
# Each stack is the one before it and a frame more: what a tree of n nodes prints takes n * n bytes.
form(*FOLDED, name="folded-chains")(lambda size: b"".join(b"f;" * n + b"g%d 1\n" % n for n in range(int(size ** 0.5))))
# Stacks that differ in their root and share all else, which only --reverse can merge.
form(*FOLDED, name="folded-ends")(
    lambda size: b"".join(b"g%d;" % n + b"f;" * n + b"f 1\n" for n in range(int(size ** 0.5))))
# Frames that begin and end at one place in the picture, so that only their names tell them apart.
form(*FOLDED, name="folded-zero-counts", silent=True)(lambda size: count_up("m;f%d;g 0\n", size))
# Two counts with fractions for each name, which are kept as decimals.
form(*FOLDED, name="folded-two-counts", silent=True)(lambda size: count_up("f%d 0.%d 7.%d\n", size))
# Counts of more digits than any number has.
form(*FOLDED, name="folded-numbers", silent=True)(
    lambda size: cut(("f 1%s %s.5\n" % ("0" * n, "9" * n) for n in range(1, size)), size))
# Lines without a count, each to be reported.
form(*FOLDED, name="folded-bad-lines", silent=True)(lambda size: repeat("a\n", size))
# Nothing but line ends: most lines for each byte.
form(*FOLDED, name="folded-empty-lines", silent=True)(lambda size: repeat("\n", size))
# Each stack in a slice of time of its own, so that no two are the same.
form("flamesvg --flamechart", "stackreport", "stackfilter --node", "stackfilter --merge times", "stackcollapse --from folded",
     *EXPORTS, name="folded-slices")(
    lambda size: count_up("@%d.25;f 1\n", size))
# One stack of threads that wake one another.
form("flamesvg --colors wakeup", "flamesvg --colors chain", "stackreport --by kind", name="folded-wakers")(
    lambda size: repeat("a;--;", size) + b"b 1\n")
# Names of 1 KB in which an expression begins to match at each byte and never ends: n * n steps for each.
form("stackfilter --drop 'a.*b'", "stackfilter --rename 's/a.*b/c/g'", "stackreport --callers 'a.*b'",
     "stackdiff --new 'a.*b' one.folded IN", "stackfilter --keep 'a[^b]*b$'", name="long-names-for-expressions")(
    lambda size: count_up("m;" + "a" * 1016 + "%d 1\n", size))
# The same, where what does not match is dropped.
form("flamesvg --base 'a.*b'", "stackfilter --focus '(a|aa)*b'", "stackfilter --root-at 'a.{20}b'",
     "stackdiff --function 'a.*b' --format table IN IN", name="long-names-that-are-dropped", silent=True)(
    lambda size: count_up("m;" + "a" * 1016 + "%d 1\n", size))
# One name, of the size, in which an expression begins to match at each byte and never ends.
form("stackfilter --drop 'a.*b'", "stackreport --callers '(a.*)*b'", "stackfilter --rename 's/a.*b|c/-/g'",
     name="a-long-name-for-expressions")(lambda size: b"m;" + repeat("a", size) + b" 1\n")


# Pieces of which a whole name consists.

PIECES = ["a", "7", " ", "(", ")", "()", "<", ">", "<>", "[", "]", "{", "::", ".", "/", "\\", "&", "&#", "&lt;", "\"", "'",
          "*", "-", "->", "--", "_", "_Z", "L", "0x1", "+0x", "@", "$", "~", "#", ",", ";", "%", ":1", "\t", "\r", "\x1b",
          "é", "\u0301", "operator<", "operator", "(anonymous namespace)", "lambda", "a<b>::", "[k]", "_[j]", "LazyCompile:",
          " [clone", "-1234", "async ", "unknown"]
NAME_READERS = ["stackcollapse", "flamesvg --colors js", "flamesvg --colors java --html", "flamegraph.pl --hash --colors perl",
                "stackfilter --node --v8-names tier", "stackreport --by package", "stackreport --by kind",
                "stackdiff --strip-hex IN IN", "stackfilter --collapse-recursion --max-depth 3"]


def name_of(piece):
    """One name, which is one piece of text again and again: for loops that look for its counterpart."""
    return lambda size: b"m;" + repeat(piece, size) + b" 1\n"


for piece in PIECES:
    form(*NAME_READERS, name="a name of %r" % piece, silent=True)(name_of(piece))


# Formats of stacks and of trees: the writers are those of the benchmarks, and these.


def perf(frames, _, number):
    return "node 7/7 [000] %d.000001: 1 cycles: \n" % number + "".join("\t%x %s+0x1 (/bin/x)\n" % (i, f)
                                                               for i, f in enumerate(frames)) + "\n"


def perf_trace(frames, _, number):
    return "  %d.000 ( 1.016 ms): waits/6967 read(fd: 4) = 832\n" % number + "".join(
        " " * 39 + "%s (/bin/x)\n" % f for f in frames)


def gdb(frames, _, number):
    return "Thread %d (Thread 0x%x (LWP %d) \"t\"):\n" % (number, number, number) + "".join(
        "#%d  0x%016x in %s (a=1) at a.c:1\n" % (i, i, f) for i, f in enumerate(frames)) + "\n"


def jstack(frames, _, number):
    return '"main-%d" #1 prio=5 os_prio=0 tid=0x%x nid=0x4d56 runnable  [0x1]\n' \
        "   java.lang.Thread.State: RUNNABLE\n" % (number, number) + "".join("\tat %s(A.java:1)\n" % f for f in frames) + "\n"


def faulthandler(frames, _, number):
    return "Thread 0x%016x (most recent call first):\n" % number + "".join(
        '  File "a.py", line 1 in %s\n' % f for f in frames) + "\n"


def java_exceptions(frames, _, number):
    return "java.lang.IllegalStateException: cannot handle /%d\n" % number + "".join("\tat %s(A.java:1)\n" % f for f in frames)


def ibmjava(frames, _, number):
    return '3XMTHREADINFO      "main %d" J9VMThread:0x1, state:R, prio=5\n3XMTHREADINFO3           Java callstack:\n' % number + \
        "".join("4XESTACKTRACE                at %s(A.java:1)\n" % f for f in frames) + "NULL\n"


def pkgsplit(frames, _, number):
    return "".join("java 7/7 [000] %d.1: cycles: 7fd7 L%s;::f (/tmp/perf-7.map)\n" % (number, f.replace(".", "/")) for f in frames)


def xctrace(frames, _, number):
    return "<row><process id='p%d' fmt='x'/><cycle-weight id='w%d'>1</cycle-weight><backtrace id='b%d'>" % ((number,) * 3) + \
        "".join("<frame id='f%d-%d' name='%s' addr='0x1'></frame>" % (number, i, f.replace("<", "&lt;").replace("'", "&apos;"))
                for i, f in enumerate(frames)) + "</backtrace></row>\n"


STACKS = dict(bench.STACKS, **{
    "perf": ("", perf), "perf-trace": ("", perf_trace), "gdb": ("", gdb), "jstack": ("Full thread dump\n\n", jstack),
    "faulthandler": ("Timeout (0:00:00.3)!\n", faulthandler), "java-exceptions": ("", java_exceptions),
    "ibmjava": ("1XMTHDINFO     Thread Details\nNULL\n", ibmjava), "pkgsplit": ("", pkgsplit),
    "xctrace": ("<?xml version='1.0'?><trace-query-result><node>", xctrace),
})
SCRIPTS = {
    "dtrace": "stackcollapse.pl", "chrome-tracing": "stackcollapse-chrome-tracing.py", "ljp": "stackcollapse-ljp.awk",
    "perf-sched": "stackcollapse-perf-sched.awk", "sample": "stackcollapse-sample.awk", "xdebug": "stackcollapse-xdebug.php",
    "pkgsplit": "pkgsplit-perf.pl",
}
SCRIPTS.update({name: "stackcollapse-%s.pl" % name for name in (
    "perf gdb jstack faulthandler elfutils bpftrace stap go java-exceptions ibmjava recursive wcp aix pmc vsprof vtune "
    "vtune-mc instruments").split()})
PERF = ["stackreport --from perf", "stackfilter --from perf --node", "perf-script", "perf-script --demangle full",
        "perf-script --check", "stackcollapse --from perf --all --tidy brackets", "stackcollapse --from perf --tidy perl"]


def commands_of(name):
    file = " IN" if name in ("vsprof", "vtune", "vtune-mc") else ""  # these scripts read no standard input
    commands = ["stackcollapse --from %s" % name] + ([SCRIPTS[name] + file] if name in SCRIPTS else [])
    return commands + (PERF if name == "perf" else []) + (["perf-script --show-lost-events"] if name == "perf" else [])


def different(size):
    """Each stack is a name of its own."""
    return ([["main", "f%d" % i], 1] for i in range(size // 12))


def same(size):
    """One stack again and again."""
    return ([["main", "f"], 1] for _ in range(size // 12))


def deep(size):
    """One stack with one name, as deep as the size allows."""
    return [[["f"] * (size // 8), 1]]


def deep_different(size):
    """One stack whose names all differ."""
    return [[["f%d" % i for i in range(size // 12)], 1]]


def chains(size):
    """Each stack is the one before it and a frame more."""
    n = int((size / 6) ** 0.5)
    return ([["f%d" % j for j in range(i)] + ["g"], 1] for i in range(1, n))


SHAPES = (different, same, deep, deep_different, chains)


def tree_rows(shape, size):
    """The rows of the shape's tree; deep ones have n * n bytes in formats that indent."""
    if shape in (deep, deep_different):
        n = int((2 * size) ** 0.5)
        return [(i, "f%d" % i if shape is deep_different else "f", 1, i == n - 1) for i in range(n)]
    if shape is same:
        return [(level, "f", 1, level) for _ in range(size // 40) for level in (0, 1)]
    if shape is different:
        return [(0, "f%d" % i, 1, 1) for i in range(size // 12)]
    n = int((size / 6) ** 0.5)
    return [(level, "f%d" % level, 1, 1) for i in range(1, 2 * n, n // 8 + 1) for level in list(range(i)) + list(range(i, 0, -1))]


def shaped(name, shape):
    def text(size):
        if name in STACKS:
            head, writer = STACKS[name]
            if shape in (deep, deep_different):
                frames = shape(size)[0][0]
                each = len(writer(frames[:1000], 1, 0)) / min(1000, len(frames))
                return (head + writer(frames[:int(size / each)][::-1], 1, 0)).encode()
            parts = (writer(frames[::-1], count, i) for i, (frames, count) in enumerate(
                shape(size // 5 if name == "xctrace" else size)))
        else:
            head, writer = bench.TREES[name]
            parts = writer(tree_rows(shape, size), 1)
        whole = cut([head, *parts] if shape is not same else (p for q in ([head], parts) for p in q), size)
        return whole[:size][:whole[:size].rfind(b"\n") + 1] if name != "xctrace" else whole
    text.__doc__ = shape.__doc__
    return text


for format_name in sorted([*STACKS, *bench.TREES]):
    for shape in SHAPES:
        form(*commands_of(format_name), name="%s, %s" % (format_name, shape.__name__.replace("_", " ")))(
            shaped(format_name, shape))


def line_of(name, piece):
    def text(size):
        """A stack one of whose names is one piece of text again and again."""
        long_name = piece * (size // len(piece.encode()))
        if name in STACKS:
            head, writer = STACKS[name]
            return (head + writer([long_name, "main"], 1, 1)).encode()
        head, writer = bench.TREES[name]
        return (head + "".join(writer([(0, "main", 1, 0), (1, long_name, 1, 1)], 1))).encode()
    return text


LINE_PIECES = ["a", "7", " ", "(", "[", "]", "<", "/", ";", ":", "&amp;", "&", "\"", "+0x", ",", "0.5%", "->", "\t", "=", "- "]
for format_name in sorted([*STACKS, *bench.TREES]):
    for piece in LINE_PIECES:
        form(*commands_of(format_name)[:2], name="%s, a name of %r" % (format_name, piece), silent=True)(line_of(format_name, piece))


def lines_of(name, piece):
    def text(size):
        """The format's beginning, and then one long line of one character, where its parser may look for what is not there."""
        head = "".join(map(str, shaped(name, same)(1000).decode()))
        return head.encode() + repeat(piece, size) + b"\n"
    return text


for format_name in sorted([*STACKS, *bench.TREES]):
    for piece in (" ", "1", "\t", "a", "(", "\n"):
        form(*commands_of(format_name)[:2], name="%s, a line of %r" % (format_name, piece), silent=True)(lines_of(format_name, piece))


# Formats that are JSON.


def dumps(value):
    return json.dumps(value, separators=(",", ":")).encode()


def call_frame(name):
    return {"functionName": name, "scriptId": "0", "url": "", "lineNumber": 0, "columnNumber": 0}


def cpuprofile(nodes, samples):
    return dumps({"nodes": nodes, "startTime": 0, "endTime": 9, "samples": samples, "timeDeltas": [1] * len(samples)})


@form("stackcollapse --from cpuprofile", "stackcollapse")
def cpuprofile_chain(size):
    """A chain of calls, each of which has a sample: n * n frames in all stacks together."""
    n = size // 120
    return cpuprofile([{"id": i, "callFrame": call_frame("f"), "children": [i + 1] if i < n else []}
                       for i in range(1, n + 1)], list(range(1, n + 1)))


@form("stackcollapse --from cpuprofile", "stackcollapse")
def cpuprofile_star(size):
    """One caller of all functions, which all differ."""
    n = size // 120
    return cpuprofile([{"id": 0, "callFrame": call_frame("m"), "children": list(range(1, n + 1))}] + [
        {"id": i, "callFrame": call_frame("f%d" % i)} for i in range(1, n + 1)], list(range(1, n + 1)))


# One function, and samples of it with three bytes each.
form("stackcollapse --from cpuprofile", name="cpuprofile-samples")(
    lambda size: cpuprofile([{"id": 1, "callFrame": call_frame("f")}], [1] * (size // 4)))


@form("stackcollapse --from cpuprofile", silent=True)
def cpuprofile_cycle(size):
    """Functions that are each other's callees."""
    n = size // 120
    return cpuprofile([{"id": i, "callFrame": call_frame("f"), "children": [i % n + 1]} for i in range(1, n + 1)], [1] * n)


def speedscope(profile, names):
    return dumps({"$schema": "https://www.speedscope.app/file-format-schema.json",
                  "profiles": [dict({"name": "p", "unit": "none", "startValue": 0, "endValue": 9}, **profile)],
                  "shared": {"frames": [{"name": name} for name in names]}})


@form("stackcollapse --from speedscope", "stackcollapse")
def speedscope_chain(size):
    """Calls that are opened one in the other, each for some time: n * n frames in all stacks together."""
    n = size // 70
    events = [{"type": "O", "frame": 0, "at": i} for i in range(n)] + [{"type": "C", "frame": 0, "at": n + i} for i in range(n)]
    return speedscope({"type": "evented", "events": events}, ["f"])


@form("stackcollapse --from speedscope")
def speedscope_samples(size):
    """Stacks that all differ, of many functions."""
    n = size // 30
    return speedscope({"type": "sampled", "samples": [[i] for i in range(n)], "weights": [1] * n}, ["f%d" % i for i in range(n)])


# One stack of one function: two bytes a frame.
form("stackcollapse --from speedscope", name="speedscope-deep")(
    lambda size: speedscope({"type": "sampled", "samples": [[0] * (size // 2)], "weights": [1]}, ["f"]))


@form("stackcollapse --from v8-prof", "stackcollapse")
def v8_prof_names(size):
    """Ticks in functions that all differ."""
    n = size // 90
    return dumps({"code": [{"name": "f%d /a.js:1:1" % i, "type": "JS", "kind": "Opt", "func": i} for i in range(n)],
                  "functions": [{"name": "f%d /a.js:1:1" % i, "codes": [i]} for i in range(n)],
                  "ticks": [{"tm": i, "vm": 0, "s": [i, 0]} for i in range(n)]})


# One tick with a deep stack: four bytes a frame.
form("stackcollapse --from v8-prof", name="v8-prof-deep")(
    lambda size: dumps({"code": [{"name": "f", "type": "JS", "kind": "Opt", "func": 0}], "functions": [{"name": "f", "codes": [0]}],
                  "ticks": [{"tm": 1, "vm": 0, "s": [0, 0] * (size // 4)}]}))


CHROME = ("stackcollapse --from chrome-tracing", "stackcollapse-chrome-tracing.py IN")


# Events that begin one in the other and never end: the deepest stack for each byte.
form(*CHROME, name="chrome-nested")(
    lambda size: dumps([{"ph": "B", "pid": 1, "tid": 1, "ts": i, "name": "f"} for i in range(size // 48)]))
# Complete events each inside the one before, which must be sorted by where they end.
form(*CHROME, name="chrome-nested-complete")(
    lambda size: dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": i, "dur": 2 * (size - i), "name": "f%d" % i} for i in range(size // 62)]))
# A thread of its own for each event.
form(*CHROME, name="chrome-threads")(
    lambda size: dumps([{"ph": "X", "pid": i, "tid": i, "ts": 5, "dur": 1, "name": "f%d" % i} for i in range(size // 60)]))
# All events begin and end at one time.
form(*CHROME, name="chrome-same-time")(
    lambda size: dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "name": "f%d" % i} for i in range(size // 55)]))


def chunk(i, ids, ts, profile="0x1"):
    """A chunk with a node of its own, which the one before calls, and samples of the nodes with these ids."""
    return {"args": {"data": {"cpuProfile": {"nodes": [{"id": i, "parent": i - 1, "callFrame": call_frame("f")}], "samples": ids},
                              "timeDeltas": [1] * len(ids)}}, "id": profile, "name": "ProfileChunk", "ph": "P", "pid": 1, "ts": ts}


@form("stackcollapse --from chrome-tracing")
def chrome_chunks(size):
    """Chunks of a profile, the last one first, whose nodes are one chain; the sample is of the deepest."""
    n = size // 200
    return dumps([chunk(i, [n] if i == 1 else [], n - i) for i in range(1, n + 1)])


# Profiles with the same ids, of one chunk each.
form("stackcollapse --from chrome-tracing", name="chrome-profiles")(
    lambda size: dumps([chunk(1, [1], i, "0x%x" % i) for i in range(size // 200)]))


@form("stackcollapse --from chrome-tracing")
def chrome_threads_of_samples(size):
    """Samples, two of each thread, since the last takes no time, and a chain of frames."""
    n = size // 80
    return json.dumps({"traceEvents": [], "samples": [{"pid": 1, "tid": (n - i) // 2, "ts": n - i, "sf": 1 + i % 2} for i in range(n)],
                       "stackFrames": {str(i): {"name": "f", "parent": i - 1} for i in range(1, n)}}).encode()


@form("stackcollapse --from cpuprofile", "stackcollapse")
def cpuprofile_ids(size):
    """The largest id that is a place in a table, and many that are not."""
    ids = [(1 << 22) - 1] + [(1 << 22) + i for i in range(size // 110)]
    return cpuprofile([{"id": i, "callFrame": call_frame("f%d" % i)} for i in ids], [ids[0]])


@form("stackcollapse --from firefox", "stackcollapse", silent=True)
def firefox_rows(size):
    """Rows without values, before a schema that asks for their last place."""
    rows = {"data": [[]] * (size // 5), "schema": {"stack": 15}}
    return dumps({"meta": {"stackwalk": 1}, "threads": [{"name": "t", "samples": rows, "stackTable": {"schema": {}, "data": []}}]})


@form("stackcollapse --from pyinstrument", "stackcollapse")
def pyinstrument_chain(size):
    """Functions that call one another, and many called by the last of these."""
    node = {"function": "f", "file_path_short": "a.py", "line_no": 1, "time": 1, "children": []}
    calls = [dict(node, line_no=i) for i in range(1, size // 90)]
    text = dumps(dict(node, children=calls)).decode()
    for _ in range(200):
        text = '{"function":"g","file_path_short":"a.py","line_no":1,"time":1,"children":[%s]}' % text
    return ('{"root_frame":%s}' % text).encode()


def sentry(stacks, samples):
    return dumps({"version": "1", "platform": "python", "profile": {
        "samples": [{"stack_id": stack, "thread_id": str(thread)} for stack, thread in samples], "stacks": stacks,
        "frames": [{"function": "f"}], "thread_metadata": {}}})


@form("stackcollapse --from sentry", "stackcollapse")
def sentry_threads(size):
    """A deep stack that all of many threads have: n * n frames, if each had its own; short lines, since all are printed."""
    n = int(size ** 0.5) // 4
    return sentry([[0] * n], [(0, i) for i in range(n)])


@form("stackcollapse --from sentry")
def sentry_stacks(size):
    """Stacks of one frame, each in a sample of a thread of its own."""
    n = size // 70
    return sentry([[0]] * n, [(i, i) for i in range(n)])


# One deep stack: two bytes a frame.
form("stackcollapse --from sentry", name="sentry-deep")(lambda size: sentry([[0] * (size // 2)], [(0, 1)]))


JSONS = ["cpuprofile", "speedscope", "v8-prof", "chrome-tracing", "sentry", "pyinstrument"]
JSON_STARTS = {"cpuprofile": '{"nodes":[],"x":', "speedscope": '{"$schema":"https://www.speedscope.app/x","x":',
               "v8-prof": '{"code":[],"functions":[],"x":', "chrome-tracing": '{"traceEvents":[],"x":',
               "sentry": '{"stack_id":0,"thread_id":0,"x":', "pyinstrument": '{"file_path_short":"","line_no":0,"x":'}
JSON_PIECES = {"[": "]", '{"a":': "}", '"\\u0041': '"', "1": "", '"\\\\': '"', '[1,': "1]", "[": "]"}


def json_of(name, piece):
    def text(size):
        """A value that the reader skips, nested or long."""
        if piece in ("[", '{"a":'):
            n = size // (len(piece) + 1)
            return (JSON_STARTS[name] + piece * n + "1" + JSON_PIECES[piece] * n + "}").encode()
        body = piece.lstrip('"[')
        return (JSON_STARTS[name] + piece[:len(piece) - len(body)] + body * (size // len(body)) + JSON_PIECES[piece] + "}").encode()
    return text


for format_name in JSONS:
    for piece in JSON_PIECES:
        form("stackcollapse --from %s" % format_name, "stackcollapse", name="%s, a value of %r" % (format_name, piece), silent=True)(
            json_of(format_name, piece))


# pprof, its fields as https://github.com/google/pprof/blob/main/proto/profile.proto numbers them.


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def pprof(samples, locations, functions, names):
    out = [message(1, number(1, 1) + number(2, 2))]
    out += [message(2, message(1, b"".join(map(varint, ids))) + message(2, b"\1")) for ids in samples]
    out += [message(4, number(1, i) + b"".join(message(4, number(1, f)) for f in lines)) for i, lines in locations]
    out += [message(5, number(1, i) + number(2, name)) for i, name in functions]
    return b"".join(out) + b"".join(message(6, name.encode()) for name in ["", "samples", "count", *names])


@form("stackcollapse --from pprof", "stackcollapse")
def pprof_lines(size):
    """A location of n inlined functions that n frames name: n * n frames."""
    n = size // 6
    return pprof([[1] * n], [(1, [1] * n)], [(1, 3)], ["f"])


@form("stackcollapse --from pprof")
def pprof_names(size):
    """A sample, a location, a function and a name for each stack."""
    n = size // 32
    return pprof([[i] for i in range(1, n)], [(i, [i]) for i in range(1, n)], [(i, 2 + i) for i in range(1, n)],
                 ["f%d" % i for i in range(1, n)])


# One sample of one location: one byte a frame.
form("stackcollapse --from pprof", name="pprof-deep")(lambda size: pprof([[1] * size], [(1, [1])], [(1, 3)], ["f"]))


@form("stackcollapse --from pprof")
def pprof_chains(size):
    """Stacks that share their outer frames."""
    n = int((2 * size) ** 0.5)
    return pprof([[1] * i for i in range(1, n)], [(1, [1])], [(1, 3)], ["f"])


@form("stackcollapse --from pprof", "stackcollapse")
def pprof_difference(size):
    """Values below 0, and a location of n inlined functions that n frames name."""
    n = size // 6
    lines = pprof([[1] * n], [(1, [1] * n)], [(1, 3)], ["f"])
    return lines + message(2, message(1, b"\1" * n) + message(2, varint((1 << 64) - 5)))


@form("stackcollapse --from pprof")
def pprof_dropped(size):
    """An expression of many alternatives in drop_frames that all go on, and many names."""
    n = size // 40
    drop = "(?:%s)x" % "|".join(["[ab]*b"] * 2000)
    profile = pprof([[i] for i in range(1, n)], [(i, [i]) for i in range(1, n)], [(i, 3 + i) for i in range(1, n)],
                    [drop] + ["ababab%d" % i for i in range(1, n)])
    return profile + number(7, 3)


# gperftools' CPU profiles.


def gperftools(stacks):
    out = [struct.pack("<5I", 0, 3, 0, 10000, 0)]
    out += [struct.pack("<%dI" % (2 + len(stack)), 1, len(stack), *stack) for stack in stacks]
    return b"".join(out) + struct.pack("<3I", 0, 1, 0)


# One stack of one address.
form("stackcollapse --from gperftools", "stackcollapse", name="gperftools-deep")(
    lambda size: gperftools([[4096] * (size // 4)]))
# A stack for each address.
form("stackcollapse --from gperftools", name="gperftools-addresses")(
    lambda size: gperftools([[i] for i in range(1, size // 12)]))


@form("stackcollapse --from gperftools")
def gperftools_maps(size):
    """As many maps as fit, each of another file that is not there."""
    n = size // 48
    return gperftools([[4096 * i + 1] for i in range(1, n)]) + "".join(
        "%08x-%08x r-xp 00000000 00:00 7 /none/%d\n" % (4096 * i, 4096 * i + 4096, i) for i in range(1, n)).encode()


# simpleperf's report-sample --protobuf.


def simpleperf(*records):
    return b"SIMPLEPERF\1\0" + b"".join(struct.pack("<I", len(r)) + r for r in records) + bytes(4)


# One sample of empty entries: two bytes a frame.
form("stackcollapse --from simpleperf", "stackcollapse", name="simpleperf-deep")(
    lambda size: simpleperf(message(1, b"\x1a\0" * (size // 2)), message(3, message(3, b"f"))))


@form("stackcollapse --from simpleperf")
def simpleperf_symbols(size):
    """A sample for each of as many symbols, files and threads."""
    n = size // 60
    return simpleperf(*(message(1, number(2, i) + message(3, number(2, i))) for i in range(n)),
                      *(message(3, number(1, i) + message(2, b"/%d" % i) + message(3, b"f%d" % i)) for i in range(n)),
                      *(message(4, number(1, i) + message(3, b"t%d" % i)) for i in range(n)))


# Go's text.

GO = ("stackcollapse --from go", "stackcollapse-go.pl")


def go(samples, locations):
    return ("PeriodType: cpu nanoseconds\nPeriod: 10000000\nSamples:\nsamples/count cpu/nanoseconds\n" + "".join(
        "          1   10000000: %s\n" % " ".join(map(str, ids)) for ids in samples) + "Locations\n" + "".join(
            "     %d: 0x1 M=1 f%d /a.go:1 s=1\n" % (i, i) for i in locations) + "Mappings\n1: 0x1/0x2/0x0 /a\n").encode()


# A sample and a location for each stack.
form(*GO, name="go-names")(lambda size: go([[i] for i in range(1, size // 70)], range(1, size // 70)))
# One sample of one location: two bytes a frame.
form(*GO, name="go-deep")(lambda size: go([[1] * (size // 2)], [1]))


@form(*GO)
def go_far_numbers(size):
    """Locations whose numbers are as large as numbers can be."""
    far = range(2 ** 64 - 1, 2 ** 64 - size // 90, -1)
    return go([[i] for i in far], far)


# XML.


def xml_of(piece):
    def text(size):
        """A frame's name, or the text of an element, of one entity or character again and again."""
        name = piece * (size // len(piece))
        return ("<?xml version='1.0'?><trace-query-result><node><row><process fmt='x'/><cycle-weight>1</cycle-weight><backtrace>"
                "<frame name='%s'></frame></backtrace></row></node></trace-query-result>" % name).encode()
    return text


for piece in ("&", "&#", "&#x", "&amp;", "&#65;", "&#0", "<", ">", "/>", "a=", "</frame>", "<!--", "<a>", "<a b=''>"):
    form("stackcollapse --from xctrace", "stackcollapse", name="xctrace, XML of %r" % piece, silent=True)(xml_of(piece))


# perf script text: headers.

HEADER = "%s %s [000] %s: 1 %s: \n\t    1000 main+0x1 (/bin/x)\n\n"


# A process and a command name of its own for each sample.
form(*PERF, "stackreport --from perf --by comm", "stackreport --from perf --by thread",
     "stackcollapse --from perf --tid", name="perf-processes")(
    lambda size: cut((HEADER % ("c%d" % i, "%d/%d" % (i, i), "1.5", "cycles") for i in range(size)), size))
# An event of its own for each sample, of which the first one's are folded.
form(*PERF, "stackcollapse --from perf --event all", "stackreport --from perf --event 'c*'", name="perf-events")(
    lambda size: cut((HEADER % ("c", "7/7", "1.5", "cycles%d" % i) for i in range(size)), size))
# An event's name in which a pattern of asterisks may begin to match everywhere.
form("stackreport --from perf --event 'c*c*c*c*c*d'", "stackcollapse --from perf --event 'c*c*c*c*c*d'",
     name="perf-event-names", silent=True)(lambda size: (HEADER % ("c", "7/7", "1.5", "c" * size)).encode())
# Frames of one address, which are inlined into each other.
form(*PERF, name="perf-inline")(
    lambda size: b"c 7/7 [000] 1.5: 1 cycles: \n" + repeat("\t1000 f (inlined)\n", size) + b"\n")


MANGLED = {
    "_ZN%sE": "1a", "_Z1f%s": "P", "_Z1fI%sE": "i", "_Z2ff%s": "PFiS_", "_ZN1aI%s": "N1aI", "_Z1f%si": "RK", "_Z1fDv%s_": "1",
    "_ZNK%s": "1aIS_E", "_Z1f%s ": "DpT_", "_ZN1a%sE": "IiE", "_Z%s": "L", "_ZZ%s": "1fvE", "_Z1fI%s": "XadL",
    "_RN%s": "v", "_RI%sE": "C1a", "_RNvC1a%s": "1a", "_RYNtC1a1bB%s_": "z", "_RMC1a%s": "T", "_RNvMC1a%sE": "A", "_R%sC1a": "NvB_",
    "_Z1fI%sE": "Tp", "_Z1fIiQ%sLb1E": "nt", "_Z1fIXrq%sEEE": "XLi1E", "_Z1fIi%sE": "QLb1E",
    "_ZN%s17h0123456789abcdefE": "4$LT$", "_RIC1aF%sEuE": "K", "_RIC0pD%sEL_": "p", "_RIC0K%s": "A",
}


def mangled(before, piece):
    def text(size):
        """Mangled names of one production again and again, each name another one, as long as they are demangled."""
        most = 1000 if before.startswith("_Z") else 4000
        body = before % (piece * (most // len(piece)))
        return cut(("c 7/7 [000] 1.5: 1 cycles: \n\t1000 %s.%d+0x1 (/bin/x)\n\n" % (body, i) for i in range(size)), size)
    return text


DEMANGLE = ["perf-script --demangle full", "perf-script --demangle short", "stackfilter --from perf --node"]
for before, piece in MANGLED.items():
    form(*DEMANGLE, name="mangled %s" % before % piece)(mangled(before, piece))


@form(*DEMANGLE)
def mangled_readings(size):
    """C++ names of operators with arguments that may be those of their types, so that there are two readings of each."""
    names = ["_ZN1Acv%si%sIiEEv" % ("T_I" * n, "E" * n) for n in range(10, 200)]
    return cut(("c 7/7 [000] 1.5: 1 cycles: \n\t1000 %s.%d+0x1 (/bin/x)\n\n" % (names[i % len(names)], i)
                for i in range(size)), size)


@form(*DEMANGLE)
def mangled_doubling(size):
    """C++ names in which each template parameter is a pair of the one before, so that the text doubles each time."""
    body = "_Z1f1aIiiE" + "".join("S%s_" % c + "1aIS%s_S%s_E" % (c, c) for c in "0123456789ABCDEFGHIJ")
    return cut(("c 7/7 [000] 1.5: 1 cycles: \n\t1000 %s.%d+0x1 (/bin/x)\n\n" % (body, i) for i in range(size)), size)


def base62(n):
    digits, out = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "_"
    while n > 0:
        n, digit = divmod(n - 1, 62) if out == "_" else divmod(n, 62)
        out = digits[digit] + out
    return out


@form(*DEMANGLE)
def mangled_back_references(size):
    """Rust names of tuples of two references to the tuple before, so that the text doubles each time."""
    out, last = "_RIC1a", None
    for _ in range(24):
        at = len(out) - len("_R")
        out += "TuuE" if last is None else "T" + 2 * ("B" + base62(last)) + "E"
        last = at
    out += "E"
    return cut(("c 7/7 [000] 1.5: 1 cycles: \n\t1000 %s.%d+0x1 (/bin/x)\n\n" % (out, i) for i in range(size)), size)


# Which format a text has.


# Lines of words, which are of no format: each format looks at each line.
form("stackcollapse", "stackreport", "stackfilter", "flamesvg", "perf-script", name="no format, words", silent=True)(
    lambda size: count_up("the quick brown fox number %d\n", size))


def guessed(piece):
    """One piece of text, which is of no format, again and again."""
    return lambda size: repeat(piece, size)


for piece in ("a", "a\n", " ", " \n", "\t", "(", "[", "{", "{\n", "<", "0", "1 ", "1\n", "#", "#\n", ":", "\"", "%", "; ", "=", "0x", "\x1f",
              "\0", "é"):
    form("stackcollapse", "stackreport", "stackfilter", "flamesvg", "perf-script", name="no format, %r" % piece, silent=True)(guessed(piece))


# Files beside the input.


# A line with many attributes, none of which may come twice.
form("flamesvg --nameattr IN one.folded", "flamegraph.pl --nameattr IN one.folded", name="nameattr-attributes")(
    lambda size: b"f\tg_extra=" + cut((' a%d="1"' % i for i in range(size)), size) + b"\n")
# A line for each of many names.
form("flamesvg --nameattr IN one.folded", name="nameattr-names")(lambda size: count_up("f%d\ttitle=t\thref=#a\n", size))


def nameattr_of(piece):
    """A title of one entity or character again and again."""
    return lambda size: b"f\ttitle=" + repeat(piece, size) + b"\n"


for piece in ("&", "&#", "&#x1", "&amp;", "=", "\"", "a=", "a='", "\t", "\ttitle=&"):
    form("flamesvg --nameattr IN one.folded", name="nameattr, a title of %r" % piece)(nameattr_of(piece))


# A function at each address.
form("perf-script --perf-map 7=IN one.perf", name="perf-map-names")(
    lambda size: cut(("%x 1 f%d\n" % (0x1000 + i, i) for i in range(size)), size))
# Functions that all cover the address, each beginning after the last and ending before it.
form("perf-script --perf-map 7=IN one.perf", name="perf-map-overlapping")(
    lambda size: cut(("%x %x f\n" % (0x1000 - i, 2 * i + 1) for i in range(0x1000)), size) + cut(
        ("%x %x f\n" % (i, 2 ** 40) for i in range(size)), size))
# Functions written to one place again and again.
form("perf-script --perf-map 7=IN one.perf", name="perf-map-overwritten")(
    lambda size: cut(("1000 100 f%d\n" % i for i in range(size)), size))
# Ever larger functions at one start.
form("perf-script --perf-map 7=IN one.perf", name="perf-map-sizes")(
    lambda size: cut(("1000 %x f\n" % i for i in range(size, 0, -1)), size))


def perf_map_of(piece):
    """A line of one character again and again."""
    return lambda size: b"1000 10 " + repeat(piece, size) + b"\n"


for piece in ("a", " ", "0", "\n", "0 0 \n"):
    form("perf-script --perf-map 7=IN one.perf", name="perf map of %r" % piece)(perf_map_of(piece))


# perf.data, as perf record -o - writes it (tools/perf/Documentation/perf.data-file-format.txt in the Linux source).

IP, TID, TIME, CPU, PERIOD, CALLCHAIN, RAW = 1, 2, 4, 128, 256, 32, 1024
COMM, EXIT, FORK, SAMPLE, MMAP2, ATTR, TRACING, ROUND = 3, 4, 7, 9, 10, 64, 66, 68


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def padded(text):
    return text.encode() + b"\0" * (8 - len(text.encode()) % 8)


def data_head(sample_type=IP | TID | TIME | CALLCHAIN, kind=1, config=0):
    attr = struct.pack("<IIQQQQQ", kind, 64, config, 1000, sample_type, 0, 1 << 18)
    return b"PERFILE2" + struct.pack("<Q", 16) + record(ATTR, 0, attr.ljust(64, b"\0") + struct.pack("<Q", 7))


def sample_id(pid, time):
    return struct.pack("<IIQ", pid, pid, time)


def data_comm(pid, name, time=1):
    return record(COMM, 0, struct.pack("<II", pid, pid) + padded(name) + sample_id(pid, time))


def data_mmap(pid, start, length, name, time=1):
    fields = struct.pack("<IIQQQIIQQII", pid, pid, start, length, 0, 0, 0, 0, 0, 5, 2)
    return record(MMAP2, 2, fields + padded(name) + sample_id(pid, time))


def data_sample(pid, addresses, time):
    fields = struct.pack("<QIIQQ", addresses[0], pid, pid, time, len(addresses))
    return record(SAMPLE, 2, fields + struct.pack("<%dQ" % len(addresses), *addresses))


def data(records, size):
    out, length = [data_head()], 0
    for one in records:
        out.append(one)
        length += len(one)
        if length >= size:
            break
    return b"".join(out)


DATA = ["perf-script IN", "perf-script --check IN"]


# A command name of its own for each of many processes.
form(*DATA, name="data-commands")(
    lambda size: data((part for i in range(size) for part in (data_comm(i + 1, "c%d" % i), data_sample(i + 1, [4096], i + 2))), size))
# One process that takes another name again and again.
form(*DATA, name="data-names-of-one")(
    lambda size: data((part for i in range(size) for part in (data_comm(7, "c%d" % i, i + 1), data_sample(7, [4096], i + 1))), size))
# One process with a mapping for each sample, of another file each.
form(*DATA, name="data-maps")(
    lambda size: data((part for i in range(size) for part in (data_mmap(7, i << 12, 4096, "/no/f%d" % i, i + 1),
                                                        data_sample(7, [i << 12], i + 1))), size))
# Mappings each of which covers all before it.
form(*DATA, name="data-maps-over-maps")(
    lambda size: data((part for i in range(1, size) for part in (data_mmap(7, 2 ** 40 - i * 4096, 2 * i * 4096, "//anon", i),
                                                           data_sample(7, [2 ** 40], i))), size))
# Mappings in the middle of one large one, so that each leaves more pieces.
form(*DATA, name="data-maps-split")(
    lambda size: data([data_mmap(7, 0, 2 ** 40, "/no/a")] + [part for i in range(1, size // 100) for part in (
        data_mmap(7, i * 8192, 4096, "/no/b", i), data_sample(7, [i * 8192 + 4096], i))], size))


@form(*DATA)
def data_forks(size):
    """Processes that fork from each other, with the maps of the first one."""
    maps = [data_mmap(7, i << 12, 4096, "/no/f%d" % i) for i in range(max(1, size // 400))]
    forks = [record(FORK, 0, struct.pack("<IIIIQ", i + 8, i + 7, i + 8, i + 7, i + 2) + sample_id(i + 7, i + 2)) + data_sample(
        i + 8, [4096], i + 3) for i in range(size // 400)]
    return data(maps + forks, size)


# Records each of which is earlier than the one before it, all in one round.
form(*DATA, name="data-backwards")(
    lambda size: data((data_sample(7, [4096], size - i) for i in range(size // 48)), size))
# Stacks of frames that all differ.
form(*DATA, name="data-frames")(
    lambda size: data((data_sample(7, list(range(i * 100, i * 100 + 100)), i) for i in range(size)), size))
# Records of the smallest size.
form(*DATA, name="data-empty-records", silent=True)(lambda size: data((record(77, 0, b"") for _ in range(size)), size))
# Ends of rounds between all records.
form(*DATA, name="data-rounds")(
    lambda size: data((part for i in range(size) for part in (data_sample(7, [4096], i), record(ROUND, 0, b""))), size))


def sized(text, size_format):
    return struct.pack(size_format, len(text)) + text


def tracepoint(fmt, raw, strings=b"", kallsyms=b"", count=1):
    """A recording of samples of one tracepoint, whose format is `fmt`."""
    text = b"name: x\nID: 77\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
        b"\tfield:int a;\toffset:4;\tsize:4;\tsigned:1;\n\n" + fmt + b"\n"
    trace = b"\x17\x08\x44tracing0.6\0\0\x08" + struct.pack("<I", 4096) + b"header_page\0" + sized(b"", "<Q")
    trace += b"header_event\0" + sized(b"", "<Q") + struct.pack("<I", 0) + struct.pack("<I", 1) + b"test\0" + struct.pack("<I", 1)
    trace += sized(text, "<Q") + sized(kallsyms, "<I") + sized(strings, "<I") + sized(b"", "<Q")
    trace += b"\0" * (-len(trace) % 8)
    one = struct.pack("<QIIQ", 4096, 7, 7, 5) + sized(raw, "<I")
    one += b"\0" * (-len(one) % 8)
    return data_head(IP | TID | TIME | RAW, 2, 77) + record(TRACING, 0, struct.pack("<II", len(trace), 0)) + trace + \
        record(SAMPLE, 2, one) * count


RAW_DATA = b"\x4d\0\0\0\7\0\0\0"
TRACE = ["perf-script IN"]
PRINTS = {"(": ")", "-": "", "!": "", "1+": "", "1?1:": "", "(1?": "", "1,": "", "REC->a+": "", "__print_symbolic(": "", "[": "", "\\\"": "",
          "{1,\"a\"},": ""}


def print_of(piece, close):
    def text(size):
        """A print fmt whose argument is one piece of an expression again and again."""
        n = size // len(piece + close)
        return tracepoint(b'print fmt: "%d", ' + (piece * n + "1" + close * n).encode(), RAW_DATA, count=100)
    return text


for piece, close in PRINTS.items():
    form(*TRACE, name="a tracepoint's expression of %r" % piece)(print_of(piece, close))


# A format of conversions alone, without arguments for them.
form(*TRACE, name="tracepoint-format")(lambda size: tracepoint(b'print fmt: "' + repeat("%d", size) + b'"', RAW_DATA))


@form(*TRACE)
def tracepoint_symbols(size):
    """A list of names for numbers, which each sample looks through."""
    names = b"".join(b', {%d, "n%d"}' % (i, i) for i in range(8, 8 + size // 30))
    return tracepoint(b'print fmt: "%s", __print_symbolic(REC->a' + names + b")", RAW_DATA, count=size // 2 // 48)


@form(*TRACE)
def tracepoint_fields(size):
    """A format of many fields."""
    fields = b"".join(b"\tfield:int f%d;\toffset:4;\tsize:4;\tsigned:1;\n" % i for i in range(size // 50))
    return tracepoint(fields + b'print fmt: "%d", REC->a', RAW_DATA, count=100)


@form(*TRACE)
def tracepoint_kallsyms(size):
    """The kernel's symbols, many at one address."""
    symbols = b"".join(b"ffff000000000000 t s%d\n" % i for i in range(size // 24))
    return tracepoint(b'print fmt: "%pS", REC->a', RAW_DATA, kallsyms=symbols, count=100)


# The kernel's symbols, many at one address.
form("perf-script --kallsyms IN kernel.data", name="kallsyms")(
    lambda size: cut(("ffffffff81000000 T %s\n" % ("s%d" % i if i else "_text") for i in range(size)), size))


FILES["kernel.data"] = data_head() + record(1, 1, struct.pack("<iIQQQ", -1, 0, 0xffffffff81000000, 2 ** 24, 0xffffffff81000000) + padded(
    "[kernel.kallsyms]_text") + sample_id(0, 1)) + record(SAMPLE, 1, struct.pack(
    "<QIIQQ", 0xffffffff81000010, 7, 7, 5, 2) + struct.pack("<2Q", 2 ** 64 - 128, 0xffffffff81000010))


def dump(records):
    """A jitdump (tools/perf/Documentation/jitdump-specification.txt in the Linux source)."""
    return struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1, 0) + b"".join(records)


def dump_load(time, start, length, name):
    body = struct.pack("<IIQQQQ", 7, 7, start, start, 0, time) + name.encode() + b"\0"
    return struct.pack("<IIQ", 0, 16 + len(body), time) + struct.pack("<IIQQQQ", 7, 7, start, start, length, time) + \
        name.encode() + b"\0" if length == 0 else struct.pack("<IIQ", 0, 16 + len(body) + length, time) + struct.pack(
            "<IIQQQQ", 7, 7, start, start, length, time) + name.encode() + b"\0" + b"\x90" * length


JIT = ["perf-script jit.data"]
FILES["jit.data"] = data_head() + data_mmap(7, 0x1000, 4096, "./jit-7.dump") + b"".join(
    data_sample(7, [0x2000 + i], 10 ** 9 + i) for i in range(100))


# Code loaded at one address again and again.
form("perf-script jit.data", name="jitdump, loads at one address")(
    lambda size: dump(dump_load(i, 0x2000, 16, "f%d" % i) for i in range(size // 80)))
# Code whose pieces overlap all before.
form("perf-script jit.data", name="jitdump, overlapping loads")(
    lambda size: dump(dump_load(i, 0x2000 + 8 * i, 16, "f") for i in range(size // 75)))
# Records of an unknown kind, of the smallest size.
form("perf-script jit.data", name="jitdump, small records")(
    lambda size: dump(struct.pack("<IIQ", 99, 16, i) for i in range(size // 16)))
