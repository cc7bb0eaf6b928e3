/* Elements of an SVG. */

import { setAttributes } from './dom.js';
export { makeShape, SVG };

const SVG = 'http://www.w3.org/2000/svg';

function makeShape(tag, attributes = {}, ...children) {
    const node = setAttributes(document.createElementNS(SVG, tag), attributes);
    node.append(...children);
    return node;
}
