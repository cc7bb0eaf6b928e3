/* Runs the picture's script, the element before this one, when the frames of the file are on the screen. Until then its
 * type says that it is none, so that the browser does not parse it either. */

const script = document.currentScript.previousElementSibling;
const root = script.parentNode, isAlone = root === document.documentElement;

function run() {
    script.removeAttribute('type');
    root.append(script); /* now it runs */
}

/* Puts the frames of the file about where the script will draw them. */
function followWindow() {
    root.setAttribute('width', '100%');
    root.setAttribute('preserveAspectRatio', 'none');
    root.querySelector('#frames').setAttribute('text-rendering', 'geometricPrecision'); /* no font of another size */
    if (root.dataset.inverted !== '1' && root.dataset.height > innerHeight)
        scrollTo(0, root.dataset.height);
}

/* What an address asks for is shown first of all; and scripts of a page can use a picture in it when it is loaded. */
if (root.dataset.picture === 'perl' || (isAlone && !location.search)) {
    if (isAlone && root.dataset.follow)
        followWindow();
    if (document.readyState === 'complete')
        afterPaint(run);
    else
        addEventListener('load', () => afterPaint(run));
} else {
    run();
}
