#!/usr/bin/env python3
"""Writes CPU profiles of gperftools and an object file that their addresses are in.

usage: gperftools.py object                            the ELF file: main, warm, hot and others, 16 bytes each
       gperftools.py profile FORMAT PATH [STACK ...]   a profile of a process that has PATH at 0x7000000

FORMAT is that of struct for a number: "<Q", ">I". A STACK is a count and functions, leaf first: 3:hot,warm,main.
The leaf's address is in its function, the others are return addresses; with "+N" it is N bytes after that. "end"
writes no more than the end of the stacks, without it and maps a profile is cut.
"""
import struct
import sys

from elf import STEP, program, symbol

NAMES = ("main", "warm", "hot", "exit", "ProfileData::Add", "CpuProfiler::prof_handler", "__restore_rt", "_ZN3app4loopEi")
BASE = 0x7000000


def object_file():
    names, symbols = b"\0", bytes(24)  # the first symbol is none
    for i, name in enumerate(NAMES):
        symbols += symbol(len(names), i)
        names += name.encode() + b"\0"
    return program(symbols, names)


def address(name, leaf):
    name, _, more = name.partition("+")
    if name == "nowhere":
        return 0x99
    return BASE + STEP * NAMES.index(name) + (0 if leaf else STEP) + int(more or 0)


def profile(form, path, *stacks):
    numbers = [0, 3, 0, 10000, 0]
    for stack in stacks:
        if stack == "end":
            numbers += [0, 1, 0]
            continue
        count, _, names = stack.partition(":")
        names = names.split(",") if names else []
        numbers += [int(count), len(names)] + [address(name, i == 0) for i, name in enumerate(names)]
    maps = ("%08x-%08x r--p 00000000 fe:00 7 %s\n%08x-%08x r-xp 00000000 fe:00 7                  %s\n"
            "ffffff00-ffffff80 r-xp 00000000 00:00 0 \n" % (BASE - 4096, BASE, path, BASE, BASE + 4096, path))
    return b"".join(struct.pack(form, n) for n in numbers) + (maps.encode() if "end" in stacks else b"")


if __name__ == "__main__":
    sys.stdout.buffer.write(object_file() if sys.argv[1] == "object" else profile(*sys.argv[2:]))
