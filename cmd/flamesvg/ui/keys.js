/* What keys and buttons do. */

function pressButton(graph, target) {
    if (target === graph.unzoom)
        zoomTo(graph, ROOT);
    else if (target === graph.caseButton)
        toggleCase(graph);
    else if (graph.term)
        search(graph, '');
    else
        openField(graph);
}

/* A click, Enter or blank. The browser follows links, unless Ctrl asks for the zoom. */
function press(graph, event) {
    const button = graph.buttons.find(one => one.contains(event.target));
    const node = nodeOf(event);
    if (button) {
        pressButton(graph, button);
    } else if (node && (event.ctrlKey || event.metaKey || node.localName !== 'a')) {
        zoomTo(graph, tableOf(graph).numbers.get(node));
        focusFrame(graph, node, { preventScroll: true });
    } else {
        return false;
    }
    return true;
}

/* Takes back the last thing: the list of keys, the search, the zoom. */
function stepBack(graph) {
    if (graph.help)
        toggleHelp(graph);
    else if (graph.term)
        search(graph, '');
    else
        zoomTo(graph, ROOT);
}

function zoomOut(graph) {
    const caller = tableOf(graph).parent[graph.zoomed];
    if (caller === NO_FRAME)
        return false;
    zoomTo(graph, caller);
    focusFrame(graph, graph.table.node[caller], { preventScroll: true });
    return true;
}

function goToRoot(graph) {
    zoomTo(graph, ROOT);
    focusFrame(graph, tableOf(graph).node[ROOT]);
}

/* Each returns false if it does not handle the key. */
const KEYS = {
    '/': openField, 'Ctrl-f': openField, 'Ctrl-i': toggleCase, Escape: stepBack, '?': toggleHelp,
    Enter: press, 'Ctrl-Enter': press, ' ': press, Backspace: zoomOut, Home: goToRoot, End: goToLeaf,
    ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
};

/* Not Ctrl-f: a second one opens the browser's own search. */
const FIELD_KEYS = {
    'Ctrl-i': toggleCase, Escape: cancelField, Tab: leaveField,
    Enter: graph => stepMatch(graph, 1), 'Shift-Enter': graph => stepMatch(graph, -1),
};

/* "Ctrl-f", "Shift-Enter", "?" */
function nameOfKey(event) {
    const shift = event.shiftKey && event.key.length > 1; /* else the key itself is another one */
    return (event.ctrlKey || event.metaKey ? 'Ctrl-' : '') + (shift ? 'Shift-' : '') + event.key;
}

function onKey(graph, event) {
    if (event.altKey) /* Alt-Left is Back in browsers */
        return;
    const keys = event.target.localName === 'input' ? FIELD_KEYS : KEYS;
    const act = keys[nameOfKey(event)];
    if (act && act(graph, event) !== false)
        event.preventDefault();
}
