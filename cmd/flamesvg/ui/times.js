/* Times as text: of the recording's clock, or of the calendar if that is known. */

import { data } from './picture.js';
import { profile } from 'profile';
export { axisText, calendarOffset, isCalendar, lengthText, momentText };

const CALENDAR = Date.UTC(2001); /* since 1970; the clock of a recording, which begins when the machine does, has less */

const isCalendar = profile.columns.time?.[0] >= CALENDAR;

/* The milliseconds from the times of slices to the calendar, or null: --clock says what stackrecord --header prints. */
function calendarOffset() {
    if (isCalendar)
        return 0;
    const [seconds, date] = (data.clock || '').split(' at ');
    return date ? Date.parse(date) - Number(seconds) * 1000 : null;
}

const two = number => String(number).padStart(2, '0');

/* "11-30" */
function dayText(ms) {
    const date = new Date(ms);
    return [date.getMonth() + 1, date.getDate()].map(two).join('-');
}

/* "14:02:11.250", in the time zone of the browser; milliseconds and then seconds are left out if `precision`, in milliseconds,
 * needs none. */
function clockText(ms, precision) {
    const date = new Date(Math.round(ms)), parts = [date.getHours(), date.getMinutes()];
    if (precision % 60000 > 0)
        parts.push(date.getSeconds());
    return parts.map(two).join(':') + (precision % 1000 > 0 ? '.' + String(date.getMilliseconds()).padStart(3, '0') : '');
}

/* The same, but at midnight the day that begins. */
function axisText(ms, precision) {
    const text = clockText(ms, precision);
    return /[1-9]/.test(text) ? text : dayText(ms);
}

/* When something was, by milliseconds of slices: "14:02:11.250", or "11-30 14:02:11.250", or "2.250 s" since the recording
 * began. */
function momentText(ms, precision = 1, withDay = false) {
    const offset = calendarOffset();
    return offset === null ? ((ms - profile.columns.time[0]) / 1000).toFixed(3) + ' s'
        : (withDay ? dayText(ms + offset) + ' ' : '') + clockText(ms + offset, precision);
}

/* "20 ms", "5 s", "2 min", "1 h" */
function lengthText(ms) {
    const [unit, name] = [[3600000, 'h'], [60000, 'min'], [1000, 's'], [1, 'ms']].find(([size]) => ms % size === 0);
    return `${ms / unit} ${name}`;
}
