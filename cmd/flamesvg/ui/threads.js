/* The other view of time: a row for each thread, or what else the stacks begin with, and a column for some slices.
 * A cell has the colour of the kind of code that most of its counts are of, the paler the fewer they are. */

import { countText } from './describe.js';
import { makeToggle } from './dom.js';
import { drawHeat, dropLayout, HEAT_HEIGHT, layout } from './heat.js';
import { resetCursor } from './marker.js';
import { takeBackMark } from 'panels';
import { profile } from 'profile';
import { slicesOf } from './slices.js';
import { fileState, state } from './state.js';
import { NO_FRAME } from './table.js';
import { fit, font, visible } from './text.js';
import { change } from './view.js';
export { byThread, chooseThread, describeThread, drawThreadNames, layThreadsOut, nameOfThread, rowOfThread, threadOfCell,
    threadsToggle, toggleThreads };

const MOST_THREADS = 10; /* rows; the last one is of all others where there are more */
const THREAD_COLUMN = 6; /* pixels */

const threadsToggle = makeToggle('By thread', 'threads', 'Rows of threads over time, coloured by kind of code (t)', toggleThreads);
let byThread = false;

/* By frame, the frame of its stack that the root calls, the first one of its name. */
function threadsOfFrames({ count, level, parent, name }) {
    const thread = new Int32Array(count), first = new Map();
    for (let i = 1; i < count; i++) {
        if (level[i] === 1 && !first.has(name[i]))
            first.set(name[i], i);
        thread[i] = level[i] === 1 ? first.get(name[i]) : thread[parent[i]];
    }
    return thread;
}

/* The frames of the rows from the top down, the largest first; NO_FRAME: all others. */
function largestThreads({ count, level, width }, threadOf) {
    const widths = new Map();
    for (let i = 1; i < count; i++)
        if (level[i] === 1)
            widths.set(threadOf[i], (widths.get(threadOf[i]) || 0) + width[i]);
    const threads = [...widths.keys()].sort((a, b) => widths.get(b) - widths.get(a));
    return threads.length <= MOST_THREADS ? threads : [...threads.slice(0, MOST_THREADS - 1), NO_FRAME];
}

/* The layout as layHeatOut makes it, with the thread of each row, and a function that gives a cell's kind. */
function layThreadsOut(room) {
    const slices = slicesOf(), { table: whole, kinds, kindNames } = profile;
    const threadOf = threadsOfFrames(whole), threads = largestThreads(whole, threadOf), rows = threads.length;
    const others = threads.indexOf(NO_FRAME);
    const perCell = Math.ceil(slices.total * THREAD_COLUMN / room), columns = Math.ceil(slices.total / perCell);
    const columnOf = slices.number.map(number => Math.floor(number / perCell));
    const counts = new Float64Array(columns * rows), kindCounts = kindNames.map(() => counts.slice());
    const rowOf = new Map(threads.map((thread, n) => [thread, rows - 1 - n])); /* from the bottom up */
    slices.frame.forEach((frame, n) => {
        const row = rowOf.get(threadOf[frame]) ?? rows - 1 - others;
        const ofKind = kinds ? kindCounts[kinds[whole.name[frame]]] : null;
        for (let i = slices.first[n]; i < slices.first[n + 1]; i++) {
            const cell = columnOf[slices.cell[i]] * rows + row, count = slices.entrySums[i + 1] - slices.entrySums[i];
            counts[cell] += count;
            if (ofKind)
                ofKind[cell] += count;
        }
    });
    const kindOf = cell => kindCounts.reduce((best, of, kind) => of[cell] > kindCounts[best][cell] ? kind : best, 0);
    return { room, rows, perCell, columns, counts, most: Math.max(...counts), threads, kindOf,
        width: room / columns, height: HEAT_HEIGHT / rows, steps: 1 };
}

/* The frame of a cell's thread, or NO_FRAME. */
function threadOfCell(cell) {
    return layout.threads[layout.rows - 1 - cell % layout.rows];
}

/* Where the row of a frame that stacks begin with is; that of all others if it has none. */
function rowOfThread(frame) {
    const { threads, height } = layout, { name, level } = profile.table;
    const of = threads.findIndex(thread => thread !== NO_FRAME && frame !== undefined && name[thread] === name[frame] &&
        level[thread] === level[frame]);
    return { y: (of < 0 ? threads.length - 1 : of) * height, height };
}

function nameOfThread(thread) {
    return thread === NO_FRAME ? 'others' : visible(profile.names[profile.table.name[thread]]);
}

/* "node-7: 12 samples, mostly javascript" */
function describeThread(cell) {
    const kind = profile.kindNames[layout.kindOf(cell)];
    return nameOfThread(threadOfCell(cell)) + ': ' + countText(layout.counts[cell]) +
        (layout.counts[cell] > 0 && kind ? ', mostly ' + kind : '');
}

/* The names in their rows, on a ground that leaves them readable. */
function drawThreadNames(pen, paper, ink) {
    pen.font = `${Math.min(11, layout.height)}px ${font.replace(/^\S+ /, '')}`;
    pen.textBaseline = 'middle';
    layout.threads.forEach((thread, n) => {
        const text = fit(nameOfThread(thread), layout.room / 3), y = (n + 0.5) * layout.height;
        pen.globalAlpha = 0.8;
        pen.fillStyle = paper;
        pen.fillRect(0, n * layout.height, pen.measureText(text).width + 8, layout.height - 0.5);
        pen.globalAlpha = 1;
        pen.fillStyle = ink;
        pen.fillText(text, 4, y);
    });
    pen.textBaseline = 'alphabetic';
}

/* Changes between the slices and the threads. */
function toggleThreads() {
    if (fileState.leaf)
        return; /* its stacks begin with leaves */
    takeBackMark();
    byThread = !byThread;
    dropLayout();
    resetCursor();
    threadsToggle.setAttribute('aria-pressed', byThread);
    drawHeat();
}

/* Shows the stacks of the cell's thread alone; those of all if that is so already. */
function chooseThread(cell) {
    const { steps } = state, others = steps.filter(step => step.kind !== 'thread');
    const thread = threadOfCell(cell);
    if (thread === NO_FRAME)
        return;
    const name = profile.names[profile.table.name[thread]];
    const isShown = steps.some(step => step.kind === 'thread' && step.name === name);
    change({ steps: isShown ? others : [...others, { kind: 'thread', name }] });
}
