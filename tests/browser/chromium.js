'use strict';
/* Chromium, driven over the DevTools protocol: JSON messages, each ended by a NUL, to its descriptor 3 and from its
 * descriptor 4 (--remote-debugging-pipe). For the functions see browser.js. */
const { spawn } = require('child_process');

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--remote-debugging-pipe', '--window-size=1400,900',
    '--allow-file-access-from-files', 'about:blank']; /* so that a page can read its <object> */

function start(profile) {
    return spawn(process.env.CHROMIUM || 'chromium', [`--user-data-dir=${profile}`, ...FLAGS],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
}

async function connect(child, take) {
    let rest = '';
    child.stdio[4].setEncoding('utf8').on('data', (data) => {
        const messages = (rest + data).split('\0');
        rest = messages.pop();
        messages.forEach(take);
    });
    return (text) => child.stdio[3].write(text + '\0');
}

/* In a context of its own, as a private window is. */
async function openPage(call) {
    const { browserContextId } = await call('Target.createBrowserContext');
    const { targetId } = await call('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Inspector'])
        await call(`${domain}.enable`, {}, sessionId);
    return {
        call: (method, params) => call(method, params, sessionId),
        close: () => call('Target.disposeBrowserContext', { browserContextId }),
    };
}

function eventOf(message) {
    return message;
}

function stop(child, call) {
    call('Browser.close').catch(() => child.kill());
}

module.exports = { start, connect, openPage, eventOf, stop };
