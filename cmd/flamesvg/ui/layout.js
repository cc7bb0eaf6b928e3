/* Where frames are on the screen, in pixels. x is counted from the left edge of the root, y from the upper
 * edge of the uppermost row. */

import { fileRoom, fileRows, ROW_GAP, rowHeight } from './picture.js';
import { state } from './state.js';
import { isAncestor, isWithin, NO_FRAME, ROOT, stackOf } from './table.js';
import { table, zoomed } from './view.js';
export { boxOf, byRow, frameAt, lowestRow, placeFrames, room, rowsHeight, rowY, setRoom, setRows, short, shown };

const NARROWEST_SHOWN = 0.3; /* pixels; what is narrower is left out, with all that it calls */

let room = fileRoom; /* pixels for the frames on the screen */
let lowestRow = 0, highestRow = fileRows - 1;
let shown = null, byRow = null; /* see visibleFrames and shownByRow */
const setRoom = pixels => { room = pixels; };

/* The table has changed: draw at least this number of rows. */
function setRows(count) {
    lowestRow = 0;
    highestRow = count - 1;
}

/* Numbers with at most two decimals, which is less than can be seen. */
function short(number) {
    return Math.round(number * 100) / 100;
}

/* Frame i in the zoomed view: all of a descendant, a full row of a caller. */
function placeOf(i) {
    const scale = room / table.width[zoomed];
    const from = Math.max(table.start[i], table.start[zoomed]);
    const to = Math.min(table.start[i] + table.width[i], table.start[zoomed] + table.width[zoomed]);
    return { x: (from - table.start[zoomed]) * scale, width: Math.max(to - from, 0) * scale };
}

/* The frames that can be seen: callers of the zoomed frame from the root on, then the zoomed frame and what
 * it calls, from left to right. */
function visibleFrames() {
    const callers = zoomed === ROOT ? [] : [ROOT, ...stackOf(table, table.parent[zoomed])];
    const most = callers.length + table.end[zoomed] - zoomed;
    const frame = new Int32Array(most), x = new Float64Array(most), width = new Float64Array(most);
    const scale = room / table.width[zoomed], origin = table.start[zoomed];
    let count = callers.length;
    frame.set(callers);
    width.fill(room, 0, count);
    for (let i = zoomed, last = table.end[zoomed]; i < last;) {
        const pixels = table.width[i] * scale;
        if (pixels < NARROWEST_SHOWN) {
            i = table.end[i];
            continue;
        }
        x[count] = (table.start[i] - origin) * scale;
        width[count] = pixels;
        frame[count++] = i++;
    }
    const used = column => column.slice(0, count);
    return { frame: used(frame), x: used(x), width: used(width), callers: callers.length };
}

/* Finds the visible frames, and the rows that they take: the lowest and the highest number. */
function placeFrames() {
    shown = visibleFrames();
    byRow = shownByRow();
    for (const row of byRow.keys()) {
        lowestRow = Math.min(lowestRow, row);
        highestRow = Math.max(highestRow, row);
    }
}

function rowY(row) {
    return (state.icicle ? row - lowestRow : highestRow - row) * rowHeight;
}

function rowsHeight() {
    return (highestRow - lowestRow + 1) * rowHeight;
}

/* For each row the indexes of its frames in `shown`, from left to right. */
function shownByRow() {
    const rows = new Map();
    shown.frame.forEach((i, n) => {
        const row = table.row[i];
        if (!rows.has(row))
            rows.set(row, []);
        rows.get(row).push(n);
    });
    return rows;
}

/* The frame at this place, or NO_FRAME. */
function frameAt(x, y) {
    const line = Math.floor(y / rowHeight);
    const row = state.icicle ? line + lowestRow : highestRow - line;
    const list = byRow.get(row) || [];
    let [low, high] = [0, list.length];
    while (low < high) { /* the last one that starts at x or before */
        const middle = (low + high) >> 1;
        [low, high] = shown.x[list[middle]] <= x ? [middle + 1, high] : [low, middle];
    }
    const n = list[low - 1];
    return low > 0 && x < shown.x[n] + shown.width[n] ? shown.frame[n] : NO_FRAME;
}

/* A frame's rectangle; null if it is not to be seen. */
function boxOf(i) {
    const seen = isWithin(table, i, zoomed) || isAncestor(table, i, zoomed);
    const { x, width } = placeOf(i);
    const y = rowY(table.row[i]);
    return seen && width >= NARROWEST_SHOWN ? { x, y, width, height: rowHeight - ROW_GAP } : null;
}
