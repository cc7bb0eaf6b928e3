/* The page's address, which has the zoom and the search:
 *
 *     ?x=169.5&y=85&s=json&i=1
 *
 * x and y of the zoomed frame in the file, the search term, and 1 if case is ignored. */

function writeAddress(graph) {
    const view = graph.zoomed;
    const zoomed = view !== ROOT;
    const url = new URL(location.href);
    const state = {
        x: zoomed && homeOf(graph.table, view).x,
        y: zoomed && graph.table.rect[view].getAttribute('y'),
        s: graph.term, i: graph.anyCase && 1,
    };
    for (const key of Object.keys(state)) {
        url.searchParams.delete(key);
        if (state[key])
            url.searchParams.set(key, state[key]);
    }
    try {
        if (graph.ownsAddress)
            history.replaceState(history.state, '', url);
    } catch (error) {
        /* Not allowed in data: documents, and by some browsers in files. Only the address is lost. */
    }
}

/* The node of the frame at this position of the file, or undefined. Works before the table is made. */
function nodeAt(graph, x, y) {
    if (!/^[\d.]+,[\d.]+$/.test(`${x},${y}`))
        return undefined;
    return graph.frames.querySelector(`#frames > * > rect[x="${x}"][y="${y}"]`)?.parentNode;
}

function readAddress(graph) {
    const state = new URL(location.href).searchParams;
    const view = nodeAt(graph, state.get('x'), state.get('y'));
    if (state.get('i'))
        toggleCase(graph);
    if (state.get('s'))
        search(graph, state.get('s'));
    if (view)
        zoom(graph, tableOf(graph).numbers.get(view));
}
