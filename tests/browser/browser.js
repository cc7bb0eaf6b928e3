'use strict';
/* A headless browser and one page in it: Chromium, or Firefox where BROWSER=firefox is set. Both are driven by commands
 * and events of the DevTools protocol, which firefox.js translates.
 * https://chromedevtools.github.io/devtools-protocol/
 *
 * Each browser's file has: start(profile), which returns the process; connect(child, take), which resolves to
 * send(text) and calls take(text) for each answer and event; openPage(call, onEvent), which opens a page and resolves to
 * page.call; eventOf(message), which returns an event as { method, params }; and stop(child, call). */
const fs = require('fs');
const os = require('os');
const path = require('path');

const NAME = process.env.BROWSER === 'firefox' ? 'firefox' : 'chromium';
const browser = require(`./${NAME}.js`);

/* How long the browser may be silent, in milliseconds; then it is ended, and the test fails. A busy machine takes some
 * seconds for a picture of 300,000 frames. */
const LONGEST_SILENCE = 120000;

/* Commands have numbers, and so have the answers to them; onEvent gets what has none. */
function makeCalls(onEvent) {
    const waiting = new Map();
    let id = 0;
    return {
        send: null,
        call(method, params, sessionId) {
            return new Promise((resolve, reject) => {
                waiting.set(++id, { resolve, reject });
                this.send(JSON.stringify({ id, method, params, sessionId }));
            });
        },
        take(text) {
            const answer = JSON.parse(text);
            const call = waiting.get(answer.id);
            waiting.delete(answer.id);
            if (!call)
                onEvent(answer);
            else if (answer.error)
                call.reject(new Error(answer.message || answer.error.message));
            else
                call.resolve(answer.result);
        },
        failAll: (error) => waiting.forEach((one) => one.reject(error)),
    };
}

/* Runs work(page), then ends the browser. page.call(method, params) talks to the page; page.once(event) is a promise of
 * such an event; page.troubles collects what the page threw or logged as an error, page.requests the addresses that it
 * fetched. */
async function withPage(work) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flame-browser-'));
    const child = browser.start(profile);
    const gone = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
    const page = { troubles: [], requests: [], hasScript: true, once: null, call: null };
    const awaited = new Map();
    const onEvent = (message) => {
        const { method, params } = browser.eventOf(message);
        if (method === 'Runtime.exceptionThrown')
            page.troubles.push(params.exceptionDetails.exception?.description || 'exception');
        if (method === 'Log.entryAdded' && params.entry.level === 'error')
            page.troubles.push(params.entry.text);
        if (method === 'Network.requestWillBeSent')
            page.requests.push(params.request.url);
        if (method === 'Inspector.targetCrashed')
            failAll(new Error('the page has crashed'));
        awaited.get(method)?.resolve(params);
        awaited.delete(method);
    };
    const calls = makeCalls(onEvent);
    const call = (...args) => calls.call(...args);
    const failAll = (error) => {
        calls.send = () => { throw error; };
        calls.failAll(error);
        awaited.forEach((event) => event.reject(error));
    };
    const silence = setTimeout(() => child.kill(), LONGEST_SILENCE);
    child.on('error', failAll).on('exit', () => failAll(new Error(`${NAME} has ended`)));
    try {
        calls.send = await browser.connect(child, (text) => {
            silence.refresh();
            calls.take(text);
        });
        page.call = await browser.openPage(call, onEvent);
        page.once = (event) => new Promise((resolve, reject) => awaited.set(event, { resolve, reject }));
        return await work(page);
    } finally {
        browser.stop(child, call);
        await gone;
        clearTimeout(silence);
        /* Its child processes may write for a moment longer. */
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    }
}

module.exports = { withPage };
