/* What a frame's details and its tooltip say. */

function nameOf(graph, i) {
    const { names, attributes } = graph.profile;
    const name = graph.table.name[i];
    return attributes.get(name)?.title ?? (visible(names[name]) || (i === ROOT ? 'all' : ''));
}

/* "1,234", and "1.25" of a small number. Not by Intl, which takes 40 ms to load before the first number. */
function withCommas(number) {
    const text = Math.abs(number) < 100 ? String(Number(number.toFixed(2))) : number.toFixed(0);
    return text.replace(/\B(?=(\d{3})+$)/g, ',');
}

/* "1,234 samples", or "2.14 s" where the count has a unit: as units_text in units.c. */
function countText(graph, counts) {
    const { units } = graph;
    let value = counts / graph.profile.scale * graph.factor;
    if (!units)
        return withCommas(value) + ' ' + graph.countName;
    const sign = value < 0 ? '-' : '';
    value = Math.abs(value) * graph.unitSize;
    let at = 0;
    for (; value >= 999.5 && at < units.length - 1; at++)
        value /= 1000;
    const whole = value >= 99.95 || (at === 0 && Number.isInteger(value));
    return sign + (whole ? withCommas(Math.round(value)) : value.toFixed(value >= 9.995 ? 1 : 2)) + ' ' + units[at];
}

function percent(part, whole) {
    return (100 * part / whole).toFixed(2) + '%';
}

function signed(text) {
    const plain = text.replace(/^-(?=[0.]*%)/, ''); /* "-0.00%" */
    return plain.startsWith('-') ? plain : '+' + plain;
}

/* "name (1,234 samples, 12.34%)", as flamegraph.pl has it, and where profiles are compared "(1,234
 * samples, 12.34%; +0.12%)". */
function titleOf(graph, i) {
    return nameOf(graph, i) + countsOf(graph, i);
}

function countsOf(graph, i) {
    const { table } = graph;
    const all = allCounts(graph);
    const share = i === ROOT && table === graph.profile.table ? '100%' : percent(countOf(graph, i), all);
    const grown = table.delta && i !== ROOT ? '; ' + signed(percent(table.delta[i], all)) : '';
    return ` (${countText(graph, countOf(graph, i))}, ${share}${grown})`;
}

/* "12 samples, 3.40% of all, 20.00% of main" */
function amount(graph, counts) {
    const { table, zoomed } = graph;
    const all = `${countText(graph, counts)}, ${percent(counts, allCounts(graph))}`;
    return countOf(graph, zoomed) === allCounts(graph) ? all
        : `${all} of all, ${percent(counts, table.width[zoomed])} of what is shown`;
}

function changeText(graph, counts) {
    return `${signed(countText(graph, counts))}, ${signed(percent(counts, allCounts(graph)))}`;
}

/* The npm package of a frame's code; empty for what is in none, which has a name in parentheses. */
function packageOf({ profile, table }, i) {
    const name = profile.packages ? profile.packageNames[profile.packages[table.name[i]]] : '';
    return name.startsWith('(') ? '' : name;
}

/* The counts of the stacks whose leaf is frame i. Where the function of a step has its callers (in rows below 0) and
 * its callees beside it, only the callees are a part of it. */
function selfCount(graph, i) {
    const { table, state } = graph;
    const isBoth = table.row !== table.level;
    if (table.row[i] < 0)
        return 0;
    if (areTurned(graph) !== (state.leaf && !isBoth)) /* merged from the leaf */
        return table.parent[i] === ROOT ? table.width[i] : 0;
    return childrenOf(table, i).filter(child => table.row[child] >= 0)
        .reduce((rest, child) => rest - table.width[child], table.width[i]);
}

/* What the tooltip says below the name: pairs of a word and a text. */
function factsOf(graph, i) {
    const { table, profile } = graph;
    const facts = [['total', amount(graph, countOf(graph, i))], ['self', amount(graph, selfCount(graph, i))]];
    const kind = profile.kinds && profile.kindNames[profile.kinds[table.name[i]]];
    const pack = packageOf(graph, i);
    if (table.delta) {
        const grown = changeOf(table, i);
        const after = isGone(graph, i) ? 0 : countOf(graph, i);
        facts.push(['before', countText(graph, after - grown)], ['after', countText(graph, after)],
            ['change', changeText(graph, grown)], ['self change', changeText(graph, table.delta[i])],
            ...graph.factsOfChance?.(table.name[i]) || []);
    }
    if (kind)
        facts.push(['kind', kind]);
    if (pack)
        facts.push(['package', pack]);
    return facts;
}
