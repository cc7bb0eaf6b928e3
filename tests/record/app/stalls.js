// A server whose event loop is blocked now and then: node stalls.js COUNT KINDS ADDON FILE, where KINDS are joined by
// commas, and ADDON is a build of lock.c. Another process sends it small requests all the time. COUNT times, in a mixed
// order, each kind blocks for 55 to 2000 ms, with pauses between. Writes a line for each block to FILE: when it began
// (milliseconds since 1970), how long it took, its kind. stalltruth.py compares them with what stackreport --stalls
// lists. With a COUNT of 0 it runs for KINDS seconds, and nothing is blocked.
const http = require('http');
const fs = require('fs');
const crypto = require('crypto');
const { execSync, spawn, fork } = require('child_process');

if (process.argv[2] === 'load') {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
    const get = () => http.get({ port: +process.argv[3], agent }, (r) => {
        r.resume();
        r.on('end', () => setTimeout(get, 5));
    }).on('error', () => process.exit(0));
    for (let i = 0; i < 4; i++)
        get();
    process.on('disconnect', () => process.exit(0));
    return;
}

fs.writeFileSync(process.argv[5], '');
const [count, kinds] = [+process.argv[2], process.argv[3].split(',')];
const addon = process.argv[4] ? require(process.argv[4]) : null;
const folder = fs.mkdtempSync(require('os').tmpdir() + '/stalls-');
const fifo = folder + '/fifo';
execSync('mkfifo ' + fifo);
let seed = 42; // the same order and lengths each time
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const now = () => Number(process.hrtime.bigint()) / 1e6;
const timed = (f) => { const t = now(); f(); return now() - t; };

let sink = 0;
function spin(n) { for (let i = 0; i < n; i++) sink = (sink * 31 + i) | 0; }
const object = JSON.stringify({ id: 12345, name: 'a name of some length', tags: ['a', 'b', 'c'], at: { x: 1.5, y: 2.5 } });
const text = '[' + Array(300000).fill(object).join(',') + ']'; // 30 MB
function evil(n) { return /^(?:a|a)+$/.test('a'.repeat(n) + 'b'); } // twice the time with each letter
let kept = null;
const collect = (() => {
    require('v8').setFlagsFromString('--expose-gc');
    return require('vm').runInNewContext('gc');
})();

// Each blocks for about ms milliseconds, but for json and gc, which take the time that they take.
const blocks = {
    loop: function plantedLoop(ms) { const end = now() + ms; while (now() < end) spin(10000); },
    exec: function plantedExec(ms) { execSync('sleep ' + ms / 1000); },
    pbkdf2: function plantedPbkdf2(ms) {
        for (const end = now() + ms; now() < end;)
            crypto.pbkdf2Sync('secret', 'salt', 5000, 64, 'sha512');
    },
    file: function plantedFile(ms) { // a file whose content comes late
        spawn('sh', ['-c', `sleep ${ms / 1000}; echo text >${fifo}`], { stdio: 'ignore' });
        fs.readFileSync(fifo);
    },
    json: function plantedJson() { sink += JSON.parse(text).length; },
    regexp: function plantedRegexp(ms) { evil(blocks.letters + Math.max(0, Math.floor(Math.log2(ms / 55)))); },
    gc: function plantedGc() { collect(); },
    lock: function plantedLock(ms) { addon.lock(ms); }, // held by another thread for that long
};
for (blocks.letters = 10; timed(() => evil(blocks.letters)) < 80; blocks.letters++)
    ;

const plan = [];
for (const kind of kinds)
    for (let i = 0; i < count; i++)
        plan.push([kind, 55 * Math.pow(2000 / 55, random())]);
for (let i = plan.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [plan[i], plan[j]] = [plan[j], plan[i]];
}

const server = http.createServer((q, r) => { spin(20000); r.end('hello'); });
const after = (f) => setTimeout(f, 100 + 300 * random()); // what was blocked meanwhile is handled, and some more
let load;
function end() {
    load.disconnect();
    server.close();
    server.closeAllConnections?.();
    fs.rmSync(folder, { recursive: true });
}
function next() {
    const one = plan.pop();
    if (!one)
        return end();
    const [kind, ms] = one;
    if (kind === 'gc') // made in parts, or this would block too
        return build([], () => after(() => block(kind, ms)));
    block(kind, ms);
}
function build(list, then) {
    for (let i = 0; i < 20000; i++)
        list.push({ i, a: [i], s: 'text ' + i });
    if (list.length >= 800000) { kept = list; return then(); }
    setImmediate(build, list, then);
}
function block(kind, ms) {
    const at = Date.now();
    const took = timed(() => blocks[kind](ms));
    kept = null;
    fs.appendFileSync(process.argv[5], `${at} ${took.toFixed(1)} ${kind}\n`);
    after(next);
}
server.listen(0, () => {
    load = fork(__filename, ['load', server.address().port]);
    count ? setTimeout(next, 2000) : setTimeout(end, kinds[0] * 1000);
});
