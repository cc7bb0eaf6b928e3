#!/usr/bin/env python3
"""Checks a property of the programs on generated inputs.

usage: [BIN=folder] run.py [--seed N] [--cases N] [--case N] PROPERTY ...

Prints the seed and how many cases hold. Of the first case that fails it prints what failed, the options, and the
smallest input that fails alike; --case N runs that case alone. Exits with 1 if one failed.
"""
import argparse
import random
import sys

import harness
from exchange import PROPERTIES as EXCHANGE
from members import PROPERTIES as MEMBERS
from order import PROPERTIES as ORDER
from reading import PROPERTIES as READING
from total import PROPERTIES as TOTAL

PROPERTIES = {**TOTAL, **ORDER, **READING, **EXCHANGE, **MEMBERS}


def describe(name, seed, number, options, units, why):
    print("%s: seed %d, case %d fails: %s" % (name, seed, number, why))
    print("options: %s" % (options,))
    print("input, %d units:" % len(units))
    for unit in units:
        for line in unit.text.splitlines(keepends=True):
            print("    %r" % line)


def run(name, seed, numbers):
    generate, check = PROPERTIES[name]
    for number in numbers:
        units, options = generate(random.Random("%s %d %d" % (name, seed, number)))
        why = harness.failure(check, units, options)
        if why is None:
            continue
        units = harness.shrink(units, lambda some: harness.failure(check, some, options) is not None)
        describe(name, seed, number, options, units, harness.failure(check, units, options) or why)
        return False
    print("%s: seed %d, %d cases hold" % (name, seed, len(numbers)))
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("properties", nargs="*", default=[], metavar="PROPERTY")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--case", type=int)
    given = parser.parse_args()
    numbers = range(given.cases) if given.case is None else [given.case]
    results = [run(name, given.seed, numbers) for name in given.properties or sorted(PROPERTIES)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
