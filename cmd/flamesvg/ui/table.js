/* The frames of a picture as a table. A frame is a number, and each column an array by that number.
 * The order is preorder, from left to right: the descendants of frame i are those from i + 1 up to
 * end[i], and frame 0 is the root. */

const NO_FRAME = -1;

function makeTable(count) {
    return {
        count,
        start: new Float64Array(count), /* in counts, as the width */
        width: new Float64Array(count),
        level: new Int32Array(count), /* 0: the root */
        parent: new Int32Array(count), /* NO_FRAME: none */
        end: new Int32Array(count),
        name: new Int32Array(count), /* an index of names */
        names: [],
    };
}

/* Fills in parent and end from the levels. */
function linkFrames(table) {
    const open = []; /* the ancestors of the current frame, root first */
    for (let i = 0; i < table.count; i++) {
        while (open.length > 0 && table.level[open[open.length - 1]] >= table.level[i])
            table.end[open.pop()] = i;
        table.parent[i] = open.length > 0 ? open[open.length - 1] : NO_FRAME;
        open.push(i);
    }
    for (const i of open)
        table.end[i] = table.count;
}

function isAncestor(table, i, of) {
    return i < of && table.end[i] > of;
}

function isWithin(table, i, of) {
    return i >= of && i < table.end[of];
}

/* The counts of frame i that are inside frame `of`. */
function widthInside(table, i, of) {
    const from = Math.max(table.start[i], table.start[of]);
    const to = Math.min(table.start[i] + table.width[i], table.start[of] + table.width[of]);
    return Math.max(to - from, 0);
}
