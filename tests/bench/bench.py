#!/usr/bin/env python3
"""How fast the programs are, compared with wc -l and, if they are found, the programs that they replace.

Usage: bench.py BUILD [ROW ...]

Makes its inputs in BUILD/bench/ from the recordings in tests/data/, runs each program and its rivals in
turn, and prints medians, as ratios to wc -l on the same file, and peak memory; BUILD/bench.json gets the
same. Each run finds its input in memory, and no longer in the processor's cache: a server's holds all of
a file that was just read, and then the ratios say what happened to be read before. A ROW names the rows to
run by a part of their name. The Perl scripts are found through FLAMEGRAPH_DIR, inferno's programs on PATH.

Reading perf.data is compared with perf script, in processor time (user and system, of all programs of a pipe),
since other work on the machine changes that less: on recordings of a node server that are made first.
Status 1 where a row is over what tests/bench/limits says, at its third attempt: the rows over their limits are
run again, up to twice, since other work on the machine can only make a program look slower.
"""
import gzip
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys

import cpuprofile
import formats

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from inlinedcalls import choose_addresses  # noqa: E402
DATA = os.path.join(HERE, "..", "data")
RUNS = 9
SWEEP = ["dd", "if=/dev/zero", "of=/dev/null", "bs=512M", "count=1", "status=none"]  # more than caches hold
SLOW = 3.0  # seconds; a rival that takes longer runs three times only

# name: mode and size in MB for generate, recordings
INPUTS = {
    "repeat": ("repeat", 125, ["node-http-header", "java", "cpp"]),
    "repeat2": ("repeat", 250, ["node-http-header", "java", "cpp"]),
    "node": ("repeat", 125, ["node-http"]),
    "system": ("system", 125, ["node-http", "java", "system-wide"]),
    "deep": ("deep", 125, ["deep", "node-http-header"]),
    "wide": ("wide", 1960, ["node-http"]),
    "wide10": ("wide", 18, ["node-http"]),
    "wide50": ("wide", 91, ["node-http"]),
    "short": ("short", 260, ["node-http"]),
}
# Formats of lines: an input of tests/data/stackcollapse, and from which line to which line it is repeated. The other
# formats are made of a recording's stacks: see formats.py.
LINES = {
    "jstack": ("jstack/app", 0, None),
    "go": ("go/cpu", 6, 9),
    "gdb": ("gdb/threads", 0, None),
    "faulthandler": ("faulthandler/threads", 0, None),
    "ibmjava": ("ibmjava/javacore", 0, None),
    "java-exceptions": ("java-exceptions/log", 0, None),
}
LINES_SIZE = 50 * 1000 * 1000  # of NAME.text; NAME.tenth has a tenth of that
# The scripts that are not called stackcollapse-NAME.pl; stackcollapse-vtune.pl does not compile, and GHC's report has
# none.
SCRIPTS = {"dtrace": "stackcollapse.pl", "ljp": "stackcollapse-ljp.awk", "perf-sched": "stackcollapse-perf-sched.awk",
           "sample": "stackcollapse-sample.awk", "xdebug": "stackcollapse-xdebug.php", "vtune": None, "ghcprof": None}
INTERPRETERS = {"pl": ["perl"], "awk": ["awk", "-f"], "php": ["php"]}
# A fleet's folded files: of each host a random part of the same stacks, and every twentieth is the host's own.
FLEET_HOSTS = 2000
FLEET_SIZE = 500 * 1000
FLEET_RECORDINGS = ["node-http", "node-unnamed", "system-wide", "deep", "cpp", "java", "page-faults"]
# What a program in JavaScript does before it can begin with a cpuprofile.
PARSE_JSON = ["node", "-e", "JSON.parse(require('fs').readFileSync(0))"]
# name: options of node and of perf record; milliseconds of processor time, of which each gives five samples
RECORDINGS = {
    "node.data": (["--perf-basic-prof"], ["-g"], 5300),
    "small.data": (["--perf-basic-prof"], ["-g"], 800),
    "jit.data": (["--perf-prof"], ["-g", "-k", "mono"], 5300),
    "dwarf.data": (["--perf-basic-prof"], ["--call-graph", "dwarf"], 2600),
}
# Their text: the recording, and how many samples.
TEXTS = {"node.text": ("node.data", None), "one.text": ("node.data", 1)}
CALLS_COPIES = 70  # of calls.cc, each with 1.5 MB of debug information
FOLDED = "--folded --mark-kernel --node --source-maps"
DROP = ["--drop", "^__libc_start", "--rename", "s/ node:.*//"]


class Bench:
    def __init__(self, build, wanted):
        self.build = build
        self.bin = os.path.join(build, "bin")
        self.compat = os.path.join(build, "compat")
        self.inputs = os.path.join(build, "bench")
        self.measure = os.path.join(build, "bench", "measure")
        self.generate = os.path.join(build, "bench", "generate")
        self.wanted = wanted
        self.again = None  # (program, input) of the rows to run again
        self.rows = []
        self.home = os.path.join(build, "bench", "recordings")  # perf's build-id cache is there too
        self.environment = dict(os.environ, HOME=self.home, NODE_PATH=os.path.join(HERE, "..", "record", "app"))
        self.problems = {}  # of recordings: why there is none
        self.maps = []

    def wants(self, title, name):
        if self.again is not None:
            return (title, name) in self.again
        return not self.wanted or any(w in title + " " + name for w in self.wanted)

    def add(self, row):
        """Keeps the row, in place of an earlier attempt at it."""
        key = (row["program"], row["input"])
        at = [i for i, r in enumerate(self.rows) if (r["program"], r["input"]) == key]
        if at:
            self.rows[at[0]] = row
        else:
            self.rows.append(row)

    def input(self, name):
        """The path of an input, made if it does not exist: a file, or a folder of files."""
        path = os.path.join(self.inputs, name)
        if not os.path.exists(path):
            print("making %s" % name, file=sys.stderr)
            (self.make_fleet if name == "fleet.folded" else self.make)(name, path + ".new")
            os.rename(path + ".new", path)
        for file in self.files(path) or [path]:
            self.read_again(file)
        return path

    @staticmethod
    def files(path):
        """The files in the folder; none if it is a file."""
        return sorted(entry.path for entry in os.scandir(path)) if os.path.isdir(path) else []

    @staticmethod
    def read_again(path):
        """Lets the kernel read the file again: it hands out what it read as much as a quarter faster than what was
        written piece by piece."""
        with open(path, "rb") as f:
            os.fsync(f.fileno())
            os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            while f.read(1 << 20):
                pass

    def make(self, name, path):
        base, _, kind = name.partition(".")
        with open(path, "wb") as out:
            if name == "empty":
                pass
            elif name == "demo.folded":
                out.write(self.fold("node-http"))
            elif name == "hours.folded":
                self.make_hours(out)
            elif kind in ("text", "tenth"):
                size = LINES_SIZE if kind == "text" else LINES_SIZE // 10
                if base in LINES:
                    self.repeat_lines(base, size, out)
                else:
                    formats.write(base, self.fold("node-http"), size, out)
            elif kind == "addresses":
                library = os.path.join(self.inputs, base + ".so")
                self.make_library(base, library)
                out.write(b"".join(b"%x\n" % a for a in choose_addresses(library, 20000)))
            elif name == "wide.cpuprofile":
                cpuprofile.write(out)
            elif kind == "cpuprofile":
                self.repeat_samples(base, out)
            elif kind == "siblings":
                out.write(self.add_siblings(base))
            elif kind == "folded":
                subprocess.run([os.path.join(self.bin, "stackcollapse"), "-q", self.input(base + ".perf")],
                               stdout=out, check=True)
            else:
                mode, size, recordings = INPUTS[base]
                text = b"".join(self.read(r) for r in recordings)
                subprocess.run([self.generate, mode, str(size)], input=text, stdout=out, check=True)

    def make_fleet(self, _, folder):
        rand, stacks = random.Random(0), []
        for recording in FLEET_RECORDINGS:
            stacks += [line.rpartition(b" ")[0] for line in self.fold(recording).splitlines()]
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for host in range(FLEET_HOSTS):
            lines, size = [], 0
            for i, stack in enumerate(rand.sample(stacks, len(stacks))):
                own = b";only on host %d" % host if i % 20 == 0 else b""
                lines.append(b"%s%s %d\n" % (stack, own, rand.randrange(1, 200)))
                size += len(lines[-1])
                if size >= FLEET_SIZE:
                    break
            with open(os.path.join(folder, "host%04d.folded" % host), "wb") as f:
                f.write(b"".join(sorted(lines)))

    def make_hours(self, out):
        """The hours of a day of an archive, in which a stack has counts for a tenth of the slices of ten seconds."""
        rand, begin = random.Random(0), 1795737600
        stacks = sorted({line.rpartition(b" ")[0].partition(b";")[2] for line in self.fold("node-http").splitlines()})
        for hour in range(begin, begin + 24 * 3600, 3600):
            for stack in stacks:
                counts = [rand.randrange(1, 9) if rand.random() < 0.1 else 0 for _ in range(360)]
                series = b",".join(b"%d" % n if n else b"" for n in counts)
                out.write(b"@%d.000/10:%s;host;node-7/7;%s %d\n" % (hour, series, stack, sum(counts)))

    def add_siblings(self, base):
        """The folded stacks, and some functions beside those whose names go on from theirs with a blank."""
        with open(self.input(base + ".folded"), "rb") as f:
            lines = f.readlines()
        for stack in [line.rpartition(b" ")[0] for line in lines[100::1500]]:
            lines += [stack + b" 1\n", stack + b" b;c 1\n", stack + b";c 1\n"]
        return b"".join(sorted(lines))

    def make_library(self, base, path):
        """Compiles calls.cc once, and links copies that differ in their symbols' names."""
        compiled, copies = path + ".o", []
        source = os.path.join(HERE, base + ".cc")
        subprocess.run(["g++", "-O2", "-g", "-fPIC", "-c", "-o", compiled, source], check=True)
        for i in range(CALLS_COPIES):
            copies.append("%s.%d.o" % (path, i))
            subprocess.run(["objcopy", "--prefix-symbols=n%d_" % i, compiled, copies[-1]], check=True)
        subprocess.run(["g++", "-shared", "-nostdlib", "-o", path] + copies, check=True)
        for file in [compiled] + copies:
            os.remove(file)

    @staticmethod
    def repeat_samples(base, out):
        """A longer recording: the same nodes, and their samples over and over."""
        with open(os.path.join(DATA, "stackcollapse", "cpuprofile", base), "rb") as f:
            profile = json.load(f)
        samples, deltas = (json.dumps(profile.pop(k), separators=(",", ":"))[1:-1] for k in ("samples", "timeDeltas"))
        times = LINES_SIZE // (len(samples) + len(deltas) + 2)
        out.write(b'%s,"samples":[%s],"timeDeltas":[%s]}' % (
            json.dumps(profile, separators=(",", ":"))[:-1].encode(),
            ",".join([samples] * times).encode(), ",".join([deltas] * times).encode()))

    @staticmethod
    def repeat_lines(base, size, out):
        name, begin, end = LINES[base]
        with open(os.path.join(DATA, "stackcollapse", name), "rb") as f:
            lines = f.readlines()
        part = b"".join(lines[begin:end]) * 100
        out.write(b"".join(lines[:begin]))
        for _ in range(size // len(part)):
            out.write(part)
        out.write(b"".join(lines[end:] if end is not None else []))

    @staticmethod
    def read(recording):
        with gzip.open(os.path.join(DATA, recording + ".perf.txt.gz")) as f:
            return f.read()

    def fold(self, recording):
        return subprocess.run([os.path.join(self.bin, "stackcollapse")], input=self.read(recording),
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout

    def once(self, source, argv):
        subprocess.run(SWEEP, check=True)
        out = subprocess.run([self.measure, source] + argv, stdout=subprocess.PIPE, check=True).stdout.split()
        return float(out[0]), int(out[1]), float(out[2])

    def row(self, title, name, argv, rivals=(), pipe=False):
        """Runs wc -l, the program and its rivals in turn."""
        if not self.wants(title, name + (" through a pipe" if pipe else "")):
            return
        path = self.input(name)
        files = self.files(path)
        source = "pipe:" + path if pipe else "/dev/null" if files else path
        commands = {"wc": ["wc", "-l"] + files, "ours": argv + files}
        for rival, rival_argv in rivals:
            if rival_argv is not None:
                commands[rival] = rival_argv
        figures = {k: [] for k in commands}
        for turn in range(RUNS):
            for k, command in commands.items():
                if turn >= 3 and figures[k][0][0] > SLOW:
                    continue
                figures[k].append(self.once(path if k == "wc" and not files else source, command))
        middle = {k: statistics.median(t for t, _, _ in v) for k, v in figures.items()}
        memory = {k: max(m for _, m, _ in v) for k, v in figures.items()}
        row = {"program": title, "input": name + (" through a pipe" if pipe else ""),
               "medians": {k: round(t, 6) for k, t in middle.items()},
               "bytes": sum(os.path.getsize(f) for f in files or [path]), "seconds": round(middle["ours"], 5),
               "ratio": round(middle["ours"] / middle["wc"], 2), "memory_kib": memory["ours"], "rivals": {}}
        for k in commands:
            if k not in ("wc", "ours"):
                row["rivals"][k] = {"ratio": round(middle[k] / middle["wc"], 1),
                                    "times_ours": round(middle[k] / middle["ours"], 1),
                                    "memory_kib": memory[k]}
        self.add(row)
        print("%-28s %-26s %8.2f x wc %9.1f ms %8.1f MB   %s" % (
            title, row["input"], row["ratio"], row["seconds"] * 1e3, row["memory_kib"] / 1024,
            ", ".join("%s %.0f x" % (k, v["ratio"]) for k, v in row["rivals"].items())), flush=True)

    def record(self, name):
        """Makes a recording, and returns why not if that fails. V8 writes its perf map to /tmp and nowhere else."""
        if not shutil.which("perf") or not shutil.which("node"):
            return "perf or node is not installed"
        if name in TEXTS:
            return self.print_text(name)
        node, options, milliseconds = RECORDINGS[name]
        os.makedirs(self.home, exist_ok=True)
        print("recording %s" % name, file=sys.stderr)
        argv = (["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", "-o", name] + options +
                ["--", "sh", "-c", 'echo $$ > pid; exec "$@"', "sh", "node"] + node +
                [os.path.abspath(os.path.join(HERE, "serve.js")), str(milliseconds)])
        made = subprocess.run(argv, cwd=self.home, env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        with open(os.path.join(self.home, "pid")) as f:
            self.maps.append("/tmp/perf-%s.map" % f.read().strip())
        return made.stderr.decode().strip() or "perf failed" if made.returncode != 0 else None

    def print_text(self, name):
        """Prints the samples of a recording, or the first of them, and returns why not if there is none."""
        if self.recording_problem(TEXTS[name][0]) is None:
            text = subprocess.run([os.path.join(self.bin, "perf-script"), "-q", TEXTS[name][0]], cwd=self.home,
                                  env=self.environment, stdout=subprocess.PIPE, check=True).stdout
            with open(os.path.join(self.home, name), "wb") as f:
                f.write(b"\n\n".join(text.split(b"\n\n")[:TEXTS[name][1]]))
        return self.problems[TEXTS[name][0]]

    def recording_problem(self, name):
        """Makes the recording, unless that was tried, and returns why there is none."""
        if name not in self.problems:
            self.problems[name] = self.record(name)
        return self.problems[name]

    def recorded(self, title, name, rivals, command):
        """Runs a shell command on a recording, and those that it is compared with, in turn."""
        if not self.wants(title, name):
            return
        if self.recording_problem(name) is not None:
            print("%-28s %-26s not measured: %s" % (title, name, self.problems[name]))
            return
        commands = dict([("ours", command)] + [r for r in rivals if r[1] is not None])
        figures = {k: [] for k in commands}
        os.chdir(self.home)
        os.environ.update(self.environment)
        for turn in range(RUNS):
            for k, text in commands.items():
                if turn < 3 or figures[k][0][0] <= SLOW:
                    figures[k].append(self.once("/dev/null", ["sh", "-c", text]))
        cpu = {k: statistics.median(c for _, _, c in v) for k, v in figures.items()}
        memory = {k: max(m for _, m, _ in v) for k, v in figures.items()}
        text = subprocess.run([os.path.join(self.bin, "perf-script"), "-q", "-F", "comm,time,event", name],
                              stdout=subprocess.PIPE, check=True).stdout
        row = {"program": title, "input": name, "samples": text.count(b"\n"), "bytes": os.path.getsize(name),
               "medians": {k: round(t, 6) for k, t in cpu.items()}, "seconds": round(cpu["ours"], 5),
               "wall": {k: round(statistics.median(t for t, _, _ in v), 5) for k, v in figures.items()},
               "memory_kib": memory["ours"],
               "rivals": {k: {"times_ours": round(cpu[k] / cpu["ours"], 1), "memory_kib": memory[k]}
                          for k in commands if k != "ours"}}
        self.add(row)
        print("%-28s %-26s %d samples %9.1f ms %8.1f MB   %s" % (
            title, name, row["samples"], row["seconds"] * 1e3, memory["ours"] / 1024,
            ", ".join("%s %.1f x, %.1f x by the clock, %.1f MB" % (
                k, v["times_ours"], row["wall"][k] / row["wall"]["ours"], v["memory_kib"] / 1024)
                for k, v in row["rivals"].items())), flush=True)

    def over(self):
        """What exceeds its limit: the rows that were compared, and a sentence."""
        rows = {(r["program"], r["input"]): r for r in self.rows}
        with open(os.path.join(HERE, "limits")) as f:
            limits = [line.split(None, 4)[1:] for line in f if line.startswith(("time ", "cpu "))]
        for times, of, memory, what in limits:
            program, name = what.strip().split(": ")
            row, other = rows.get((program, name)), rows.get((program, of))
            of = of.replace("_", " ")
            unit = (0.001 if of == "ms" else other["seconds"] if other else row and row["medians"].get(of))
            if memory.endswith("x"):
                rival = row and row["rivals"].get(of)
                memory = float(memory[:-1]) * rival["memory_kib"] / 1024 if rival else 0
            if row and unit and row["seconds"] > float(times) * unit:
                yield {(program, name), (program, of)}, "%s takes %.3f times %s, %s are allowed" % (
                    what.strip(), row["seconds"] / unit, of, times)
            if row and memory and row["memory_kib"] > float(memory) * 1024:
                yield {(program, name)}, "%s takes %d KiB, %.1f MB are allowed" % (
                    what.strip(), row["memory_kib"], float(memory))

    def run(self):
        perl_dir = os.environ.get("FLAMEGRAPH_DIR")

        def perl(script, *args):
            path = os.path.join(perl_dir or "", script)
            return (script, ["perl", path] + list(args) if perl_dir and os.path.exists(path) else None)

        def script(name):
            file = SCRIPTS.get(name, "stackcollapse-%s.pl" % name)
            path = os.path.join(perl_dir or "", file or "")
            interpreter = INTERPRETERS[path.rpartition(".")[2]] if perl_dir and file else []
            argv = interpreter + [path, os.path.join(self.inputs, name + ".tenth")]  # some read no standard input
            return (file, argv if interpreter and shutil.which(interpreter[0]) else None)

        def inferno(program, *args):
            return (program, [program] + list(args) if shutil.which(program) else None)

        def own(program, *args):
            return [os.path.join(self.bin, program)] + list(args)

        collapsers = [perl("stackcollapse-perf.pl"), inferno("inferno-collapse-perf", "-n", "1"),
                      ("inferno-collapse-perf -n 2", inferno("inferno-collapse-perf", "-n", "2")[1])]
        for name in ("repeat", "node", "system", "deep"):
            self.row("stackcollapse", name + ".perf", own("stackcollapse"), collapsers)
        self.row("stackcollapse", "wide.perf", own("stackcollapse"), collapsers[1:])
        self.row("stackcollapse", "short.perf", own("stackcollapse"))
        self.row("stackcollapse", "repeat2.perf", own("stackcollapse"))
        self.row("stackcollapse-perf.pl", "repeat.perf", [os.path.join(self.compat, "stackcollapse-perf.pl")])
        self.row("stackcollapse", "repeat.perf", own("stackcollapse"), pipe=True)
        for name in sorted([*LINES, *formats.NAMES]):
            self.row("stackcollapse", name + ".tenth", own("stackcollapse", "--from=" + name), [script(name)])
            self.row("stackcollapse", name + ".text", own("stackcollapse", "--from=" + name))
        for name in ("app", "wide"):
            self.row("stackcollapse", name + ".cpuprofile", own("stackcollapse"),
                     [("JSON.parse", PARSE_JSON if shutil.which("node") else None)])
        self.row("stackcollapse", "fleet.folded", own("stackcollapse"))
        self.row("stackfilter --node", "node.perf", own("stackfilter", "--node"))
        self.row("stackfilter --node", "node.perf", own("stackfilter", "--node"), pipe=True)
        self.row("stackfilter --drop --rename", "node.perf", own("stackfilter", *DROP))
        self.row("stackfilter --node", "hours.folded", own("stackfilter", "--node"))
        self.row("stackfilter --merge=times", "hours.folded", own("stackfilter", "--merge=times"))
        self.row("flamesvg --html", "hours.folded", own("flamesvg", "--html"))
        self.row("perf-script", "repeat.perf", own("perf-script"))
        self.row("perf-script", "repeat.perf", own("perf-script"), pipe=True)
        self.row("stackcollapse --from=folded", "wide.folded", own("stackcollapse", "--from=folded"))
        self.row("flamesvg", "wide.folded", own("flamesvg"), [inferno("inferno-flamegraph")])
        script_name = [("as flamegraph.pl", [os.path.join(self.compat, "flamegraph.pl")])]
        for name in ("wide10", "wide50"):
            self.row("flamesvg", name + ".siblings", own("flamesvg"), script_name)
        self.row("stackreport", "wide.folded", own("stackreport"))
        self.row("stackreport", "node.perf", own("stackreport"))
        drawers = [perl("flamegraph.pl"), inferno("inferno-flamegraph")]
        for name in ("repeat", "node", "system", "deep"):
            self.row("stackcollapse --from=folded", name + ".folded", own("stackcollapse", "--from=folded"))
            self.row("flamesvg", name + ".folded", own("flamesvg"), drawers)
        self.row("flamesvg", "demo.folded", own("flamesvg"), drawers)
        for program in ("perf-script", "stackfilter", "stackcollapse", "flamesvg", "stackreport"):
            self.row(program, "empty", own(program))
        if shutil.which("g++"):
            library = os.path.join(self.inputs, "calls.so")
            llvm = ["llvm-addr2line", "-a", "-i", "-f", "-s", "-e", library] if shutil.which("llvm-addr2line") else None
            self.row("inlined calls", "calls.addresses", [os.path.join(self.build, "tool", "inlinedcalls"), library],
                     [("llvm-addr2line", llvm)])
        self.run_recorded(perl("stackcollapse-perf.pl")[1], perl("flamegraph.pl")[1])

    def run_recorded(self, collapse, draw):
        def own(program, *args):
            return " ".join([shlex.quote(os.path.join(self.bin, program))] + list(args))

        for name in ("node.data", "small.data"):
            self.recorded("perf-script", name, [("perf script", "perf script -i " + name)],
                          own("perf-script", name))
        self.recorded("perf-script", "dwarf.data", [("perf script", "perf script --no-inline -i dwarf.data")],
                      own("perf-script", "dwarf.data"))
        inject = "perf inject --jit -i jit.data -o jitted.data && perf script -i jitted.data"
        self.recorded("perf-script", "jit.data", [("perf inject", inject)], own("perf-script", "jit.data"))
        perl = "perf script -i node.data | %s | %s" % (shlex.join(collapse), shlex.join(draw)) if draw else None
        pipe = [own("perf-script", "node.data"), own("stackfilter", "--node"), own("stackcollapse"), own("flamesvg")]
        self.recorded("perf-script to flamesvg", "node.data", [("Perl pipe", perl)], " | ".join(pipe))
        perl = "%s node.text | %s" % (shlex.join(collapse), shlex.join(draw)) if draw else None
        draws = " && ".join([own("stackcollapse", "--guess", "node.text"),
                             own("perf-script", FOLDED, "--report=report", "node.text", "> folded"),
                             own("flamesvg", "--colors=node", "-o", "picture.svg", "folded"),
                             own("stackreport", "--top=10", "folded")])
        self.recorded("flamepipe's programs", "node.text", [("Perl pipe", perl)], draws)
        for name, rivals in (("node.text", [("Perl pipe", perl)]), ("one.text", [])):
            self.recorded("flamepipe", name, rivals, own("flamepipe", "-o", "picture.svg", name, "2> said"))

    def clean(self):
        for path in self.maps:
            if os.path.exists(path):
                os.remove(path)
        shutil.rmtree(self.home, ignore_errors=True)


def main():
    build = os.path.abspath(sys.argv[1])
    bench = Bench(build, sys.argv[2:])
    try:
        bench.run()
        for _ in range(2):
            bench.again = set().union(*(rows for rows, _ in bench.over()))
            if bench.again:
                print("again:")
                bench.run()
    finally:
        bench.clean()
    with open(os.path.join(build, "bench.json"), "w") as f:
        json.dump(bench.rows, f, indent=1)
        f.write("\n")
    over = [sentence for _, sentence in bench.over()]
    for sentence in over:
        print("over the limit: " + sentence)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) > 1 else (print(__doc__, file=sys.stderr), 2)[1])
