/* Black or white text on faded frames, whichever contrasts more: WCAG 2.1, contrast ratio. The
 * program chooses for all other frames. */

const FADED = 0.5; /* opacity of a caller's rectangle, as in the style */
const MATCHED = '#e600e6';
const DARK = '#1e1f22';

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

function backgrounds(graph) {
    if (graph.svg.dataset.dark && graph.darkScheme.matches)
        return [DARK];
    return Array.from(graph.svg.querySelectorAll('#background > stop'),
        stop => stop.getAttribute('stop-color'));
}

/* Chooses for the callers of the zoomed frame. */
function inkCallers(graph) {
    const table = graph.table;
    const behind = backgrounds(graph).map(colour => channels(graph, colour));
    for (let i = table.parent[graph.zoomed]; i !== NO_FRAME; i = table.parent[i]) {
        const fill = channels(graph, isFound(table, i) ? MATCHED : table.rect[i].getAttribute('fill'));
        const mixed = behind.map(back => back.map((c, n) => FADED * fill[n] + (1 - FADED) * c));
        table.node[i].classList.toggle('light', isWhiteBetter(mixed));
    }
}
