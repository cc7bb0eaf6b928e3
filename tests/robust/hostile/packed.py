"""Prints a recording that came through a pipe with its samples compressed, as by perf record -z, or damaged:
packed.py HOW RECORDING. HOW is one of those in the table below."""
import struct
import subprocess
import sys

how, where = sys.argv[1], sys.argv[2]
data = open(where, 'rb').read()
plain, records, at = data[:16], b'', 16
while at < len(data):
    kind, _, size = struct.unpack_from('<IHH', data, at)
    end = at + size
    if kind == 66:  # the tracing data follow
        end += struct.unpack_from('<I', data, at + 8)[0]
    if kind < 64:
        records += data[at:end]
    elif kind != 68:
        plain += data[at:end]
    at = end

def zstd(text):
    return subprocess.run(['zstd', '-qc'], input=text, stdout=subprocess.PIPE, check=True).stdout

def blocks_of(text):
    stream = zstd(text)
    sizes = [0, 2, 4, 8][stream[4] >> 6] or stream[4] >> 5 & 1
    at, blocks, last = 5 + (not stream[4] & 32) + sizes, [], False
    while not last:
        header = int.from_bytes(stream[at:at + 3], 'little')
        last = header & 1
        end = at + 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
        blocks.append(bytes([stream[at] & 0xfe]) + stream[at + 1:end])
        at = end
    return blocks

def block(kind, contents, size=None):
    return (kind << 1 | (size or len(contents)) << 3).to_bytes(3, 'little') + contents

def compressed(stream, each=60000):
    parts = [stream[at:at + each] for at in range(0, len(stream), each)]
    return b''.join(struct.pack('<IHH', 81, 0, 8 + len(part)) + part for part in parts)

FRAME = b'\x28\xb5\x2f\xfd\x00\x58'  # with a window of 2 MB
START = FRAME + block(0, records)
UNKNOWN = struct.pack('<IHH', 63, 0, 32768) + bytes(32760)
middle = len(records) // 2
packed = {
    'plain': lambda: records,
    'raw': lambda: compressed(START, 700),
    'blocks': lambda: compressed(FRAME + b''.join(blocks_of(records)), 500),
    'frames': lambda: compressed(zstd(records[:middle]) + b'\x50\x2a\x4d\x18\x03\0\0\0abc' + zstd(records[middle:])),
    # as those 128 KB of records that are skipped are compressed after the same ones
    'bomb': lambda: compressed(START + b''.join(blocks_of(UNKNOWN * 40)[:2]) + blocks_of(UNKNOWN * 40)[3] * 20000),
    'zeros': lambda: compressed(START + block(1, b'\0', 131072) * 15000),
    'no block': lambda: compressed(START) + compressed(block(3, b'12345')) + compressed(START),
    'no frame': lambda: compressed(b'\xfd7zXZ\0\0\0' + bytes(100)),
    'noise': lambda: compressed(START + block(2, bytes(range(1, 250)))),
    'nothing': lambda: b'',
    'samples': lambda: compressed(START),
    'empty': lambda: struct.pack('<IHH', 81, 0, 8) + compressed(START),
}
sys.stdout.buffer.write(plain + packed[how]())
