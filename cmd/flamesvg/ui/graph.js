/* The state of one picture, in one object that each function gets, since a page may show several
 * pictures. The picture is read from its root element, which is the svg, or the html element of a page with
 * a canvas:
 *
 *     data-picture     "svg", "html", or "perl": without a table, each frame an element
 *     data-xpad        pixels left and right of the frames
 *     data-rowheight   of a frame, in pixels
 *     data-width, data-height, data-top, data-bottom     of the file, in pixels: its size, and what is
 *                      above and below the rows
 *     data-total       the count of the full width
 *     data-gone        of it, what is no part of 100 %: the count of stacks that are gone, see gone.h
 *     data-...         see options.c
 *
 * What the user chooses is in graph.state, which the page's address keeps. */

const ROW_GAP = 1; /* pixels between rows */
const UNITS = { ns: 1, us: 1e3, ms: 1e6, bytes: 1 }; /* --countname, and its size in the smallest unit */

function emptyState() {
    return {
        steps: [], /* { kind, name }: see transforms.js */
        ranges: [], /* of time, one or two: see slices.js */
        icicle: null, /* the root is at the top; null: as in the file */
        leaf: null, size: null, colour: 'palette', /* merged from the leaf; sorted by size */
        term: '', anyCase: false, plain: false, /* the search */
    };
}

/* The height of a row and what is above and below the rows, in pixels of the file. */
function readGeometry(graph) {
    const { data } = graph;
    const number = key => Number(data[key]);
    return {
        xpad: number('xpad'), rowHeight: number('rowheight'), fontSize: number('fontsize'),
        fileRoom: number('width') - 2 * number('xpad'),
        room: number('width') - 2 * number('xpad'), /* pixels for the frames on the screen */
        fileHeight: number('height'),
        fileTop: number('top'), bottom: number('bottom'),
    };
}

function makeGraph(root) {
    const data = root.dataset;
    const svg = root.localName === 'svg' ? root : null;
    const graph = {
        root, data, svg,
        ownsWindow: root === document.documentElement, /* else it is a part of a page */
        follows: Boolean(data.follow) && root === document.documentElement,
        fileInverted: data.inverted === '1', fileSize: data.sort === 'size', chart: data.flamechart === '1',
        fileReversed: data.reverse === '1', /* merged from the leaf */
        fileTotal: Number(data.total), factor: Number(data.factor) || 1,
        nameType: data.nametype, countName: data.countname,
        units: data.units ? data.units.split(' ') : null, unitSize: UNITS[data.countname],
        cutLeft: data.truncate === 'left',
        frames: root.querySelector('#frames'), mosaic: root.querySelector('#mosaic'),
        darkScheme: matchMedia('(prefers-color-scheme: dark)'),
        widths: new Map(), inks: new Map(), /* see text.js and colour.js */
        font: '', pen: null,
        background: [data.background, data.background2], /* of the gradient, from the top to the bottom */
        profile: null, /* of the file; a picture of many elements is read when first needed */
        table: null, /* of the profile, changed by the steps */
        lowestRow: 0, highestRow: 0,
        top: Number(data.top), below: 0, /* see rowsBelow */
        zoomed: ROOT, current: ROOT, hovered: NO_FRAME, match: NO_FRAME,
        pointer: null, /* the event that was last on a frame */
        pendingFocus: null, /* see focusSoon */
        visit: 0, /* how many steps of the browser's history were gone to */
        byKeys: false, /* the keyboard was used last: the focus is to be seen */
        shown: null, byRow: null, outlines: {},
        legendKey: '', found: null, foundCount: 0, trouble: '', /* what is wrong with the search, or empty */
        state: emptyState(),
    };
    Object.assign(graph, readGeometry(graph));
    graph.fileRows = Math.round((graph.fileHeight - graph.fileTop - graph.bottom) / graph.rowHeight);
    graph.highestRow = graph.fileRows - 1;
    graph.contentHeight = graph.fileHeight; /* of what is shown, with head and foot */
    graph.state.icicle = graph.fileInverted;
    graph.state.size = graph.fileSize;
    graph.state.leaf = graph.fileReversed;
    return graph;
}
