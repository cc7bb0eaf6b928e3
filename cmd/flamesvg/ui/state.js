/* What the user chooses, but for the search, and what the file begins with. */

import { data } from './picture.js';
export { choose, fileState, isChanged, NO_STALL, state };

const NO_STALL = -1;

const fileState = {
    steps: [], /* { kind, name }: see transforms.js */
    ranges: [], /* of time, one or two: see slices.js */
    stall: NO_STALL, /* the one that is shown alone: see stalls.js */
    icicle: data.inverted === '1', /* the root is at the top */
    leaf: data.reverse === '1', /* merged from the leaf */
    size: data.sort === 'size', /* sorted by size */
    colour: 'palette',
};
let state = fileState;
const choose = changes => { state = { ...state, ...changes }; };

/* Whether steps or switches differ from the file's picture. */
function isChanged() {
    return Object.keys(fileState).some(key => String(state[key]) !== String(fileState[key]));
}
