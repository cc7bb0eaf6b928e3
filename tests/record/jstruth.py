#!/usr/bin/env python3
"""Compares names of JavaScript from memory with those of V8's own perf map, sample by sample.

usage: jstruth.py hide KIND FILE OUT    copy perf.data of stackrecord -o, and leave out its own records: "names" (read
                                        from memory) or "lines" (of perf maps): see common/event/ownrecord.h
       jstruth.py compare MAP MEMORY    two texts of perf-script, with the names of each; prints how many frames are
                                        named, wrong and without a name; status 1 if any is wrong
"""
import collections
import re
import struct
import sys

TEXT_POKE = 20
KINDS = {'names': (b'fpjscode', b'fpjstram'), 'lines': (b'fperfmap',)}


def hide(kind, source, target):
    data = bytearray(open(source, 'rb').read())
    start, size = struct.unpack_from('<QQ', data, 40)  # struct perf_file_header: data
    at, count = start, 0
    while at < start + size:
        what, _, length = struct.unpack_from('<IHH', data, at)
        if what == TEXT_POKE and bytes(data[at + 8:at + 16]) in KINDS[kind]:
            data[at + 8:at + 16] = bytes(8)
            count += 1
        at += length
    open(target, 'wb').write(data)
    print(f'{count} records left out', file=sys.stderr)


def samples(path):
    header, frames = None, []
    for line in open(path, errors='replace'):
        if line.startswith('\t'):
            addr, rest = line.strip().split(' ', 1)
            symbol, dso = rest.rsplit(' (', 1)
            frames.append((re.sub(r'\+0x[0-9a-f]+$', '', symbol), dso.rstrip(')\n')))
        elif line.strip():
            header = re.sub(r'\s+', ' ', line.strip())
        elif header is not None:
            yield header, frames
            header, frames = None, []


JS = re.compile(r"^(JS|LazyCompile|Function|Script|Eval|InterpretedFunction|RegExp)[:.]")


def label(symbol):
    """V8 10 says in the map how a function came to be compiled (LazyCompile, Function), which its memory does not."""
    if symbol.startswith('RegExp'):  # nor do the patterns of regular expressions
        return 'RegExp'
    return re.sub(r'^(LazyCompile|Function|InterpretedFunction):', 'JS:', symbol)


# What WebAssembly is called in the map (V8 10 says Function), and what it may be called here.
WASM = (
    (re.compile(r'^(JS|Function):wasm-to-js\b'), ('Stub:wasm-to-js', '(WebAssembly without names)')),
    (re.compile(r'^(JS|Function):.*-\d+-(liftoff|turbofan)$'), ('(WebAssembly without names)',)),
    (re.compile(r'^Stub:js-to-wasm\b'), ('Stub:js-to-wasm',)),
)
WASM_HERE = {name for _, names in WASM for name in names}


def wasm_names(symbol):
    return next((names for form, names in WASM if form.match(symbol)), None)


def compare(map_path, memory_path):
    counts, wrong, unnamed, alone = (collections.Counter() for _ in range(4))
    for (head, truth), (other_head, ours) in zip(samples(map_path), samples(memory_path)):
        if head != other_head or len(truth) != len(ours):
            counts['samples that differ in length'] += 1
            continue
        counts['samples'] += 1
        for i, ((symbol, dso), (name, _)) in enumerate(zip(truth, ours)):
            leaf = 'leaf ' if i == 0 else ''
            if names := wasm_names(symbol):
                bad = name not in names and (JS.match(name) or name in WASM_HERE)
                counts['WRONG' if bad else 'WebAssembly' if name in names else leaf + 'WebAssembly, no label'] += 1
                wrong.update([(symbol, name)] if bad else [])
                continue
            if not JS.match(symbol) or '/perf-' not in dso:
                if JS.match(name) or name in WASM_HERE:
                    counts['named here alone'] += 1
                    alone[(symbol, name)] += 1
                continue
            kind = re.match(r"^\w+[:.]([o~^+*']*)", symbol).group(1)
            if label(name) == label(symbol):
                counts[leaf + 'named'] += 1
            elif JS.match(name) or name in WASM_HERE:
                counts['WRONG'] += 1
                if not wrong[(symbol, name)]:  # a map has no times: who is right is seen by callers and callees
                    print(head, *(f'    {t[0]}' + (f' | {o[0]}' if o[0] != t[0] else '')
                                  for t, o in zip(truth[max(i - 3, 0):i + 4], ours[max(i - 3, 0):i + 4])), sep='\n')
                wrong[(symbol, name)] += 1
            else:
                counts[leaf + 'without a name'] += 1
                unnamed[(leaf + kind, name)] += 1
    total = sum(n for k, n in counts.items() if 'named' in k and 'here' not in k or 'without' in k or k == 'WRONG')
    named = counts['named'] + counts['leaf named']
    print(f'{total} frames: {100 * named / max(total, 1):.2f} % named, {counts["WRONG"]} wrong', dict(counts))
    for pair, n in wrong.most_common(10):
        print(f'wrong {n}: {pair[0]} was called {pair[1]}')
    for what, n in unnamed.most_common(6):
        print(f'without a name {n}: {what[0]} {what[1]}')
    for pair, n in alone.most_common(4):
        print(f'named here alone {n}: {pair[0]} was called {pair[1]}')
    return counts['WRONG'] > 0


if __name__ == '__main__':
    if sys.argv[1] == 'hide':
        hide(*sys.argv[2:])
    else:
        sys.exit(compare(*sys.argv[2:]))
