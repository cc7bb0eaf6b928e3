'use strict';
/* A connection that carries texts both ways, the client's side: RFC 6455. Enough for a browser on this machine. */
const crypto = require('crypto');
const net = require('net');

const TEXT = 1, CLOSE = 8, PING = 9, PONG = 10, LAST = 0x80;

/* A frame from a client: a byte of type, the length, four bytes of a mask, and the bytes under it. */
function frameOf(type, data) {
    const size = Buffer.alloc(data.length < 126 ? 1 : data.length < 65536 ? 3 : 9);
    if (size.length === 1)
        size[0] = data.length;
    else if (size.length === 3)
        size.writeUInt16BE(data.length, size.writeUInt8(126));
    else
        size.writeBigUInt64BE(BigInt(data.length), size.writeUInt8(127));
    size[0] |= LAST;
    const mask = crypto.randomBytes(4);
    return Buffer.concat([Buffer.from([LAST | type]), size, mask, data.map((byte, i) => byte ^ mask[i % 4])]);
}

/* The first frame of what was received, which has no mask: { type, last, data, rest }, or null if it is not whole. */
function firstFrame(bytes) {
    if (bytes.length < 2)
        return null;
    const short = bytes[1] & 0x7f;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < start)
        return null;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < start + length)
        return null;
    return { type: bytes[0] & 15, last: (bytes[0] & LAST) !== 0, data: bytes.subarray(start, start + length),
        rest: bytes.subarray(start + length) };
}

/* Calls onText for each text, onClose at the end. */
function receive(socket, begun, onText, onClose) {
    let bytes = begun, parts = [];
    const take = ({ type, last, data }) => {
        if (type === PING)
            socket.write(frameOf(PONG, data));
        if (type === CLOSE)
            socket.end();
        if (type > TEXT)
            return;
        parts.push(data);
        if (last)
            onText(Buffer.concat(parts.splice(0)).toString());
    };
    const read = (more) => {
        bytes = Buffer.concat([bytes, more]);
        for (let frame = firstFrame(bytes); frame; frame = firstFrame(bytes)) {
            bytes = frame.rest;
            take(frame);
        }
    };
    socket.on('data', read).on('close', onClose).on('error', onClose);
    read(Buffer.alloc(0));
}

/* Resolves to send(text). */
function connect(port, path, onText, onClose) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1');
        let head = Buffer.alloc(0);
        const answer = (data) => {
            head = Buffer.concat([head, data]);
            const end = head.indexOf('\r\n\r\n');
            if (end < 0)
                return;
            socket.removeListener('data', answer);
            if (!/^HTTP\/1.1 101 /.test(head.toString('latin1')))
                return void reject(new Error('no WebSocket at port ' + port));
            receive(socket, head.subarray(end + 4), onText, onClose);
            resolve((text) => socket.write(frameOf(TEXT, Buffer.from(text))));
        };
        socket.on('error', reject).on('data', answer);
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${crypto.randomBytes(16).toString('base64')}\r\n\r\n`);
    });
}

module.exports = { connect };
