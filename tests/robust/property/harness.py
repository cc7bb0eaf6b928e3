"""Runs the programs, and shrinks inputs on which a property fails."""
import os
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BIN = os.environ.get("BIN", os.path.join(ROOT, "build", "bin"))
ENVIRONMENT = dict(os.environ, LC_ALL="C")
SECONDS = 60


class Failed(Exception):
    """A property does not hold; the text says why."""


def must(holds, *why):
    if not holds:
        raise Failed(" ".join(str(part) for part in why))


class Result:
    def __init__(self, command, status, out, err):
        self.command, self.status, self.out, self.err = command, status, out, err.decode("utf-8", "replace")

    def __str__(self):
        return "%s: status %d\n%s%s" % (self.command, self.status, self.out.decode("utf-8", "replace"), self.err)


def execute(command, text=b"", **streams):
    """Runs a program, of which a death by a signal, a sanitizer's report and a hang fail any property."""
    if "stdin" not in streams:
        streams["input"] = text
    done = subprocess.run([os.path.join(BIN, command[0])] + command[1:], capture_output=True, env=ENVIRONMENT,
                          timeout=SECONDS, close_fds=False, check=False, **streams)
    result = Result(command, done.returncode, done.stdout, done.stderr)
    must(result.status in (0, 1), result)
    return result


def output(command, text):
    """What a program prints that must end with status 0; to stackcollapse an output without a stack is an error."""
    result = execute(command, text)
    must(result.status == int(command[0] == "stackcollapse" and text != b"" and result.out == b""), result)
    return result.out


def failure(check, units, options):
    """Why the property fails; None if it holds."""
    try:
        check(units, options)
    except Failed as why:
        return str(why)
    except subprocess.TimeoutExpired as why:
        return str(why)
    return None


def without_chunks(units, fails):
    """Leaves out ever smaller parts of the list, as long as it still fails: delta debugging."""
    size = max(1, len(units) // 2)
    while size >= 1:
        at = 0
        while at < len(units):
            rest = units[:at] + units[at + size:]
            if fails(rest):
                units = rest
            else:
                at += size
        size //= 2
    return units


def with_smaller_units(units, fails):
    for i in range(len(units)):
        found = True
        while found:
            found = False
            for smaller in units[i].smaller():
                changed = units[:i] + [smaller] + units[i + 1:]
                if fails(changed):
                    units, found = changed, True
                    break
    return units


def shrink(units, fails):
    return with_smaller_units(without_chunks(units, fails), fails)
