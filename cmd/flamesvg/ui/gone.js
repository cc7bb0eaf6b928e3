/* Stacks that are gone, drawn in the graph beside the others, as wide as they were: see gone.h. Of a
 * page data-gone is 0, and gonestrip.js draws them. */

import { data } from './picture.js';
import { profile } from 'profile';
import { ROOT, stackOf } from './table.js';
import { base } from './transforms.js';
import { table } from './view.js';
export { allCounts, countOf, isGone };

function countOfGone() {
    return (Number(data.gone) || 0) * profile.scale;
}

/* The count that is 100 %: of all stacks but those that are gone. */
function allCounts() {
    return base.width[ROOT] - countOfGone();
}

/* The count of a frame, which is its width but for the root beside stacks that are gone. */
function countOf(i) {
    return table.width[i] - (i === ROOT ? countOfGone() : 0);
}

/* Whether frame i is in a stack that is gone. */
function isGone(i) {
    return countOfGone() > 0 && stackOf(table, i).some(frame => profile.names[table.name[frame]] === '(gone)');
}
