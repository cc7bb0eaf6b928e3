'use strict';
// Makes functions, runs each until it is optimised, and drops them, so that their addresses are used again:
// node --expose-gc reuse.js SECONDS
const end = Date.now() + 1000 * Number(process.argv[2]);
let made = 0;
let sum = 0;

while (Date.now() < end) {
    const body = 's = (s * 31 + i) | 0; '.repeat(1 + (made % 40));
    const source = `return function f${made}(n) { let s = n; for (let i = 0; i < 300; i++) { ${body} } return s; }`;
    const f = new Function(source)();
    for (let i = 0; i < 400; i++)
        sum += f(i);
    if (++made % 100 === 0)
        gc();
}
console.log(made, sum);
