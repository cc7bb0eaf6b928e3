/* Stacks that are gone, drawn in the graph beside the others, as wide as they were: see gone.h. Of a
 * page data-gone is 0, and gonestrip.js draws them. */

/* The count of the stacks that are gone. */
function goneOf({ data, profile }) {
    return (Number(data.gone) || 0) * profile.scale;
}

/* The count that is 100 %: of all stacks but those that are gone. */
function allCounts(graph) {
    return graph.profile.table.width[ROOT] - goneOf(graph);
}

/* The count of a frame, which is its width but for the root beside stacks that are gone. */
function countOf(graph, i) {
    return graph.table.width[i] - (i === ROOT ? goneOf(graph) : 0);
}

/* Whether frame i is in a stack that is gone. */
function isGone(graph, i) {
    const { profile, table } = graph;
    return goneOf(graph) > 0 && stackOf(table, i).some(frame => profile.names[table.name[frame]] === '(gone)');
}
