/* Runs the picture's script, the element before this one, when the frames of the file are on the screen. Until then its
 * type is text/plain, so that the browser neither runs nor parses it. */

import { afterPaint } from './afterpaint.js';

const script = document.currentScript.previousElementSibling;
const root = script.parentNode, isAlone = root === document.documentElement, follows = isAlone && root.dataset.follow;

function run() {
    script.removeAttribute('type');
    root.append(script); /* now it runs */
}

/* Scrolls to the root of a high picture, as the script will, so that the frames do not jump then. Before the event load
 * scrolling would lay them out twice. */
function whenLoaded() {
    if (follows && root.dataset.inverted !== '1')
        scrollTo(0, root.dataset.height);
    afterPaint(run);
}

/* The script runs at once if the address asks for a zoom, a search or a view, which is then the first thing to be seen;
 * and in a page, so that the page's scripts can use the picture when it is loaded. */
if (root.dataset.picture === 'perl' || (isAlone && !location.search)) {
    if (follows)
        root.setAttribute('width', '100%'); /* centred, with letters of the file's size: others take longer to draw */
    if (document.readyState === 'complete')
        whenLoaded();
    else
        addEventListener('load', whenLoaded);
} else {
    run();
}
