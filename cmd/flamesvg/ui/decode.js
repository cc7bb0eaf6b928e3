/* The table of frames that the file holds, as JSON in a script element that browsers do not run. The
 * writer, table.c, describes its members. */

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

const VALUES = new Uint8Array(128);
Array.from(DIGITS).forEach((digit, value) => { VALUES[digit.charCodeAt(0)] = value; });

/* A function that returns the next number of the text each time. A number is written in base 32, the
 * highest digit first; a character from the second half of DIGITS says that more digits follow. */
function numberReader(text) {
    let at = 0;
    return () => {
        for (let number = 0;;) {
            const value = VALUES[text.charCodeAt(at++)];
            number = number * 32 + value % 32;
            if (value < 32)
                return number;
        }
    };
}

function countNumbers(text) {
    let count = 0;
    for (let i = 0; i < text.length; i++)
        count += VALUES[text.charCodeAt(i)] < 32 ? 1 : 0;
    return count;
}

function decodeNumbers(text) {
    const next = numberReader(text);
    const numbers = new Float64Array(countNumbers(text));
    for (let i = 0; i < numbers.length; i++)
        numbers[i] = next();
    return numbers;
}

/* An even number is a half of itself; an odd one stands for the negative numbers from -1 on. */
function decodeSigned(text) {
    return decodeNumbers(text).map(n => n % 2 === 0 ? n / 2 : -(n + 1) / 2);
}

/* For each frame: how many of the frames open before it end here, the gap from where the one before it
 * with the same caller has ended, or from the start of its caller, its width and its name. */
function decodeFrames(text) {
    const table = makeTable(countNumbers(text) / 4);
    const next = numberReader(text);
    const ends = []; /* by level: where the next frame starts without a gap */
    for (let i = 0, level = -1; i < table.count; i++) {
        level += 1 - next();
        table.level[i] = level;
        table.start[i] = (level < ends.length ? ends[level] : 0) + next();
        table.width[i] = next();
        table.name[i] = next();
        ends[level] = table.start[i] + table.width[i];
        ends[level + 1] = table.start[i];
        ends.length = level + 2;
    }
    return linkFrames(table);
}

/* Reads the JSON of the file: the table of frames, and for each function name its colour, kind, package and
 * attributes. */
function readProfile(graph) {
    const file = JSON.parse(graph.root.querySelector('script[type="application/json"]').textContent);
    const table = decodeFrames(file.frames);
    const numbers = key => file[key] === undefined ? null : decodeNumbers(file[key]);
    table.fill = numbers('frameFills');
    table.delta = file.deltas === undefined ? null : decodeSigned(file.deltas);
    return {
        table, names: file.names, fills: file.fills,
        nameFills: numbers('nameFills'),
        kinds: numbers('kinds'), kindNames: file.kindNames || [], kindFills: file.kindFills || [],
        packages: numbers('namePackages'), packageNames: file.packages || [],
        scale: file.scale || 1, /* counts are multiples of 1 / scale */
        maxDelta: file.maxDelta, grown: file.grown, shrunk: file.shrunk,
        attributes: new Map(Object.entries(file.attrs || {}).map(([name, all]) => [Number(name), all])),
    };
}

/* Nothing is to be seen before the script has drawn. */
function whenShown(act) {
    act();
}

/* The file's elements go before anything asks for a layout of them. */
function openFrames(graph) {
    profileOf(graph);
    graph.frames?.replaceChildren();
}

function drawFirst(graph) {
    redraw(graph);
}
