/* The line at the bottom that describes a frame, and the tooltip near the pointer. */

import { countsOf, factsOf, nameOf } from './describe.js';
import { makeElement, show, style } from './dom.js';
import { foot, layer } from './layer.js';
import { data, fontSize } from './picture.js';
import { matchedLine } from './search.js';
import { NO_FRAME } from './table.js';
import { fit, textWidth } from './text.js';
export { detailsLine, hideTip, say, showDetails, showTip, tip };

const detailsLine = makeElement('span', { id: 'details', 'aria-live': 'polite' });
const tip = makeElement('div', { class: 'tip', role: 'tooltip', hidden: '' });
let tipFrame = NO_FRAME;
const say = text => { detailsLine.textContent = text; };

/* What matches the search is on the same line: a long name is cut to leave room. */
function showDetails(frame) {
    const counts = countsOf(frame);
    const others = textWidth(data.nametype + '   ' + counts + matchedLine.textContent) + 30;
    const most = Math.max(foot.clientWidth - others, 3 * fontSize);
    say(data.nametype + ' ' + fit(nameOf(frame), most) + counts);
}

function showTip(frame, x, y) {
    if (tipFrame !== frame) {
        const rows = factsOf(frame).map(([word, text]) =>
            makeElement('tr', {}, makeElement('th', { scope: 'row' }, word), makeElement('td', {}, text)));
        tip.replaceChildren(makeElement('div', { class: 'name' }, nameOf(frame)),
            makeElement('table', {}, makeElement('tbody', {}, ...rows)));
        tipFrame = frame;
    }
    show(tip, true);
    style(tip, { position: 'absolute', left: '0', top: '0' });
    const { clientWidth, clientHeight } = layer;
    const left = Math.min(x + 14, clientWidth - tip.offsetWidth - 4);
    const below = y + 18 + tip.offsetHeight < clientHeight;
    style(tip, { left: Math.max(left, 0) + 'px',
        top: Math.max(below ? y + 18 : y - tip.offsetHeight - 10, 0) + 'px' });
}

function hideTip() {
    show(tip, false);
    tipFrame = NO_FRAME;
}
