// What the npm package source-map finds in a map, for each of its mappings, the column after it, and the ends of lines:
//
//     positions.mjs MAP     prints "LINE COLUMN<tab>ANSWER<tab>ANSWER ..."
//
// An answer is "SOURCE|LINE|COLUMN|NAME" or empty, all numbers from 0. Where several mappings begin at one position each
// is an answer.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const { SourceMapConsumer } = createRequire(path.join(process.cwd(), 'x.js'))('source-map');
const file = process.argv[2];

// The path as stackfilter shows it.
function shown(source) {
    if (source.startsWith('webpack:')) {
        const below = source.replace(/^webpack:\/\/[^/]*\//, '').replace(/\?.*/, '');
        return /^(webpack\/|external )/.test(below) ? below.replace(/^(?!webpack\/)/, 'webpack/') :
            below.startsWith('/') ? below : './' + path.posix.normalize(below);
    }
    return path.resolve(path.dirname(file), source);
}

function answer(m) {
    return m.source === null ? '' :
        [shown(m.source), (m.line ?? m.originalLine) - 1, m.column ?? m.originalColumn, m.name ?? ''].join('|');
}

const consumer = await new SourceMapConsumer(JSON.parse(fs.readFileSync(file, 'utf8')));
const at = new Map();
const positions = new Set();
consumer.eachMapping(m => {
    const key = m.generatedLine - 1 + ' ' + m.generatedColumn;
    at.set(key, (at.get(key) ?? []).concat(answer(m)));
    positions.add(key);
    positions.add(m.generatedLine - 1 + ' ' + (m.generatedColumn + 1));
    positions.add(m.generatedLine - 1 + ' 0');
    positions.add(m.generatedLine - 1 + ' 99999999');
});
const alternatives = new Map();
for (const list of at.values())
    for (const one of list.length > 1 ? list : [])
        alternatives.set(one, (alternatives.get(one) ?? []).concat(list));
const out = [];
for (const key of positions) {
    const [line, column] = key.split(' ').map(Number);
    const found = answer(consumer.originalPositionFor({ line: line + 1, column }));
    out.push([key, found, ...(alternatives.get(found) ?? [])].join('\t'));
}
process.stdout.write(out.join('\n') + '\n');
