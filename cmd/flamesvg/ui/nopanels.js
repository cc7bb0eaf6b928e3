/* In an SVG, empty stand-ins for pagepanels.js and pagesteps.js: only a page has panels. */

import { profile } from 'profile';
import { NO_STALL } from './state.js';
export { model, MORE_HELP, MORE_KEYS, MORE_STEPS, rangesText, readRanges, readStall, showPanels, takeBackMark, takeTable };

const MORE_STEPS = {}, MORE_KEYS = {}, MORE_HELP = [], model = {};

const takeTable = () => profile.table, takeBackMark = () => false, rangesText = () => '', readRanges = () => [];
const readStall = () => NO_STALL;

function showPanels() {}
