#!/usr/bin/env python3
"""Writes the figures of bench.json into a page of Markdown, between the lines <!-- bench --> and <!-- /bench -->, and
those of bench-browser.json between such lines with that name. Rows that were not measured stay.

Usage: table.py RESULTS.md bench.json [bench-browser.json]
"""
import json
import os
import re
import sys

PICTURES = {"own": "`flamesvg`", "html": "`flamesvg --html`", "perl": "our `flamegraph.pl`",
            "flamegraph.pl": "`flamegraph.pl`", "inferno": "`inferno-flamegraph`", "d3": "d3-flame-graph"}


LARGE = 20e6  # bytes; on less, wc -l takes about as long as any program takes to start


def size(n):
    return "%.0f MB" % (n / 1e6) if n >= 1e6 else "-"


def rivals(row):
    return ", ".join("`%s` %.0f ×" % (name, r["ratio"]) for name, r in row["rivals"].items()) or ""


def table(rows):
    yield "| program | input | size | time beside `wc -l` | memory | on the same file |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        if row["bytes"] == 0:
            continue
        if "samples" in row:
            others = ", ".join("`%s` %.0f × ours, %.0f MB" % (k, r["times_ours"], r["memory_kib"] / 1024)
                               for k, r in row["rivals"].items())
            yield "| `%s` | %s | %s samples | %.0f ms | %.0f MB | %s |" % (
                row["program"], row["input"], format(row["samples"], ","), row["seconds"] * 1e3,
                row["memory_kib"] / 1024, others)
            continue
        ratio = "%.1f ×" % row["ratio"] if row["bytes"] > LARGE else "%.1f ms" % (row["seconds"] * 1e3)
        slower = rivals(row)
        if row["bytes"] <= LARGE:
            slower = ", ".join("`%s` %.0f × ours" % (k, r["times_ours"]) for k, r in row["rivals"].items())
        yield "| `%s` | %s | %s | %s | %.0f MB | %s |" % (
            row["program"], row["input"], size(row["bytes"]), ratio, max(row["memory_kib"] / 1024, 1), slower)


def browser_table(rows):
    yield "| picture | frames | open | zoom | search | file |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        yield "| %s | %s | %d ms | %d ms | %d ms | %.2f MB |" % (
            PICTURES[row["picture"]], format(row["frames"], ","), row["open"], row["zoom"], row["search"],
            row["bytes"] / 1e6)


TABLES = {"bench": table, "bench-browser": browser_table}


def key(line):
    return line.split("|")[1:3]  # program and input, or picture and frames


def update(page, file):
    name = os.path.splitext(os.path.basename(file))[0]
    with open(file, encoding="utf-8") as f:
        new = list(TABLES[name](json.load(f)))
    mark = re.compile(r"(<!-- %s -->\n).*?(<!-- /%s -->)" % (name, name), re.S)
    if not mark.search(page):
        sys.exit("table.py: no lines <!-- %s --> and <!-- /%s -->" % (name, name))
    lines = {tuple(key(line)): line for line in mark.search(page).group(0).splitlines()[1:-1] + new}
    return mark.sub(lambda m: m.group(1) + "\n".join(lines.values()) + "\n" + m.group(2), page)


def main(path, files):
    with open(path, encoding="utf-8") as f:
        page = f.read()
    for file in files:
        page = update(page, file)
    with open(path, "w", encoding="utf-8") as f:
        f.write(page)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
