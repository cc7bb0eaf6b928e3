#!/usr/bin/env python3
"""Compares the names of JIT frames in perf script text with those of a jitdump, which has the time of each piece of code.

usage: jitnames.py JITDUMP TEXT

Prints how many frames there are, how many of them at addresses that were used again, and how many have another name
than the code that was there at the time of the sample. Both have times of CLOCK_MONOTONIC. The layout is in
tools/perf/Documentation/jitdump-specification.txt of the Linux source."""

import collections
import re
import struct
import sys

PAGE_BITS = 8
LOAD = 0
NAME = 56  # bytes before the name of a load record


def loads(data):
    """The loads of a dump: (time in nanoseconds, start, end, name)."""
    at = struct.unpack_from('<I', data, 8)[0]
    while at + 16 <= len(data):
        kind, size, time = struct.unpack_from('<IIQ', data, at)
        if size < 16:
            break
        if kind == LOAD:
            start, length = struct.unpack_from('<QQ', data, at + 32)
            name = data[at + NAME:data.index(b'\0', at + NAME)]
            yield time, start, start + length, name.decode(errors='replace')
        at += size


def frames(lines):
    """The JIT frames of the text: (time in nanoseconds, address, name)."""
    time = 0
    for line in lines:
        header = re.match(r'\S.* (\d+)\.(\d{6}): ', line)
        frame = re.match(r'\t *([0-9a-f]+) (.*) \(/tmp/perf-\d+\.map\)$', line)
        if header:
            time = int(header[1]) * 10**9 + int(header[2]) * 1000
        elif frame:
            yield time, int(frame[1], 16), re.sub(r'\+0x[0-9a-f]+$', '', frame[2])


def main():
    pages = collections.defaultdict(list)
    with open(sys.argv[1], 'rb') as dump:
        for load in sorted(loads(dump.read())):
            for page in range(load[1] >> PAGE_BITS, ((load[2] - 1) >> PAGE_BITS) + 1):
                pages[page].append(load)
    count = reused = wrong = 0
    with open(sys.argv[2], errors='replace') as text:
        for time, address, name in frames(text):
            names = [(when, called) for when, start, end, called in pages[address >> PAGE_BITS]
                     if start <= address < end]
            # The text has microseconds.
            before = [called for when, called in names if when <= time + 999]
            count += 1
            reused += len({called for when, called in names}) > 1
            wrong += name != (before[-1] if before else names[0][1] if names else None)
    print(count, reused, wrong)


main()
