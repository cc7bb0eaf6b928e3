/* What keys do. */

function openField(graph) {
    const { field } = graph.controls;
    field.focus({ preventScroll: true });
    field.select();
}

/* Keeps the search. The focus goes to the match that Enter has found last, or where it was. */
function leaveField(graph) {
    if (!graph.table)
        redraw(graph);
    focusFrame(graph, graph.current);
}

function cancelField(graph) {
    search(graph, '');
    leaveField(graph);
}

/* Enter or blank on the current frame. */
function press(graph, event) {
    if (!hasFocus(graph))
        return false;
    activate(graph, graph.current, event);
    return true;
}

function goToRoot(graph) {
    zoomTo(graph, ROOT);
    focusFrame(graph, ROOT);
}

/* The frame that a key is about: the one that has the focus, or the one under the pointer. */
function frameOfKey(graph) {
    return hasFocus(graph) || graph.hovered === NO_FRAME ? graph.current : graph.hovered;
}

function openMenuByKey(graph) {
    const frame = frameOfKey(graph);
    const at = originOfRows(graph);
    const box = graph.table && boxOf(graph, frame);
    if (box)
        openFrameMenu(graph, frame, at.x + Math.min(box.x + box.width / 2, graph.room - 40),
            at.y + box.y + graph.rowHeight);
}

const withFrame = act => graph => graph.table ? act(graph, frameOfKey(graph)) : false;
const toggles = name => graph => toggleSwitch(graph, name);

/* Each returns false if it does not handle the key. */
const KEYS = {
    '/': openField, 'Ctrl-f': openField, 'Ctrl-i': toggleCase, Escape: stepBack, '?': toggleHelp,
    Enter: press, 'Ctrl-Enter': press, ' ': press, Backspace: zoomOut, Home: goToRoot, End: goToLeaf,
    ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
    m: openMenuByKey, ContextMenu: openMenuByKey, 'Shift-F10': openMenuByKey, v: openViewMenu,
    i: toggles('icicle'), l: toggles('leaf'), p: nextColour,
    o: graph => !graph.chart && toggleSwitch(graph, 'size'),
    n: withFrame(copyName), s: withFrame(copyStack), w: withFrame(copyShown),
};
for (const [kind, { key }] of Object.entries(STEPS))
    if (key)
        KEYS[key] = withFrame((graph, frame) => addFrameStep(graph, kind, frame));

/* Not Ctrl-f: a second one opens the browser's own search. */
const FIELD_KEYS = {
    'Ctrl-i': toggleCase, Escape: cancelField,
    Enter: graph => stepMatch(graph, 1), 'Shift-Enter': graph => stepMatch(graph, -1),
};

/* "Ctrl-f", "Shift-Enter", "?" */
function nameOfKey(event) {
    const shift = event.shiftKey && event.key.length > 1; /* else the key itself is another one */
    return (event.ctrlKey || event.metaKey ? 'Ctrl-' : '') + (shift ? 'Shift-' : '') + event.key;
}

/* A button handles Enter and blank itself. */
function onKey(graph, event) {
    graph.pendingFocus?.();
    graph.byKeys = true;
    const name = nameOfKey(event);
    const tag = event.target.localName;
    if (event.altKey || (tag === 'button' && /^(Enter| )$/.test(event.key))) /* Alt-Left is Back */
        return;
    const keys = tag === 'input' ? FIELD_KEYS : KEYS;
    if (graph.overlay && name === 'Tab')
        closeOverlay(graph);
    const act = Object.hasOwn(keys, name) ? keys[name] : null;
    if (act && act(graph, event) !== false)
        event.preventDefault();
}
