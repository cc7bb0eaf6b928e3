"""Samples in = samples out + samples reported."""
from decimal import Decimal
import json
import re

from generate import (EVENTS, KINDS, PATTERNS, Junk, Sample, folded, samples, text_of, totals)
from harness import execute, must

REPORTED = re.compile(r"([0-9,]+) of ([0-9,]+) samples (?:are of other events and left out|have no frames and are left)")
DROPPED = re.compile(r"([0-9,.]+)(?: and ([0-9,.]+))? of [0-9,. and]+ (?:samples|counts) dropped by")
SKIPPED = re.compile(r"([0-9,]+) lines? skipped \(first")
NOTHING = re.compile(r"no sample of |no line could be used|no line is |no samples in the input|none of [0-9,]+ samples fits")


def number(text):
    return Decimal(text.replace(",", ""))


def reported(result):
    return sum(number(some) for some, _ in REPORTED.findall(result.err))


def of_samples(units):
    return [unit for unit in units if isinstance(unit, Sample)]


def check_skipped(units, result):
    wanted = sum(unit.skipped for unit in units if isinstance(unit, Junk))
    got = sum(number(n) for n in SKIPPED.findall(result.err))
    must(got == wanted, got, "lines skipped, not", wanted, "by", result)


def choose_event(rand):
    return rand.choice(([], [], ["--event=all"], ["--event=all"], ["--event=" + rand.choice(EVENTS)],
                        ["--event=c*,off-cpu"]))


def is_wanted(options, units):
    """Which samples an --event lets pass; without it those of the first one's event."""
    found = of_samples(units)
    lists = [option[len("--event="):] for option in options if option.startswith("--event=")]
    if not lists:
        return lambda sample: sample.event == found[0].event
    if lists[0] == "all":
        return lambda sample: True
    if lists[0] == "c*,off-cpu":
        return lambda sample: sample.event.startswith("c") or sample.event == "off-cpu"
    return lambda sample: sample.event == lists[0]


def expect(options, units, result, got):
    """The sum of the weights of the wanted samples is in `got` or, sample by sample, in the messages."""
    by = next((option[len("--weight="):] for option in options if option.startswith("--weight=")), None)
    wanted = is_wanted(options, units)
    taken = [sample for sample in of_samples(units) if wanted(sample)]
    others = len(of_samples(units)) - len(taken)
    bare = [sample for sample in taken if not sample.frames and "--no-comm" in options and "left out" in result.err]
    weight = sum(sample.weight(by) for sample in taken)
    lost = sum(sample.weight(by) for sample in bare)
    must(got == weight - lost, "the sum is", got, "and not", weight, "-", lost, "of", result)
    if NOTHING.search(result.err):
        must(len(taken) == len(bare), "nothing was taken by", result)
    else:
        must(reported(result) == others + len(bare), others, "samples of other events and", len(bare),
             "without frames are not in the messages of", result)
    check_skipped(units, result)


def generate_collapse(rand):
    options = choose_event(rand) + rand.sample(
        ["--pid", "--tid", "--all", "--kernel", "--jit", "--addrs", "--no-comm", "--comm-digits=1", "--srcline",
         "--tidy=" + rand.choice(("perl", "brackets", "none")), "--skip-after=" + rand.choice(PATTERNS),
         "--shorten-pkgs", "--no-pkgs", "--weight=" + rand.choice(("samples", "period"))], rand.randrange(4))
    return samples(rand), {"options": options, "crlf": rand.random() < 0.1, "cut": rand.random() < 0.2}


def text_with(units, options):
    text = text_of(units)
    if options["crlf"]:
        text = text.replace(b"\n", b"\r\n")
    return text.rstrip(b"\r\n") if options["cut"] else text


def check_collapse(units, options):
    result = execute(["stackcollapse", "--from=perf"] + options["options"], text_with(units, options))
    expect(options["options"], units, result, sum(totals(result.out, 1)))


def generate_report(rand):
    by = rand.choice(("function", "dso", "kind", "package", "comm", "thread"))
    options = choose_event(rand) + rand.sample(["--by=" + by, "--weight=" + rand.choice(("samples", "period")),
                                                "--sort=" + rand.choice(("self", "total", "name"))], rand.randrange(4))
    return samples(rand), {"options": options, "crlf": rand.random() < 0.1, "cut": rand.random() < 0.2}


def check_report(units, options):
    command = ["stackreport", "--format=json", "--from=perf"] + options["options"]
    result = execute(command, text_with(units, options))
    report = json.loads(result.out.decode("utf-8"), parse_float=Decimal, parse_int=Decimal)
    expect(options["options"], units, result, report["count"])
    must(sum(row["self"] for row in report["rows"]) == report["count"], "the rows' own counts are not the sum in", result)
    must(all(row["self"] <= row["total"] <= report["count"] for row in report["rows"]), "a row is above all in", result)


FILTERS = (("--node",), ("--drop", PATTERNS), ("--keep", PATTERNS), ("--rename", ["s/a/b/", "s/.*/x/", "s/(.)(.)/\\2\\1/g"]),
           ("--focus", PATTERNS), ("--exclude", PATTERNS), ("--root-at", PATTERNS), ("--collapse-recursion",),
           ("--max-depth", ["1", "2", "5"]), ("--hide", KINDS), ("--only", KINDS), ("--v8-names", ["merge", "tier", "raw"]),
           ("--v8-work", ["hide", "summarize"]), ("--drop", ["dso:libc"]), ("--keep", ["dso:app"]))


def choose_filters(rand):
    chosen = rand.sample(FILTERS, rand.randrange(4))
    return [row[0] if len(row) == 1 else "%s=%s" % (row[0], rand.choice(row[1])) for row in chosen]


def dropped(result):
    """What the messages say was dropped, of each column of counts."""
    found = DROPPED.findall(result.err)
    return [sum(number(row[i] or "0") for row in found) for i in range(2)]


def generate_filter(rand):
    return samples(rand), {"options": choose_filters(rand), "crlf": rand.random() < 0.1, "cut": rand.random() < 0.2}


def check_filter(units, options):
    result = execute(["stackfilter", "--from=perf"] + options["options"], text_with(units, options))
    heads = [line for line in result.out.splitlines() if b": " in line + b" " and not line.startswith((b"\t", b" "))]
    wanted, gone = len(of_samples(units)), dropped(result)[0]
    must(len(heads) + gone == wanted, len(heads), "samples and", gone, "dropped are not", wanted, "of", result)
    folded_again = execute(["stackcollapse", "--from=perf", "--event=all", "--weight=samples"], result.out)
    must(sum(totals(folded_again.out, 1)) == len(heads), "not all are folded:", folded_again)


def generate_folded(rand):
    return folded(rand), {"options": choose_filters(rand) + ["--no-comm"] * rand.randrange(2), "by": rand.choice(
        ("function", "kind", "package", "comm", "thread")), "crlf": rand.random() < 0.1, "cut": rand.random() < 0.2}


def check_folded(units, options):
    """Of folded text each column of counts stays, through each program."""
    text = text_with(units, options)
    wanted = totals(text)
    no_comm = [option for option in options["options"] if option == "--no-comm"]
    result = execute(["stackcollapse", "--from=folded"], text)
    must(totals(result.out, len(wanted)) == wanted, wanted, "is not the sum of", result)
    check_skipped(units, result)
    result = execute(["stackfilter", "--from=folded"] + options["options"], text)
    rest = totals(result.out, len(wanted))
    both = [got + gone for got, gone in zip(rest or [0] * len(wanted), dropped(result))]
    must(both == wanted, wanted, "is not", both, "the sum and what is dropped of", result)
    if len(wanted) > 1:
        return
    result = execute(["stackreport", "--from=folded", "--format=json", "--by=" + options["by"]] +
                     (no_comm if options["by"] not in ("comm", "thread") else []), text)
    report = json.loads(result.out.decode("utf-8"), parse_float=Decimal, parse_int=Decimal)
    must([report["count"]] == (wanted or [0]), wanted, "is not the sum of", result)
    must(sum(row["self"] for row in report["rows"]) == report["count"], "the rows' own counts are not the sum in", result)
    check_skipped(units, result)


def generate_picture(rand):
    return folded(rand), {"options": rand.sample(["--reverse", "--inverted", "--flamechart", "--html",
                                                  "--colors=node", "--hash", "--negate"], rand.randrange(3)),
                          "crlf": rand.random() < 0.1, "cut": rand.random() < 0.2}


def check_picture(units, options):
    text = text_with(units, options)
    wanted = (totals(text) or [Decimal(0)])[-1]
    result = execute(["flamesvg"] + options["options"], text)
    check_skipped(units, result)
    if wanted == 0:
        must(result.status == 1, "nothing to draw is no error for", result)
        return
    got = Decimal(re.search(rb'data-total="([^"]*)"', result.out).group(1).decode())
    must(abs(got - wanted) <= abs(wanted) * Decimal("1e-14"), got, "is drawn, not", wanted, "by", result)


def generate_selection(rand):
    units = [unit.but(blank=True) if isinstance(unit, Sample) else unit for unit in samples(rand, tame=True)]
    return units, {"field": rand.choice(("pid", "tid", "comm", "cpu", "event", "time"))}


def selected(units, options):
    result = execute(["perf-script"] + options, text_of(units))
    return result, sum(line.startswith((b"node ", b"a b ", b"c ")) for line in result.out.splitlines())


def check_selection(units, options):
    """The samples of each process are all samples; the same of each thread, event ..., and of slices of the time."""
    found, field = of_samples(units), options["field"]
    if field == "time":
        middle = found[len(found) // 2].ns // 1000 if found else 0
        slices = [("0,%d.%06d" % divmod(middle, 10**6), lambda unit: unit.ns // 1000 <= middle),
                  ("%d.%06d5,9999999" % divmod(middle, 10**6), lambda unit: unit.ns // 1000 > middle)]
    else:
        slices = [(str(value), lambda unit, value=value: getattr(unit, field) == value)
                  for value in sorted({getattr(unit, field) for unit in found})]
    for value, fits in slices:
        result, got = selected(units, ["--%s=%s" % (field, value)])
        wanted = sum(fits(unit) for unit in found)
        must(got == wanted, got, "samples, and not", wanted, "are selected by", result)
        must(wanted > 0 or not found or result.status == 1, "no sample, and no error of", result)
    stats = json.loads(execute(["perf-script", "--stats=json"], text_of(units)).out.decode("utf-8"))
    must(stats["samples"] == len(found), stats["samples"], "samples are counted, not", len(found))


PROPERTIES = {
    "total-collapse": (generate_collapse, check_collapse),
    "total-report": (generate_report, check_report),
    "total-filter": (generate_filter, check_filter),
    "total-folded": (generate_folded, check_folded),
    "total-picture": (generate_picture, check_picture),
    "total-select": (generate_selection, check_selection),
}
