#!/usr/bin/env python3
"""Cuts a program of Go (1.18 or 1.19, x86-64, linked by Go itself) down to what a recording needs of it.

usage: gocut.py PROGRAM RECORDING > SMALL

Kept are the functions that some number in the recording points into, in a table of the same format; between
them stands a function called "other" without depths. Of the code the bytes around these numbers are kept, at
their offsets in the file; the rest is 0, which gzip makes small.
"""
import struct
import sys

AROUND = 32  # bytes of code before and after an address


def sections(elf):
    start, = struct.unpack_from('<Q', elf, 40)
    size, count, names = struct.unpack_from('<HHH', elf, 58)
    headers = [struct.unpack_from('<IIQQQQIIQQ', elf, start + i * size) for i in range(count)]
    texts = headers[names][4]
    return {elf[texts + h[0]:elf.index(b'\0', texts + h[0])].decode(): h for h in headers}


def depths_end(table, at):
    """The end of a function's pairs, with the 0 after them."""
    first = True
    while table[at] != 0 or first:
        for _ in range(2):
            while table[at] & 0x80:
                at += 1
            at += 1
        first = False
    return at + 1


def wanted(recording, low, high):
    words = struct.unpack('<%dQ' % (len(recording) // 8), recording[:len(recording) // 8 * 8])
    return sorted({w for w in words if low <= w < high})


class Small:
    """A table under construction: names and depths by their texts, once each."""

    def __init__(self, name):
        self.bytes, self.at, self.name = bytearray(b'\0'), {}, name

    def add(self, text):
        if text not in self.at:
            self.at[text] = len(self.bytes)
            self.bytes += text
        return self.at[text]


def main():
    elf = open(sys.argv[1], 'rb').read()
    named = sections(elf)
    code, old = named['.text'], named['.gopclntab']
    table = elf[old[4]:old[4] + old[5]]
    magic, _, _, _, count, _, text, names_at, _, _, depths_at, functions_at = struct.unpack_from('<IHBB8Q', table)
    assert magic == 0xfffffff0 and text == code[3]
    addresses = wanted(open(sys.argv[2], 'rb').read(), text, text + code[5])

    rows = struct.unpack_from('<%dI' % (2 * count + 1), table, functions_at)
    starts, offsets = rows[0::2], rows[1::2]
    names, depths, kept = Small('names'), Small('depths'), []
    for i, offset in enumerate(offsets):
        if any(starts[i] <= a - text < starts[i + 1] or a - text == starts[i] + 1 for a in addresses):
            f = list(struct.unpack_from('<IiiIIIIIIBBBB', table, functions_at + offset))
            name = table[names_at + f[1]:table.index(b'\0', names_at + f[1]) + 1]
            pairs = table[depths_at + f[4]:depths_end(table, depths_at + f[4])] if f[4] else None
            kept.append([starts[i], names.add(name), depths.add(pairs) if pairs else 0, f[9], f[10]])
        elif not kept or kept[-1][1] != names.add(b'other\0'):
            kept.append([starts[i], names.add(b'other\0'), 0, 0, 0])

    header = 72
    first = (header + len(names.bytes) + len(depths.bytes) + 7) // 8 * 8
    small = bytearray(struct.pack('<IHBB8Q', magic, 0, 1, 8, len(kept), 0, text, header, 0, 0,
                                  header + len(names.bytes), first))
    small += names.bytes + depths.bytes
    small += bytes(first - len(small))
    at = 8 * len(kept) + 4
    for i, f in enumerate(kept):
        small += struct.pack('<II', f[0], at + 40 * i)
    small += struct.pack('<I', starts[count])
    for start, name, pairs, number, flag in kept:
        small += struct.pack('<IiiIIIIIIBBBB', start, name, 0, 0, pairs, 0, 0, 0, 0, number, flag, 0, 0)

    image = bytearray(code[4] + code[5])
    for a in addresses:
        at = a - text + code[4]
        image[max(at - AROUND, code[4]):at + AROUND] = elf[max(at - AROUND, code[4]):at + AROUND]
    del image[code[4] + code[5]:]
    texts = b'\0.text\0.gopclntab\0.shstrtab\0'
    image += bytes(-len(image) % 8)
    table_at = len(image)
    image += small
    texts_at = len(image)
    image += texts + bytes(-(len(image) + len(texts)) % 8)
    headers_at = len(image)
    for s in [(0,) * 10, (1, 1, 6, text, code[4], code[5], 0, 0, 16, 0),
              (7, 1, 2, old[3], table_at, len(small), 0, 0, 8, 0), (18, 3, 0, 0, texts_at, len(texts), 0, 0, 1, 0)]:
        image += struct.pack('<IIQQQQIIQQ', *s)
    image[:64] = elf[:40] + struct.pack('<QIHHHHHH', headers_at, 0, 64, 56, 1, 64, 4, 3)
    image[32:40] = struct.pack('<Q', 64)
    image[64:120] = struct.pack('<IIQQQQQQ', 1, 5, code[4], text, text, code[5], code[5], 4096)
    sys.stdout.buffer.write(image)


main()
