#!/usr/bin/env python3
"""Gives changed inputs of a format to the script replaced and to our program of its name, and compares the answers.

usage: differential.py COMPAT FLAMEGRAPH_DIR FORMAT COUNT

The inputs are those of tests/data/stackcollapse, changed at random, the same on every run; of range-perf, which is no
format, the beginnings of recordings in tests/data. The first input that gets different answers is kept as
differential.FORMAT in the current folder.
"""
import gzip
import os
import random
import re
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
SPECIAL = b" \t\r;:()[]{}<>+-/\"'#@%,.=0159x_`$a"
# Numbers of 16 digits and more are floating-point numbers to the scripts, which we do not follow.
LONG_NUMBER = re.compile(rb"[0-9]{16,}")
# stap's printf takes a frame for a format, which loses text: a bug listed in the manual page.
AVOID = {"stap": rb"%"}
# Recordings for range-perf.pl, and its options and operands. It reads standard input.
RANGES = [("no-callchain", ["0.05", "0.15"]), ("records", ["--timeraw", "2515.9", "1e9"]),
          ("page-faults", ["--timezerosecs", "0.108", "inf"]), ("two-events", ["0", "0.005"])]
RECORDING_BYTES = 20000


def read(*names):
    with open(os.path.join(DATA, *names), "rb") as file:
        return gzip.decompress(file.read())[:RECORDING_BYTES] if names[-1].endswith(".gz") else file.read()


def cases(wanted):
    """The script, the input's text and the arguments of each case."""
    if wanted == "range-perf":
        return [("range-perf.pl", read(name + ".perf.txt.gz"), arguments) for name, arguments in RANGES]
    rows = [line.decode().split() for line in read("stackcollapse", "cases").splitlines()]
    return [(row[0], read("stackcollapse", wanted, row[2]), row[3:]) for row in rows if row[1] == wanted]


def change_bytes(text, rand):
    at = rand.randrange(len(text) + 1)
    end = min(len(text), at + rand.choice((1, 1, 2, 5, 20)))
    kind = rand.randrange(4)
    if kind == 0:
        return text[:at] + bytes([rand.choice(SPECIAL)]) + text[at:]
    if kind == 1:
        return text[:at] + bytes([rand.choice(SPECIAL)]) + text[at + 1:]
    if kind == 2:
        return text[:at] + text[end:]
    return text[:end] + text[at:]


def change_lines(text, rand):
    lines = text.splitlines(keepends=True) or [b"\n"]
    at, other = rand.randrange(len(lines)), rand.randrange(len(lines))
    kind = rand.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[other])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines.insert(at, rand.choice((b"\n", b" \n", b"x\n", b"\t\n")))
    elif kind == 4:
        lines[at] = lines[at].rstrip(b"\n")
    else:
        lines = lines[:at + 1]
    return b"".join(lines)


def changed(text, rand):
    for _ in range(rand.randrange(1, 6)):
        text = rand.choice((change_bytes, change_lines))(text, rand)
    return text


def script_file(flamegraph, script):
    path = os.path.join(flamegraph, script)
    if script != "stackcollapse-vtune.pl":
        return path
    # It does not compile: a "my" is missing.
    with open(path) as file:
        text = file.read().replace("\n\t$func = ", "\n\tmy $func = ")
    with open(script, "w") as file:
        file.write(text)
    return script


# awk has no order among the stacks that this one prints.
UNORDERED = "stackcollapse-perf-sched.awk"
# The scripts in awk use GNU's \s, and integers of more than 31 bits.
INTERPRETERS = {".pl": ["perl"], ".awk": ["gawk", "-f"], ".php": ["php"], ".py": [sys.executable]}


def answer(program, options, name, text):
    with open(name, "wb") as file:  # for each: stackcollapse-xdebug.php changes its input
        file.write(text)
    with open(name, "rb") as file:
        done = subprocess.run([*program, *options, name], stdin=file, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"}, check=False)
    unordered = program[-1].endswith(UNORDERED)
    return done.returncode, sorted(done.stdout.splitlines()) if unordered else done.stdout


def main():
    compat, flamegraph, wanted, count = sys.argv[1:5]
    rows, rand = cases(wanted), random.Random(wanted)
    name, tried = "differential." + wanted, 0
    while tried < int(count):
        script, text, options = rows[tried % len(rows)]
        text = changed(text, rand)
        if LONG_NUMBER.search(text) or (wanted in AVOID and re.search(AVOID[wanted], text)):
            continue
        interpreter = INTERPRETERS[os.path.splitext(script)[1]]
        theirs = answer([*interpreter, script_file(flamegraph, script)], options, name, text)
        ours = answer([os.path.join(compat, script)], options, name, text)
        if theirs != ours:
            print(f"{script} {' '.join(options)} {name}: status and output differ: {theirs[0]} {ours[0]}")
            return 1
        tried += 1
    for left in (name, name + "n"):  # the second is sed's copy for stackcollapse-xdebug.php
        if os.path.exists(left):
            os.remove(left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
