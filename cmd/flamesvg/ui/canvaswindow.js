/* A page (an SVG: svgwindow.js): controls, a chart that scrolls, and the table of functions. */

import { drawSoon } from './canvaspaint.js';
import { makeElement, style } from './dom.js';
import { functionsNode } from './functions.js';
import { head, layer } from './layer.js';
import { rowsHeight } from './layout.js';
import { openPanels } from './pagepanels.js';
import { xpad } from './picture.js';
import { printing } from './window.js';
export { area, canvas, chartNode, isOnControls, mount, originOfRows, placeControls, rowsInSight, rowsOnPage, scrolled,
    scrollRows, spacer, widthInSight };

const canvas = makeElement('canvas', { 'aria-hidden': 'true' });
const spacer = makeElement('div', { class: 'spacer' }, canvas);
const chartNode = makeElement('div', { class: 'chart' }, spacer);
const area = chartNode, scrolled = chartNode;

function mount() {
    head.after(...openPanels(), makeElement('div', { class: 'middle' }, chartNode, functionsNode));
    chartNode.addEventListener('scroll', drawSoon, { passive: true });
    document.body.append(layer);
}

/* The controls are beside the chart, not over it. */
const isOnControls = () => false;

function widthInSight() {
    return chartNode.clientWidth;
}

/* Where the first row begins, and what of the rows is in sight, in pixels of the layer. */
function originOfRows() {
    const at = chartNode.getBoundingClientRect(), origin = layer.getBoundingClientRect();
    return { x: at.left - origin.left + xpad, y: at.top - origin.top - chartNode.scrollTop };
}

function rowsOnPage() {
    const { left, top } = chartNode.getBoundingClientRect();
    return { left: left + xpad, top: top - chartNode.scrollTop, scale: 1 };
}

function rowsInSight() {
    const top = chartNode.getBoundingClientRect().top - layer.getBoundingClientRect().top;
    return { top, end: top + chartNode.clientHeight };
}

function scrollRows(by) {
    chartNode.scrollTop += by;
}

function placeControls() {
    style(chartNode, { 'flex-basis': printing ? rowsHeight() + 'px' : '' });
}
