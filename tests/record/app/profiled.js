'use strict';
// What node's own profilers record: one round of work in each kind of code, for so many milliseconds.
const crypto = require('node:crypto');
const { tally } = require('tally'); // a stand-in for a package: app/tally.js
const wasm = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from([
    '0061736d' + '01000000', // "\0asm", version 1
    '0106' + '0160017f017f', // types: i32 to i32
    '0302' + '0100', // functions
    '0708' + '01' + '047370696e' + '0000', // exports: "spin"
    '0a1b' + '0119' + '01017f' + '0340200120006a2101200041016b22000d000b' + '20010b', // code
].join(''), 'hex')));

function hot(n) {
    let x = 0;
    for (let i = 0; i < n; i++)
        x = (x * 31 + i) % 1000003;
    return x;
}

const shop = {
    'price;list'() { return hot(300000); }, // ";" separates frames in folded stacks
    get total() { return hot(100000); },
    größe: (list) => list.map((item) => JSON.stringify(item)).join('\n').length,
};
const words = 'a b c d e f g h '.repeat(500);

const end = Date.now() + Number(process.argv[2]);
while (Date.now() < end) {
    shop['price;list']();
    shop.total;
    shop.größe(Array.from({ length: 200 }, (_, id) => ({ id, words })));
    words.replace(/(?:a|b) (c|d)/g, '$1');
    tally(words.split(' '));
    wasm.exports.spin(200000);
    crypto.pbkdf2Sync('secret', 'salt', 20, 32, 'sha512');
}
