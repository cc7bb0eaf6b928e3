/* The line at the bottom that describes a frame. */

/* The matched percentage is on the same line as the details: a long name is cut to leave room. */
function showDetails(graph, frame) {
    const others = graph.nameType + '   ' + frame.counts + graph.matched.textContent;
    const chars = Math.floor(graph.room / graph.charWidth) - others.length;
    const name = cut(graph, frame.name, Math.max(chars, MIN_CHARS));
    graph.details.textContent = graph.nameType + ' ' + name + frame.counts;
}

function clearDetails(graph) {
    graph.details.textContent = ' ';
}
