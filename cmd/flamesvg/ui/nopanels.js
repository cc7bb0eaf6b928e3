/* In an SVG, empty stand-ins for pagepanels.js and pagesteps.js: only a page has panels. */

import { profile } from 'profile';
export { model, MORE_HELP, MORE_KEYS, MORE_STEPS, rangesText, readRanges, showPanels, takeBackMark, takeTable };

const MORE_STEPS = {}, MORE_KEYS = {}, MORE_HELP = [], model = {};

const takeTable = () => profile.table, takeBackMark = () => false, rangesText = () => '', readRanges = () => [];

function showPanels() {}
