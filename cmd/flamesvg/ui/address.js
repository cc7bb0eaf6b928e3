/* The page's address, which has the zoom and the search. */

/* "?x=169.5&y=85&s=json&i=1": x and y of the zoomed frame in the file, the search term, and 1 if
 * case is ignored. */
function writeAddress(graph) {
    const view = graph.zoomed === graph.root ? null : graph.zoomed.home;
    const state = { x: view && view.x, y: view && view.y, s: graph.term, i: graph.anyCase && 1 };
    const url = new URL(location.href);
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

function readAddress(graph) {
    const state = new URL(location.href).searchParams;
    const [x, y, term] = ['x', 'y', 's'].map(key => state.get(key));
    const view = graph.frames.find(frame => frame.home.x === x && frame.home.y === y);
    if (state.get('i'))
        toggleCase(graph);
    if (term)
        search(graph, term);
    if (view)
        zoom(graph, view);
}
