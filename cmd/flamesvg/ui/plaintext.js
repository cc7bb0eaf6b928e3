/* The text of the table, as an SVG has it (a page: packedtext.js): a script element that browsers do not run. */

import { root } from './picture.js';
export { tableText };

const tableText = root.querySelector('script[type="application/json"]').textContent;
