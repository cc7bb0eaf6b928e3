"""Prints C source that defines what a node exports of its V8: v8dbg_ numbers and the version.

    python3 v8exports.py NODE > exports.c"""
import struct
import subprocess
import sys


def segments(data):
    at, size, count = struct.unpack_from('<Q', data, 32)[0], *struct.unpack_from('<HH', data, 54)
    for i in range(count):
        kind, _, offset, start, _, length = struct.unpack_from('<IIQQQQ', data, at + i * size)
        if kind == 1:  # PT_LOAD
            yield offset, start, length


def main():
    with open(sys.argv[1], 'rb') as f:
        data = f.read()
    loads = list(segments(data))
    symbols = subprocess.run(['nm', '-D', sys.argv[1]], capture_output=True, text=True, check=True).stdout
    for line in symbols.split('\n'):
        words = line.split()
        if len(words) != 3 or not words[2].startswith(('v8dbg_', '_ZN2v88internal7Version6m')):
            continue
        address = int(words[0], 16)
        value = 0  # of .bss
        for offset, start, length in loads:
            if start <= address < start + length:
                value = struct.unpack_from('<i', data, offset + address - start)[0]
        print(f'extern int {words[2]};')
        print(f'int {words[2]} = {value & 0xffffffff:#x};')


main()
