/* The state of one picture, in one object that each function gets, since a page may show several
 * pictures. What is read of the file:
 *
 *     <svg viewBox data-xpad data-fontsize data-fontwidth data-inverted data-nametype
 *          data-countname data-units data-truncate>
 *       <text id="details"/>             also unzoom, search, ignorecase, matched
 *       <g id="frames">                  see nodes.js; the root is the first
 *
 * The picture is complete without the script. Text of the file is only ever assigned to textContent,
 * so it cannot become markup. */

const TEXT_PAD = 3; /* pixels between a frame's edge and its text, as in the file */
const MIN_CHARS = 3; /* shorter texts are left out */
const ROW_GAP = 1; /* pixels between rows */
const ROOT = 0; /* the number of the root frame */

/* Whether a frame is to be seen: CALLER is an ancestor of the zoomed frame, which is shown faded. */
const HIDDEN = 0, SHOWN = 1, CALLER = 2;

function makeGraph(svg) {
    const data = svg.dataset;
    const part = id => svg.querySelector('#' + id);
    const xpad = Number(data.xpad);
    return {
        svg, xpad,
        inverted: data.inverted === '1',
        units: data.units ? data.units.split(' ') : [data.countname],
        room: svg.viewBox.baseVal.width - 2 * xpad, /* pixels for frames */
        fontSize: Number(data.fontsize),
        charWidth: Number(data.fontsize) * Number(data.fontwidth),
        cutLeft: data.truncate === 'left',
        nameType: data.nametype,
        frames: part('frames'), details: part('details'), matched: part('matched'),
        unzoom: part('unzoom'), searchButton: part('search'), caseButton: part('ignorecase'),
        /* The address of a picture that is inline in a page is the page's. */
        ownsAddress: svg === document.documentElement,
        field: null, /* the search field, made when it is first opened */
        table: null, /* made when it is first needed: see tableOf */
        zoomed: ROOT,
        current: part('frames').firstElementChild, /* the node with tabindex */
        term: '', anyCase: false, trouble: '', /* what is wrong with the term, or empty */
    };
}

/* The node of the frame that an event happened in, or null. */
function nodeOf(event) {
    return event.target.closest('#frames > *');
}
