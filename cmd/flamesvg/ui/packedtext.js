/* The text of the table, as a page has it (an SVG: plaintext.js): in gzip's format and base64. The script of a page is an
 * async function, because the browser unpacks it beside other work; and it stands before the table, so that it can say that
 * the file has no end. */

import { makeElement } from './dom.js';
import { root } from './picture.js';
export { tableText };

const TOO_OLD = 'This browser is too old for this page: open it in a newer one (Chromium 93, Firefox 113, Safari 16.4), or ' +
    'draw an SVG, without flamesvg\u2019s option --html.';
const DAMAGED = 'This file is damaged: a part of it is missing or was changed. Copy it again, or draw it again with flamesvg.';

/* Tells the user what to do. */
function refuse(text) {
    document.body.append(makeElement('p', { role: 'alert' }, text));
    throw new Error(text);
}

/* The browser checks the text's length and checksum, which the format has. Chunk by chunk it takes a quarter of the time
 * of new Response(stream).text(). */
async function unpack(base64) {
    const binary = atob(base64), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++)
        bytes[i] = binary.charCodeAt(i);
    const packed = new ReadableStream({
        start(to) {
            to.enqueue(bytes);
            to.close();
        },
    });
    const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader(), decoder = new TextDecoder();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
        text += decoder.decode(part.value, { stream: true });
    return text;
}

if (!globalThis.DecompressionStream)
    refuse(TOO_OLD);
await new Promise(done => { addEventListener('DOMContentLoaded', done); }); /* all of the file is read */
const tableText = await unpack(root.querySelector('script[type="application/gzip"]')?.textContent ?? '')
    .catch(() => refuse(DAMAGED));
