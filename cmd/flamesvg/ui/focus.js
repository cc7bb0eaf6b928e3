/* The tree that the keyboard walks and that screen readers read. It holds the current frame, its callers,
 * its neighbours with the same caller and its callees; the picture shows the focus. */

const MOST_ITEMS = 200; /* of the callees of one frame */

function hasFocus(graph) {
    return graph.controls.tree.contains(document.activeElement);
}

function makeTreeItem(graph, frame, place, count) {
    const { table } = graph;
    return makeElement('div', { /* without a text, which the browser would lay out */
        role: 'treeitem', 'aria-label': titleOf(graph, frame), 'data-frame': frame, tabindex: frame === graph.current ? 0 : -1,
        'aria-level': table.level[frame] + 1, 'aria-posinset': place + 1, 'aria-setsize': count,
        'aria-expanded': table.end[frame] > frame + 1
            ? String(isAncestor(table, frame, graph.current) || frame === graph.current) : null,
    });
}

/* Items of the callees of `caller`; below the one on the way to the current frame come its callees. */
function addItems(graph, items, caller) {
    const { table, current } = graph;
    const callees = childrenOf(table, caller);
    const path = callees.find(one => isWithin(table, current, one));
    const least = [...callees].sort((a, b) => table.width[b] - table.width[a]).slice(0, MOST_ITEMS);
    const kept = new Set(path === undefined ? least : [...least, path]);
    callees.forEach((frame, place) => {
        if (!kept.has(frame))
            return;
        items.push(makeTreeItem(graph, frame, place, callees.length));
        if (frame === path)
            addItems(graph, items, frame);
    });
}

/* Makes the tree for the current frame, if it is that of another, and keeps the focus in it. */
function updateTree(graph) {
    const { tree } = graph.controls;
    if (tree.table === graph.table && tree.frame === graph.current)
        return;
    Object.assign(tree, { table: graph.table, frame: graph.current });
    const had = hasFocus(graph);
    const items = [makeTreeItem(graph, ROOT, 0, 1)];
    addItems(graph, items, ROOT);
    tree.replaceChildren(...items);
    if (had)
        tree.querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

/* Makes this the one frame that Tab stops at, and gives it the focus. */
function focusFrame(graph, frame) {
    graph.current = frame;
    graph.match = NO_FRAME;
    updateTree(graph);
    scrollToFrame(graph, frame); /* measures, so it comes before the focus changes what it measures */
    graph.controls.tree.querySelector('[tabindex="0"]').focus({ preventScroll: true });
}

/* Gives the focus to the current frame when the picture is drawn, or a key is pressed. */
function focusSoon(graph) {
    graph.pendingFocus = () => {
        graph.pendingFocus = null;
        focusFrame(graph, graph.current);
    };
    afterPaint(() => graph.pendingFocus?.());
}

function onTreeFocus(graph) {
    if (!graph.table)
        redraw(graph);
    showDetails(graph, graph.current);
    outline(graph);
}

/* The next frame of the row to the right (step 1) or left (step -1) that can be seen, or NO_FRAME. */
function neighbour(graph, frame, step) {
    const row = graph.byRow.get(graph.table.row[frame]) || [];
    const at = row.findIndex(n => graph.shown.frame[n] === frame);
    const next = row[at + step];
    return next === undefined ? NO_FRAME : graph.shown.frame[next];
}

/* The widest callee, so that repeated arrows follow the hot path; NO_FRAME if there is none. */
function widestCallee(graph, frame) {
    const { table } = graph;
    let widest = NO_FRAME;
    for (const one of childrenOf(table, frame))
        if (boxOf(graph, one) && (widest < 0 || table.width[one] > table.width[widest]))
            widest = one;
    return widest;
}

/* The frame that an arrow key goes to; NO_FRAME at an edge. */
function nextFrame(graph, frame, key) {
    if (key === 'ArrowLeft' || key === 'ArrowRight')
        return neighbour(graph, frame, key === 'ArrowLeft' ? -1 : 1);
    const toCaller = (key === 'ArrowUp') === graph.inverted;
    return toCaller ? graph.table.parent[frame] : widestCallee(graph, frame);
}

function move(graph, event) {
    if (!hasFocus(graph))
        return false;
    const next = nextFrame(graph, graph.current, event.key);
    if (next !== NO_FRAME)
        focusFrame(graph, next);
    return true;
}

/* Goes from the current frame up to a leaf, each time to the widest callee. */
function goToLeaf(graph) {
    if (!graph.table)
        redraw(graph);
    let frame = graph.current;
    for (let next = frame; next !== NO_FRAME; next = widestCallee(graph, next))
        frame = next;
    focusFrame(graph, frame);
}
