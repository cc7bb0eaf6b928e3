// Functions of many forms, and new ones all the time, for tests/record/v8image.sh.
'use strict';
let sink = 0;
function spin(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
class Klass {
  #hidden(n) { return spin(n) + 1; }
  method(n) { return this.#hidden(n) + spin(n); }
  get property() { return spin(3000); }
  static create(n) { return new Klass().method(n); }
}
const arrow = (n) => spin(n) + 1;
const object = { prop: (n) => spin(n), 'quoted name'(n) { return spin(n); }, 関数(n) { return spin(n); } };
function make(k) { return function closure(n) { return spin(n) + k; }; }
function outer(n) { return [1, 2, 3].map((x) => spin(n) + x).reduce(function add(a, b) { return a + b; }, 0); }
const evaluated = eval('(function evaluated(n) {\r\n  return spin(n);\r\n})');
function garbage() { const list = []; for (let i = 0; i < 20000; i++) list.push({ i, s: 's' + i }); return list.length; }
// V8 inlines `through`, and not what it calls, since there are many.
const several = [arrow, object.prop, object['quoted name'], object.関数, spin, evaluated, outer];
function through(f, n) { return f(n) + 1; }
function all(n) { let s = 0; for (let i = 0; i < several.length; i++) s += through(several[i], n); return s; }
let made = 0;
function churn() {
  const id = made++;
  return new Function('spin', `return function made_${id}(n) { return spin(n) + ${id}; }`)(spin)(20000);
}
function cold(n) { return 'x'.repeat(n).split('').sort().length; }
async function round() {
  sink += Klass.create(9000) + new Klass().property + arrow(9000) + object.prop(9000) + object['quoted name'](9000);
  for (let i = 0; i < 40; i++) sink += all(900);
  sink += object.関数(9000) + make(1)(9000) + outer(3000) + evaluated(9000) + garbage() + churn() + cold(3000);
}
(async function main() { for (;;) { await round(); } })();
