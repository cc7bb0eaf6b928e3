/* Text for the clipboard. */

import { withCommas } from './describe.js';
import { say } from './details.js';
import { makeUnseen } from './dom.js';
import { eachStack } from './forest.js';
import { layer } from './layer.js';
import { lowestRow } from './layout.js';
import { profile } from 'profile';
import { state } from './state.js';
import { isWithin, ROOT, stackOf } from './table.js';
import { transform } from './transforms.js';
import { table, zoomed } from './view.js';
export { copyName, copyShown, copyStack };

/* Browsers that do not offer the clipboard here copy what is selected. */
async function copyText(text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (error) {
        const area = makeUnseen('textarea', {});
        area.value = text;
        layer.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    say(what + ' copied');
}

function rawName(frame) {
    return profile.names[table.name[frame]] || 'all';
}

function copyName(frame) {
    return copyText(rawName(frame), 'Name');
}

/* As it is shown, so that callers of a function begin with it. */
function copyStack(frame) {
    return copyText(stackOf(table, frame).map(i => rawName(i)).join(';'), 'Stack');
}

/* The zoomed frame's stacks, each a line of frames, a blank and the count. Of a function with its callers and its
 * callees, which are no stacks, those from the function on. */
function copyShown() {
    const both = lowestRow < 0;
    const all = both ? transform(state.steps
        .map(step => step.kind === 'both' ? { ...step, kind: 'focus' } : step)) : table;
    const lines = [];
    const nameIn = i => profile.names[all.name[i]];
    eachStack(all, (stack, count) => {
        const leaf = stack[stack.length - 1];
        if (leaf !== undefined && count > 0 && isWithin(all, leaf, both ? ROOT : zoomed))
            lines.push(stack.map(nameIn).join(';') + ' ' + count / profile.scale + '\n');
    });
    return copyText(lines.join(''), withCommas(lines.length) + (lines.length === 1 ? ' stack' : ' stacks'));
}
