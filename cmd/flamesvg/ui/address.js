/* The page's address, which has the zoom and the search:
 *
 *     ?x=169.5&y=85&s=json&i=1
 *
 * x and y of the zoomed frame in the file, the search term, and 1 if case is ignored. */

function addressOf(graph) {
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
    return url;
}

/* `way` is pushState for a step that Back takes back. */
function writeAddress(graph, way = 'replaceState') {
    try {
        if (graph.ownsAddress)
            history[way](history.state, '', addressOf(graph));
    } catch (error) {
        /* Not allowed in data: documents, and by some browsers in files. Only the address is lost. */
    }
}

/* A zoom that the user asked for. */
function zoomTo(graph, view) {
    const before = graph.zoomed;
    zoom(graph, view);
    if (graph.zoomed !== before)
        writeAddress(graph, 'pushState');
}

/* The node of the frame at this position of the file, or undefined. Works before the table is made. */
function nodeAt(graph, x, y) {
    if (!/^[\d.]+,[\d.]+$/.test(`${x},${y}`))
        return undefined;
    return graph.frames.querySelector(`#frames > * > rect[x="${x}"][y="${y}"]`)?.parentNode;
}

/* The frame that the address says is zoomed; the root if it says none. */
function viewOf(graph, address) {
    const [x, y] = [address.get('x'), address.get('y')];
    if (!graph.table) {
        const node = nodeAt(graph, x, y);
        return node ? tableOf(graph).numbers.get(node) : ROOT;
    }
    const { count, rect } = graph.table;
    for (let i = 0; i < count; i++)
        if (rect[i].getAttribute('y') === y && homeOf(graph.table, i).x === x)
            return i;
    return ROOT;
}

function readAddress(graph) {
    const address = new URL(location.href).searchParams;
    const view = viewOf(graph, address);
    if (address.get('i'))
        toggleCase(graph);
    if (address.get('s'))
        search(graph, address.get('s'));
    if (view !== ROOT)
        zoom(graph, view);
    writeAddress(graph);
}

/* After Back or Forward: the zoom of that time, and the search of now. */
function restoreZoom(graph) {
    const view = viewOf(graph, new URL(location.href).searchParams);
    if (view !== graph.zoomed)
        zoom(graph, view);
    writeAddress(graph);
}
