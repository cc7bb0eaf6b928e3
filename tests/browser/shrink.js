'use strict';
/* Rewrites a screenshot with at most 256 colours, which makes it less than half as large. The format:
 * https://www.w3.org/TR/png-3/
 *
 *     node shrink.js FILE.png */
const fs = require('fs');
const zlib = require('zlib');

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function* chunks(file) {
    for (let at = SIGNATURE.length; at < file.length;) {
        const size = file.readUInt32BE(at);
        yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + size) };
        at += size + 12;
    }
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const size = Buffer.alloc(4), sum = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(zlib.crc32(body));
    return Buffer.concat([size, body, sum]);
}

/* The predictor of filter 4: that of left, above and left above which is nearest to left + above - both. */
function paeth(a, b, c) {
    const [da, db, dc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
    return da <= db && da <= dc ? a : db <= dc ? b : c;
}

/* Undoes the filters. Rows of `bytes` bytes for each pixel. */
function unfilter(rows, width, height, bytes) {
    const size = width * bytes;
    const pixels = Buffer.alloc(size * height);
    for (let y = 0; y < height; y++) {
        const filter = rows[y * (size + 1)];
        for (let x = 0; x < size; x++) {
            const at = y * size + x;
            const left = x < bytes ? 0 : pixels[at - bytes], above = y === 0 ? 0 : pixels[at - size];
            const both = x < bytes || y === 0 ? 0 : pixels[at - size - bytes];
            const guess = [0, left, above, (left + above) >> 1, paeth(left, above, both)][filter];
            pixels[at] = rows[y * (size + 1) + 1 + x] + guess;
        }
    }
    return pixels;
}

/* The 256 commonest colours, and for each other one the nearest of these. */
function choose(colours) {
    const counts = new Map();
    for (const colour of colours)
        counts.set(colour, (counts.get(colour) || 0) + 1);
    const palette = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, 256);
    const distance = (a, b) => [16, 8, 0].reduce((sum, n) => sum + ((a >> n & 255) - (b >> n & 255)) ** 2, 0);
    const index = new Map();
    for (const colour of counts.keys())
        index.set(colour, palette.reduce((best, one, n) =>
            distance(one, colour) < distance(palette[best], colour) ? n : best, 0));
    return { palette, index };
}

function shrink(file) {
    const parts = [...chunks(file)];
    const head = parts[0].data;
    const [width, height, bytes] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === 6 ? 4 : 3];
    const rows = zlib.inflateSync(Buffer.concat(parts.filter(one => one.type === 'IDAT').map(one => one.data)));
    const pixels = unfilter(rows, width, height, bytes);
    const colours = Array.from({ length: width * height }, (_, n) => pixels.readUIntBE(n * bytes, 3));
    const { palette, index } = choose(colours);
    const lines = Buffer.alloc((width + 1) * height); /* each begins with its filter, 0: none */
    colours.forEach((colour, n) => { lines[n + Math.floor(n / width) + 1] = index.get(colour); });
    const indexed = Buffer.from(head);
    indexed.set([8, 3], 8);
    return Buffer.concat([SIGNATURE, chunk('IHDR', indexed),
        chunk('PLTE', Buffer.from(palette.flatMap(c => [c >> 16, c >> 8 & 255, c & 255]))),
        chunk('IDAT', zlib.deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

fs.writeFileSync(process.argv[2], shrink(fs.readFileSync(process.argv[2])));
