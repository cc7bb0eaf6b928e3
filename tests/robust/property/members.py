"""The order in which an object of JSON has its members does not matter: not where the profiles of other profilers come
from a program that sorts them, such as jq -S, or from one that keeps them in a hash table."""
import json
import os
import random

from harness import ROOT, execute, must

FORMATS = os.path.join(ROOT, "tests", "data", "stackcollapse")


class Number(str):
    """A number as it is written."""


def write(value, order):
    """The JSON text of a value; order() returns an object's members in some order."""
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (json.dumps(k), write(v, order)) for k, v in order(list(value.items())))
    if isinstance(value, list):
        return "[%s]" % ",".join(write(v, order) for v in value)
    return value if isinstance(value, Number) else json.dumps(value)


class Profile:
    """A file of tests/data/stackcollapse that is JSON, and how to shuffle it."""

    def __init__(self, path, value, seed):
        self.path, self.value, self.seed = path, value, seed
        self.text = ("%s, shuffled with seed %d" % (os.path.relpath(path, ROOT), seed)).encode()

    def smaller(self):
        return []

    def plain(self):
        return write(self.value, lambda members: members).encode()

    def shuffled(self):
        rand = random.Random(self.seed)
        return write(self.value, lambda members: rand.sample(members, len(members))).encode()

    def sorted(self):
        return write(self.value, sorted_members).encode()


def sorted_members(members):
    return sorted(members, key=lambda member: member[0])


def read(path):
    with open(path, "rb") as f:
        text = f.read()
    try:
        return json.loads(text, parse_int=Number, parse_float=Number) if text.lstrip()[:1] in (b"{", b"[") else None
    except ValueError:
        return None


def profiles():
    """The paths and values of all profiles."""
    paths = [os.path.join(folder, file) for folder, _, files in os.walk(FORMATS) for file in files
             if os.path.splitext(file)[1] not in (".own", ".folded")]
    return [(path, value) for path, value in ((path, read(path)) for path in sorted(paths)) if value is not None]


PROFILES = []


def generate_members(rand):
    PROFILES.extend([] if PROFILES else profiles())
    path, value = rand.choice(PROFILES)
    return [Profile(path, value, rand.randrange(10**9))], {"weight": rand.choice(([], ["--weight=samples"]))}


def check_members(units, options):
    """stackcollapse prints the same stacks and messages for the same members in any order."""
    for unit in units:
        plain, shuffled, in_order = (execute(["stackcollapse"] + options["weight"], text)
                                     for text in (unit.plain(), unit.shuffled(), unit.sorted()))
        for other in (shuffled, in_order):
            must((plain.out, plain.err, plain.status) == (other.out, other.err, other.status),
                 "the order of members changes", plain, "\nto", other)
        must(plain.out != b"", "no stacks in", unit.path, plain)


PROPERTIES = {"order-members": (generate_members, check_members)}
