/* The colours of frames, and black or white for their text, whichever contrasts more: WCAG 2.1,
 * contrast ratio. */

const FADED = 0.5; /* opacity of the callers of the zoomed frame */
const MATCHED = '#e600e6';
const DARK = '#1e1f22';
const NO_KIND = 'rgb(225,225,225)';
const WITHIN_CHANCE = 'rgb(200,200,200)';

/* Red, green and blue of any colour, from 0 to 255. */
function channels(graph, colour) {
    graph.pen.fillStyle = '#000000'; /* stays if the colour is unknown */
    graph.pen.fillStyle = colour; /* becomes #rrggbb */
    return [1, 3, 5].map(at => parseInt(graph.pen.fillStyle.slice(at, at + 2), 16));
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

function isDark(graph) {
    return Boolean(graph.data.dark) && graph.darkScheme.matches;
}

/* Whether white text is easier to read than black on this fill. A faded frame is half transparent, so that the
 * background counts too. */
function isTextWhite(graph, fill, faded) {
    const key = fill + faded;
    let white = graph.inks.get(key);
    if (white === undefined) {
        const front = channels(graph, fill);
        const behind = !faded ? [front] /* it is hidden: as if of the same colour */
            : (isDark(graph) ? [DARK] : graph.background).map(colour => channels(graph, colour));
        white = isWhiteBetter(behind.map(back => back.map((c, n) => FADED * front[n] + (1 - FADED) * c)));
        graph.inks.set(key, white);
    }
    return white;
}

/* The colour of a change, which like maxDelta is in counts times the scale: the smaller the change, the paler.
 * The same rule as palette_delta in palette.c. */
function changeFill(profile, grown) {
    if (grown === 0)
        return 'rgb(255,255,255)';
    const rest = (profile.maxDelta - Math.abs(grown)) / profile.maxDelta;
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

function ownFill(graph, i) {
    const { table, profile } = graph;
    if (table.delta && profile.grown)
        return profile.chance?.is[table.name[i]] ? WITHIN_CHANCE : changeFill(profile, table.delta[i]);
    if (table.fill)
        return profile.fills[table.fill[i]];
    return profile.fills[profile.nameFills[table.name[i]]];
}

/* By the switch "colour by". */
const COLOURS = {
    palette: ownFill,
    name: (graph, i) => fillOfText(graph.profile.names[graph.table.name[i]]),
    kind: ({ profile, table }, i) => profile.kindFills[profile.kinds[table.name[i]]] || NO_KIND,
    package(graph, i) {
        const name = packageOf(graph, i);
        return name ? fillOfText(name) : NO_KIND;
    },
};

function hasColours(profile, by) {
    return by === 'kind' ? profile.kinds !== null
        : by === 'package' ? profile.packageNames.length > 1 : true;
}
