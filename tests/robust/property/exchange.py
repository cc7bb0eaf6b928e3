"""What one program writes every other one reads."""
from decimal import Decimal
import json
import re

from generate import Junk, columns, folded, parse_folded, samples, text_of, totals
from harness import execute, must, output


def is_ambiguous(text, counts):
    """True for stacks that by themselves could be something else: if all names end in a blank and a number, these are
    counts too, as folded(5) says under "Two counts"; and if all begin with "#" and a blank, they are comments."""
    lines = text.splitlines()
    return columns(lines) != counts or all(line.startswith((b"# ", b"#\t")) for line in lines)


def generate_perf(rand):
    units = [unit for unit in samples(rand) if not isinstance(unit, Junk)]
    return units, {"cut": rand.random() < 0.2, "collapse": rand.choice(([], ["--all"], ["--tid"], ["--no-comm"],
                                                                       ["--addrs"], ["--weight=period"]))}


CONTROL = re.compile("[\x01-\x1f\x7f]")


def report_of(text, *options):
    """What stackreport has: the count, and the rows by name. JSON escapes what programs that write text mask."""
    report = json.loads(output(["stackreport", "--format=json", *options], text).decode("utf-8"))
    rows = sorted((CONTROL.sub("?", row["name"]), row["self"], row["total"]) for row in report["rows"])
    return report["count"], rows


def check_perf(units, options):
    """perf-script and stackfilter change nothing that others see, and their own output not at all."""
    text = text_of(units)
    if options["cut"]:
        text = text.rstrip(b"\n")
    events = ["--event=all"]
    wanted = output(["stackcollapse"] + events + options["collapse"], text)
    report = report_of(text, *events)
    copies = [output([program], text) for program in ("perf-script", "stackfilter")]
    if not options["cut"] and all(unit.blank for unit in units):
        must(copies[0] == copies[1], "perf-script gives", copies[0], "\nand stackfilter", copies[1])
    for program, copy in zip(("perf-script", "stackfilter"), copies):
        again = output([program], copy)
        must(again == copy, program, "changes its own output from", copy, "\nto", again)
    got = output(["stackcollapse"] + events + options["collapse"], copies[0])
    must(got == wanted, "of the copy are folded", got, "\nand not", wanted)
    got = report_of(copies[0], *events)
    must(got == report, "of the copy is reported", got, "\nand not", report)


def check_folds(units, options):
    """What is folded from samples has the same sums in stackcollapse, stackreport, flamesvg and stackdiff."""
    text = output(["stackcollapse", "--event=all", "--all"], text_of(units))
    if is_ambiguous(text, 1):
        return
    again = output(["stackcollapse"], text)
    must(again == text, "stackcollapse changes its own output from", text, "\nto", again)
    again = output(["stackfilter"], text)
    must(again == text, "stackfilter without options changes", text, "\nto", again)
    if not text:
        return
    wanted = sum(totals(text))
    by_perf, by_folded = report_of(text_of(units), "--event=all"), report_of(text)
    must(by_perf[0] == by_folded[0] == wanted, "stackreport counts", by_perf[0], "of samples and", by_folded[0],
         "of stacks, and not", wanted)
    must(by_perf[1] == by_folded[1], "stackreport has of samples", by_perf[1], "\nand of stacks", by_folded[1])


def check_stacks(units, _):
    """The same of any folded text, with one count and with two."""
    text = text_of(units)
    merged = output(["stackcollapse", "--from=folded"], text)
    wanted = totals(text)
    must(totals(merged, len(wanted)) == wanted, "the sums of", merged, "are not", wanted)
    if is_ambiguous(merged, len(wanted)):
        return
    for program in ("stackcollapse", "stackfilter"):
        again = output([program], merged)
        must(again == merged, program, "changes", merged, "\nto", again)
    if not merged or sum(sum(counts) for _, counts in parse_folded(merged)) == 0:
        return
    if len(wanted) == 1:
        result = execute(["stackreport", "--format=json"], merged)
        got = json.loads(result.out.decode("utf-8"), parse_float=Decimal, parse_int=Decimal)["count"]
        must(got == wanted[0], wanted, "is not the sum of", result)
    picture = execute(["flamesvg"], merged)
    must("skipped" not in picture.err, "not all is drawn:", picture)


def generate_folded(rand):
    return folded(rand, junk=False), {}


PROPERTIES = {
    "exchange-perf": (generate_perf, check_perf),
    "exchange-folds": (generate_perf, check_folds),
    "exchange-stacks": (generate_folded, check_stacks),
}
