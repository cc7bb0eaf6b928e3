/* Begins: the script comes after the frames in the file. */

import { readAddress } from './address.js';
import { boxesOf } from './boxes.js';
import { makeElement } from './dom.js';
import { onTreeFocus, tree } from './focus.js';
import { onKey } from './keys.js';
import { makeLayer } from './layer.js';
import { model } from 'panels';
import { follows, ownsWindow, root, svg } from './picture.js';
import { activate, listenToPointer } from './pointer.js';
import { drawFirst, openFrames } from 'profile';
import { makePen } from './text.js';
import { drawIfNeeded, outline } from './view.js';
import { mount } from 'viewport';
import { followWindow, listenToWindow, scrollToRoot } from './window.js';

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
root.flame = { boxes: boxesOf, ...model };
if (follows)
    scrollToRoot();
if (ownsWindow) {
    readAddress(true);
    addEventListener('popstate', () => readAddress(false));
}
