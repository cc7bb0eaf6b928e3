/* Names as they are drawn: cut to the room that there is, by the measured width of their letters. */

const TEXT_PAD = 3; /* pixels between a frame's edge and its text, as in the file */

/* A canvas that is never shown, to measure with: unlike getComputedTextLength it lays out nothing. */
function makePen(font) {
    const pen = makeElement('canvas').getContext('2d');
    pen.font = font;
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
    /* Of a very long name only what could fit is looked at. */
    const most = Math.ceil(100 * room / graph.fontSize) + 8;
    const part = graph.cutLeft ? name.slice(-most) : name.slice(0, most);
    const chars = Array.from(part);
    if (part.length === name.length && countFitting(graph, chars, room) === chars.length)
        return name;
    if (graph.cutLeft)
        chars.reverse();
    const kept = chars.slice(0, countFitting(graph, chars, room - textWidth(graph, '..')));
    if (kept.length === 0)
        return '';
    return graph.cutLeft ? '..' + kept.reverse().join('') : kept.join('') + '..';
}

/* Unicode's controls of text direction, which can show a name reversed, become visible; and control
 * characters, and those that XML does not allow, become U+FFFD, as the program writes them. */
function visible(name) {
    return name.replace(/[\0-\b\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        char => '<U+' + char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '>');
}
