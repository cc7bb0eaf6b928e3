import { busy } from './work';

interface Options {
    rounds: number;
}

class Engine<T extends Options> {
    constructor(private options: T) {}
    warm(): number { return busy(this.options.rounds); }
    get heavy(): number { return busy(this.options.rounds * 2); }
    run = (k: number): number => { return busy(k); };
}

function outerLoop(iterations: number): number {
    const innerClosure = (value: number) => busy(value);
    let sum = 0;
    for (let i = 0; i < iterations; i++)
        sum += innerClosure(1000);
    return sum;
}

export function main(milliseconds: number): number {
    const end = Date.now() + milliseconds;
    let sum = 0;
    do {
        const e = new Engine({ rounds: 1000 });
        sum += e.warm() + e.heavy + e.run(1000) + outerLoop(3);
    } while (Date.now() < end);
    return sum;
}
console.log(main(Number(process.argv[2] || 0)) > 0);
