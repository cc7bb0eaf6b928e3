'use strict';
// Does some work in four functions of about equal cost, round after round: node slower.js FACTOR [ROUNDS]
// One of them, hash(), does FACTOR times its work. A thousand rounds take about a second of processor time. It is the
// work that is fixed and not the time: on a busy machine the start would take a larger share of a fixed time.
const factor = Number(process.argv[2] || 1), rounds = Number(process.argv[3] || 1000);
const rows = Array.from({ length: 400 }, (_, i) => ({ id: i * 7919 % 1000, name: 'row ' + i, tags: ['a' + i, 'b'] }));
const text = JSON.stringify(rows);
function hash(times) {
    let sum = 17;
    for (let k = 0; k < times * 150; k++)
        for (let i = 0; i < text.length; i += 16)
            sum = Math.imul(sum, 31) + text.charCodeAt(i) | 0;
    return sum;
}
function parse() {
    let sum = 0;
    for (let k = 0; k < 2; k++)
        sum += JSON.parse(text).length;
    return sum;
}
function sort() {
    let sum = 0;
    for (let k = 0; k < 4; k++)
        sum += rows.slice().sort((a, b) => a.id - b.id)[0].id;
    return sum;
}
function match() {
    let sum = 0;
    for (let k = 0; k < 24; k++)
        sum += text.match(/"name":"row \d*7"/g).length;
    return sum;
}
function round() {
    return hash(factor) + parse() + sort() + match();
}
let sum = 0;
for (let i = 0; i < rounds; i++)
    sum += round();
console.log(sum !== 0 ? 'done' : 'nothing');
