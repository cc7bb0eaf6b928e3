/* The zoom. The picture is only written to and never measured, so that 50,000 frames cause no layout
 * except the browser's own. */

/* The part of a frame inside the zoomed one, scaled: all of a descendant, a full row of an ancestor. */
function stretched(graph, frame) {
    const view = graph.zoomed;
    const scale = graph.room / view.w;
    const from = Math.max(frame.x, view.x);
    const to = Math.min(frame.x + frame.w, view.x + view.w);
    const x = graph.xpad + (from - view.x) * scale;
    const width = Math.max(to - from, 0) * scale;
    const chars = Math.floor((width - 2 * TEXT_PAD) / graph.charWidth);
    return {
        x: x.toFixed(1),
        width: width.toFixed(1),
        textX: (x + TEXT_PAD).toFixed(2),
        label: chars < MIN_CHARS ? '' : cut(graph, frame.name, chars),
    };
}

/* Texts are the slowest for a browser to lay out, and most frames are too narrow for one. */
function place(frame, where) {
    frame.rect.setAttribute('x', where.x);
    frame.rect.setAttribute('width', where.width);
    if (!where.label && !frame.label)
        return;
    frame.text.setAttribute('x', where.textX);
    frame.text.textContent = where.label;
    frame.label = where.label;
}

function zoom(graph, view) {
    if (!(view.w > 0))
        return;
    graph.zoomed = view;
    graph.frames.forEach((frame, index) => {
        const below = index < view.index && frame.end > view.index;
        frame.shown = below || (index >= view.index && index < view.end);
        frame.node.classList.toggle('hide', !frame.shown);
        frame.node.classList.toggle('parent', below);
        if (frame.shown)
            place(frame, view === graph.root ? frame.home : stretched(graph, frame));
    });
    graph.unzoom.classList.toggle('hide', view === graph.root);
    if (!graph.current.shown)
        setCurrent(graph, view);
    showMatched(graph);
    writeAddress(graph);
}
