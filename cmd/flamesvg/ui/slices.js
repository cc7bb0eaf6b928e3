/* When stacks were seen: the counts of each cell of time, and the table of what was seen in a range of cells. A cell is
 * a slice of the recording, or several if it is long. A range is [from, to]: of cells by number, the last one excluded. */

import { chanceOf, comparedFile, withCallees } from './chance.js';
import { decodeNumbers } from './decode.js';
import { profile } from 'profile';
import { countsOfStall } from './stalls.js';
import { fileState, NO_STALL, state } from './state.js';
import { linkFrames, makeTable, ROOT } from './table.js';
export { countOfRange, hasCounts, hasSlices, rangesText, rangeText, readRanges, slicesOf, tableOfRanges };

/* Adds to each number those before it: then that of a range is a difference. */
function addUp(numbers) {
    for (let i = 1; i < numbers.length; i++)
        numbers[i] += numbers[i - 1];
    return numbers;
}

/* { start, length, slice: when the first cell begins, and how long a cell and a slice are, in milliseconds; total: how
 *   many cells there are;
 *   number: of the cells in which something was seen; sums: the counts of all of these before it;
 *   frame: those that stacks end in, and first: where their entries begin, up to those of the next frame;
 *   cell: of each entry, an index of `number`; entrySums: the counts of all entries before it }. timetable.c describes
 * the texts. */
function decodeSlices({ time: [start, length, slice], cells, ends, when, counts }) {
    const number = addUp(decodeNumbers(cells)), sums = new Float64Array(number.length + 1);
    const pairs = decodeNumbers(ends), frames = pairs.length / 2;
    const frame = new Int32Array(frames), first = new Int32Array(frames + 1);
    for (let n = 0; n < frames; n++) {
        frame[n] = pairs[2 * n] + (n > 0 ? frame[n - 1] : 0);
        first[n + 1] = first[n] + pairs[2 * n + 1];
    }
    /* A small array is much faster made than a large one. */
    const Cells = number.length <= 0x10000 ? Uint16Array : Uint32Array;
    const Sums = profile.table.width[ROOT] < 2 ** 31 ? Uint32Array : Float64Array; /* counts are rounded */
    const cell = decodeNumbers(when, new Cells(first[frames])), entrySums = new Sums(first[frames] + 1);
    decodeNumbers(counts, entrySums.subarray(1));
    for (let n = 0; n < frames; n++) {
        for (let i = first[n], next = 0; i < first[n + 1]; i++) {
            next += cell[i] + 1;
            cell[i] = next - 1;
            sums[next] += entrySums[i + 1];
        }
    }
    return { start, length, slice, total: number.at(-1) + 1, number, sums: addUp(sums), frame, first, cell,
        entrySums: addUp(entrySums) };
}

const hasSlices = Boolean(profile.columns.time);
let decoded = null;

/* They are decoded when the graph is on the screen, or when something asks for them. */
function slicesOf() {
    return decoded ??= decodeSlices(profile.columns);
}

/* The first index in low..high whose number is not less; high if there is none. */
function firstFrom(numbers, low, high, least) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A range as indexes of the cells in which something was seen. */
function indexesOf(range) {
    const { number } = slicesOf();
    return range.map(one => firstFrom(number, 0, number.length, one));
}

function hasCounts(range) {
    const [from, to] = indexesOf(range);
    return from < to;
}

function countOfRange(range) {
    const { sums } = slicesOf(), [from, to] = indexesOf(range);
    return sums[to] - sums[from];
}

/* The counts of a range: `own` by the frame that their stacks end in, `all` with those of what the frame calls. */
function countsOfRange(range) {
    const { frame, first, cell, entrySums } = slicesOf(), whole = profile.table, own = new Float64Array(whole.count);
    const [from, to] = indexesOf(range);
    for (let n = 0; n < frame.length; n++) {
        const begin = firstFrom(cell, first[n], first[n + 1], from), end = firstFrom(cell, begin, first[n + 1], to);
        own[frame[n]] = entrySums[end] - entrySums[begin];
    }
    return withCallees(whole, own);
}

/* The first frames of a table whose rows are its levels. */
function cutTable(table, count) {
    const cut = { ...table, count };
    for (const key of Object.keys(table))
        if (ArrayBuffer.isView(table[key]))
            cut[key] = table[key].subarray(0, count);
    cut.row = cut.level;
    return cut;
}

/* The frames of a table that have counts, where they are alone. With those of an earlier range: also what had some
 * then, which now has no width, and `delta`, the changes. */
function tableOfCounts(whole, { own, all }, selfFirst, before, delta) {
    const earlier = before ? before.all : all;
    const table = makeTable(whole.count), { level, name, width, start } = table; /* room for all; later cut */
    table.fill = whole.fill && new Int32Array(whole.count);
    table.delta = delta && new Float64Array(whole.count);
    const next = [0]; /* by level: where the next frame starts */
    let count = 0;
    for (let i = 0; i < whole.count; i++) {
        if (all[i] === 0 && earlier[i] === 0 && i !== ROOT)
            continue;
        const at = level[count] = whole.level[i];
        name[count] = whole.name[i];
        width[count] = all[i];
        start[count] = next[at];
        next[at + 1] = next[at] + (selfFirst ? own[i] : 0);
        next[at] += all[i];
        if (whole.fill)
            table.fill[count] = whole.fill[i];
        if (delta)
            table.delta[count] = delta[i];
        count++;
    }
    return linkFrames(cutTable(table, count));
}

/* The second range's table, with what has changed since the first one, of which the counts are scaled to the same
 * sum, as stackdiff --normalize does. */
function compareRanges(first, second) {
    const whole = profile.table, beforeScale = second.all[ROOT] / first.all[ROOT];
    const delta = new Float64Array(whole.count);
    let maxDelta = profile.scale; /* at least a count of 1 */
    for (let i = 0; i < whole.count; i++) {
        delta[i] = second.own[i] - first.own[i] * beforeScale;
        maxDelta = Math.max(maxDelta, Math.abs(delta[i]));
    }
    return { ...tableOfCounts(whole, second, !fileState.size, first, delta), maxDelta, beforeScale,
        chance: chanceOf(first, second) };
}

/* The table of the stall that is shown alone, or of the range, or of two, or of all. */
function tableOfRanges() {
    if (state.stall !== NO_STALL)
        return tableOfCounts(profile.table, withCallees(profile.table, countsOfStall(state.stall)), !fileState.size);
    const [first, second] = state.ranges.map(countsOfRange);
    return second ? compareRanges(first, second)
        : first ? tableOfCounts(profile.table, first, !fileState.size) : comparedFile;
}

/* "4794564.100,4794564.859999999": what perf-script --time takes, with both ends included. */
function rangeText([from, to]) {
    const { start, length } = slicesOf();
    const text = ms => Math.floor(ms / 1000) + '.' + String(ms % 1000).padStart(3, '0');
    return text(start + from * length) + ',' + text(start + to * length - 1) + '999999';
}

/* The range that such a text stands for, or null. */
function readRange(text) {
    const { start, length, total } = slicesOf();
    if (!/^\d+\.\d+,\d+\.\d+$/.test(text))
        return null;
    const [from, to] = text.split(',').map(time => (Number(time) * 1000 - start) / length);
    const range = [Math.max(Math.floor(from + 0.001), 0), Math.min(Math.ceil(to - 0.001), total)];
    return range[0] < range[1] ? range : null;
}

function rangesText() {
    return state.ranges.map(rangeText).join(';');
}

/* The ranges of an address, without those in which nothing was seen. */
function readRanges(text) {
    return hasSlices && text ? text.split(';').map(readRange).filter(range => range && hasCounts(range)).slice(0, 2) : [];
}
