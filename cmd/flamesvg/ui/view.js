/* The zoom. The picture is only written to and never measured, so that 50,000 frames cause no layout
 * except the browser's own. */

/* The part of frame i inside the zoomed one, scaled: all of a descendant, a full row of an ancestor. */
function stretched(graph, i) {
    const table = graph.table;
    const view = graph.zoomed;
    const scale = graph.fileRoom / table.width[view];
    const offset = Math.max(table.start[i] - table.start[view], 0);
    return {
        x: (graph.xpad + offset * scale).toFixed(1),
        width: (widthInside(table, i, view) * scale).toFixed(1),
    };
}

/* Frames that are narrow in the file have no text there. */
function addLabel(graph, i) {
    const { rect, text } = graph.table;
    const [y, height] = ['y', 'height'].map(name => Number(rect[i].getAttribute(name)));
    text[i] = document.createElementNS(SVG, 'text');
    text[i].setAttribute('y', y + height / 2 + TEXT_PAD);
    if (isWhiteBetter([channels(graph, rect[i].getAttribute('fill'))]))
        text[i].setAttribute('fill', '#fff');
    rect[i].after(text[i]);
}

function place(graph, i) {
    const { rect, text, names, name } = graph.table;
    const home = homeOf(graph.table, i);
    const where = graph.zoomed === ROOT ? home : stretched(graph, i);
    const label = graph.zoomed === ROOT && !graph.fits ? home.label
        : labelFor(graph, names[name[i]], Number(where.width));
    rect[i].setAttribute('x', where.x);
    rect[i].setAttribute('width', where.width);
    if (label && !text[i])
        addLabel(graph, i);
    if (text[i])
        setLabel(graph, text[i], Number(where.x), label);
}

function setState(table, i, state) {
    if (table.state[i] === state)
        return;
    table.state[i] = state;
    show(table.node[i], state !== HIDDEN);
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
    inkCallers(graph);
    show(graph.unzoom, view !== ROOT);
    if (table.state[table.numbers.get(graph.current)] === HIDDEN)
        setCurrent(graph, table.node[view]);
    if (graph.match !== NO_FRAME && table.state[graph.match] === HIDDEN)
        setMatch(graph, NO_FRAME);
    showMatched(graph);
}
