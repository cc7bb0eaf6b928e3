#!/usr/bin/env python3
"""Compares the inlined calls and lines that build/tool/inlinedcalls finds with those of llvm-addr2line.

usage: inlinedcalls.py TOOL FILE [COUNT [OTHER]]     (prints the share of equal frames; fails below 99.9 %)

llvm-addr2line reads the file OTHER, if one is given: with the same code, and debug information in a form that it knows.

Addresses are chosen by chance, the same in each run, from the sections with code. llvm-addr2line takes the name of the
outermost function from the symbol table, so that one is not compared, nor are addresses that only this table knows.
"""
import random
import re
import subprocess
import sys


def code_sections(path):
    text = subprocess.run(['readelf', '-SW', path], capture_output=True, text=True, check=True).stdout
    row = r'\] \S+ +(?:PROGBITS|NOBITS) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +\w*X'
    return [(int(start, 16), int(size, 16)) for start, size in re.findall(row, text)]


def choose_addresses(path, count):
    random.seed(1)
    sections = code_sections(path)
    chosen = random.choices(sections, [size for _, size in sections], k=count)
    return [start + random.randrange(size) for start, size in chosen]


def parse(text):
    """The lists of calls, each (function, place), by address."""
    answers = []
    lines = iter(text.splitlines())
    for line in lines:
        if re.fullmatch(r'0x[0-9a-f]+', line):
            answers.append([])
        else:
            answers[-1].append([line, re.sub(r' \(discriminator.*', '', next(lines))])
    return answers


def ask(command, addresses):
    question = ''.join(f'{address:x}\n' for address in addresses)
    return parse(subprocess.run(command, input=question, capture_output=True, text=True, check=True).stdout)


def main():
    tool, path = sys.argv[1:3]
    addresses = choose_addresses(path, int(sys.argv[3]) if len(sys.argv) > 3 else 20000)
    ours = ask([tool, path], addresses)
    other = sys.argv[4] if len(sys.argv) > 4 else path
    theirs = ask(['llvm-addr2line', '-a', '-i', '-f', '-s', '-e', other], addresses)
    frames = equal = shown = 0
    for address, own, wanted in zip(addresses, ours, theirs):
        if own == [['??', '??:0']] and wanted[0][1].endswith(':0') and len(wanted) == 1:
            continue
        wanted[-1][0] = own[-1][0]
        same = sum(a == b for a, b in zip(own, wanted)) if len(own) == len(wanted) else 0
        frames += len(wanted)
        equal += same
        if same < len(wanted) and shown < 3:
            print(f'{address:#x}: {own}\n    wanted {wanted}')
            shown += 1
    print(f'{path}: {equal} of {frames} frames equal, {len(addresses)} addresses')
    return frames < len(addresses) / 2 or equal < 0.999 * frames


if __name__ == '__main__':
    sys.exit(main())
