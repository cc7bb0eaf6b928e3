/* Draws on a canvas (an SVG: svgpaint.js) as high as the window: what the page is scrolled to. */

import { canvas, chartNode, spacer } from './canvaswindow.js';
import { FADED } from './colour.js';
import { makeElement, show, style } from './dom.js';
import { drawHeat } from './heat.js';
import { rowsHeight } from './layout.js';
import { xpad } from './picture.js';
import { NO_FRAME } from './table.js';
import { font } from './text.js';
import { printing } from './window.js';
export { draw, drawOutline, drawSoon, emptyCanvas, positionOf, resize };

const outlines = {};
let painted = null; /* the display that was drawn last */
let drawing = null; /* while a frame of animation is asked for */

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
function drawSoon() {
    if (printing)
        drawCanvas();
    else
        drawing ??= requestAnimationFrame(drawCanvas);
}

/* Empties the canvas, which has this size in pixels of the layout, and returns its pen. The canvas keeps its memory if
 * its size has not changed. */
function emptyCanvas(node, width, height) {
    const pen = node.getContext('2d'), ratio = devicePixelRatio;
    const columns = Math.floor(width * ratio), rows = Math.floor(height * ratio);
    pen.resetTransform();
    if (node.width === columns && node.height === rows)
        pen.clearRect(0, 0, columns, rows);
    else
        Object.assign(node, { width: columns, height: rows });
    return pen;
}

function drawCanvas() {
    drawing = null;
    const ratio = devicePixelRatio;
    const height = chartNode.clientHeight;
    const top = Math.max(chartNode.scrollTop, 0);
    style(canvas, { height: height + 'px' });
    const pen = emptyCanvas(canvas, canvas.clientWidth, height);
    pen.setTransform(ratio, 0, 0, ratio, xpad * ratio, -top * ratio);
    pen.font = font;
    pen.textRendering = 'geometricPrecision';
    pen.globalAlpha = FADED;
    drawBoxes(pen, painted, painted.faded, top, top + height);
    pen.globalAlpha = 1;
    drawBoxes(pen, painted, painted.boxes, top, top + height);
    drawLabels(pen, painted.labels, top, top + height);
}

function draw(display) {
    painted = display;
    drawSoon();
}

function drawOutline(which, box) {
    const node = outlines[which] ??= spacer.appendChild(makeElement('div'));
    show(node, box);
    if (box)
        style(node, { left: box.x + xpad + 'px', top: box.y + 'px', width: box.width + 'px', height: box.height + 'px' });
}

function resize() {
    drawHeat();
    style(spacer, { height: rowsHeight() + 'px' });
}

function positionOf(event) {
    const at = canvas.getBoundingClientRect();
    return { x: event.clientX - at.left - xpad, y: event.clientY - at.top + chartNode.scrollTop };
}
