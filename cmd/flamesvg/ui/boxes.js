/* For scripts of a page that has the picture in it, and for tests: flame.boxes() of the root element says what
 * is shown where. Every frame has a name, a title, and its rectangle in pixels of the window. */

function boxesOf(graph) {
    if (!graph.table)
        redraw(graph);
    const area = (graph.canvas || graph.svg).getBoundingClientRect();
    const scale = graph.svg ? graph.svg.getScreenCTM().a : 1;
    const left = area.left + graph.xpad * scale;
    const top = area.top + (graph.svg ? graph.top : -graph.chartNode.scrollTop) * scale;
    return Array.from(graph.shown.frame, (frame, n) => ({
        frame, name: nameOf(graph, frame), title: titleOf(graph, frame), faded: n < graph.shown.callers,
        x: left + graph.shown.x[n] * scale, width: graph.shown.width[n] * scale,
        y: top + rowY(graph, graph.table.row[frame]) * scale, height: (graph.rowHeight - ROW_GAP) * scale,
    }));
}
