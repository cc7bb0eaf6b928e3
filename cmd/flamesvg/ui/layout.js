/* Where frames are on the screen, in pixels. x is counted from the left edge of the root, y from the upper
 * edge of the uppermost row. */

const NARROWEST_SHOWN = 0.3; /* pixels; what is narrower is left out, with all that it calls */

/* Numbers with at most two decimals, which is less than can be seen. */
function short(number) {
    return Math.round(number * 100) / 100;
}

/* Frame i in the zoomed view: all of a descendant, a full row of a caller. */
function placeOf(graph, i) {
    const { table, zoomed, room } = graph;
    const scale = room / table.width[zoomed];
    const from = Math.max(table.start[i], table.start[zoomed]);
    const to = Math.min(table.start[i] + table.width[i], table.start[zoomed] + table.width[zoomed]);
    return { x: (from - table.start[zoomed]) * scale, width: Math.max(to - from, 0) * scale };
}

/* The frames that can be seen: callers of the zoomed frame from the root on, then the zoomed frame and what
 * it calls, from left to right. */
function visibleFrames(graph) {
    const { table, zoomed, room } = graph;
    const callers = zoomed === ROOT ? [] : [ROOT, ...stackOf(table, table.parent[zoomed])];
    const most = callers.length + table.end[zoomed] - zoomed;
    const frame = new Int32Array(most), x = new Float64Array(most), width = new Float64Array(most);
    const scale = room / table.width[zoomed], origin = table.start[zoomed];
    let count = callers.length;
    frame.set(callers);
    width.fill(room, 0, count);
    for (let i = zoomed; i < table.end[zoomed];) {
        const pixels = table.width[i] * scale;
        if (pixels < NARROWEST_SHOWN) {
            i = table.end[i];
            continue;
        }
        x[count] = (table.start[i] - origin) * scale;
        width[count] = pixels;
        frame[count++] = i++;
    }
    const used = column => column.slice(0, count);
    return { frame: used(frame), x: used(x), width: used(width), callers: callers.length };
}

/* The rows that the visible frames take: the lowest and the highest number. */
function extendRows(graph, shown) {
    const rows = graph.table.row;
    for (const frame of shown.frame) {
        graph.lowestRow = Math.min(graph.lowestRow, rows[frame]);
        graph.highestRow = Math.max(graph.highestRow, rows[frame]);
    }
}

function rowY(graph, row) {
    return (graph.inverted ? row - graph.lowestRow : graph.highestRow - row) * graph.rowHeight;
}

function rowsHeight(graph) {
    return (graph.highestRow - graph.lowestRow + 1) * graph.rowHeight;
}

/* For each row the indexes of its frames in `shown`, from left to right. */
function shownByRow(graph) {
    const rows = new Map();
    graph.shown.frame.forEach((i, n) => {
        const row = graph.table.row[i];
        if (!rows.has(row))
            rows.set(row, []);
        rows.get(row).push(n);
    });
    return rows;
}

/* The frame at this place, or NO_FRAME. */
function frameAt(graph, x, y) {
    const line = Math.floor(y / graph.rowHeight);
    const row = graph.inverted ? line + graph.lowestRow : graph.highestRow - line;
    const list = graph.byRow.get(row) || [];
    let [low, high] = [0, list.length];
    while (low < high) { /* the last one that starts at x or before */
        const middle = (low + high) >> 1;
        [low, high] = graph.shown.x[list[middle]] <= x ? [middle + 1, high] : [low, middle];
    }
    const n = list[low - 1];
    return low > 0 && x < graph.shown.x[n] + graph.shown.width[n] ? graph.shown.frame[n] : NO_FRAME;
}

/* A frame's rectangle; null if it is not to be seen. */
function boxOf(graph, i) {
    const seen = isWithin(graph.table, i, graph.zoomed) || isAncestor(graph.table, i, graph.zoomed);
    const { x, width } = placeOf(graph, i);
    const y = rowY(graph, graph.table.row[i]);
    return seen && width >= NARROWEST_SHOWN ? { x, y, width, height: graph.rowHeight - ROW_GAP } : null;
}
