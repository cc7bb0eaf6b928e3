'use strict';
/* The browser of the tests: Chromium, or Firefox where BROWSER=firefox is set. */
module.exports = require(process.env.BROWSER === 'firefox' ? './firefox.js' : './chromium.js');
