"""Generated inputs. An input is a list of units: each can be left out, so that a failing input can be shrunk, and says
what it adds to the sums."""
from decimal import Decimal, getcontext
import re

getcontext().prec = 60 # of sums: more than the programs have

COMMS = ["node", "a b", "java", "Web Content", "kworker/0:1", "[x]", "x]", "sh (deleted)", "ünï", ":-)", "1234", "0x1f",
         "C2 CompilerThre", "(sd-pam)", ":4242", "a;b", "a,b", "-", "main", "swapper", "x\x1b[1m", "y\x01", "#", "# x",
         "a 12", "b 1.5:", "c cycles:", "d 3/4", "e [001]"]
SYMBOLS = ["main", "f", "f(int)", "g<int, char>", "[unknown]", "JS:*parse /p/x.js:1:2", "JS:~parse /p/x.js:1:2",
           "LazyCompile:~b node:fs:3:4", "Builtin:X", "Interpreter:a /p/x.js:1:2", "std::vector<a, b>::x(c) const", "a;b",
           "operator()", "two words", "日本", "Ljava/io/X;::print", "Lx;->y", "read", "__libc_start_main", "x.part.0",
           "(anonymous namespace)::f", "call_0x1f", "wasm-function[1]", "", "v8::internal::X::Y", "_start", "a_[k]",
           "f 5", "f 5 6", "(f)", "()", "x(y", "x)y", "x\x1b[1m", "x\x7f", "[cut]", "a\tb", "b+0x1", "~", "#x", "-"]
DSOS = ["/bin/app", "[kernel.kallsyms]", "/tmp/perf-7.map", "inlined", "[unknown]", "/lib/libc.so.6", "/lib/a b.so",
        "[vdso]", "/x/a (deleted)", "[guest.kernel.kallsyms]", "//anon", "/memfd:x (deleted)", "nf.ko", "[x]"]
EVENTS = ["cycles", "cycles:u", "cpu-clock", "page-faults", "sched:sched_switch", "off-cpu", "cpu/event=0x3c/"]
PATTERNS = [".", "^main$", "f", "JS:", "unknown", "x|y", "^$", "std", "no such name", "[k]", "日"]
KINDS = ["app", "dep", "core", "regexp", "wasm", "builtin", "v8", "cpp", "native", "kernel"]


class Unit:
    """Some lines of an input. `smaller` gives units that could stand in its place in a shrunk input."""

    def __init__(self, text):
        self.text = text

    def smaller(self):
        return []


class Junk(Unit):
    """Lines between samples, of which so many cannot be used."""

    def __init__(self, text, skipped):
        super().__init__(text)
        self.skipped = skipped


class Sample(Unit):
    """A sample as perf script prints it."""

    def __init__(self, comm, pid, tid, cpu, ns, period, event, frames, blank):
        self.comm, self.pid, self.tid, self.cpu, self.ns = comm, pid, tid, cpu, ns
        self.period, self.event, self.frames, self.blank = period, event, frames, blank
        number = "" if period is None else "%d " % period
        head = "%s %d/%d [%03d] %d.%09d: %s%s: " % (comm, pid, tid, cpu, ns // 10**9, ns % 10**9, number, event)
        lines = [head.encode()] + [line.encode() for line in frames] + [b""] * blank
        super().__init__(b"".join(line + b"\n" for line in lines))

    def but(self, **changes):
        fields = dict(comm=self.comm, pid=self.pid, tid=self.tid, cpu=self.cpu, ns=self.ns, period=self.period,
                      event=self.event, frames=self.frames, blank=self.blank)
        fields.update(changes)
        return Sample(**fields)

    def smaller(self):
        for i in range(len(self.frames)):
            yield self.but(frames=self.frames[:i] + self.frames[i + 1:])
        if not self.blank:
            yield self.but(blank=True)
        if self.comm != "c":
            yield self.but(comm="c")

    def weight(self, by):
        measured = by == "period" or (by is None and self.event == "off-cpu")
        return self.period or 1 if measured else 1


class Stack(Unit):
    """A folded line. What it counts depends on the other lines of its file: see columns()."""

    def __init__(self, text):
        super().__init__(text + b"\n")
        self.line = text

    def smaller(self):
        stack, _, count = self.line.rpartition(b" ")
        frames = stack.split(b";")
        for i in range(len(frames) if stack else 0):
            yield Stack(b";".join(frames[:i] + frames[i + 1:]) + b" " + count)


def frame_line(rand):
    symbol, dso = rand.choice(SYMBOLS), rand.choice(DSOS)
    address = rand.choice((0x1000, 0x7f0000001000, 0xffffffff81000000)) + rand.randrange(4)
    offset = "+0x%x" % rand.randrange(64) if symbol and rand.random() < 0.7 else ""
    return "\t%16x %s%s (%s)" % (address, symbol, offset, dso)


def samples(rand, most=12, tame=False):
    """Perf script text: samples of some events, commands and stacks that begin alike, with junk between them."""
    events = rand.sample(EVENTS, rand.choice((1, 1, 2, 3)))
    comms = rand.sample(COMMS[:2] if tame else COMMS, 2)
    stack, units, now = [], [], rand.randrange(10**12) * 1000
    for _ in range(rand.randrange(most + 1)):
        stack = stack[rand.randrange(len(stack) + 1):]
        stack = [frame_line(rand) for _ in range(rand.choice((0, 0, 1, 2, 5)))] + stack
        now += rand.randrange(1, 10**6) * 1000
        pid = rand.randrange(1, 4)
        units.append(Sample(rand.choice(comms), pid, pid + rand.randrange(2), rand.randrange(2), now,
                            rand.choice((None, 0, 1, 7, 250000, 2**40)), rand.choice(events), stack[:20],
                            tame or rand.random() < 0.9))
        if not tame and rand.random() < 0.1:
            units.append(rand.choice((Junk(b"\n\n", 0), Junk(b"\n# a comment\n", 0), Junk(b"\njunk of some kind\n", 1),
                                      Junk(b"\njunk\xff\x00\n", 1), Junk(b"\n\tjunk\n\t 1f2e stray (/x)\n", 2))))
    return units


def count(rand):
    return rand.choice((b"1", b"2", b"3", b"10", b"0", b"0.5", b"0.1", b"12.25", b"007", b"1000000007", b"00.5",
                        b"0.000000000000000001", b"4294967296"))


def name(rand):
    return rand.choice(SYMBOLS + [comm.replace(" ", "_") for comm in COMMS]).replace(";", ":").encode()


def folded(rand, most=16, junk=True, two=None):
    """Folded text: one or two counts, stacks that begin alike and come again, lines that are none."""
    two = rand.random() < 0.3 if two is None else two
    stack, units = [], []
    for _ in range(rand.randrange(most + 1)):
        stack = stack[:rand.randrange(len(stack) + 1)] + [name(rand) for _ in range(rand.choice((0, 1, 2, 3)))]
        counts = b" ".join([count(rand), count(rand)][:1 + two])
        units.append(Stack(b";".join(stack) + b" " + counts))
        if junk and rand.random() < 0.1:
            units.append(Junk(*rand.choice(((b"\n", 0), (b"# a comment\n", 0), (b"junk\n", 1), (b"main;junk 5x\n", 1),
                                            (b"junk;\xff .5\n", 1)))))
    return units


def text_of(units, rand=None):
    """The input's bytes: with some seeds its lines end in CR LF, and with some the last line has no newline."""
    text = b"".join(unit.text for unit in units)
    if rand is not None and rand.random() < 0.2:
        text = text.replace(b"\n", b"\r\n")
    if rand is not None and rand.random() < 0.2:
        text = text.rstrip(b"\r\n")
    return text


LAST = re.compile(rb"^(.*)[ \t\r\f\v]([0-9]+(?:\.[0-9]+)?)$", re.DOTALL)
TWO = re.compile(rb"^(.*)[ \t\r\f\v]([0-9]+(?:\.[0-9]+)?)[ \t\r\f\v]([0-9]+(?:\.[0-9]+)?)$", re.DOTALL)


def columns(lines):
    """How many counts the lines of a folded file have, by folded(5)."""
    stacks = [line for line in lines if LAST.match(line)]
    return 2 if stacks and all(TWO.match(line) for line in stacks) else 1


def parse_folded(text, counts=None):
    """The stacks of folded text: [(stack, [count, ...]), ...]. How many counts there are can be given: a frame may end
    in a number too."""
    lines = [line[:-1] if line.endswith(b"\r") else line for line in text.split(b"\n")]
    expression = TWO if (counts or columns(lines)) == 2 else LAST
    parsed = [expression.match(line) for line in lines]
    return [(m.group(1), [Decimal(n.decode()) for n in m.groups()[1:]]) for m in parsed if m]


def totals(text, counts=None):
    """The sum of each column of folded text."""
    stacks = parse_folded(text, counts)
    return [sum(column) for column in zip(*(counts for _, counts in stacks))]
