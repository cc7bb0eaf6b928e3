#!/usr/bin/env python3
"""Removes from a file of perf record, made in a PID namespace, what is known of processes outside of it: the records of
their names, maps, starts and ends, whose process is 0.

usage: ownprocs.py PERF.DATA
"""
import struct
import sys

MMAP, COMM, EXIT, FORK, MMAP2 = 1, 3, 4, 7, 10

data = open(sys.argv[1], 'rb').read()
magic, size, attr_size, attrs, attrs_size, start, length = struct.unpack_from('<8s6Q', data)
kept, at = b'', start
while at < start + length:
    kind, misc, n = struct.unpack_from('<IHH', data, at)
    if kind not in (MMAP, COMM, EXIT, FORK, MMAP2) or struct.unpack_from('<I', data, at + 8)[0] != 0:
        kept += data[at:at + n]
    at += n
gone = length - len(kept)
head = bytearray(data[:start])
struct.pack_into('<Q', head, 48, len(kept))
# The features' sections follow, after their places in the file.
rest = bytearray(data[start + length:])
flags = int.from_bytes(head[72:104], 'little')
for i in range(bin(flags).count('1')):
    offset, = struct.unpack_from('<Q', rest, 16 * i)
    struct.pack_into('<Q', rest, 16 * i, offset - gone)
open(sys.argv[1], 'wb').write(head + kept + rest)
