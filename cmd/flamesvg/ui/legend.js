/* What the colours mean: the kinds of code, which a click hides, or the sides of a comparison. */

import { changeFill } from './colour.js';
import { makeElement, style } from './dom.js';
import { data } from './picture.js';
import { profile } from 'profile';
import { state } from './state.js';
import { base } from './transforms.js';
import { change } from './view.js';
import { placeControls } from 'viewport';
export { legend, showLegend, squareOf };

const legend = makeElement('div', { class: 'legend' });
let shownKey = ''; /* what it was made of */
legend.addEventListener('click', event => {
    const name = event.target.closest('button')?.dataset.kind;
    const others = state.steps.filter(step => step.kind !== 'kind' || step.name !== name);
    if (name)
        change({ steps: others.length < state.steps.length ? others : [...others, { kind: 'kind', name }] });
});

function squareOf(color) {
    return style(makeElement('span', {}, '\u25a0 '), { color });
}

function legendOfKinds(hidden) {
    return profile.kindNames.map((name, n) => name && makeElement('button', { type: 'button', 'data-kind': name,
        title: 'Hide or show these frames', 'aria-pressed': !hidden.has(name) }, squareOf(profile.kindFills[n]), name));
}

/* Which side of a comparison each colour means, in the words of legend.c; nothing where other
 * colours are shown. With --negate the changes in the file are those from the second profile to the
 * first. */
function legendOfSides() {
    if (!data.compared || state.colour !== 'palette')
        return [];
    const second = profile.negated ? -base.maxDelta : base.maxDelta;
    return [['more in the second profile (its counts are the widths)', second], ['more in the first', -second]]
        .map(([text, grown]) => makeElement('span', { class: 'side' }, squareOf(changeFill(base, grown)), text));
}

/* The two sides of a comparison, or the kinds with their colours where the frames are coloured by
 * kind. */
function showLegend() {
    const sides = legendOfSides();
    const byKind = sides.length === 0 && profile.kinds && (state.colour === 'kind' ||
        (state.colour === 'palette' && data.kinds === '1'));
    const hidden = new Set(state.steps.filter(step => step.kind === 'kind').map(step => step.name));
    const key = byKind ? [...hidden] + '+' : sides.length || '';
    if (shownKey === key)
        return;
    shownKey = key;
    legend.replaceChildren(...byKind ? legendOfKinds(hidden) : sides);
    placeControls();
}
