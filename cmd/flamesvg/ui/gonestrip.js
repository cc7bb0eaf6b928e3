/* Where profiles or ranges are compared: what the colours mean, and the stacks that are gone, which the graph has no
 * width for. They are in a strip above it, and can be shown as the graph. */

const MOST_GONE = 40; /* boxes of the strip */

/* How many counts all that frame i calls had before, if none is left; 0 if some is left. */
function countGone({ table, beforeScale }, i) {
    return table.width[i] === 0 ? Math.max(-changeOf(table, i), 0) / beforeScale : 0;
}

/* By name, what is gone with a function whose caller is still there, the largest first. */
function largestGone({ profile }) {
    const { table } = profile, gone = new Map();
    for (let i = 1; i < table.count; i = table.width[i] === 0 ? table.end[i] : i + 1) {
        const count = countGone(profile, i), name = table.name[i];
        if (count > 0)
            gone.set(name, (gone.get(name) || 0) + count);
    }
    return Array.from(gone, ([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
}

/* The table of the stacks that are gone, with the counts that they had. */
function tableOfGone(graph) {
    const { table } = graph.profile, forest = makeForest(table, false);
    eachStack(table, (stack, count, delta) => {
        if (delta < 0 && table.width[stack.at(-1)] === 0)
            addStack(forest, stack, -delta / graph.profile.beforeScale, 0);
    });
    const gone = tableOf(forest, orderOf(graph, forest), true);
    return { ...gone, delta: null, fill: new Int32Array(gone.count).fill(graph.profile.fills.indexOf(fillOfGone(graph))) };
}

/* That of half of the largest change: how much there was, the widths say. */
function fillOfGone({ profile }) {
    const fill = changeFill(profile, -profile.maxDelta / 2);
    if (!profile.fills.includes(fill))
        profile.fills.push(fill);
    return fill;
}

/* As a step, which the address names, and Escape and Back take back. */
STEPS.gone = {
    says: 'what is gone',
    map: stack => stack,
};

function showsGone({ state }) {
    return state.steps.some(step => step.kind === 'gone');
}

function toggleGone(graph) {
    change(graph, { steps: showsGone(graph) ? [] : [{ kind: 'gone', name: '' }] });
}

function makeBox(graph, { name, count }, before) {
    const { names } = graph.profile, text = visible(names[name]);
    const box = makeButton(text, `${text}: ${countText(graph, count)} gone from these callers (${percent(count, before)} of the first)`,
        () => change(graph, { steps: [{ kind: 'gone', name: '' }, { kind: 'focus', name: names[name] }] }));
    const fill = fillOfGone(graph);
    style(box, { 'flex-grow': count / before, background: fill, color: isTextWhite(graph, fill, false) ? '#fff' : '#000' });
    return box;
}

/* "grew, shrank, within the margin of error", each after a square of its colour; of two files the legend above the frames
 * has the first two. */
function legendOfChange({ data, profile }) {
    const { maxDelta } = profile;
    const colours = { grew: !data.compared && changeFill(profile, maxDelta),
        shrank: !data.compared && changeFill(profile, -maxDelta),
        'within the margin of error': profile.chance && WITHIN_CHANCE };
    return Object.keys(colours).filter(text => colours[text]).map((text, n) =>
        makeElement('b', {}, n > 0 ? ', ' : '', squareOf(colours[text]), text));
}

/* What the strip shows of the comparison in profile.table; nothing if none is there. */
function showGone(graph, gone) {
    const { profile, strip } = graph, { table } = profile;
    show(strip.node, table.delta);
    if (!table.delta)
        return;
    const sum = gone.reduce((all, { count }) => all + count, 0);
    const before = (table.width[ROOT] - changeOf(table, ROOT)) / profile.beforeScale;
    show(strip.toggle, sum > 0);
    const legend = legendOfChange(graph);
    strip.says.replaceChildren(...legend,
        sum > 0 ? `${legend.length > 0 ? '; ' : ''}gone: ${countText(graph, sum)}, ${percent(sum, before)} of the first` : '');
    strip.boxes.replaceChildren(...gone.slice(0, MOST_GONE).map(one => makeBox(graph, one, before)));
    strip.toggle.setAttribute('aria-pressed', showsGone(graph));
}

/* Takes what is gone in place of the comparison, if the user wants that and there is some. */
function takeGone(graph) {
    const { profile } = graph;
    const gone = profile.table.delta ? largestGone(graph) : [];
    showGone(graph, gone);
    if (showsGone(graph) && gone.length > 0)
        profile.table = tableOfGone(graph);
}

/* The strip, which is hidden where nothing is compared. */
function makeStrip(graph) {
    const toggle = makeToggle('Gone', 'gone', 'Show only the stacks that are gone', () => toggleGone(graph));
    const says = makeElement('span', { 'aria-live': 'polite' }), boxes = makeElement('div', { class: 'boxes' });
    const node = makeElement('div', { class: 'heat strip', hidden: '' },
        makeElement('div', { class: 'ranges' }, toggle, says), boxes);
    const { profile } = graph, { whole } = profile;
    graph.factsOfChance = name => profile.chance
        ? [['margin of error', `\u00b1${(100 * profile.chance.margin[name]).toFixed(2)} points of its function's share`]] : [];
    graph.strip = { node, toggle, says, boxes };
    if (whole.delta)
        profile.chance = chanceOfFile(graph);
    const { takeTable = () => { profile.table = whole; } } = graph;
    graph.takeTable = () => {
        takeTable();
        takeGone(graph);
    };
    return node;
}
