/* The page's address, which has what is shown:
 *
 *     ?x=169.5&y=85&s=json&i=1&p=1&t=12.340,12.859999999&stall=3&step=callers:main&step=drop:idle&view=icicle,leaf,size,kind
 *
 * x and y of the zoomed frame, as they are in the file at its own width; the search term, 1 if case
 * is ignored, 1 if the term is plain text; ranges of time, with ";" between two; a stall; steps; and
 * switches, each only where it differs from the file. Links that flamegraph.pl's pictures have made
 * have x, y and s. */

import { afterPaint } from './afterpaint.js';
import { COLOURS } from './colour.js';
import { setCurrent } from './focus.js';
import { showState } from './layer.js';
import { short } from './layout.js';
import { openNarrow } from './narrow.js';
import { rangesText, readRanges, readStall } from 'panels';
import { fileRoom, fileRows, fileTop, ownsWindow, rowHeight, xpad } from './picture.js';
import { profileOf } from 'profile';
import { anyCase, plain, setSearch, term } from './search.js';
import { choose, fileState, NO_STALL, state } from './state.js';
import { ROOT } from './table.js';
import { STEPS } from './transforms.js';
import { rebuild, showFrom, table, zoomed } from './view.js';
export { readAddress, writeAddress };

let visit = 0; /* how many steps of the browser's history were gone to */

function fileX(i) {
    return xpad + table.start[i] * fileRoom / table.width[ROOT];
}

function fileY(i) {
    const row = table.row[i];
    return fileTop + (fileState.icicle ? row : fileRows - 1 - row) * rowHeight;
}

/* The widest frame at this place of the file; x has as many decimals as tell it apart. */
function frameOfPlace(x, y) {
    const { row, width } = table;
    const line = (y - fileTop) / rowHeight;
    const wanted = fileState.icicle ? line : fileRows - 1 - line;
    const nearest = Math.round(wanted);
    const places = (String(x).split('.')[1] || '').length;
    let found = ROOT;
    if (!/^[\d.]+,-?[\d.]+$/.test(`${x},${y}`) || Math.abs(nearest - wanted) * rowHeight >= 1)
        return ROOT;
    for (let i = row.indexOf(nearest, 1); i > ROOT; i = row.indexOf(nearest, i + 1))
        if ((found === ROOT || width[i] > width[found]) &&
            Math.abs(fileX(i) - x) <= 0.5001 * Math.pow(10, -places))
            found = i;
    return found;
}

function placeText() {
    const i = zoomed;
    const y = String(short(fileY(i)));
    const x = [1, 3, 6].map(places => fileX(i).toFixed(places)).find(text => frameOfPlace(text, y) === i);
    return { x: x || fileX(i).toFixed(9), y };
}

function viewText() {
    const { icicle, leaf, size, colour } = state;
    return [
        icicle !== fileState.icicle && (icicle ? 'icicle' : 'flame'),
        leaf !== fileState.leaf && (leaf ? 'leaf' : 'root'),
        size !== fileState.size && (size ? 'size' : 'sorted'), colour !== 'palette' && colour,
    ].filter(Boolean).join(',');
}

function addressOf() {
    const url = new URL(location.href);
    const parts = {
        x: '', y: '', ...zoomed === ROOT ? {} : placeText(),
        s: term, i: anyCase && 1, p: plain && 1, view: viewText(), t: rangesText(),
        stall: state.stall === NO_STALL ? '' : state.stall + 1,
    };
    for (const key of Object.keys(parts)) {
        url.searchParams.delete(key);
        if (parts[key])
            url.searchParams.set(key, parts[key]);
    }
    url.searchParams.delete('step');
    for (const { kind, name } of state.steps)
        url.searchParams.append('step', kind + ':' + name);
    return url;
}

/* Writes what is shown now, after the paint, since browsers take milliseconds for it; not if the user has gone to another
 * step of the history by then. `way` is pushState for a step that Back takes back. */
function writeAddress(way = 'replaceState') {
    const now = visit, url = addressOf();
    afterPaint(() => {
        try {
            if (ownsWindow && now === visit)
                history[way](history.state, '', url);
        } catch (error) {
            /* Not allowed in data: documents, and by some browsers in files. Only the address is lost. */
        }
    });
}

/* A step of the address, or null: one that is not known, or of a function that is not in the profile. */
function readStep(text) {
    const [, kind, name] = text.match(/^([a-z]+):(.*)$/s) || [];
    const { names, kindNames } = profileOf();
    const known = Object.hasOwn(STEPS, kind || '') && (kind === 'kind' ? kindNames : names).includes(name);
    return known ? { kind, name } : null;
}

function readState(address) {
    const views = (address.get('view') || '').split(',');
    const icicle = views.includes('icicle') || (fileState.icicle && !views.includes('flame'));
    const size = views.includes('size') || (fileState.size && !views.includes('sorted'));
    const colour = views.find(view => Object.hasOwn(COLOURS, view)) || 'palette';
    const steps = address.getAll('step').map(text => readStep(text)).filter(Boolean);
    const leaf = views.includes('leaf') || (fileState.leaf && !views.includes('root'));
    const stall = readStall(address.get('stall')), ranges = stall === NO_STALL ? readRanges(address.get('t')) : [];
    return { steps, icicle, size, leaf, colour, ranges, stall };
}

/* Shows what the address says. The search of now stays after Back and Forward. */
function readAddress(isNew) {
    const address = new URL(location.href).searchParams;
    visit++;
    const wanted = ['x', 's', 't', 'stall', 'step', 'view'].some(key => address.get(key));
    if (isNew)
        setSearch(address.get('s') || '', Boolean(address.get('i')), Boolean(address.get('p')));
    if (wanted || !isNew && table) {
        choose(readState(address));
        rebuild();
        const frame = frameOfPlace(address.get('x'), address.get('y'));
        setCurrent(frame);
        showFrom(frame);
    } else if (isNew) {
        openNarrow();
    }
    showState();
    writeAddress();
}
