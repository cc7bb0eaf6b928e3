'use strict';
// Keeps much in memory, so that V8 collects garbage in threads of its own, and in whichever function allocates just then,
// which differs from run to run: node heap.js [ROUNDS [EXTRA]]. EXTRA is how much work the function extra() does: 20 is
// some 6 % of the time.
const rounds = Number(process.argv[2] || 1800), extraTimes = Number(process.argv[3] || 20);
const store = new Map();
function make(n) {
    const list = [];
    for (let i = 0; i < 200; i++)
        list.push({ id: n * 200 + i, name: 'row ' + n + ':' + i, tags: ['a' + i % 7, 'b' + n % 5], next: null });
    return list;
}
function link(list) {
    for (let i = 1; i < list.length; i++)
        list[i].next = list[i - 1];
    return list;
}
function text(list) {
    return JSON.stringify(list.map((one) => [one.id, one.name, one.tags]));
}
function count(rowsRead) {
    const seen = new Map();
    for (const row of rowsRead)
        for (const tag of row[2])
            seen.set(tag, (seen.get(tag) || 0) + 1);
    return seen;
}
function extra(times) {
    let sum = 17;
    for (let i = 0; i < times * 1000; i++)
        sum = Math.imul(sum, 31) + i | 0;
    return sum;
}
let sum = 0;
for (let n = 0; n < rounds; n++) {
    const list = link(make(n));
    store.set(n, list);
    const rowsRead = JSON.parse(text(list));
    sum += count(rowsRead).size + extra(extraTimes);
    if (n % 3 === 0)
        store.set('rows' + n, rowsRead);
}
console.log(sum, store.size);
