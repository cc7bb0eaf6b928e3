// An http server in the manner of express, which sends itself requests and ends.
const http = require('http');
const fs = require('fs');
const path = require('path');
const bundle = fs.readdirSync(path.join(__dirname, 'dist')).find((name) => name.endsWith('.js'));
const { page } = require(path.join(__dirname, 'dist', bundle));
const store = require('./lib/store');

const layers = [];
const use = (match, handle) => layers.push({ match, handle });

use(() => true, (req, res, next) => {
    req.query = new URL(req.url, 'http://shop').searchParams;
    next();
});
use((req) => req.url.startsWith('/list'), (req, res) => {
    res.end(JSON.stringify(store.list(Number(req.query.get('from')))));
});
use((req) => req.url.startsWith('/item'), (req, res) => {
    const item = store.item(Number(req.query.get('id')));
    res.end(page(item, store.copy(store.related(item))));
});

function dispatch(req, res) {
    let at = 0;
    const next = () => {
        const layer = layers[at++];
        if (layer.match(req)) layer.handle(req, res, next);
        else next();
    };
    next();
}

const server = http.createServer(dispatch).listen(0, '127.0.0.1', async () => {
    const agent = new http.Agent({ keepAlive: true });
    const get = (url) => new Promise((done) => {
        http.get({ host: '127.0.0.1', port: server.address().port, path: url, agent }, (res) => res.resume().on('end', done));
    });
    for (let i = 0; i < Number(process.argv[2] || 1000); i++) await get(i % 4 ? `/item?id=${(i * 37) % 2000}` : `/list?from=${i % 1900}`);
    agent.destroy();
    server.close();
});
