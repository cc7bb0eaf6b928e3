/* The window: its width, printing and dark colours. */

const NARROWEST = 360, WIDEST = 3840;

/* Moves the page as little as brings the frame between head and foot. */
function scrollToFrame(graph, frame) {
    const box = boxOf(graph, frame);
    if (!box)
        return;
    const { top, end } = rowsInSight(graph);
    const y = originOfRows(graph).y + box.y;
    if (y < top)
        scrollRows(graph, y - top);
    else if (y + graph.rowHeight > end)
        scrollRows(graph, y + graph.rowHeight - end);
}

/* Brings the root to the end of the picture where it is, or between its callers and its callees to the middle. */
function scrollToRoot(graph) {
    const { top, end } = rowsInSight(graph);
    const y = originOfRows(graph).y + rowY(graph, ROOT);
    const place = graph.lowestRow < 0 ? (top + end) / 2 : graph.inverted ? top : end - graph.rowHeight;
    scrollRows(graph, Math.round(y - place));
}

function followWindow(graph) {
    if (graph.follows)
        graph.room = Math.min(Math.max(widthInSight(graph), NARROWEST), WIDEST) - 2 * graph.xpad;
    const { below } = graph;
    placeControls(graph);
    if (graph.table)
        redraw(graph);
    if (graph.follows && !graph.inverted) /* what is at the lower end stays there */
        scrollRows(graph, rowsBelow(graph) - below || 0);
    noteScroll(graph);
}

/* How many pixels of the rows are below what is in sight. */
function rowsBelow(graph) {
    return originOfRows(graph).y + rowsHeight(graph) - rowsInSight(graph).end;
}

/* For the next change of the window: then the browser has already moved the page. */
function noteScroll(graph) {
    graph.below = rowsBelow(graph);
}

/* Prints the whole picture, once. */
function print(graph, printing) {
    graph.printing = printing;
    followWindow(graph);
}

function listenToWindow(graph) {
    addEventListener('resize', () => followWindow(graph));
    (graph.chartNode || document).addEventListener('scroll', () => noteScroll(graph), { passive: true });
    addEventListener('beforeprint', () => print(graph, true));
    addEventListener('afterprint', () => setTimeout(print, 0, graph, false)); /* Firefox still has the style of print */
    graph.darkScheme.addEventListener('change', () => {
        graph.inks.clear();
        if (graph.table)
            redraw(graph);
    });
}
