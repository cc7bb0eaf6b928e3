/* Draws into #frames of an SVG: one path a colour, and a text for each label. */

const SVG = 'http://www.w3.org/2000/svg';

function makeShape(tag, attributes = {}, ...children) {
    const node = setAttributes(document.createElementNS(SVG, tag), attributes);
    node.append(...children);
    return node;
}

function pathOf({ left, y, width, height, next }, first) {
    let path = '';
    for (let n = first; n !== NO_FRAME; n = next[n])
        path += `M${short(left[n])} ${y[n]}h${short(width[n])}v${height}h${-short(width[n])}z`;
    return path;
}

function paths(display, boxes) {
    return Array.from(boxes, ([fill, first]) => makeShape('path', { fill, d: pathOf(display, first) }));
}

function textNode(label) {
    const node = document.createElementNS(SVG, 'text');
    node.setAttribute('x', short(label.x));
    node.setAttribute('y', label.y);
    node.textContent = label.text;
    return node;
}

/* A frame with attributes of its own, perhaps a link. */
function groupNode({ attributes, fill, faded, label, x, y, width, height }) {
    const group = makeShape(attributes.href ? 'a' : 'g');
    for (const [key, value] of Object.entries(attributes))
        if (key !== 'title')
            group.setAttribute(key, value);
    group.append(makeShape('rect', { x, y, width, height, fill, 'fill-opacity': faded ? FADED : 1 }));
    if (label)
        group.append(setAttributes(textNode(label), { fill: label.white ? '#fff' : '#000' }));
    return group;
}

const painter = {
    draw(graph, display) {
        /* Not by the style: of a file with many elements it would also slow the opening. */
        const [white, black] = ['#fff', '#000'].map(fill => makeShape('g', { fill, 'pointer-events': 'none',
            'text-rendering': 'geometricPrecision' }));
        for (const label of display.labels)
            (label.white ? white : black).append(textNode(label));
        graph.frames.replaceChildren(
            makeShape('g', { 'fill-opacity': FADED }, ...paths(display, display.faded)),
            makeShape('g', {}, ...paths(display, display.boxes)),
            ...display.groups.map(groupNode), black, white, ...Object.values(graph.outlines));
        graph.frames.setAttribute('aria-hidden', true); /* the tree in focus.js is read instead */
        graph.mosaic?.remove();
        graph.mosaic = null;
    },

    /* Draws the outline `which`, of "hover" and "focus", around a box; null hides it. */
    outline(graph, which, box) {
        const rect = graph.outlines[which] ??= makeShape('rect', { class: which, fill: 'none',
            stroke: '#000', 'stroke-width': which === 'hover' ? 1.5 : 2.5 });
        if (rect.parentNode !== graph.frames)
            graph.frames.append(rect);
        rect.setAttribute('display', box ? 'inline' : 'none');
        if (box)
            setAttributes(rect, box);
    },

    /* The picture's size, and where its rows begin. */
    resize(graph) {
        const { svg } = graph;
        const width = graph.room + 2 * graph.xpad;
        const height = pictureHeight(graph);
        const viewBox = `0 0 ${width} ${height}`;
        /* Frames that are still those of the file keep their places in it. */
        const y = graph.table ? graph.top : graph.top - graph.fileTop;
        if (graph.table || y !== 0)
            graph.frames.setAttribute('transform', `translate(${graph.table ? graph.xpad : 0} ${y})`);
        if (svg.getAttribute('viewBox') === viewBox && svg.getAttribute('width') === String(width))
            return; /* the layout of many elements takes long */
        setAttributes(svg, { width, height, viewBox });
        setAttributes(svg.querySelector('rect'), { width, height }); /* the background is the first */
    },

    /* Where an event is, from the first row's left upper edge on. */
    position(graph, event) {
        const { clientX: x, clientY: y } = event;
        const at = graph.ownsWindow /* there Firefox's getScreenCTM leaves out what the page is scrolled by */
            ? { x: x + scrollX, y: y + scrollY }
            : new DOMPoint(x, y).matrixTransform(graph.svg.getScreenCTM().inverse());
        return { x: at.x - graph.xpad, y: at.y - graph.top };
    },
};

/* Lets the mouse through to the frames, except on the controls. */
function letThrough(graph) {
    for (const part of [graph.box, graph.layer, graph.controls.tip])
        style(part, { 'pointer-events': 'none' });
    for (const part of [graph.head, graph.foot])
        style(part, { 'pointer-events': 'auto' });
    style(graph.layer, { position: 'relative', width: '100%', height: '100%' });
    style(graph.head, { position: 'absolute', top: '0', left: '0', right: '0' });
    style(graph.foot, { position: 'absolute', left: '0', right: '0' });
}

function mount(graph) {
    makeLayer(graph);
    graph.box = makeShape('foreignObject', { class: 'controls', x: 0, y: 0 }, graph.layer);
    style(graph.box, { overflow: 'visible' });
    letThrough(graph);
    graph.svg.append(graph.box);
}
