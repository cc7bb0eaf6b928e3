/* The kinds of steps that only a page has (an SVG: nopanels.js): see transforms.js. */

export { MORE_STEPS };

const MORE_STEPS = {
    gone: { says: 'what is gone', map: stack => stack }, /* see gonestrip.js */
    thread: { says: 'only ', map: (stack, is) => stack.length > 0 && is(stack[0]) ? stack : null }, /* see threads.js */
};
