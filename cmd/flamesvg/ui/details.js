/* The line at the bottom that describes a frame. */

const MIN_CHARS = 3;

/* What matches the search is on the same line as the details: a long name is cut to leave room. */
function showDetails(graph, node) {
    const title = node.firstElementChild.textContent;
    const length = nameLength(title, graph.units);
    const counts = title.slice(length);
    const others = textWidth(graph, graph.nameType + '   ' + counts + graph.matched.textContent);
    const room = Math.max(graph.room - others, MIN_CHARS * graph.fontSize);
    const name = fit(graph, visible(title.slice(0, length)), room);
    graph.details.textContent = graph.nameType + ' ' + name + counts;
}

function clearDetails(graph) {
    graph.details.textContent = ' ';
}
