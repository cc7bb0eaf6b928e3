/* The line at the bottom that describes a frame, and the tooltip near the pointer. */

/* What matches the search is on the same line: a long name is cut to leave room. */
function showDetails(graph, frame) {
    const { details, matched } = graph.controls;
    const counts = countsOf(graph, frame);
    const others = textWidth(graph, graph.nameType + '   ' + counts + matched.textContent) + 30;
    const room = Math.max(graph.foot.clientWidth - others, 3 * graph.fontSize);
    details.textContent = graph.nameType + ' ' + fit(graph, nameOf(graph, frame), room) + counts;
}

function clearDetails(graph) {
    graph.controls.details.textContent = '';
}

function showTip(graph, frame, x, y) {
    const { tip } = graph.controls;
    if (graph.tipFrame !== frame) {
        const rows = factsOf(graph, frame).map(([word, text]) =>
            makeElement('tr', {}, makeElement('th', { scope: 'row' }, word), makeElement('td', {}, text)));
        tip.replaceChildren(makeElement('div', { class: 'name' }, nameOf(graph, frame)),
            makeElement('table', {}, makeElement('tbody', {}, ...rows)));
        graph.tipFrame = frame;
    }
    show(tip, true);
    style(tip, { position: 'absolute', left: '0', top: '0' });
    const { clientWidth, clientHeight } = graph.layer;
    const left = Math.min(x + 14, clientWidth - tip.offsetWidth - 4);
    const below = y + 18 + tip.offsetHeight < clientHeight;
    style(tip, { left: Math.max(left, 0) + 'px',
        top: Math.max(below ? y + 18 : y - tip.offsetHeight - 10, 0) + 'px' });
}

function hideTip(graph) {
    show(graph.controls.tip, false);
    graph.tipFrame = NO_FRAME;
}
