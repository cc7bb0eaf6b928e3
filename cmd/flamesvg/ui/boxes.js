/* For scripts of a page that has the picture in it, and for tests: flame.boxes() of the root element says what
 * is shown where. Every frame has a name, a title, and its rectangle in pixels of the window. */

import { nameOf, titleOf } from './describe.js';
import { rowY, shown } from './layout.js';
import { ROW_GAP, rowHeight } from './picture.js';
import { drawIfNeeded, table } from './view.js';
import { rowsOnPage } from 'viewport';
export { boxesOf };

function boxesOf() {
    drawIfNeeded();
    const { left, top, scale } = rowsOnPage();
    return Array.from(shown.frame, (frame, n) => ({
        frame, name: nameOf(frame), title: titleOf(frame), faded: n < shown.callers,
        x: left + shown.x[n] * scale, width: shown.width[n] * scale,
        y: top + rowY(table.row[frame]) * scale, height: (rowHeight - ROW_GAP) * scale,
    }));
}
