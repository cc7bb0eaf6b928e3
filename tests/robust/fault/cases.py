#!/usr/bin/env python3
"""The runs that faults.py makes, in groups, and the files that they read."""
import gzip
import os
import shutil
import subprocess
import sys

from faults import BIN, DATA, Case, contents, main

SPIN = os.path.join(DATA, '..', 'record', 'app', 'spin.c')
NODE = 'node 7 [000] 1.000000: 1 cycles:\n\t1234 [unknown] (/tmp/perf-7.map)\n\t55 main (/bin/node)\n\n'


def named(text):
    """Whether folded text has the names of a program's and of a library's functions: what is the same in each
    recording of tests/record/app/spin.c, also of few samples."""
    return any(b'start_thread' in line and b'spin_here' in line for line in text.splitlines())


def folded(program, text):
    command = [os.path.join(BIN, program), '-q'], [os.path.join(BIN, 'stackcollapse'), '-q']
    for words in command[program == 'stackcollapse':]:
        text = subprocess.run(words, input=text, capture_output=True, check=False).stdout
    return named(text)


def of_text(answer):
    return folded('stackcollapse', answer[0])


def of_folded(answer):
    return named(answer[0])


def of_data(answer):
    return folded('perf-script', answer[1][0][1] if answer[1] else b'')


def of_data_on_stdout(answer):
    return folded('perf-script', answer[0])


def of_counts(answer):
    """Whether there is a whole row of the events: a process that does not run for a while counts nothing."""
    rows = [line.split(b',') for line in answer[1][0][1].splitlines()] if answer[1] else []
    return sorted({(b'page-faults' in row, len(row)) for row in rows})


PALETTE = b'main->rgb(1,2,3)\nother->rgb(4,5,6)\n'
RECORD = 'stackrecord -F 2000 --user'

GROUPS = {
    'text': [
        Case('perf-script text', 'perf-script WORK/perf'),
        Case('perf-script pipe', 'perf-script', '|perf'),
        Case('perf-script two files', 'perf-script WORK/perf WORK/node'),
        Case('perf-script range of a pipe', 'perf-script --time 10%,90%', '|perf'),
        Case('perf-script check', 'perf-script --check WORK/perf'),
        Case('perf-script stats', 'perf-script --stats=json WORK/perf'),
        Case('perf-script perf map', 'perf-script --perf-map 7=WORK/map WORK/node'),
        Case('perf-script map folder', 'perf-script --map-dir WORK/maps WORK/node'),
        Case('stackfilter text', 'stackfilter --node --drop "^_" --rename s/a/b/ WORK/perf'),
        Case('stackfilter folded', 'stackfilter --focus main --max-depth 5', '|folded'),
        Case('stackcollapse text', 'stackcollapse WORK/perf'),
        Case('stackcollapse pipe', 'stackcollapse --all', '|perf'),
    ],
    'formats': [
        *(Case(f'stackcollapse {name}', f'stackcollapse DATA/stackcollapse/{name}') for name in (
            'cpuprofile/app', 'speedscope/documented', 'chrome-tracing/browser', 'chrome-tracing/node', 'pprof/cpu',
            'pprof/heap', 'xctrace/time', 'instruments/tree', 'vtune/columns', 'perf-trace/app', 'wcp/report')),
        *(Case(f'stackcollapse pipe {name}', 'stackcollapse', f'|{name}')
          for name in ('cpuprofile', 'pprof', 'chrome')),
    ],
    'packed': [
        Case('stackcollapse gzip', 'stackcollapse WORK/perf.gz'),
        Case('stackcollapse gzip pipe', 'stackcollapse', '|perf.gz'),
        Case('stackfilter zstd pipe', 'stackfilter', '|perf.zst'),
        Case('flamesvg xz', 'flamesvg WORK/folded.xz'),
        Case('perf-script gzip data', 'perf-script --symfs WORK/maps', '|data.gz'),
        Case('perf-script compressed records', 'perf-script', '|blocks.pipe'),
        Case('stackcollapse gzip members', 'stackcollapse', '|members.gz'),
    ],
    'pictures': [
        Case('flamesvg', 'flamesvg WORK/folded'),
        Case('flamesvg pipe', 'flamesvg --colors js --title T', '|folded'),
        Case('flamesvg html', 'flamesvg --html WORK/folded'),
        Case('flamesvg palette', 'flamesvg --cp WORK/folded', makes={'palette.map': PALETTE}),
        Case('flamesvg new palette', 'flamesvg --cp WORK/folded', makes={'palette.map': None}),
        Case('flamesvg nameattr', 'flamesvg --nameattr WORK/attributes WORK/folded'),
        Case('flamesvg output', 'flamesvg -o out.svg WORK/folded', makes={'out.svg': b'old'}),
        Case('flamesvg wide', 'flamesvg --flamechart --reverse WORK/folded'),
    ],
    'compare': [
        Case('stackdiff', 'stackdiff WORK/folded WORK/other'),
        Case('stackdiff table', 'stackdiff --format table -n WORK/folded WORK/other'),
        Case('stackdiff json', 'stackdiff --format json WORK/folded WORK/other'),
        Case('stackdiff pipe', 'stackdiff - WORK/other', '|folded'),
        Case('stackreport', 'stackreport WORK/perf'),
        Case('stackreport json', 'stackreport --format json --by dso', '|perf'),
        Case('stackreport tree', 'stackreport --callers main WORK/folded'),
    ],
    'export': [
        *(Case(f'stackexport {name}', f'stackexport --to {name} WORK/perf')
          for name in ('pprof', 'firefox', 'speedscope', 'cpuprofile', 'tsv')),
        Case('stackexport pipe', 'stackexport --to pprof', '|folded'),
    ],
    'folders': [Case('stackfiles', 'stackfiles WORK/maps WORK/perf')],
    'data': [
        Case('perf-script data', 'perf-script WORK/spin.data'),
        Case('perf-script data pipe', 'perf-script', '|spin.pipe'),
        Case('perf-script data from a file', 'perf-script --time 0%,50%', 'spin.data'),
        Case('perf-script spooled', 'perf-script', '|spin.data'),
        Case('perf-script lines', 'perf-script -F +srcline WORK/spin.data'),
        Case('perf-script unwound', 'perf-script WORK/copied.data'),
        Case('perf-script events', 'perf-script --show-mmap-events --show-task-events WORK/spin.data'),
        Case('perf-script check data', 'perf-script --check WORK/spin.data'),
        Case('perf-script stack', 'perf-script DATA/stack.data'),
        Case('perf-script tracepoints', 'perf-script DATA/tracepoints.pipe.data'),
        Case('perf-script kallsyms', 'perf-script --symfs WORK/maps --kallsyms WORK/kallsyms DATA/two-events.data'),
        Case('stackcollapse inline', 'stackcollapse --inline WORK/spin.perf'),
    ],
    'record': [
        Case('stackrecord text', f'{RECORD} -- WORK/spin 1 0.02', digest=of_text),
        Case('stackrecord folded', f'{RECORD} --folded -- WORK/spin 1 0.02', digest=of_folded),
        Case('stackrecord data', f'{RECORD} -o out.data -- WORK/spin 1 0.02', makes={'out.data': None}, digest=of_data),
        Case('stackrecord data pipe', f'{RECORD} -o - -- WORK/spin 1 0.02', digest=of_data_on_stdout),
        Case('stackrecord pid', f'{RECORD} --duration 0.1 -p PID', digest=of_text),
        Case('stackrecord pid data', f'{RECORD} --duration 0.1 -o out.data -p PID', makes={'out.data': None},
             digest=of_data),
        Case('stackrecord list', 'stackrecord --list'),
        *(Case(f'stackstat {name}', f'stackstat -x, -o out {words}', makes={'out': None}, digest=of_counts) for name, words in (
            ('command', '-- WORK/spin 1 0.02'),
            ('group', "-e '{faults,cs}' -- WORK/spin 1 0.02"),
            ('pid', '--duration 0.1 -p PID'),
            ('interval', '-I 20 --duration 0.1 -a -A -e cpu-clock'),
            ('versus', '-r 2 -- WORK/spin 1 0.02 --vs -- WORK/spin 1 0.02'))),
    ],
    'short': [
        Case('stackrecord', f'{RECORD} -- WORK/spin 1 0.02', digest=of_text),
        Case('stackrecord data', f'{RECORD} -o out.data -- WORK/spin 1 0.02', makes={'out.data': None}, digest=of_data),
    ],
    'endless': [ # but for the signal
        Case('stackrecord', f'{RECORD} --duration 4 -p PID', digest=of_text),
        Case('stackrecord data', f'{RECORD} --duration 4 -o out.data -p PID', makes={'out.data': None}, digest=of_data),
    ],
}


def write(work, name, data):
    path = os.path.join(work, name)
    with open(path, 'wb') as f:
        f.write(data)
    return path


def output(*command, **options):
    return subprocess.run(command, capture_output=True, check=True, **options).stdout


def members(first, second):
    """Two members of gzip, of which the first ends with the first block that a program reads, of 256 KiB. A tool
    that gets no more sees nothing missing."""
    body = gzip.compress(first, mtime=0)
    name = b'n' * (262144 - len(body) - 1) + b'\0'
    return body[:3] + b'\x08' + body[4:10] + name + body[10:] + gzip.compress(second)


def copy_data(work):
    with gzip.open(os.path.join(DATA, 'shell-pipe.perf.txt.gz')) as f:
        perf = f.read()
    perf = write(work, 'perf', perf)
    fold = write(work, 'folded', output(os.path.join(BIN, 'stackcollapse'), '-q', perf))
    write(work, 'other', output('sed', '3d;s/ 1$/ 2/', fold))
    for name, source in ('perf', perf), ('data', os.path.join(DATA, 'two-events.data')):
        write(work, f'{name}.gz', output('gzip', '-c', source))
    write(work, 'members.gz', members(contents(perf), contents(perf)))
    write(work, 'perf.zst', output('zstd', '-qc', perf))
    packed = os.path.join(DATA, '..', 'robust', 'hostile', 'packed.py')
    write(work, 'blocks.pipe', output('python3', packed, 'blocks', os.path.join(DATA, 'tracepoints.pipe.data')))
    write(work, 'folded.xz', output('xz', '-c', fold))
    for name, source in ('cpuprofile', 'cpuprofile/app'), ('pprof', 'pprof/cpu'), ('chrome', 'chrome-tracing/browser'):
        shutil.copy(os.path.join(DATA, 'stackcollapse', source), os.path.join(work, name))
    write(work, 'attributes', b'main\ttitle=a\thref=http://localhost/\n')
    write(work, 'node', NODE.encode())
    os.mkdir(os.path.join(work, 'maps'))
    for name in 'map', 'maps/perf-7.map':
        write(work, name, b'1000 1000 JS:~hello file.js:1:1\n')
    write(work, 'kallsyms', b'ffffffff81000000 T _stext\nffffffff81000010 T do_syscall_64\n')


def record(work):
    spin = os.path.join(work, 'spin')
    output('gcc', '-g', '-O1', '-fno-omit-frame-pointer', '-pthread', '-o', spin, SPIN)
    for name in 'spin.data', 'spin.pipe':
        out = '-' if name == 'spin.pipe' else os.path.join(work, name)
        recorder = os.path.join(BIN, 'stackrecord')
        text = output(recorder, '-q', '--user', '-F', '2000', '-o', out, '--', spin, '1', '0.05')
        if out == '-':
            write(work, name, text)
    copied = os.path.join(work, 'copied.data')
    perf = ['perf', 'record', '-q', '-B', '-e', 'cpu-clock:u', '-F', '999', '--call-graph', 'dwarf,2048', '-o', copied]
    command = [*perf, '--', spin, '1', '0.05']
    if not shutil.which('perf') or subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
        shutil.copy(os.path.join(work, 'spin.data'), copied)  # without perf the case has nothing to unwind
    write(work, 'spin.perf', output(os.path.join(BIN, 'perf-script'), '-q', os.path.join(work, 'spin.data')))
    return subprocess.Popen([spin, '1', '600'], stdout=subprocess.DEVNULL)


if __name__ == '__main__':
    sys.exit(main(GROUPS, copy_data, record))
