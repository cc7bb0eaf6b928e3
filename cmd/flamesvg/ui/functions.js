/* The table of functions beside the canvas. */

import { allCounts, countText, percent, signed, withCommas } from './describe.js';
import { makeButton, makeElement, setAttributes } from './dom.js';
import { profile } from 'profile';
import { anyCase, found, foundCount, literally, plain, search, term } from './search.js';
import { state } from './state.js';
import { visible } from './text.js';
import { areTurned, base, eachShown } from './transforms.js';
import { addStep, table } from './view.js';
export { functionsNode, functionsOf, showFunctions };

const MOST_ROWS = 200; /* that are made at once */

const list = makeElement('table'), more = makeElement('p');
const functionsNode = makeElement('div', { class: 'functions' }, list, more);
let sortedBy = 'self';
let counts = [], counted = null; /* the count of each function, and the table that was counted */
let listed = null, listedKey = ''; /* the table and the search that the rows are of */
let rowTerm = ''; /* the search of a row that was clicked */

/* { name, self, total, change } for each name; a stack counts once in a total, and in its change, however often it has
 * the function. */
function countFunctions() {
    const { names } = profile, { name } = base;
    const [self, total, changes] = [0, 0, 0].map(() => new Float64Array(names.length));
    const seen = new Int32Array(names.length); /* the number of the last stack that had it */
    const turned = areTurned();
    let number = 0;
    eachShown(state.steps, (stack, count, delta) => {
        number++;
        for (const frame of stack) {
            const one = name[frame];
            if (seen[one] === number)
                continue;
            seen[one] = number;
            total[one] += count;
            changes[one] += delta;
        }
        if (stack.length > 0)
            self[name[stack[turned ? 0 : stack.length - 1]]] += count;
    });
    return Array.from(names.keys(), one => ({ name: one, self: self[one], total: total[one], change: changes[one] }))
        .filter(one => one.total > 0 || one.change !== 0);
}

/* What a column is sorted by, the smallest first. */
const SORT_BY = {
    self: one => -one.self,
    total: one => -one.total,
    change: one => -one.change,
    kind: one => profile.kinds[one.name],
    function: one => profile.names[one.name],
};

function compareBy(column) {
    const key = SORT_BY[column];
    return (a, b) => {
        const [one, other] = [key(a), key(b)];
        return one < other ? -1 : one > other ? 1 : b.self - a.self;
    };
}

function rowOf({ name, self, total, change: grown }) {
    const label = visible(profile.names[name]);
    const cell = (text, title = null) => makeElement('td', { title }, text);
    const number = (count, sign = text => text) => setAttributes(
        cell(sign(percent(count, allCounts())), sign(countText(count))), { class: 'number' });
    const row = makeElement('tr', { tabindex: 0, 'data-name': name }, number(self), number(total));
    if (base.delta)
        row.append(number(grown, signed));
    if (profile.kinds)
        row.append(cell(profile.kindNames[profile.kinds[name]] || ''));
    row.append(makeElement('td', { title: label }, makeElement('div', { class: 'name' }, label)));
    return row;
}

function headOf() {
    const columns = ['self', 'total', base.delta && 'change', profile.kinds && 'kind', 'function'].filter(Boolean);
    return makeElement('tr', {}, ...columns.map(column => {
        const button = makeButton(column, 'Sort by ' + column, () => {
            sortedBy = column;
            listed = null;
            showFunctions();
            list.querySelector(`[data-column=${column}] button`).focus();
        });
        return makeElement('th', { scope: 'col', 'data-column': column,
            'aria-sort': sortedBy !== column ? 'none'
                : /self|total|change/.test(column) ? 'descending' : 'ascending' }, button);
    }));
}

/* Rows are those of names that match the search, unless it is that of a row that was clicked (term). */
function showFunctions() {
    const key = term + anyCase + plain;
    if (listed === table && listedKey === key)
        return;
    if (counted !== table)
        counts = countFunctions();
    [listed, counted, listedKey] = [table, table, key];
    const rows = counts.filter(({ name }) => foundCount === 0 || term === rowTerm || found[name]).sort(compareBy(sortedBy));
    const others = rows.length - MOST_ROWS;
    list.replaceChildren(makeElement('thead', {}, headOf()),
        makeElement('tbody', {}, ...rows.slice(0, MOST_ROWS).map(one => rowOf(one))));
    more.textContent = others > 0 ? `${withCommas(others)} more: search to see them` : '';
}

function nameOfRow(event) {
    const row = event.target.closest('tr[data-name]');
    return row ? profile.names[row.dataset.name] : undefined;
}

/* A click finds a function in the picture; a double click, or Enter, focuses on it. */
list.addEventListener('click', event => {
    const name = nameOfRow(event);
    if (name === undefined || event.detail > 1)
        return;
    rowTerm = '^' + literally(name) + '$';
    search(rowTerm, anyCase, false);
});
const focusRow = event => {
    const name = nameOfRow(event);
    if (name !== undefined)
        addStep('focus', name);
};
list.addEventListener('dblclick', focusRow);
list.addEventListener('keydown', event => event.key === 'Enter' && focusRow(event));

/* The functions of the table, for tests: their names, counts, and where profiles are compared the change that chance may
 * be, in percentage points. */
function functionsOf() {
    const { names } = profile, { chance } = base;
    return countFunctions().map(({ name, self, total, change: grown }) =>
        ({ name: names[name], self, total, change: grown, margin: chance ? 100 * chance.margin[name] : 0 }));
}
