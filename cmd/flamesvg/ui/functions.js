/* The table of functions beside the canvas. */

const MOST_ROWS = 200; /* that are made at once */

/* { name, self, total } for each name; a stack counts once in a total, however often it has the function. */
function countFunctions(graph) {
    const { table, profile } = graph;
    const self = new Float64Array(profile.names.length), total = new Float64Array(profile.names.length);
    const open = new Int32Array(profile.names.length); /* how many frames of the name are open */
    const stack = [];
    for (let i = 1; i < table.count; i++) {
        while (stack.length > 0 && table.end[stack[stack.length - 1]] <= i)
            open[table.name[stack.pop()]]--;
        if (table.row[i] < 0)
            continue;
        const name = table.name[i];
        total[name] += open[name]++ === 0 ? table.width[i] : 0;
        self[name] += table.width[i];
        if (table.parent[i] !== ROOT)
            self[table.name[table.parent[i]]] -= table.width[i];
        stack.push(i);
    }
    return Array.from(profile.names.keys(), name => ({ name, self: self[name], total: total[name] }))
        .filter(one => one.total > 0);
}

/* What a column is sorted by, the smallest first. */
const SORT_BY = {
    self: one => -one.self,
    total: one => -one.total,
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

function rowOf(graph, { name, self, total }) {
    const { profile } = graph;
    const all = graph.table.width[ROOT];
    const cell = (text, title) => makeElement('td', { title: title || null }, text);
    const number = count => cell(percent(count, all), countText(graph, count));
    const row = makeElement('tr', { tabindex: 0, 'data-name': name },
        number(self), number(total));
    if (profile.kinds)
        row.append(cell(profile.kindNames[profile.kinds[name]] || ''));
    row.append(cell(visible(profile.names[name]), visible(profile.names[name])));
    return row;
}

function headOf(graph) {
    const { list } = graph.functions;
    const columns = ['self', 'total', ...graph.profile.kinds ? ['kind'] : [], 'function'];
    return makeElement('tr', {}, ...columns.map(column => {
        const button = makeButton(column, 'Sort by ' + column, () => {
            graph.functions.sort = column;
            graph.functions.table = null;
            showFunctions(graph);
            list.querySelector(`[data-column=${column}] button`).focus();
        });
        return makeElement('th', { scope: 'col', 'data-column': column,
            'aria-sort': graph.functions.sort !== column ? 'none'
                : /self|total/.test(column) ? 'descending' : 'ascending' }, button);
    }));
}

/* Rows are those of names that match the search, unless it is that of a row that was clicked (term). */
function showFunctions(graph) {
    const { functions, state } = graph;
    const key = state.term + state.anyCase + state.plain;
    if (functions.table === graph.table && functions.key === key)
        return;
    Object.assign(functions, { table: graph.table, key });
    const rows = countFunctions(graph).filter(({ name }) =>
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
    graph.functions = { list, more, sort: 'self', table: null, key: '', term: '' };
    graph.showTable = showFunctions;
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
