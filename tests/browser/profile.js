'use strict';
/* Makes a profile of about so many frames, for measuring: the same one each time. A stack follows the one
 * before it up to some frame and goes on with other functions; a few functions are called from many places;
 * most stacks are rare.
 *
 *     node profile.js 50000 > folded */

const WORDS = ['parse', 'read', 'write', 'alloc', 'flush', 'hash', 'find', 'visit', 'emit', 'copy', 'merge',
    'node', 'list', 'buffer', 'stream', 'token', 'index', 'page', 'query', 'json', 'socket', 'event'];
const SCOPES = ['', 'http::', 'v8::internal::', 'std::', 'db_', 'uv__', 'app.'];
const DEEPEST = 70;

/* Numbers from 0 up to 1: a linear congruential generator (Knuth, "The Art of Computer Programming" 2,
 * 3.3.4, the table's line 16), of whose 32 bits the upper ones are the better ones. */
function randomNumbers() {
    let state = 1;
    return () => {
        state = Math.imul(state, 1664525) + 1013904223 >>> 0;
        return state / 2 ** 32;
    };
}

/* The number at the end has four characters, so that no name begins with another: programs would sort those in
 * different ways. */
function nameOf(number) {
    const word = (step) => WORDS[Math.floor(number / step) % WORDS.length];
    return SCOPES[number * 7 % SCOPES.length] + word(1) + '_' + word(5) +
        number.toString(36).padStart(4, '0');
}

function addChild(node, name) {
    const child = { name, own: 0, children: new Map() };
    node.children.set(name, child);
    return child;
}

/* A frame is { name, own, total, start, children }, children sorted by name; own and total are counts, start is
 * the count before it. */
function place(node, start) {
    node.children = new Map([...node.children].sort(([a], [b]) => (a > b) - (a < b)));
    node.start = start;
    node.total = node.own;
    start += node.own;
    for (const child of node.children.values()) {
        place(child, start);
        start += child.total;
        node.total += child.total;
    }
    return node;
}

function makeProfile(frames) {
    const random = randomNumbers();
    const vocabulary = Math.min(Math.max(frames / 10, 150), 15000);
    const root = { name: 'all', own: 0, children: new Map() };
    let stack = [root];
    for (let made = 0; made < frames;) {
        stack = stack.slice(0, 1 + Math.floor(Math.sqrt(random()) * (stack.length - 1)));
        for (let grows = true; made < frames && grows && stack.length < DEEPEST; grows = random() > 0.12) {
            const parent = stack[stack.length - 1];
            const callees = Math.min(vocabulary, 2 + 2 ** stack.length); /* few near the root */
            const name = nameOf(Math.floor(callees * random() ** 3));
            made += !parent.children.has(name);
            stack.push(parent.children.get(name) || addChild(parent, name));
        }
        stack[stack.length - 1].own += Math.ceil(3 / (random() + 0.01));
    }
    return place(root, 0);
}

/* Calls visit(frame, path) for each frame, callers first; the path begins with the root. */
function eachFrame(frame, visit, path = []) {
    const here = [...path, frame];
    visit(frame, here);
    for (const child of frame.children.values())
        eachFrame(child, visit, here);
}

/* { text, count } for each stack. */
function stacksOf(root) {
    const stacks = [];
    eachFrame(root, (frame, path) => {
        if (frame.own > 0 && path.length > 1)
            stacks.push({ text: path.slice(1).map(({ name }) => name).join(';'), count: frame.own });
    });
    return stacks;
}

function foldedText(root) {
    return stacksOf(root).map(({ text, count }) => `${text} ${count}\n`).join('');
}

/* As d3-flame-graph reads it. */
function nestedData(frame) {
    return { name: frame.name, value: frame.total, children: [...frame.children.values()].map(nestedData) };
}

/* The frame to zoom: of the fourth level, the one nearest to a tenth of all counts; start and width as shares of them. */
function targetOf(root) {
    const away = (frame) => Math.abs(frame.total / root.total - 0.1);
    let best = null;
    eachFrame(root, (frame, path) => {
        if (path.length === 5 && (best === null || away(frame) < away(best)))
            best = frame;
    });
    return { name: best.name, count: best.total, level: 4,
        start: best.start / root.total, width: best.total / root.total };
}

module.exports = { makeProfile, stacksOf, randomNumbers, foldedText, nestedData, targetOf };

if (require.main === module)
    process.stdout.write(foldedText(makeProfile(Number(process.argv[2]))));
