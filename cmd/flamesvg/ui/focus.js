/* The frame that has the keyboard focus, and the arrow keys. */

/* Makes this the one frame that Tab stops at; the arrow keys go on from it. */
function setCurrent(graph, node) {
    graph.current.removeAttribute('tabindex');
    node.setAttribute('tabindex', 0);
    graph.current = node;
}

function focusFrame(graph, node, options) {
    setCurrent(graph, node);
    node.focus(options);
}

/* The next visible frame of the row to the right (step 1) or left (step -1), or NO_FRAME. */
function neighbour(table, frame, step) {
    let i = frame + step;
    while (i >= 0 && i < table.count &&
           (table.level[i] !== table.level[frame] || table.state[i] === HIDDEN))
        i += step;
    return i < table.count ? i : NO_FRAME;
}

/* The widest, so that repeated arrows follow the hot path; NO_FRAME if there is none. */
function widestChild(table, frame) {
    let widest = NO_FRAME;
    for (let i = frame + 1; i < table.end[frame]; i = table.end[i])
        if (table.state[i] !== HIDDEN && (widest < 0 || table.width[i] > table.width[widest]))
            widest = i;
    return widest;
}

/* The frame that an arrow key goes to; NO_FRAME at an edge. */
function nextFrame(graph, frame, key) {
    const table = tableOf(graph);
    if (key === 'ArrowLeft' || key === 'ArrowRight')
        return neighbour(table, frame, key === 'ArrowLeft' ? -1 : 1);
    return (key === 'ArrowUp') === graph.inverted ? table.parent[frame] : widestChild(table, frame);
}

function move(graph, event) {
    const node = nodeOf(event);
    if (!node)
        return false;
    const table = tableOf(graph);
    const next = nextFrame(graph, table.numbers.get(node), event.key);
    if (next !== NO_FRAME)
        focusFrame(graph, table.node[next]);
    return true;
}

/* Goes from the current frame up to a leaf, each time to the widest callee. */
function goToLeaf(graph) {
    const table = tableOf(graph);
    let frame = table.numbers.get(graph.current);
    for (let child = frame; child !== NO_FRAME; child = widestChild(table, child))
        frame = child;
    focusFrame(graph, table.node[frame]);
}
