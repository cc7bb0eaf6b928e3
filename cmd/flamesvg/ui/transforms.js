/* What can be done to the stacks of a profile. Each is a step that the address names, and that Back takes
 * back. */

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
};

/* The test that a step's map gets: whether a frame has the name, or the kind, that the step is about. */
function testOf(graph, { kind, name }) {
    const { table, names, kinds, kindNames } = graph.profile;
    const number = kindNames.indexOf(name);
    const wanted = kind === 'kind' ? kinds.map(one => one === number ? 1 : 0)
        : Uint8Array.from(names, one => one === name ? 1 : 0);
    return frame => wanted[table.name[frame]] === 1;
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

function orderOf(graph, forest) {
    const ranks = graph.ranks ??= ranksOf(graph.profile.names);
    if (graph.chart)
        return null;
    return graph.state.size ? (a, b, totals) => totals[b] - totals[a]
        : (a, b) => ranks[forest.name[a]] - ranks[forest.name[b]];
}

/* The place of each name in their order, which is the order of their UTF-16 code units. */
function ranksOf(names) {
    const ranks = new Int32Array(names.length);
    Array.from(names.keys()).sort((a, b) => names[a] < names[b] ? -1 : 1)
        .forEach((name, rank) => { ranks[name] = rank; });
    return ranks;
}

/* Calls take(stack, count, delta) for each stack that the steps give, from the root on. */
function eachShown(graph, steps, take) {
    const maps = steps.map(step => ({ map: STEPS[step.kind].map, is: testOf(graph, step) }));
    eachStack(graph.profile.table, (stack, count, delta) => {
        if (graph.fileReversed)
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
function areTurned(graph) {
    return graph.state.steps.filter(step => step.kind === 'callers').length % 2 === 1;
}

/* The table that the steps and the switches give; the file's own where there are none. */
function transform(graph, steps) {
    const { leaf, size } = graph.state;
    const base = graph.profile.table;
    if (steps.length === 0 && leaf === graph.fileReversed && size === graph.fileSize)
        return base;
    const forest = makeForest(base, graph.chart);
    const both = steps.findLast(step => step.kind === 'both');
    const isBoth = both && testOf(graph, both);
    eachShown(graph, steps, (stack, count, delta) => {
        if (both)
            addBoth(forest, stack, count, delta, isBoth);
        else
            addStack(forest, leaf ? stack.reverse() : stack, count, delta);
    });
    return tableOf(forest, orderOf(graph, forest), !size);
}
