'use strict';
/* Opens the pictures that hostile.py has drawn, uses them, and checks that names are text in them: nothing is run or
 * fetched, and the picture shows the names as they are to be shown.
 *
 *     node hostile.js FOLDER ...
 *
 * Each folder gets a browser of its own. Prints what is wrong; status 1 if anything is. */
const fs = require('fs');
const path = require('path');
const { withPage } = require('./browser.js');
const { evaluate, openPicture, pointAt, PAINTED } = require('./page.js');

let wrong = 0;

function check(file, what, wanted, got) {
    if (wanted === got)
        return;
    wrong++;
    console.log(`${file}: ${what}: wanted ${JSON.stringify(wanted).slice(0, 200)}, got ${JSON.stringify(got).slice(0, 200)}`);
}

/* Runs before the page's own scripts: notes what a name could call. */
function watch() {
    window.ran = [];
    const note = (name) => (...args) => { window.ran.push(`${name}(${args})`); };
    for (const name of ['hit', 'alert', 'confirm', 'prompt', 'print', 'open', 'fetch', 'eval', 'Function'])
        window[name] = note(name);
    document.write = note('document.write');
    window.copied = '';
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } });
    addEventListener('error', (event) => window.ran.push(event.message), true);
}

async function open(page, file, query) {
    page.requests.length = 0;
    await openPicture(page, file, query);
}

/* What must hold of each page, whatever was done in it. */
async function checkHarmless(page, file) {
    check(file, 'what has run', '', await evaluate(page, 'window.ran.join()'));
    check(file, 'errors', '', page.troubles.splice(0).join());
    check(file, 'requests', 1, page.requests.length);
    check(file, 'foreign elements', '', await evaluate(page, `Array.from(document.querySelectorAll(
        'img, iframe, object, embed, link, base, animate, set, image, use, audio, video, b, textarea, form'),
        (element) => element.localName).join()`));
}

async function press(page, key, code) {
    const event = { key, windowsVirtualKeyCode: code };
    await page.call('Input.dispatchKeyEvent', { ...event, type: code < 32 ? 'rawKeyDown' : 'keyDown',
        text: code < 32 ? undefined : key });
    await page.call('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
}

/* The text with what is no character, and controls of direction, as a picture shows them. */
function visible(text) {
    return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd').replace(
        /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        (char) => `<U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);
}

/* A frame in the details, where long names may be cut, in the tooltip, in its menu, and copied. */
async function checkFrame(page, file, frame, name) {
    await pointAt(page, frame);
    const [details, tip] = await evaluate(page, `${PAINTED}.then(() => [
        document.querySelector('#details').textContent, document.querySelector('.tip .name').textContent])`);
    const wanted = `Function: ${name} (1 sample`.slice(0, name.length > 100 ? 40 : undefined);
    check(file, 'details', wanted, details.slice(0, wanted.length));
    check(file, 'tooltip', name, tip);
    await press(page, 'm', 77);
    check(file, 'menu', name, await evaluate(page, `document.querySelector('[role=menu]')?.ariaLabel`));
    await press(page, 'Escape', 27);
    await press(page, 'n', 78);
    check(file, 'copied text', name, visible(await evaluate(page, 'window.copied')));
}

/* The names in the file's order of frames: "n042" and what it calls; of those whose turn it is. */
async function checkFrames(page, { file, stacks }, isOfTurn) {
    await open(page, file);
    for (const [i, stack] of stacks.entries())
        for (const [n, name] of isOfTurn(stack, i) ? stack.entries() : [])
            await checkFrame(page, file, { start: i / stacks.length, width: 1 / stacks.length, level: n + 2 }, name);
    await checkHarmless(page, file);
}

/* A picture with one name in all fields but those of frames, opened with it as the search. */
async function checkPicture(page, { file, shown, query, term }) {
    await open(page, file, '?s=' + query);
    const [title, address, matched] = await evaluate(page, `[
        document.querySelector('#title, .title').firstChild.textContent, new URL(location.href).searchParams.get('s'), document.querySelector('#matched').textContent]`);
    const raw = (text) => text.replace(/<U\+([0-9A-F]{4})>/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
    check(file, 'title', raw(shown), title);
    check(file, 'search in the address', term, address);
    check(file, 'matches', true, /frame|expression/.test(matched));
    await pointAt(page, { start: 1 / 3, width: 1 / 3, level: 1 });
    await press(page, '/', 191);
    const [details, field] = await evaluate(page, `${PAINTED}.then(() => [
        document.querySelector('#details').textContent, document.querySelector('input').value])`);
    check(file, 'search in the field', term.replace(/[\r\n]/g, ''), field);
    if (shown.length < 50)
        check(file, 'nametype and countname', raw(`${shown} main (1 ${shown}, 33.33%)`), details);
    await checkHarmless(page, file);
}

/* Opens the picture of all names, and the pictures with a name in the other fields. What takes time is done with each name
 * in one of the folders, which have the same names and take turns. */
async function checkFolder(folder, turn, folders) {
    const { frames, pictures } = JSON.parse(fs.readFileSync(path.join(folder, 'wanted.json')));
    const inFolder = (one) => ({ ...one, file: path.join(folder, one.file) });
    const isOfTurn = (_, i) => i % folders.length === turn;
    await withPage(async (page) => {
        await page.call('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()` });
        await checkFrames(page, inFolder(frames), isOfTurn);
        /* A lower window, since painting it takes much of the time: all of these pictures fits in. */
        await page.call('Emulation.setDeviceMetricsOverride',
            { width: 1400, height: 300, deviceScaleFactor: 1, mobile: false });
        for (const picture of pictures.filter(isOfTurn))
            await checkPicture(page, inFolder(picture));
    });
}

async function main(folders) {
    if (folders.length === 0) {
        console.error('usage: hostile.js FOLDER ...');
        return 2;
    }
    await Promise.all(folders.map(checkFolder));
    return wrong > 0 ? 1 : 0;
}

main(process.argv.slice(2)).then(
    (status) => { process.exitCode = status; },
    (error) => { console.error(error.message); process.exitCode = 1; });
