/* An SVG in the window: the page scrolls, and the controls stay in sight. */

/* As high as its rows; alone in a window at least as high as that, so that menus have room. */
function pictureHeight(graph) {
    graph.contentHeight = graph.top + rowsHeight(graph) + graph.bottom;
    return graph.ownsWindow && !graph.printing
        ? Math.max(graph.contentHeight, document.documentElement.clientHeight) : graph.contentHeight;
}

function widthInSight() {
    return document.documentElement.clientWidth;
}

/* Where the first row begins, in pixels of the layer. */
function originOfRows(graph) {
    const at = graph.svg.getBoundingClientRect(), origin = graph.layer.getBoundingClientRect();
    return { x: at.left - origin.left + graph.xpad, y: at.top - origin.top + graph.top };
}

/* Between head and foot, in pixels of the layer. */
function rowsInSight(graph) {
    pinControls(graph); /* the page may have been scrolled a moment ago */
    return { top: graph.head.offsetHeight, end: graph.layer.clientHeight - graph.foot.offsetHeight };
}

function scrollRows(graph, by) {
    if (!graph.ownsWindow)
        return;
    scrollBy(0, by);
    pinControls(graph);
}

/* Puts the controls where the page is scrolled to. */
function pinControls(graph) {
    const { clientWidth, clientHeight } = document.documentElement;
    const width = graph.room + 2 * graph.xpad;
    const pinned = graph.ownsWindow && !graph.printing;
    const high = pinned ? clientHeight : graph.contentHeight;
    setAttributes(graph.box, { x: pinned ? scrollX : 0, y: pinned ? scrollY : 0,
        width: pinned ? Math.min(clientWidth, width) : width, height: high });
    style(graph.foot, { top: high + 'px', transform: 'translateY(-100%)' });
}

/* The head may need more room than the file has above the rows. */
function placeControls(graph) {
    pinControls(graph); /* gives the head its width */
    graph.top = Math.max(graph.fileTop, graph.head.offsetHeight + 2);
    painter.resize(graph);
    pinControls(graph);
}
