'use strict';
/* Opens a picture in a browser and carries out steps there with the mouse and the keyboard, through
 * the browser's own input events, as a user would.
 *
 *     node browse.js FILE[?QUERY] 'click main' 'text #details'
 *
 * Results go to standard output. What the page throws or logs as an error goes to standard error, and
 * the status is 1. A frame is given by its name, any other element by a CSS selector that begins with
 * # or by a tag in <>. With BROWSER_SOCKET in the environment the browser of serve.js is used, else one is started. */
const fs = require('fs');
const path = require('path');
const { withPage } = require('./browser.js');
const { ask } = require('./serve.js');
const { evaluate, settled, openPicture } = require('./page.js');

const MODIFIERS = { Alt: 1, Ctrl: 2, Meta: 4, Shift: 8 };
const KEY_CODES = { Backspace: 8, Enter: 13, Escape: 27, Tab: 9, ' ': 32, End: 35, Home: 36,
    ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

/* Evaluated in the page. A frame has no element of its own: the picture says where it is drawn. */
const HELPERS = `
    const roots = () => Array.from(document.querySelectorAll('[data-xpad]'));
    const boxes = () => roots().flatMap((root) => root.flame.boxes());
    const isSelector = (what) => /^[#<]/.test(what);
    const element = (what) => document.querySelector(what.replace(/[<>]/g, ''));
    const box = (what) => boxes().find((one) => one.name === what);
    const within = (rect, one) => rect.left > one.x - 1 && rect.right <= one.x + one.width + 20 &&
        rect.top + rect.height / 2 > one.y && rect.top + rect.height / 2 < one.y + one.height &&
        rect.left < one.x + one.width;
    const label = (one) => Array.from(document.querySelectorAll('#frames text'))
        .find((text) => within(text.getBoundingClientRect(), one));
    const painted = (one) => document.elementsFromPoint(one.x + one.width / 2, one.y + one.height / 2)
        .find((node) => node.closest('#frames'));
`;

/* Calls a function in the page with what a step names: an element, or the box of a frame. */
function withNamed(page, what, body) {
    return evaluate(page, `(() => { ${HELPERS}
        const what = ${JSON.stringify(what)};
        const found = isSelector(what) ? element(what) : box(what);
        if (!found)
            throw new Error('not found: ' + what);
        return (${body})(found, isSelector(what));
    })()`);
}

/* The middle of an element or a frame. */
function middleOf(page, what) {
    return withNamed(page, what, `(found, isElement) => {
        const box = isElement ? found.getBoundingClientRect() : found;
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }`);
}

/* Moves the pointer there, and presses the button this many times; `leaves`: that leads to another page. */
async function mouseAt(page, at, clicks, { modifiers = 0, button = 'left', leaves = false } = {}) {
    const event = (type, clickCount) => page.call('Input.dispatchMouseEvent',
        { type, ...at, modifiers, button: clickCount ? button : 'none', clickCount });
    await event('mouseMoved', 0);
    for (let n = 1; n <= clicks; n++) {
        await event('mousePressed', n);
        await event('mouseReleased', n);
    }
    if (clicks > 0 && !leaves)
        await settled(page);
}

/* The middle of a cell of the heat map, by its number. */
const cellAt = (page, number) => evaluate(page, `(({ x, y }) => ({ x, y }))(document.documentElement.flame.cells()[${number}])`);

/* Drags from one cell of the heat map to another: "5 12". */
async function drag(page, cells, modifiers = 0) {
    const [from, to] = await Promise.all(cells.split(' ').map((cell) => cellAt(page, cell)));
    const event = (type, at, button) => page.call('Input.dispatchMouseEvent',
        { type, ...at, modifiers, button, buttons: button === 'left' ? 1 : 0, clickCount: 1 });
    await event('mouseMoved', from, 'none');
    await event('mousePressed', from, 'left');
    await event('mouseMoved', { x: (from.x + to.x) / 2, y: from.y }, 'left');
    await event('mouseMoved', to, 'left');
    await event('mouseReleased', to, 'left');
    await settled(page);
}

function open(page, operand) { /* FILE[?QUERY] */
    const [, file, query] = operand.match(/^([^?]*)(.*)$/s);
    return openPicture(page, file, query);
}

async function mouse(page, what, clicks, options) {
    await mouseAt(page, await middleOf(page, what), clicks, options);
}

/* Chooses the item of the open menu that begins with this text. */
async function choose(page, text) {
    const at = await evaluate(page, `(() => {
        const item = Array.from(document.querySelectorAll('.menu button'))
            .find((button) => button.textContent.startsWith(${JSON.stringify(text)}));
        const box = item.getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
    await mouseAt(page, at, 1);
}

const LONGEST = 10000; /* milliseconds to wait for what an input leads to */

/* Sends input that leads to an event of the window, and waits for that. */
async function sendFor(page, type, send) {
    await evaluate(page, `void (window.awaited = new Promise((done, fail) => {
        addEventListener('${type}', () => setTimeout(done), { capture: true, once: true });
        setTimeout(fail, ${LONGEST}, new Error('no ${type}'));
    }))`);
    await send();
    await evaluate(page, 'window.awaited');
}

const touchEvent = (page, type, touchPoints) => page.call('Input.dispatchTouchEvent', { type, touchPoints });

/* Both events are sent at once: a pause between them, on a busy machine, would make a press of it. */
async function tap(page, what) {
    const at = await middleOf(page, what);
    await page.call('Emulation.setTouchEmulationEnabled', { enabled: true });
    await sendFor(page, 'click', () => Promise.all([touchEvent(page, 'touchStart', [at]), touchEvent(page, 'touchEnd', [])]));
    await settled(page);
}

/* A finger that stays until the menu is open; Firefox gets both events at the end. */
async function press(page, what) {
    const at = await middleOf(page, what);
    await page.call('Emulation.setTouchEmulationEnabled', { enabled: true });
    await touchEvent(page, 'touchStart', [at]);
    await evaluate(page, `new Promise((done) => {
        const end = performance.now() + ${process.env.BROWSER === 'firefox' ? 700 : LONGEST};
        const look = () => document.querySelector('.menu') || performance.now() > end ? done() : setTimeout(look, 10);
        look();
    })`);
    await touchEvent(page, 'touchEnd', []);
    await settled(page);
}

/* Goes a step of the history back (-1) or forward (1). */
function travel(page, by) {
    return evaluate(page, `new Promise((done) => {
        addEventListener('popstate', () => setTimeout(done), { once: true });
        history.go(${by});
    })`);
}

async function key(page, name) {
    const parts = name.split(/-(?=.)/);
    const last = parts.pop();
    const modifiers = parts.reduce((sum, part) => sum + MODIFIERS[part], 0);
    const code = KEY_CODES[last] || last.toUpperCase().charCodeAt(0);
    const text = last.length === 1 && modifiers === 0 ? last : last === 'Enter' ? '\r' : undefined;
    const event = { key: last, windowsVirtualKeyCode: code, modifiers };
    await page.call('Input.dispatchKeyEvent', { ...event, type: text ? 'keyDown' : 'rawKeyDown', text });
    await page.call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
    await settled(page);
}

async function screenshot(page, file) {
    const { data } = await page.call('Page.captureScreenshot', { format: 'png' });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
}

/* How many pixels of two screenshots differ by more than a shift of half a pixel to the left or right can make
 * them: half the contrast of the pixels there. */
function comparePictures(page, files) {
    const images = files.split(' ').map((file) => fs.readFileSync(file, 'base64'));
    return evaluate(page, `Promise.all(${JSON.stringify(images)}.map(async (text) => {
        const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
        pen.drawImage(image, 0, 0);
        return pen.getImageData(0, 0, image.width, image.height);
    })).then(([{ data: one }, { data: other }]) => {
        let count = 0;
        for (let i = 4; i < one.length - 4; i += 4)
            count += [i, i + 1, i + 2].some((at) => {
                const near = [-4, 0, 4].map((by) => other[at + by]);
                const all = near.concat([-4, 0, 4].map((by) => one[at + by]));
                const most = 6 + (Math.max(...all) - Math.min(...all)) / 2;
                return one[at] < Math.min(...near) - most || one[at] > Math.max(...near) + most;
            });
        return count + ' of ' + one.length / 4;
    })`);
}

/* Media features as Emulation.setEmulatedMedia takes them: prefers-color-scheme=dark. Ends when the page has followed. */
async function media(page, feature) {
    const [name, value] = feature.split('=');
    await page.call('Emulation.setEmulatedMedia', { features: [{ name, value }] });
    await settled(page);
}

/* Ends when the page has the size and has followed it. */
async function resize(page, size) {
    const [width, height] = size.split('x').map(Number);
    await page.call('Emulation.setDeviceMetricsOverride',
        { width, height, deviceScaleFactor: 1, mobile: false });
    if (page.hasScript)
        await evaluate(page, `new Promise((done) => {
            const look = () => innerWidth === ${width} && innerHeight === ${height} ? done() : setTimeout(look, 5);
            look();
        })`);
    await settled(page);
}

/* The steps. What one returns is printed. */
const STEPS = {
    open,
    click: (page, what) => mouse(page, what, 1),
    'double-click': (page, what) => mouse(page, what, 2),
    'ctrl-click': (page, what) => mouse(page, what, 1, { modifiers: MODIFIERS.Ctrl }),
    'right-click': (page, what) => mouse(page, what, 1, { button: 'right' }),
    drag: (page, cells) => drag(page, cells),
    'ctrl-drag': (page, cells) => drag(page, cells, MODIFIERS.Ctrl),
    'click-cell': async (page, cell) => mouseAt(page, await cellAt(page, cell), 1),
    'click-stall': async (page, number) => mouseAt(page, /* on its mark */
        await evaluate(page, `(({ x, y }) => ({ x, y }))(document.documentElement.flame.stalls()[${number - 1}])`), 1),
    hover: (page, what) => mouse(page, what, 0),
    'hover-at': (page, place) => { /* X,Y of the window */
        const [x, y] = place.split(',').map(Number);
        return mouseAt(page, { x, y }, 0);
    },
    choose,
    wheel: (page, deltaY) => sendFor(page, 'scrollend', () => page.call('Input.dispatchMouseEvent',
        { type: 'mouseWheel', x: 200, y: 200, deltaX: 0, deltaY: Number(deltaY) })),
    tap,
    press,
    script: async (page, value) => { /* on or off, from the next page on */
        page.hasScript = value === 'on';
        await page.call('Emulation.setScriptExecutionDisabled', { value: !page.hasScript });
    },
    print: async (page) => { await page.call('Page.printToPDF', {}); },
    key,
    type: async (page, text) => { await page.call('Input.insertText', { text }); },
    media,
    resize,
    screenshot,
    'compare-pictures': comparePictures,
    text: (page, what) => withNamed(page, what,
        `(found, isElement) => (isElement ? found : label(found))?.textContent ?? ''`),
    style: (page, operand) => {
        const [, property, what] = operand.match(/^(\S+) (.*)$/);
        return withNamed(page, what,
            `(found, isElement) => getComputedStyle(isElement ? found : painted(found))['${property}']`);
    },
    shown: (page, what) => withNamed(page, what, `(found) => getComputedStyle(found).display !== 'none'`),
    /* x, width and text */
    frame: (page, what) => withNamed(page, what, `(found) =>
        [found.x.toFixed(1), found.width.toFixed(1), label(found)?.textContent ?? ''].join(' ')`),
    frames: (page) => evaluate(page, `(() => { ${HELPERS} return boxes().map((one) => one.name).sort().join(' '); })()`),
    /* the frame's name, or what a control is labelled */
    focused: (page) => evaluate(page, `((e) => e.localName === 'svg' ? 'svg' : e.role === 'treeitem'
        ? e.ariaLabel.replace(/ \\([^(]*$/, '') : e.ariaLabel || e.textContent)(document.activeElement)`),
    address: async (page) => { /* which is written after a paint */
        await settled(page);
        return evaluate(page, 'location.search + location.hash');
    },
    follow: async (page, what) => { /* a link: returns the name of the file that it leads to */
        const loaded = page.once('Page.loadEventFired');
        await mouse(page, what, 1, { leaves: true });
        await loaded;
        return evaluate(page, `location.pathname.replace(/.*[/]/, '')`);
    },
    back: (page) => travel(page, -1),
    forward: (page) => travel(page, 1),
    requests: (page) => page.requests.length,
    /* a script of this folder, which answers in a line */
    check: (page, name) => evaluate(page,
        `(() => { ${HELPERS} ${fs.readFileSync(path.join(__dirname, name + '.js'), 'utf8')} })()`),
    /* in each picture of the page, by events that the page makes itself */
    'click-all': (page, what) => evaluate(page, `(() => { ${HELPERS}
        for (const root of roots()) {
            const one = root.flame.boxes().find((box) => box.name === ${JSON.stringify(what)});
            root.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: one.x + 5, clientY: one.y + 5 }));
        }
    })()`),
    eval: evaluate,
};

/* Carries the steps out. Each line of results goes to print. Resolves to what the page threw or logged as an error. */
async function carryOut(page, [file, ...steps], print) {
    await open(page, file);
    for (const step of steps) {
        const [, verb, operand] = step.match(/^(\S+) ?(.*)$/s);
        if (!STEPS[verb])
            throw new Error(`no such step: ${verb}`);
        const answer = await STEPS[verb](page, operand);
        if (answer !== undefined)
            print(String(answer));
    }
    return page.troubles;
}

async function browseAlone(operands) {
    const troubles = await withPage((page) => carryOut(page, operands, (line) => console.log(line)));
    troubles.forEach((trouble) => console.error(trouble));
    return troubles.length > 0 ? 1 : 0;
}

module.exports = { carryOut };

async function main(operands) {
    if (operands.length === 0) {
        console.error('usage: browse.js FILE[?QUERY] STEP...');
        return 2;
    }
    return process.env.BROWSER_SOCKET ? ask(process.env.BROWSER_SOCKET, operands) : browseAlone(operands);
}

if (require.main === module)
    main(process.argv.slice(2)).then(
        (status) => { process.exitCode = status; },
        (error) => { console.error(error.message); process.exitCode = 1; });
