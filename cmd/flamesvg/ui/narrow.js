/* Where a picture begins in a narrow window, such as a phone's: not at the root, whose rows are the same in every
 * profile of a program, but where the counts part. "Reset Zoom" goes back to the root. */

import { setCurrent } from './focus.js';
import { boxOf } from './layout.js';
import { follows, isChart, rowHeight } from './picture.js';
import { state } from './state.js';
import { NO_FRAME, ROOT } from './table.js';
import { drawIfNeeded, showFrom, table, zoomed } from './view.js';
import { originOfRows, rowsInSight, scrollRows } from 'viewport';
export { openNarrow };

const NARROW = '(max-width: 800px)'; /* as in flame.css */
const NEARLY_ALL = 0.9;

/* Goes from a frame to its widest callee, and so on, as long as that has this many counts. */
function followWidest(from, least) {
    let frame = from, widest = from;
    while (widest !== NO_FRAME) {
        frame = widest;
        widest = NO_FRAME;
        for (let child = frame + 1; child < table.end[frame]; child = table.end[child])
            if (table.width[child] >= least && (widest === NO_FRAME || table.width[child] > table.width[widest]))
                widest = child;
    }
    return frame;
}

/* Brings the frame to the side of the chart where the root is, or, if the hot frame is then out of sight, that one to the
 * middle. */
function scrollToHot(frame, hot) {
    const { top, end } = rowsInSight(), first = originOfRows().y;
    const least = state.icicle ? top : end - rowHeight, middle = (top + end) / 2;
    const byFrame = first + boxOf(frame).y - least, byHot = first + boxOf(hot).y - middle;
    scrollRows(Math.round(state.icicle ? Math.max(byFrame, byHot) : Math.min(byFrame, byHot)));
}

/* Zooms past the frames that nearly all counts are in, and shows the deepest frame that has half of them; nothing in a
 * window that is wide. */
function openNarrow() {
    if (!follows || isChart || !matchMedia(NARROW).matches)
        return;
    drawIfNeeded();
    const frame = followWidest(ROOT, NEARLY_ALL * table.width[ROOT]);
    if (!(table.width[frame] > 0))
        return;
    setCurrent(frame);
    showFrom(frame);
    scrollToHot(zoomed, followWidest(frame, table.width[frame] / 2));
}
