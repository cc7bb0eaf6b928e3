/* When stacks were seen: the counts of each slice of time, and the table of what was seen in a range of slices. A
 * range is [from, to]: of slices by number, the last one excluded. */

import { chanceOf, comparedFile, withCallees } from './chance.js';
import { decodeNumbers } from './decode.js';
import { profile } from 'profile';
import { countsOfStall } from './stalls.js';
import { fileState, NO_STALL, state } from './state.js';
import { linkFrames, makeTable, ROOT } from './table.js';
export { entryOf, hasCounts, hasSlices, rangesText, rangeText, readRanges, slicesOf, tableOfRanges };

/* { start, length: of the first slice and of each, in milliseconds; total: how many slices there are;
 *   number: of those in which something was seen, sum: their counts, first: where their entries begin, up to those of
 *   the next; frame, count: of the entries }. timetable.c describes the text. */
function decodeSlices([start, length], text) {
    const numbers = decodeNumbers(text);
    const frame = new Int32Array(numbers.length), count = new Float64Array(numbers.length);
    const number = [], sum = [], first = [];
    let entries = 0, now = 0;
    for (let i = 0; i < numbers.length; i++) {
        now += numbers[i++];
        number.push(now);
        first.push(entries);
        let all = 0;
        for (let last = -1; numbers[i] > 0; i++) {
            last += Math.floor(numbers[i] / 2);
            frame[entries] = last;
            all += count[entries++] = numbers[i] % 2 === 1 ? numbers[++i] : 1;
        }
        sum.push(all);
    }
    first.push(entries);
    return { start, length, total: now + 1, number, sum, first,
        frame: frame.subarray(0, entries), count: count.subarray(0, entries) };
}

const hasSlices = Boolean(profile.slices);
let decoded = null;

/* They are decoded when the graph is on the screen, or when something asks for them. */
function slicesOf() {
    return decoded ??= decodeSlices(profile.time, profile.slices);
}

/* Where the entries of a slice, or of the next one that has some, begin. */
function entryOf(slice) {
    const slices = slicesOf();
    let [low, high] = [0, slices.number.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        [low, high] = slices.number[middle] < slice ? [middle + 1, high] : [low, middle];
    }
    return slices.first[low];
}

/* The counts of a range: `own` by the frame that their stacks end in, `all` with those of what the frame calls. */
function countsOfRange([from, to]) {
    const slices = slicesOf(), whole = profile.table, own = new Float64Array(whole.count);
    for (let i = entryOf(from), end = entryOf(to); i < end; i++)
        own[slices.frame[i]] += slices.count[i];
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

function hasCounts([from, to]) {
    return entryOf(from) < entryOf(to);
}
