'use strict';
// The HTTP server of the recordings: each route keeps the processor busy in another kind of code.
const http = require('node:http');
const crypto = require('node:crypto');
const { tally } = require('tally'); // a stand-in for a package: app/tally.js

// The hot function: app code that V8 optimises, and that calls nothing.
function mandelbrot(width) {
    let inside = 0;
    for (let py = 0; py < width; py++) {
        for (let px = 0; px < width; px++) {
            const cx = (px / width) * 3 - 2, cy = (py / width) * 2 - 1;
            let x = 0, y = 0, n = 0;
            for (; n < 60 && x * x + y * y < 4; n++)
                [x, y] = [x * x - y * y + cx, 2 * x * y + cy];
            inside += n === 60 ? 1 : 0;
        }
    }
    return inside;
}

const orders = Array.from({ length: 400 }, (_, id) => ({
    id, email: `user${id}@example.org`, items: [{ price: id, count: 2 }], note: '<b>&"\''.repeat(4),
}));

class Report {
    get total() { // a name with a blank in V8's map: "get total"
        return orders.reduce((sum, order) => sum + order.items[0].price * order.items[0].count, 0);
    }
}

function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

// (module (func (export "spin") (param i32) (result i32) (local i32)
//   (loop (local.set 1 (i32.add (local.get 1) (local.get 0)))
//         (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
//   (local.get 1)))
const wasm = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from([
    '0061736d' + '01000000', // "\0asm", version 1
    '0106' + '0160017f017f', // types: i32 to i32
    '0302' + '0100', // functions
    '0708' + '01' + '047370696e' + '0000', // exports: "spin"
    '0a1b' + '0119' + '01017f' + '0340200120006a2101200041016b22000d000b' + '20010b', // code
].join(''), 'hex')));

const routes = {
    '/hot': () => String(mandelbrot(120)),
    '/json': () => String(JSON.stringify(JSON.parse(JSON.stringify(orders))).length),
    '/hash': () => crypto.pbkdf2Sync('secret', 'salt', 2000, 32, 'sha512').toString('hex'),
    '/html': () => orders.map((order) => escapeHtml(order.note)).join(''),
    '/report': () => String(new Report().total),
    '/tally': () => String(tally(orders.map((order) => order.email)).size),
    '/wasm': () => String(wasm.exports.spin(1000000)),
};

const server = http.createServer((request, response) => {
    if (request.url === '/pool') // in libuv's threads, off the main one
        crypto.pbkdf2('secret', 'salt', 2000, 32, 'sha512', (_, key) => {
            response.end(key.toString('hex'));
        });
    else
        response.end(routes[request.url]());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
module.exports = server;
