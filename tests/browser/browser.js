'use strict';
/* A headless browser and one page in it: Chromium, or Firefox where BROWSER=firefox is set. Both are driven by commands
 * and events of the DevTools protocol, which firefox.js translates.
 * https://chromedevtools.github.io/devtools-protocol/
 *
 * Each browser's file has: start(profile), which returns the process; connect(child, take), which resolves to
 * send(text) and calls take(text) for each answer and event; openPage(call, onEvent), which opens a page and resolves to
 * { call, close }; eventOf(message), which returns an event as { method, params }; and stop(child, call). */
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

/* What a page has besides call: once(event) is a promise of such an event; troubles collects what the page threw or logged
 * as an error, requests the addresses that it fetched. take({ method, params }) gets its events. */
function makePage() {
    const awaited = new Map();
    const page = { troubles: [], requests: [], hasScript: true };
    page.once = (event) => new Promise((resolve, reject) => awaited.set(event, { resolve, reject }));
    page.fail = (error) => awaited.forEach((event) => event.reject(error));
    page.take = ({ method, params }) => {
        if (method === 'Runtime.exceptionThrown')
            page.troubles.push(params.exceptionDetails.exception?.description || 'exception');
        if (method === 'Log.entryAdded' && params.entry.level === 'error')
            page.troubles.push(params.entry.text);
        if (method === 'Network.requestWillBeSent')
            page.requests.push(params.request.url);
        awaited.get(method)?.resolve(params);
        awaited.delete(method);
    };
    return page;
}

/* Starts the browser. Resolves to { withPage, end, isGone }: withPage(work) opens a page that shares nothing with others,
 * runs work(page), and closes it; page.call(method, params) talks to it. One page at a time. */
async function startBrowser() {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flame-browser-'));
    const child = browser.start(profile);
    const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
    let page = null, isGone = false;
    const onEvent = (message) => {
        const event = browser.eventOf(message);
        if (event.method === 'Inspector.targetCrashed')
            failAll(new Error('the page has crashed'));
        page?.take(event);
    };
    const calls = makeCalls(onEvent);
    const call = (...args) => calls.call(...args);
    const failAll = (error) => {
        isGone = true;
        calls.send = () => { throw error; };
        calls.failAll(error);
        page?.fail(error);
    };
    const end = async () => {
        browser.stop(child, call);
        await ended;
        /* Its child processes may write for a moment longer. */
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    };
    let silence = null;
    const withPage = async (work) => {
        let close = async () => {};
        silence = setTimeout(() => child.kill(), LONGEST_SILENCE);
        try {
            page = makePage();
            ({ call: page.call, close } = await browser.openPage(call, onEvent));
            return await work(page);
        } finally {
            await close().catch(() => {}); /* the browser may have ended */
            page = null;
            clearTimeout(silence);
        }
    };
    child.on('error', failAll).on('exit', () => failAll(new Error(`${NAME} has ended`)));
    try {
        calls.send = await browser.connect(child, (text) => {
            silence?.refresh();
            calls.take(text);
        });
    } catch (error) {
        await end();
        throw error;
    }
    return { withPage, end, isGone: () => isGone };
}

/* Runs work(page) in a browser of its own. */
async function withPage(work) {
    const own = await startBrowser();
    try {
        return await own.withPage(work);
    } finally {
        await own.end();
    }
}

module.exports = { startBrowser, withPage };
