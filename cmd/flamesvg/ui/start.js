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

function startButtons(graph) {
    for (const button of graph.buttons) {
        button.setAttribute('tabindex', 0);
        button.setAttribute('role', 'button');
    }
    show(graph.searchButton, true);
    show(graph.caseButton, true);
    const title = document.createElementNS(SVG, 'title');
    title.textContent = 'Ignore case, also if the search has capitals (Ctrl-I)';
    graph.caseButton.append(title);
    graph.caseButton.setAttribute('aria-label', 'Ignore case');
    graph.caseButton.setAttribute('aria-pressed', false);
}

function start(svg) {
    const graph = makeGraph(svg);
    startButtons(graph);
    graph.matched.setAttribute('aria-live', 'polite');
    /* Aligned right, so that a long message stays in the picture. */
    graph.matched.setAttribute('x', graph.xpad + graph.room);
    graph.matched.setAttribute('text-anchor', 'end');
    setCurrent(graph, graph.current);
    if (graph.fits)
        fitLabels(graph);
    if (graph.follows) {
        followWindow(graph);
        addEventListener('resize', () => followWindow(graph));
    }
    for (const type of Object.keys(HANDLERS))
        svg.addEventListener(type, event => HANDLERS[type](graph, event));
    graph.darkScheme.addEventListener('change', () => graph.table && inkCallers(graph));
    if (graph.follows && !graph.inverted)
        scrollTo(0, graph.height); /* to the root */
    if (graph.ownsAddress) {
        readAddress(graph);
        addEventListener('popstate', () => restoreZoom(graph));
    }
}

start(document.currentScript.closest('svg'));
