/* Begins: the script comes after the frames in the file. */

function onClick(graph, event) {
    if (press(graph, event))
        event.preventDefault();
}

function onEnter(graph, event) {
    const node = nodeOf(event);
    if (node)
        showDetails(graph, node);
}

/* One listener for each type of event, however many frames there are. */
const HANDLERS = { click: onClick, keydown: onKey, mouseover: onEnter, focusin: onEnter,
    mouseout: clearDetails, focusout: clearDetails };

function start(svg) {
    const graph = makeGraph(svg);
    for (const button of [graph.unzoom, graph.searchButton, graph.caseButton]) {
        button.setAttribute('tabindex', 0);
        button.setAttribute('role', 'button');
    }
    graph.caseButton.setAttribute('aria-label', 'Ignore case');
    graph.matched.setAttribute('aria-live', 'polite');
    /* Aligned right, so that a long message stays in the picture. */
    graph.matched.setAttribute('x', graph.xpad + graph.room);
    graph.matched.setAttribute('text-anchor', 'end');
    setCurrent(graph, graph.current);
    for (const type of Object.keys(HANDLERS))
        svg.addEventListener(type, event => HANDLERS[type](graph, event));
    if (graph.ownsAddress)
        readAddress(graph);
}

start(document.currentScript.closest('svg'));
