/* The ranges of time that the user marks in the heat map, by dragging, with two clicks or with keys. */

import { isDark } from './colour.js';
import { countText } from './describe.js';
import { makeButton, makeElement, setAttributes, show } from './dom.js';
import { cellAt, cellCount, drawHeat, drawHeatSoon, heatCanvas, layout, marksOf, placeOfCell,
    rangeOfCells } from './heat.js';
import { setByKeys } from './keys.js';
import { squareOf } from './legend.js';
import { profile } from 'profile';
import { countOfRange, hasCounts, rangeText, slicesOf } from './slices.js';
import { chooseStall, stallAt } from './stallmarks.js';
import { describeStall, hasStalls, stallCount } from './stalls.js';
import { NO_STALL, state } from './state.js';
import { byThread, chooseThread, describeThread, nameOfThread, threadOfCell } from './threads.js';
import { isCalendar, lengthText, momentText } from './times.js';
import { change } from './view.js';
export { allButton, cellsOf, cursor, forgetMark, forgetTrouble, heatSays, isFocused, listenToMarks, rangesOfHeat,
    resetCursor, showRanges, takeBackMark };

const NO_CELL = -1;
const DAY = 24 * 3600 * 1000; /* milliseconds */

const heatSays = makeElement('span', { 'aria-live': 'polite' });
const allButton = makeButton('Whole recording', 'Undo the ranges (Escape)', allOfTime);
let cursor = 0, anchor = NO_CELL; /* cells: the current one, and where the range begins that is being marked */
let isSecond = false; /* it will be compared with the first */
let isFocused = false; /* the cursor is to be seen */
let saidKey = '', heatTrouble = ''; /* what the line says, and what is wrong */
const forgetTrouble = () => { heatTrouble = ''; };

/* The layout is another one. */
function forgetMark() {
    anchor = NO_CELL;
    cursor = Math.min(cursor, cellCount() - 1);
}

function resetCursor() {
    cursor = 0;
    heatCanvas.removeAttribute('title');
}

/* Those that are chosen, and in place of one of them the one that is being marked. */
function rangesOfHeat() {
    const { ranges } = state;
    if (anchor === NO_CELL)
        return ranges;
    const range = rangeOfCells(anchor, cursor);
    return isSecond && ranges.length > 0 ? [ranges[0], range] : [range];
}

/* "1.240 s to 1.760 s: 1,234 samples", since the recording began, or "14:02 to 14:07: 29,700 samples", with days if it
 * took more than one. */
function describeRange(range) {
    const { start, length, total } = slicesOf();
    const [from, to] = range.map(cell => momentText(start + cell * length, length, total * length > DAY));
    return `${from} to ${to}: ` + countText(countOfRange(range));
}

/* What the line says first if cells are longer than slices. */
function resolutionText() {
    const [, length, slice] = profile.columns.time; /* not slicesOf(): that waits until the graph is on the screen */
    return length > slice ? `Resolution: ${lengthText(length)}. ` : '';
}

/* Return the text below the heat map while no stall is selected: how many there are, and the keys. */
function stallsText() {
    const count = hasStalls ? stallCount() : 0;
    return count === 0 ? '' : `${count} stall${count > 1 ? 's' : ''}, marked: click one, or j, to see it alone. `;
}

/* What the line below the heat map says, by the ranges that are drawn. */
function showRanges(ranges) {
    const names = ranges.length > 1 ? ['before: ', 'after: '] : [''];
    const parts = ranges.map((range, n) => {
        const option = isCalendar ? '' : '--time ' + rangeText(range); /* perf.data has no times of the calendar */
        return makeElement('span', { title: option ? 'perf-script ' + option : null }, squareOf(marksOf()[n]),
            names[n] + describeRange(range) + (option ? ` (${option})` : ''));
    });
    if (state.stall !== NO_STALL && ranges.length === 0)
        parts.push(makeElement('span', {}, describeStall(state.stall)));
    else if (ranges.length === 0)
        parts.push(makeElement('span', {}, resolutionText() + stallsText() +
            (byThread ? 'Click a thread for its stacks alone; drag' : 'Drag, or click twice,') +
            ' for a range of time; with Ctrl for one to compare with it'));
    const key = heatTrouble + isDark() + parts.map(part => part.textContent).join();
    if (saidKey === key)
        return;
    saidKey = key;
    heatSays.replaceChildren(...heatTrouble ? [heatTrouble] : parts);
    show(allButton, ranges.length > 0 || state.stall !== NO_STALL);
}

/* Shows the range alone; the second one compared with the first. Where nothing was seen, there is nothing to show. */
function chooseRange(range, second) {
    const { ranges } = state;
    anchor = NO_CELL;
    heatTrouble = hasCounts(range) ? '' : 'Nothing was seen there';
    if (heatTrouble)
        drawHeat();
    else
        change({ ranges: second && ranges.length > 0 ? [ranges[0], range] : [range], stall: NO_STALL });
}

function setCursor(cell, event) {
    cursor = Math.min(Math.max(cell, 0), cellCount() - 1);
    isSecond = event.ctrlKey || event.metaKey;
    heatTrouble = '';
    const text = (byThread ? describeThread(cursor) + '; all threads, ' : '') +
        describeRange(rangeOfCells(cursor, cursor));
    setAttributes(heatCanvas, { 'aria-valuenow': cursor, 'aria-valuemax': cellCount() - 1,
        'aria-valuetext': text, title: text });
    drawHeatSoon();
}

function cellOfEvent(event) {
    const at = heatCanvas.getBoundingClientRect();
    return cellAt(event.clientX - at.left, event.clientY - at.top);
}

function stallOfEvent(event) {
    const at = heatCanvas.getBoundingClientRect();
    return hasStalls ? stallAt(event.clientX - at.left, event.clientY - at.top) : NO_STALL;
}

/* A first click, without a drag, shows the stall whose mark it is on, or begins a range that the next click ends, or chooses
 * a thread. */
function listenToMarks() {
    let isFirst = false;
    isFocused = heatCanvas.matches(':focus-visible');
    heatCanvas.addEventListener('pointerdown', event => {
        if (event.button > 0)
            return;
        heatCanvas.setPointerCapture(event.pointerId);
        const cell = cellOfEvent(event);
        isFirst = anchor === NO_CELL;
        if (isFirst)
            anchor = cell;
        isFocused = false;
        setByKeys(false);
        setCursor(cell, event);
    });
    heatCanvas.addEventListener('pointermove', event => {
        setCursor(cellOfEvent(event), event);
    });
    heatCanvas.addEventListener('pointerup', event => {
        if (event.button > 0)
            return;
        const cell = cellOfEvent(event);
        const stall = isFirst && cell === anchor ? stallOfEvent(event) : NO_STALL;
        if (anchor !== NO_CELL && stall !== NO_STALL) {
            takeBackMark();
            chooseStall(stall);
        } else if (anchor !== NO_CELL && byThread && isFirst && cell === anchor) {
            takeBackMark();
            chooseThread(cell);
        } else if (anchor !== NO_CELL && (!isFirst || cell !== anchor))
            chooseRange(rangeOfCells(anchor, cell), event.ctrlKey || event.metaKey);
    });
    heatCanvas.addEventListener('pointercancel', takeBackMark);
    heatCanvas.addEventListener('contextmenu', event => event.ctrlKey && event.preventDefault());
    heatCanvas.addEventListener('keydown', onHeatKey);
    for (const type of ['focus', 'blur'])
        heatCanvas.addEventListener(type, () => {
            isFocused = type === 'focus' && heatCanvas.matches(':focus-visible');
            drawHeatSoon();
        });
}

/* Takes back the range that is being marked; false if there is none. */
function takeBackMark() {
    if (anchor === NO_CELL)
        return false;
    anchor = NO_CELL;
    drawHeatSoon();
    return true;
}

function allOfTime() {
    if (state.ranges.length > 0 || state.stall !== NO_STALL)
        change({ ranges: [], stall: NO_STALL });
}

/* Enter begins a range and ends it, with Ctrl one to compare; f shows the thread alone; Escape goes back to all. */
function onHeatKey(event) {
    const { rows, counts } = layout;
    const steps = { ArrowLeft: -rows, ArrowRight: rows, ArrowUp: 1, ArrowDown: -1, Home: -counts.length, End: counts.length };
    isFocused = true;
    setByKeys(true);
    if (Object.hasOwn(steps, event.key))
        setCursor(cursor + steps[event.key], event);
    else if (event.key === 'Escape')
        takeBackMark() || allOfTime();
    else if (event.key === 'f' && byThread)
        chooseThread(cursor);
    else if (event.key !== 'Enter' && event.key !== ' ')
        return;
    else if (anchor !== NO_CELL)
        chooseRange(rangeOfCells(anchor, cursor), event.ctrlKey || event.metaKey);
    else {
        anchor = cursor;
        setCursor(cursor, event);
    }
    event.preventDefault();
    event.stopPropagation();
}

/* The cells with their counts, threads and kinds, and their middles in pixels of the window, for tests. */
function cellsOf() {
    const at = heatCanvas.getBoundingClientRect();
    return Array.from(layout.counts, (count, cell) => {
        const { x, y } = placeOfCell(cell);
        const range = rangeOfCells(cell, cell);
        const thread = layout.threads ? nameOfThread(threadOfCell(cell)) : '';
        const kind = layout.threads ? profile.kindNames[layout.kindOf(cell)] : '';
        return { range, time: rangeText(range), count, thread, kind, size: { width: layout.width, height: layout.height },
            x: at.left + x + layout.width / 2, y: at.top + y + layout.height / 2 };
    });
}
