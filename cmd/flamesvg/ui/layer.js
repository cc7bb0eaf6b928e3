/* The controls: HTML over the picture, in an SVG in a foreignObject. They are in sight wherever the page is
 * scrolled to. */

import { detailsLine, tip } from './details.js';
import { makeButton, makeElement, setAttributes, show, style } from './dom.js';
import { tree } from './focus.js';
import { legend, showLegend } from './legend.js';
import { openViewMenu } from './menu.js';
import { showPanels } from 'panels';
import { background, fontSize, root, svg } from './picture.js';
import { profile } from 'profile';
import { caseButton, field, matchedLine, plainButton, showSearch } from './search.js';
import { isChanged, state } from './state.js';
import { ROOT } from './table.js';
import { visible } from './text.js';
import { STEPS } from './transforms.js';
import { reset, zoomed } from './view.js';
export { foot, head, layer, makeLayer, showState, viewButton };

const layer = makeElement('div', { class: 'layer' });
const head = makeElement('div', { class: 'head' }), foot = makeElement('div', { class: 'foot' });
const unzoom = setAttributes(makeButton('Reset Zoom', 'Undo the zoom and all changes (Home: the zoom)', reset),
    { id: 'unzoom', hidden: '' });
const stepsLine = makeElement('span', { id: 'steps' });
const viewButton = setAttributes(makeButton('View', 'How the frames are drawn (v)', openViewMenu),
    { id: 'view', 'aria-haspopup': 'menu' });

/* An element with a text that the file says in SVG, and which goes there. */
function takeText(tag, name) {
    const node = root.querySelector('#' + name);
    if (svg)
        node?.setAttribute('display', 'none');
    else
        node?.remove();
    return makeElement(tag, { class: name }, node ? node.textContent : '');
}

function makeLayer() {
    const title = takeText('span', 'title');
    title.append(takeText('div', 'subtitle'));
    for (const name of ['details', 'unzoom', 'search', 'ignorecase', 'matched'])
        root.querySelector(`text[id="${name}"]`)?.remove();
    root.querySelector('#legend')?.setAttribute('display', 'none');
    head.append(makeElement('div', { class: 'bar' }, unzoom, stepsLine, title, viewButton, plainButton, caseButton, field),
        tree, legend);
    foot.append(detailsLine, matchedLine);
    style(foot, { 'font-size': fontSize + 'px' }); /* as the labels: see showDetails */
    style(layer, { '--head': background[0], '--foot': background.at(-1) });
    layer.append(head, foot, tip);
}

/* The names of steps and the switches' buttons say what is shown. */
function showState() {
    const changed = isChanged();
    show(unzoom, changed || zoomed !== ROOT);
    unzoom.textContent = changed ? 'Reset' : 'Reset Zoom';
    stepsLine.textContent = state.steps.map(step => STEPS[step.kind].says + visible(step.name))
        .concat(state.leaf ? ['merged from the leaf'] : []).join('; ');
    showSearch();
    if (profile)
        showLegend();
    showPanels();
}
