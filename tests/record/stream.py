"""Writes perf.data as perf record -o - does, without perf, for tests:

python3 stream.py frames|stack|processes N
python3 stream.py files N FILE ...
python3 stream.py names N NAME ...
python3 stream.py jit PID [FILE]
python3 stream.py named PID

frames     one process whose callchains have N different addresses in all, 127 at a time
stack      one process with one callchain of N addresses
processes  N processes that fork, are named, map two files, are sampled and exit
dumps      for each FILE a process that maps it, as a compiler does its jitdump, and has N addresses in memory
files      one process that maps each FILE, and has N addresses in each: those at the offsets 0, 16, 32, ...
names      for each NAME a process 1000, 1001, ... called so, with N samples at one address
named      one process whose code gets names in the recording (common/event/ownrecord.h): three samples, of
           compiled code, of bytecode, and of code without a name; before the second the code gets another
           name, and before the third the bytecode loses its own
jit        one process with one address in memory of its own, 0x60000010; it maps the file, such as a jitdump
"""

import os
import struct
import sys

MAX_STACK = 127
IP, TID, TIME, CALLCHAIN = 1, 2, 4, 32
SAMPLE_ID_ALL = 1 << 18
USER = 2
ATTR, ROUND = 64, 68
COMM, EXIT, FORK, SAMPLE, MMAP2, TEXT_POKE = 3, 4, 7, 9, 10, 20
OWN_CODE = 0x65646F63736A7066

write = sys.stdout.buffer.write
now = 1000000000


def record(kind, misc, body):
    write(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)


def text(s):
    s = os.fsencode(s)
    return s + b"\0" * (8 - len(s) % 8)


def sample_id(pid):
    return struct.pack("<IIQ", pid, pid, now)


def head():
    write(b"PERFILE2" + struct.pack("<Q", 16))
    attr = struct.pack("<IIQQQQQ", 1, 64, 0, 1000, IP | TID | TIME | CALLCHAIN, 0, SAMPLE_ID_ALL)
    record(ATTR, 0, attr.ljust(64, b"\0") + struct.pack("<Q", 7))


def comm(pid, name):
    record(COMM, 0, struct.pack("<II", pid, pid) + text(name) + sample_id(pid))


def task(kind, pid):
    record(kind, 0, struct.pack("<IIIIQ", pid, 1, pid, 1, now) + sample_id(pid))


def mmap(pid, start, size, name):
    fields = struct.pack("<IIQQQIIQQII", pid, pid, start, size, 0, 0, 0, 0, 0, 5, 2)
    record(MMAP2, USER, fields + text(name) + sample_id(pid))


def sample(pid, addresses):
    global now
    now += 1000
    fields = struct.pack("<QIIQQ", addresses[0], pid, pid, now, len(addresses))
    record(SAMPLE, USER, fields + struct.pack("<%dQ" % len(addresses), *addresses))


def frames(n):
    comm(7, "many")
    mmap(7, 0x1000, n, "//anon")
    for first in range(0, n, MAX_STACK):
        sample(7, [0x1000 + i for i in range(first, min(first + MAX_STACK, n))])


def stack(n):
    comm(7, "deep")
    mmap(7, 0x1000, n, "//anon")
    sample(7, [0x1000 + i for i in range(n)])


def processes(n):
    for i in range(n):
        pid = 1000 + i
        task(FORK, pid)
        comm(pid, "short")
        mmap(pid, 0x100000, 0x10000, "/no/such/program")
        mmap(pid, 0x200000, 0x10000, "/no/such/library")
        sample(pid, [0x100010, 0x200010])
        task(EXIT, pid)
        if i % 100 == 99:
            record(ROUND, 0, b"")


def files(n):
    comm(7, "files")
    for i, name in enumerate(sys.argv[3:]):
        start = (i + 1) << 32
        mmap(7, start, 1 << 32, name)
        for first in range(0, n, MAX_STACK):
            sample(7, [start + 16 * i for i in range(first, min(first + MAX_STACK, n))])
            record(ROUND, 0, b"")


def jit(pid):
    comm(pid, "stranger")
    if len(sys.argv) > 3:
        mmap(pid, 0x50000000, 0x1000, sys.argv[3])
    mmap(pid, 0x60000000, 0x1000, "//anon")
    sample(pid, [0x60000010])


def code(pid, start, size, label):
    contents = struct.pack("<IIQQ", pid, 0, start, size) + label.encode()
    body = struct.pack("<QHH", OWN_CODE, len(contents), 0) + contents
    record(TEXT_POKE, USER, body + b"\0" * (-len(body) % 8) + sample_id(pid))


def named(pid):
    chain = [0x60000010, 0x90000020, 0x60000810]
    comm(pid, "named")
    mmap(pid, 0x60000000, 0x1000, "//anon")
    code(pid, 0x60000000, 0x100, "JS:*f /x.js:1:2")
    code(pid, 0x90000000, 0x80, "JS:~g /x.js:3:4")
    sample(pid, chain)
    code(pid, 0x60000000, 0x100, "JS:*h /x.js:5:6")
    sample(pid, chain)
    code(pid, 0x90000000, 0x80, "")
    sample(pid, chain)


def dumps(n):
    for i, name in enumerate(sys.argv[3:]):
        pid = 1000 + i
        comm(pid, "jit")
        mmap(pid, 0x1000, 0x1000, name)
        mmap(pid, 0x10000000, 1 << 28, "//anon")
        sample(pid, [0x10000000 + 16 * k for k in range(n)])


def names(n):
    for i, name in enumerate(sys.argv[3:]):
        comm(1000 + i, name)
        mmap(1000 + i, 0x1000, 0x1000, "/f")
        for _ in range(n):
            sample(1000 + i, [0x1010])


kinds = {f.__name__: f for f in (frames, stack, processes, files, names, jit, named, dumps)}
if __name__ == "__main__":
    head()
    kinds[sys.argv[1]](int(sys.argv[2]))
