/* The controls: HTML over the picture, in an SVG in a foreignObject. They are in sight wherever the page is
 * scrolled to. */

function makeField(graph) {
    const field = makeElement('input', { id: 'search', type: 'search', spellcheck: 'false',
        autocomplete: 'off', 'aria-label': 'Search for a regular expression' });
    field.addEventListener('input', () => search(graph, field.value));
    return field;
}

function makeToggle(text, id, title, act) {
    const button = makeButton(text, title, act);
    return setAttributes(button, { id, 'aria-label': title, 'aria-pressed': 'false' });
}

function makeControls(graph) {
    return {
        unzoom: setAttributes(makeButton('Reset Zoom', 'Undo the zoom and all changes (Home: the zoom)',
            () => reset(graph)), { id: 'unzoom', hidden: '' }),
        steps: makeElement('span', { id: 'steps' }),
        title: makeElement('span', { class: 'title' }),
        field: makeField(graph),
        anyCase: makeToggle('ic', 'ignorecase', 'Ignore case, also if the search has capitals (Ctrl-I)',
            () => toggleCase(graph)),
        plain: makeToggle('.*', 'regexp', 'The search is a regular expression, not plain text',
            () => togglePlain(graph)),
        view: setAttributes(makeButton('View', 'How the frames are drawn (v)', () => openViewMenu(graph)),
            { id: 'view', 'aria-haspopup': 'menu' }),
        subtitle: makeElement('div', { class: 'subtitle' }),
        legend: makeElement('div', { class: 'legend' }),
        details: makeElement('span', { id: 'details', 'aria-live': 'polite' }),
        matched: makeElement('span', { id: 'matched', 'aria-live': 'polite' }),
        tip: makeElement('div', { class: 'tip', role: 'tooltip', hidden: '' }),
        tree: makeUnseen('div', { role: 'tree', 'aria-label': 'Frames' }),
    };
}

/* What the file says in SVG texts moves into the controls. */
function takeTexts(graph) {
    const { controls, root } = graph;
    for (const name of ['title', 'subtitle']) {
        const node = root.querySelector('#' + name);
        controls[name].textContent = node ? node.textContent : '';
        if (graph.svg)
            node?.setAttribute('display', 'none');
        else
            node?.remove();
    }
    for (const name of ['details', 'unzoom', 'search', 'ignorecase', 'matched'])
        root.querySelector(`text[id="${name}"]`)?.remove();
    root.querySelector('#legend')?.setAttribute('display', 'none');
    controls.title.append(controls.subtitle);
}

function makeLayer(graph) {
    const all = graph.controls = makeControls(graph);
    takeTexts(graph);
    graph.head = makeElement('div', { class: 'head' },
        makeElement('div', { class: 'bar' }, all.unzoom, all.steps, all.title, all.view, all.plain,
            all.anyCase, all.field),
        all.tree, all.legend);
    graph.foot = makeElement('div', { class: 'foot' }, all.details, all.matched);
    style(graph.foot, { 'font-size': graph.fontSize + 'px' }); /* as the labels: see showDetails */
    graph.layer = makeElement('div', { class: 'layer' });
    style(graph.layer, { '--head': graph.background[0], '--foot': graph.background.at(-1) });
    graph.layer.append(graph.head, graph.foot, all.tip);
    graph.controls.legend.addEventListener('click', event => {
        const button = event.target.closest('button');
        if (button)
            toggleKind(graph, button.dataset.kind);
    });
}

/* The names of steps and the switches' buttons say what is shown. */
function showState(graph) {
    const { controls, state } = graph;
    const changed = isChanged(graph);
    show(controls.unzoom, changed || graph.zoomed !== ROOT);
    controls.unzoom.textContent = changed ? 'Reset' : 'Reset Zoom';
    controls.steps.textContent = state.steps.map(step => STEPS[step.kind].says + visible(step.name))
        .concat(state.leaf ? ['merged from the leaf'] : []).join('; ');
    controls.anyCase.setAttribute('aria-pressed', state.anyCase);
    controls.plain.setAttribute('aria-pressed', !state.plain);
    controls.field.placeholder = state.plain ? 'Search' : 'Search (regular expression)';
    if (graph.profile)
        showLegend(graph);
    graph.showTable?.();
}

function squareOf(color) {
    return style(makeElement('span', {}, '\u25a0 '), { color });
}

function legendOfKinds({ profile }, hidden) {
    return profile.kindNames.map((name, n) => name && makeElement('button', { type: 'button', 'data-kind': name,
        title: 'Hide or show these frames', 'aria-pressed': !hidden.has(name) }, squareOf(profile.kindFills[n]), name));
}

/* The two sides of a comparison, or the kinds with their colours where the frames are coloured by kind. */
function showLegend(graph) {
    const { profile, state, controls } = graph, sides = legendOfSides(graph);
    const byKind = sides.length === 0 && profile.kinds && (state.colour === 'kind' ||
        (state.colour === 'palette' && graph.data.kinds === '1'));
    const hidden = new Set(state.steps.filter(step => step.kind === 'kind').map(step => step.name));
    const key = byKind ? [...hidden] + '+' : sides.length || '';
    if (graph.legendKey === key)
        return;
    graph.legendKey = key;
    controls.legend.replaceChildren(...byKind ? legendOfKinds(graph, hidden) : sides);
    placeControls(graph);
}
