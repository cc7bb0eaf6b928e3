"""Makes the system calls and allocations of our programs fail, one at a time, and checks what they do then.

usage: cases.py fail|transparent|signal GROUP...      (BIN: the programs; LIBRARY: fault.so)

A run without faults counts the calls of each kind and says what the answer is. With a fault, a program must
- give the same answer, or exit with a status other than 0 and a message, or say in a message what is missing;
- not be ended by a signal, not hang, and leave no file but what it leaves without faults, whole or as it was before.

fail         the Nth call of a kind fails. Of the first FIRST calls each, then a spread of SPREAD, by a seed; with
             ALL=1 every one.
transparent  of the first cases of each group (with ALL=1, of all): short transfers, interrupted calls, pipes
             that would block. The answer must be the same.
signal       of the same: SIGTERM, SIGINT or SIGHUP before the Nth call. The program ends.

Prints each run that went wrong, with what to set FAULT to (fault.c), and at the end how many runs there were.
"""
import concurrent.futures
import errno
import fcntl
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

BIN, LIBRARY = os.environ['BIN'], os.environ['LIBRARY']
DATA = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..', 'data'))
ALL = os.environ.get('ALL', '') != ''
FIRST = int(os.environ.get('FIRST', '12'))
SPREAD = int(os.environ.get('SPREAD', '6'))
SEED = int(os.environ.get('SEED', '1'))
TIMEOUT = 20

# The kinds of calls, in the order of fault.c, and the errors that they fail with in turn.
KINDS = {
    'malloc': 'ENOMEM', 'read': 'EIO', 'write': 'ENOSPC EIO', 'message': 'ENOSPC', 'open': 'EMFILE EACCES EIO',
    'map': 'ENOMEM', 'pipe': 'EMFILE', 'fork': 'EAGAIN ENOMEM', 'poll': 'ENOMEM', 'watch': 'ENOMEM', 'list': 'EIO',
    'rename': 'ENOSPC EACCES', 'close': 'EIO ENOSPC', 'seek': 'EIO', 'stat': 'EACCES EIO', 'wait': 'ECHILD',
    'dup': 'EMFILE', 'link': 'EIO EACCES', 'perf': 'EMFILE ENOMEM', 'ioctl': 'ENOMEM',
}


class Case:
    """A program's run. The words of `command` may name files of the folder WORK, which are read only; `stdin` is
    one of them, or '|NAME' for a pipe that brings it; `makes` are files that the run writes, with what is in them
    before (None: they are not there). `digest` brings an answer that differs from run to run to what does not."""

    def __init__(self, name, command, stdin=None, makes=None, digest=lambda answer: answer):
        self.name, self.command, self.stdin = name, shlex.split(command), stdin
        self.makes, self.digest = makes or {}, digest


class Result:
    pass


def pipe_of(data):
    """A pipe that holds the data and then ends."""
    out, into = os.pipe()
    fcntl.fcntl(into, 1031, 1 << 20)  # F_SETPIPE_SZ
    os.set_blocking(into, False)
    if os.write(into, data) != len(data):
        sys.exit('the input does not fit a pipe')
    os.close(into)
    return out


def standard_input(case, work):
    if case.stdin is None:
        return os.open('/dev/null', os.O_RDONLY)
    if case.stdin[0] != '|':
        return os.open(os.path.join(work, case.stdin), os.O_RDONLY)
    with open(os.path.join(work, case.stdin[1:]), 'rb') as f:
        return pipe_of(f.read())


def contents(path):
    with open(path, 'rb') as f:
        return f.read()


def run(case, work, fault=None):
    """Runs it in an empty folder, which is also the one for temporary files."""
    result = Result()
    scratch = tempfile.mkdtemp(dir=work, prefix='run.')
    counts = scratch + '.counts'
    environment = dict(os.environ, PATH=BIN + ':' + os.environ['PATH'], LC_ALL='C', TMPDIR=scratch, HOME=work,
                       WORK=work, LD_PRELOAD=LIBRARY, FAULT_COUNTS=counts)
    environment.pop('FAULT', None)
    if fault:
        environment['FAULT'] = fault
    for name, before in case.makes.items():
        if before is not None:
            with open(os.path.join(scratch, name), 'wb') as f:
                f.write(before)
    names = {'WORK': work, 'DATA': DATA, 'PID': os.environ.get('PID', '')}
    command = case.command
    for name, path in names.items():
        command = [word.replace(name, path) for word in command]
    command[0] = os.path.join(BIN, command[0])
    stdin = standard_input(case, work)
    began = time.monotonic()
    with open(scratch + '.out', 'w+b') as out, open(scratch + '.err', 'w+b') as err:
        child = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=err, cwd=scratch, env=environment,
                                 start_new_session=True)
        os.close(stdin)
        try:
            result.status = child.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            result.status = None
        out.seek(0)
        err.seek(0)
        result.out, result.err = out.read(), err.read().decode(errors='replace')
    result.seconds = time.monotonic() - began
    result.files = {name: contents(os.path.join(scratch, name)) for name in os.listdir(scratch)}
    size = 8 * (len(KINDS) + 1)
    shared = contents(counts)
    *result.counts, result.fired = struct.unpack(f'{len(KINDS) + 1}Q', shared[:size])
    result.changed = shared[size:].split(b'\0')[0].decode(errors='replace')
    for path in counts, scratch + '.out', scratch + '.err':
        os.unlink(path)
    shutil.rmtree(scratch)
    return result


def answer(case, result):
    return case.digest((result.out, tuple(sorted(result.files.items()))))


def new_lines(result, good):
    """The messages that a run without faults does not have, be it with other numbers."""
    known = {re.sub(r'\d+', '', line) for line in good.err.splitlines()}
    return [line for line in result.err.splitlines() if re.sub(r'\d+', '', line) not in known]


def may_be_cut(data, result):
    """Whether this is a recording that broke off, and perf-script says so; or is whole but for its end."""
    if 'broke off' in result.err or 'close' in result.changed:
        return True
    with tempfile.NamedTemporaryFile() as f:
        f.write(data)
        f.flush()
        reader = subprocess.run([os.path.join(BIN, 'perf-script'), f.name], capture_output=True, check=False)
    return data[:8] in (b'', b'PERFILE2') and reader.returncode != 0 or reader.stderr != b''


def files_are_whole(case, result, good):
    """What is wrong with the files that a run left behind."""
    for name, text in result.files.items():
        if name not in case.makes:
            return f'left the file {name}'
        if text not in (case.makes[name], good.files.get(name)) and not may_be_cut(text, result):
            return f'left {name} half written'
    for name, before in case.makes.items():
        if before is not None and name not in result.files:
            return f'removed {name}'
    return None


def is_fault_of_regcomp(case, result):
    """regcomp(3) of glibc 2.36 frees something twice when memory runs out, which ends the program."""
    return '--drop' in case.command and 'free(): double free detected' in result.err


def failed_wrong(case, result, good):
    """What is wrong with a run in which a call failed; None: nothing."""
    if result.status is None:
        return 'hangs'
    if result.status < 0 and not is_fault_of_regcomp(case, result):
        return f'ended by {signal.Signals(-result.status).name}'
    said = new_lines(result, good)
    if result.status == good.status:
        if answer(case, result) == answer(case, good):
            return None
        return None if said else 'lost something in silence'
    if not said:
        return f'status {result.status} without a message'
    return files_are_whole(case, result, good)


def transparent_wrong(case, result, good):
    if result.status != good.status:
        return f'status {result.status}, not {good.status}'
    if answer(case, result) != answer(case, good):
        return 'another answer'
    return 'other messages' if new_lines(result, good) else None


def signal_wrong(case, result, good):
    if result.status is None:
        return 'hangs'
    if case.command[0] == 'stackrecord':  # ends the recording, after which it exits as always
        left = [name for name in result.files if name not in case.makes]
        return 'the signal was ignored' if result.seconds > good.seconds * 7 / 8 else f'left {left}' if left else None
    if result.status == 0 and answer(case, result) != answer(case, good):
        return 'lost something in silence'
    return files_are_whole(case, result, good)


def chosen(count):
    """Which of so many calls are tested."""
    if ALL or count <= FIRST + SPREAD:
        return range(1, count + 1)
    rest = range(FIRST + 1, count)
    return [*range(1, FIRST + 1), *sorted(random.Random(SEED).sample(rest, SPREAD - 1)), count]


def number(name):
    return getattr(errno, name)


def plans_fail(_, good):
    for (kind, errors), count in zip(KINDS.items(), good.counts):
        errors = errors.split()
        for n in chosen(count):
            for error in errors if ALL else [errors[n % len(errors)]]:
                yield f'{kind}:{n}:{n}:1:errno:{number(error)}'
        if kind == 'write' and count > 1:  # a disk that is full stays so
            yield f'{kind}:1:{1 << 60}:1:errno:{number("ENOSPC")}'


def plans_transparent(_, good):
    for kind in 'read', 'write', 'message':
        yield f'{kind}:1:{1 << 60}:1:short:0'
        yield f'{kind}:1:{1 << 60}:2:errno:{number("EINTR")}'
        yield f'{kind}:1:{1 << 60}:2:errno:{number("EAGAIN")}'
    for kind in 'poll', 'wait':
        yield f'{kind}:1:{1 << 60}:2:errno:{number("EINTR")}'


def plans_signal(case, good):
    counts = dict(zip(KINDS, good.counts))
    signals = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
    for kind in 'open', 'read', 'write', 'rename', 'close', 'link':
        for n in chosen(counts[kind] // 3 if case.command[0] == 'stackrecord' else counts[kind]):
            for number_of in signals if ALL else [signals[n % 3]]:
                yield f'{kind}:{n}:{n}:1:signal:{int(number_of)}'


MODES = {
    'fail': (plans_fail, failed_wrong),
    'transparent': (plans_transparent, transparent_wrong),
    'signal': (plans_signal, signal_wrong),
}


def test(case, work, mode, pool):
    """Returns how many runs there were, and how many went wrong."""
    plans, wrong = MODES[mode]
    good = run(case, work)
    if good.status != 0 or not good.counts[0]:
        print(f'{case.name}: without a fault the status is {good.status}: {good.err}')
        return 1, 1

    def one(fault):
        result = run(case, work, fault)
        return fault, wrong(case, result, good) if result.fired else None, result

    runs = bad = 0
    for fault, what, result in pool.map(one, plans(case, good)):
        runs += 1
        if what is not None:
            bad += 1
            print(f'{case.name}: {fault} ({result.changed}): {what}')
            for line in new_lines(result, good)[:3]:
                print(f'    {line}')
        elif os.environ.get('VERBOSE'):
            print(f'  {case.name}: {fault} ({result.changed}): {result.status} {new_lines(result, good)[:2]}')
    return runs, bad


def main(groups, copy_data, record):
    """copy_data(folder) writes what the cases read, and record(folder) what needs a recording; it returns a process
    that may be recorded."""
    mode, wanted = sys.argv[1], sys.argv[2:]
    only = os.environ.get('ONLY', '')
    runs = bad = 0
    target = None
    with tempfile.TemporaryDirectory(prefix='faults.') as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        copy_data(work)
        try:
            if {'data', 'record', 'short', 'endless'} & set(wanted):
                target = record(work)
                os.environ['PID'] = str(target.pid)
            cases = [c for group in wanted for c in groups[group][:None if mode == 'fail' or ALL else 3]]
            for case in (c for c in cases if only in c.name):
                more, worse = test(case, work, mode, pool)
                runs, bad = runs + more, bad + worse
        finally:
            if target:
                target.kill()
                target.wait()
    print(f'{runs} runs, {bad} went wrong')
    return bad > 0 or runs == 0
