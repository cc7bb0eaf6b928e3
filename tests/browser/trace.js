'use strict';
/* Records what a page does as DevTools' panel "Performance" does, and writes the trace to standard output:
 *
 *     node trace.js 'for (const end = Date.now() + 100; Date.now() < end;) ;'
 */
const { withPage } = require('./browser.js');
const { evaluate } = require('./page.js');

const CATEGORIES = ['devtools.timeline', 'v8.execute', 'disabled-by-default-devtools.timeline',
    'disabled-by-default-v8.cpu_profiler'];

async function readStream(page, handle) {
    const parts = [];
    for (let eof = false; !eof;) {
        const part = await page.call('IO.read', { handle });
        parts.push(part.data);
        eof = part.eof;
    }
    return parts.join('');
}

withPage(async (page) => {
    const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ['*'] };
    await page.call('Tracing.start', { transferMode: 'ReturnAsStream', traceConfig });
    await evaluate(page, process.argv[2]);
    const complete = page.once('Tracing.tracingComplete');
    await page.call('Tracing.end');
    process.stdout.write(await readStream(page, (await complete).stream));
}).catch((error) => {
    console.error(error.stack);
    process.exitCode = 1;
});
