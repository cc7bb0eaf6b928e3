/* What a painter draws of the visible frames: rectangles by colour, and labels. */

/* Rectangles are four numbers each: x, y, width, height. */
function addRectangle(boxes, fill, x, y, width, height) {
    let list = boxes.get(fill);
    if (!list)
        boxes.set(fill, list = []);
    list.push(x, y, width, height);
}

/* A wide frame leaves a gap to the next one, so that neighbours of one colour can be told apart. */
function drawnWidth(width) {
    return width > 3 ? width - 0.6 : Math.max(width, 0.5);
}

function labelOf(graph, i, width) {
    if (width < 2 * TEXT_PAD + graph.fontSize / 4)
        return '';
    return fit(graph, nameOf(graph, i), width - 2 * TEXT_PAD);
}

/* { faded, boxes: rectangles of the zoomed frame's callers and of others, by fill;
 *   groups: frames with attributes of their own, each alone, in an SVG; labels: { x, y, text, white } } */
function makeDisplay(graph) {
    const { table, shown, profile, found } = graph;
    const height = graph.rowHeight - ROW_GAP;
    const display = { faded: new Map(), boxes: new Map(), groups: [], labels: [] };
    const baseline = TEXT_PAD + height / 2;
    const colour = COLOURS[graph.state.colour];
    const searching = graph.foundCount > 0;
    for (let n = 0; n < shown.frame.length; n++) {
        const i = shown.frame[n], faded = n < shown.callers;
        const x = shown.x[n], width = shown.width[n], y = rowY(graph, table.row[i]);
        const fill = searching && found[table.name[i]] ? MATCHED : colour(graph, i);
        const text = labelOf(graph, i, width);
        const label = text && { x: x + TEXT_PAD, y: y + baseline, text,
            white: isTextWhite(graph, fill, faded) };
        const attributes = graph.svg && profile.attributes.get(table.name[i]);
        if (attributes && (attributes.href || Object.keys(attributes).some(key => key !== 'title'))) {
            display.groups.push({ attributes, fill, faded, label, x, y, width: drawnWidth(width), height });
            continue;
        }
        addRectangle(faded ? display.faded : display.boxes, fill, x, y, drawnWidth(width), height);
        if (label)
            display.labels.push(label);
    }
    return display;
}
