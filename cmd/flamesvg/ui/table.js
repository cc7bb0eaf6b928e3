/* The frames of a picture as a table. A frame is a number, and each column an array by that number.
 * The order is preorder, from left to right: the descendants of frame i are those from i + 1 up to
 * end[i], and frame 0 is the root. */

export { changeOf, childrenOf, isAncestor, isWithin, linkFrames, makeTable, NO_FRAME, ROOT, stackOf };

const NO_FRAME = -1, ROOT = 0;

function makeTable(count) {
    const level = new Int32Array(count); /* 0: the root */
    return {
        count, level,
        row: level, /* another array only where callers and callees of a function are shown */
        start: new Float64Array(count), /* in counts, as the width */
        width: new Float64Array(count),
        parent: new Int32Array(count), /* NO_FRAME: none */
        end: new Int32Array(count),
        name: new Int32Array(count), /* an index of the names */
        fill: null, /* if colours are by frame: indexes of the fills */
        delta: null, /* if profiles are compared: how much the frame's own count has changed; */
        maxDelta: 0, beforeScale: 1, chance: null, /* the largest change, and see slices.js and chance.js */
    };
}

/* Fills in parent and end from the levels. */
function linkFrames(table) {
    const open = []; /* by level: the current frame and its ancestors */
    let level = -1; /* of the current frame */
    for (let i = 0; i < table.count; i++) {
        for (; level >= table.level[i]; level--)
            table.end[open[level]] = i;
        level = table.level[i];
        table.parent[i] = level > 0 ? open[level - 1] : NO_FRAME;
        open[level] = i;
    }
    for (; level >= 0; level--)
        table.end[open[level]] = table.count;
    return table;
}

function isAncestor(table, i, of) {
    return i < of && table.end[i] > of;
}

function isWithin(table, i, of) {
    return i >= of && i < table.end[of];
}

/* The frames that frame i has called, from left to right. */
function childrenOf(table, i) {
    const children = [];
    for (let child = i + 1; child < table.end[i]; child = table.end[child])
        children.push(child);
    return children;
}

/* The frames from the root's child to frame i. */
function stackOf(table, i) {
    const stack = [];
    for (; i > ROOT; i = table.parent[i])
        stack.push(i);
    return stack.reverse();
}

/* How much frame i has changed with all that it called. */
function changeOf(table, i) {
    let sum = 0;
    for (let frame = i; frame < table.end[i]; frame++)
        sum += table.row[frame] >= 0 || i !== ROOT ? table.delta[frame] : 0;
    return sum;
}
