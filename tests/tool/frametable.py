#!/usr/bin/env python3
"""The table of frames in a picture of flamesvg, decoded without the picture's script, and the same counted from
folded stacks, so that the two can be compared.

usage: frametable.py decode PICTURE      a line for each frame: depth, start, width, its fill and its name
       frametable.py json PICTURE        the table as it is
       frametable.py frames PICTURE      how many frames it has
       frametable.py slices PICTURE      what was seen in each cell of time, as folded stacks
       frametable.py turns PICTURE       what was seen in each long turn of an event loop, the same way
       frametable.py count FOLDED [order|size]
                                         a line for each frame: depth, start, width and name; `order`: as the lines
                                         are, not sorted; `size`: the largest callee first
"""
import base64
import decimal
import gzip
import html.parser
import json
import sys
import xml.etree.ElementTree

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
JSON_TYPE = "application/json"
PACKED_TYPE = "application/gzip"


class Page(html.parser.HTMLParser):
    """Keeps the text of the scripts of an HTML page, by their type."""

    def __init__(self):
        super().__init__()
        self.scripts, self.type = {}, None

    def handle_starttag(self, tag, attrs):
        self.type = dict(attrs).get("type", "") if tag == "script" else None

    def handle_endtag(self, tag):
        self.type = None

    def handle_data(self, data):
        if self.type is not None:
            self.scripts[self.type] = self.scripts.get(self.type, "") + data


def read_table(path):
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"<!DOCTYPE html>"):
        page = Page()
        page.feed(data.decode())
        text = gzip.decompress(base64.b64decode(page.scripts[PACKED_TYPE], validate=True))
        return json.loads(text, parse_float=decimal.Decimal)
    for element in xml.etree.ElementTree.fromstring(data).iter("{http://www.w3.org/2000/svg}script"):
        if element.get("type") == JSON_TYPE:
            return json.loads(element.text, parse_float=decimal.Decimal)
    sys.exit("no table")


def numbers(text):
    value = 0
    for letter in text:
        digit = ALPHABET.index(letter)
        value = value * 32 + digit % 32
        if digit < 32:
            yield value
            value = 0


def plain(number):
    """12, 12.5; never 1E+1."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def decode(table):
    scale = decimal.Decimal(table["scale"])
    column = numbers(table["frames"])
    fills = list(numbers(table.get("frameFills", table["nameFills"])))
    deltas = [n // 2 if n % 2 == 0 else -(n + 1) // 2 for n in numbers(table.get("deltas", ""))]
    ends, starts = [], []  # of the open frames: where the next callee begins, and where they began
    for index, (closed, gap, width, name) in enumerate(zip(column, column, column, column)):
        del starts[len(starts) - closed:], ends[len(ends) - closed:]
        start = (ends[-1] if ends else 0) + gap
        if ends:
            ends[-1] = start + width
        fill = table["fills"][fills[index if "frameFills" in table else name]]
        delta = [plain(deltas[index] / scale)] if deltas else []
        shown = table["names"][name] if index > 0 else "all"
        print(len(starts), plain(start / scale), plain(width / scale), *delta, fill, shown, sep="\t")
        starts.append(start)
        ends.append(start)


def stacks_of(table):
    """For each frame its stack, with the name of every frame from the root's callee on."""
    column = numbers(table["frames"])
    stacks, path = [], []
    for closed, _, _, name in zip(column, column, column, column):
        del path[len(path) - closed:]
        path.append(table["names"][name])
        stacks.append(";".join(path[1:]))
    return stacks


def seconds(ms):
    return f"{ms // 1000}.{ms % 1000:03d}"


def slices(table):
    stacks, scale = stacks_of(table), decimal.Decimal(table["scale"])
    now, length, _ = table["time"]
    ends, when, counts = (numbers(table[key]) for key in ("ends", "when", "counts"))
    cells, frame = [], 0
    for later in numbers(table["cells"]):
        now += later * length
        cells.append(now)
    for further, seen in zip(ends, ends):
        frame, cell = frame + further, -1
        for _ in range(seen):
            cell += next(when) + 1
            print(f"@{seconds(cells[cell])};{stacks[frame]} {plain(next(counts) / scale)}")


def turns(table):
    stacks, start = stacks_of(table), 0
    column = numbers(table["turns"])
    for later in column:
        start += later
        length, tid, stopped, frame = next(column), next(column), next(column), -1
        turn = (f"@{seconds(start)}+{seconds(length)}{'..' * (stopped % 2)}"
                f"{'-' + seconds(stopped // 2) if stopped > 1 else ''}/{tid}")
        for number in iter(lambda: next(column), 0):
            frame += number // 2
            counts = next(column) if number % 2 else 1
            print(f"{turn};{stacks[frame]} {plain(counts / decimal.Decimal(table['scale']))}")


class Node:
    def __init__(self, name, start):
        self.name, self.start, self.width, self.callees = name, start, None, []

    def put(self, depth, start, by_size):
        print(depth, plain(start), plain(self.width), self.name, sep="\t")
        at = start
        for callee in sorted(self.callees, key=lambda c: -c.width) if by_size else self.callees:
            callee.put(depth + 1, at if by_size else callee.start, by_size)
            at += callee.width


def count(path, order):
    with open(path, "rb") as file:
        lines = file.read().splitlines()
    at = decimal.Decimal(0)
    open_nodes = [Node("all", at)]
    if order != "order":
        lines.sort(key=lambda line: (line.rsplit(b" ", 1)[0].split(b";"), line))  # frame by frame
    for line in lines:
        text = line.decode(errors="replace")
        stack, _, number = text.rpartition(" ")
        names = stack.split(";")
        shared = 0
        while shared < min(len(names), len(open_nodes) - 1) and names[shared] == open_nodes[shared + 1].name:
            shared += 1
        for node in open_nodes[shared + 1:]:
            node.width = at - node.start
        del open_nodes[shared + 1:]
        for name in names[shared:]:
            node = Node(name, at)
            open_nodes[-1].callees.append(node)
            open_nodes.append(node)
        at += decimal.Decimal(number)
    for node in open_nodes:
        node.width = at - node.start
    open_nodes[0].put(0, open_nodes[0].start, order == "size")


def main():
    command, path, *rest = sys.argv[1:]
    if command == "decode":
        decode(read_table(path))
    elif command == "frames": # a frame is four numbers, and the last digit of a number is one of the first 32
        print(sum(map(read_table(path)["frames"].count, ALPHABET[:32])) // 4)
    elif command == "slices":
        slices(read_table(path))
    elif command == "turns":
        turns(read_table(path))
    elif command == "json":
        json.dump(read_table(path), sys.stdout, indent=1, default=str)
    else:
        count(path, rest[0] if rest else "")


main()
