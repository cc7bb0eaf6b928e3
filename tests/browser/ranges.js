'use strict';
/* How fast a page with slices of time is in Chromium: 300,000 samples in 50,000 frames and 300 seconds. Prints medians
 * in milliseconds: from the start of the navigation to the paint of the graph, and from the end of a
 * drag over the heat map to the paint of that range, and of a second range, which is compared with it. The latter two
 * are the browser's own figures, multiples of 8 ms: https://www.w3.org/TR/event-timing/
 *
 *     node ranges.js BUILD [PAGE]     with a page: that one in its place */
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');
const { withPage } = require('./browser.js');
const { evaluate } = require('./page.js');
const { makeProfile, stacksOf, randomNumbers } = require('./profile.js');

const SAMPLES = 300000, FRAMES = 50000, SLICES = 15000; /* of 20 ms */
const RUNS = 7;
const LOOK = 1000; /* milliseconds that a person looks at a picture before using it */
const CTRL = 2; /* Input.dispatchMouseEvent's modifiers */

/* Each stack once, and the others by how often the profile has them. */
function slicedText() {
    const random = randomNumbers(), stacks = stacksOf(makeProfile(FRAMES));
    const often = stacks.flatMap(({ text, count }) => Array(count).fill(text));
    return Array.from({ length: SAMPLES }, (_, i) => {
        const text = i < stacks.length ? stacks[i].text : often[Math.floor(random() * often.length)];
        return `@${(100 + Math.floor(random() * SLICES) * 0.02).toFixed(3)};${text} 1\n`;
    }).join('');
}

/* Runs before the page's own scripts. */
function prepare() {
    window.events = [];
    new PerformanceObserver((list) => window.events.push(...list.getEntries())).observe({ type: 'event', durationThreshold: 16 });
    const look = (now) => { /* the frame after the one that drew the graph */
        window.opened = window.drawn && now;
        window.drawn ||= document.documentElement?.flame;
        if (!window.opened)
            requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}

/* Evaluates the expression until it is true. */
async function until(page, expression) {
    let value;
    while (!(value = await evaluate(page, expression)))
        await new Promise((done) => { setTimeout(done, 50); });
    return value;
}

/* Drags over the heat map, and returns how long the paint took after the pointer was up. */
async function drag(page, from, to, modifiers) {
    const y = await evaluate(page, `(({ y, height }) => y + height / 3)(document.querySelector('.heat canvas').getBoundingClientRect())`);
    const mouse = (type, x) => page.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1, modifiers });
    await mouse('mousePressed', from);
    await mouse('mouseMoved', to);
    await new Promise((done) => { setTimeout(done, LOOK); });
    await evaluate(page, 'void (window.events = [])');
    await mouse('mouseReleased', to);
    return until(page, `window.events.find((event) => event.name === 'pointerup')?.duration`);
}

function drawPage(build) {
    const folded = path.join(build, 'bench', 'browser-slices'), html = folded + '.html';
    fs.mkdirSync(path.dirname(folded), { recursive: true });
    fs.writeFileSync(folded, slicedText());
    const out = fs.openSync(html, 'w');
    spawnSync(path.join(build, 'bin', 'flamesvg'), ['-q', '--html', folded], { stdio: ['ignore', out, 'inherit'] });
    return html;
}

async function printRanges(build, html = drawPage(build)) {
    const times = { open: [], range: [], second: [] };
    for (let run = 0; run < RUNS; run++)
        await withPage(async (page) => {
            await page.call('Page.addScriptToEvaluateOnNewDocument', { source: `(${prepare})()` });
            const loaded = page.once('Page.loadEventFired');
            await page.call('Page.navigate', { url: pathToFileURL(html).href });
            await loaded;
            times.open.push(await until(page, 'window.opened'));
            await new Promise((done) => { setTimeout(done, LOOK); });
            times.range.push(await drag(page, 200, 500, 0));
            times.second.push(await drag(page, 600, 900, CTRL));
        });
    console.log(`\n${path.basename(html)}: ${fs.statSync(html).size} bytes`);
    for (const [name, list] of Object.entries(times))
        console.log(`${name.padEnd(8)}${list.sort((a, b) => a - b)[RUNS >> 1].toFixed(0).padStart(6)} ms  (${list.map((ms) => ms.toFixed(0)).join(' ')})`);
}

module.exports = { printRanges };

if (require.main === module)
    printRanges(...process.argv.slice(2));
