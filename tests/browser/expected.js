'use strict';
/* What boxes.js prints for folded stacks after some steps, computed from the stacks alone.
 *
 *     node expected.js [focus:main|callers:main|both:main|drop:main|hide:main|collapse:main|leaf|size]... <FOLDED */

const STEPS = {
    focus: (stack, name) => stack.includes(name) ? stack.slice(stack.indexOf(name)) : null,
    callers: (stack, name) => stack.includes(name) ? stack.slice(0, stack.indexOf(name) + 1).reverse() : null,
    drop: (stack, name) => stack.includes(name) ? null : stack,
    hide: (stack, name) => stack.filter((one) => one !== name),
    collapse: (stack, name) => stack.filter((one, n) => one !== name || stack[n - 1] !== name),
    leaf: (stack) => [...stack].reverse(), // toReversed() is not in node 18
};

function add(tree, stack, count) {
    tree.count += count;
    if (stack.length === 0)
        return;
    const [name, ...rest] = stack;
    if (!tree.callees.has(name))
        tree.callees.set(name, { name, count: 0, callees: new Map() });
    add(tree.callees.get(name), rest, count);
}

function print(tree, level, x, all, { bySize, down }) {
    const round = (number) => (Math.round(number * 10000 / all) / 10).toFixed(1);
    console.log(down ? -level : level, tree.name, round(x), round(tree.count));
    const callees = Array.from(tree.callees.values())
        .sort((a, b) => bySize ? b.count - a.count : a.name < b.name ? -1 : 1);
    let at = x + (bySize ? 0 : tree.count - callees.reduce((sum, one) => sum + one.count, 0));
    for (const one of callees) {
        print(one, level + 1, at, all, { bySize, down });
        at += one.count;
    }
}

function main(steps, lines) {
    const root = (name) => ({ name, count: 0, callees: new Map() });
    const both = steps.find((step) => step.startsWith('both:'))?.slice(5);
    const up = root(both ?? 'all'), down = root(both);
    for (const line of lines) {
        const [, text, count] = line.match(/^(.*) (\d+)$/);
        let stack = text.split(';');
        for (const step of steps) {
            const [kind, name] = step.split(':');
            stack = stack && STEPS[kind] ? STEPS[kind](stack, name) : stack;
        }
        const at = both && stack ? stack.indexOf(both) : -1;
        if (at >= 0)
            add(down, stack.slice(0, at).reverse(), Number(count));
        if (stack && (!both || at >= 0))
            add(up, stack.slice(at + 1), Number(count));
    }
    const bySize = steps.includes('size');
    print(up, 0, 0, up.count, { bySize });
    let at = 0;
    for (const one of Array.from(down.callees.values()).sort((a, b) => a.name < b.name ? -1 : 1)) {
        print(one, 1, at, up.count, { bySize, down: true });
        at += one.count;
    }
}

main(process.argv.slice(2), require('fs').readFileSync(0, 'utf8').trimEnd().split('\n'));
