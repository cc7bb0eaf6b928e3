/* The search, and the share of the frames that match. */

function isFound(table, i) {
    return table.found[table.name[i]] === 1;
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

function showMatched(graph) {
    const percent = graph.term && !graph.trouble ? matchedPercent(graph) : 0;
    const share = 'Matched: ' + (percent === 100 ? '100' : percent.toFixed(1)) + '%';
    graph.matched.textContent = graph.trouble || (graph.term ? share : ' ');
    graph.matched.classList.toggle('trouble', graph.trouble !== '');
}

/* Tests each name once, however many frames have it. */
function mark(table, expression) {
    const found = Uint8Array.from(table.names,
        name => expression !== null && expression.test(name) ? 1 : 0);
    for (let i = 0; i < table.count; i++)
        if (found[table.name[i]] !== table.found[table.name[i]])
            table.node[i].classList.toggle('matched');
    table.found = found;
}

/* A bad expression becomes a message: one that is being typed often is incomplete. */
function search(graph, term) {
    let expression = null;
    graph.term = term;
    graph.trouble = '';
    try {
        expression = term ? new RegExp(term, graph.anyCase ? 'i' : '') : null;
    } catch (error) {
        graph.trouble = 'Bad expression: ' + error.message.replace(/^.*: /, '').toLowerCase();
    }
    if (expression || graph.table)
        mark(tableOf(graph), expression);
    graph.searchButton.textContent = term ? 'Reset Search' : 'Search';
    graph.searchButton.classList.toggle('show', term !== '');
    showMatched(graph);
    writeAddress(graph);
}

function toggleCase(graph) {
    graph.anyCase = !graph.anyCase;
    graph.caseButton.classList.toggle('show', graph.anyCase);
    graph.caseButton.setAttribute('aria-pressed', graph.anyCase);
    search(graph, graph.term);
}
