#!/usr/bin/env python3
"""Runs the programs on the inputs of forms.py, and prints what takes too much: run.py BUILD [-v] [PATTERN ...]

A pattern is part of a form's name or of a command; without patterns all are run. Each is run with BOUNDS_MB of input,
1 if that is not set. Those that take more than a small part of what is allowed, or died, are run with twice and four
times as much as well. Allowed are:

    time      0.3 s and 3 s a MB, and 2.5 times that of half the size and 0.3 s: of the processor, not in the kernel, whose
              time for the same calls differs ten times between machines
    memory    64 MB and 8 times the input, and 2.5 times that of half the size and 4 MB

A file that a command reads twice counts twice. A form whose input is to be read, not refused, also has to get an answer.

-v prints everything. Needs BUILD/bench/measure. The exit status is 1 if something took too much.
"""
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import traceback

import forms

MB = 1 << 20
FIRST = float(os.environ.get("BOUNDS_MB", 1))
SIZES = [int(FIRST * MB * times) for times in (1, 2, 4)]
WORTH_A_LOOK = (0.25 * FIRST, 4 + 16 * FIRST)  # seconds and MB with the first size
WORKERS = 2


def find(build, program):
    for folder in ("bin", "compat/programs"):
        path = os.path.join(build, folder, program)
        if os.path.exists(path):
            return path
    sys.exit("no %s in %s" % (program, build))


class Measurer:
    """Has one measure run all commands: to start it for each takes twice the time of most of them."""

    def __init__(self, build):
        self.build = build
        self.process = subprocess.Popen([os.path.join(build, "bench", "measure")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=dict(os.environ, LC_ALL="C", HOME=os.getcwd()))

    def run(self, command, file, size):
        """(seconds of the processor outside the kernel, peak memory in MB, whether it ended by itself, whether it
        printed something and exited with 0)"""
        words = [word.replace("IN", file) if word == "IN" or word.endswith("=IN") else word for word in shlex.split(command)]
        words[0] = find(self.build, words[0])
        self.process.stdin.write("\t".join([str(int(4 * size / MB) + 4), file, *words]) + "\n")
        self.process.stdin.flush()
        _, memory, _, cpu, status, printed = self.process.stdout.readline().split()
        return float(cpu), int(memory) / 1024, int(status) >= 0, int(status) == 0 and int(printed) > 0


def most_seconds(read, results):
    """What a command that reads so many bytes may take, after its results with fewer."""
    return min([0.3 + 3 * read / MB] + [2.5 * before[1] + 0.3 for before in results[-1:]])


def measure_best(measurer, command, file, size, read, results):
    """As Measurer.run(), of a command that reads so many bytes. A time over the limit is taken three times, since a busy machine doubles it; the least counts."""
    best = measurer.run(command, file, size)
    for _ in range(2):
        if best[2] and best[0] > most_seconds(read, results):
            best = min(best, measurer.run(command, file, size))
    return best


def judge(results, timed):
    """What is wrong with the results, which are of sizes that double; an empty text if nothing is."""
    wrong = []
    for i, (size, seconds, memory, ended, _) in enumerate(results):
        if not ended:
            wrong.append("died")
        if timed and seconds > most_seconds(size, results[:i]):
            wrong.append("time")
        if memory > 64 + 8 * size / MB:
            wrong.append("memory")
        if i > 0 and memory > 2.5 * results[i - 1][2] + 4:
            wrong.append("memory more than doubles")
    return ", ".join(dict.fromkeys(wrong))


def write(path, function, size):
    with open(path, "wb") as out:
        out.write(function(size))


def run_form(measurer, name, function, commands, verbose):
    file = "jit-7.dump" if any("jit.data" in command for command in commands) else "input"
    results = {command: [] for command in commands}
    for size in SIZES:
        left = [c for c in commands if size == SIZES[0] or (results[c][-1][3] and (
            results[c][0][1] > WORTH_A_LOOK[0] or results[c][0][2] > WORTH_A_LOOK[1]))]
        if left:
            write(file, function, size)
        for command in left:
            read = os.path.getsize(file) * max(1, shlex.split(command).count("IN"))
            results[command].append((read, *measure_best(measurer, command, file, size, read, results[command])))
    status = 0
    for command, rows in results.items():
        wrong = judge(rows, name not in forms.LONG_OUTPUT)
        if name not in forms.SILENT and not rows[0][4]:
            wrong = "no answer" + (", " + wrong if wrong else "")
        if wrong == "no answer" and name in forms.UNREACHED.get(command, ()):
            wrong = "known: no answer"
        if wrong and not wrong.startswith("known") and (name, command) in forms.KNOWN:
            wrong = "known: " + wrong
        if wrong or verbose:
            print("%s | %s | %s | %s" % (wrong or "right", name, command,
                  "; ".join("%.1f MB: %.2f s %d MB" % (size / MB, *row) for size, *row, _, _ in rows)), flush=True)
        status |= bool(wrong) and not wrong.startswith("known")
    return status


def work(build, chosen, verbose):
    # For all programs that it starts: one that wants more memory than that ends.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, content in forms.FILES.items():
            with open(name, "wb") as out:
                out.write(content)
        status, measurer = 0, Measurer(build)
        for one in chosen:
            status |= run_form(measurer, *one, verbose)
        os.chdir("/")
    return status


def main():
    build, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    verbose = "-v" in words
    patterns = [word for word in words if word != "-v"]
    chosen = []
    for name, function, commands in forms.FORMS:
        left = [c for c in commands if not patterns or any(p in name or p in c for p in patterns)]
        if left:
            chosen.append((name, function, left))
    children = []
    for worker in range(WORKERS):
        child = os.fork()
        if child == 0:
            try:
                os._exit(work(build, chosen[worker::WORKERS], verbose))
            except BaseException:  # the parent's loop is not this process's
                traceback.print_exc()
                os._exit(2)
        children.append(child)
    sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))


main()
