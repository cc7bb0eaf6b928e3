/* What a painter draws of the visible frames: rectangles by colour, and labels. */

import { COLOURS, isTextWhite, MATCHED } from './colour.js';
import { nameOf } from './describe.js';
import { lowestRow, rowY, shown } from './layout.js';
import { fontSize, ROW_GAP, rowHeight, svg } from './picture.js';
import { profile } from 'profile';
import { found, foundCount } from './search.js';
import { state } from './state.js';
import { NO_FRAME } from './table.js';
import { fit, TEXT_PAD } from './text.js';
import { table } from './view.js';
export { makeDisplay };

const WIDE = 3; /* pixels; what is wider has a gap to the next frame, so that neighbours can be told apart */
const GAP = 0.6;

/* Frames with attributes of their own, which are more than a title, are elements of their own in an SVG. */
function attributesOf(i) {
    const attributes = svg && profile.attributes.get(table.name[i]);
    return attributes && Object.keys(attributes).some(key => key !== 'title') ? attributes : null;
}

/* Adds the frame of this number in `shown`: its rectangle, from left to right, and its label. */
function displayFrame(display, n, left, right, matched) {
    const i = shown.frame[n], faded = n < shown.callers;
    const y = rowY(table.row[i]);
    const fill = matched ? MATCHED : COLOURS[state.colour](i);
    const most = shown.width[n] - 2 * TEXT_PAD, text = most < fontSize / 4 ? '' : fit(nameOf(i), most);
    const label = text && { x: shown.x[n] + TEXT_PAD, y: y + TEXT_PAD + display.height / 2, text,
        white: isTextWhite(fill, faded) };
    const attributes = attributesOf(i);
    if (attributes) {
        display.groups.push({ attributes, fill, faded, label, x: left, y, width: right - left, height: display.height });
        return;
    }
    const boxes = faded ? display.faded : display.boxes;
    display.left[n] = left;
    display.width[n] = right - left;
    display.y[n] = y;
    display.next[n] = boxes.get(fill) ?? NO_FRAME;
    boxes.set(fill, n);
    if (label)
        display.labels.push(label);
}

/* { left, y, width, height: of rectangles, by their numbers in `shown`;
 *   faded, boxes: by fill a rectangle of the zoomed frame's callers, and of others; next: by rectangle another one of
 *   its fill, or NO_FRAME; groups: frames with attributes of their own, each alone; labels: { x, y, text, white } }
 *
 * The edges of narrow frames are moved to the nearest edges of cells. One without a cell of its own gets the one that
 * it begins in, if no frame of its row was drawn there, or if it matches the search: so there are no more rectangles in a
 * row than cells and matches. */
function makeDisplay() {
    const count = shown.frame.length;
    const boxes = new Map();
    const display = {
        left: new Float64Array(count), y: new Int32Array(count), width: new Float64Array(count),
        height: rowHeight - ROW_GAP,
        faded: new Map(), boxes, next: new Int32Array(count), groups: [], labels: [],
    };
    /* The smallest width that is drawn: a pixel of the screen, or in an SVG, which may be printed,
     * half a pixel. */
    const cell = svg ? 0.5 : 1 / devicePixelRatio, searches = foundCount > 0;
    const covered = []; /* by row: the right edge of what is drawn */
    for (let n = 0; n < count; n++) {
        const i = shown.frame[n], row = table.row[i] - lowestRow;
        const x = shown.x[n], end = x + shown.width[n];
        const matched = searches && found[table.name[i]] === 1;
        let left = x, right = end - GAP;
        if (end - x <= WIDE) {
            right = Math.max(Math.round(end / cell), Math.floor(x / cell) + 1) * cell;
            left = Math.max(Math.round(x / cell) * cell, covered[row] ?? 0);
            if (right <= left && !matched)
                continue;
            left = Math.min(left, right - cell);
        }
        covered[row] = right;
        displayFrame(display, n, left, right, matched);
    }
    const marks = boxes.get(MATCHED);
    if (boxes.delete(MATCHED))
        boxes.set(MATCHED, marks); /* now the last */
    return display;
}
