/* Stalls: turns of event loops that took long. One can be shown alone; the heat map marks them all: stallmarks.js. */

import { decodeNumbers } from './decode.js';
import { profile } from 'profile';
import { NO_STALL } from './state.js';
import { stackOf } from './table.js';
import { visible } from './text.js';
import { momentText } from './times.js';
export { countsOfStall, describeStall, hasStalls, readStall, stallCount, stallsOf, threadOfStall };

/* By start: { start, length: in milliseconds of the recording's clock; tid; stopped: milliseconds in which its process was
 *   stopped; goesOn: the recording ended before it did; frame, count: arrays of the frames that its stacks end in and their
 *   counts }. timetable.c describes the text. */
function decodeStalls(text) {
    const numbers = decodeNumbers(text), stalls = [];
    for (let i = 0, start = 0; i < numbers.length; i++) {
        const stall = { start: start += numbers[i++], length: numbers[i++], tid: numbers[i++], frame: [], count: [] };
        stall.stopped = Math.floor(numbers[i] / 2);
        stall.goesOn = numbers[i++] % 2 === 1;
        for (let last = -1; numbers[i] > 0; i++) {
            last += Math.floor(numbers[i] / 2);
            stall.frame.push(last);
            stall.count.push(numbers[i] % 2 === 1 ? numbers[++i] : 1);
        }
        stalls.push(stall);
    }
    return stalls;
}

const hasStalls = Boolean(profile.columns.turns);
let stalls = null;
const stallsOf = () => stalls ??= decodeStalls(profile.columns.turns || '');
const stallCount = () => stallsOf().length;

/* The counts of a stall by the frame that stacks end in. */
function countsOfStall(n) {
    const { frame, count } = stallsOf()[n], own = new Float64Array(profile.table.count);
    frame.forEach((one, at) => { own[one] += count[at]; });
    return own;
}

/* The frame that the stacks of a stall begin with: that of its thread. */
function threadOfStall({ frame }) {
    return frame.length > 0 ? stackOf(profile.table, frame[0])[0] : undefined;
}

/* "stall 3 of 12: 14:02:11.250, 412 ms, node 4242 (going on when the recording ended)" */
function describeStall(n) {
    const stall = stallsOf()[n], thread = threadOfStall(stall);
    const name = thread === undefined ? '' : visible(profile.names[profile.table.name[thread]]).replace(/-\d+(\/\d+)?$/, '');
    return `stall ${n + 1} of ${stallsOf().length}: ${momentText(stall.start)}, ${stall.length} ms, ${name} ${stall.tid}` +
        (stall.stopped > 0 ? ` (the process was stopped for ${stall.stopped} ms of it)` : '') +
        (stall.goesOn ? ' (going on when the recording ended)' : '');
}

/* The stall that an address names, from 1 on. */
function readStall(text) {
    const n = /^\d+$/.test(text || '') ? Number(text) - 1 : NO_STALL;
    return n < stallCount() ? n : NO_STALL;
}
