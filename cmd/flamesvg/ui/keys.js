/* What keys and buttons do. */

const BUTTONS = {
    unzoom: graph => zoom(graph, ROOT),
    search: graph => graph.term ? search(graph, '') : openField(graph),
    ignorecase: toggleCase,
};

/* A click, Enter or blank. The browser follows links, unless Ctrl asks for the zoom. */
function press(graph, event) {
    const button = BUTTONS[event.target.id];
    const node = nodeOf(event);
    if (button) {
        button(graph);
    } else if (node && (event.ctrlKey || event.metaKey || node.localName !== 'a')) {
        zoom(graph, tableOf(graph).numbers.get(node));
        focusFrame(graph, node, { preventScroll: true });
    } else {
        return false;
    }
    return true;
}

function stepBack(graph) {
    if (graph.zoomed === ROOT)
        search(graph, '');
    else
        zoom(graph, ROOT);
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
