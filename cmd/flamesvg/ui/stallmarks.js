/* The marks of stalls in the heat map, and going from one stall to the next. */

import { makeButton, show } from './dom.js';
import { HEAT_HEIGHT, heatCanvas, layout } from './heat.js';
import { slicesOf } from './slices.js';
import { describeStall, hasStalls, stallCount, stallsOf, threadOfStall } from './stalls.js';
import { NO_STALL, state } from './state.js';
import { byThread, rowOfThread } from './threads.js';
import { change } from './view.js';
export { chooseStall, drawStalls, marksForTests, showStallButtons, stallAt, stepStall, toNext, toPrevious };

const LEAST_MARK = 3, NEAR = 4; /* pixels: of a mark, and how far from it a click may be */

const toPrevious = makeButton('\u2039 Stall', 'The previous stall (k)', () => stepStall(-1));
const toNext = makeButton('Stall \u203a', 'The next stall (j)', () => stepStall(1));

/* The rectangles of a stall in the heat map: in each column that it has a part of, from its begin there to its end; where rows
 * are threads, one in the row of its thread. */
function boxesOfStall(stall) {
    const { steps, perCell, columns, width } = layout, { start, length } = slicesOf();
    const column = perCell * length * steps; /* milliseconds */
    const from = Math.max((stall.start - start) / column, 0), to = Math.min(from + stall.length / column, columns);
    if (byThread) {
        const { y, height } = rowOfThread(threadOfStall(stall));
        const wide = Math.max((to - from) * width, LEAST_MARK);
        return [{ x: Math.min(from * width, columns * width - wide), y, width: wide, height }];
    }
    const boxes = [];
    for (let n = Math.floor(from); n < to; n++) {
        const low = Math.max(from - n, 0), high = Math.min(to - n, 1);
        const height = Math.max((high - low) * HEAT_HEIGHT, LEAST_MARK);
        boxes.push({ x: n * width, y: Math.max(HEAT_HEIGHT * (1 - low) - height, 0), width, height });
    }
    return boxes;
}

/* A frame around each stall, and over the one that is shown a fill. */
function drawStalls(pen, ink, paper) {
    stallsOf().forEach((stall, n) => {
        const isShown = n === state.stall;
        for (const { x, y, width, height } of boxesOfStall(stall)) {
            const inset = Math.min(width, height) > 2 * LEAST_MARK ? 1 : 0;
            pen.globalAlpha = isShown ? 1 : 0.3;
            pen.fillStyle = ink;
            pen.fillRect(x, y, width, height);
            pen.globalAlpha = 1;
            pen.strokeStyle = isShown ? paper : ink;
            pen.lineWidth = isShown ? 2 : 1;
            pen.strokeRect(x + inset / 2, y + inset / 2, width - inset, height - inset);
        }
    });
}

/* The stall whose mark is at this place, or the nearest one that is not far, or NO_STALL. */
function stallAt(x, y) {
    let nearest = NO_STALL, least = NEAR;
    stallsOf().forEach((stall, n) => {
        for (const box of boxesOfStall(stall)) {
            const across = Math.max(box.x - x, x - box.x - box.width, 0), along = Math.max(box.y - y, y - box.y - box.height, 0);
            const far = Math.max(across, along);
            if (far < least || nearest === NO_STALL && far === least)
                [nearest, least] = [n, far];
        }
    });
    return nearest;
}

/* Shows the stall alone; NO_STALL: all. */
function chooseStall(n) {
    change({ stall: n, ranges: [] });
}

/* Goes to the next stall, or the previous one; from all to the first or the last one. */
function stepStall(by) {
    const count = stallCount(), at = state.stall;
    if (count > 0)
        chooseStall(at === NO_STALL ? by > 0 ? 0 : count - 1 : (at + by + count) % count);
}

function showStallButtons() {
    for (const button of [toPrevious, toNext])
        show(button, hasStalls);
}

/* The marks with their middles in pixels of the window, for tests. */
function marksForTests() {
    const at = heatCanvas.getBoundingClientRect();
    return stallsOf().map((stall, n) => {
        const boxes = boxesOfStall(stall), [{ x, y, width, height }] = boxes;
        return { x: at.left + x + width / 2, y: at.top + y + height / 2, boxes, text: describeStall(n) };
    });
}
