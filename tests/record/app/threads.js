// Two worker threads that compile and run new functions for some seconds: threads.js SECONDS
'use strict';
const { Worker, isMainThread, workerData } = require('worker_threads');

if (isMainThread) {
    const seconds = Number(process.argv[2] || 2);
    for (let i = 0; i < 2; i++) new Worker(__filename, { workerData: seconds });
} else {
    const end = Date.now() + 1000 * workerData;
    let sum = 0;
    while (Date.now() < end) {
        const spell = new Function('n', 'let t = 0; for (const c of "abcdefghij") t += c.charCodeAt(0) + n; return t;');
        for (let i = 0; i < 5; i++) sum += spell(i);
    }
    if (sum === 0) throw new Error('nothing was added up');
}
