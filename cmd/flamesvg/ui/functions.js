/* The table of functions beside the canvas. */

const MOST_ROWS = 200; /* that are made at once */

/* { name, self, total, change } for each name; a stack counts once in a total, and in its change, however often it has
 * the function. */
function countFunctions(graph) {
    const { table: { name }, names } = graph.profile;
    const [self, total, changes] = [0, 0, 0].map(() => new Float64Array(names.length));
    const seen = new Int32Array(names.length); /* the number of the last stack that had it */
    const turned = areTurned(graph);
    let number = 0;
    eachShown(graph, graph.state.steps, (stack, count, delta) => {
        number++;
        for (const frame of stack) {
            const one = name[frame];
            if (seen[one] === number)
                continue;
            seen[one] = number;
            total[one] += count;
            changes[one] += delta;
        }
        if (stack.length > 0)
            self[name[stack[turned ? 0 : stack.length - 1]]] += count;
    });
    return Array.from(names.keys(), one => ({ name: one, self: self[one], total: total[one], change: changes[one] }))
        .filter(one => one.total > 0 || one.change !== 0);
}

/* What a column is sorted by, the smallest first. */
const SORT_BY = {
    self: one => -one.self,
    total: one => -one.total,
    change: one => -one.change,
    kind: (one, profile) => profile.kinds[one.name],
    function: (one, profile) => profile.names[one.name],
};

function compareBy(profile, column) {
    const key = SORT_BY[column];
    return (a, b) => {
        const [one, other] = [key(a, profile), key(b, profile)];
        return one < other ? -1 : one > other ? 1 : b.self - a.self;
    };
}

function rowOf(graph, { name, self, total, change: grown }) {
    const { profile } = graph;
    const shown = visible(profile.names[name]);
    const cell = (text, title = null) => makeElement('td', { title }, text);
    const number = (count, sign = text => text) => setAttributes(
        cell(sign(percent(count, allCounts(graph))), sign(countText(graph, count))), { class: 'number' });
    const row = makeElement('tr', { tabindex: 0, 'data-name': name }, number(self), number(total));
    if (profile.table.delta)
        row.append(number(grown, signed));
    if (profile.kinds)
        row.append(cell(profile.kindNames[profile.kinds[name]] || ''));
    row.append(cell(shown, shown));
    return row;
}

function headOf(graph) {
    const { list } = graph.functions;
    const { table, kinds } = graph.profile;
    const columns = ['self', 'total', table.delta && 'change', kinds && 'kind', 'function'].filter(Boolean);
    return makeElement('tr', {}, ...columns.map(column => {
        const button = makeButton(column, 'Sort by ' + column, () => {
            graph.functions.sort = column;
            graph.functions.table = null;
            showFunctions(graph);
            list.querySelector(`[data-column=${column}] button`).focus();
        });
        return makeElement('th', { scope: 'col', 'data-column': column,
            'aria-sort': graph.functions.sort !== column ? 'none'
                : /self|total|change/.test(column) ? 'descending' : 'ascending' }, button);
    }));
}

/* Rows are those of names that match the search, unless it is that of a row that was clicked (term). */
function showFunctions(graph) {
    const { functions, state } = graph;
    const key = state.term + state.anyCase + state.plain;
    if (functions.table === graph.table && functions.key === key)
        return;
    if (functions.counted !== graph.table)
        functions.counts = countFunctions(graph);
    Object.assign(functions, { table: graph.table, counted: graph.table, key });
    const rows = functions.counts.filter(({ name }) =>
        graph.foundCount === 0 || state.term === functions.term || graph.found[name])
        .sort(compareBy(graph.profile, functions.sort));
    const more = rows.length - MOST_ROWS;
    functions.list.replaceChildren(makeElement('thead', {}, headOf(graph)),
        makeElement('tbody', {}, ...rows.slice(0, MOST_ROWS).map(one => rowOf(graph, one))));
    functions.more.textContent = more > 0 ? `${withCommas(more)} more: search to see them` : '';
}

/* A click finds a function in the picture; a double click, or Enter, focuses on it. */
function makeFunctions(graph) {
    const list = makeElement('table');
    const more = makeElement('p');
    const nameOfRow = event => {
        const row = event.target.closest('tr[data-name]');
        return row ? graph.profile.names[row.dataset.name] : undefined;
    };
    graph.functions = { list, more, sort: 'self', counts: [], counted: null, table: null, key: '', term: '' };
    graph.showTable = () => afterPaint(() => showFunctions(graph)); /* the picture first */
    list.addEventListener('click', event => {
        const name = nameOfRow(event);
        if (name === undefined || event.detail > 1)
            return;
        graph.state.plain = false;
        graph.functions.term = '^' + literally(name) + '$';
        search(graph, graph.functions.term);
    });
    const focus = event => {
        const name = nameOfRow(event);
        if (name !== undefined)
            addStep(graph, 'focus', name);
    };
    list.addEventListener('dblclick', focus);
    list.addEventListener('keydown', event => event.key === 'Enter' && focus(event));
    return makeElement('div', { class: 'functions' }, list, more);
}

/* The functions of the table, for tests: their names, counts, and where profiles are compared the change that chance may
 * be, in percentage points. */
function functionsOf(graph) {
    const { names, chance } = graph.profile;
    return countFunctions(graph).map(({ name, self, total, change: grown }) =>
        ({ name: names[name], self, total, change: grown, margin: chance ? 100 * chance.margin[name] : 0 }));
}
