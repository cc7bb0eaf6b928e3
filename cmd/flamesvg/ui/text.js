/* Names as they are drawn: cut to the room that there is, by the measured width of their letters. */

import { makeElement } from './dom.js';
import { data, fontSize, svg } from './picture.js';
export { fit, font, makePen, TEXT_PAD, textWidth, visible };

const TEXT_PAD = 3; /* pixels between a frame's edge and its text, as in the file */

const cutLeft = data.truncate === 'left';
const widths = new Map(); /* by character */
let font = '', pen = null;

/* The pen of a canvas that is never shown, to measure with: unlike getComputedTextLength it lays
 * out nothing. */
function makePen() {
    const family = svg ? getComputedStyle(svg).fontFamily : JSON.stringify(data.fonttype) + ', sans-serif';
    font = `${fontSize}px ${family}`;
    pen = makeElement('canvas').getContext('2d');
    pen.font = font;
    pen.textRendering = 'geometricPrecision'; /* as where they are drawn: the same widths at any scale */
}

/* Each different character is measured once. */
function charWidth(char) {
    let width = widths.get(char);
    if (width === undefined) {
        width = pen.measureText(char).width;
        widths.set(char, width);
    }
    return width;
}

function textWidth(text) {
    let width = 0;
    for (const char of text)
        width += charWidth(char);
    return width;
}

/* The name, or as much of it as fits into this many pixels, with ".." in place of the rest; empty if
 * not even one character does. No character of two UTF-16 code units is cut in half. */
function fit(name, most) {
    const dots = 2 * charWidth('.');
    const text = cutLeft ? Array.from(name).reverse().join('') : name;
    let used = 0, kept = 0; /* the length of what is kept if the name does not fit */
    if (2 * most < dots)
        return '';
    for (let at = 0; at < text.length;) {
        const char = String.fromCodePoint(text.codePointAt(at));
        at += char.length;
        used += charWidth(char);
        if (used + dots <= most)
            kept = at;
        if (used > most)
            return kept === 0 ? '' : cutLeft ? '..' + name.slice(-kept) : name.slice(0, kept) + '..';
    }
    return name;
}

/* Unicode's controls of text direction, which can show a name reversed, become visible; and control
 * characters, and those that XML does not allow, become U+FFFD, as the program writes them. */
function visible(name) {
    return name.replace(/[\0-\b\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd').replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        char => '<U+' + char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '>');
}
