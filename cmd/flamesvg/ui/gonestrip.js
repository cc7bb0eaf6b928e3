/* Where profiles or ranges are compared: what the colours mean, and the stacks that are gone, which the graph has no
 * width for. They are in a strip above it, and can be shown as the graph. */

import { changeFill, isTextWhite, WITHIN_CHANCE } from './colour.js';
import { countText, percent } from './describe.js';
import { makeButton, makeElement, makeToggle, show, style } from './dom.js';
import { addStack, eachStack, makeForest, tableOf } from './forest.js';
import { squareOf } from './legend.js';
import { data } from './picture.js';
import { profile } from 'profile';
import { state } from './state.js';
import { changeOf, ROOT } from './table.js';
import { visible } from './text.js';
import { orderOf } from './transforms.js';
import { change } from './view.js';
export { strip, withGone };

const MOST_GONE = 40; /* boxes of the strip */

const goneToggle = makeToggle('Gone', 'gone', 'Show only the stacks that are gone',
    () => change({ steps: showsGone() ? [] : [{ kind: 'gone', name: '' }] }));
const goneSays = makeElement('span', { 'aria-live': 'polite' }), goneBoxes = makeElement('div', { class: 'boxes' });
const strip = makeElement('div', { class: 'heat strip', hidden: '' }, /* hidden where nothing is compared */
    makeElement('div', { class: 'ranges' }, goneToggle, goneSays), goneBoxes);

/* How many counts all that frame i calls had before, if none is left; 0 if some is left. */
function countGone(table, i) {
    return table.width[i] === 0 ? Math.max(-changeOf(table, i), 0) / table.beforeScale : 0;
}

/* By name, what is gone with a function whose caller is still there, the largest first. */
function largestGone(table) {
    const gone = new Map();
    for (let i = 1; i < table.count; i = table.width[i] === 0 ? table.end[i] : i + 1) {
        const count = countGone(table, i), name = table.name[i];
        if (count > 0)
            gone.set(name, (gone.get(name) || 0) + count);
    }
    return Array.from(gone, ([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/* The table of the stacks that are gone, with the counts that they had. */
function tableOfGone(table) {
    const forest = makeForest(table, false);
    eachStack(table, (stack, count, delta) => {
        if (delta < 0 && table.width[stack.at(-1)] === 0)
            addStack(forest, stack, -delta / table.beforeScale, 0);
    });
    const gone = tableOf(forest, orderOf(forest), true);
    return { ...gone, delta: null, maxDelta: table.maxDelta, chance: table.chance,
        fill: new Int32Array(gone.count), fills: [fillOfGone(table)] };
}

/* That of half of the largest change: how much there was, the widths say. */
function fillOfGone(table) {
    return changeFill(table, -table.maxDelta / 2);
}

function showsGone() {
    return state.steps.some(step => step.kind === 'gone');
}

function makeBox({ name, count }, before, fill) {
    const { names } = profile, text = visible(names[name]);
    const box = makeButton(text, `${text}: ${countText(count)} gone from these callers (${percent(count, before)} of the first)`,
        () => change({ steps: [{ kind: 'gone', name: '' }, { kind: 'focus', name: names[name] }] }));
    style(box, { 'flex-grow': count / before, background: fill, color: isTextWhite(fill, false) ? '#fff' : '#000' });
    return box;
}

/* "grew, shrank, within the margin of error", each after a square of its colour; of two files the legend above the frames
 * has the first two. */
function legendOfChange(table) {
    const colours = { grew: !data.compared && changeFill(table, table.maxDelta),
        shrank: !data.compared && changeFill(table, -table.maxDelta),
        'within the margin of error': table.chance && WITHIN_CHANCE };
    return Object.keys(colours).filter(text => colours[text]).map((text, n) =>
        makeElement('b', {}, n > 0 ? ', ' : '', squareOf(colours[text]), text));
}

/* What the strip shows of the comparison in a table; nothing if none is there. */
function showGone(table, gone) {
    show(strip, table.delta);
    if (!table.delta)
        return;
    const sum = gone.reduce((all, { count }) => all + count, 0);
    const before = (table.width[ROOT] - changeOf(table, ROOT)) / table.beforeScale;
    show(goneToggle, sum > 0);
    const legend = legendOfChange(table), fill = fillOfGone(table);
    goneSays.replaceChildren(...legend,
        sum > 0 ? `${legend.length > 0 ? '; ' : ''}gone: ${countText(sum)}, ${percent(sum, before)} of the first` : '');
    goneBoxes.replaceChildren(...gone.slice(0, MOST_GONE).map(one => makeBox(one, before, fill)));
    goneToggle.setAttribute('aria-pressed', showsGone());
}

/* What is gone in place of the comparison, if the user wants that and there is some. */
function withGone(table) {
    const gone = table.delta ? largestGone(table) : [];
    showGone(table, gone);
    return showsGone() && gone.length > 0 ? tableOfGone(table) : table;
}
