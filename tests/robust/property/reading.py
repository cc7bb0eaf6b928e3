"""A file, a pipe, and a pipe that gives one byte at a time are read alike; and other formats have the stacks that were
written in them."""
from decimal import Decimal
import fcntl
import json
import os
import tempfile
import threading

from generate import Unit, count, folded, samples, text_of
from harness import execute, must
from total import choose_filters


class Line(Unit):
    """A line of any text."""


def changed(text, rand):
    """The text with a few bytes changed, left out, or repeated."""
    text = bytearray(text)
    for _ in range(rand.choice((0, 0, 1, 3))):
        at = rand.randrange(len(text) + 1)
        end = at + rand.choice((0, 1, 1, 5, 40))
        text[at:end] = rand.choice((b"", b"\n", b"\0", b"\xff", b":", b";", b" 5", b"\r\n", b"#", b"\x1b", b"1.5: x:",
                                    bytes(text[at:end]) * 2))
    return bytes(text)


COMMANDS = (["perf-script"], ["perf-script", "--check"], ["perf-script", "--stats=json"], ["stackfilter"],
            ["stackcollapse"], ["stackcollapse", "--all", "--tid"], ["stackcollapse", "--srcline"], ["stackreport"],
            ["stackreport", "--format=json"], ["flamesvg"], ["flamesvg", "--html"], ["stackdiff", "-", "/dev/null"])


def generate_reading(rand):
    kind = rand.randrange(3)
    if kind == 2:
        text = rand.choice(WRITERS)[1](stacks(rand))
    else:
        text = text_of(samples(rand, most=6) if kind == 0 else folded(rand, most=8), rand)
    commands = COMMANDS[4:7] if kind == 2 else COMMANDS
    command = rand.choice(commands)
    if command == ["stackfilter"]:
        command = command + choose_filters(rand)
    units = [Line(line) for line in changed(text, rand).splitlines(keepends=True)]
    return units, {"command": command}


def by_bytes(command, text):
    """Runs a program with a pipe of which each read gives one byte: pipe(2), O_DIRECT."""
    read_end, write_end = os.pipe2(os.O_DIRECT | os.O_CLOEXEC)
    fcntl.fcntl(write_end, 1031, 1 << 20) # F_SETPIPE_SZ: a byte takes a page

    def write():
        try:
            for i in range(len(text)):
                os.write(write_end, text[i:i + 1])
        except BrokenPipeError:
            pass
        finally:
            os.close(write_end)
    thread = threading.Thread(target=write)
    thread.start()
    try:
        return execute(command, stdin=read_end)
    finally:
        os.close(read_end)
        thread.join()


def check_reading(units, options):
    text, command = text_of(units), options["command"]
    piped = execute(command, text)
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        operands = [file.name if part == "-" else part for part in command] if "-" in command else command + [file.name]
        named = execute(operands)
        named.out = named.out.replace(file.name.encode(), b"standard input")
        named.err = named.err.replace(file.name, "standard input")
    others = [("a file", named), ("single bytes", by_bytes(command, text))]
    for way, other in others:
        must((other.status, other.out, other.err) == (piped.status, piped.out, piped.err), way, "gives", other,
             "\nand a pipe", piped)


class Weighted(Unit):
    """A stack of plain names, root first, with its count; written into some other format."""

    def __init__(self, frames, number):
        self.frames, self.count = frames, number
        super().__init__(("%s %s\n" % (";".join(frames), number)).encode())

    def smaller(self):
        for i in range(len(self.frames) if len(self.frames) > 1 else 0):
            yield Weighted(self.frames[:i] + self.frames[i + 1:], self.count)
        if self.count > 1:
            yield Weighted(self.frames, Decimal(1))


def stacks(rand):
    names, stack, units = ["main", "run", "a::b", "f", "g", "h", "日本", "two words"], ["main"], []
    for _ in range(rand.randrange(1, 10)):
        stack = (stack[:rand.randrange(len(stack) + 1)] + [rand.choice(names) for _ in range(rand.randrange(4))]) or ["x"]
        units.append(Weighted(stack, Decimal(max(1, int(Decimal(count(rand).decode()))))))
    return units


def write_bpftrace(units):
    blocks = ["@[\n%s\n]: %s\n" % ("\n".join("    %s" % name for name in reversed(unit.frames)), unit.count)
              for unit in units]
    return ("Attaching 1 probe...\n" + "\n".join(blocks)).encode()


def write_dtrace(units):
    return "\n".join("%s\n%16s\n" % ("\n".join("              app`%s+0x1a" % name for name in reversed(unit.frames)),
                                     unit.count) for unit in units).encode()


def write_wcp(units):
    blocks = ["%.3f%% == (%s samples)\n%s" % (1, unit.count, "".join("%8d: %s\n" % (i + 1, name) for i, name in
                                                                    enumerate(reversed(unit.frames)))) for unit in units]
    return ("Full stacks with at least 0.100% of samples:\n\n" + "\n\n".join(blocks)).encode()


def write_speedscope(units):
    frames = sorted({name for unit in units for name in unit.frames})
    profile = {"type": "sampled", "name": "p", "unit": "none", "startValue": 0, "endValue": 1,
               "samples": [[frames.index(name) for name in unit.frames] for unit in units],
               "weights": [int(unit.count) for unit in units]}
    return json.dumps({"$schema": "https://www.speedscope.app/file-format-schema.json",
                       "shared": {"frames": [{"name": name} for name in frames]}, "profiles": [profile]}).encode()


def write_chrome(units):
    events, now = [], 0
    for unit in units:
        events += [{"ph": "X", "pid": 1, "tid": 1, "ts": now, "dur": int(unit.count), "name": name}
                   for name in unit.frames]
        now += int(unit.count)
    return json.dumps({"traceEvents": events}).encode()


WRITERS = (("bpftrace", write_bpftrace, "%s"), ("dtrace", write_dtrace, "app`%s"), ("wcp", write_wcp, "%s"),
           ("speedscope", write_speedscope, "%s"), ("chrome-tracing", write_chrome, "%s"))


def generate_format(rand):
    return stacks(rand), {"format": rand.randrange(len(WRITERS)), "guess": rand.random() < 0.5}


def check_format(units, options):
    """The stacks that were written in a format are those that stackcollapse finds."""
    name, write, form = WRITERS[options["format"]]
    result = execute(["stackcollapse"] + ([] if options["guess"] else ["--from=" + name]), write(units))
    sums = {}
    for unit in units:
        stack = ";".join(form % frame for frame in unit.frames)
        sums[stack] = sums.get(stack, 0) + unit.count
    wanted = sorted("%s %s" % item for item in sums.items())
    got = [line for line in result.out.decode("utf-8").splitlines() if not line.endswith(" 0")] # callers' own
    must(sorted(got) == wanted or not units, wanted, "is not what gives", result)


PROPERTIES = {
    "reading": (generate_reading, check_reading),
    "formats": (generate_format, check_format),
}
