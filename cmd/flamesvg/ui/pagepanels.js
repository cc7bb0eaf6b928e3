/* What only a page has (an SVG: nopanels.js): heat map, strip of what is gone, functions. */

import { afterPaint } from './afterpaint.js';
import { makeElement, show } from './dom.js';
import { functionsOf, showFunctions } from './functions.js';
import { strip, withGone } from './gonestrip.js';
import { heatCanvas, heatNode, openHeat } from './heat.js';
import { allButton, cellsOf, forgetTrouble, heatSays, listenToMarks } from './marker.js';
import { hasSlices, tableOfRanges } from './slices.js';
import { marksForTests, showStallButtons, stepStall, toNext, toPrevious } from './stallmarks.js';
import { hasStalls } from './stalls.js';
import { fileState } from './state.js';
import { threadsToggle, toggleThreads } from './threads.js';
export { takeBackMark } from './marker.js';
export { rangesText, readRanges } from './slices.js';
export { readStall } from './stalls.js';
export { model, MORE_HELP, MORE_KEYS, openPanels, showPanels, takeTable };

const MORE_KEYS = { ...hasSlices && { t: goToHeat }, ...hasStalls && { j: () => stepStall(1), k: () => stepStall(-1) } };
const MORE_HELP = [...hasSlices ? [['t',
    'go to the heat map: arrows, Enter twice for a range (Ctrl-Enter: compare); again: threads, f for one alone']] : [],
...hasStalls ? [['j, k', 'show the next or the previous stall alone; Escape: all']] : []];
const model = { functions: functionsOf, ...hasSlices && { cells: cellsOf, stalls: marksForTests } };

/* The table that the steps begin with. */
function takeTable() {
    forgetTrouble();
    return withGone(tableOfRanges());
}

function goToHeat() {
    if (document.activeElement === heatCanvas)
        toggleThreads();
    else
        heatCanvas.focus({ preventScroll: true });
}

/* Shows what is chosen, but the picture first. */
function showPanels() {
    afterPaint(showFunctions);
}

/* The nodes above the graph. */
function openPanels() {
    if (!hasSlices)
        return [strip];
    show(threadsToggle, !fileState.leaf);
    showStallButtons();
    heatNode.append(makeElement('div', { class: 'ranges' }, threadsToggle, toPrevious, toNext, allButton, heatSays));
    afterPaint(() => {
        listenToMarks();
        openHeat();
    });
    return [heatNode, strip];
}
