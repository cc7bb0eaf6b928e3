"""Writes perf.data as perf record -o - does, with samples in modules of the kernel: python3 modules.py FILE ...

FILE: the module's file, or its name in brackets, as the record of its mapping has it. With a '+' in front it is in the
recording's list of build-ids too.
"""

import struct
import sys

IP, TID, TIME, PERIOD = 1, 2, 4, 256
SAMPLE_ID_ALL = 1 << 18
MMAP, COMM, SAMPLE, ATTR, BUILD_ID, ROUND = 1, 3, 9, 64, 67, 68
KERNEL = 1
BASE, SIZE = 0xFFFFFFFFC0000000, 0x10000

write = sys.stdout.buffer.write


def record(kind, misc, body):
    write(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


write(b"PERFILE2" + struct.pack("<Q", 16))
attr = struct.pack("<IIQQQQQ", 1, 64, 0, 1000, IP | TID | TIME | PERIOD, 0, SAMPLE_ID_ALL)
record(ATTR, 0, attr.ljust(64, b"\0") + struct.pack("<Q", 7))
files = sys.argv[1:]
for i, file in enumerate(files):
    if file.startswith("+"):
        record(BUILD_ID, KERNEL, struct.pack("<i20s4x", -1, bytes([i + 1]) * 20) + text(file[1:]))
for i, file in enumerate(files):
    mapping = struct.pack("<iIQQQ", -1, 0, BASE + i * SIZE, SIZE, 0) + text(file.lstrip("+"))
    record(MMAP, KERNEL, mapping + struct.pack("<IIQ", 0, 0, 0))
record(COMM, 0, struct.pack("<II", 7, 7) + text("app") + struct.pack("<IIQ", 7, 7, 1))
for i in range(len(files)):
    record(SAMPLE, KERNEL, struct.pack("<QIIQQ", BASE + i * SIZE + 16, 7, 7, 1000000000 + i * 1000, 1))
record(ROUND, 0, b"")
