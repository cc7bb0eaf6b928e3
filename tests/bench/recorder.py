#!/usr/bin/env python3
"""What it costs to record a busy node server, beside perf record on the same server.

Usage: recorder.py BUILD [SECONDS]

At 99, 999 and 4999 Hz the recorders run in turn, SECONDS (30) each, and the table gives for each: processor time
(user and system), peak memory, samples, samples lost, the time from the last sample to the last byte of output, where
that is text, and the time from the end of the SECONDS to the end of the program. "perf script" is what perf needs after
perf record to print the text that stackrecord prints while it records.

Status 1 where stackrecord costs more than it may. With --call-graph fp: more than a quarter of the processor time of
perf record -g (what prints names: of perf record -g and perf script). With --call-graph auto, the default: what
prints names more than twice at 99 Hz, and four times at 999 Hz, of what fp costs, and all as much as perf record
--call-graph dwarf, which only copies the stacks. Both: more than 32 MB at 99 Hz, a lost sample at 4999 Hz, more than 150 ms from the last sample to the
last byte at 99 Hz.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TIMES_FP = {99: 2, 999: 4, 4999: 4}  # what unwinding may cost, at so many samples a second
RATES = tuple(TIMES_FP)
NODE = ["node", "--perf-basic-prof", "--interpreted-frames-native-stack"]
TAIL = 1 << 20  # bytes of text that hold the last sample


class Recorder:
    def __init__(self, build, seconds):
        self.measure = os.path.join(build, "bench", "measure")
        self.stackrecord = os.path.join(build, "bin", "stackrecord")
        self.perf_script = os.path.join(build, "bin", "perf-script")
        self.seconds = seconds
        self.over = []

    def server(self):
        """A node server that is busy for longer than all measurements take, after it has warmed up."""
        environment = dict(os.environ, NODE_PATH=os.path.join(HERE, "..", "record", "app"))
        self.node = subprocess.Popen(NODE + [os.path.join(HERE, "serve.js"), "1000000000"], cwd=self.home,
                                     env=environment, stdout=subprocess.DEVNULL)
        time.sleep(3)

    def run(self, argv):
        """Runs a command and reads its output as it comes. What it took, the end of its output, when that came, and its
        messages."""
        ours, theirs = os.pipe()
        argv = [self.measure, "-o", "/dev/fd/%d" % theirs, "/dev/null"] + argv
        with tempfile.TemporaryFile() as messages:
            child = subprocess.Popen(argv, cwd=self.home, stdout=subprocess.PIPE, stderr=messages, pass_fds=[theirs])
            os.close(theirs)
            tail, at = b"", time.monotonic()
            while True:
                chunk = os.read(ours, TAIL)
                if not chunk:
                    break
                tail, at = tail[-TAIL:] + chunk, time.monotonic()
            os.close(ours)
            wall, memory, cpu, _ = child.communicate()[0].split()
            messages.seek(0)
            said = messages.read().decode()
        if child.returncode != 0:
            sys.exit("%s: failed\n%s" % (" ".join(argv[4:]), said))
        return {"wall": float(wall), "memory": int(memory) / 1024, "cpu": float(cpu) * 1e3, "tail": tail, "at": at,
                "said": said}

    def of_file(self, name):
        """Samples and lost samples of a recording."""
        text = subprocess.run([self.perf_script, "-q", "--stats=json", name], cwd=self.home, stdout=subprocess.PIPE,
                              check=True).stdout.decode()
        return [int(re.search(r'"%s": ?(\d+)' % key, text).group(1)) for key in ("samples", "lost_events")]

    def row(self, rate, title, took, samples=None, lost=None, last=None, end=None):
        def cell(value, form):
            return form % value if value is not None else "-"
        print("%5d  %-28s %9.1f ms %7.1f MB %9s %6s %9s %9s" % (
            rate, title, took["cpu"], took["memory"], cell(samples, "%d"), cell(lost, "%d"),
            cell(last, "%.0f ms"), cell(end, "%.0f ms")), flush=True)

    def limit(self, rate, title, what, value, most):
        if value > most:
            self.over.append("%s at %d Hz: %s %.1f, %.1f are allowed" % (title, rate, what, value, most))

    def perf(self, rate, how):
        """The milliseconds of processor time of perf record."""
        took = self.run(["perf", "record", "-q", "-o", "perf.data", "-e", "cpu-clock", "-F", str(rate), *how, "-p",
                         str(self.node.pid), "--", "sleep", str(self.seconds)])
        samples, lost = self.of_file("perf.data")
        self.row(rate, " ".join(["perf record", *how]), took, samples, lost, end=(took["wall"] - self.seconds) * 1e3)
        return took["cpu"]

    def perf_text(self, rate):
        """The same of perf script, of what was recorded last."""
        took = self.run(["perf", "script", "--no-inline", "-i", "perf.data"])
        self.row(rate, "perf script", took)
        return took["cpu"]

    def ours(self, rate, title, options, most):
        """The milliseconds of processor time of stackrecord, which may be `most`."""
        took = self.run([self.stackrecord, "-F", str(rate), "-p", str(self.node.pid), "--duration", str(self.seconds)] +
                        options)
        samples = last = None
        lost = re.search(r"([0-9,]+) records were lost", took["said"])
        lost = int(lost.group(1).replace(",", "")) if lost else 0
        if "-o" in options:
            samples, _ = self.of_file("ours.data")
        times = re.findall(rb"^\S.*? (\d+\.\d{6}): ", took["tail"], re.M)
        if times:
            last = (took["at"] - float(times[-1])) * 1e3
        self.row(rate, title, took, samples, lost, last, (took["wall"] - self.seconds) * 1e3)
        self.limit(rate, title, "milliseconds of processor time", took["cpu"], most)
        if rate == 99:
            self.limit(rate, title, "MB of memory", took["memory"], 32)
            self.limit(rate, title, "milliseconds to the last byte", last or 0, 150)
        if rate == 4999:
            self.limit(rate, title, "lost records", lost, 0)
        return took["cpu"]

    def table(self):
        print("%5s  %-28s %12s %10s %9s %6s %9s %9s" % (
            "Hz", "", "processor", "memory", "samples", "lost", "last byte", "end"))
        for rate in RATES:
            record = self.perf(rate, ["-g"])
            printed = record + self.perf_text(rate)
            dwarf = self.perf(rate, ["--call-graph", "dwarf"])
            for title, options, most in (("-o FILE", ["-o", "ours.data"], record / 4),
                                         ("--folded", ["--folded"], printed / 4), ("", [], printed / 4)):
                title = ("stackrecord " + title).strip()
                cost = self.ours(rate, title + ", fp", options + ["--call-graph", "fp"], most)
                self.ours(rate, title, options, dwarf if "-o" in options else min(cost * TIMES_FP[rate], dwarf))

    def main(self):
        self.home = tempfile.mkdtemp()
        self.server()
        try:
            self.table()
        finally:
            self.node.send_signal(signal.SIGKILL)
            self.node.wait()
            shutil.rmtree(self.home)
            perf_map = "/tmp/perf-%d.map" % self.node.pid
            if os.path.exists(perf_map):
                os.remove(perf_map)
        for sentence in self.over:
            print("over the limit: " + sentence)
        return 1 if self.over else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for needed in ("perf", "node"):
        if not shutil.which(needed):
            sys.exit("recorder.py: %s is not installed" % needed)
    sys.exit(Recorder(os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 30.0).main())
