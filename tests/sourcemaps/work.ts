export function busy(n: number): number {
    let s = 0;
    for (let i = 0; i < n; i++)
        s += Math.sqrt(i);
    return s;
}
