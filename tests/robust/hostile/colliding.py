#!/usr/bin/env python3
"""Prints 32,768 folded stacks of one frame, or the same as perf script text, whose names had one hash under every seed
of the hash that these programs once had: with two lanes of 8-byte words, each multiplied and rotated by 32 bits,
bit 63 of a word and bit 31 of its lane's next word cancelled each other. Or, for comparison, names of the same length
in which those bits differ without a pattern.

usage: colliding.py colliding|others folded|perf
"""
import random
import sys

PAIRS = 15
WORD = b"function"  # 8 bytes
LANES = 2


def name(number, colliding):
    words = [bytearray(WORD) for _ in range(LANES * (PAIRS + 1))]
    other = random.Random(number)
    for pair in range(PAIRS):
        high, low = (1, 1) if colliding else (other.random() < 0.5, other.random() < 0.5)
        if number >> pair & 1:
            words[LANES * pair][7] ^= 0x80 * high
            words[LANES * (pair + 1)][3] ^= 0x80 * low
    return b"".join(words) + (b"" if colliding else b"%05d" % number)


def main():
    colliding, perf = sys.argv[1] == "colliding", sys.argv[2] == "perf"
    out = sys.stdout.buffer
    for number in range(1 << PAIRS):
        text = name(number, colliding)
        if perf:
            out.write(b"node 1 1.0: 1 cpu-clock:\n\t000001 %s+0x1 (node)\n\n" % text)
        else:
            out.write(text + b" 1\n")


main()
