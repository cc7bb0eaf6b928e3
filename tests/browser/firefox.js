'use strict';
/* Firefox: takes those commands of the DevTools protocol that our tests send, and sends WebDriver BiDi's, which Firefox
 * has instead. For the functions see browser.js.
 * https://w3c.github.io/webdriver-bidi/ */
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const websocket = require('./websocket.js');

/* A page may read its <object>; nothing is fetched in the background. */
const PREFERENCES = {
    'security.fileuri.strict_origin_policy': false, 'browser.shell.checkDefaultBrowser': false,
    'app.normandy.enabled': false, 'app.update.enabled': false, 'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false, 'services.settings.server': 'data:,',
    'toolkit.telemetry.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false,
};

/* The events that our tests use, and their names in the DevTools protocol. */
const EVENTS = { 'browsingContext.load': 'Page.loadEventFired', 'log.entryAdded': 'Log.entryAdded',
    'browsingContext.userPromptOpened': 'Page.javascriptDialogOpening',
    'network.beforeRequestSent': 'Network.requestWillBeSent' };

/* Code points that stand for keys: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS = { Backspace: '\ue003', Tab: '\ue004', Enter: '\ue006', Escape: '\ue00c', End: '\ue010', Home: '\ue011',
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

function moveTo({ x, y }) {
    return { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
}

/* From the press to the release an event is put off: else Firefox does not count clicks. A drag is then sent as a whole,
 * and the modifiers are held through it. */
function makeMouse() {
    let drag = null;
    return ({ type, x, y, modifiers, button: name }) => {
        if (type === 'mousePressed') {
            drag = [];
            return [];
        }
        if (type === 'mouseMoved' && !drag)
            return [{ type: 'pointer', id: 'mouse', actions: [moveTo({ x, y })] }];
        drag?.push(moveTo({ x, y }));
        if (type === 'mouseMoved')
            return [];
        const button = name === 'right' ? 2 : 0, held = MODIFIERS.filter(([bit]) => modifiers & bit);
        const keys = (key) => held.map(([, value]) => ({ type: key, value }));
        const pauses = (items) => items.map(() => ({ type: 'pause' }));
        const moves = drag.length > 1 ? drag : [], whole = [{ type: 'pointerDown', button }, ...moves, { type: 'pointerUp', button }];
        drag = null;
        return [{ type: 'key', id: 'keyboard', actions: [...keys('keyDown'), ...pauses(whole), ...keys('keyUp')] },
            { type: 'pointer', id: 'mouse', actions: [...pauses(held), ...whole] }];
    };
}

function wheelActions({ x, y, deltaX, deltaY }) {
    return [{ type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', x, y, deltaX, deltaY }] }];
}

/* A touch of so many milliseconds. It is sent as a whole, so that a busy machine does not make it longer. */
function touchActions(at, duration) {
    return [{ type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions: [moveTo(at),
        { type: 'pointerDown', button: 0 }, { type: 'pause', duration }, { type: 'pointerUp', button: 0 }] }];
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

/* Evaluates in the browser's own window. */
async function inBrowser(send, expression) {
    const { contexts: [{ context }] } = await send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    return evaluate(send, context, { expression });
}

/* WebDriver cannot set media features or forbid scripts; preferences can. Preferences and values for the features: */
const MEDIA = {
    'prefers-color-scheme': ['layout.css.prefers-color-scheme.content-override', { dark: 0, light: 1 }],
    'prefers-reduced-motion': ['ui.prefersReducedMotion', { reduce: 1, 'no-preference': 0 }],
};

function setMedia(send, { features: [{ name, value }] }) {
    const [preference, values] = MEDIA[name];
    return inBrowser(send, `Services.prefs.setIntPref('${preference}', ${values[value]})`);
}

/* For each command of the DevTools protocol what is done instead. */
function commandsOf(send, context, onEvent) {
    const act = async (actions) => actions.length > 0 && send('input.performActions', { context, actions });
    const mouseActions = makeMouse();
    let touch = null;
    return {
        'Page.navigate': ({ url }) => {
            /* There are no events for files. */
            onEvent({ method: 'network.beforeRequestSent', params: { request: { url } } });
            return send('browsingContext.navigate', { context, url, wait: 'none' });
        },
        'Page.captureScreenshot': () => send('browsingContext.captureScreenshot', { context }),
        'Page.printToPDF': () => send('browsingContext.print', { context }),
        'Page.addScriptToEvaluateOnNewDocument': ({ source }) =>
            send('script.addPreloadScript', { functionDeclaration: `() => { ${source} }` }),
        'Page.handleJavaScriptDialog': ({ accept, promptText }) =>
            send('browsingContext.handleUserPrompt', { context, accept, userText: promptText }),
        'HeapProfiler.collectGarbage': async () => {},
        'Runtime.evaluate': (params) => evaluate(send, context, params),
        'Input.dispatchMouseEvent': (event) =>
            act(event.type === 'mouseWheel' ? wheelActions(event) : mouseActions(event)),
        'Input.dispatchTouchEvent': async ({ type, touchPoints: [at] }) => {
            if (type === 'touchStart')
                touch = { at, time: Date.now() };
            else
                await act(touchActions(touch.at, Date.now() - touch.time));
        },
        'Input.dispatchKeyEvent': ({ type, key, modifiers = 0 }) =>
            act(keyActions(key, modifiers, type === 'keyUp' ? 'keyUp' : 'keyDown')),
        'Input.insertText': ({ text }) => act(typing(text)),
        'Emulation.setEmulatedMedia': (params) => setMedia(send, params),
        'Emulation.setTouchEmulationEnabled': async () => {},
        'Emulation.setScriptExecutionDisabled': ({ value }) =>
            inBrowser(send, `Services.prefs.setBoolPref('javascript.enabled', ${!value})`),
        'Emulation.setDeviceMetricsOverride': ({ width, height }) =>
            send('browsingContext.setViewport', { context, viewport: { width, height } }),
    };
}

async function connect(child, take) {
    return websocket.connect(await portOf(child), '/session', take, () => child.kill());
}

async function openPage(send, onEvent) {
    await send('session.new', { capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: 'ignore' } } } });
    const { contexts: [{ context }] } = await send('browsingContext.getTree', {});
    await send('session.subscribe', { events: Object.keys(EVENTS) });
    await inBrowser(send, 'gBrowser.selectedBrowser.focus()'); /* else its address bar has the focus */
    await send('browsingContext.setViewport', { context, viewport: { width: 1400, height: 900 } });
    const commands = commandsOf(send, context, onEvent);
    return {
        call(method, params = {}) {
            if (!commands[method])
                throw new Error(`Firefox has no ${method}`);
            return commands[method](params);
        },
        close: async () => {},
    };
}

function eventOf({ method, params }) {
    return { method: EVENTS[method], params: method === 'log.entryAdded' ? { entry: params } : params };
}

function stop(child) {
    child.kill();
}

module.exports = { start, connect, openPage, eventOf, stop };
