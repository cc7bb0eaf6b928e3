#!/usr/bin/env python3
"""Cuts a file of perf record down to what a test needs of it, and takes the machine's names out of it.

usage: cut.py [--root PID] [--most N] [--only TEXT] [--drop TEXT]... [--memory] [--ends A,B] [--vdso] [--plain] IN OUT
       cut.py --dump NEEDS IN OUT: cuts a jitdump down to the code that a sample is in
       cut.py --needs IN: prints "OFFSET NAME" of each address in a file that a sample may be about

--root     keeps the records of this process, of its descendants and of idle CPUs (all processes are recorded by -a)
--most     keeps at most N samples, spread evenly
--only     keeps the samples with an address in a file whose name has this text
--drop     drops the records that have this text
--memory   makes a recording with -d -W one of perf mem: an event by the processor's number, with other data
           addresses, weights and data sources in its samples
--ends     puts the last two samples two bytes behind these addresses, of a program and of the kernel
--vdso     keeps the samples that are in the vdso, which is of the machine's kernel
--plain    keeps all records as they are: of a pipe, or compressed

The release of the kernel, the processor and its vendor are replaced, in the same number of bytes. Of the features
that follow the records those are kept that perf script needs: tracing data, build-ids, the kernel's release,
the events and their names.
"""
import argparse
import os
import random
import re
import struct
import subprocess

MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2, KSYMBOL, BPF = 1, 2, 3, 4, 7, 9, 10, 17, 18
COMPRESSED = 81
FIRST_OF_PERF = 64  # records of perf record itself
IDENTIFIER, IP, TID = 1 << 16, 1, 2
TRAILER = (TID, 4, 64, 512, 128, IDENTIFIER)  # the fields of sample_id
HEADER = 104
TRACING_DATA, BUILD_ID, RELEASE, EVENT_DESC = 1, 2, 4, 12
EVERYONE = 0xffffffff


def records(data, at, end):
    while at < end:
        kind, misc, size = struct.unpack_from('<IHH', data, at)
        if size < 8:
            raise SystemExit('cut.py: no record at %d' % at)
        whole = size + (struct.unpack_from('<I', data, at + 8)[0] + 7 & ~7 if kind == 66 else 0)
        yield kind, misc, data[at:at + whole]
        at += whole


class Layout:
    """Where records have the number of their process."""

    def __init__(self, sample_type):
        self.in_sample = 8 + 8 * bool(sample_type & IDENTIFIER) + 8 * bool(sample_type & IP)
        self.from_end = 8 * sum(bool(sample_type & bit) for bit in TRAILER)

    def pid(self, kind, record):
        if kind == SAMPLE:
            return struct.unpack_from('<I', record, self.in_sample)[0]
        if kind in (MMAP, MMAP2, COMM, EXIT, FORK):
            return struct.unpack_from('<I', record, 8)[0]
        return struct.unpack_from('<I', record, len(record) - self.from_end)[0]


def family(parts, root):
    """The process `root`, its descendants, idle CPUs and the kernel's maps."""
    kept = {root, 0, EVERYONE}
    for kind, _, record in parts:
        if kind == FORK:
            pid, parent = struct.unpack_from('<II', record, 8)
            if parent in kept - {0, EVERYONE}:
                kept.add(pid)
    return kept


def comms(parts, layout, pids, inside):
    return {re.split(b'\0', record[16:32])[0] for kind, _, record in parts
            if kind == COMM and (layout.pid(kind, record) in pids) == inside}


def keep_family(parts, layout, root):
    pids = family(parts, root)
    own = comms(parts, layout, pids, True)
    strange = [c for c in comms(parts, layout, pids, False) - own if len(c) > 1]
    kept = []
    for kind, misc, record in parts:
        if kind < FIRST_OF_PERF and kind != LOST and layout.pid(kind, record) not in pids:
            continue
        if kind in (KSYMBOL, BPF) or (kind == SAMPLE and any(c + b'\0' in record for c in strange)):
            continue
        kept.append((kind, misc, record))
    return kept


def maps(parts):
    """(start, end, offset in the file, name) of each map, of whatever process."""
    found = set()
    for kind, _, record in parts:
        if kind == MMAP2:
            start, size, offset = struct.unpack_from('<QQQ', record, 16)
            found.add((start, start + size, offset, bytes(record[72:]).split(b'\0')[0].decode()))
    return sorted(found)


def words(record):
    return set(struct.unpack_from('<%dQ' % (len(record) // 8 - 1), record, 8))


def within(parts, wanted):
    """The samples with an address in a file whose name has the text, and all other records."""
    files = [(start, end) for start, end, _, name in maps(parts) if wanted in name]
    return [p for p in parts if p[0] != SAMPLE or any(a < w < b for w in words(p[2]) for a, b in files)]


def out_of_vdso(parts):
    images = [(start, end) for start, end, _, name in maps(parts) if name == '[vdso]']
    return [p for p in parts if p[0] != SAMPLE or not any(a < w < b for w in words(p[2]) for a, b in images)]


def print_needs(data):
    at, size = struct.unpack_from('<QQ', data, 40) if data[8] == HEADER else (16, len(data) - 16)
    parts = list(records(data, at, at + size))
    packed = b''.join(record[8:] for kind, _, record in parts if kind == COMPRESSED)
    if packed:
        plain = subprocess.run(['zstd', '-dcq'], input=packed, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout
        parts += records(bytearray(plain), 0, len(plain))
    mapped, needed = maps(parts), set()
    for kind, _, record in parts:
        for w in words(record) if kind == SAMPLE else ():
            if w >> 47 == 0x1ffff:
                needed.add((w, '[kernel]'))
            elif w > 4096:
                needed.update((w, '[anon]') if name[:2] == '//' else (w - start + offset, name)
                              for start, end, offset, name in mapped if start <= w < end)
    for offset, name in sorted(needed):
        print('%x %s' % (offset, name))


def thin(parts, most):
    total = sum(kind == SAMPLE for kind, _, _ in parts)
    seen, kept = 0, []
    for part in parts:
        if part[0] == SAMPLE:
            seen += 1
            if total > most and seen * most // total == (seen - 1) * most // total:
                continue
        kept.append(part)
    return kept


def as_memory(parts):
    random.seed(1)
    for n, (kind, _, record) in enumerate(parts):
        if kind == SAMPLE:  # ip, pid tid, time, addr, period, ..., weight, data_src
            source = random.getrandbits(43) | random.randrange(5) << 43
            struct.pack_into('<Q', record, 32, [0, 0x7F1122334455, 0x1000][n % 3])
            struct.pack_into('<QQ', record, len(record) - 16, n << 32 | n * 7, [0x68100142, 0x50100C44, source][n % 3])


def move_last(parts, ends):
    samples = [record for kind, _, record in parts if kind == SAMPLE]
    for record, mode, address in zip(samples[-2:], (2, 1), ends.split(',')):
        struct.pack_into('<H', record, 4, mode)
        struct.pack_into('<Q', record, 8, int(address, 16) + 2)


def build_ids(feature, names):
    """The entries of files that a record still names, or the kernel."""
    kept = b''
    for _, _, entry in records(feature, 0, len(feature)):
        name = bytes(entry[36:]).split(b'\0')[0]
        if name.startswith(b'[') or name in names:
            kept += entry
    return kept


def features(data, names):
    at, size = struct.unpack_from('<QQ', data, 40)
    bits, at = struct.unpack_from('<Q', data, 72)[0], at + size
    kept = []
    for bit in range(64):
        if bits >> bit & 1:
            start, size = struct.unpack_from('<QQ', data, at)
            at += 16
            part = data[start:start + size]
            if bit == BUILD_ID:
                part = build_ids(part, names)
            elif bit == TRACING_DATA:
                part = without_commands(part)
            if bit in (TRACING_DATA, BUILD_ID, RELEASE, EVENT_DESC):
                kept.append((bit, part))
    return kept


def without_commands(tracing):
    """Tracing data ends with the names of the machine's commands, after their u64 size."""
    line = re.compile(rb'(?:\d+ [^\n]*\n)+\Z').search(tracing)
    if line is None:
        return tracing
    text = line.group()
    while struct.unpack_from('<Q', tracing, len(tracing) - len(text) - 8)[0] != len(text):
        text = text[text.index(b'\n') + 1:]
    return tracing[:len(tracing) - len(text) - 8] + struct.pack('<Q', 0)


def cut(data, options):
    attributes, at, size = struct.unpack_from('<Q', data, 24) + struct.unpack_from('<QQ', data, 40)
    layout = Layout(struct.unpack_from('<Q', data, attributes + 24)[0])
    if options.memory:
        struct.pack_into('<I', data, attributes, 4)
    parts = list(records(data, at, at + size))
    if options.root:
        parts = keep_family(parts, layout, options.root)
    parts = [p for p in parts if not any(t.encode() in p[2] for t in options.drop)]
    if options.only:
        parts = within(parts, options.only)
    if not options.vdso:
        parts = out_of_vdso(parts)
    if options.most:
        parts = thin(parts, options.most)
    if options.memory:
        as_memory(parts)
    if options.ends:
        move_last(parts, options.ends)
    body = b''.join(record for _, _, record in parts)
    names = set(re.findall(rb'/[^\0]+', bytes(body)))
    head = data[:at]
    kept = features(data, names)
    struct.pack_into('<QQ', head, 40, at, len(body))
    struct.pack_into('<QQQQ', head, 72, sum(1 << bit for bit, _ in kept), 0, 0, 0)
    start = at + len(body) + 16 * len(kept)
    table = b''
    for _, part in kept:
        table += struct.pack('<QQ', start, len(part))
        start += len(part)
    return head + body + table + b''.join(part for _, part in kept)


def cut_dump(data, options):
    """Keeps loads (0) of code that is needed, and the debug information (2) before them, which names its address."""
    needed = sorted(int(line.split()[0], 16) for line in open(options.dump) if '[anon]' in line)
    at, = struct.unpack_from('<I', data, 8)
    out, before = data[:at], b''
    while at < len(data):
        kind, size = struct.unpack_from('<II', data, at)
        record = data[at:at + size]
        at += size
        if kind == 2:
            before = record
        elif kind == 0:
            start, length = struct.unpack_from('<QQ', record, 32)
            if any(start <= address < start + length for address in needed):
                out += (before if before and before[16:24] == record[32:40] else b'') + record
    open(options.output, 'wb').write(out)


def replaced(data):
    info = open('/proc/cpuinfo').read()
    for old, new in ((os.uname().release, '6.18'), (re.search('model name.*: (.*)', info).group(1), 'cpu'),
                     (re.search('vendor_id.*: (.*)', info).group(1), 'any')):
        data = data.replace(old.encode(), new.encode().ljust(len(old), b'\0'))
    return data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--root', type=int)
    parser.add_argument('--most', type=int)
    parser.add_argument('--drop', action='append', default=[])
    parser.add_argument('--memory', action='store_true')
    parser.add_argument('--ends')
    parser.add_argument('--only')
    parser.add_argument('--dump')
    parser.add_argument('--vdso', action='store_true')
    parser.add_argument('--plain', action='store_true')
    parser.add_argument('--needs', action='store_true')
    parser.add_argument('input')
    parser.add_argument('output', nargs='?')
    options = parser.parse_args()
    data = bytearray(open(options.input, 'rb').read())
    if options.dump:
        return cut_dump(data, options)
    if options.needs:
        return print_needs(data)
    if not options.plain:
        data = cut(data, options)
    open(options.output, 'wb').write(replaced(data))


main()
