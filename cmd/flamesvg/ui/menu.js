/* Menus, and the list of keys: what is open over the picture. One at a time. */

import { COLOURS, hasColours } from './colour.js';
import { copyName, copyShown, copyStack } from './copy.js';
import { nameOf } from './describe.js';
import { hideTip } from './details.js';
import { makeElement, style } from './dom.js';
import { head, layer, viewButton } from './layer.js';
import { MORE_HELP } from 'panels';
import { isChart, xpad } from './picture.js';
import { profileOf } from 'profile';
import { state } from './state.js';
import { ROOT } from './table.js';
import { fit } from './text.js';
import { STEPS } from './transforms.js';
import { addFrameStep, change, zoomTo } from './view.js';
export { closeOverlay, nextColour, openFrameMenu, openViewMenu, overlay, toggleHelp };

let overlay = null; /* { node, from: what had the focus } */

/* Closes it; false if nothing is open. */
function closeOverlay() {
    if (!overlay)
        return false;
    const { node, from } = overlay;
    overlay = null;
    node.remove();
    from?.focus?.({ preventScroll: true });
    return true;
}

/* Opens a node at a place of the window, inside it. */
function openOverlay(node, x, y) {
    closeOverlay();
    hideTip();
    overlay = { node, from: document.activeElement };
    style(node, { position: 'absolute', left: '0', top: '0', 'pointer-events': 'auto' });
    layer.append(node);
    const left = Math.max(Math.min(x, layer.clientWidth - node.offsetWidth - 4), 0);
    const top = Math.max(Math.min(y, layer.clientHeight - node.offsetHeight - 4), 0);
    style(node, { left: left + 'px', top: top + 'px' });
}

/* An item is { text, key, checked, act }; one without act is a heading. */
function makeMenuItem(item) {
    if (!item.act)
        return makeElement('div', { class: 'heading', role: 'presentation' }, item.text);
    const role = item.checked === undefined ? 'menuitem' : 'menuitemradio';
    const button = makeElement('button', { type: 'button', role, tabindex: -1,
        'aria-checked': item.checked === undefined ? null : String(item.checked) },
    makeElement('span', {}, item.text), makeElement('kbd', {}, item.key || ''));
    button.addEventListener('click', () => {
        closeOverlay();
        item.act();
    });
    return button;
}

function onMenuKey(event, buttons) {
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined)
        return;
    buttons.at(to % buttons.length).focus();
    event.preventDefault();
    event.stopPropagation();
}

function openMenu(label, items, x, y) {
    const menu = makeElement('div', { class: 'menu', role: 'menu', 'aria-label': label },
        ...items.map(item => makeMenuItem(item)));
    const buttons = Array.from(menu.querySelectorAll('button'));
    menu.addEventListener('keydown', event => onMenuKey(event, buttons));
    menu.addEventListener('contextmenu', event => event.preventDefault());
    openOverlay(menu, x, y);
    buttons[0].focus({ preventScroll: true });
}

/* What can be done with a frame. The keys do the same to the frame that has the focus. */
function frameItems(frame) {
    const items = [{ text: 'Zoom into this frame', key: 'Enter', act: () => zoomTo(frame) }];
    for (const [kind, { item, key }] of Object.entries(STEPS))
        if (item && frame !== ROOT)
            items.push({ text: item, key, act: () => addFrameStep(kind, frame) });
    items.push({ text: 'Copy the name', key: 'n', act: () => copyName(frame) },
        { text: 'Copy the stack', key: 's', act: () => copyStack(frame) },
        { text: 'Copy what is shown, as folded stacks', key: 'w', act: () => copyShown() });
    return items;
}

function openFrameMenu(frame, x, y) {
    openMenu(nameOf(frame), [{ text: fit(nameOf(frame), 240) }, ...frameItems(frame)], x, y);
}

function openViewMenu() {
    profileOf();
    const choice = (text, key, checked, changes) => ({ text, key, checked, act: () => change(changes) });
    const items = [
        { text: 'Root' },
        choice('at the bottom: flame graph', 'i', !state.icicle, { icicle: false }),
        choice('at the top: icicle graph', 'i', state.icicle, { icicle: true }),
        { text: 'Merge' },
        choice('from the root', 'l', !state.leaf, { leaf: false }),
        choice('from the leaf', 'l', state.leaf, { leaf: true }),
    ];
    if (!isChart)
        items.push({ text: 'Sort' }, choice('by name', 'o', !state.size, { size: false }),
            choice('by size', 'o', state.size, { size: true }));
    items.push({ text: 'Colour' });
    for (const by of Object.keys(COLOURS))
        if (hasColours(by))
            items.push(choice(by === 'palette' ? 'of the file' : 'by ' + by, 'p', state.colour === by,
                { colour: by }));
    items.push({ text: 'More' }, { text: 'Keys', key: '?', act: () => toggleHelp() },
        { text: 'Copy what is shown, as folded stacks', key: 'w', act: () => copyShown() });
    const at = viewButton.getBoundingClientRect(), origin = layer.getBoundingClientRect();
    openMenu('View', items, at.left - origin.left, at.bottom - origin.top);
}

function nextColour() {
    profileOf();
    const all = Object.keys(COLOURS).filter(hasColours);
    change({ colour: all[(all.indexOf(state.colour) + 1) % all.length] });
}

const HELP = [
    ['Click, Enter', 'zoom into a frame'], ['Right click, m', 'menu of a frame'],
    ['Tab, arrows', 'go from frame to frame'], ['End', 'go to the leaf, along the widest callees'],
    ['Backspace', 'zoom out by one level'], ['Home', 'zoom out, and go to the root'],
    ['Ctrl-F or /', 'search for a regular expression'],
    ['Enter, Shift-Enter', 'in the search: next match, previous match'],
    ['Ctrl-I', 'ignore case, also if the search has capitals'],
    ['Escape', 'take back the last thing'],
    ['f, c, b', 'focus on a function; its callers; both'],
    ['d, h, r', 'drop its stacks; hide it; collapse its recursion'],
    ['n, s, w', 'copy its name; its stack; all that is shown'],
    ['i, l, o, p', 'root at the top; from the leaf; by size; colours'],
    ['v', 'menu of the view'], ['?', 'show or hide this list'],
];

function toggleHelp() {
    if (overlay?.node.classList.contains('help')) {
        closeOverlay();
        return;
    }
    const rows = [...HELP, ...MORE_HELP].map(([key, text]) =>
        makeElement('tr', {}, makeElement('th', { scope: 'row' }, key), makeElement('td', {}, text)));
    const help = makeElement('div', { class: 'help', role: 'note', tabindex: -1 },
        makeElement('table', {}, makeElement('tbody', {}, ...rows)));
    help.addEventListener('click', () => closeOverlay());
    openOverlay(help, xpad, head.offsetHeight);
}
