#!/usr/bin/env python3
"""Writes reports of "simpleperf report-sample --protobuf" (cmd_report_sample.proto of simpleperf) for tests.

usage: simpleperf.py NAME     prints the report that a function below describes
       simpleperf.py count    counts the samples of the report on standard input, by event
"""
import collections
import struct
import sys

from pprof import message, number

MAGIC = b"SIMPLEPERF\1\0"


def report(*records):
    return MAGIC + b"".join(struct.pack("<I", len(r)) + r for r in records) + bytes(4)


def sample(tid, calls, count=250000, event=0):
    """calls: (file, symbol) pairs, leaf first."""
    chain = b"".join(message(3, number(1, 4096) + number(2, f) + number(3, s)) for f, s in calls)
    return message(1, number(1, 10 ** 18) + number(2, tid) + chain + number(4, count) + number(5, event))


def file(id, path, *symbols):
    return message(3, number(1, id) + message(2, path) + b"".join(message(3, s) for s in symbols))


def thread(tid, pid, name):
    return message(4, number(1, tid) + number(2, pid) + message(3, name))


def meta(*events):
    return message(5, b"".join(message(1, e) for e in events) + message(2, "com.example.app"))


def lost(n):
    return message(2, number(1, 9) + number(2, n))


def app():
    """Two events, code without a symbol, a thread that is not described, and the kernel."""
    kernel, libc, jit = 0, 1, 7
    return report(
        meta("cpu-clock", "sched:sched_switch"),
        sample(11, [(kernel, 0), (libc, 0), (jit, 1)]),
        sample(11, [(kernel, 0), (libc, 0), (jit, 1)], count=500000),
        sample(11, [(libc, 1)], event=1),
        message(6, number(1, 1) + number(3, 11)),  # a switch of context
        sample(12, [(libc, -1), (jit, 0)]),
        sample(99, [(libc, 0)]),
        sample(12, []),
        sample(12, [(55, 0), (libc, 12)]),
        lost(3),
        file(kernel, "[kernel.kallsyms]", "el0_svc"),
        file(libc, "/apex/lib64/bionic/libc.so", "syscall", "read(int)"),
        file(jit, "/data/app/base.odex", "app.Main.run", "app.Main.loop;x"),
        file(libc, "/again", "wrong"),
        thread(11, 10, "RenderThread"), thread(12, 10, "Binder:10_2"))


def count():
    rest, counts = sys.stdin.buffer.read()[len(MAGIC):], collections.Counter()
    while True:
        size = struct.unpack("<I", rest[:4])[0]
        if size == 0:
            break
        record, rest = rest[4:4 + size], rest[4 + size:]
        counts[record[0] >> 3] += 1
    print(" ".join("%d:%d" % item for item in sorted(counts.items())))


if __name__ == "__main__":
    if sys.argv[1] == "count":
        count()
    else:
        sys.stdout.buffer.write(globals()[sys.argv[1]]())
