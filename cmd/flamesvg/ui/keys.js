/* What keys do. */

import { copyName, copyShown, copyStack } from './copy.js';
import { current, focusFrame, focusNow, goToLeaf, hasFocus, move } from './focus.js';
import { boxOf, room } from './layout.js';
import { closeOverlay, nextColour, openFrameMenu, openViewMenu, overlay, toggleHelp } from './menu.js';
import { MORE_KEYS } from 'panels';
import { isChart, rowHeight } from './picture.js';
import { activate, hovered } from './pointer.js';
import { field, search, stepMatch, toggleCase } from './search.js';
import { state } from './state.js';
import { NO_FRAME, ROOT } from './table.js';
import { STEPS } from './transforms.js';
import { addFrameStep, change, drawIfNeeded, stepBack, table, zoomOut, zoomTo } from './view.js';
import { originOfRows } from 'viewport';
export { byKeys, onKey, setByKeys };

let byKeys = false; /* the keyboard was used last: the focus is to be seen */
const setByKeys = used => { byKeys = used; };

function openField() {
    field.focus({ preventScroll: true });
    field.select();
}

/* Ends the search. The focus goes to the match that Enter has found last, or where it was. */
function cancelField() {
    search('');
    drawIfNeeded();
    focusFrame(current);
}

/* Enter or blank on the current frame. */
function press(event) {
    if (!hasFocus())
        return false;
    activate(current, event);
    return true;
}

function goToRoot() {
    zoomTo(ROOT);
    focusFrame(ROOT);
}

/* The frame that a key is about: the one that has the focus, or the one under the pointer. */
function frameOfKey() {
    return hasFocus() || hovered === NO_FRAME ? current : hovered;
}

function openMenuByKey() {
    const frame = frameOfKey();
    const at = originOfRows();
    const box = table && boxOf(frame);
    if (box)
        openFrameMenu(frame, at.x + Math.min(box.x + box.width / 2, room - 40), at.y + box.y + rowHeight);
}

const withFrame = act => () => table ? act(frameOfKey()) : false;
const toggle = name => change({ [name]: !state[name] });

/* Each returns false if it does not handle the key. */
const KEYS = {
    '/': openField, 'Ctrl-f': openField, 'Ctrl-i': toggleCase, Escape: stepBack, '?': toggleHelp,
    Enter: press, 'Ctrl-Enter': press, ' ': press, Backspace: zoomOut, Home: goToRoot, End: goToLeaf,
    ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
    m: openMenuByKey, ContextMenu: openMenuByKey, 'Shift-F10': openMenuByKey, v: openViewMenu,
    i: () => toggle('icicle'), l: () => toggle('leaf'), p: nextColour, o: () => !isChart && toggle('size'),
    n: withFrame(copyName), s: withFrame(copyStack), w: withFrame(copyShown), ...MORE_KEYS,
};
for (const [kind, { key }] of Object.entries(STEPS))
    if (key)
        KEYS[key] = withFrame(frame => addFrameStep(kind, frame));

/* Not Ctrl-f: a second one opens the browser's own search. */
const FIELD_KEYS = {
    'Ctrl-i': toggleCase, Escape: cancelField,
    Enter: () => stepMatch(1), 'Shift-Enter': () => stepMatch(-1),
};

/* "Ctrl-f", "Shift-Enter", "?" */
function nameOfKey(event) {
    const shift = event.shiftKey && event.key.length > 1; /* else the key itself is another one */
    return (event.ctrlKey || event.metaKey ? 'Ctrl-' : '') + (shift ? 'Shift-' : '') + event.key;
}

/* A button handles Enter and blank itself. */
function onKey(event) {
    focusNow();
    byKeys = true;
    const name = nameOfKey(event);
    const tag = event.target.localName;
    if (event.altKey || (tag === 'button' && /^(Enter| )$/.test(event.key))) /* Alt-Left is Back */
        return;
    const keys = tag === 'input' ? FIELD_KEYS : KEYS;
    if (overlay && name === 'Tab')
        closeOverlay();
    const act = Object.hasOwn(keys, name) ? keys[name] : null;
    if (act && act(event) !== false)
        event.preventDefault();
}
