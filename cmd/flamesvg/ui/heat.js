/* The heat map: a column for a second, from the bottom up a cell for each of its slices, and the darker the more was
 * counted. Of a long recording a column is several seconds, and a cell several slices; of a short one it is a part of a
 * second, and the columns have the width that there is. */

import { emptyCanvas } from './canvaspaint.js';
import { channels, DARK, isDark, NO_KIND } from './colour.js';
import { makeElement, setAttributes, style } from './dom.js';
import { cursor, forgetMark, isFocused, rangesOfHeat, showRanges } from './marker.js';
import { xpad } from './picture.js';
import { profile } from 'profile';
import { hasSlices, slicesOf } from './slices.js';
import { drawStalls } from './stallmarks.js';
import { hasStalls } from './stalls.js';
import { font } from './text.js';
import { byThread, drawThreadNames, layThreadsOut } from './threads.js';
import { axisText, calendarOffset } from './times.js';
export { cellAt, cellCount, drawHeat, drawHeatSoon, dropLayout, HEAT_HEIGHT, heatCanvas, heatNode, layout,
    marksOf, openHeat, placeOfCell, rangeOfCells };

const HEAT_HEIGHT = 100, AXIS_HEIGHT = 16; /* pixels */
const COLUMN_LEAST = 3, COLUMN_MOST = 32; /* pixels; a column is wider only if a slice has one of its own */
const MOST_CELLS = 50, LEAST_CELLS = 10; /* of a column */
const COLUMN_TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]; /* columns that become one */
const AXIS_TIMES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400,
    43200]; /* seconds between labels */
const HEAT_STEPS = 100;
const HEATS = { light: ['#fdecd8', '#f5813f', '#8e0b12'], dark: ['#3d2c22', '#c2511d', '#ffdc8a'] };

const heatCanvas = makeElement('canvas', { role: 'slider', tabindex: 0, 'aria-label': 'Time', 'aria-valuemin': 0, 'aria-valuenow': 0 });
const heatNode = makeElement('div', { class: 'heat' }, heatCanvas);
style(heatCanvas, { height: HEAT_HEIGHT + AXIS_HEIGHT + 'px' });
let isOpen = false; /* once what was drawn first is on the screen */
let layout = null; /* see layHeatOut and layThreadsOut */
let image = null, imageKey = ''; /* of the cells, and what it was made of */
let asked = null; /* while a frame of animation is asked for */
const dropLayout = () => { layout = null; };

/* The slices of a column: as many as given, or, if such columns would leave room, the largest part of them that does not. */
function slicesOfColumn(most, room) {
    const { total } = slicesOf();
    let count = most;
    while (count > 1 && (most % count > 0 || Math.ceil(total / count) * COLUMN_MOST < room))
        count--;
    return count;
}

/* The rows of a column and the slices of a cell. */
function divideTime(room) {
    const { length, total } = slicesOf(), each = 1000 / length; /* slices of a second */
    const rows = Math.round(Math.min(Math.max(each, LEAST_CELLS), MOST_CELLS));
    const least = Math.max(Math.round(each / rows), 1), count = slicesOfColumn(rows * least, room);
    if (count < rows * least) {
        const perCell = Math.ceil(count / MOST_CELLS);
        return { rows: Math.ceil(count / perCell), perCell };
    }
    const columnsOf = times => Math.ceil(total / (rows * least * times));
    const fits = times => columnsOf(times) * COLUMN_LEAST <= room;
    const times = COLUMN_TIMES.find(fits) || Math.ceil(columnsOf(1) * COLUMN_LEAST / room);
    return { rows, perCell: least * times };
}

/* The columns and cells that fit into this many pixels, and each cell's count. `rows` are the cells of a column,
 * and `steps` how many times they are of: as many, or one where rows are threads. */
function layHeatOut(room) {
    const slices = slicesOf(), { rows, perCell } = divideTime(room), columns = Math.ceil(slices.total / (rows * perCell));
    const counts = new Float64Array(columns * rows);
    slices.number.forEach((number, n) => { counts[Math.floor(number / perCell)] += slices.sums[n + 1] - slices.sums[n]; });
    return { room, rows, steps: rows, perCell, columns, counts, most: Math.max(...counts),
        width: room / columns, height: HEAT_HEIGHT / rows };
}

function cellCount() {
    return layout.counts.length;
}

/* The slices of the cells from one to another, in whichever order. */
function rangeOfCells(one, other) {
    const { rows, steps, perCell } = layout;
    const timeOf = cell => Math.floor(cell * steps / rows);
    return [timeOf(Math.min(one, other)) * perCell,
        Math.min((timeOf(Math.max(one, other)) + 1) * perCell, slicesOf().total)];
}

/* The cell's upper left corner. */
function placeOfCell(cell) {
    const { rows, width, height } = layout;
    return { x: Math.floor(cell / rows) * width, y: HEAT_HEIGHT - (cell % rows + 1) * height };
}

/* The cell nearest to this place. */
function cellAt(x, y) {
    const { rows, columns, width, height } = layout;
    const within = (number, count) => Math.min(Math.max(Math.floor(number), 0), count - 1);
    return within(x / width, columns) * rows + within((HEAT_HEIGHT - y) / height, rows);
}

/* The colours from the smallest count to the largest, in red, green and blue; the middle one of three is at the half. */
function heatColours() {
    const colours = HEATS[isDark() ? 'dark' : 'light'].map(channels);
    return Array.from({ length: HEAT_STEPS + 1 }, (_, step) => {
        const at = 2 * step / HEAT_STEPS, from = Math.min(Math.floor(at), 1);
        return colours[from].map((c, n) => Math.round(c + (colours[from + 1][n] - c) * (at - from)));
    });
}

/* Draws the heat map's cells, up to 15,000, as an image in which each cell is one pixel. A cell without counts is
 * transparent. */
function drawCells() {
    const { counts, most, columns, rows, threads, kindOf } = layout;
    const picture = setAttributes(makeElement('canvas'), { width: columns, height: rows });
    const pen = picture.getContext('2d'), pixels = pen.createImageData(columns, rows), { data } = pixels;
    const { kinds, kindFills } = profile, byKind = threads && kinds;
    const colours = byKind ? kindFills.map(fill => channels(fill || NO_KIND)) : heatColours();
    for (let cell = 0; cell < counts.length; cell++) {
        const at = 4 * ((rows - 1 - cell % rows) * columns + Math.floor(cell / rows)), share = counts[cell] / most;
        if (share > 0) {
            [data[at], data[at + 1], data[at + 2]] = colours[byKind ? kindOf(cell) : Math.round(share * HEAT_STEPS)];
            data[at + 3] = 255 * (byKind ? 0.3 + 0.7 * share : 1);
        }
    }
    pen.putImageData(pixels, 0, 0);
    return picture;
}

/* Lines between cells that are large enough. */
function drawGaps(pen) {
    const { columns, rows, width, height } = layout;
    if (Math.min(width, height) <= 4)
        return;
    for (let n = 1; n <= columns; n++)
        pen.fillRect(n * width - 0.5, 0, 0.5, HEAT_HEIGHT);
    for (let n = 1; n <= rows; n++)
        pen.fillRect(0, n * height - 0.5, columns * width, 0.5);
}

/* The outline of a range: the rest of its first column, whole columns, and a part of its last one. */
function pathOfRange([from, to]) {
    const { steps, perCell, width } = layout;
    const first = Math.floor(from / perCell), last = Math.ceil(to / perCell) - 1, height = HEAT_HEIGHT / steps;
    const low = HEAT_HEIGHT - first % steps * height, high = HEAT_HEIGHT - (last % steps + 1) * height;
    const left = Math.floor(first / steps) * width, right = Math.floor(last / steps) * width;
    const path = new Path2D();
    const corners = left === right ? [[left, low], [left, high], [left + width, high], [left + width, low]]
        : [[left, low], [left, 0], [right, 0], [right, high], [right + width, high], [right + width, HEAT_HEIGHT],
            [left + width, HEAT_HEIGHT], [left + width, low]];
    corners.forEach(([x, y], n) => path[n === 0 ? 'moveTo' : 'lineTo'](x, y));
    path.closePath();
    return path;
}

/* What is outside the ranges becomes pale. */
function drawRanges(pen, ranges, paper, inks) {
    const paths = ranges.map(pathOfRange);
    const width = layout.columns * layout.width;
    if (paths.length === 0)
        return;
    pen.save();
    for (const path of paths) {
        const outside = new Path2D(path);
        outside.rect(0, 0, width, HEAT_HEIGHT);
        pen.clip(outside, 'evenodd');
    }
    pen.globalAlpha = 0.6;
    pen.fillStyle = paper;
    pen.fillRect(0, 0, width, HEAT_HEIGHT);
    pen.restore();
    paths.forEach((path, n) => {
        pen.lineWidth = 2;
        pen.strokeStyle = inks[n];
        pen.stroke(path);
    });
}

/* "0 s", "0.5 s", "20 s", "1:30", "2:00:00": since the recording began. */
function elapsedText(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = seconds < 60 ? [] : parts.slice(seconds < 3600 ? 1 : 0);
    return shown.length === 0 ? `${Number(seconds.toFixed(2))} s` : shown.map((part, n) => n > 0 ? String(part).padStart(2, '0') : part).join(':');
}

/* Times of day are those of the time zone at the beginning. */
function drawAxis(pen, ink) {
    const { steps, perCell, width, columns } = layout, { start, length } = slicesOf(), offset = calendarOffset();
    const second = width * 1000 / (steps * perCell * length); /* in pixels */
    const step = AXIS_TIMES.find(n => n * second >= 70) || Math.ceil(70 / second / 86400) * 86400;
    const begin = offset === null ? 0 : (start + offset) / 1000 - 60 * new Date(start + offset).getTimezoneOffset();
    pen.fillStyle = ink;
    pen.font = `11px ${font.replace(/^\S+ /, '')}`;
    for (let n = Math.ceil(begin / step); (n * step - begin) * second < columns * width; n++) {
        const time = n * step - begin, x = time * second;
        pen.fillRect(x, HEAT_HEIGHT, 1, 4);
        const text = offset === null ? elapsedText(time) : axisText(start + offset + time * 1000, step * 1000);
        pen.fillText(text, x + 4, HEAT_HEIGHT + 12);
    }
}

/* The colours of the marks, the first range's and the second one's. */
function marksOf() {
    return isDark() ? ['#8ab4f8', '#7ee0a0'] : ['#1a56c4', '#0a7a3c'];
}

/* The layout for this room. In another one cells have other numbers: the range that is being marked is given up. */
function layOut(room) {
    if (layout?.room === room)
        return;
    layout = byThread ? layThreadsOut(room) : layHeatOut(room);
    forgetMark();
}

function drawHeat() {
    if (!hasSlices)
        return;
    const room = Math.max(heatNode.clientWidth - 2 * xpad, COLUMN_LEAST);
    if (isOpen)
        layOut(room);
    const pending = rangesOfHeat();
    showRanges(pending);
    if (!isOpen)
        return;
    const dark = isDark(), ratio = devicePixelRatio, key = [room, dark, byThread].join();
    if (imageKey !== key)
        image = drawCells();
    imageKey = key;
    const right = layout.columns * layout.width;
    style(heatCanvas, { width: room + 'px' });
    const pen = emptyCanvas(heatCanvas, room, HEAT_HEIGHT + AXIS_HEIGHT);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = dark ? '#2b2c30' : '#fff';
    pen.fillRect(0, 0, right, HEAT_HEIGHT);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(image, 0, 0, right, HEAT_HEIGHT);
    drawGaps(pen);
    drawRanges(pen, pending, dark ? DARK : '#fff', marksOf());
    if (hasStalls)
        drawStalls(pen, dark ? '#e8d8ff' : '#4b0082', dark ? '#fff' : '#000');
    if (byThread)
        drawThreadNames(pen, dark ? DARK : '#fff', dark ? '#fff' : '#000');
    if (isFocused)
        drawCursor(pen, dark ? '#fff' : '#000');
    drawAxis(pen, dark ? '#ccc' : '#333');
}

function drawCursor(pen, ink) {
    const { x, y } = placeOfCell(cursor);
    pen.lineWidth = 2;
    pen.strokeStyle = ink;
    pen.strokeRect(x - 1, y - 1, layout.width + 2, layout.height + 2);
}

/* Draws once before the next paint. */
function drawHeatSoon() {
    asked ??= requestAnimationFrame(() => {
        asked = null;
        drawHeat();
    });
}

function openHeat() {
    isOpen = true;
    drawHeat();
}
