/* Names as they are drawn: cut to the room that there is, by the measured width of their letters. */

/* A canvas that is never shown, to measure with: unlike getComputedTextLength it lays out nothing. */
function makePen(element) {
    const pen = document.createElementNS(XHTML, 'canvas').getContext('2d');
    pen.font = getComputedStyle(element).font;
    pen.textRendering = 'geometricPrecision'; /* as in the style: the same widths at any scale */
    return pen;
}

/* Each different character is measured once. */
function charWidth(graph, char) {
    let width = graph.widths.get(char);
    if (width === undefined) {
        width = graph.pen.measureText(char).width;
        graph.widths.set(char, width);
    }
    return width;
}

function textWidth(graph, text) {
    let width = 0;
    for (const char of text)
        width += charWidth(graph, char);
    return width;
}

/* How many of the characters, from the first on, fit into the room. */
function countFitting(graph, chars, room) {
    let count = 0;
    for (let used = 0; count < chars.length; count++) {
        used += charWidth(graph, chars[count]);
        if (used > room)
            break;
    }
    return count;
}

/* The name, or as much of it as fits into this many pixels, with ".." in place of the rest; empty if
 * not even one character does. Array.from splits by characters, so that none is cut in half. */
function fit(graph, name, room) {
    if (room < charWidth(graph, '.'))
        return '';
    const chars = Array.from(name);
    if (countFitting(graph, chars, room) === chars.length)
        return name;
    if (graph.cutLeft)
        chars.reverse();
    const kept = chars.slice(0, countFitting(graph, chars, room - textWidth(graph, '..')));
    if (kept.length === 0)
        return '';
    return graph.cutLeft ? '..' + kept.reverse().join('') : kept.join('') + '..';
}

/* Unicode's controls of text direction, which can show a name reversed, become visible. */
function visible(name) {
    return name.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        char => '<U+' + char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '>');
}

/* The label of a frame of this width in the file. */
function labelFor(graph, name, width) {
    return fit(graph, visible(name), width * graph.stretch - 2 * TEXT_PAD);
}

/* Texts are the slowest for a browser to lay out, so empty ones are left alone. x is the frame's. */
function setLabel(graph, text, x, label) {
    if (!label && !text.firstChild)
        return;
    text.setAttribute('x', (x * graph.stretch + TEXT_PAD).toFixed(2));
    if (graph.follows)
        text.setAttribute('transform', `scale(${1 / graph.stretch} 1)`);
    if (text.textContent !== label)
        text.textContent = label;
}

/* Cuts the labels of the file again, which the program has cut by an estimate. */
function fitLabels(graph) {
    for (const text of graph.frames.querySelectorAll('#frames > * > text')) {
        const rect = text.previousElementSibling;
        const title = text.parentNode.firstElementChild.textContent;
        const name = title.slice(0, nameLength(title, graph.units));
        setLabel(graph, text, Number(rect.getAttribute('x')),
            labelFor(graph, name, Number(rect.getAttribute('width'))));
    }
}
