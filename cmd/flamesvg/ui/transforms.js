/* What can be done to the stacks of a profile. Each is a step that the address names, and that Back takes
 * back. */

import { addStack, eachStack, makeForest, tableOf } from './forest.js';
import { MORE_STEPS } from 'moresteps';
import { isChart } from './picture.js';
import { profile } from 'profile';
import { fileState, state } from './state.js';
import { ROOT } from './table.js';
export { areTurned, base, beginWith, eachShown, orderOf, STEPS, transform };

/* map(stack, is) returns the stack that becomes of one, or null if it is left out; is(frame) says whether a
 * frame has the name that the step is about. */
const STEPS = {
    focus: {
        item: 'Focus on this function', key: 'f', says: 'focus on ',
        map(stack, is) {
            const at = stack.findIndex(is);
            return at < 0 ? null : stack.slice(at);
        },
    },
    callers: {
        item: 'Callers of this function', key: 'c', says: 'callers of ',
        map(stack, is) {
            const at = stack.findIndex(is);
            return at < 0 ? null : stack.slice(0, at + 1).reverse();
        },
    },
    both: { /* see addBoth */
        item: 'Its callers and its callees', key: 'b', says: 'callers and callees of ',
        map: (stack, is) => stack.some(is) ? stack : null,
    },
    drop: {
        item: 'Drop stacks with this function', key: 'd', says: 'without stacks of ',
        map: (stack, is) => stack.some(is) ? null : stack,
    },
    hide: {
        item: 'Hide it: its counts go to its callers', key: 'h', says: 'hidden: ',
        map: (stack, is) => stack.filter(frame => !is(frame)),
    },
    collapse: {
        item: 'Collapse its recursion', key: 'r', says: 'recursion collapsed: ',
        map: (stack, is) => stack.filter((frame, n) => n === 0 || !is(frame) || !is(stack[n - 1])),
    },
    kind: { /* by the legend */
        says: 'hidden: ',
        map: (stack, is) => stack.filter(frame => !is(frame)),
    },
    ...MORE_STEPS,
};

let base = null; /* the table that the steps begin with: the file's, or a part of it */
let ranks = null;
const beginWith = table => { base = table; };

/* The test that a step's map gets: whether a frame has the name, or the kind, that the step is about. */
function testOf({ kind, name }) {
    const { names, kinds, kindNames } = profile;
    const which = kindNames.indexOf(name);
    const wanted = kind === 'kind' ? kinds.map(one => one === which ? 1 : 0)
        : Uint8Array.from(names, one => one === name ? 1 : 0);
    return frame => wanted[base.name[frame]] === 1;
}

/* The function becomes the root, with its callees above and its callers below it. */
function addBoth(forest, stack, count, delta, is) {
    const at = stack.findIndex(is);
    if (at < 0)
        return;
    forest.name[ROOT] = forest.table.name[stack[at]];
    forest.like[ROOT] = stack[at];
    addStack(forest, stack.slice(at + 1), count, delta);
    addStack(forest, stack.slice(0, at).reverse(), count, delta, -1);
}

function orderOf(forest) {
    if (isChart)
        return null;
    if (state.size)
        return (a, b, totals) => totals[b] - totals[a];
    ranks ??= ranksOf(profile.names);
    return (a, b) => ranks[forest.name[a]] - ranks[forest.name[b]];
}

/* The place of each name in their order, which is the order of their UTF-16 code units. */
function ranksOf(names) {
    const places = new Int32Array(names.length);
    Array.from(names.keys()).sort((a, b) => names[a] < names[b] ? -1 : 1)
        .forEach((name, place) => { places[name] = place; });
    return places;
}

/* Calls take(stack, count, delta) for each stack that the steps give, from the root on. */
function eachShown(steps, take) {
    const maps = steps.map(step => ({ map: STEPS[step.kind].map, is: testOf(step) }));
    eachStack(base, (stack, count, delta) => {
        if (fileState.leaf)
            stack.reverse();
        for (const { map, is } of maps) {
            stack = map(stack, is);
            if (!stack)
                return;
        }
        take(stack, count, delta);
    });
}

/* Whether the steps have turned the stacks: their first frame is the leaf. */
function areTurned() {
    return state.steps.filter(step => step.kind === 'callers').length % 2 === 1;
}

/* The table that the steps and the switches give; the file's own where there are none. */
function transform(steps) {
    const { leaf, size } = state;
    if (steps.length === 0 && leaf === fileState.leaf && size === fileState.size)
        return base;
    const forest = makeForest(base, isChart);
    const both = steps.findLast(step => step.kind === 'both');
    const isBoth = both && testOf(both);
    eachShown(steps, (stack, count, delta) => {
        if (both)
            addBoth(forest, stack, count, delta, isBoth);
        else
            addStack(forest, leaf ? stack.reverse() : stack, count, delta);
    });
    return tableOf(forest, orderOf(forest), !size);
}
