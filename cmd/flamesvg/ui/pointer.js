/* The mouse, the pen and the finger. */

import { hideTip, say, showDetails, showTip } from './details.js';
import { makeElement, style } from './dom.js';
import { focusSoon, setCurrent } from './focus.js';
import { setByKeys } from './keys.js';
import { layer } from './layer.js';
import { frameAt } from './layout.js';
import { closeOverlay, openFrameMenu, overlay } from './menu.js';
import { positionOf } from 'paint';
import { profile } from 'profile';
import { NO_FRAME } from './table.js';
import { drawIfNeeded, outline, table, zoomTo } from './view.js';
import { area, isOnControls } from 'viewport';
export { activate, forgetHovered, hoverAgain, hovered, listenToPointer };

const LONG_PRESS = 500; /* milliseconds */

let hovered = NO_FRAME, tapped = NO_FRAME;
let lastEvent = null; /* that was on a frame */
let pressTimer = 0, longPressed = false;
const forgetHovered = () => { hovered = NO_FRAME; };

/* The frame that an event is on, or NO_FRAME. Reads the profile if need be. */
function frameOf(event) {
    if (isOnControls(event))
        return NO_FRAME;
    drawIfNeeded();
    const { x, y } = positionOf(event);
    return frameAt(x, y);
}

/* Follows the link of a frame that has one, unless Ctrl asks for the zoom; else zooms. */
function activate(frame, event) {
    const link = profile.attributes.get(table.name[frame]);
    if (link?.href && !event.ctrlKey && !event.metaKey) {
        const anchor = makeElement('a', { href: link.href, target: link.target || null, rel: 'noopener' });
        layer.append(anchor);
        anchor.click();
        anchor.remove();
        return;
    }
    setCurrent(frame);
    zoomTo(frame);
}

function inLayer(event) {
    const origin = layer.getBoundingClientRect();
    return { x: event.clientX - origin.left, y: event.clientY - origin.top };
}

function hover(frame, event) {
    lastEvent = frame === NO_FRAME ? null : event;
    if (frame !== hovered) {
        hovered = frame;
        outline();
        if (frame === NO_FRAME)
            say('');
        else
            showDetails(frame);
        style(area, { cursor: frame === NO_FRAME ? '' : 'pointer' });
    }
    if (frame === NO_FRAME || overlay) {
        hideTip();
    } else {
        const { x, y } = inLayer(event);
        showTip(frame, x, y);
    }
}

/* After a change: what is there now. */
function hoverAgain() {
    if (lastEvent)
        hover(frameOf(lastEvent), lastEvent);
}

/* The browser follows a link that it knows of itself. */
function onClick(event) {
    if (longPressed || isOnControls(event) || (overlay && closeOverlay()))
        return; /* the end of a long press is a click in some browsers */
    const frame = frameOf(event);
    const touched = event.pointerType === 'touch';
    const first = touched && tapped !== frame; /* the first tap only describes a frame */
    tapped = frame;
    if (frame === NO_FRAME || first)
        return;
    const linked = event.target.closest('a') && !event.ctrlKey && !event.metaKey;
    if (linked)
        return;
    event.preventDefault();
    activate(frame, event);
    focusSoon();
}

function onContextMenu(event) {
    const frame = frameOf(event);
    if (frame === NO_FRAME || event.shiftKey)
        return; /* the browser's own menu */
    event.preventDefault();
    const { x, y } = inLayer(event);
    setCurrent(frame);
    openFrameMenu(frame, x, y);
}

/* Not all browsers send a contextmenu event after a long touch. */
function onPointerDown(event) {
    clearTimeout(pressTimer);
    longPressed = false;
    setByKeys(false);
    if (event.pointerType !== 'touch')
        return;
    hover(frameOf(event), event);
    pressTimer = setTimeout(() => {
        longPressed = true;
        onContextMenu(event);
    }, LONG_PRESS);
}

function listenToPointer() {
    const on = (type, act) => area.addEventListener(type, act);
    on('click', onClick);
    on('contextmenu', onContextMenu);
    on('pointerdown', onPointerDown);
    on('pointermove', event => event.pointerType !== 'touch' && hover(frameOf(event), event));
    for (const type of ['pointerup', 'pointercancel'])
        on(type, () => clearTimeout(pressTimer)); /* a finger that scrolls the page does not press */
    on('pointerleave', event => event.pointerType !== 'touch' && hover(NO_FRAME, event));
}
