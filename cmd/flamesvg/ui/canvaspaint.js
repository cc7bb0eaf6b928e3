/* Draws on a canvas that is as high as the window: what the page is scrolled to. */

function drawBoxes(pen, display, boxes, top, bottom) {
    const { left, y, width, height, next } = display;
    for (const [fill, first] of boxes) {
        pen.fillStyle = fill;
        for (let n = first; n !== NO_FRAME; n = next[n])
            if (y[n] + height > top && y[n] < bottom)
                pen.fillRect(left[n], y[n], width[n], height);
    }
}

function drawLabels(pen, labels, top, bottom) {
    for (const white of [false, true]) {
        pen.fillStyle = white ? '#fff' : '#000';
        for (const label of labels)
            if (label.white === white && label.y > top && label.y - 30 < bottom)
                pen.fillText(label.text, label.x, label.y);
    }
}

/* Draws once before the next paint, however often it is asked to. Printing does not wait for one. */
function drawSoon(graph) {
    if (graph.printing)
        drawCanvas(graph);
    else
        graph.drawing ??= requestAnimationFrame(() => drawCanvas(graph));
}

/* Empties the canvas, which has this size in pixels of the layout, and returns its pen. The canvas keeps its memory if
 * its size has not changed. */
function emptyCanvas(canvas, width, height) {
    const pen = canvas.getContext('2d'), ratio = devicePixelRatio;
    const columns = Math.floor(width * ratio), rows = Math.floor(height * ratio);
    pen.resetTransform();
    if (canvas.width === columns && canvas.height === rows)
        pen.clearRect(0, 0, columns, rows);
    else
        Object.assign(canvas, { width: columns, height: rows });
    return pen;
}

function drawCanvas(graph) {
    const { canvas, display } = graph;
    graph.drawing = null;
    const ratio = devicePixelRatio;
    const height = graph.chartNode.clientHeight;
    const top = Math.max(graph.chartNode.scrollTop, 0);
    style(canvas, { height: height + 'px' });
    const pen = emptyCanvas(canvas, canvas.clientWidth, height);
    pen.setTransform(ratio, 0, 0, ratio, graph.xpad * ratio, -top * ratio);
    pen.font = graph.font;
    pen.textRendering = 'geometricPrecision';
    pen.globalAlpha = FADED;
    drawBoxes(pen, display, display.faded, top, top + height);
    pen.globalAlpha = 1;
    drawBoxes(pen, display, display.boxes, top, top + height);
    drawLabels(pen, display.labels, top, top + height);
}

const painter = {
    draw(graph, display) {
        graph.display = display;
        drawSoon(graph);
    },

    outline(graph, which, box) {
        const node = graph.outlines[which] ??= graph.spacer.appendChild(makeElement('div'));
        show(node, box);
        if (box)
            style(node, { left: box.x + graph.xpad + 'px', top: box.y + 'px', width: box.width + 'px',
                height: box.height + 'px' });
    },

    resize(graph) {
        drawHeat(graph);
        style(graph.spacer, { height: rowsHeight(graph) + 'px' });
    },

    position(graph, event) {
        const at = graph.canvas.getBoundingClientRect();
        return { x: event.clientX - at.left - graph.xpad,
            y: event.clientY - at.top + graph.chartNode.scrollTop };
    },
};

/* The page with a canvas: controls, a chart that scrolls, and the table of functions beside it. */

function mount(graph) {
    makeLayer(graph);
    graph.canvas = makeElement('canvas', { 'aria-hidden': 'true' });
    graph.spacer = makeElement('div', { class: 'spacer' }, graph.canvas);
    graph.chartNode = makeElement('div', { class: 'chart' }, graph.spacer);
    graph.head.after(...[makeHeat(graph), makeStrip(graph), makeElement('div', { class: 'middle' }, graph.chartNode, makeFunctions(graph))]
        .filter(Boolean));
    graph.chartNode.addEventListener('scroll', () => drawSoon(graph), { passive: true });
    document.body.append(graph.layer);
    graph.model = { ...graph.model, functions: () => functionsOf(graph) };
}

function widthInSight(graph) {
    return graph.chartNode.clientWidth;
}

/* Where the first row begins, and what of the rows is in sight, in pixels of the layer. */
function originOfRows({ chartNode, layer, xpad }) {
    const at = chartNode.getBoundingClientRect(), origin = layer.getBoundingClientRect();
    return { x: at.left - origin.left + xpad, y: at.top - origin.top - chartNode.scrollTop };
}

function rowsInSight({ chartNode, layer }) {
    const top = chartNode.getBoundingClientRect().top - layer.getBoundingClientRect().top;
    return { top, end: top + chartNode.clientHeight };
}

function scrollRows(graph, by) {
    graph.chartNode.scrollTop += by;
}

function placeControls(graph) {
    style(graph.chartNode, { 'flex-basis': graph.printing ? rowsHeight(graph) + 'px' : '' });
}
