/* The profile of a picture without a table (with one: decode.js): of frames that the users of
 * flamegraph.pl know. They are read when the browser has nothing else to do, or something needs
 * them, because 50,000 take long.
 *
 *     <g id="frames">
 *       <g>                            <a> if the frame is a link
 *         <title>name (1,234 samples, 12.34%)</title>
 *         <rect x y width height fill/>
 *         <text x>na..</text>
 *
 * A frame comes after its caller, and the callees of a frame from right to left. */

import { data, factor, fileRoom, frames, rowHeight, xpad } from './picture.js';
import { fileState } from './state.js';
import { childrenOf, linkFrames, makeTable, ROOT } from './table.js';
export { drawFirst, openFrames, profile, profileOf };

const fileTotal = Number(data.total);
const read = []; /* the frames of the file that have been read */
let profile = null;

/* The length of the name in "name (1,234 samples, 12.34%)"; it may hold parentheses itself. A title
 * that --nameattr has replaced is all name. */
function nameLength(title) {
    const end = title.lastIndexOf(' ' + data.countname + ', ');
    const open = end < 0 ? -1 : title.lastIndexOf(' (', end - 1);
    return open < 0 ? title.length : open;
}

/* Edges nearer than this are the same one: the file rounds to a tenth of a pixel. */
const ROUNDED = 0.11;

function readNode(node) {
    const title = node.firstElementChild, rect = title.nextElementSibling;
    const text = title.textContent;
    const length = nameLength(text);
    const counts = text.slice(length);
    const edge = name => Number(rect.getAttribute(name));
    return {
        node, name: text.slice(0, length), fill: rect.getAttribute('fill'),
        count: counts ? parseFloat(counts.slice(2).replace(/,/g, '')) : NaN,
        change: parseFloat(counts.split('; ')[1]), /* in percent; NaN without one */
        x: edge('x'), width: edge('width'), y: edge('y'),
    };
}

/* Reads on until all are read, or isOver() says so. */
function readNodes(isOver) {
    let node = read.length > 0 ? read.at(-1).node.nextElementSibling : frames.firstElementChild;
    for (; node && !isOver(); node = node.nextElementSibling)
        read.push(readNode(node));
    return node === null;
}

/* Reads while the browser is idle, and then draws, so that what the user does first takes no longer than what
 * comes after. */
function drawFirst(draw) {
    globalThis.requestIdleCallback?.(deadline => {
        if (readNodes(() => deadline.timeRemaining() < 1))
            draw();
        else
            drawFirst(draw);
    });
}

/* An index for each different value, in the order in which they are first asked for. */
function makeIndex() {
    const map = new Map();
    return {
        of: value => map.get(value) ?? (map.set(value, map.size), map.size - 1),
        values: () => Array.from(map.keys()),
    };
}

/* The attributes that --nameattr has given to a frame, and its title if that is not the usual one. */
function readAttributes(frame) {
    const all = Object.fromEntries(Array.from(frame.node.attributes, one => [one.localName, one.value]));
    if (isNaN(frame.count))
        all.title = frame.name;
    return all;
}

/* Where frames lie, in counts. Each starts and ends where the frame right of it, or its caller, says,
 * unless the file has a gap there: so that the zoom shows no gaps that are only rounding. */
function placeNodes(table) {
    const perPixel = fileTotal / fileRoom;
    const edge = []; /* by level: pixels, and counts, where the frame to the left would end */
    for (let i = 0; i < read.length; i++) {
        const { x, width, count } = read[i];
        const counts = isNaN(count) ? width * perPixel : count / factor;
        const right = i > 0 ? edge[table.level[i]] : { x: x + width, at: fileTotal };
        const end = Math.abs(right.x - x - width) < ROUNDED ? right.at : (x + width - xpad) * perPixel;
        table.width[i] = i > 0 ? counts : fileTotal;
        table.start[i] = Math.max(end - table.width[i], 0);
        edge[table.level[i]] = { x, at: table.start[i] };
        edge[table.level[i] + 1] = { x: x + width, at: end };
    }
}

/* The same frames, those with the same caller from left to right. */
function sortFrames(table) {
    const sorted = makeTable(table.count);
    const todo = [ROOT];
    const columns = Object.keys(sorted).filter(key => ArrayBuffer.isView(table[key]));
    for (let i = 0; todo.length > 0; i++) {
        const frame = todo.pop();
        for (const key of columns) {
            sorted[key] ??= new table[key].constructor(table.count);
            sorted[key][i] = table[key][frame];
        }
        const callees = childrenOf(table, frame).reverse(); /* equal starts: as they are read, backwards */
        todo.push(...callees.sort((a, b) => table.start[a] - table.start[b]).reverse());
    }
    return linkFrames(sorted);
}

function readProfile() {
    const down = fileState.icicle ? 1 : -1;
    readNodes(() => false);
    const names = makeIndex(), fills = makeIndex();
    const table = makeTable(read.length);
    const attributes = new Map();
    table.fill = new Int32Array(read.length);
    table.delta = read.some(frame => !isNaN(frame.change)) ? new Float64Array(read.length) : null;
    read.forEach((frame, i) => {
        table.name[i] = names.of(frame.name);
        table.fill[i] = fills.of(frame.fill);
        table.level[i] = Math.round((frame.y - read[0].y) * down / rowHeight);
        if (table.delta)
            table.delta[i] = (frame.change || 0) / 100 * fileTotal;
        if (frame.node.hasAttributes() || isNaN(frame.count))
            attributes.set(table.name[i], readAttributes(frame));
    });
    placeNodes(table);
    return {
        table: sortFrames(linkFrames(table)), names: names.values(), fills: fills.values(),
        nameFills: null, kinds: null, kindNames: [], kindFills: [], packages: null, packageNames: [],
        scale: 1, grown: null, shrunk: null, attributes,
    };
}

/* Reads the profile if that has not been done. */
function profileOf() {
    return profile ??= readProfile();
}

/* As in decode.js: here the file's elements stay. */
function openFrames() {}
