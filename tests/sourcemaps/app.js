// An application with the forms that functions have. What of it runs is printed by V8 with its name.
const { busy, Worker, registry } = require('./busy');

class Engine {
    constructor(n) { this.n = n; this.warm(); }
    warm() { return busy(this.n); }
    get heavy() { return busy(this.n * 2); }
    set heavy(n) { this.n = n; busy(n); }
    static create(n) { return new Engine(n); }
    run = (k) => busy(k) + this.n;
    async later(n) { await null; return busy(n); }
    *generate(n) { yield busy(n); }
    #secret(n) { return busy(n); }
    open(n) { return this.#secret(n); }
}

class Turbo extends Engine {
    constructor(n) { super(n); this.turbo = true; }
}

const Anonymous = class { work(n) { return busy(n); } };

function outerLoop(iterations) {
    const innerClosure = (value) => {
        return busy(value);
    };
    let sum = 0;
    for (let i = 0; i < iterations; i++)
        sum += innerClosure(1000);
    return sum;
}

const arrow = (x) => busy(x);
const asynchronous = async (x) => { await null; return busy(x); };
const expression = function (x) { return busy(x); };
const object = {
    method(x) { return busy(x); },
    property: function (x) { return busy(x); },
    arrowProperty: (x) => busy(x),
    get accessor() { return busy(1000); },
};
registry.handle = function (x) { return busy(x); };
Worker.prototype.work = function (n) { return busy(n); };

module.exports.main = function (milliseconds) {
    const end = Date.now() + milliseconds;
    let sum = 0;
    do {
        const e = Turbo.create(2000);
        e.heavy = 1000;
        sum += e.heavy + e.run(2000) + outerLoop(3) + arrow(2000) + expression(2000) + new Turbo(10).warm();
        sum += object.method(2000) + object.property(2000) + object.arrowProperty(2000) + object.accessor;
        sum += registry.handle(2000) + new Worker().work(1000) + new Anonymous().work(1000);
        sum += e.open(1000) + [1, 2].map(function named(x) { return busy(x * 100); }).length;
        e.later(1000);
        asynchronous(1000);
        for (const x of e.generate(1000))
            sum += x;
    } while (Date.now() < end);
    return sum;
};
console.log(module.exports.main(Number(process.argv[2] || 0)) > 0);
