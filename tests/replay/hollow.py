#!/usr/bin/env python3
"""Cuts an ELF file down to what is needed of it to name and to unwind some addresses. It keeps its size: the rest
is a hole, which tar -S does not store.

usage: hollow.py [--code] ELF OUT [PROGRAM] < offsets in the file, hexadecimal, one a line

If ELF is a file of debug symbols, PROGRAM is the file that was recorded, whose offsets they are.

Kept are headers, the build-id, section names, the dynamic section, the PLT with its relocations; and for each offset
the symbols that cover it and those beside these; with --code also the code around it and its entry in .eh_frame, where
one CIE of DW_CFA_nop stands in place of the other entries.
"""
import bisect
import os
import struct
import sys

AROUND = 64  # bytes of code: calls before a return address are looked at
SMALL = 40000  # files up to this size are kept whole
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_EH = 1, 2, 3, 0x6474e550
SHT_SYMTAB, SHT_NOTE, SHT_NOBITS, SHT_DYNSYM = 2, 7, 8, 11
PLT = ('.plt', '.plt.sec', '.plt.got', '.rela.plt', '.rel.plt', '.got', '.got.plt')


class Elf:
    def __init__(self, data):
        self.data, self.wide = data, data[4] == 2
        shape = '<HHIQQQIHHHHHH' if self.wide else '<HHIIIIIHHHHHH'
        head = struct.unpack_from(shape, data, 16)
        self.phoff, self.shoff, self.phnum, self.shnum, names = head[4], head[5], head[9], head[11], head[12]
        self.phsize, self.shsize = head[8], head[10]
        self.segments = [self.segment(i) for i in range(self.phnum)]
        self.sections = [self.section(i) for i in range(self.shnum)]
        texts = self.sections[names]
        self.names = [self.text(texts[4] + s[0]) for s in self.sections]

    def segment(self, i):
        """type, offset, address, size in the file"""
        at = self.phoff + i * self.phsize
        if self.wide:
            kind, _, offset, address, _, size = struct.unpack_from('<IIQQQQ', self.data, at)
        else:
            kind, offset, address, _, size = struct.unpack_from('<IIIII', self.data, at)
        return kind, offset, address, size

    def section(self, i):
        """name, type, flags, address, offset, size, link, info, alignment, size of an entry"""
        return struct.unpack_from('<IIQQQQIIQQ' if self.wide else '<10I', self.data, self.shoff + i * self.shsize)

    def text(self, at):
        return bytes(self.data[at:self.data.index(b'\0', at)])

    def offset(self, address):
        for kind, offset, start, size in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                return address - start + offset
        return address

    def symbol(self, at):
        """name, value, size"""
        if self.wide:
            name, _, _, _, value, size = struct.unpack_from('<IBBHQQ', self.data, at)
        else:
            name, value, size = struct.unpack_from('<III', self.data, at)
        return name, value, size


class Hollow:
    def __init__(self, elf, program):
        self.elf, self.program, self.out = elf, program, bytearray(len(elf.data))

    def keep(self, at, size):
        at = max(at, 0)
        self.out[at:at + size] = self.elf.data[at:at + size]

    def keep_headers(self):
        e = self.elf
        self.keep(0, 64)
        self.keep(e.phoff, e.phnum * e.phsize)
        self.keep(e.shoff, e.shnum * e.shsize)
        for kind, offset, _, size in e.segments:
            if kind in (PT_DYNAMIC, PT_INTERP) and e is self.program:
                self.keep(offset, size)
            elif kind == PT_EH and e is self.program:
                self.keep(offset, 12)
        for name, s in zip(e.names, e.sections):
            if name == b'.shstrtab' or (s[1] == SHT_NOTE and s[5] < 256) or name.decode() in PLT and s[1] != SHT_NOBITS:
                self.keep(s[4], s[5])

    def keep_symbols(self, table, offsets):
        e, entry = self.elf, table[9]
        texts = e.sections[table[6]][4]
        rows = [(self.program.offset(e.symbol(at)[1]), at) for at in range(table[4], table[4] + table[5], entry)]
        starts = sorted({start for start, _ in rows if start})
        near = set()
        for o in offsets:
            i = bisect.bisect_right(starts, o)
            near.update(starts[max(i - 2, 0):i + 1])
        called = self.called() if table[1] == SHT_DYNSYM else set()
        for i, (start, at) in enumerate(rows):
            name, _, size = e.symbol(at)
            covers = bisect.bisect_left(offsets, start) < bisect.bisect_left(offsets, start + size)
            if i in called or start in near or (start and covers):
                self.keep(at, entry)
                self.keep(texts + name, len(e.text(texts + name)) + 1)

    def called(self):
        """The numbers of the dynamic symbols that entries of the PLT are for."""
        e = self.elf
        shape, shift = ('<QQq', 32) if e.wide else ('<II', 8)
        return {struct.unpack_from(shape, e.data, at)[1] >> shift
                for name, s in zip(e.names, e.sections) if name in (b'.rela.plt', b'.rel.plt')
                for at in range(s[4], s[4] + s[5], struct.calcsize(shape))}

    def keep_frames(self, table, offsets):
        e = self.elf
        at, end, entries = table[4], table[4] + table[5], []
        while at + 4 <= end:
            length, = struct.unpack_from('<I', e.data, at)
            if length == 0:
                break
            entries.append((at, length + 4))
            at += length + 4
        kept = set()
        for at, _ in entries:
            back, begin, size = struct.unpack_from('<IiI', e.data, at + 4)
            start = e.offset(table[3] + at + 8 - table[4] + begin)
            if back and bisect.bisect_left(offsets, start) < bisect.bisect_right(offsets, start + size):
                kept.update((at, at + 4 - back))
        hole = None
        for at, size in entries + [(end, 0)]:
            if at not in kept and size:
                hole = hole if hole is not None else at
                continue
            if hole is not None and at < end or hole is not None:
                length = (at if size else entries[-1][0] + entries[-1][1]) - hole
                self.out[hole:hole + 13] = struct.pack('<IIBBBBB', length - 4, 0, 1, 0, 1, 0x78, 16)
                hole = None
            self.keep(at, size)

    def cut(self, offsets, code):
        self.keep_headers()
        for o in offsets if code and self.elf is self.program else ():
            self.keep(o - AROUND, 2 * AROUND)
        for name, s in zip(self.elf.names, self.elf.sections):
            if s[1] in (SHT_SYMTAB, SHT_DYNSYM):
                self.keep_symbols(s, offsets)
            elif name == b'.eh_frame' and self.elf.wide and code and s[1] != SHT_NOBITS:
                self.keep_frames(s, offsets)


def write_sparse(path, data):
    with open(path, 'wb') as f:
        for at in range(0, len(data), 512):
            part = data[at:at + 512]
            if part.strip(b'\0'):
                f.seek(at)
                f.write(part)
        f.truncate(len(data))


def main():
    code = sys.argv[1] == '--code'
    elf_path, out, *program = sys.argv[1 + code:]
    data = open(elf_path, 'rb').read()
    offsets = sorted({int(line, 16) for line in sys.stdin})
    if len(data) > SMALL:
        elf = Elf(data)
        hollow = Hollow(elf, Elf(open(program[0], 'rb').read()) if program else elf)
        hollow.cut(offsets, code)
        data = hollow.out
    os.makedirs(os.path.dirname(out), exist_ok=True)
    write_sparse(out, data)


main()
