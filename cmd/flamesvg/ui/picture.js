/* What the file says of its picture, in the root element, which is the svg, or the html element of
 * a page with a canvas. A page may show several pictures: each has a script of its own, and so
 * these values and all state of the parts.
 *
 *     data-picture     "svg", "html", or "perl": without a table, each frame an element
 *     data-xpad        pixels left and right of the frames
 *     data-rowheight   of a frame, in pixels
 *     data-width, data-height, data-top, data-bottom     of the file, in pixels: its size, and what is
 *                      above and below the rows
 *     data-total       the count of the full width
 *     data-gone        of it, what is no part of 100 %: the count of stacks that are gone, see gone.h
 *     data-...         see options.c */

export { background, data, factor, fileBottom, fileHeight, fileRoom, fileRows, fileTop, follows, fontSize, frames,
    isChart, offer, ownsWindow, root, ROW_GAP, rowHeight, svg, units, xpad };

const root = document.currentScript.closest('svg') || document.documentElement;
const data = root.dataset;
const number = key => Number(data[key]);

const svg = root.localName === 'svg' ? root : null;
const ownsWindow = root === document.documentElement; /* else it is a part of a page */
const follows = Boolean(data.follow) && ownsWindow;
const frames = root.querySelector('#frames'); /* of an SVG */
const isChart = data.flamechart === '1';
const background = [data.background, data.background2]; /* of the gradient, from the top to the bottom */

const ROW_GAP = 1; /* pixels between rows */
const xpad = number('xpad'), rowHeight = number('rowheight'), fontSize = number('fontsize');
const fileRoom = number('width') - 2 * xpad; /* pixels for the frames */
const fileTop = number('top'), fileBottom = number('bottom'), fileHeight = number('height');
const fileRows = Math.round((fileHeight - fileTop - fileBottom) / rowHeight);
const factor = number('factor') || 1;
const units = data.units ? data.units.split(' ') : null; /* of counts, the smallest first */

/* Gives functions to the scripts of the page. */
function offer(flame) {
    root.flame = flame;
}
