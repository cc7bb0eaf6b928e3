/* The heat map: a column for a second, from the bottom up a cell for each of its slices, and the darker the more was
 * counted. Of a long recording a column is several seconds, and a cell several slices. */

const HEAT_HEIGHT = 100, AXIS_HEIGHT = 16; /* pixels */
const COLUMN_LEAST = 3, COLUMN_MOST = 32;
const MOST_CELLS = 50, LEAST_CELLS = 10; /* of a column */
const COLUMN_TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]; /* columns that become one */
const AXIS_TIMES = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 43200]; /* seconds between labels */
const HEAT_STEPS = 100;
const HEATS = { light: ['#fdecd8', '#f5813f', '#8e0b12'], dark: ['#3d2c22', '#c2511d', '#ffdc8a'] };

/* The columns and cells that fit into this many pixels, and each cell's count. `rows` are the cells of a column,
 * and `steps` how many times they are of: as many, or one where rows are threads. */
function layHeatOut(slices, room) {
    const each = 1000 / slices.length; /* slices of a second */
    const rows = Math.round(Math.min(Math.max(each, LEAST_CELLS), MOST_CELLS));
    const least = Math.max(Math.round(each / rows), 1);
    const columnsOf = times => Math.ceil(slices.total / (rows * least * times));
    const fits = times => columnsOf(times) * COLUMN_LEAST <= room;
    const times = COLUMN_TIMES.find(fits) || Math.ceil(columnsOf(1) * COLUMN_LEAST / room);
    const perCell = least * times, columns = columnsOf(times);
    const counts = new Float64Array(columns * rows);
    slices.number.forEach((number, n) => { counts[Math.floor(number / perCell)] += slices.sum[n]; });
    return { room, rows, steps: rows, perCell, columns, counts, most: Math.max(...counts),
        width: Math.min(room / columns, COLUMN_MOST), height: HEAT_HEIGHT / rows };
}

function cellCount({ counts }) {
    return counts.length;
}

/* The slices of the cells from one to another, in whichever order. */
function rangeOfCells(graph, one, other) {
    const { rows, steps, perCell } = graph.heat.layout;
    const timeOf = cell => Math.floor(cell * steps / rows);
    return [timeOf(Math.min(one, other)) * perCell,
        Math.min((timeOf(Math.max(one, other)) + 1) * perCell, graph.slices.total)];
}

/* The cell's upper left corner. */
function placeOfCell({ rows, width, height }, cell) {
    return { x: Math.floor(cell / rows) * width, y: HEAT_HEIGHT - (cell % rows + 1) * height };
}

/* The cell nearest to this place. */
function cellAt({ rows, columns, width, height }, x, y) {
    const within = (number, count) => Math.min(Math.max(Math.floor(number), 0), count - 1);
    return within(x / width, columns) * rows + within((HEAT_HEIGHT - y) / height, rows);
}

/* The colours from the smallest count to the largest, in red, green and blue; the middle one of three is at the half. */
function heatColours(graph) {
    const colours = HEATS[isDark(graph) ? 'dark' : 'light'].map(colour => channels(graph, colour));
    return Array.from({ length: HEAT_STEPS + 1 }, (_, step) => {
        const at = 2 * step / HEAT_STEPS, from = Math.min(Math.floor(at), 1);
        return colours[from].map((c, n) => Math.round(c + (colours[from + 1][n] - c) * (at - from)));
    });
}

/* Draws the heat map's cells, up to 15,000, as an image in which each cell is one pixel. A cell without counts is
 * transparent. */
function drawCells(graph, { counts, most, columns, rows, threads, kindOf }) {
    const image = setAttributes(makeElement('canvas'), { width: columns, height: rows });
    const pen = image.getContext('2d'), pixels = pen.createImageData(columns, rows), { data } = pixels;
    const { kinds, kindFills } = graph.profile, byKind = threads && kinds;
    const colours = byKind ? kindFills.map(fill => channels(graph, fill || NO_KIND)) : heatColours(graph);
    for (let cell = 0; cell < counts.length; cell++) {
        const at = 4 * ((rows - 1 - cell % rows) * columns + Math.floor(cell / rows)), share = counts[cell] / most;
        if (share > 0) {
            [data[at], data[at + 1], data[at + 2]] = colours[byKind ? kindOf(cell) : Math.round(share * HEAT_STEPS)];
            data[at + 3] = 255 * (byKind ? 0.3 + 0.7 * share : 1);
        }
    }
    pen.putImageData(pixels, 0, 0);
    return image;
}

/* Lines between cells that are large enough. */
function drawGaps(pen, { columns, rows, width, height }) {
    if (Math.min(width, height) <= 4)
        return;
    for (let n = 1; n <= columns; n++)
        pen.fillRect(n * width - 0.5, 0, 0.5, HEAT_HEIGHT);
    for (let n = 1; n <= rows; n++)
        pen.fillRect(0, n * height - 0.5, columns * width, 0.5);
}

/* The outline of a range: the rest of its first column, whole columns, and a part of its last one. */
function pathOfRange({ steps, perCell, width }, [from, to]) {
    const first = Math.floor(from / perCell), last = Math.ceil(to / perCell) - 1, height = HEAT_HEIGHT / steps;
    const low = HEAT_HEIGHT - first % steps * height, high = HEAT_HEIGHT - (last % steps + 1) * height;
    const left = Math.floor(first / steps) * width, right = Math.floor(last / steps) * width;
    const path = new Path2D();
    const corners = left === right ? [[left, low], [left, high], [left + width, high], [left + width, low]]
        : [[left, low], [left, 0], [right, 0], [right, high], [right + width, high], [right + width, HEAT_HEIGHT],
            [left + width, HEAT_HEIGHT], [left + width, low]];
    corners.forEach(([x, y], n) => path[n === 0 ? 'moveTo' : 'lineTo'](x, y));
    path.closePath();
    return path;
}

/* What is outside the ranges becomes pale. */
function drawRanges(graph, pen, ranges, paper, inks) {
    const { layout } = graph.heat;
    const paths = ranges.map(range => pathOfRange(layout, range));
    const width = layout.columns * layout.width;
    if (paths.length === 0)
        return;
    pen.save();
    for (const path of paths) {
        const outside = new Path2D(path);
        outside.rect(0, 0, width, HEAT_HEIGHT);
        pen.clip(outside, 'evenodd');
    }
    pen.globalAlpha = 0.6;
    pen.fillStyle = paper;
    pen.fillRect(0, 0, width, HEAT_HEIGHT);
    pen.restore();
    paths.forEach((path, n) => {
        pen.lineWidth = 2;
        pen.strokeStyle = inks[n];
        pen.stroke(path);
    });
}

/* "0", "20 s", "1:30", "2:00:00": since the recording began. */
function clockText(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = seconds < 60 ? [] : parts.slice(seconds < 3600 ? 1 : 0);
    return shown.length === 0 ? `${seconds} s` : shown.map((part, n) => n > 0 ? String(part).padStart(2, '0') : part).join(':');
}

function drawAxis(graph, pen, ink) {
    const { steps, perCell, width, columns } = graph.heat.layout;
    const second = width * 1000 / (steps * perCell * graph.slices.length); /* in pixels */
    const step = AXIS_TIMES.find(n => n * second >= 70) || Math.ceil(70 / second / 86400) * 86400;
    pen.fillStyle = ink;
    pen.font = `11px ${graph.font.replace(/^\S+ /, '')}`;
    for (let time = 0; time * second < columns * width; time += step) {
        pen.fillRect(time * second, HEAT_HEIGHT, 1, 4);
        pen.fillText(clockText(time), time * second + 4, HEAT_HEIGHT + 12);
    }
}

/* The colours of the marks, the first range's and the second one's. */
function marksOf(graph) {
    return isDark(graph) ? ['#8ab4f8', '#7ee0a0'] : ['#1a56c4', '#0a7a3c'];
}

/* The layout for this room. In another one cells have other numbers: the range that is being marked is given up. */
function layOut(graph, room) {
    const { heat } = graph;
    if (heat.layout?.room === room)
        return;
    heat.layout = heat.byThread ? layThreadsOut(graph, room) : layHeatOut(graph.slices, room);
    heat.anchor = NO_CELL;
    heat.cursor = Math.min(heat.cursor, cellCount(heat.layout) - 1);
}

function drawHeat(graph) {
    const { heat } = graph;
    if (!heat)
        return;
    const room = Math.max(heat.node.clientWidth - 2 * graph.xpad, COLUMN_LEAST);
    if (heat.isOpen)
        layOut(graph, room);
    const pending = rangesOfHeat(graph);
    showRanges(graph, pending);
    if (!heat.isOpen)
        return;
    const dark = isDark(graph), ratio = devicePixelRatio, key = [room, dark, heat.byThread].join();
    if (heat.imageKey !== key)
        heat.image = drawCells(graph, heat.layout);
    heat.imageKey = key;
    const { canvas, layout } = heat, right = layout.columns * layout.width;
    style(canvas, { width: room + 'px' });
    const pen = emptyCanvas(canvas, room, HEAT_HEIGHT + AXIS_HEIGHT);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = dark ? '#2b2c30' : '#fff';
    pen.fillRect(0, 0, right, HEAT_HEIGHT);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(heat.image, 0, 0, right, HEAT_HEIGHT);
    drawGaps(pen, layout);
    drawRanges(graph, pen, pending, dark ? DARK : '#fff', marksOf(graph));
    if (heat.byThread)
        drawThreadNames(graph, pen, dark ? DARK : '#fff', dark ? '#fff' : '#000');
    if (heat.isFocused)
        drawCursor(pen, layout, heat.cursor, dark ? '#fff' : '#000');
    drawAxis(graph, pen, dark ? '#ccc' : '#333');
}

function drawCursor(pen, layout, cell, ink) {
    const { x, y } = placeOfCell(layout, cell);
    pen.lineWidth = 2;
    pen.strokeStyle = ink;
    pen.strokeRect(x - 1, y - 1, layout.width + 2, layout.height + 2);
}

/* Draws once before the next paint. */
function drawHeatSoon(graph) {
    graph.heat.drawing ??= requestAnimationFrame(() => {
        graph.heat.drawing = null;
        drawHeat(graph);
    });
}
