// A program as it begins: it loads node's modules, makes functions of text, and handles requests of its own.
'use strict';
const http = require('http');
for (const name of ['crypto', 'zlib', 'readline', 'stream', 'worker_threads', 'url', 'util', 'assert', 'dns', 'tls'])
    require(name);
const made = [];
for (let i = 0; i < 200; i++)
    made.push(new Function('n', `let sum${i} = 0; for (let i = 0; i < n; i++) sum${i} += i; return sum${i};`));
const server = http.createServer((request, response) => {
    let sum = 0;
    for (const f of made)
        sum += f(50);
    response.end(JSON.stringify({ sum, url: request.url, list: Array.from({ length: 20 }, (_, i) => 'x' + i) }));
});
server.listen(0, '127.0.0.1', () => {
    const agent = new http.Agent({ keepAlive: true });
    const end = Date.now() + 1000;
    const next = () => {
        if (Date.now() > end)
            return process.exit(0);
        http.get({ host: '127.0.0.1', port: server.address().port, agent, path: '/' + Date.now() }, response => {
            response.resume();
            response.on('end', next);
        });
    };
    next();
});
