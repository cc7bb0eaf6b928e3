/* Reads the frames of the picture into a table:
 *
 *     <g id="frames">
 *       <g>                            <a> if the frame is a link
 *         <title>name (1,234 samples, 12.34%)</title>
 *         <rect x y width height data-x data-w/>    data-: start and width in counts
 *         <text x>na..</text>        not in frames that are too narrow for one
 *
 * 50,000 frames take a browser long to read, so this waits until something needs the table: a zoom, a
 * search or an arrow key. */

/* The length of the name in "name (1,234 samples, 12.34%)"; it may hold parentheses itself. A title
 * that --nameattr has replaced is all name. */
function nameLength(title, units) {
    const unit = Math.max(...units.map(one => title.lastIndexOf(' ' + one + ', ')));
    const open = unit < 0 ? -1 : title.lastIndexOf(' (', unit);
    return open < 0 ? title.length : open;
}

function readNode(node, units) {
    const title = node.firstElementChild;
    const rect = title.nextElementSibling;
    return {
        node, rect, text: rect.nextElementSibling,
        name: title.textContent.slice(0, nameLength(title.textContent, units)),
        start: Number(rect.getAttribute('data-x')),
        width: Number(rect.getAttribute('data-w')),
        y: Number(rect.getAttribute('y')),
    };
}

/* The table, with columns for the nodes: node, rect, text; home, the attributes of the file for frames
 * that have been changed; and numbers, a map from a node to its frame's number. */
function readTable(graph) {
    const down = graph.inverted ? 1 : -1;
    const read = Array.from(graph.frames.children, node => readNode(node, graph.units));
    const root = read[0];
    const height = Number(root.rect.getAttribute('height')) + ROW_GAP;
    const numbers = new Map();
    const names = new Map();
    const table = makeTable(read.length);
    read.sort((a, b) => a.start - b.start || (a.y - b.y) * down);
    read.forEach((frame, i) => {
        if (!names.has(frame.name))
            names.set(frame.name, names.size);
        table.name[i] = names.get(frame.name);
        table.start[i] = frame.start;
        table.width[i] = frame.width;
        table.level[i] = Math.round((frame.y - root.y) * down / height);
        numbers.set(frame.node, i);
    });
    table.names = Array.from(names.keys());
    linkFrames(table);
    return Object.assign(table, {
        numbers, home: [],
        node: read.map(frame => frame.node),
        rect: read.map(frame => frame.rect),
        text: read.map(frame => frame.text),
        state: new Uint8Array(read.length).fill(SHOWN),
        found: new Uint8Array(names.size), /* 1 for a name that matches the search */
    });
}

function tableOf(graph) {
    if (!graph.table)
        graph.table = readTable(graph);
    return graph.table;
}

/* The attributes of frame i as they are in the file. Call this before they are changed. */
function homeOf(table, i) {
    if (!table.home[i])
        table.home[i] = {
            x: table.rect[i].getAttribute('x'),
            width: table.rect[i].getAttribute('width'),
            label: table.text[i] ? table.text[i].textContent : '',
        };
    return table.home[i];
}
