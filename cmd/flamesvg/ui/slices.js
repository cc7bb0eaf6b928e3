/* When stacks were seen: the counts of each slice of time, and the table of what was seen in a range of slices. A
 * range is [from, to]: of slices by number, the last one excluded. */

/* { start, length: of the first slice and of each, in milliseconds; total: how many slices there are;
 *   number: of those in which something was seen, first: where their entries begin, up to those of the next;
 *   frame, count: of the entries }. timetable.c describes the text. */
function decodeSlices([start, length], text) {
    const numbers = decodeNumbers(text);
    const frame = new Int32Array(numbers.length), count = new Float64Array(numbers.length);
    const number = [], first = [];
    let entries = 0, now = 0;
    for (let i = 0; i < numbers.length; i++) {
        now += numbers[i++];
        number.push(now);
        first.push(entries);
        for (let last = -1; numbers[i] > 0; i++) {
            last += Math.floor(numbers[i] / 2);
            frame[entries] = last;
            count[entries++] = numbers[i] % 2 === 1 ? numbers[++i] : 1;
        }
    }
    first.push(entries);
    return { start, length, total: now + 1, number, first,
        frame: frame.subarray(0, entries), count: count.subarray(0, entries) };
}

/* Where the entries of a slice, or of the next one that has some, begin. */
function entryOf(slices, slice) {
    let [low, high] = [0, slices.number.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        [low, high] = slices.number[middle] < slice ? [middle + 1, high] : [low, middle];
    }
    return slices.first[low];
}

/* The counts of a range by the frame that their stacks end in. */
function countsOfRange(slices, [from, to], frames) {
    const counts = new Float64Array(frames);
    for (let i = entryOf(slices, from), end = entryOf(slices, to); i < end; i++)
        counts[slices.frame[i]] += slices.count[i];
    return counts;
}

/* The counts of each frame with those of all that it calls. */
function withCallees({ parent, count }, own) {
    const totals = Float64Array.from(own);
    for (let i = count - 1; i > ROOT; i--)
        totals[parent[i]] += totals[i];
    return totals;
}

/* The frames of a table that have counts, where they are alone: `own`, and `delta` where ranges are compared. A frame
 * whose counts are all in the first of them has no width. */
function tableOfCounts(whole, own, delta, selfFirst) {
    const totals = withCallees(whole, own);
    const seen = delta ? withCallees(whole, own.map((count, i) => count + Math.abs(delta[i]))) : totals;
    const isKept = i => i === ROOT || seen[i] > 0;
    let count = 0;
    for (let i = 0; i < whole.count; i++)
        count += isKept(i) ? 1 : 0;
    const table = makeTable(count);
    const next = new Float64Array(whole.count + 1); /* by level: where the next frame starts */
    table.fill = whole.fill && new Int32Array(count);
    table.delta = delta && new Float64Array(count);
    for (let i = 0, n = 0; n < count; i++) {
        if (!isKept(i))
            continue;
        const level = whole.level[i];
        table.level[n] = level;
        table.name[n] = whole.name[i];
        table.start[n] = next[level];
        table.width[n] = totals[i];
        next[level] += totals[i];
        next[level + 1] = table.start[n] + (selfFirst ? own[i] : 0);
        if (whole.fill)
            table.fill[n] = whole.fill[i];
        if (delta)
            table.delta[n] = delta[i];
        n++;
    }
    return linkFrames(table);
}

function sumOf(counts) {
    let sum = 0;
    for (let i = 0; i < counts.length; i++)
        sum += counts[i];
    return sum;
}

/* The second range's table, with what has changed since the first one, of which the counts are scaled to the same
 * sum, as stackdiff --normalize does. */
function compareRanges(graph, first, second) {
    const { profile, slices: { whole } } = graph;
    const scale = sumOf(second) / sumOf(first);
    const delta = new Float64Array(whole.count);
    profile.maxDelta = profile.scale; /* at least a count of 1 */
    for (let i = 0; i < whole.count; i++) {
        delta[i] = second[i] - first[i] * scale;
        profile.maxDelta = Math.max(profile.maxDelta, Math.abs(delta[i]));
    }
    profile.chance = chanceOf(graph, whole, first, second);
    return tableOfCounts(whole, second, delta, !graph.fileSize);
}

/* Sets the profile's table to that of the range, or of two, or of all. */
function takeRanges(graph) {
    const { profile, slices, state: { ranges } } = graph, { whole } = slices;
    const [first, second] = ranges.map(range => countsOfRange(slices, range, whole.count));
    profile.chance = null;
    profile.table = second ? compareRanges(graph, first, second)
        : first ? tableOfCounts(whole, first, null, !graph.fileSize) : whole;
}

/* "4794564.100,4794564.859999999": what perf-script --time takes, with both ends included. */
function rangeText({ start, length }, [from, to]) {
    const text = ms => Math.floor(ms / 1000) + '.' + String(ms % 1000).padStart(3, '0');
    return text(start + from * length) + ',' + text(start + to * length - 1) + '999999';
}

/* The range that such a text stands for, or null. */
function readRange({ start, length, total }, text) {
    if (!/^\d+\.\d+,\d+\.\d+$/.test(text))
        return null;
    const [from, to] = text.split(',').map(time => (Number(time) * 1000 - start) / length);
    const range = [Math.max(Math.floor(from + 0.001), 0), Math.min(Math.ceil(to - 0.001), total)];
    return range[0] < range[1] ? range : null;
}

function rangesText(graph) {
    return graph.state.ranges.map(range => rangeText(graph.slices, range)).join(';');
}

/* The ranges of an address, without those in which nothing was seen. */
function readRanges(graph, text) {
    return (text || '').split(';').map(one => readRange(graph.slices, one))
        .filter(range => range && hasCounts(graph.slices, range)).slice(0, 2);
}

function hasCounts(slices, [from, to]) {
    return entryOf(slices, from) < entryOf(slices, to);
}
