/* What a frame's details and its tooltip say. */

import { data, factor, units } from './picture.js';
import { profile } from 'profile';
import { state } from './state.js';
import { changeOf, childrenOf, ROOT, stackOf } from './table.js';
import { visible } from './text.js';
import { areTurned, base } from './transforms.js';
import { table, zoomed } from './view.js';
export { allCounts, countsOf, countText, factsOf, nameOf, packageOf, percent, signed, titleOf, withCommas };

const UNITS = { ns: 1, us: 1e3, ms: 1e6, bytes: 1 }; /* --countname, and its size in the smallest unit */

/* The count of the stacks that are gone, drawn beside the others, as wide as they were: see gone.h.
 * Of a page it is 0, and gonestrip.js draws them. */
function countOfGone() {
    return (Number(data.gone) || 0) * profile.scale;
}

/* The count that is 100 %: of all stacks but those that are gone. */
function allCounts() {
    return base.width[ROOT] - countOfGone();
}

/* The count of a frame, which is its width but for the root beside stacks that are gone. */
function countOf(i) {
    return table.width[i] - (i === ROOT ? countOfGone() : 0);
}

/* Whether frame i is in a stack that is gone. */
function isGone(i) {
    return countOfGone() > 0 && stackOf(table, i).some(frame => profile.names[table.name[frame]] === '(gone)');
}

function nameOf(i) {
    const { names, attributes } = profile;
    const name = table.name[i];
    return attributes.get(name)?.title ?? (visible(names[name]) || (i === ROOT ? 'all' : ''));
}

/* "1,234", and "1.25" of a small number. Not by Intl, which takes 40 ms to load before the first number. */
function withCommas(number) {
    const text = Math.abs(number) < 100 ? String(Number(number.toFixed(2))) : number.toFixed(0);
    return text.replace(/\B(?=(\d{3})+$)/g, ',');
}

/* "1,234 samples", or "2.14 s" where the count has a unit: as units_text in units.c. */
function countText(counts) {
    let value = counts / profile.scale * factor;
    if (!units)
        return withCommas(value) + ' ' + data.countname;
    const sign = value < 0 ? '-' : '';
    value = Math.abs(value) * UNITS[data.countname];
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
function titleOf(i) {
    return nameOf(i) + countsOf(i);
}

function countsOf(i) {
    const all = allCounts();
    const share = i === ROOT && table === base ? '100%' : percent(countOf(i), all);
    const grown = table.delta && i !== ROOT ? '; ' + signed(percent(table.delta[i], all)) : '';
    return ` (${countText(countOf(i))}, ${share}${grown})`;
}

/* "12 samples, 3.40% of all, 20.00% of main" */
function amount(counts) {
    const all = `${countText(counts)}, ${percent(counts, allCounts())}`;
    return countOf(zoomed) === allCounts() ? all
        : `${all} of all, ${percent(counts, table.width[zoomed])} of what is shown`;
}

function changeText(counts) {
    return `${signed(countText(counts))}, ${signed(percent(counts, allCounts()))}`;
}

/* The npm package of a frame's code; empty for what is in none, which has a name in parentheses. */
function packageOf(i) {
    const name = profile.packages ? profile.packageNames[profile.packages[table.name[i]]] : '';
    return name.startsWith('(') ? '' : name;
}

/* The counts of the stacks whose leaf is frame i. Where the function of a step has its callers (in rows below 0) and
 * its callees beside it, only the callees are a part of it. */
function selfCount(i) {
    const isBoth = table.row !== table.level;
    if (table.row[i] < 0)
        return 0;
    if (areTurned() !== (state.leaf && !isBoth)) /* merged from the leaf */
        return table.parent[i] === ROOT ? table.width[i] : 0;
    return childrenOf(table, i).filter(child => table.row[child] >= 0)
        .reduce((rest, child) => rest - table.width[child], table.width[i]);
}

/* What the tooltip says below the name: pairs of a word and a text. */
function factsOf(i) {
    const facts = [['total', amount(countOf(i))], ['self', amount(selfCount(i))]];
    const kind = profile.kinds && profile.kindNames[profile.kinds[table.name[i]]];
    const pack = packageOf(i);
    if (table.delta) {
        const grown = changeOf(table, i);
        const after = isGone(i) ? 0 : countOf(i);
        facts.push(['before', countText(after - grown)], ['after', countText(after)],
            ['change', changeText(grown)], ['self change', changeText(table.delta[i])]);
        if (base.chance)
            facts.push(['margin of error',
                `\u00b1${(100 * base.chance.margin[table.name[i]]).toFixed(2)} points of its function's share`]);
    }
    if (kind)
        facts.push(['kind', kind]);
    if (pack)
        facts.push(['package', pack]);
    return facts;
}
