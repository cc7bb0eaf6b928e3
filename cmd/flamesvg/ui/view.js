/* The zoom. The picture is only written to and never measured, so that 50,000 frames cause no layout
 * except the browser's own. */

/* The part of frame i inside the zoomed one, scaled: all of a descendant, a full row of an ancestor. */
function stretched(graph, i) {
    const table = graph.table;
    const view = graph.zoomed;
    const scale = graph.room / table.width[view];
    const offset = Math.max(table.start[i] - table.start[view], 0);
    const x = graph.xpad + offset * scale;
    const width = widthInside(table, i, view) * scale;
    const chars = Math.floor((width - 2 * TEXT_PAD) / graph.charWidth);
    return {
        x: x.toFixed(1),
        width: width.toFixed(1),
        textX: (x + TEXT_PAD).toFixed(2),
        label: chars < MIN_CHARS ? '' : cut(graph, table.names[table.name[i]], chars),
    };
}

/* Texts are the slowest for a browser to lay out, and most frames are too narrow for one. */
function place(graph, i) {
    const { rect, text } = graph.table;
    const home = homeOf(graph.table, i);
    const where = graph.zoomed === ROOT ? home : stretched(graph, i);
    rect[i].setAttribute('x', where.x);
    rect[i].setAttribute('width', where.width);
    if (!where.label && !text[i].firstChild)
        return;
    text[i].setAttribute('x', where.textX);
    text[i].textContent = where.label;
}

function setState(table, i, state) {
    if (table.state[i] === state)
        return;
    table.state[i] = state;
    table.node[i].classList.toggle('hide', state === HIDDEN);
    table.node[i].classList.toggle('parent', state === CALLER);
}

function zoom(graph, view) {
    const table = tableOf(graph);
    if (!(table.width[view] > 0))
        return;
    graph.zoomed = view;
    for (let i = 0; i < table.count; i++) {
        setState(table, i, isWithin(table, i, view) ? SHOWN
                           : isAncestor(table, i, view) ? CALLER : HIDDEN);
        if (table.state[i] !== HIDDEN)
            place(graph, i);
    }
    graph.unzoom.classList.toggle('hide', view === ROOT);
    if (table.state[table.numbers.get(graph.current)] === HIDDEN)
        setCurrent(graph, table.node[view]);
    showMatched(graph);
    writeAddress(graph);
}
