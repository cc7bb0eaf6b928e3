"""Writes perf.data as perf record -o - does, with samples in modules of the kernel: python3 modules.py FILE ...

FILE: the module's file, or its name in brackets, as the record of its mapping has it. With a '+' in front it is in the
recording's list of build-ids too.
"""

import struct
import sys

from stream import ROUND, SAMPLE, comm, head, record, text

MMAP, BUILD_ID = 1, 67
KERNEL, CONTEXT_KERNEL = 1, 2**64 - 128
BASE, SIZE = 0xFFFFFFFFC0000000, 0x10000

head()
files = sys.argv[1:]
for i, file in enumerate(files):
    if file.startswith("+"):
        record(BUILD_ID, KERNEL, struct.pack("<i20s4x", -1, bytes([i + 1]) * 20) + text(file[1:]))
for i, file in enumerate(files):
    mapping = struct.pack("<iIQQQ", -1, 0, BASE + i * SIZE, SIZE, 0) + text(file.lstrip("+"))
    record(MMAP, KERNEL, mapping + struct.pack("<IIQ", 0, 0, 0))
comm(7, "app")
for i in range(len(files)):
    address = BASE + i * SIZE + 16
    fields = struct.pack("<QIIQ", address, 7, 7, 1000000000 + i * 1000)
    record(SAMPLE, KERNEL, fields + struct.pack("<QQQ", 2, CONTEXT_KERNEL, address))
record(ROUND, 0, b"")
