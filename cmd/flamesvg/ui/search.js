/* The search, the share of the frames that match, and the way from one match to the next. */

/* The frames below the zoomed one that match, from left to right. */
function matches(graph) {
    const list = [];
    const { table, zoomed, found } = graph;
    for (let i = zoomed; i < table.end[zoomed]; i++)
        if (found[table.name[i]] === 1)
            list.push(i);
    return list;
}

/* "12 frames, 34.5%", or "3 of 12 frames, 34.5%" at the third. In the percentage of the zoomed frame a stack counts
 * once, however many of its frames match. Where callers and callees are shown, it may match on both sides, and
 * there is no percentage. */
function matchedText(graph) {
    const { table: { name, end, width }, zoomed, found, match } = graph;
    let count = 0, place = 0, sum = 0, covered = zoomed; /* the end of the last match that counts */
    for (let i = zoomed, last = end[zoomed]; i < last; i++) {
        if (found[name[i]] === 0)
            continue;
        count++;
        if (i === match)
            place = count;
        if (i >= covered) {
            sum += width[i];
            covered = end[i];
        }
    }
    if (count === 0)
        return 'No frame matches';
    const text = (place > 0 ? place + ' of ' : '') + withCommas(count) + (count === 1 ? ' frame' : ' frames');
    const share = 100 * sum / width[zoomed];
    return graph.lowestRow < 0 ? text : text + ', ' + (share === 100 ? '100' : share.toFixed(1)) + '%';
}

function showMatched(graph) {
    const { matched, field } = graph.controls;
    matched.textContent = graph.trouble || (graph.state.term && graph.table ? matchedText(graph) : '');
    matched.classList.toggle('trouble', graph.trouble !== '');
    field.setAttribute('aria-invalid', graph.trouble !== '');
}

/* Goes to the next match (step 1) or the previous one (step -1); after the last comes the first. */
function stepMatch(graph, step) {
    const list = graph.state.term && !graph.trouble ? matches(graph) : [];
    const at = graph.match === NO_FRAME && step < 0 ? 0 : list.indexOf(graph.match);
    if (list.length === 0)
        return;
    graph.match = graph.current = list[(at + step + list.length) % list.length];
    scrollToFrame(graph, graph.match);
    outline(graph);
    updateTree(graph);
    showMatched(graph);
    showDetails(graph, graph.match);
}

/* Letters match in any case, unless the term has a capital; "\S" is not one. */
function ignoresCase(state) {
    return state.anyCase || !/\p{Lu}/u.test(state.plain ? state.term : state.term.replace(/\\./g, ''));
}

/* The regular expression that matches just this text. */
function literally(text) {
    return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/* The test of the state's search, or null. A bad expression becomes a message: one that is being typed often
 * is incomplete. */
function testOfSearch(graph) {
    const { term, plain } = graph.state;
    const source = plain ? literally(term) : term;
    graph.trouble = '';
    try {
        return term ? new RegExp(source, ignoresCase(graph.state) ? 'i' : '') : null;
    } catch (error) {
        graph.trouble = 'Bad expression: ' + error.message.replace(/^.*:\s/, '').toLowerCase();
        return null;
    }
}

/* Tests each name once, however many frames have it. */
function markNames(graph) {
    const expression = testOfSearch(graph);
    const { names } = graph.profile;
    graph.found = new Uint8Array(names.length);
    graph.foundCount = 0;
    graph.match = NO_FRAME;
    for (let i = 0; expression && i < names.length; i++) {
        graph.found[i] = expression.test(names[i] || 'all') ? 1 : 0;
        graph.foundCount += graph.found[i];
    }
}

function search(graph, term) {
    const had = graph.foundCount;
    graph.state.term = term;
    if (graph.controls.field.value !== term)
        graph.controls.field.value = term;
    if (term || graph.profile) {
        profileOf(graph);
        markNames(graph);
        if (!graph.table)
            redraw(graph);
        else if (had || graph.foundCount)
            paint(graph);
    }
    showMatched(graph);
    showState(graph);
    writeAddress(graph);
}

function toggleCase(graph) {
    graph.state.anyCase = !graph.state.anyCase;
    search(graph, graph.state.term);
}

function togglePlain(graph) {
    graph.state.plain = !graph.state.plain;
    search(graph, graph.state.term);
}
