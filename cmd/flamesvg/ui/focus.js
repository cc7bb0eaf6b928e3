/* The frame that has the keyboard focus, and the arrow keys. */

/* Makes this the one frame that Tab stops at; the arrow keys go on from it. */
function setCurrent(graph, frame) {
    graph.current.node.removeAttribute('tabindex');
    frame.node.setAttribute('tabindex', 0);
    graph.current = frame;
}

function focusFrame(graph, frame, options) {
    setCurrent(graph, frame);
    frame.node.focus(options);
}

/* The frame that an arrow key goes to; undefined at an edge. */
function nextFrame(graph, frame, key) {
    const shown = graph.frames.filter(other => other.shown);
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
        const row = shown.filter(other => other.level === frame.level);
        return row[row.indexOf(frame) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    if ((key === 'ArrowUp') === graph.inverted)
        return frame.parent;
    /* The widest, so that repeated arrows follow the hot path. */
    return shown.filter(other => other.parent === frame).sort((a, b) => b.w - a.w)[0];
}

function move(graph, event) {
    const frame = frameOf(graph, event);
    const next = frame && nextFrame(graph, frame, event.key);
    if (next)
        focusFrame(graph, next);
    return frame !== undefined;
}
