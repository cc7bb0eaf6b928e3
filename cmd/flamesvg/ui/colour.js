/* The colours of frames, and black or white for their text, whichever contrasts more: WCAG 2.1,
 * contrast ratio. */

import { packageOf } from './describe.js';
import { makeElement } from './dom.js';
import { background, data } from './picture.js';
import { profile } from 'profile';
import { base } from './transforms.js';
import { table } from './view.js';
export { changeFill, channels, COLOURS, DARK, FADED, hasColours, isDark, isTextWhite, MATCHED, NO_KIND, onDark,
    WITHIN_CHANCE };

const FADED = 0.5; /* opacity of the callers of the zoomed frame */
const MATCHED = '#e600e6';
const DARK = '#1e1f22';
const NO_KIND = 'rgb(225,225,225)';
const WITHIN_CHANCE = 'rgb(200,200,200)';

const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const inks = new Map(); /* by fill, whether its text is white */
const mixer = makeElement('canvas').getContext('2d'); /* never shown */

/* Red, green and blue of any colour, from 0 to 255. */
function channels(colour) {
    mixer.fillStyle = '#000000'; /* stays if the colour is unknown */
    mixer.fillStyle = colour; /* becomes #rrggbb */
    return [1, 3, 5].map(at => parseInt(mixer.fillStyle.slice(at, at + 2), 16));
}

function luminance(rgb) {
    const [r, g, b] = rgb.map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* Whether white has the larger contrast with the worst of these colours. */
function isWhiteBetter(colours) {
    const light = colours.map(luminance);
    return 1.05 / (Math.max(...light) + 0.05) > (Math.min(...light) + 0.05) / 0.05;
}

function isDark() {
    return Boolean(data.dark) && darkScheme.matches;
}

/* Calls act() when the scheme of colours has changed. */
function onDark(act) {
    darkScheme.addEventListener('change', () => {
        inks.clear();
        act();
    });
}

/* Whether white text is easier to read than black on this fill. A faded frame is half transparent, so that the
 * background counts too. */
function isTextWhite(fill, faded) {
    const key = fill + faded;
    let white = inks.get(key);
    if (white === undefined) {
        const front = channels(fill);
        const behind = !faded ? [front] /* it is hidden: as if of the same colour */
            : (isDark() ? [DARK] : background).map(channels);
        white = isWhiteBetter(behind.map(back => back.map((c, n) => FADED * front[n] + (1 - FADED) * c)));
        inks.set(key, white);
    }
    return white;
}

/* The colour of a change in a table, which like maxDelta is in counts times the scale: the smaller
 * the change, the paler. The same rule as palette_delta in palette.c. */
function changeFill({ maxDelta }, grown) {
    if (grown === 0)
        return 'rgb(255,255,255)';
    const rest = (maxDelta - Math.abs(grown)) / maxDelta;
    return `rgb(${(grown > 0 ? profile.grown : profile.shrunk).map(c => Math.trunc(c + (255 - c) * 210 / 255 * rest))})`;
}

/* A pale colour that is always the same for a text. FNV-1a:
 * https://datatracker.ietf.org/doc/draft-eastlake-fnv/ */
function fillOfText(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++)
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return `hsl(${(hash >>> 8) % 360} 60% ${70 + (hash >>> 20) % 12}%)`;
}

function ownFill(i) {
    if (table.delta && profile.grown)
        return base.chance?.is[table.name[i]] ? WITHIN_CHANCE : changeFill(base, table.delta[i]);
    if (table.fill)
        return (base.fills || profile.fills)[table.fill[i]];
    return profile.fills[profile.nameFills[table.name[i]]];
}

/* By the switch "colour by". */
const COLOURS = {
    palette: ownFill,
    name: i => fillOfText(profile.names[table.name[i]]),
    kind: i => profile.kindFills[profile.kinds[table.name[i]]] || NO_KIND,
    package(i) {
        const name = packageOf(i);
        return name ? fillOfText(name) : NO_KIND;
    },
};

function hasColours(by) {
    return by === 'kind' ? profile.kinds !== null : by === 'package' ? profile.packageNames.length > 1 : true;
}
