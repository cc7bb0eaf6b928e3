'use strict';
/* A headless Firefox and one page in it, with the interface of chromium.js: it takes those commands of the DevTools
 * protocol that our tests send, and sends WebDriver BiDi's, which Firefox has instead.
 * https://w3c.github.io/webdriver-bidi/ */
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const websocket = require('./websocket.js');

/* A page may read its <object>; nothing is fetched in the background. */
const PREFERENCES = {
    'security.fileuri.strict_origin_policy': false, 'browser.shell.checkDefaultBrowser': false,
    'app.normandy.enabled': false, 'app.update.enabled': false, 'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false, 'services.settings.server': 'data:,',
    'toolkit.telemetry.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false,
};
const EVENTS = ['browsingContext.load', 'browsingContext.userPromptOpened', 'log.entryAdded',
    'network.beforeRequestSent'];

/* Code points that stand for keys: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS = { Backspace: '\ue003', Tab: '\ue004', Enter: '\ue007', Escape: '\ue00c', End: '\ue010', Home: '\ue011',
    ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015' };
const MODIFIERS = [[1, '\ue00a'], [2, '\ue009'], [4, '\ue03d'], [8, '\ue008']]; /* Alt, Ctrl, Meta, Shift */

function start(profile) {
    fs.writeFileSync(path.join(profile, 'user.js'), Object.entries(PREFERENCES)
        .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(''));
    return spawn(process.env.FIREFOX || 'firefox-esr', ['--headless', '--no-remote', '--profile', profile,
        '--remote-debugging-port=0', '--remote-allow-system-access', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/* "WebDriver BiDi listening on ws://127.0.0.1:33021" */
function portOf(child) {
    return new Promise((resolve, reject) => {
        let text = '';
        child.stderr.setEncoding('utf8').on('data', (data) => {
            text += data;
            const found = /BiDi listening on ws:\/\/[^:]*:(\d+)/.exec(text);
            if (found)
                resolve(Number(found[1]));
        });
        child.on('error', reject).on('exit', () => reject(new Error('firefox has ended')));
    });
}

/* A value as BiDi writes it: { type: "array", value: [{ type: "number", value: 1 }] } */
function valueOf({ type, value }) {
    if (type === 'array')
        return value.map(valueOf);
    if (type === 'object')
        return Object.fromEntries(value.map(([key, one]) => [key, valueOf(one)]));
    if (type === 'number' && typeof value === 'string')
        return Number(value); /* "NaN", "-0" */
    return type === 'null' ? null : value;
}

function keyActions(key, modifiers, type) {
    const held = MODIFIERS.filter(([bit]) => modifiers & bit).map(([, value]) => ({ type, value }));
    const own = { type, value: KEYS[key] || key };
    return [{ type: 'key', id: 'keyboard', actions: type === 'keyDown' ? [...held, own] : [own, ...held] }];
}

/* The modifiers are held from the press to the release. */
function mouseActions({ type, x, y, modifiers, button: name }) {
    const button = name === 'right' ? 2 : 0;
    const action = { mouseMoved: { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        mousePressed: { type: 'pointerDown', button }, mouseReleased: { type: 'pointerUp', button } }[type];
    const held = MODIFIERS.filter(([bit]) => modifiers & bit && type !== 'mouseMoved')
        .map(([, value]) => ({ type: type === 'mousePressed' ? 'keyDown' : 'keyUp', value }));
    const wait = held.map(() => ({ type: 'pause' }));
    return [{ type: 'key', id: 'keyboard', actions: held },
        { type: 'pointer', id: 'mouse', actions: type === 'mousePressed' ? [...wait, action] : [action, ...wait] }];
}

/* A key for each character: Firefox cannot insert a text at once. */
function typing(text) {
    return [{ type: 'key', id: 'keyboard', actions: Array.from(text).flatMap((value) =>
        ['keyDown', 'keyUp'].map((type) => ({ type, value }))) }];
}

async function evaluate(send, context, { expression }) {
    const { type, result, exceptionDetails } = await send('script.evaluate',
        { expression, target: { context }, awaitPromise: true, userActivation: true });
    return type === 'exception' ? { exceptionDetails: { exception: { description: exceptionDetails.text } } }
        : { result: { value: valueOf(result) } };
}

/* WebDriver has no media features: the browser's own script sets the preference. */
const MEDIA = {
    'prefers-color-scheme': ['layout.css.prefers-color-scheme.content-override', { dark: 0, light: 1 }],
    'prefers-reduced-motion': ['ui.prefersReducedMotion', { reduce: 1, 'no-preference': 0 }],
};

async function setMedia(send, context, { features: [{ name, value }] }) {
    const { contexts: [browser] } = await send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    const [preference, values] = MEDIA[name];
    return evaluate(send, browser.context,
        { expression: `Services.prefs.setIntPref('${preference}', ${values[value]})` });
}

/* For each command of the DevTools protocol what is done instead. */
const COMMANDS = {
    'Page.navigate': (send, context, { url }) => send('browsingContext.navigate', { context, url, wait: 'none' }),
    'Page.captureScreenshot': (send, context) => send('browsingContext.captureScreenshot', { context }),
    'Page.addScriptToEvaluateOnNewDocument': (send, context, { source }) =>
        send('script.addPreloadScript', { functionDeclaration: `() => { ${source} }` }),
    'Page.handleJavaScriptDialog': (send, context, { accept, promptText }) =>
        send('browsingContext.handleUserPrompt', { context, accept, userText: promptText }),
    'HeapProfiler.collectGarbage': async () => {},
    'Runtime.evaluate': evaluate,
    'Input.dispatchMouseEvent': (send, context, event) =>
        send('input.performActions', { context, actions: mouseActions(event) }),
    'Input.dispatchKeyEvent': (send, context, { type, key, modifiers = 0 }) => send('input.performActions',
        { context, actions: keyActions(key, modifiers, type === 'keyUp' ? 'keyUp' : 'keyDown') }),
    'Input.insertText': (send, context, { text }) => send('input.performActions', { context, actions: typing(text) }),
    'Emulation.setEmulatedMedia': setMedia,
    'Emulation.setDeviceMetricsOverride': (send, context, { width, height }) =>
        send('browsingContext.setViewport', { context, viewport: { width, height } }),
};

/* Returns send(method, params), which returns a promise of the result; events go to onEvent. */
async function connect(child, onEvent) {
    const waiting = new Map();
    let id = 0;
    const failAll = () => waiting.forEach((call) => call.reject(new Error('firefox has ended')));
    const text = await websocket.connect(await portOf(child), '/session', (message) => {
        const answer = JSON.parse(message);
        const call = waiting.get(answer.id);
        waiting.delete(answer.id);
        if (!call)
            onEvent(answer);
        else if (answer.type === 'error')
            call.reject(new Error(answer.message));
        else
            call.resolve(answer.result);
    }, failAll);
    return (method, params) => new Promise((resolve, reject) => {
        waiting.set(++id, { resolve, reject });
        text(JSON.stringify({ id, method, params }));
    });
}

/* What our tests wait for, by the name of the DevTools protocol. */
const NAMES = { 'browsingContext.load': 'Page.loadEventFired',
    'browsingContext.userPromptOpened': 'Page.javascriptDialogOpening' };

/* As in chromium.js. */
async function withPage(work) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flame-browser-'));
    const child = start(profile);
    const gone = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
    const page = { troubles: [], requests: [], hasScript: true, once: null, call: null };
    const awaited = new Map();
    const onEvent = ({ method, params }) => {
        if (method === 'log.entryAdded' && params.level === 'error')
            page.troubles.push(params.text);
        if (method === 'network.beforeRequestSent')
            page.requests.push(params.request.url);
        awaited.get(NAMES[method])?.(params);
        awaited.delete(NAMES[method]);
    };
    try {
        const send = await connect(child, onEvent);
        await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } } });
        const { contexts: [{ context }] } = await send('browsingContext.getTree', {});
        await send('session.subscribe', { events: EVENTS });
        await send('browsingContext.setViewport', { context, viewport: { width: 1400, height: 900 } });
        page.once = (event) => new Promise((resolve) => awaited.set(event, resolve));
        page.call = (method, params) => {
            if (!COMMANDS[method])
                throw new Error(`Firefox has no ${method}`);
            if (method === 'Page.navigate')
                page.requests.push(params.url); /* it reports no requests for files */
            return COMMANDS[method](send, context, params || {});
        };
        return await work(page);
    } finally {
        child.kill();
        await gone;
        fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    }
}

module.exports = { withPage };
