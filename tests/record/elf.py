"""Writes an ELF file that costs its readers as much as it can: python3 elf.py KIND BYTES

overlap   functions whose names are parts of one text that does not end
twins     functions that all have the name "twin"
start     functions that all start at one address, with names that differ
nested    functions that lie inside each other
segments  functions, each in another of as many segments as Linux allows
labels    labels, each with the name of its section to look at
plt       entries of the PLT that all have one long name
ifuncs    entries of the PLT for functions that are chosen when a program starts
mangled   functions whose short names are long when they are demangled

Function number i is at the offset 16 * i of the file; the file is of BYTES bytes or a little more.
"""

import struct
import sys

FUNC, NOTYPE, GLOBAL = 2, 0, 0x10
PROGBITS, SYMTAB, STRTAB, RELA, DYNSYM = 1, 2, 3, 4, 11
JUMP_SLOT, IRELATIVE = 7, 37
STEP, SYMBOL, RELOCATION, ENTRY, GOT = 16, 24, 24, 16, 1 << 40


def symbol(name, i, size=STEP, kind=FUNC, section=1, start=None):
    value = STEP * i if start is None else start
    return struct.pack("<IBBHQQ", name, GLOBAL | kind, 0, section, value, size)


def elf(sections, segments=((0, 0, 1 << 40),)):
    """sections: (name, type, address, link, entry size, bytes); the first one is of code."""
    sections = list(sections) + [(b".shstrtab", STRTAB, 0, 0, 0, None)]
    names = b"\0" + b"".join(s[0] + b"\0" for s in sections)
    body, headers = b"", b"\0" * 64
    first = 64 + 56 * len(segments)
    for name, kind, address, link, entry, data in sections:
        data = names if data is None else data
        flags = 4 if kind == PROGBITS else 0
        headers += struct.pack("<IIQQQQIIQQ", names.index(b"\0" + name + b"\0") + 1, kind, flags, address,
                               first + len(body), len(data), link, 0, 16, entry)
        body += data + b"\0" * (-len(data) % 8)
    loads = b"".join(struct.pack("<IIQQQQQQ", 1, 5, offset, address, 0, size, size, 1)
                     for offset, address, size in segments)
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, first + len(body), 0, 64, 56, len(segments), 64, len(sections) + 1,
        len(sections))
    return head + loads + body + headers


def program(symbols, names, **more):
    return elf([(b".text", PROGBITS, 0, 0, 0, b"code"), (b".symtab", SYMTAB, 0, 3, SYMBOL, symbols),
                (b".strtab", STRTAB, 0, 0, 0, names)], **more)


def overlap(size):
    n = size // (SYMBOL + 1)
    text = bytes(ord("a") + i * 7 % 26 for i in range(n + 4096))
    return program(b"".join(symbol(i + 1, i) for i in range(n)), b"\0" + text)


def twins(size):
    n = size // SYMBOL
    return program(b"".join(symbol(1, i) for i in range(n)), b"\0twin\0")


def start(size):
    n = size // (SYMBOL + 8)
    names = b"\0" + b"".join(b"%07d\0" % i for i in range(n))
    return program(b"".join(symbol(1 + 8 * i, i, size=1 << 30, start=0) for i in range(n)), names)


def nested(size):
    n = size // (SYMBOL + 8)
    names = b"\0" + b"".join(b"%07d\0" % i for i in range(n))
    return program(b"".join(symbol(1 + 8 * i, i, size=2 * STEP * (n - i)) for i in range(n)), names)


def segments(size):
    count = 1170
    n = (size - 56 * count) // (SYMBOL + 8)
    names = b"\0" + b"".join(b"%07d\0" % i for i in range(n))
    each = n * STEP // count // STEP * STEP + STEP
    order = [i * 7 % count for i in range(count)]
    return program(b"".join(symbol(1 + 8 * (i * 1009 % n), i * 1009 % n) for i in range(n)), names,
                   segments=[(i * each, i * each, each) for i in order])


def labels(size):
    n = size // SYMBOL
    long = b"." + b"x" * 250
    return elf([(long, PROGBITS, 0, 0, 0, b"code"), (b".symtab", SYMTAB, 0, 3, SYMBOL,
               b"".join(symbol(1, i, kind=NOTYPE) for i in range(n))), (b".strtab", STRTAB, 0, 0, 0, b"\0label\0")])


def with_plt(n, relocations, symbols, names):
    code = b"".join(b"\xff\x25" + struct.pack("<i", 8 * i - ENTRY * i - 6) + b"\x90" * 10 for i in range(n))
    return elf([(b".text", PROGBITS, 0, 0, 0, b"code"), (b".dynsym", DYNSYM, 0, 3, SYMBOL, symbols),
                (b".dynstr", STRTAB, 0, 0, 0, names), (b".rela.plt", RELA, 0, 2, RELOCATION, relocations),
                (b".plt", PROGBITS, 0, 0, ENTRY, code)])


def plt(size):
    n = size // (RELOCATION + ENTRY)
    relocations = b"".join(struct.pack("<QQq", 8 * i, 1 << 32 | JUMP_SLOT, 0) for i in range(n))
    return with_plt(n, relocations, symbol(0, 0) + symbol(1, 0), b"\0" + b"x" * 5000)


def ifuncs(size):
    n = size // (RELOCATION + ENTRY + SYMBOL + 1)
    relocations = b"".join(struct.pack("<QQq", 8 * i, IRELATIVE, STEP * i) for i in range(n))
    symbols = b"".join(symbol(i + 1, i) for i in range(n))
    return with_plt(n, relocations, symbols, b"\0" + b"x" * (n + 5000))


def mangled(size):
    """f<A<A<...>, A<...>>>(): each S_ stands for a type seen before, so that each level doubles the text."""
    digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    levels = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    types = b"I1AIiiE" + b"".join(b"S0_IS%c_S%c_E" % (digits[i + 1], digits[i + 1]) for i in range(levels)) + b"Evv"
    step = len(types) + len(b"_Z8f0000000") + 1
    n = size // (SYMBOL + step)
    names = b"\0" + b"".join(b"_Z8f%07d%s\0" % (i, types) for i in range(n))
    return program(b"".join(symbol(1 + step * i, i) for i in range(n)), names)


kinds = {f.__name__: f for f in (overlap, twins, start, nested, segments, labels, plt, ifuncs, mangled)}
if __name__ == "__main__":
    sys.stdout.buffer.write(kinds[sys.argv[1]](int(sys.argv[2])))
