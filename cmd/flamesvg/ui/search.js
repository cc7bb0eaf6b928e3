/* The search, and the share of the frames that match. */

/* The percentage of the zoomed frame. A stack counts once, however many of its frames match: frames
 * are sorted from left to right, and everything left of `end` is counted already. */
function matchedPercent(graph) {
    const view = graph.zoomed;
    let end = view.x;
    let sum = 0;
    for (const frame of graph.frames.filter(one => one.matched)) {
        const to = Math.min(frame.x + frame.w, view.x + view.w);
        sum += Math.max(to - Math.max(frame.x, end), 0);
        end = Math.max(end, to);
    }
    return 100 * sum / view.w;
}

function showMatched(graph) {
    const percent = matchedPercent(graph);
    const share = 'Matched: ' + (percent === 100 ? '100' : percent.toFixed(1)) + '%';
    graph.matched.textContent = graph.trouble || (graph.term ? share : ' ');
    graph.matched.classList.toggle('trouble', graph.trouble !== '');
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
    for (const frame of graph.frames) {
        frame.matched = expression !== null && expression.test(frame.name);
        frame.node.classList.toggle('matched', frame.matched);
    }
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
