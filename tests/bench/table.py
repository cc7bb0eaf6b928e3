#!/usr/bin/env python3
"""Puts the figures of bench.json into a README, between the lines <!-- bench --> and <!-- /bench -->. Rows that were
not measured stay.

Usage: table.py bench.json README.md
"""
import json
import re
import sys


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
        ratio = "%.1f ×" % row["ratio"] if row["bytes"] > 50e6 else "%.1f ms" % (row["seconds"] * 1e3)
        slower = rivals(row)
        if row["bytes"] <= 50e6:  # too small for wc -l to measure anything
            slower = ", ".join("`%s` %.0f × ours" % (k, r["times_ours"]) for k, r in row["rivals"].items())
        yield "| `%s` | %s | %s | %s | %.0f MB | %s |" % (
            row["program"], row["input"], size(row["bytes"]), ratio, max(row["memory_kib"] / 1024, 1), slower)


def key(line):
    return line.split("|")[1:3]  # program and input


def main(bench, readme):
    with open(bench, encoding="utf-8") as f:
        new = list(table(json.load(f)))
    with open(readme, encoding="utf-8") as f:
        page = f.read()
    mark = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.S)
    if not mark.search(page):
        sys.exit("table.py: %s: no lines <!-- bench --> and <!-- /bench -->" % readme)
    lines = {tuple(key(line)): line for line in mark.search(page).group(0).splitlines()[1:-1] + new}
    with open(readme, "w", encoding="utf-8") as f:
        f.write(mark.sub(lambda m: m.group(1) + "\n".join(lines.values()) + "\n" + m.group(2), page))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
