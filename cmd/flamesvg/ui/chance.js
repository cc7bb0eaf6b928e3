/* Which differences of two ranges, or of the two counts of a file, may be chance: as stackdiff decides, in compare.c and stats.c, for
 * one run a side. */

import { units } from './picture.js';
import { profile } from 'profile';
import { ROOT } from './table.js';
export { chanceOf, comparedFile, withCallees };

const DISPERSION = 1.5, FREEDOM = 40, WRONG = 0.01;

/* The probability that Student's t is above t. */
function tailOf(t) {
    const sine = t / Math.sqrt(FREEDOM + t * t), cosine2 = FREEDOM / (FREEDOM + t * t);
    let sum = 1, term = 1;
    for (let i = 2; i < FREEDOM; i += 2) {
        term *= cosine2 * (i - 1) / i;
        sum += term;
    }
    return Math.max(1 - sine * sum, 0) / 2;
}

function quantileOf(probability) {
    let [low, high] = [0, 1e6];
    for (let i = 0; i < 100; i++) {
        const middle = (low + high) / 2;
        [low, high] = tailOf(middle) > probability ? [middle, high] : [low, middle];
    }
    return high;
}

/* The variance of a share, with a sample more that is in the function and one that is not. */
function shareVariance(count, total) {
    const n = total / DISPERSION + 2, p = (count / DISPERSION + 1) / n;
    return p * (1 - p) / n;
}

/* The counts of each name: a stack counts once, however often it has the function. */
function countsOfNames(whole, all, names) {
    const counts = new Float64Array(names), covered = new Int32Array(names); /* the end of the last frame that counts */
    for (let i = 1; i < whole.count; i++) {
        const name = whole.name[i];
        if (i >= covered[name]) {
            counts[name] += all[i];
            covered[name] = whole.end[i];
        }
    }
    return counts;
}

const MOST_SAMPLES = 1e7; /* more is hardly a number of samples: as in gate.c of stackdiff */

/* The counts of frames alone, and with those of what they call. */
function withCallees({ parent, count }, own) {
    const all = own.slice();
    for (let i = count - 1; i > ROOT; i--)
        all[parent[i]] += all[i];
    return { own, all };
}

/* For each name 1 if the change of its share may be chance; `margin`: by how much it may change so. Null if the counts
 * are not those of samples. `sides` are the counts before and after, as withCallees() gives them. */
function chanceOf(...sides) {
    const { names, scale } = profile;
    const totals = sides.map(({ all }) => all[ROOT] / scale);
    if (units || totals.some(total => !(total > 0 && total <= MOST_SAMPLES)))
        return null;
    const [before, after] = sides.map(({ all }) => countsOfNames(profile.table, all, names.length));
    let functions = 0;
    for (let name = 0; name < names.length; name++)
        functions += before[name] + after[name] > 0 ? 1 : 0;
    const factor = quantileOf(WRONG / (2 * Math.max(functions, 1)));
    const is = new Uint8Array(names.length), margin = new Float64Array(names.length);
    for (let name = 0; name < names.length; name++) {
        const one = before[name] / scale, other = after[name] / scale;
        margin[name] = factor * Math.sqrt(shareVariance(one, totals[0]) + shareVariance(other, totals[1]));
        is[name] = Math.abs(other / totals[1] - one / totals[0]) > margin[name] ? 0 : 1;
    }
    return { is, margin };
}

/* The same for the two counts of the file. */
function chanceOfFile() {
    const { table, negated } = profile;
    const after = Float64Array.from(table.width);
    for (let i = 1; i < table.count; i++)
        after[table.parent[i]] -= table.width[i];
    const before = after.map((count, i) => count - (negated ? -1 : 1) * table.delta[i]);
    return chanceOf(withCallees(table, before), withCallees(table, after));
}

/* The file's table, with that if it compares. */
const comparedFile = profile.table.delta ? { ...profile.table, chance: chanceOfFile() } : profile.table;
