/* The picture follows the width of the window, where the file asks for it (data-follow). Its height
 * stays, so that rows are as high as in the file. The frames keep their positions in pixels of the
 * file: a transform stretches them, and another one in each text keeps the letters as they are. */

const NARROWEST = 360, WIDEST = 3840;

function setX(node, x) {
    if (node)
        node.setAttribute('x', x);
}

function placeHeader(graph, width) {
    const right = width - graph.xpad;
    setX(graph.svg.querySelector('#title'), width / 2);
    setX(graph.svg.querySelector('#subtitle'), width / 2);
    setX(graph.searchButton, right - 100);
    setX(graph.caseButton, right - 16);
    setX(graph.matched, right);
}

function setWidth(graph, width) {
    graph.room = width - 2 * graph.xpad;
    graph.stretch = graph.room / graph.fileRoom;
    graph.svg.setAttribute('width', width);
    setHeight(graph, graph.height);
    graph.svg.querySelector('rect').setAttribute('width', width); /* the background is the first */
    placeHeader(graph, width);
    graph.frames.setAttribute('transform',
        `translate(${graph.xpad * (1 - graph.stretch)} 0) scale(${graph.stretch} 1)`);
}

/* At the root nothing is hidden, and the table need not be there. */
function relabel(graph) {
    if (graph.zoomed === ROOT)
        fitLabels(graph);
    else
        graph.table.state.forEach((state, i) => state !== HIDDEN && place(graph, i));
}

function followWindow(graph) {
    const width = Math.min(Math.max(graph.svg.clientWidth, NARROWEST), WIDEST);
    if (width === graph.room + 2 * graph.xpad)
        return;
    setWidth(graph, width);
    relabel(graph);
}
