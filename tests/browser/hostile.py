#!/usr/bin/env python3
"""Draws pictures with the names of tests/data/flamesvg/hostile in every field, and checks what is in the files: that
they are XML (or, for pages, JSON) and hold each name as it is to be shown.

Usage: hostile.py FLAMESVG KIND FOLDER

KIND is svg, html (FLAMESVG --html) or perl (FLAMESVG is flamegraph.pl's name). FOLDER gets the pictures, and
wanted.json, which tells hostile.js what they show. Prints what is wrong; status 1 if anything is.
"""
import base64
import gzip
import json
import os
import re
import subprocess
import sys
import xml.parsers.expat

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "flamesvg", "hostile")
LONG = 100 * 1024
UNSHOWN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # what XML cannot hold; the table can
ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|u\{([0-9A-F]+)\}|([nrt\\]))")


def unescaped(text):
    def replace(m):
        if m[1]:
            return bytes([int(m[1], 16)])
        if m[2]:
            return chr(int(m[2], 16)).encode()
        return {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}[m[3]]
    return ESCAPE.sub(replace, text)


def read_names():
    """Pairs: a name, bytes, and what it is shown as, text."""
    with open(LIST, "rb") as f:
        rows = [line.rstrip(b"\n").split(b"\t") for line in f if not line.startswith(b"# ") and line != b"#\n"]
    names = [(unescaped(row[0]), unescaped(row[-1]).decode()) for row in rows]
    long = b"<]]>&\\" + b"x" * LONG
    return names + [(long, long.decode())]


def raw(text):
    """As a text is shown where controls of direction stay: in headings and words that the user gives, and in all under
    the Perl name."""
    return re.sub(r"<U\+([0-9A-F]{4})>", lambda m: chr(int(m[1], 16)), text)


class Picture:
    """What an XML file holds: elements by id, the titles of frames, comments."""

    def __init__(self, path):
        self.texts, self.titles, self.comments, self.attributes, self.elements = {}, [], [], {}, set()
        self.open = []  # of elements that are not closed yet: name, id, text
        parser = xml.parsers.expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text
        parser.CommentHandler = self.comments.append
        with open(path, "rb") as f:
            parser.ParseFile(f)

    def start(self, name, attributes):
        self.open.append([name, attributes.get("id"), ""])
        self.elements.add(name)
        if not self.attributes:
            self.attributes = attributes

    def text(self, text):
        self.open[-1][2] += text

    def end(self, name):
        _, key, text = self.open.pop()
        self.texts.setdefault(key, text)
        if name == "title":
            self.titles.append(text)


ALLOWED = {"svg", "defs", "linearGradient", "stop", "style", "rect", "text", "tspan", "g", "a", "title", "path", "script"}


class Check:
    def __init__(self, flamesvg, kind, folder):
        self.flamesvg, self.kind, self.folder = flamesvg, kind, folder
        self.names, self.wrong = read_names(), 0

    def complain(self, file, what, wanted, got):
        self.wrong += 1
        print("%s: %s: wanted %.200r, got %.200r" % (file, what, wanted, got))

    def draw(self, name, folded, options):
        file = "%s.%s" % (name, "html" if self.kind == "html" else "svg")
        argv = [self.flamesvg] + ([] if self.kind == "perl" else [b"-q"]) + ([b"--html"] if self.kind == "html" else [])
        with open(os.path.join(self.folder, file), "wb") as out:
            done = subprocess.run(argv + options, input=folded, stdout=out, stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.complain(file, "status", 0, (done.returncode, done.stderr))
        return file

    def parsed(self, file):
        try:
            picture = Picture(os.path.join(self.folder, file))
        except xml.parsers.expat.ExpatError as error:
            self.complain(file, "XML", "", str(error))
            return None
        if picture.elements - ALLOWED:
            self.complain(file, "elements", set(), picture.elements - ALLOWED)
        return picture

    def table(self, file):
        """The table of frames that a picture holds as JSON; an empty one if it has none."""
        with open(os.path.join(self.folder, file), "rb") as f:
            text = f.read()
        found = re.search(rb'<script type="application/json"><!\[CDATA\[(.*?)\]\]></script>', text, re.S)
        packed = re.search(rb'<script type="application/gzip">(.*?)</script>', text, re.S)
        return json.loads(gzip.decompress(base64.b64decode(packed[1])) if packed else found[1]) if found or packed else {"names": []}

    def frames(self):
        """A picture with a frame for each name; those with semicolons are several."""
        names = [(name, shown) for name, shown in self.names if b"\n" not in name]
        folded = b"".join(b"n%03d;%s 1\n" % (i, name) for i, (name, _) in enumerate(names))
        file = self.draw("frames", folded, [])
        parts = [re.sub(";+$", "", shown).split(";") for _, shown in names]
        self.check_frames(file, parts)
        return {"file": file, "stacks": parts}

    def check_frames(self, file, parts):
        """Static frames have titles, all frames a name in the table."""
        table = {UNSHOWN.sub("\ufffd", name) for name in self.table(file)["names"]}
        held = None if self.kind == "html" else self.parsed(file)
        titles = {re.sub(r" \([^(]*$", "", title) for title in held.titles} if held else set()
        for part in sum(parts, []):
            static = raw(part) if self.kind == "perl" else part
            if static not in titles and part not in table:
                self.complain(file, "frame", part, "none")

    def fields(self, i, name, shown):
        """A picture with the name in every field but those of frames, and in attributes of frames."""
        value = name.replace(b"&", b"&amp;")
        text = value if re.search(b"&(#|amp;|lt;)", name) else name  # of options, which may hold such references
        options = [b"--title", text, b"--subtitle", text, b"--nametype", text, b"--countname", text]
        notes = re.sub(b"[<>]", b"", name)
        attributes = os.path.join(self.folder, "attributes")
        with open(attributes, "wb") as f:
            if not re.search(b"[\t\n\r]", name):
                f.write(b'attr\ttitle=%s\thref=%s\tid=%s\tclass=%s\tg_extra=data-name="%s"\n' % ((value,) * 5))
                f.write(b"raw\thref=#a\ta_extra=%s\tg_extra=%s\n" % (name, name))
        folded = b"attr 1\nmain;%s 1\nraw 1\n" % name.replace(b"\n", b" ")
        file = self.draw("%03d" % i, folded, options + [b"--notes", notes, b"--nameattr", attributes])
        if self.kind != "html":
            self.check_fields(file, notes, shown, not re.search(b"[\t\n\r]", name))
        return {"file": file, "shown": shown, "query": "".join("%%%02x" % byte for byte in name),
                "term": name.decode(errors="replace")}

    def check_fields(self, file, notes, shown, has_attributes):
        picture = self.parsed(file)
        if picture is None:
            return
        for what, got in (("title", picture.texts.get("title")), ("subtitle", picture.texts.get("subtitle")),
                          ("nametype", picture.attributes.get("data-nametype")),
                          ("countname", picture.attributes.get("data-countname"))):
            if got != raw(shown):
                self.complain(file, what, raw(shown), got)
        title = raw(shown) if self.kind == "perl" else shown
        if has_attributes and title not in picture.titles:
            self.complain(file, "title of --nameattr", title, picture.titles)
        if notes and not picture.comments:
            self.complain(file, "notes", notes, "none")

    def run(self):
        wanted = {"kind": self.kind, "frames": self.frames(), "pictures": []}
        for i, (name, shown) in enumerate(self.names):
            if b"\0" not in name and len(name) < LONG:  # what an argument can hold
                wanted["pictures"].append(self.fields(i, name, shown))
        with open(os.path.join(self.folder, "wanted.json"), "w", encoding="utf-8") as f:
            json.dump(wanted, f)
        return 1 if self.wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(Check(*sys.argv[1:]).run())
