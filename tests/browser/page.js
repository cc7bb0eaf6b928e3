'use strict';
/* What the tests do in every page: evaluate, open a picture, point at a frame. */
const path = require('path');
const { pathToFileURL } = require('url');

async function evaluate(page, expression) {
    const { result, exceptionDetails } = await page.call('Runtime.evaluate',
        { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails)
        throw new Error(exceptionDetails.exception.description);
    return result.value;
}

/* Resolves when what was asked for so far has been painted. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/* Waits for what a picture does after a paint. Where script is off there is nothing to wait for, and no timer that would
 * end the wait. */
async function settled(page) {
    if (page.hasScript)
        await evaluate(page, `${PAINTED}.then(() => new Promise((done) => setTimeout(() => setTimeout(done))))`);
}

/* Resolves when a page has unpacked its table, or said that it cannot. */
function unpacked() {
    const isPage = document.documentElement.dataset.picture === 'html', { flame } = document.documentElement;
    return !isPage || flame || document.querySelector('[role=alert]') ? null
        : new Promise((done) => { setTimeout(done); }).then(unpacked);
}

/* Opens a picture, and waits until it can be used: an SVG gets its controls after it has been shown, and then what can
 * wait until those are shown. */
async function openPicture(page, file, query = '') {
    const loaded = page.once('Page.loadEventFired');
    await page.call('Page.navigate', { url: pathToFileURL(path.resolve(file)) + query });
    await loaded;
    if (page.hasScript)
        await evaluate(page, `(${unpacked})()`);
    await settled(page);
    await settled(page);
}

/* Evaluated in the page: the middle of a frame, which is given by its start and width as shares of all and its level,
 * where rows are so many pixels apart. Our pictures say where the root is; others have an element for it. */
function middleOf({ start, width, level }, pitch) {
    const { flame } = document.querySelector('[data-xpad]') || {};
    const isRoot = (title) => /^all[ ,(]/.test(title.textContent);
    const root = flame ? flame.boxes()[0]
        : Array.from(document.querySelectorAll('#frames title, g.frame title')).find(isRoot)
            .parentNode.querySelector('rect').getBoundingClientRect();
    return { x: root.x + (start + width / 2) * root.width, y: root.y + root.height / 2 - level * pitch };
}

/* Scrolls the frame into the window and moves the pointer on it; returns where that is. */
async function pointAt(page, frame, pitch = 16) {
    const where = `(${middleOf})(${JSON.stringify(frame)}, ${pitch})`;
    let at = await evaluate(page, `({ ...${where}, height: innerHeight })`);
    if (at.y < 0 || at.y > at.height) {
        await evaluate(page, `void scrollTo(0, scrollY + ${at.y - at.height / 2})`);
        at = await evaluate(page, `${PAINTED}.then(() => ${where})`);
    }
    await page.call('Input.dispatchMouseEvent', { type: 'mouseMoved', x: at.x, y: at.y });
    return { x: at.x, y: at.y };
}

module.exports = { evaluate, settled, openPicture, pointAt, PAINTED };
