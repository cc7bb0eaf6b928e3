"""The order of samples does not matter, nor in which file they are; and stackdiff of two profiles is the mirror of that
of the same two in the other order."""
import json
import os
import random
import tempfile

from generate import Junk, Sample, columns, folded, samples, text_of, totals
from harness import execute, must, output
from total import choose_event, choose_filters


def shuffled(units, options):
    units = list(units)
    random.Random(options["order"]).shuffle(units)
    return units


def same(command, first, second):
    """A program gives the same bytes for both, and the same status."""
    a, b = execute(command, first), execute(command, second)
    must(a.out == b.out and a.status == b.status, "the order changes", a, "\nto", b)


def generate_samples(rand):
    units = [unit.but(blank=True) for unit in samples(rand) if isinstance(unit, Sample)]
    events = choose_event(rand)
    options = {"order": rand.randrange(10**9), "events": events if events else ["--event=all"],
               "weight": rand.choice(("samples", "period")),
               "collapse": rand.choice(([], ["--all", "--tid"], ["--no-comm"], ["--skip-after=main"], ["--addrs"])),
               "report": rand.choice(([], ["--by=dso"], ["--by=thread"], ["--callers=main"], ["--callees=."],
                                      ["--top=2", "--sort=name"]))}
    return units, options


def check_samples(units, options):
    """stackcollapse and stackreport do not depend on the order of samples."""
    first, second = text_of(units), text_of(shuffled(units, options))
    common = ["--from=perf", "--weight=" + options["weight"]] + options["events"]
    same(["stackcollapse"] + common + options["collapse"], first, second)
    for form in ("table", "tsv", "json"):
        same(["stackreport", "--format=" + form, "--width=0"] + common + options["report"], first, second)


def generate_filter(rand):
    units = [unit.but(blank=True) for unit in samples(rand) if isinstance(unit, Sample)]
    return units, {"order": rand.randrange(10**9), "options": choose_filters(rand)}


def check_filter(units, options):
    """stackfilter and perf-script give each sample's lines as they do without the others."""
    for command in (["stackfilter", "--from=perf"] + options["options"], ["perf-script"]):
        first, second = (sorted(output(command, text_of(some)).split(b"\n\n"))
                         for some in (units, shuffled(units, options)))
        must(first == second, "the order changes what", command, "prints")


def generate_stacks(rand):
    units = [unit for unit in folded(rand) if not isinstance(unit, Junk)]
    return units, {"order": rand.randrange(10**9), "options": choose_filters(rand),
                   "picture": rand.sample(["--reverse", "--inverted", "--sort=size", "--html", "--colors=node"],
                                          rand.randrange(3)),
                   "report": rand.choice(([], ["--by=kind"], ["--callers=main"], ["--callees=."], ["--no-comm"]))}


def check_stacks(units, options):
    """No program's output for folded stacks depends on their order, but stackfilter's order of lines."""
    first, second = text_of(units), text_of(shuffled(units, options))
    same(["stackcollapse", "--from=folded"], first, second)
    same(["flamesvg"] + options["picture"], first, second)
    if len(totals(first)) == 1:
        for form in ("table", "tsv", "json"):
            same(["stackreport", "--from=folded", "--format=" + form, "--width=0"] + options["report"], first, second)
    command = ["stackfilter", "--from=folded"] + options["options"]
    lines = [sorted(output(command, text).split(b"\n")) for text in (first, second)]
    must(lines[0] == lines[1], "the order changes what", command, "prints")


def in_files(texts, run):
    """Calls run() with the names of files that hold the texts."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, str(i)) for i in range(len(texts))]
        for name, text in zip(names, texts):
            with open(name, "wb") as file:
                file.write(text)
        return run(names)


def generate_split(rand):
    units, options = generate_samples(rand)
    options["at"] = rand.randrange(len(units) + 1)
    return units, options


def check_split(units, options):
    """Samples in two files, and two profiles of them added up, give what they give in one."""
    common = ["--from=perf", "--weight=" + options["weight"]] + options["events"] + options["collapse"]
    whole = execute(["stackcollapse"] + common, text_of(units))
    parts = [text_of(units[:options["at"]]), text_of(units[options["at"]:])]
    both = in_files(parts, lambda names: execute(["stackcollapse"] + common + names))
    must(both.out == whole.out, "two files give", both, "\nand one gives", whole)
    folds = [execute(["stackcollapse"] + common, part).out for part in parts]
    if any(columns(fold.splitlines()) == 2 for fold in folds):
        return # all their names end in a blank and a number, as folded(5) says under "Two counts"
    added = in_files(folds, lambda names: execute(["stackcollapse", "--from=folded"] + names))
    must(sorted(totals(added.out, 1)) == sorted(totals(whole.out, 1)), "two profiles give", added, "\nand one", whole)


def generate_mirror(rand):
    units = [unit for unit in folded(rand, two=False)]
    return units, {"sides": rand.randrange(10**9), "options": rand.sample(
        ["--strip-hex", "--min-delta=%s" % rand.choice(("0.5", "5", "50"))], rand.randrange(3))}


def mirrored(text):
    lines = [line.rsplit(b" ", 2) for line in text.splitlines()]
    return [[stack, after, before] for stack, before, after in lines]


def check_mirror(units, options):
    """stackdiff b a has the columns of stackdiff a b in the other order."""
    rand = random.Random(options["sides"])
    sides = [rand.random() < 0.5 for _ in range(1000)]
    texts = [b"both;main 1\n" + text_of([unit for unit, side in zip(units, sides) if side == wanted])
             for wanted in (False, True)]

    def diff(form):
        def run(names):
            there = execute(["stackdiff", "--format=" + form] + options["options"] + names)
            return there, execute(["stackdiff", "--format=" + form] + options["options"] + names[::-1])
        return in_files(texts, run)

    there, back = diff("folded")
    must(there.status == back.status, "other statuses:", there, back)
    if "--min-delta" not in "".join(options["options"]): # which changes the counts before alone
        must(mirrored(there.out) == [line.rsplit(b" ", 2) for line in back.out.splitlines()], there, "\nand back", back)
    there, back = diff("json")
    must(there.status == back.status, "other statuses:", there, back)
    if there.status != 0:
        return
    one, other = json.loads(there.out.decode("utf-8")), json.loads(back.out.decode("utf-8"))
    must((one["before"], one["after"]) == (other["after"], other["before"]), there, "\nand back", back)
    rows = [{row["name"]: [row["before"], row["after"], row["change_points"], row["margin_points"],
                           row["certainty_percent"]] for row in some["rows"]} for some in (one, other)]
    turned = {name: [after, before, -change, margin, certain]
              for name, (before, after, change, margin, certain) in rows[1].items()}
    must(rows[0] == turned, there, "\nand back", back)


PROPERTIES = {
    "order-samples": (generate_samples, check_samples),
    "order-filter": (generate_filter, check_filter),
    "order-stacks": (generate_stacks, check_stacks),
    "order-files": (generate_split, check_split),
    "mirror": (generate_mirror, check_mirror),
}
