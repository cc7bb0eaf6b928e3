/* The search, the share of the frames that match, and the way from one match to the next. */

function isFound(table, i) {
    return table.found[table.name[i]] === 1;
}

/* The visible frames that match, from left to right. */
function matches(graph) {
    const list = [];
    for (let i = 0; i < graph.table.count; i++)
        if (isFound(graph.table, i) && graph.table.state[i] !== HIDDEN)
            list.push(i);
    return list;
}

/* The percentage of the zoomed frame. A stack counts once, however many of its frames match. */
function matchedPercent(graph) {
    const table = graph.table;
    let sum = 0;
    for (let i = 0; i < table.count;) {
        const found = isFound(table, i);
        sum += found ? widthInside(table, i, graph.zoomed) : 0;
        i = found ? table.end[i] : i + 1;
    }
    return 100 * sum / table.width[graph.zoomed];
}

/* "12 frames, 34.5%", or "3 of 12 frames, 34.5%" at the third. */
function matchedText(graph) {
    const list = matches(graph);
    const percent = matchedPercent(graph);
    if (list.length === 0)
        return 'No frame matches';
    return (graph.match === NO_FRAME ? '' : list.indexOf(graph.match) + 1 + ' of ') +
        list.length + (list.length === 1 ? ' frame, ' : ' frames, ') +
        (percent === 100 ? '100' : percent.toFixed(1)) + '%';
}

function showMatched(graph) {
    graph.matched.textContent = graph.trouble || (graph.term ? matchedText(graph) : ' ');
    graph.matched.classList.toggle('trouble', graph.trouble !== '');
}

/* Makes this the match that Enter goes on from. */
function setMatch(graph, frame) {
    const { node } = graph.table;
    if (graph.match !== NO_FRAME)
        node[graph.match].classList.remove('match');
    graph.match = frame;
    if (frame === NO_FRAME)
        return;
    node[frame].classList.add('match');
    setCurrent(graph, node[frame]);
    node[frame].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    showMatched(graph);
    showDetails(graph, node[frame]);
}

/* Goes to the next match (step 1) or the previous one (step -1); after the last comes the first. */
function stepMatch(graph, step) {
    const list = graph.term && !graph.trouble ? matches(graph) : [];
    const at = graph.match === NO_FRAME && step < 0 ? 0 : list.indexOf(graph.match);
    if (list.length > 0)
        setMatch(graph, list[(at + step + list.length) % list.length]);
}

/* Tests each name once, however many frames have it. */
function mark(graph, expression) {
    const table = tableOf(graph);
    const found = Uint8Array.from(table.names,
        name => expression !== null && expression.test(name) ? 1 : 0);
    for (let i = 0; i < table.count; i++)
        if (found[table.name[i]] !== table.found[table.name[i]])
            table.node[i].classList.toggle('matched');
    table.found = found;
    setMatch(graph, NO_FRAME);
    inkCallers(graph);
}

/* Letters match in any case, unless the term has a capital; "\S" is not one. */
function ignoresCase(graph, term) {
    return graph.anyCase || !/\p{Lu}/u.test(term.replace(/\\./g, ''));
}

/* A bad expression becomes a message: one that is being typed often is incomplete. */
function search(graph, term) {
    let expression = null;
    graph.term = term;
    graph.trouble = '';
    try {
        expression = term ? new RegExp(term, ignoresCase(graph, term) ? 'i' : '') : null;
    } catch (error) {
        graph.trouble = 'Bad expression: ' + error.message.replace(/^.*: /, '').toLowerCase();
    }
    if (expression || graph.table)
        mark(graph, expression);
    graph.searchButton.textContent = term ? 'Reset Search' : 'Search';
    graph.searchButton.classList.toggle('show', term !== '');
    markField(graph);
    showMatched(graph);
    writeAddress(graph);
}

function toggleCase(graph) {
    graph.anyCase = !graph.anyCase;
    graph.caseButton.classList.toggle('show', graph.anyCase);
    graph.caseButton.setAttribute('aria-pressed', graph.anyCase);
    search(graph, graph.term);
}
