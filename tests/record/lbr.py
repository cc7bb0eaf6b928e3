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

IP, TID, TIME, CALLCHAIN, PERIOD, BRANCH_STACK = 1, 2, 4, 32, 256, 2048
BRANCH_USER, BRANCH_ANY, CALL_STACK, NO_FLAGS, NO_CYCLES, HW_INDEX = 1, 8, 1 << 11, 1 << 14, 1 << 15, 1 << 17
KERNEL, USER = 2**64 - 128, 2**64 - 512
COMM, SAMPLE, MMAP2, ATTR, ROUND, FEATURE = 3, 9, 10, 64, 68, 80
CPU_PMU_CAPS = 28
DEPTH = int(sys.argv[2]) if sys.argv[2:] else 16

# Each function has 256 bytes. The program is mapped at BASE.
BASE = 0x10000
MAIN, PARSE, LEX, VISIT = (BASE + i * 0x100 for i in range(1, 5))

write = sys.stdout.buffer.write
now = 1000000000


def record(kind, misc, body):
    write(struct.pack("<IHH", kind, misc, 8 + len(body)) + body)


def text(s):
    return s.encode() + b"\0" * (8 - len(s) % 8)


def string(s):
    return struct.pack("<I", 64) + s.encode().ljust(64, b"\0")


def sample(ip, chain, calls):
    """Each call is its address and that of the function called, the latest call first."""
    global now
    now += 1000000
    misc = 1 if ip >> 63 else 2
    body = struct.pack("<QIIQQQ", ip, 7, 7, now, 4000, len(chain)) + struct.pack("<%dQ" % len(chain), *chain)
    body += struct.pack("<QQ", len(calls), 5)
    for call, function in calls:
        body += struct.pack("<QQQ", call, function, 0)
    record(SAMPLE, misc, body)


if sys.argv[1] == "program":
    names = b"\0main\0parse\0lex\0visit\0"
    starts = {b"main": MAIN, b"parse": PARSE, b"lex": LEX, b"visit": VISIT}
    write(program(bytes(24) + b"".join(symbol(names.index(name), 0, size=0x100, start=at - BASE)
                                       for name, at in starts.items()), names))
    sys.exit()

kinds = {"calls": CALL_STACK, "branches": BRANCH_ANY}[sys.argv[1]]
fields = IP | TID | TIME | CALLCHAIN | PERIOD | BRANCH_STACK
write(b"PERFILE2" + struct.pack("<Q", 16))
attr = struct.pack("<IIQQQQQ", 0, 112, 0, 4000, fields, 0, 1 << 18).ljust(72, b"\0")
attr += struct.pack("<Q", BRANCH_USER | kinds | NO_FLAGS | NO_CYCLES | HW_INDEX)
record(ATTR, 0, attr.ljust(112, b"\0") + struct.pack("<Q", 7))
caps = [("branches", str(DEPTH)), ("max_precise", "3")]
if not sys.argv[2:]:
    record(FEATURE, 0, struct.pack("<QI", CPU_PMU_CAPS, len(caps)) + b"".join(map(string, sum(caps, ()))))
sample_id = struct.pack("<IIQ", 7, 7, now)
record(COMM, 0, struct.pack("<II", 7, 7) + text("compiler") + sample_id)
mapping = struct.pack("<IIQQQIIQQII", 7, 7, BASE, 0x1000, 0, 0, 0, 0, 0, 5, 2)
record(MMAP2, 2, mapping + text("/srv/compiler") + sample_id)

in_parse = [(MAIN + 0x20, PARSE)]
in_lex = [(PARSE + 0x10, LEX)] + in_parse
recursion = [(VISIT + 0x40, VISIT)] * DEPTH

# The skid of the interrupt: the callchain begins behind the instruction that was sampled.
sample(LEX + 0x34, [USER, LEX + 0x36], in_lex)
sample(2**64 - 0x7F000000, [KERNEL, 2**64 - 0x7F000000, 2**64 - 0x7EFFFF00, USER, LEX + 0x80, 0x11], in_lex)
# Frame pointers lead on where the processor has no call: a thread that has made none yet.
sample(PARSE + 8, [USER, PARSE + 8, MAIN + 0x25], [])
sample(2**64 - 0x7F000000, [KERNEL, 2**64 - 0x7F000000], in_lex)
# As deep as the processor's record, and deeper.
sample(VISIT + 8, [USER, VISIT + 8], recursion[:-2] + [(PARSE + 0x30, VISIT)] + in_parse)
sample(VISIT + 8, [USER, VISIT + 8], recursion)
record(ROUND, 0, b"")
