'use strict';
/* How fast pictures are in a browser, ours and those of other programs: the time from the start of the
 * navigation to the first paint after it has loaded, from a click on a frame to the paint of the zoom, and from
 * a term that is typed or given to the paint of its matches; and the size of the file.
 *
 *     node bench.js BUILD [FRAMES ...]
 *
 * Without FRAMES also the ranges of time of ranges.js.
 *
 * The profiles are made (profile.js) and drawn with all their frames, into BUILD/bench/. The pictures are
 * measured in turn, each time newly loaded and left alone for a second, and medians printed, in milliseconds, with
 * the ratio to the better of flamegraph.pl and inferno: the median of those of each turn, since a busy machine slows all
 * pictures of a turn. Small pictures are opened more often. BUILD/bench-browser.json gets the same. Status 1 where a figure is over what
 * tests/bench/limits says. FLAMEGRAPH_DIR names the folder of flamegraph.pl, inferno-flamegraph is looked for on PATH,
 * and D3_FLAME_DIR names a folder in which npm has installed d3 and d3-flame-graph. */
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { withPage } = require('./browser.js');
const { evaluate, pointAt, PAINTED } = require('./page.js');
const { makeProfile, foldedText, nestedData, targetOf } = require('./profile.js');
const { printRanges } = require('./ranges.js');

const SIZES = [50, 500, 2000, 10000, 50000, 300000];
const RUNS = 5;
const SMALL = 10000; /* frames; up to this many, each run opens the pictures this many times more */
const MORE = 10;
const SLOW = 20000; /* milliseconds; a picture that takes longer is measured once */
const LOOK = 1000; /* milliseconds that a person looks at a picture before using it */
const TERM = 'socket';
const MEASURES = ['open', 'zoom', 'search'];

/* ---- the pictures ---- */

function found(program) {
    return spawnSync('sh', ['-c', `command -v "${program}"`]).status === 0;
}

/* Runs a program on a file, its output into another. */
function draw(argv, input, output) {
    const out = fs.openSync(output, 'w');
    const { status, error } = spawnSync(argv[0], argv.slice(1), { stdio: [fs.openSync(input), out, 'ignore'] });
    fs.closeSync(out);
    if (status !== 0)
        throw new Error(`${argv.join(' ')}: ${error ? error.message : 'status ' + status}`);
}

/* A page with d3-flame-graph as its manual shows it; without transitions, which would only take time. */
function d3Page(folder, profile) {
    const script = (name) => fs.readFileSync(path.join(folder, 'node_modules', name), 'utf8');
    return `<!DOCTYPE html><meta charset="utf-8">
<style>${script('d3-flame-graph/dist/d3-flamegraph.css')}</style>
<input><div id="details">&nbsp;</div><div id="chart"></div>
<script>${script('d3/dist/d3.min.js')}</script>
<script>${script('d3-flame-graph/dist/d3-flamegraph.umd.min.js')}</script>
<script>
const chart = (flamegraph.default || flamegraph)().width(1180).minFrameSize(1).transitionDuration(0)
    .setDetailsElement(document.querySelector('#details'));
d3.select('#chart').datum(${JSON.stringify(nestedData(profile))}).call(chart);
document.querySelector('input').addEventListener('input', (event) => chart.search(event.target.value));
</script>
`;
}

const SHOWN = `getComputedStyle(document.querySelector('#unzoom')).display !== 'none'`;
const FOUND = `/%/.test(document.querySelector('#matched').textContent)`;
const PROMPTS = { zoomed: SHOWN, found: FOUND, prompts: true };
const TYPES = { zoomed: SHOWN, found: FOUND, key: '/' };

/* Name: how it is drawn, as the words of a command or as text; the expressions that say in the page that it
 * is zoomed and that it has searched; the key that opens the field, or whether it asks by window.prompt. */
function pictures(build, profile) {
    const own = path.join(build, 'bin', 'flamesvg');
    const perl = path.join(process.env.FLAMEGRAPH_DIR || '', 'flamegraph.pl');
    const d3 = process.env.D3_FLAME_DIR;
    const list = {
        own: { argv: [own, '-q', '--minwidth=0'], ...TYPES },
        html: /--html/.test(spawnSync(own, ['--help']).stdout) &&
            { argv: [own, '-q', '--html'], ...TYPES, file: 'html' },
        perl: { argv: [path.join(build, 'compat', 'flamegraph.pl'), '--minwidth=0'], ...TYPES },
        'flamegraph.pl': process.env.FLAMEGRAPH_DIR && fs.existsSync(perl) &&
            { argv: ['perl', perl, '--minwidth=0'], ...PROMPTS },
        inferno: found('inferno-flamegraph') &&
            { argv: ['inferno-flamegraph', '--minwidth', '0'], ...PROMPTS },
        d3: d3 && { text: () => d3Page(d3, profile), file: 'html', pitch: 18, found: `/search/.test(details.textContent)`,
            zoomed: `document.querySelector('g.frame.fade') !== null` },
    };
    return Object.entries(list).filter(([, picture]) => picture)
        .map(([name, picture]) => ({ name, pitch: 16, times: { open: [], zoom: [], search: [] }, ...picture }));
}

function drawAll(list, folded) {
    for (const picture of list) {
        picture.path = `${folded}.${picture.name}.${picture.file || 'svg'}`;
        if (picture.argv)
            draw(picture.argv, folded, picture.path);
        else
            fs.writeFileSync(picture.path, picture.text());
        picture.bytes = fs.statSync(picture.path).size;
    }
}

/* ---- in the page ---- */

/* Runs before the page's own scripts. A paint is over when the frame after it begins. */
function prepare() {
    const bench = {
        opened: 0, took: 0,
        afterPaint(then) {
            requestAnimationFrame(() => requestAnimationFrame(() => then(performance.now())));
        },
        follow(start, done) {
            const look = () => done() ? requestAnimationFrame(() => { bench.took = performance.now() - start; })
                                      : requestAnimationFrame(look);
            requestAnimationFrame(look);
        },
        onEvent(type, done) {
            addEventListener(type, (event) => bench.follow(event.timeStamp, done), { capture: true, once: true });
        },
        onAnswer(done) {
            const ask = window.prompt;
            window.prompt = (...questions) => {
                const answer = ask.apply(window, questions);
                bench.follow(performance.now(), done);
                return answer;
            };
        },
        until(done) {
            return new Promise((resolve) => {
                const look = () => done() ? resolve() : requestAnimationFrame(look);
                look();
            });
        },
    };
    window.bench = bench;
    addEventListener('load', () => bench.afterPaint((now) => { bench.opened = now; }));
}

async function openOnly(page, picture) {
    await page.call('Page.navigate', { url: 'about:blank' });
    await page.call('HeapProfiler.collectGarbage');
    const loaded = page.once('Page.loadEventFired');
    await page.call('Page.navigate', { url: pathToFileURL(picture.path).href });
    await loaded;
    picture.times.open.push(await evaluate(page,
        'window.bench.until(() => window.bench.opened > 0).then(() => window.bench.opened)'));
}

async function open(page, picture) {
    await openOnly(page, picture);
    await new Promise((done) => { setTimeout(done, LOOK); });
    await page.call('HeapProfiler.collectGarbage');
}

async function took(page) {
    return evaluate(page, 'window.bench.until(() => window.bench.took > 0).then(() => window.bench.took)');
}

/* Moves the pointer on the frame, and makes sure that it is there. */
async function pointAtTarget(page, picture, target) {
    const at = await pointAt(page, target, picture.pitch);
    const details = await evaluate(page, `${PAINTED}.then(() => document.querySelector('#details').textContent)`);
    if (!details.includes(target.name) || !details.replace(/[,.]/g, '').includes(target.count))
        throw new Error(`at ${at.x},${at.y} is not ${target.name} but ${details}`);
    return at;
}

async function zoom(page, picture, target) {
    await open(page, picture);
    const at = await pointAtTarget(page, picture, target);
    await evaluate(page, `window.bench.onEvent('click', () => ${picture.zoomed})`);
    for (const type of ['mousePressed', 'mouseReleased'])
        await page.call('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
    picture.times.zoom.push(await took(page));
}

async function press(page, key, modifiers = 0) {
    const event = { key, modifiers, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) };
    await page.call('Input.dispatchKeyEvent', { ...event, type: modifiers ? 'rawKeyDown' : 'keyDown',
        text: modifiers ? undefined : key });
    await page.call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
}

async function search(page, picture) {
    await open(page, picture);
    if (picture.prompts) {
        await evaluate(page, `window.bench.onAnswer(() => ${picture.found})`);
        const asked = page.once('Page.javascriptDialogOpening');
        const pressed = press(page, 'f', 2); /* Ctrl-F; ends when the dialog is answered */
        await asked;
        await page.call('Page.handleJavaScriptDialog', { accept: true, promptText: TERM });
        await pressed;
    } else {
        if (picture.key)
            await press(page, picture.key);
        else
            await evaluate(page, `document.querySelector('input').focus()`);
        await evaluate(page, `window.bench.until(() => document.activeElement.localName === 'input')`);
        await evaluate(page, `window.bench.onEvent('input', () => ${picture.found})`);
        await page.call('Input.insertText', { text: TERM });
    }
    picture.times.search.push(await took(page));
}

/* ---- the figures ---- */

function median(list) {
    const sorted = [...list].sort((a, b) => a - b);
    return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.floor(sorted.length / 2)]) / 2;
}

function isSlow({ times }) {
    return times.zoom.length > 0 && MEASURES.reduce((sum, measure) => sum + times[measure][0], 0) > SLOW;
}

/* A picture that does not do what is asked is left out, and fails. */
async function measure(page, picture, target) {
    try {
        await zoom(page, picture, target);
        await search(page, picture);
    } catch (error) {
        console.log(`${picture.path}: ${error.message}`);
        picture.failed = true;
        process.exitCode = 1;
    }
}

async function measureAll(list, target, more) {
    const left = () => list.filter((one) => !isSlow(one) && !one.failed);
    for (let turn = 0; turn < RUNS; turn++)
        await withPage(async (page) => {
            await page.call('Page.addScriptToEvaluateOnNewDocument', { source: `(${prepare})()` });
            for (const picture of left())
                await measure(page, picture, target);
            for (let n = 0; n < more; n++)
                for (const picture of n % 2 ? left() : left().reverse())
                    await openOnly(page, picture);
        });
}

/* Measures the pictures of a profile of so many frames; returns a row for each. */
async function measureSize(build, frames) {
    const profile = makeProfile(frames);
    const target = targetOf(profile);
    const folded = path.join(build, 'bench', `browser-${frames}`);
    fs.writeFileSync(folded, foldedText(profile));
    const list = pictures(build, profile);
    drawAll(list, folded);
    await measureAll(list, target, frames <= SMALL ? MORE : 0);
    return list.filter(({ failed }) => !failed).map(({ name, times, bytes }) => ({
        picture: name, frames, bytes, runs: times.open.length, times,
        ...Object.fromEntries(MEASURES.map((measure) => [measure, Math.round(median(times[measure]))])),
    }));
}

/* ---- limits and output ---- */

/* Lines of tests/bench/limits:
 *
 *     browser own  50000  svg  0.3  0.2  0.4  0.4      times the better of flamegraph.pl and inferno
 *     browser own 300000  -    1000ms 250ms 150ms 10MB */
function readLimits() {
    const text = fs.readFileSync(path.join(__dirname, '..', 'bench', 'limits'), 'utf8');
    return text.split('\n').filter((line) => line.startsWith('browser ')).map((line) => {
        const [, picture, frames, beside, open, zoom, search, bytes] = line.split(/\s+/);
        return { picture, frames: Number(frames), beside, open, zoom, search, bytes };
    });
}

/* The row with the best figure of the pictures that a limit is about; undefined if none of them was measured. */
function best(rows, { frames, beside }, measure) {
    const names = beside === 'svg' ? ['flamegraph.pl', 'inferno'] : [beside];
    return rows.filter((row) => row.frames === frames && names.includes(row.picture))
        .sort((a, b) => a[measure] - b[measure])[0];
}

/* How many times that of the other row a figure is. */
function ratio(row, other, measure) {
    if (measure === 'bytes')
        return row.bytes / other.bytes;
    const both = Math.min(row.times[measure].length, other.times[measure].length);
    return median(row.times[measure].slice(0, both).map((time, n) => time / other.times[measure][n]));
}

/* A figure beside its limit: { text, over }. */
function compare(rows, row, limit, measure) {
    const allowed = limit[measure];
    const other = best(rows, limit, measure);
    const unit = /ms$/.test(allowed) ? 1 : 1e6;
    const isRatio = !/(ms|MB)$/.test(allowed);
    if (allowed === '-' || (isRatio && !other))
        return { text: '-', over: false };
    const figure = isRatio ? ratio(row, other, measure) : row[measure] / unit;
    const over = figure > parseFloat(allowed);
    const digits = /ms$/.test(allowed) ? 0 : 2;
    return { text: `${figure.toFixed(digits)} (${allowed})${over ? '!' : ''}`, over };
}

function printSize(rows, frames) {
    console.log(`\n${frames} frames   open ms  zoom ms  search ms  file MB  runs`);
    for (const row of rows.filter((one) => one.frames === frames))
        console.log([row.picture.padEnd(14), String(row.open).padStart(8), String(row.zoom).padStart(8),
            String(row.search).padStart(10), (row.bytes / 1e6).toFixed(2).padStart(8),
            String(row.runs).padStart(5)].join(' '));
}

/* Prints how the pictures do beside their limits; returns how many figures are over. */
function printLimits(rows) {
    let count = 0;
    console.log('\nbeside the limits  frames   than            open            zoom            search          file');
    for (const limit of readLimits()) {
        const row = rows.find((one) => one.picture === limit.picture && one.frames === limit.frames);
        const figures = row && [...MEASURES, 'bytes'].map((measure) => compare(rows, row, limit, measure));
        if (row)
            console.log([limit.picture.padEnd(18), String(limit.frames).padEnd(8), limit.beside.padEnd(15),
                ...figures.map(({ text }) => text.padEnd(15))].join(' '));
        count += row ? figures.filter(({ over }) => over).length : 0;
    }
    return count;
}

async function main([build, ...sizes]) {
    if (!build) {
        console.error('usage: bench.js BUILD [FRAMES ...]');
        return 2;
    }
    if (!found(process.env.CHROMIUM || 'chromium')) {
        console.log('no chromium: the pictures are not measured');
        return 0;
    }
    const rows = [];
    fs.mkdirSync(path.join(build, 'bench'), { recursive: true });
    for (const frames of sizes.length > 0 ? sizes.map(Number) : SIZES) {
        rows.push(...await measureSize(build, frames));
        printSize(rows, frames);
    }
    const over = printLimits(rows);
    if (sizes.length === 0)
        await printRanges(build);
    fs.writeFileSync(path.join(build, 'bench-browser.json'),
        JSON.stringify(rows, (key, value) => key === 'times' ? undefined : value, 1) + '\n');
    console.log(over > 0 ? `\n${over} over the limit, marked !` : '');
    return over > 0 ? 1 : 0;
}

main(process.argv.slice(2)).then(
    (status) => { process.exitCode ||= status; },
    (error) => { console.error(error.message); process.exitCode = 1; });
