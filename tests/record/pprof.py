#!/usr/bin/env python3
"""Writes profiles of pprof (https://github.com/google/pprof/blob/main/proto/profile.proto) for tests.

usage: pprof.py NAME [ARGUMENT ...]
                         prints the profile that a function below describes
       pprof.py fold     folds what "go tool pprof -raw" prints, by its default value, in microseconds if that is a time
"""
import re
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def packed(field, values):
    return message(field, b"".join(map(varint, values)))


class Profile:
    """The fields of a profile in the order in which they are added; the strings come last."""

    def __init__(self, *types):
        self.strings, self.out = [""], bytearray()
        for name, unit in types:
            self.out += message(1, number(1, self.string(name)) + number(2, self.string(unit)))

    def string(self, text):
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def sample(self, ids, values, rest=b""):
        self.out += message(2, packed(1, ids) + packed(2, values) + rest)

    def mapping(self, id, path):
        self.out += message(3, number(1, id) + number(2, 0x400000) + number(3, 0x500000) + number(5, self.string(path)))

    def location(self, id, mapping, *functions):
        lines = b"".join(message(4, number(1, f) + number(2, 10 + f)) for f in functions)
        self.out += message(4, number(1, id) + number(2, mapping) + number(3, 0x400000 + id % 0x1000) + lines)

    def function(self, id, name, system_name=""):
        self.out += message(5, number(1, id) + number(2, self.string(name)) + number(3, self.string(system_name)))

    def end(self):
        return bytes(self.out) + b"".join(message(6, s) for s in self.strings)


def documented():
    """What the definition of the format allows and Go does not write."""
    p = Profile(("samples", "count"), ("wall", "milliseconds"), ("bytes", "bytes"))
    p.out += number(14, p.string("wall"))  # the default
    p.out += number(9, 1700000000000000000) + packed(13, [p.string("a comment")])
    label = message(3, number(1, p.string("thread")) + number(2, p.string("worker")))
    p.sample([1, 2, 3], [2, 20, 64])
    p.sample([1, 2, 3], [1, 5, 0], label)  # the same stack under a label
    p.sample([(1 << 64) - 1, 3], [1, 10, 8])
    p.out += message(2, number(1, 4) + number(1, 3) + number(2, 1) + number(2, 1) + number(2, 1))  # not packed
    p.sample([5, 6, 3], [1, 7, 8])
    p.sample([7, 3], [1, 0, 8])  # takes no time
    p.mapping(9, "/usr/lib/libc.so.6")
    p.mapping(1, "[vdso]")
    p.location(1, 9, 1, 2)  # function 1 was inlined into function 2
    p.location(2, 9)
    p.location(3, 9, 3)
    p.location(4, 1)
    p.location(5, 0)
    p.location(6, 9, 5)
    p.location(7, 9, 3)
    p.location((1 << 64) - 1, 9, 4)
    p.function(2, "operator;()")
    p.function(1, "int std::max<int>(int, int)")
    p.function(3, "main")
    p.function(4, "[T]::sum::{{closure}}")
    p.function(5, "", "_ZN3srv4loopEv")  # only the name that is in the binary
    return p.end()


def fields(profile):
    """The fields of a message, whose numbers of fields are below 16, as bytes."""
    at, out = 0, []
    while at < len(profile):
        start = at
        at += 1
        size = shift = 0
        while True:
            size |= (profile[at] & 127) << shift
            shift += 7
            at += 1
            if profile[at - 1] < 128:
                break
        at += size if profile[start] & 7 == 2 else 0
        out.append(profile[start:at])
    return out


def reordered():
    """The same with its fields the other way round: the strings before what uses them."""
    return b"".join(sorted(fields(documented()), key=lambda field: -(field[0] >> 3)))


def zeros():
    """The default value is 0 in all samples."""
    p = Profile(("alloc_space", "bytes"), ("inuse_space", "bytes"))
    p.sample([1], [4096, 0])
    p.location(1, 0, 1)
    p.function(1, "main.keep")
    return p.end()


def unfilled():
    """Two types that no sample fills, the last among them, as converters of .NET's traces write them."""
    p = Profile(("samples", "count"), ("cpu", "milliseconds"), ("exceptions", "count"), ("locks", "count"))
    p.sample([1, 2], [3, 30, 0, 0])
    p.sample([2], [1, 10, 0, 0])
    p.location(1, 0, 1)
    p.location(2, 0, 2)
    p.function(1, "App.Work")
    p.function(2, "App.Main")
    return p.end()


def default_zero():
    """The default that the profile names is 0 in all samples."""
    p = Profile(("alloc_space", "bytes"), ("inuse_space", "bytes"))
    p.out += number(14, p.string("inuse_space"))
    p.sample([1], [4096, 0])
    p.location(1, 0, 1)
    p.function(1, "main.keep")
    return p.end()


def difference():
    """What "pprof -proto -base" and Go's /debug/pprof/heap?seconds=5 write: values below 0."""
    p = Profile(("objects", "count"), ("space", "bytes"))
    base = message(3, number(1, p.string("pprof::base")) + number(2, p.string("true")))
    p.sample([1, 3], [1, 500])
    p.sample([2, 3], [-2, -70])
    p.sample([1, 2, 3], [-4, -30], base)  # pprof -diff_base keeps the samples of both
    p.sample([1, 2, 3], [5, 40])
    p.sample([2, 1, 3], [0, 0])
    for i, name in enumerate(("main.grow", "main.shrink", "main.main"), 1):
        p.location(i, 0, i)
        p.function(i, name)
    return p.end()


def dropped(drop="malloc|operator new(\\[\\])?|tc_.*|(?:base::)?Arena::Alloc\\w*", keep="tc_kept"):
    """drop_frames and keep_frames."""
    names = ("main", "work(int)", "malloc", "tc_new", "tc_kept", "operator new[]", ".base::Arena::Alloc2",
             "xmalloc", "(anonymous namespace)::run(int)", "mallocator")
    p = Profile(("space", "bytes"))
    main, work, malloc, tc, kept, new, arena, xmalloc, run, mallocator = range(1, 11)
    p.sample([tc, malloc, work, main], [1])  # from the root: malloc and what it calls
    p.sample([kept, work, main], [2])
    p.sample([main, malloc], [4])  # nothing calls malloc
    p.sample([tc, main, malloc], [8])
    p.sample([new, xmalloc, main], [16])
    p.sample([arena, run, main], [32])
    p.sample([11, main], [64])  # tc_new is inlined into work
    p.sample([12, main], [128])  # work is inlined into malloc
    p.sample([mallocator, 11], [256])
    p.sample([malloc], [512])
    for i, name in enumerate(names, 1):
        p.location(i, 0, i)
        p.function(i, name)
    p.location(11, 0, xmalloc, tc, kept, work)
    p.location(12, 0, work, malloc)
    p.out += number(7, p.string(drop)) + number(8, p.string(keep))
    return p.end()


def matching(drop, *names):
    """Functions that main calls, one sample each, and drop_frames."""
    p = Profile(("samples", "count"))
    for i, name in enumerate(("main",) + names, 1):
        p.sample([i, 1], [1])
        p.location(i, 0, i)
        p.function(i, name)
    p.out += number(7, p.string(drop))
    return p.end()


def wide():
    """100,000 stacks of 20 frames, 5 of them inlined."""
    p = Profile(("cpu", "nanoseconds"))
    for i in range(100000):
        p.sample([1 + i * 7919 * (depth + 1) % 20000 for depth in range(15)], [1000])
    for i in range(20000):
        p.location(i + 1, 0, *range(i % 5000 + 1, i % 5000 + 2 + i % 2 * (i % 3 == 0)))
    for i in range(5002):
        p.out += message(5, number(1, i + 1) + number(2, len(p.strings)))
        p.strings.append("main.function%d" % i)
    return p.end()


def hostile():
    """Sound fields, with ids, names and values that cannot be; the last sample is sound."""
    big = (1 << 64) - 1
    p = Profile(("cpu", "nanoseconds"))
    p.sample([77], [1000])
    p.sample([1], [])
    p.out += message(2, b"\x0a\x05\x01")  # five bytes of numbers, of which one is there
    p.out += message(2, packed(1, [1]) + b"\x12\x0b" + b"\xff" * 11)  # a number of more than 64 bits
    p.sample([], [2000])
    p.sample([1, 2, 3, big], [3000])
    p.location(1, 5, 1)
    p.location(2, 0, 88)
    p.out += message(4, number(1, 3) + message(4, b"\x08"))
    p.location(big, 0, 2)
    p.out += message(5, number(1, 1) + number(2, big))
    p.function(2, "ma\nin")
    return p.end()


def inlined():
    """A stack of one location 5,000 times, at which 5,000 calls are inlined."""
    p = Profile(("samples", "count"))
    p.sample([1] * 5000, [1])
    p.location(1, 0, *([2] + [1] * 4999))
    p.function(1, "f")
    p.function(2, "leaf")
    return p.end()


def crossed():
    """Stacks of two of 100 locations, each of 200 inlined calls; some stacks are equal."""
    p = Profile(("samples", "count"))
    for i in range(100):
        p.location(i + 1, 0, *([1 + i % 2] * 200))
        for j in range(100):
            p.sample([i + 1, j + 1], [1])
    p.function(1, "f")
    p.function(2, "g")
    return p.end()


def fold(raw):
    locations, mappings, samples, part, types, default = {}, {}, [], "", [], 0
    for line in raw:
        words = line.split()
        if re.match(r"[A-Z]\w+:?$|Samples:|Locations|Mappings", line):
            part = line.split(":")[0].strip()
        elif part == "Samples" and not types:
            types = [word.split("[")[0].split("/")[1] for word in words]
            default = [i for i, word in enumerate(words) if "[dflt]" in word or i == len(words) - 1][0]
        elif part == "Samples" and re.match(r" *-?\d[-\d ]*: ", line):
            values, ids = line.split(":", 1)
            samples.append((int(values.split()[default]), ids.split()))
        elif part == "Locations":
            start = re.match(r" *(\d+): 0x\w+ ?(M=\d+)?", line)
            if start:
                current = locations[start[1]] = [start[2], []]
            name = re.match(r"\s*(.*) \S*:\d+(:\d+)? s=\d+(?:\((.*)\))?$", line[start.end() if start else 0:])
            if name:
                current[1].append(name[1].strip() or name[3])
        elif part == "Mappings":
            mappings["M=" + words[0][:-1]] = words[2]
    counts = {}
    for value, ids in samples:
        stack = []
        for mapping, names in (locations[i] for i in ids):
            module = mappings.get(mapping, "unknown").split("/")[-1]
            stack += names or ["[%s]" % module.strip("[]")]
        stack = ";".join(n.replace(";", ":") for n in reversed(stack))
        counts[stack] = counts.get(stack, 0) + value
    scale = {"nanoseconds": 0.001, "milliseconds": 1000}.get(types[default], 1)
    for stack in sorted(counts, key=lambda s: s.split(";")):
        if counts[stack]:
            print(stack, "%d" % (counts[stack] * scale))


if __name__ == "__main__":
    if sys.argv[1] == "fold":
        fold(sys.stdin)
    else:
        sys.stdout.buffer.write(globals()[sys.argv[1]](*sys.argv[2:]))
