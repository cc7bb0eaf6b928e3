/* Draws an SVG (a page: canvaspaint.js): one path a colour, and a text for each label. */

import { FADED } from './colour.js';
import { setAttributes } from './dom.js';
import { room, short } from './layout.js';
import { fileTop, frames, ownsWindow, root, svg, xpad } from './picture.js';
import { makeShape, SVG } from './shape.js';
import { pictureHeight, rowsTop } from './svgwindow.js';
import { NO_FRAME } from './table.js';
import { table } from './view.js';
export { draw, drawOutline, positionOf, resize };

const outlines = {}; /* hover and focus */

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

function draw(display) {
    /* Not by the style: of a file with many elements it would also slow the opening. */
    const [white, black] = ['#fff', '#000'].map(fill => makeShape('g', { fill, 'pointer-events': 'none',
        'text-rendering': 'geometricPrecision' }));
    for (const label of display.labels)
        (label.white ? white : black).append(textNode(label));
    frames.replaceChildren(
        makeShape('g', { 'fill-opacity': FADED }, ...paths(display, display.faded)),
        makeShape('g', {}, ...paths(display, display.boxes)),
        ...display.groups.map(groupNode), black, white, ...Object.values(outlines));
    frames.setAttribute('aria-hidden', true); /* the tree in focus.js is read instead */
    root.querySelector('#mosaic')?.remove();
}

/* Draws the outline `which`, of "hover" and "focus", around a box; null hides it. */
function drawOutline(which, box) {
    const rect = outlines[which] ??= makeShape('rect', { class: which, fill: 'none',
        stroke: '#000', 'stroke-width': which === 'hover' ? 1.5 : 2.5 });
    if (rect.parentNode !== frames)
        frames.append(rect);
    rect.setAttribute('display', box ? 'inline' : 'none');
    if (box)
        setAttributes(rect, box);
}

/* The picture's size, and where its rows begin. */
function resize() {
    const width = room + 2 * xpad;
    const height = pictureHeight();
    const viewBox = `0 0 ${width} ${height}`;
    /* Frames that are still those of the file keep their places in it. */
    const y = table ? rowsTop : rowsTop - fileTop;
    if (table || y !== 0)
        frames.setAttribute('transform', `translate(${table ? xpad : 0} ${y})`);
    if (svg.getAttribute('viewBox') === viewBox && svg.getAttribute('width') === String(width))
        return; /* the layout of many elements takes long */
    setAttributes(svg, { width, height, viewBox });
    setAttributes(svg.querySelector('rect'), { width, height }); /* the background is the first */
}

/* Where an event is, from the first row's left upper edge on. */
function positionOf(event) {
    const { clientX: x, clientY: y } = event;
    const at = ownsWindow /* there Firefox's getScreenCTM leaves out what the page is scrolled by */
        ? { x: x + scrollX, y: y + scrollY }
        : new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    return { x: at.x - xpad, y: at.y - rowsTop };
}
