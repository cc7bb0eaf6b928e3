/* Stacks that are merged again into frames. */

import { linkFrames, makeTable, NO_FRAME, ROOT } from './table.js';
export { addStack, eachStack, makeForest, tableOf };

/* Calls take(stack, count, delta) for each stack of the table from left to right. A stack is an array of
 * frames from the root's child to the leaf. */
function eachStack(table, take) {
    const done = Float64Array.from(table.start); /* up to where a frame's counts have been given */
    const open = [];
    const give = (end, delta) => {
        const leaf = open[open.length - 1];
        const count = end - done[leaf];
        if (count > 0 || delta !== 0)
            take(open.slice(1), Math.max(count, 0), delta);
        done[leaf] = end;
    };
    const close = () => {
        const leaf = open[open.length - 1];
        give(table.start[leaf] + table.width[leaf], table.delta ? table.delta[leaf] : 0);
        open.pop();
        if (open.length > 0)
            done[open[open.length - 1]] = table.start[leaf] + table.width[leaf];
    };
    for (let i = 0; i < table.count; i++) {
        while (open.length > table.level[i])
            close();
        if (open.length > 0)
            give(table.start[i], 0);
        open.push(i);
    }
    while (open.length > 0)
        close();
}

/* A tree that grows: its frames are numbered in the order in which they came. `keepOrder` merges a frame
 * only with the one before it, as in a flame chart. */
function makeForest(table, keepOrder) {
    return {
        table, keepOrder, now: 0,
        name: [0], parent: [NO_FRAME], side: [1], self: [0], delta: [0], like: [ROOT], start: [0],
        newest: [NO_FRAME], /* the callee that came last */
        callees: new Map(),
    };
}

function addFrame(forest, parent, like, side) {
    const frame = forest.name.length;
    forest.name.push(forest.table.name[like]);
    forest.parent.push(parent);
    forest.side.push(side);
    forest.self.push(0);
    forest.delta.push(0);
    forest.like.push(like);
    forest.start.push(forest.now);
    forest.newest.push(NO_FRAME);
    forest.newest[parent] = frame;
    return frame;
}

/* The callee of `parent` with the name of the frame `like`. Side -1 holds the callers of a function whose
 * callees are shown beside them. */
function callee(forest, parent, like, side) {
    const name = forest.table.name[like];
    const newest = forest.newest[parent];
    if (newest !== NO_FRAME && forest.name[newest] === name && forest.side[newest] === side)
        return newest;
    if (forest.keepOrder)
        return addFrame(forest, parent, like, side);
    const key = (parent * forest.table.count + name) * side;
    let frame = forest.callees.get(key);
    if (frame === undefined) {
        frame = addFrame(forest, parent, like, side);
        forest.callees.set(key, frame);
    }
    forest.newest[parent] = frame;
    return frame;
}

function addStack(forest, stack, count, delta, side = 1) {
    let frame = ROOT;
    for (const like of stack)
        frame = callee(forest, frame, like, side);
    if (side > 0 || frame !== ROOT) {
        forest.self[frame] += count;
        forest.delta[frame] += delta;
    }
    forest.now += side > 0 ? count : 0;
}

/* The counts of each frame with its callees, which came after it. */
function totalsOf(forest) {
    const totals = Float64Array.from(forest.self);
    for (let i = totals.length - 1; i > ROOT; i--)
        if (forest.parent[i] !== ROOT || forest.side[i] > 0)
            totals[forest.parent[i]] += totals[i];
    return totals;
}

/* The tree as a table. order(a, b, totals) compares two frames with the same caller; null keeps their order and
 * their place in time. Counts of a frame alone come before its callees if `selfFirst`. */
function tableOf(forest, order, selfFirst) {
    const totals = totalsOf(forest);
    const callees = totals.length > 0 ? Array.from(totals, () => []) : [];
    const table = makeTable(totals.length);
    const starts = forest.start;
    for (let i = 1; i < totals.length; i++)
        callees[forest.parent[i]].push(i);
    table.fill = forest.table.fill && new Int32Array(table.count);
    table.delta = forest.table.delta && new Float64Array(table.count);
    if (forest.side.includes(-1))
        table.row = new Int32Array(table.count);
    const todo = [ROOT], level = new Int32Array(table.count);
    for (let i = 0; todo.length > 0; i++) {
        const frame = todo.pop();
        table.level[i] = level[frame];
        table.row[i] = level[frame] * forest.side[frame];
        table.name[i] = forest.name[frame];
        table.start[i] = starts[frame];
        table.width[i] = totals[frame];
        if (table.fill)
            table.fill[i] = forest.table.fill[forest.like[frame]];
        if (table.delta)
            table.delta[i] = forest.delta[frame];
        if (order)
            callees[frame].sort((a, b) => forest.side[b] - forest.side[a] || order(a, b, totals));
        let at = starts[frame] + (selfFirst ? forest.self[frame] : 0), side = 1;
        for (const next of callees[frame]) {
            if (forest.side[next] !== side && frame === ROOT)
                at = starts[frame]; /* the callers begin where the callees do */
            side = forest.side[next];
            level[next] = level[frame] + 1;
            if (order)
                starts[next] = at;
            at += totals[next];
        }
        for (let n = callees[frame].length - 1; n >= 0; n--)
            todo.push(callees[frame][n]);
    }
    return linkFrames(table);
}
