/* The search, the share of the frames that match, and the way from one match to the next. */

import { writeAddress } from './address.js';
import { withCommas } from './describe.js';
import { showDetails } from './details.js';
import { makeElement, makeToggle } from './dom.js';
import { setCurrent, updateTree } from './focus.js';
import { showState } from './layer.js';
import { lowestRow } from './layout.js';
import { profile, profileOf } from 'profile';
import { NO_FRAME } from './table.js';
import { outline, paint, redraw, table, zoomed } from './view.js';
import { scrollToFrame } from './window.js';
export { anyCase, caseButton, field, forgetMatch, found, foundCount, literally, markNames, match, matchedLine, plain,
    plainButton, search, setSearch, showMatched, showSearch, stepMatch, term, toggleCase };

const field = makeElement('input', { id: 'search', type: 'search', spellcheck: 'false', autocomplete: 'off',
    'aria-label': 'Search for a regular expression' });
const caseButton = makeToggle('ic', 'ignorecase', 'Ignore case, also if the search has capitals (Ctrl-I)', toggleCase);
const plainButton = makeToggle('.*', 'regexp', 'The search is a regular expression, not plain text',
    () => search(term, anyCase, !plain));
const matchedLine = makeElement('span', { id: 'matched', 'aria-live': 'polite' });
field.addEventListener('input', () => search(field.value));

let term = '', anyCase = false, plain = false;
let found = null, foundCount = 0; /* for each name 1 if it matches; how many do */
let match = NO_FRAME; /* the frame that was gone to */
let trouble = ''; /* what is wrong with the term, or empty */
const forgetMatch = () => { match = NO_FRAME; };

/* The frames below the zoomed one that match, from left to right. */
function matches() {
    const list = [];
    for (let i = zoomed; i < table.end[zoomed]; i++)
        if (found[table.name[i]] === 1)
            list.push(i);
    return list;
}

/* "12 frames, 34.5%", or "3 of 12 frames, 34.5%" at the third. In the percentage of the zoomed frame a stack counts
 * once, however many of its frames match. Where callers and callees are shown, it may match on both sides, and
 * there is no percentage. */
function matchedText() {
    const { name, end, width } = table;
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
    return lowestRow < 0 ? text : text + ', ' + (share === 100 ? '100' : share.toFixed(1)) + '%';
}

function showMatched() {
    matchedLine.textContent = trouble || (term && table ? matchedText() : '');
    matchedLine.classList.toggle('trouble', trouble !== '');
    field.setAttribute('aria-invalid', trouble !== '');
}

/* Goes to the next match (step 1) or the previous one (step -1); after the last comes the first. */
function stepMatch(step) {
    const list = term && !trouble ? matches() : [];
    const at = match === NO_FRAME && step < 0 ? 0 : list.indexOf(match);
    if (list.length === 0)
        return;
    match = list[(at + step + list.length) % list.length];
    setCurrent(match);
    scrollToFrame(match);
    outline();
    updateTree();
    showMatched();
    showDetails(match);
}

/* Letters match in any case, unless the term has a capital; "\S" is not one. */
function ignoresCase() {
    return anyCase || !/\p{Lu}/u.test(plain ? term : term.replace(/\\./g, ''));
}

/* The regular expression that matches just this text. */
function literally(text) {
    return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/* The test of the search, or null. A bad expression becomes a message: one that is being typed
 * often is incomplete. */
function testOfSearch() {
    const source = plain ? literally(term) : term;
    trouble = '';
    try {
        return term ? new RegExp(source, ignoresCase() ? 'i' : '') : null;
    } catch (error) {
        trouble = 'Bad expression: ' + error.message.replace(/^.*:\s/, '').toLowerCase();
        return null;
    }
}

/* Tests each name once, however many frames have it. */
function markNames() {
    const expression = testOfSearch();
    const { names } = profile;
    found = new Uint8Array(names.length);
    foundCount = 0;
    match = NO_FRAME;
    for (let i = 0; expression && i < names.length; i++) {
        found[i] = expression.test(names[i] || 'all') ? 1 : 0;
        foundCount += found[i];
    }
}

function setSearch(text, ignore, isPlain) {
    [term, anyCase, plain] = [text, ignore, isPlain];
    if (field.value !== text)
        field.value = text;
}

function search(text, ignore = anyCase, isPlain = plain) {
    const had = foundCount;
    setSearch(text, ignore, isPlain);
    if (text || profile) {
        profileOf();
        markNames();
        if (!table)
            redraw();
        else if (had || foundCount)
            paint();
    }
    showMatched();
    showState();
    writeAddress();
}

function toggleCase() {
    search(term, !anyCase);
}

/* The buttons say how is searched. */
function showSearch() {
    caseButton.setAttribute('aria-pressed', anyCase);
    plainButton.setAttribute('aria-pressed', !plain);
    field.placeholder = plain ? 'Search' : 'Search (regular expression)';
}
