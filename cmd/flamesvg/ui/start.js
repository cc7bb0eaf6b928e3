/* Begins: the script comes after the frames in the file; in a page it waits for them.
 *
 * Each file of this folder is a part of the script, of one noun, and a module: at its head it
 * imports all that it uses of other parts, and exports what it gives. It alone assigns to its
 * variables, and changes what they hold; others call its functions. make lint proves this. The
 * build joins this part and all that it imports into one function, without the heads, so names at
 * the top of a part must differ in all parts.
 *
 * A new behaviour goes where its state is: what is chosen is in state.js, the table and the zoom in
 * view.js, where frames are in layout.js, and so on. A new part is a new file, which another one
 * imports; nothing else lists it. What it does at once, outside of functions, may use only parts
 * that do not import it in turn.
 *
 * Parts that only some pictures have stand in for each other. They are imported without a path, by
 * names that the Makefile gives a part for in each picture, and give the same:
 *
 *                  flamegraph.pl's    an SVG          a page
 *     profile      nodes.js           decode.js       decode.js         the frames of the file
 *     tabletext                       plaintext.js    packedtext.js     the text that they are read from
 *     paint        svgpaint.js        svgpaint.js     canvaspaint.js    draws them
 *     viewport     svgwindow.js       svgwindow.js    canvaswindow.js   what of them is in sight
 *     panels       nopanels.js        nopanels.js     pagepanels.js     what is beside them
 *     moresteps    nopanels.js        nopanels.js     pagesteps.js      kinds of steps that belong to that
 *
 * In a page with source lines, lines.js comes last. Other pages do not contain it.
 */

import { readAddress } from './address.js';
import { nameOf, titleOf } from './describe.js';
import { makeElement } from './dom.js';
import { onTreeFocus, tree } from './focus.js';
import { onKey } from './keys.js';
import { makeLayer } from './layer.js';
import { rowY, shown } from './layout.js';
import { model } from 'panels';
import { follows, offer, ownsWindow, ROW_GAP, rowHeight, svg } from './picture.js';
import { activate, listenToPointer } from './pointer.js';
import { drawFirst, openFrames } from 'profile';
import { makePen } from './text.js';
import { drawIfNeeded, outline, table } from './view.js';
import { mount, rowsOnPage } from 'viewport';
import { followWindow, listenToWindow, scrollToRoot } from './window.js';

/* For scripts of a page that has the picture in it, and for tests: what is shown where. Every frame
 * has a name, a title, and its rectangle in pixels of the window. */
function boxesOf() {
    drawIfNeeded();
    const { left, top, scale } = rowsOnPage();
    return Array.from(shown.frame, (frame, n) => ({
        frame, name: nameOf(frame), title: titleOf(frame), faded: n < shown.callers,
        x: left + shown.x[n] * scale, width: shown.width[n] * scale,
        y: top + rowY(table.row[frame]) * scale, height: (rowHeight - ROW_GAP) * scale,
    }));
}

/* The keys of a page are its own; those typed into an inline picture are the picture's. */
function listen() {
    (ownsWindow ? document : svg).addEventListener('keydown', onKey);
    tree.addEventListener('focusin', onTreeFocus);
    tree.addEventListener('focusout', outline);
    tree.addEventListener('click', event => { /* a screen reader's */
        const item = event.target.closest('[data-frame]');
        if (item)
            activate(Number(item.dataset.frame), event);
    });
    listenToPointer();
    listenToWindow();
}

openFrames(); /* first of all: what measures would lay out the file's elements */
makePen();
makeLayer();
mount();
tree.append(makeElement('div', { role: 'treeitem', 'aria-label': 'all', tabindex: 0 }));
listen();
followWindow();
drawFirst(drawIfNeeded);
offer({ boxes: boxesOf, ...model });
if (follows)
    scrollToRoot();
if (ownsWindow) {
    readAddress(true);
    addEventListener('popstate', () => readAddress(false));
}
