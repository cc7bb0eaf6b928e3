/* What keys and buttons do. */

const BUTTONS = {
    unzoom: graph => zoom(graph, graph.root),
    search: graph => graph.term ? search(graph, '') : openField(graph),
    ignorecase: toggleCase,
};

/* A click, Enter or blank. The browser follows links, unless Ctrl asks for the zoom. */
function press(graph, event) {
    const button = BUTTONS[event.target.id];
    const frame = frameOf(graph, event);
    if (button) {
        button(graph);
    } else if (frame && (event.ctrlKey || event.metaKey || frame.node.localName !== 'a')) {
        zoom(graph, frame);
        focusFrame(graph, frame, { preventScroll: true });
    } else {
        return false;
    }
    return true;
}

function stepBack(graph) {
    if (graph.zoomed === graph.root)
        search(graph, '');
    else
        zoom(graph, graph.root);
}

/* Each returns false if it does not handle the key. */
const KEYS = {
    '/': openField, 'Ctrl-f': openField, 'Ctrl-i': toggleCase, Escape: stepBack,
    Enter: press, 'Ctrl-Enter': press, ' ': press,
    ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
};

/* Not Ctrl-f: a second one opens the browser's own search. */
const FIELD_KEYS = { 'Ctrl-i': toggleCase, Enter: leaveField, Escape: leaveField };

function onKey(graph, event) {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.altKey) /* Alt-Left is Back in browsers */
        return;
    const keys = event.target.localName === 'input' ? FIELD_KEYS : KEYS;
    const act = keys[(ctrl ? 'Ctrl-' : '') + event.key];
    if (act && act(graph, event) !== false)
        event.preventDefault();
}
