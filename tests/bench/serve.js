'use strict';
// The HTTP server of the recordings, which asks itself for its routes in turn until it has used so much processor
// time, and so gives about as many samples on a busy machine: NODE_PATH=tests/record/app node serve.js MILLISECONDS
const http = require('node:http');
const server = require('../record/app/server.js');
const milliseconds = Number(process.argv[2]);
const paths = ['/hot', '/json', '/hash', '/html', '/report', '/tally', '/wasm', '/pool'];
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

function ask(n) {
    const { user, system } = process.cpuUsage();
    if (user + system >= milliseconds * 1000)
        process.exit();
    http.get({ agent, host: '127.0.0.1', port: server.address().port, path: paths[n % paths.length] }, (response) => {
        response.resume().on('end', () => ask(n + 1));
    });
}
server.on('listening', () => [0, 1, 2, 3].forEach(ask));
