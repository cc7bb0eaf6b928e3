// Work for a profile: a hot function, JSON, a regular expression, a hash, for the milliseconds in argv[2].
'use strict';
const { pbkdf2Sync } = require('crypto');

function collatz(limit) {
    let longest = 0;
    for (let start = 1; start < limit; start++) {
        let length = 1;
        for (let n = start; n !== 1; length++)
            n = n % 2 === 0 ? n / 2 : 3 * n + 1;
        longest = Math.max(longest, length);
    }
    return longest;
}

const people = Array.from({ length: 2000 }, (_, id) => ({ id, name: 'user ' + id, tags: ['a', 'b', String(id)] }));

function serialize() {
    return JSON.parse(JSON.stringify(people)).length;
}

function findNames(text) {
    return text.match(/user [0-9]*7\b/g).length;
}

function handleRequest(text) {
    return collatz(20000) + serialize() + findNames(text) + pbkdf2Sync('secret', 'salt', 2000, 32, 'sha256')[0];
}

const end = Date.now() + Number(process.argv[2]);
const text = people.map((p) => p.name).join(', ');
let sum = 0;
while (Date.now() < end)
    sum += handleRequest(text);
console.log(sum > 0 ? 'done' : 'nothing done');
