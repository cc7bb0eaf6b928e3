/* Stacks that are gone, in an SVG: beside the others, as wide as they were. See gone.h. */

/* Their counts. */
function goneOf({ data, profile }) {
    return (Number(data.gone) || 0) * profile.scale;
}

/* The count of all stacks of the file: 100 %. */
function allCounts(graph) {
    return graph.profile.table.width[ROOT] - goneOf(graph);
}

/* The count of a frame, which is its width but for the root beside stacks that are gone. */
function countOf(graph, i) {
    return graph.table.width[i] - (i === ROOT ? goneOf(graph) : 0);
}

/* Whether frame i is one of theirs. */
function isGone(graph, i) {
    const { profile, table } = graph;
    return goneOf(graph) > 0 && stackOf(table, i).some(frame => profile.names[table.name[frame]] === '(gone)');
}
