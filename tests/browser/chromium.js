'use strict';
/* A headless Chromium and one page in it, driven over the DevTools protocol: JSON messages, each
 * ended by a NUL, to its descriptor 3 and from its descriptor 4 (--remote-debugging-pipe).
 * https://chromedevtools.github.io/devtools-protocol/ */
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--remote-debugging-pipe', '--window-size=1400,900',
    '--allow-file-access-from-files', 'about:blank']; /* so that a page can read its <object> */

function start(profile) {
    return spawn(process.env.CHROMIUM || 'chromium', [`--user-data-dir=${profile}`, ...FLAGS],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
}

/* How long the browser may be silent, in milliseconds; then it is ended, and the test fails. A busy machine takes some
 * seconds for a picture of 300,000 frames. */
const LONGEST_SILENCE = 120000;

/* Calls take(message) for each complete message of a stream, and giveUp() when none comes for too long. */
function eachMessage(stream, take, giveUp) {
    let rest = '';
    const silence = setTimeout(giveUp, LONGEST_SILENCE);
    stream.setEncoding('utf8');
    stream.on('close', () => clearTimeout(silence));
    stream.on('data', (data) => {
        silence.refresh();
        const messages = (rest + data).split('\0');
        rest = messages.pop();
        messages.forEach((message) => take(JSON.parse(message)));
    });
}

/* Returns call(method, params, session), which returns a promise of the result; events go to
 * onEvent. */
function connect(child, onEvent) {
    const waiting = new Map();
    let id = 0;
    const failAll = (error) => waiting.forEach((call) => call.reject(error));
    child.on('error', failAll);
    child.on('exit', () => failAll(new Error('chromium has ended')));
    eachMessage(child.stdio[4], (message) => {
        const call = waiting.get(message.id);
        waiting.delete(message.id);
        if (!call)
            onEvent(message);
        else if (message.error)
            call.reject(new Error(message.error.message));
        else
            call.resolve(message.result);
    }, () => child.kill());
    return (method, params, sessionId) => new Promise((resolve, reject) => {
        waiting.set(++id, { resolve, reject });
        child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
}

/* Runs work(page), then ends the browser. page.call(method, params) talks to the page;
 * page.once(event) is a promise of such an event; page.troubles collects what the page threw or
 * logged as an error, page.requests the addresses that it fetched. */
async function withPage(work) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flame-browser-'));
    const child = start(profile);
    const gone = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
    const page = { troubles: [], requests: [], hasScript: true, once: null, call: null };
    const awaited = new Map();
    const failAll = (error) => awaited.forEach((event) => event.reject(error));
    child.on('exit', () => failAll(new Error('chromium has ended')));
    const onEvent = ({ method, params }) => {
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
    const call = connect(child, onEvent);
    try {
        const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
        page.call = (method, params) => call(method, params, sessionId);
        page.once = (event) => new Promise((resolve, reject) => awaited.set(event, { resolve, reject }));
        for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Inspector'])
            await page.call(`${domain}.enable`);
        return await work(page);
    } finally {
        call('Browser.close').catch(() => child.kill());
        await gone;
        /* Its child processes may write for a moment longer. */
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    }
}

module.exports = { withPage };
