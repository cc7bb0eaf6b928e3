"""Writes an ELF file whose debug information was made to take time or memory: dwarf.py KIND FILE.

Kinds: info, aranges, lines: sections that claim gigabytes, in a sparse file; bomb: compressed sections of
zeros; blocks: a compressed section of blocks of nothing; tables: each unit's abbreviations begin in one
endless table; attributes: entries of one byte with many attributes; ranges: functions that share a list;
inlined: calls inlined into each other; shared: units that share a line program; fields: line tables whose files
have fields without bytes; types: many type units whose types refer to each other, and calls to the first of
them; split: units that all name FILE.dwo, which has many others.

dwarf.py entries FOLDER writes the sections info and abbrev for a program instead: ten million entries of one
byte, with as many attributes as a reader takes."""
import struct
import sys
import zlib

LOW, SIZE = 0x1000, 0x10000
MB, GB = 1 << 20, 1 << 30


def uleb(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def abbreviation(code, tag, children, *attributes):
    pairs = b"".join(uleb(name) + uleb(form) for name, form in attributes)
    return uleb(code) + uleb(tag) + bytes([children]) + pairs + b"\0\0"


def unit(body, abbreviations=0):
    return struct.pack("<IHIB", len(body) + 7, 4, abbreviations, 8) + body


def root(low=LOW, size=SIZE):
    return b"\1" + struct.pack("<QI", low, size)


CODE = [(0x11, 1), (0x12, 6)]  # DW_AT_low_pc, DW_AT_high_pc
ROOT = abbreviation(1, 0x11, 1, *CODE)
WITH_LINES = abbreviation(1, 0x11, 1, *CODE, (0x10, 0x17)) + b"\0"


def with_lines(low=LOW, size=SIZE):
    return unit(root(low, size) + b"\0\0\0\0\0")


def line_table(version, header, program):
    body = struct.pack("<H", version) + (b"\x08\0" if version == 5 else b"")
    body += struct.pack("<I", len(header)) + header + program
    return struct.pack("<I", len(body)) + body


OPCODES = b"\x01\x01\x01\xfb\x0e\x0d" + b"\0\1\1\1\1\0\0\0\1\0\0\1"


def write_entries(folder):
    functions = b"\2" * 10000000
    empty = [(0x34, 0x19)] * 32  # DW_AT_artificial, DW_FORM_flag_present
    with open(folder + "/info", "wb") as f:
        f.write(unit(root(1, 1 << 30) + functions))
    with open(folder + "/abbrev", "wb") as f:
        f.write(ROOT + abbreviation(2, 0x2e, 0, *empty) + b"\0")


def sections(kind):
    """(name, bytes, size that is claimed) of each."""
    info, abbrev = unit(root() + b"\0"), ROOT + b"\0"
    more = []
    if kind == "info":
        return [(".debug_info", struct.pack("<IHIB", 0xfffff000, 4, 0, 8) + root(), 0xfffff800), (".debug_abbrev", abbrev, 0)]
    if kind == "aranges":
        more = [(".debug_aranges", b"\0", 64 * GB)]
    elif kind == "lines":
        info, abbrev = with_lines(), WITH_LINES
        more = [(".debug_line", struct.pack("<IQ", 0xffffffff, 64 * GB - 12), 64 * GB)]
    elif kind == "bomb":
        packer = zlib.compressobj(9)
        zeros = b"".join(packer.compress(b"\0" * MB) for _ in range(512)) + packer.flush()
        more = [(".zdebug_" + name, b"ZLIB" + struct.pack(">Q", 512 * MB) + zeros, 0)
                for name in ("aranges", "ranges", "rnglists", "str", "line", "addr")]
    elif kind == "blocks":
        block = 2  # of 10 bits: 0, it is not the last one; 01, in fixed codes; 0000000, its end
        four = sum(block << 10 * i for i in range(4)).to_bytes(5, "little")
        stream = b"\x78\x9c" + four * (4 * MB // len(four))
        return [(".zdebug_info", b"ZLIB" + struct.pack(">Q", len(stream)) + stream, 0), (".debug_abbrev", abbrev, 0)]
    elif kind == "tables":
        abbrev = ROOT * (8 * MB // len(ROOT))
        info = b"".join(unit(root(LOW + 16 * i, 16), i % 1000 * len(ROOT)) for i in range(4000))
    elif kind == "attributes":
        abbrev = ROOT + abbreviation(2, 0x2e, 0, *[(0x3f, 0x19)] * 255) + b"\0"
        info = unit(root() + b"\2" * 64 * MB + b"\0")
    elif kind == "ranges":
        abbrev = ROOT + abbreviation(2, 0x2e, 0, (0x55, 0x17)) + b"\0"
        info = unit(root() + b"\2\0\0\0\0" * 3000 + b"\0")
        pairs = b"".join(struct.pack("<QQ", 16 * i, 16 * i + 8) for i in range(1, 20000))
        more = [(".debug_ranges", pairs + b"\0" * 16, 64 * GB)]
    elif kind == "inlined":
        name = (0x03, 0x08)
        abbrev = ROOT + abbreviation(2, 0x1d, 1, *CODE, name) + abbreviation(3, 0x2e, 1, *CODE, name) + b"\0"
        code, n = struct.pack("<QI", LOW, SIZE), 100000
        info = unit(root() + b"\3" + code + b"f\0" + (b"\2" + code + b"g\0") * n + b"\0" * (n + 2))
    elif kind == "shared":
        abbrev = WITH_LINES
        info = b"".join(with_lines(LOW + 16 * i, 16) for i in range(1000))
        program = b"\0\x09\x02" + struct.pack("<Q", LOW) + b"\x20\x2f" * 8 * MB + b"\0\1\1"
        more = [(".debug_line", line_table(4, OPCODES + b"\0a\0\0\0\0\0", program), 0)]
    elif kind == "fields":
        abbrev, info = WITH_LINES, with_lines()
        fields = b"\xff\5\x0b" + b"\5\x19" * 254
        header = b"\1" + OPCODES + b"\0\0" + fields + uleb(1 << 40) + b"\0" * 64 * MB
        more = [(".debug_line", line_table(5, header, b"\0\1\1"), 0)]
    elif kind == "types":
        n, depth, functions = 400000, 250, 100
        call = [(0x31, 0x20)]  # DW_AT_abstract_origin, DW_FORM_ref_sig8
        abbrev = (ROOT + abbreviation(2, 0x1d, 1, *CODE, *call) + abbreviation(3, 0x2e, 1, *CODE, *call) +
                  abbreviation(4, 0x41, 1) + abbreviation(5, 0x13, 0, (0x47, 0x20)) + b"\0")
        body = b""
        for i in range(functions):
            code = struct.pack("<QI", LOW + 0x800 + 16 * i, 16)
            calls = b"".join(b"\2" + code + struct.pack("<Q", n - depth * i - j) for j in range(depth))
            body += b"\3" + code + struct.pack("<Q", n) + calls + b"\0" * (depth + 1)
        info = unit(root() + body + b"\0")
        more = [(".debug_types", b"".join(
            struct.pack("<IHIBQIBBQ", 30, 4, 0, 8, i, 24, 4, 5, i + 1 if i % 16 else 0) + b"\0" for i in range(n)), 0)]
    elif kind == "split":
        name, number = (0x2130, 8), (0x2131, 7)  # DW_AT_GNU_dwo_name, DW_AT_GNU_dwo_id
        abbrev = abbreviation(1, 0x11, 0, *CODE, name, number) + b"\0"
        info = b"".join(unit(root(LOW + 0x800 + 16 * i, 16) + b"file.dwo\0" + struct.pack("<Q", i)) for i in range(1000))
    elif kind == "dwo":
        return [(".debug_info.dwo", unit(b"\1") * MB, 0), (".debug_abbrev.dwo", abbreviation(1, 0x11, 0) + b"\0", 0)]
    return [(".debug_info", info, 0), (".debug_abbrev", abbrev, 0)] + more


def write(path, parts):
    names, headers, at = b"\0", [(0,) * 10], 4096
    symbols = b"\0" * 24 + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, LOW, SIZE)
    parts = [(".text", b"\x90" * 4096, 0), (".symtab", symbols, 0), (".strtab", b"\0f\0", 0)] + parts
    names_of = []
    for name, _, _ in parts + [(".shstrtab", b"", 0)]:
        names_of.append(len(names))
        names += name.encode() + b"\0"
    parts.append((".shstrtab", names, 0))
    with open(path, "wb") as f:
        for number, (name, content, claimed) in zip(names_of, parts):
            f.seek(at)
            f.write(content)
            size = max(len(content), claimed)
            flags, addr = (6, LOW) if name == ".text" else (0, 0)
            kind, link, info, entry = (2, 3, 1, 24) if name == ".symtab" else (1, 0, 0, 0)
            headers.append((number, kind, flags, addr, at, size, link, info, 1, entry))
            at += size
        f.seek(at)
        f.write(b"".join(struct.pack("<IIQQQQIIQQ", *h) for h in headers))
        f.seek(0)
        f.write(b"\x7fELF\2\1\1" + b"\0" * 9)
        f.write(struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, LOW, 64, at, 0, 64, 56, 1, 64, len(headers), len(headers) - 1))
        f.write(struct.pack("<IIQQQQQQ", 1, 5, 4096, LOW, LOW, 4096, SIZE, 4096))


if sys.argv[1] == "entries":
    write_entries(sys.argv[2])
else:
    write(sys.argv[2], sections(sys.argv[1]))
if sys.argv[1] == "split":
    write(sys.argv[2] + ".dwo", sections("dwo"))
