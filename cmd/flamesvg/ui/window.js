/* The window: its width, printing and dark colours. */

import { onDark } from './colour.js';
import { boxOf, lowestRow, rowsHeight, rowY, setRoom } from './layout.js';
import { follows, rowHeight, xpad } from './picture.js';
import { state } from './state.js';
import { ROOT } from './table.js';
import { redraw, table } from './view.js';
import { originOfRows, placeControls, rowsInSight, scrolled, scrollRows, widthInSight } from 'viewport';
export { followWindow, listenToWindow, noteScroll, printing, scrollToFrame, scrollToRoot };

const NARROWEST = 360, WIDEST = 3840;

let printing = false;
let below = 0; /* see noteScroll */

/* Moves the page as little as brings the frame between head and foot. */
function scrollToFrame(frame) {
    const box = boxOf(frame);
    if (!box)
        return;
    const { top, end } = rowsInSight();
    const y = originOfRows().y + box.y;
    if (y < top)
        scrollRows(y - top);
    else if (y + rowHeight > end)
        scrollRows(y + rowHeight - end);
}

/* Brings the root to the end of the picture where it is, or between its callers and its callees to the middle. */
function scrollToRoot() {
    const { top, end } = rowsInSight();
    const y = originOfRows().y + rowY(ROOT);
    const place = lowestRow < 0 ? (top + end) / 2 : state.icicle ? top : end - rowHeight;
    scrollRows(Math.round(y - place));
}

function followWindow() {
    if (follows)
        setRoom(Math.min(Math.max(widthInSight(), NARROWEST), WIDEST) - 2 * xpad);
    const before = below;
    placeControls();
    if (table)
        redraw();
    if (follows && !state.icicle) /* what is at the lower end stays there */
        scrollRows(rowsBelow() - before || 0);
    noteScroll();
}

/* How many pixels of the rows are below what is in sight. */
function rowsBelow() {
    return originOfRows().y + rowsHeight() - rowsInSight().end;
}

/* For the next change of the window: then the browser has already moved the page. */
function noteScroll() {
    below = rowsBelow();
}

/* Prints the whole picture, once. */
function print(begins) {
    printing = begins;
    followWindow();
}

function listenToWindow() {
    addEventListener('resize', followWindow);
    scrolled.addEventListener('scroll', noteScroll, { passive: true });
    addEventListener('beforeprint', () => print(true));
    addEventListener('afterprint', () => setTimeout(print, 0, false)); /* Firefox still has the style of print */
    onDark(() => table && redraw());
}
