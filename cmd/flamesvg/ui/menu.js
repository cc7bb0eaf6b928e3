/* Menus, and the list of keys: what is open over the picture. One at a time. */

/* Closes it; false if nothing is open. */
function closeOverlay(graph) {
    if (!graph.overlay)
        return false;
    const { node, from } = graph.overlay;
    graph.overlay = null;
    node.remove();
    from?.focus?.({ preventScroll: true });
    return true;
}

/* Opens a node at a place of the window, inside it. */
function openOverlay(graph, node, x, y) {
    closeOverlay(graph);
    hideTip(graph);
    graph.overlay = { node, from: document.activeElement };
    style(node, { position: 'absolute', left: '0', top: '0', 'pointer-events': 'auto' });
    graph.layer.append(node);
    const left = Math.max(Math.min(x, graph.layer.clientWidth - node.offsetWidth - 4), 0);
    const top = Math.max(Math.min(y, graph.layer.clientHeight - node.offsetHeight - 4), 0);
    style(node, { left: left + 'px', top: top + 'px' });
}

/* An item is { text, key, checked, act }; one without act is a heading. */
function makeMenuItem(graph, item) {
    if (!item.act)
        return makeElement('div', { class: 'heading', role: 'presentation' }, item.text);
    const role = item.checked === undefined ? 'menuitem' : 'menuitemradio';
    const button = makeElement('button', { type: 'button', role, tabindex: -1,
        'aria-checked': item.checked === undefined ? null : String(item.checked) },
    makeElement('span', {}, item.text), makeElement('kbd', {}, item.key || ''));
    button.addEventListener('click', () => {
        closeOverlay(graph);
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

function openMenu(graph, label, items, x, y) {
    const menu = makeElement('div', { class: 'menu', role: 'menu', 'aria-label': label },
        ...items.map(item => makeMenuItem(graph, item)));
    const buttons = Array.from(menu.querySelectorAll('button'));
    menu.addEventListener('keydown', event => onMenuKey(event, buttons));
    menu.addEventListener('contextmenu', event => event.preventDefault());
    openOverlay(graph, menu, x, y);
    buttons[0].focus({ preventScroll: true });
}

/* What can be done with a frame. The keys do the same to the frame that has the focus. */
function frameItems(graph, frame) {
    const items = [{ text: 'Zoom into this frame', key: 'Enter', act: () => zoomTo(graph, frame) }];
    for (const [kind, { item, key }] of Object.entries(STEPS))
        if (item && frame !== ROOT)
            items.push({ text: item, key, act: () => addFrameStep(graph, kind, frame) });
    items.push({ text: 'Copy the name', key: 'n', act: () => copyName(graph, frame) },
        { text: 'Copy the stack', key: 's', act: () => copyStack(graph, frame) },
        { text: 'Copy what is shown, as folded stacks', key: 'w', act: () => copyShown(graph) });
    return items;
}

function openFrameMenu(graph, frame, x, y) {
    openMenu(graph, nameOf(graph, frame),
        [{ text: fit(graph, nameOf(graph, frame), 240) }, ...frameItems(graph, frame)], x, y);
}

function openViewMenu(graph) {
    const { state, controls } = graph;
    profileOf(graph);
    const choice = (text, key, checked, changes) =>
        ({ text, key, checked, act: () => change(graph, changes) });
    const items = [
        { text: 'Root' },
        choice('at the bottom: flame graph', 'i', !state.icicle, { icicle: false }),
        choice('at the top: icicle graph', 'i', state.icicle, { icicle: true }),
        { text: 'Merge' },
        choice('from the root', 'l', !state.leaf, { leaf: false }),
        choice('from the leaf', 'l', state.leaf, { leaf: true }),
    ];
    if (!graph.chart)
        items.push({ text: 'Sort' }, choice('by name', 'o', !state.size, { size: false }),
            choice('by size', 'o', state.size, { size: true }));
    items.push({ text: 'Colour' });
    for (const by of Object.keys(COLOURS))
        if (hasColours(graph.profile, by))
            items.push(choice(by === 'palette' ? 'of the file' : 'by ' + by, 'p', state.colour === by,
                { colour: by }));
    items.push({ text: 'More' }, { text: 'Keys', key: '?', act: () => toggleHelp(graph) },
        { text: 'Copy what is shown, as folded stacks', key: 'w', act: () => copyShown(graph) });
    const at = controls.view.getBoundingClientRect(), origin = graph.layer.getBoundingClientRect();
    openMenu(graph, 'View', items, at.left - origin.left, at.bottom - origin.top);
}

/* The keys that are switches. */
function toggleSwitch(graph, name) {
    change(graph, { [name]: !graph.state[name] });
}

function nextColour(graph) {
    const all = Object.keys(COLOURS).filter(by => hasColours(profileOf(graph), by));
    change(graph, { colour: all[(all.indexOf(graph.state.colour) + 1) % all.length] });
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

function toggleHelp(graph) {
    if (graph.overlay?.node.classList.contains('help')) {
        closeOverlay(graph);
        return;
    }
    const rows = HELP.map(([key, text]) =>
        makeElement('tr', {}, makeElement('th', { scope: 'row' }, key), makeElement('td', {}, text)));
    const help = makeElement('div', { class: 'help', role: 'note', tabindex: -1 },
        makeElement('table', {}, makeElement('tbody', {}, ...rows)));
    help.addEventListener('click', () => closeOverlay(graph));
    openOverlay(graph, help, graph.xpad, graph.head.offsetHeight);
}
