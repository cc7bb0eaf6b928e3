/* The tree that the keyboard walks and that screen readers read. It holds the current frame, its callers,
 * its neighbours with the same caller and its callees; the picture shows the focus. */

import { afterPaint } from './afterpaint.js';
import { titleOf } from './describe.js';
import { showDetails } from './details.js';
import { makeElement, makeUnseen } from './dom.js';
import { boxOf, byRow, shown } from './layout.js';
import { forgetMatch } from './search.js';
import { state } from './state.js';
import { childrenOf, isAncestor, isWithin, NO_FRAME, ROOT } from './table.js';
import { drawIfNeeded, outline, table } from './view.js';
import { scrollToFrame } from './window.js';
export { current, focusFrame, focusNow, focusSoon, goToLeaf, hasFocus, move, onTreeFocus, setCurrent, tree,
    updateTree };

const MOST_ITEMS = 200; /* of the callees of one frame */

const tree = makeUnseen('div', { role: 'tree', 'aria-label': 'Frames' });
let current = ROOT; /* the frame that has the focus when the tree has it */
let treeKey = {}; /* what the tree has been made of */
let pendingFocus = null;
const setCurrent = frame => { current = frame; };

function hasFocus() {
    return tree.contains(document.activeElement);
}

function makeTreeItem(frame, place, count) {
    return makeElement('div', { /* without a text, which the browser would lay out */
        role: 'treeitem', 'aria-label': titleOf(frame), 'data-frame': frame, tabindex: frame === current ? 0 : -1,
        'aria-level': table.level[frame] + 1, 'aria-posinset': place + 1, 'aria-setsize': count,
        'aria-expanded': table.end[frame] > frame + 1
            ? String(isAncestor(table, frame, current) || frame === current) : null,
    });
}

/* Items of the callees of `caller`; below the one on the way to the current frame come its callees. */
function addItems(items, caller) {
    const callees = childrenOf(table, caller);
    const path = callees.find(one => isWithin(table, current, one));
    const least = [...callees].sort((a, b) => table.width[b] - table.width[a]).slice(0, MOST_ITEMS);
    const kept = new Set(path === undefined ? least : [...least, path]);
    callees.forEach((frame, place) => {
        if (!kept.has(frame))
            return;
        items.push(makeTreeItem(frame, place, callees.length));
        if (frame === path)
            addItems(items, frame);
    });
}

/* Makes the tree for the current frame, if it is that of another, and keeps the focus in it. */
function updateTree() {
    if (treeKey.table === table && treeKey.frame === current)
        return;
    treeKey = { table, frame: current };
    const had = hasFocus();
    const items = [makeTreeItem(ROOT, 0, 1)];
    addItems(items, ROOT);
    tree.replaceChildren(...items);
    if (had)
        tree.querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

/* Makes this the one frame that Tab stops at, and gives it the focus. */
function focusFrame(frame) {
    current = frame;
    forgetMatch();
    updateTree();
    scrollToFrame(frame); /* measures, so it comes before the focus changes what it measures */
    tree.querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

/* Gives the focus to the current frame when the picture is drawn, or a key is pressed. */
function focusSoon() {
    pendingFocus = () => {
        pendingFocus = null;
        focusFrame(current);
    };
    afterPaint(focusNow);
}

function focusNow() {
    pendingFocus?.();
}

function onTreeFocus() {
    drawIfNeeded();
    showDetails(current);
    outline();
}

/* The next frame of the row to the right (step 1) or left (step -1) that can be seen, or NO_FRAME. */
function neighbour(frame, step) {
    const row = byRow.get(table.row[frame]) || [];
    const at = row.findIndex(n => shown.frame[n] === frame);
    const next = row[at + step];
    return next === undefined ? NO_FRAME : shown.frame[next];
}

/* The widest callee, so that repeated arrows follow the hot path; NO_FRAME if there is none. */
function widestCallee(frame) {
    let widest = NO_FRAME;
    for (const one of childrenOf(table, frame))
        if (boxOf(one) && (widest < 0 || table.width[one] > table.width[widest]))
            widest = one;
    return widest;
}

/* The frame that an arrow key goes to; NO_FRAME at an edge. */
function nextFrame(frame, key) {
    if (key === 'ArrowLeft' || key === 'ArrowRight')
        return neighbour(frame, key === 'ArrowLeft' ? -1 : 1);
    const toCaller = (key === 'ArrowUp') === state.icicle;
    return toCaller ? table.parent[frame] : widestCallee(frame);
}

function move(event) {
    if (!hasFocus())
        return false;
    const next = nextFrame(current, event.key);
    if (next !== NO_FRAME)
        focusFrame(next);
    return true;
}

/* Goes from the current frame up to a leaf, each time to the widest callee. */
function goToLeaf() {
    drawIfNeeded();
    let frame = current;
    for (let next = frame; next !== NO_FRAME; next = widestCallee(next))
        frame = next;
    focusFrame(frame);
}
