/* When stacks were seen: the counts of each slice of time, and the table of what was seen in a range of slices. A
 * range is [from, to]: of slices by number, the last one excluded. */

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

/* Where the entries of a slice, or of the next one that has some, begin. */
function entryOf(slices, slice) {
    let [low, high] = [0, slices.number.length];
    while (low < high) {
        const middle = (low + high) >> 1;
        [low, high] = slices.number[middle] < slice ? [middle + 1, high] : [low, middle];
    }
    return slices.first[low];
}

/* The counts of a range: `own` by the frame that their stacks end in, `all` with those of what the frame calls. */
function countsOfRange({ slices, profile: { whole } }, [from, to]) {
    const own = new Float64Array(whole.count);
    for (let i = entryOf(slices, from), end = entryOf(slices, to); i < end; i++)
        own[slices.frame[i]] += slices.count[i];
    return withCallees(whole, own);
}

function withCallees({ parent, count }, own) {
    const all = own.slice();
    for (let i = count - 1; i > ROOT; i--)
        all[parent[i]] += all[i];
    return { own, all };
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
function compareRanges(graph, first, second) {
    const { profile } = graph, { whole } = profile;
    const scale = profile.beforeScale = second.all[ROOT] / first.all[ROOT];
    const delta = new Float64Array(whole.count);
    profile.maxDelta = profile.scale; /* at least a count of 1 */
    for (let i = 0; i < whole.count; i++) {
        delta[i] = second.own[i] - first.own[i] * scale;
        profile.maxDelta = Math.max(profile.maxDelta, Math.abs(delta[i]));
    }
    profile.chance = chanceOf(graph, first, second);
    return tableOfCounts(whole, second, !graph.fileSize, first, delta);
}

/* Sets the profile's table to that of the range, or of two, or of all. */
function takeRanges(graph) {
    const { profile, state: { ranges } } = graph, { whole } = profile;
    const [first, second] = ranges.map(range => countsOfRange(graph, range));
    profile.chance = null;
    profile.beforeScale = 1;
    profile.table = second ? compareRanges(graph, first, second)
        : first ? tableOfCounts(whole, first, !graph.fileSize) : whole;
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
