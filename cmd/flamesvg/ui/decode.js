/* The profile (of flamegraph.pl's pictures: nodes.js): the table of frames that the file holds, as
 * JSON. The writer, table.c, describes its members. */

import { frames } from './picture.js';
import { linkFrames, makeTable } from './table.js';
import { tableText } from 'tabletext';
export { decodeNumbers, drawFirst, openFrames, profile, profileOf };

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

const VALUES = new Uint8Array(128);
Array.from(DIGITS).forEach((digit, value) => { VALUES[digit.charCodeAt(0)] = value; });

/* How many numbers a text has. To count them is faster than to use memory for as many as there are characters. */
function countNumbers(text) {
    let count = 0;
    for (let i = 0; i < text.length; i++)
        count += VALUES[text.charCodeAt(i)] < 32 ? 1 : 0;
    return count;
}

/* The numbers of a text, in base 32, the highest digit first, in an array that has room for them. A character from the
 * second half of DIGITS says that more digits follow. */
function decodeNumbers(text, numbers = new Float64Array(countNumbers(text))) {
    let count = 0, number = 0;
    for (let i = 0; i < text.length; i++) {
        const value = VALUES[text.charCodeAt(i)];
        if (value < 32) {
            numbers[count++] = number * 32 + value;
            number = 0;
        } else {
            number = number * 32 + value - 32;
        }
    }
    return numbers;
}

/* An even number is a half of itself; an odd one stands for the negative numbers from -1 on. */
function decodeSigned(text) {
    return decodeNumbers(text).map(n => n % 2 === 0 ? n / 2 : -(n + 1) / 2);
}

/* For each frame: how many of the frames open before it end here, the gap from where the one before it
 * with the same caller has ended, or from the start of its caller, its width and its name. */
function decodeFrames(text) {
    const numbers = decodeNumbers(text);
    const table = makeTable(numbers.length / 4);
    const ends = [0]; /* by level: where the next frame starts without a gap */
    for (let i = 0, level = -1; i < table.count; i++) {
        const at = 4 * i;
        level += 1 - numbers[at];
        table.level[i] = level;
        table.start[i] = ends[level] + numbers[at + 1];
        table.width[i] = numbers[at + 2];
        table.name[i] = numbers[at + 3];
        ends[level] = table.start[i] + table.width[i];
        ends[level + 1] = table.start[i];
    }
    return linkFrames(table);
}

/* Reads the JSON of the file: the table of frames, and for each function name its colour, kind, package and
 * attributes. */
function readProfile() {
    const file = JSON.parse(tableText);
    const table = decodeFrames(file.frames);
    const numbers = key => file[key] === undefined ? null : decodeNumbers(file[key]);
    table.fill = numbers('frameFills');
    table.delta = file.deltas === undefined ? null : decodeSigned(file.deltas);
    table.maxDelta = file.maxDelta;
    return {
        table, names: file.names, fills: file.fills, nameFills: numbers('nameFills'),
        kinds: numbers('kinds'), kindNames: file.kindNames || [], kindFills: file.kindFills || [],
        packages: numbers('namePackages'), packageNames: file.packages || [],
        scale: file.scale || 1, /* counts are multiples of 1 / scale */
        grown: file.grown, shrunk: file.shrunk, negated: Boolean(file.negated),
        columns: file, /* of time: see slices.js and stalls.js */
        attributes: new Map(Object.entries(file.attrs || {}).map(([name, all]) => [Number(name), all])),
    };
}

const profile = readProfile();
const profileOf = () => profile;

/* The file's elements give way to those that the script makes. */
function openFrames() {
    frames?.replaceChildren();
}

const drawFirst = draw => draw();
