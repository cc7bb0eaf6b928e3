// Three fifths of its steps are in hot. While V8 makes a CPU profile it logs neither ticks nor new code for --prof, so one half of
// the run is for the log and the other for the profile, each so much processor time.
'use strict';
const { writeFileSync } = require('fs');
const { Session } = require('inspector');
function hot(n) { let x = 1; for (let i = 0; i < n; i++) x = (x * 31 + i) % 1000003; return x; }
function cold(n) { let x = 2; for (let i = 0; i < n; i++) x = (x * 31 + i) % 1000003; return x; }
function processorTime() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
}
function work(ms) {
    let sum = 0;
    for (const end = processorTime() + ms; processorTime() < end;)
        sum += hot(600000) + cold(400000);
    return sum;
}
const session = new Session();
const post = (method, parameters, then) => session.post(method, parameters, (error, result) => {
    if (error)
        throw error;
    if (then)
        then(result);
});
session.connect();
post('Profiler.enable');
post('Profiler.setSamplingInterval', { interval: 500 });
work(1000);
post('Profiler.start');
work(1000);
post('Profiler.stop', {}, ({ profile }) => writeFileSync('run.cpuprofile', JSON.stringify(profile)));
