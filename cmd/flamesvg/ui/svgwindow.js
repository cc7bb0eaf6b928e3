/* An SVG in the window (a page: canvaswindow.js): it scrolls, and the controls stay in sight. */

import { tip } from './details.js';
import { setAttributes, style } from './dom.js';
import { foot, head, layer } from './layer.js';
import { room, rowsHeight } from './layout.js';
import { resize } from 'paint';
import { fileBottom, fileHeight, fileTop, ownsWindow, svg, xpad } from './picture.js';
import { makeShape } from './shape.js';
import { printing } from './window.js';
export { area, isOnControls, mount, originOfRows, pictureHeight, placeControls, rowsInSight, rowsOnPage, rowsTop,
    scrolled, scrollRows, widthInSight };

const area = svg, scrolled = document; /* what listens to the pointer, and what scrolls */
const controls = makeShape('foreignObject', { class: 'controls', x: 0, y: 0 });
let rowsTop = fileTop; /* where the first row begins */
let contentHeight = fileHeight; /* of what is shown, with head and foot */

/* Lets the mouse through to the frames, except on the controls. */
function mount() {
    style(controls, { overflow: 'visible' });
    for (const part of [controls, layer, tip])
        style(part, { 'pointer-events': 'none' });
    for (const part of [head, foot])
        style(part, { 'pointer-events': 'auto' });
    style(layer, { position: 'relative', width: '100%', height: '100%' });
    style(head, { position: 'absolute', top: '0', left: '0', right: '0' });
    style(foot, { position: 'absolute', left: '0', right: '0' });
    controls.append(layer);
    svg.append(controls);
}

function isOnControls(event) {
    return controls.contains(event.target);
}

/* As high as its rows; alone in a window at least as high as that, so that menus have room. */
function pictureHeight() {
    contentHeight = rowsTop + rowsHeight() + fileBottom;
    return ownsWindow && !printing ? Math.max(contentHeight, document.documentElement.clientHeight) : contentHeight;
}

function widthInSight() {
    return document.documentElement.clientWidth;
}

/* Where the first row begins, in pixels of the layer. */
function originOfRows() {
    const at = svg.getBoundingClientRect(), origin = layer.getBoundingClientRect();
    return { x: at.left - origin.left + xpad, y: at.top - origin.top + rowsTop };
}

/* The same in pixels of the page's window, and how many a pixel of the picture takes. */
function rowsOnPage() {
    const { left, top } = svg.getBoundingClientRect(), scale = svg.getScreenCTM().a;
    return { left: left + xpad * scale, top: top + rowsTop * scale, scale };
}

/* Between head and foot, in pixels of the layer. */
function rowsInSight() {
    pinControls(); /* the page may have been scrolled a moment ago */
    return { top: head.offsetHeight, end: layer.clientHeight - foot.offsetHeight };
}

function scrollRows(by) {
    if (!ownsWindow)
        return;
    scrollBy(0, by);
    pinControls();
}

/* Puts the controls where the page is scrolled to. */
function pinControls() {
    const { clientWidth, clientHeight } = document.documentElement;
    const width = room + 2 * xpad;
    const pinned = ownsWindow && !printing;
    const high = pinned ? clientHeight : contentHeight;
    setAttributes(controls, { x: pinned ? scrollX : 0, y: pinned ? scrollY : 0,
        width: pinned ? Math.min(clientWidth, width) : width, height: high });
    style(foot, { top: high + 'px', transform: 'translateY(-100%)' });
}

/* The head may need more room than the file has above the rows. */
function placeControls() {
    pinControls(); /* gives the head its width */
    rowsTop = Math.max(fileTop, head.offsetHeight + 2);
    resize();
    pinControls();
}
