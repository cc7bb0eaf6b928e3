#!/usr/bin/env python3
"""Compares the stalls that stackreport --stalls lists with the blocks that app/stalls.js made: BLOCKS TABLE

Prints, for each kind of block, how many there were, how many are listed, how many within 10 ms, and how many with the planted
function in their path; then each block that is missing or differs, and each stall that nobody planted.
"""
import re
import sys

blocks = []  # start and length in ms, kind
for line in open(sys.argv[1]):
    start, took, kind = line.split()
    blocks.append((float(start), float(took), kind))
if blocks:
    day = blocks[0][0] // 86400000 * 86400000

stalls = []  # start, length, the path
for line in open(sys.argv[2]):
    row = re.match(r'(\d\d):(\d\d):(\d\d\.\d+) +[\d.]+ +([\d,]+)', line)
    if row:
        h, m, s, ms = row.groups()
        stalls.append([(int(h) * 3600 + int(m) * 60 + float(s)) * 1000, float(ms.replace(',', '')), line.rstrip(), ''])
    elif stalls and line.startswith(' '):
        stalls[-1][3] += line.strip()

taken = set()
rows = {}
wrong = []
for start, took, kind in blocks:
    row = rows.setdefault(kind, [0, 0, 0, 0, 0])
    row[0] += 1
    at = start - day
    near = [i for i, s in enumerate(stalls) if i not in taken and s[0] - 5 <= at + took / 2 <= s[0] + s[1] + 5]
    if not near:
        wrong.append(f'missing: {kind} {took:.0f} ms at {at:.0f}')
        continue
    best = min(near, key=lambda i: abs(stalls[i][1] - took))
    taken.add(best)
    row[1] += 1
    differs = stalls[best][1] - took
    row[2] = max(row[2], abs(differs))
    row[3] += abs(differs) <= 10
    named = 'planted' + kind.capitalize() in stalls[best][3]
    row[4] += named
    if abs(differs) > 10 or not named:
        wrong.append(f'{kind} {took:.0f} ms at {at:.0f}:\n  {stalls[best][2]}\n  {stalls[best][3]}')
for kind, (n, listed, largest, within, named) in sorted(rows.items()):
    print(f'{kind:8} {n:4} blocks {listed:4} listed {within:4} within 10 ms (most: {largest:.1f})',
          f'{named:4} with the function')
print(*wrong, sep='\n')
for i, (at, ms, line, path) in enumerate(stalls):
    if i not in taken:
        print(f'not planted: {line}\n  {path}')
