'use strict';
// Asks the server for its routes in turn: node load.js PORT SECONDS
const http = require('node:http');
const [port, seconds] = process.argv.slice(2).map(Number);
const paths = ['/hot', '/json', '/hash', '/html', '/report', '/tally', '/wasm', '/pool'];
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const end = Date.now() + seconds * 1000;

function ask(n) {
    if (Date.now() >= end)
        return;
    http.get({ agent, port, host: '127.0.0.1', path: paths[n % paths.length] }, (response) => {
        response.resume().on('end', () => ask(n + 1));
    }).on('error', () => setTimeout(ask, 50, n));
}
for (let n = 0; n < 4; n++)
    ask(n);
