/* The source lines of a function, beside the graph of a page made with --lines. The function is that of the focused frame or
 * of the focused row of the table; a click focuses either, and so do keys. The build appends this module to the script that
 * every page has (start.js), in pages with source lines only. pagelines.c describes the data. */

import { makeElement, style } from './dom.js';
import { current, tree } from './focus.js';
import { functionsNode } from './functions.js';
import { layer } from './layer.js';
import { profile } from 'profile';
import { ROOT } from './table.js';
import { visible } from './text.js';
import { table } from './view.js';
import { followWindow, noteScroll } from './window.js';

const MOST_LINES = 2000; /* that are made of one function */
const SHADE = 0.45; /* the opacity of the hottest line's colour, which a text can still be read on */
const INLINED = 'A call in this line was inlined: what ran in it is at the lines of its function';

const { sourceFiles, sourceLines } = profile.columns;
const functionLines = new Map(sourceLines.map(([name, self, total, rows]) => [name, { self, total, rows }]));

const linesHead = makeElement('div', { class: 'about', 'aria-live': 'polite' });
const linesTitles = makeElement('thead', {}, makeElement('tr', {}, ...['self', 'total', '', 'line', ''].map(title =>
    makeElement('th', { scope: title ? 'col' : null }, title))));
const linesTable = makeElement('table');
const linesScroll = makeElement('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Source lines' }, linesTable);
const linesNode = makeElement('div', { class: 'lines' }, linesHead, linesScroll);

const shareText = share => (share / 100).toFixed(2) + '%';

function makeCell(text, name = 'number', title = null) {
    return makeElement('td', { class: name, title }, text);
}

/* A line. The more of the samples are in it or in what it called, the darker it is: `most` is what the hottest line of its
 * function has. */
function makeLine([, number, text, self, total, inlined], most) {
    const label = visible(text), shares = self === undefined ? ['', ''] : [shareText(self), shareText(total)];
    const row = makeElement('tr', { class: total > 0 && total === most && 'hottest' },
        ...shares.map(share => makeCell(share)), makeCell(inlined ? '>' : '', 'mark', inlined ? INLINED : null),
        makeCell(String(number)), makeCell(label, 'source', label.trim()));
    if (total > 0)
        style(row, { 'background-color': `rgb(255 120 0 / ${(SHADE * total / most).toFixed(3)})` });
    return row;
}

function makeHeading(text) {
    return makeElement('tr', {}, makeElement('th', { colspan: 5, scope: 'rowgroup' }, text));
}

/* The rows of lines, with the path of each file above its lines, and a gap where lines are left out. There is none where
 * the file could not be read: then no line is without samples. */
function makeLines(rows, most) {
    const nodes = [];
    let last = [];
    for (const row of rows.slice(0, MOST_LINES)) {
        const [file, number] = row;
        if (file !== last[0])
            nodes.push(makeHeading(visible(sourceFiles[file])));
        else if (number !== last[1] + 1 && last[3] === undefined)
            nodes.push(makeHeading('\u22ee'));
        nodes.push(makeLine(row, most));
        last = row;
    }
    if (rows.length > MOST_LINES)
        nodes.push(makeHeading(`${rows.length - MOST_LINES} more lines`));
    return nodes;
}

/* Shows the lines of the function with this name, the hottest one in the middle. Shares are of the whole profile, also
 * where the page shows a part of it: which lines that part was in is not known. */
function showLines(name) {
    const lines = functionLines.get(name), label = visible(profile.names[name]);
    const { rows = [], self = 0, total = 0 } = lines || {};
    const most = Math.max(...rows.slice(0, MOST_LINES).map(row => row[4] || 0));
    linesHead.replaceChildren(makeElement('b', { title: label }, label), lines
        ? `self ${shareText(self)}, total ${shareText(total)} of the whole profile` : 'has no source lines here');
    linesTable.replaceChildren(...lines ? [linesTitles] : [], makeElement('tbody', {}, ...makeLines(rows, most)));
    const hottest = linesTable.querySelector('.hottest');
    linesScroll.scrollTop = hottest ? hottest.offsetTop - linesScroll.clientHeight / 2 : 0;
}

function onFocus(event) {
    const row = event.target.closest('tr[data-name]');
    if (row)
        showLines(Number(row.dataset.name));
    else if (tree.contains(event.target) && current !== ROOT)
        showLines(table.name[current]);
}

/* Puts the lines above the table of functions, which then is narrower or wider, and the graph with it. */
function openLines() {
    const side = makeElement('div', { class: 'side' });
    noteScroll(); /* the chart was scrolled to its root a moment ago, and stays there */
    functionsNode.replaceWith(side);
    side.append(linesNode, functionsNode);
    followWindow();
    layer.addEventListener('focusin', onFocus);
    const [hottest] = [...sourceLines].sort((a, b) => b[1] - a[1]);
    if (functionLines.has(table.name[current])) /* the address says so */
        showLines(table.name[current]);
    else if (hottest)
        showLines(hottest[0]);
}

openLines();
