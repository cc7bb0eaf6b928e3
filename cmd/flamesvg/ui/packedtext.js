/* The text of the table, as a page has it (an SVG: plaintext.js): in gzip's format and base64. The script of a page is an
 * async function, because the browser unpacks it beside other work. */

import { makeElement } from './dom.js';
import { root } from './picture.js';
export { tableText };

/* Tells the user of a browser that cannot unpack it what to do. */
function refuse() {
    const text = 'This browser is too old for this page: open it in a newer one (Chromium 80, Firefox 113, Safari 16.4), or ' +
        'draw an SVG, without flamesvg\u2019s option --html.';
    document.body.append(makeElement('p', { role: 'alert' }, text));
    throw new Error(text);
}

/* Chunk by chunk, which takes a quarter of the time of new Response(stream).text(). */
async function unpack(base64) {
    const binary = atob(base64), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++)
        bytes[i] = binary.charCodeAt(i);
    const { readable, writable } = new DecompressionStream('gzip'), writer = writable.getWriter(), reader = readable.getReader();
    const decoder = new TextDecoder();
    let text = '';
    writer.write(bytes);
    writer.close();
    for (let part = await reader.read(); !part.done; part = await reader.read())
        text += decoder.decode(part.value, { stream: true });
    return text;
}

if (!globalThis.DecompressionStream)
    refuse();
const tableText = await unpack(root.querySelector('script[type="application/gzip"]').textContent);
