/* For eslint (https://eslint.org) on the parts of the pictures' script, and on them joined: see
 * tests/lint/eslint.sh. The rules are those that find mistakes; and what would make text into
 * markup or code is forbidden. */
import parts from '../lint/parts.mjs';

const GLOBALS = ['addEventListener', 'atob', 'clearTimeout', 'devicePixelRatio', 'document', 'getComputedStyle', 'history',
    'Intl', 'location', 'matchMedia', 'navigator', 'requestAnimationFrame', 'scrollBy', 'scrollTo', 'scrollX', 'scrollY',
    'setTimeout', 'DecompressionStream', 'DOMPoint', 'Path2D', 'ReadableStream', 'TextDecoder', 'URL'];

export default [{
    languageOptions: {
        ecmaVersion: 2022,
        sourceType: 'script',
        globals: Object.fromEntries(GLOBALS.map((name) => [name, 'readonly'])),
    },
    linterOptions: { reportUnusedDisableDirectives: true },
    rules: {
        'no-undef': 'error', 'no-unused-vars': ['error', { caughtErrors: 'none' }], 'no-redeclare': 'error',
        'no-shadow': 'error', 'no-dupe-keys': 'error', 'no-dupe-else-if': 'error', 'no-unreachable': 'error',
        'no-const-assign': 'error', 'no-self-assign': 'error', 'no-self-compare': 'error',
        'no-constant-condition': 'error', 'no-fallthrough': 'error', 'no-loss-of-precision': 'error',
        'no-unsafe-negation': 'error', 'no-unused-expressions': ['error', { allowShortCircuit: true }],
        'no-var': 'error', 'prefer-const': 'error', 'eqeqeq': 'error', 'strict': ['error', 'function'],
        'use-isnan': 'error', 'valid-typeof': 'error', 'no-eval': 'error', 'no-implied-eval': 'error',
        'no-new-func': 'error', 'no-script-url': 'error', 'array-callback-return': 'error',
        'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write', 'writeln',
            'setHTMLUnsafe', 'createContextualFragment', 'parseFromString', 'srcdoc'].map((property) => ({ property }))],
    },
}, {
    files: ['**/ui/*.js'],
    plugins: { parts },
    languageOptions: { sourceType: 'module' },
    rules: { 'parts/parts': 'error', 'no-import-assign': 'error', 'no-duplicate-imports': 'error', 'strict': 'off' },
}, {
    ignores: ['**/ui/*.js'],
    rules: { 'no-shadow': 'off' }, /* a part may have a name that another one uses inside */
}];
