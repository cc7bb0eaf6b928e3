"""Writes perf.data as perf record --call-graph lbr -o - does, without such a processor, for tests:

python3 lbr.py calls [N]|branches|program > FILE

calls     the recording: of user code there are the calls that have not returned. The processor keeps 16 of them;
          with N it keeps N, and the recording does not say so.
branches  the same, but as perf record -b has it: the branches are of all kinds
program   the program that was recorded: it is to be called /srv/compiler
"""

import struct
import sys

from elf import program, symbol
from stream import ATTR, CALLCHAIN, IP, ROUND, SAMPLE, SAMPLE_ID_ALL, TID, TIME, USER, comm, mmap, record, write

PERIOD, BRANCH_STACK = 256, 2048
BRANCH_USER, BRANCH_ANY, CALL_STACK, NO_FLAGS, NO_CYCLES, HW_INDEX = 1, 8, 1 << 11, 1 << 14, 1 << 15, 1 << 17
CONTEXT_KERNEL, CONTEXT_USER = 2**64 - 128, 2**64 - 512
FEATURE, CPU_PMU_CAPS = 80, 28
KERNEL = 1
DEPTH = int(sys.argv[2]) if sys.argv[2:] else 16

# Each function has 256 bytes. The program is mapped at BASE.
BASE = 0x10000
MAIN, PARSE, LEX, VISIT = (BASE + i * 0x100 for i in range(1, 5))
SYSCALL = 0xFFFFFFFF81000000

now = 1000000000


def words(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


def string(s):
    return struct.pack("<I64s", 64, s.encode())


def head(kinds):
    write(b"PERFILE2" + words(16))
    fields = IP | TID | TIME | CALLCHAIN | PERIOD | BRANCH_STACK
    attr = struct.pack("<II", 0, 112) + words(0, 4000, fields, 0, SAMPLE_ID_ALL)
    attr = attr.ljust(72, b"\0") + words(BRANCH_USER | kinds | NO_FLAGS | NO_CYCLES | HW_INDEX)
    record(ATTR, 0, attr.ljust(112, b"\0") + words(7))


def capabilities():
    texts = ("branches", str(DEPTH), "max_precise", "3")
    record(FEATURE, 0, struct.pack("<QI", CPU_PMU_CAPS, len(texts) // 2) + b"".join(map(string, texts)))


def sample(ip, chain, calls):
    """Each call is its address and that of the function called, the latest call first."""
    global now
    now += 1000000
    body = struct.pack("<QII", ip, 7, 7) + words(now, 4000, len(chain), *chain, len(calls), 5)
    record(SAMPLE, KERNEL if ip == SYSCALL else USER, body + b"".join(words(*call, 0) for call in calls))


def recording(kinds):
    head(kinds)
    if not sys.argv[2:]:
        capabilities()
    comm(7, "compiler")
    mmap(7, BASE, 0x1000, "/srv/compiler")
    in_parse = [(MAIN + 0x20, PARSE)]
    in_lex = [(PARSE + 0x10, LEX)] + in_parse
    recursion = [(VISIT + 0x40, VISIT)] * DEPTH
    # The skid of the interrupt: the callchain begins behind the instruction that was sampled.
    sample(LEX + 0x34, [CONTEXT_USER, LEX + 0x36], in_lex)
    sample(SYSCALL, [CONTEXT_KERNEL, SYSCALL, SYSCALL + 0x100, CONTEXT_USER, LEX + 0x80, 0x11], in_lex)
    # Frame pointers lead on where the processor has no call: a thread that has made none yet.
    sample(PARSE + 8, [CONTEXT_USER, PARSE + 8, MAIN + 0x25], [])
    sample(SYSCALL, [CONTEXT_KERNEL, SYSCALL], in_lex)
    # As deep as what the processor keeps, and deeper.
    sample(VISIT + 8, [CONTEXT_USER, VISIT + 8], recursion[:-2] + [(PARSE + 0x30, VISIT)] + in_parse)
    sample(VISIT + 8, [CONTEXT_USER, VISIT + 8], recursion)
    record(ROUND, 0, b"")


def write_program():
    names = b"\0main\0parse\0lex\0visit\0"
    starts = ((b"main", MAIN), (b"parse", PARSE), (b"lex", LEX), (b"visit", VISIT))
    symbols = (symbol(names.index(name), 0, size=0x100, start=at - BASE) for name, at in starts)
    write(program(bytes(24) + b"".join(symbols), names))


if sys.argv[1] == "program":
    write_program()
else:
    recording({"calls": CALL_STACK, "branches": BRANCH_ANY}[sys.argv[1]])
