/* Changes of what is shown. Each one that a user asks for is a step of the history. */

import { writeAddress } from './address.js';
import { afterPaint } from './afterpaint.js';
import { hideTip } from './details.js';
import { makeDisplay } from './display.js';
import { current, hasFocus, setCurrent, updateTree } from './focus.js';
import { byKeys } from './keys.js';
import { showState } from './layer.js';
import { boxOf, lowestRow, placeFrames, rowsHeight, setRows } from './layout.js';
import { closeOverlay } from './menu.js';
import { draw, drawOutline, resize } from 'paint';
import { takeBackMark, takeTable } from 'panels';
import { fileRows } from './picture.js';
import { forgetHovered, hoverAgain, hovered } from './pointer.js';
import { profile, profileOf } from 'profile';
import { forgetMatch, markNames, match, search, showMatched, term } from './search.js';
import { choose, fileState, isChanged, NO_STALL, state } from './state.js';
import { isWithin, NO_FRAME, ROOT } from './table.js';
import { base, beginWith, transform } from './transforms.js';
import { scrollRows } from 'viewport';
import { scrollToRoot } from './window.js';
export { addFrameStep, addStep, change, drawIfNeeded, outline, paint, rebuild, redraw, reset, showFrom, stepBack, table,
    zoomed, zoomOut, zoomTo };

let table = null; /* of the frames that are shown; null until something needs them */
let zoomed = ROOT;
let drawn = false;

/* Makes the table of the state's steps. */
function rebuild() {
    profileOf();
    beginWith(takeTable());
    table = transform(state.steps);
    zoomed = ROOT;
    setCurrent(ROOT);
    forgetHovered();
    setRows(table === base ? fileRows : 1);
    markNames();
}

/* Draws the visible frames: where nothing but their colours has changed, this is all. */
function paint() {
    draw(makeDisplay());
    outline();
}

/* Draws what is shown. Rows that are added above the root do not move it on the screen. */
function redraw() {
    if (!table)
        rebuild();
    const height = rowsHeight();
    placeFrames();
    resize();
    paint();
    const grown = rowsHeight() - height;
    if (grown && drawn && !state.icicle)
        scrollRows(grown);
    drawn = true;
    hideTip(); /* its frame may have moved, and its shares are of what was shown */
    showMatched();
    showState();
    afterPaint(updateTree);
}

function drawIfNeeded() {
    if (!table)
        redraw();
}

/* The outlines of the frame under the pointer, and of the one that has the focus or is the match. */
function outline() {
    const marked = match !== NO_FRAME ? match
        : byKeys && hasFocus() ? current
            : lowestRow < 0 ? ROOT : NO_FRAME; /* the function between callers and callees */
    drawOutline('hover', hovered === NO_FRAME ? null : boxOf(hovered));
    drawOutline('focus', marked === NO_FRAME ? null : boxOf(marked));
}

function zoom(view) {
    if (!table)
        rebuild();
    if (!(table.width[view] > 0))
        return false;
    zoomed = view;
    if (!boxOf(current))
        setCurrent(view);
    if (!isWithin(table, match, view))
        forgetMatch();
    redraw();
    return true;
}

function showFrom(view) {
    zoomed = view;
    redraw();
}

/* A zoom that the user asked for. */
function zoomTo(view) {
    const before = zoomed;
    if (zoom(view) && view !== before)
        writeAddress('pushState');
}

/* Sets some of the state, and draws what then is shown from the root on. */
function change(changes) {
    choose(changes);
    rebuild();
    redraw();
    scrollToRoot();
    hoverAgain();
    writeAddress('pushState');
}

/* Adds a step about a frame's function. One about the same is not needed twice. */
function addStep(kind, name) {
    const steps = state.steps.filter(step => step.kind !== kind || step.name !== name);
    change({ steps: [...steps, { kind, name }] });
}

function addFrameStep(kind, frame) {
    if (frame > ROOT || table.row[frame] !== 0)
        addStep(kind, profile.names[table.name[frame]]);
}

/* Takes back zoom, steps and switches. The search stays. */
function reset() {
    if (isChanged())
        change(fileState);
    else
        zoomTo(ROOT);
}

/* Takes back the last thing: what is open, the search, the zoom, a step. */
function stepBack() {
    const { steps, ranges, stall } = state;
    if (closeOverlay() || takeBackMark())
        return;
    if (term)
        search('');
    else if (zoomed !== ROOT)
        zoomTo(ROOT);
    else if (steps.length > 0)
        change({ steps: steps.slice(0, -1) });
    else if (ranges.length > 0 || stall !== NO_STALL)
        change({ ranges: [], stall: NO_STALL });
}

function zoomOut() {
    const caller = table ? table.parent[zoomed] : NO_FRAME;
    if (caller === NO_FRAME)
        return false;
    setCurrent(caller);
    zoomTo(caller);
    return true;
}
