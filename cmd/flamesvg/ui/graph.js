/* The state of one picture, in one object that each function gets, since a page may show several
 * pictures. What is read of the file:
 *
 *     <svg viewBox data-xpad data-fontsize data-inverted data-nametype data-countname data-units
 *          data-truncate data-dark data-fit data-follow>
 *       <text id="details"/>             also unzoom, search, ignorecase, matched
 *       <g id="frames">                  see nodes.js; the root is the first
 *
 * The picture is complete without the script. Text of the file is only ever assigned to textContent,
 * so it cannot become markup. */

const SVG = 'http://www.w3.org/2000/svg', XHTML = 'http://www.w3.org/1999/xhtml';
const TEXT_PAD = 3; /* pixels between a frame's edge and its text, as in the file */
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
        fileRoom: svg.viewBox.baseVal.width - 2 * xpad, /* pixels for frames in the file, */
        room: svg.viewBox.baseVal.width - 2 * xpad, /* and on the screen: */
        stretch: 1, /* room / fileRoom */
        follows: Boolean(data.follow) && svg === document.documentElement,
        fits: Boolean(data.fit), /* labels are cut again, by their measured width */
        height: svg.viewBox.baseVal.height,
        fontSize: Number(data.fontsize),
        cutLeft: data.truncate === 'left',
        nameType: data.nametype,
        pen: makePen(part('details')), widths: new Map(), /* see label.js */
        darkScheme: matchMedia('(prefers-color-scheme: dark)'),
        frames: part('frames'), details: part('details'), matched: part('matched'),
        unzoom: part('unzoom'), searchButton: part('search'), caseButton: part('ignorecase'),
        buttons: [part('unzoom'), part('search'), part('ignorecase')],
        /* The address of a picture that is inline in a page is the page's. */
        ownsAddress: svg === document.documentElement,
        field: null, /* the search field, made when it is first opened */
        help: null, /* the list of keys while it is shown */
        table: null, /* made when it is first needed: see tableOf */
        zoomed: ROOT,
        current: part('frames').firstElementChild, /* the node with tabindex */
        match: NO_FRAME, /* the match that Enter has gone to */
        term: '', anyCase: false, trouble: '', /* what is wrong with the term, or empty */
    };
}

/* The node of the frame that an event happened in, or null. */
function nodeOf(event) {
    return event.target.closest('#frames > *');
}

/* By an attribute, which works where a policy blocks styles. */
function show(node, shown) {
    if (shown)
        node.removeAttribute('display');
    else
        node.setAttribute('display', 'none');
}
