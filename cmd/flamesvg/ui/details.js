/* The line at the bottom that describes a frame. */

/* The matched percentage is on the same line as the details: a long name is cut to leave room. */
function showDetails(graph, node) {
    const title = node.firstElementChild.textContent;
    const length = nameLength(title, graph.units);
    const counts = title.slice(length);
    const others = graph.nameType + '   ' + counts + graph.matched.textContent;
    const chars = Math.floor(graph.room / graph.charWidth) - others.length;
    const name = cut(graph, title.slice(0, length), Math.max(chars, MIN_CHARS));
    graph.details.textContent = graph.nameType + ' ' + name + counts;
}

function clearDetails(graph) {
    graph.details.textContent = ' ';
}
