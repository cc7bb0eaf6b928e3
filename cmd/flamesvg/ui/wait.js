/* Runs the picture's script, the element before this one, when the frames of the file are on the screen. Until then its
 * type says that it is none, so that the browser does not parse it either. */

const script = document.currentScript.previousElementSibling;
const root = script.parentNode, isAlone = root === document.documentElement, follows = isAlone && root.dataset.follow;

function run() {
    script.removeAttribute('type');
    root.append(script); /* now it runs */
}

/* The frames of the file are first about where the script draws them next: that is at the end of a high picture. (Before the
 * event load this would lay them out twice.) */
function whenLoaded() {
    if (follows && root.dataset.inverted !== '1')
        scrollTo(0, root.dataset.height);
    afterPaint(run);
}

/* What an address asks for is shown first of all; and scripts of a page can use a picture in it when it is loaded. */
if (root.dataset.picture === 'perl' || (isAlone && !location.search)) {
    if (follows)
        root.setAttribute('width', '100%'); /* in the middle, with letters of the same size: others take longer */
    if (document.readyState === 'complete')
        whenLoaded();
    else
        addEventListener('load', whenLoaded);
} else {
    run();
}
