'use strict';
/* One browser for many calls of browse.js, since starting it takes longer than what most tests do in it.
 *
 *     node serve.js SOCKET
 *
 * Each call gets a page that shares nothing with the others, one after the other. The server ends by a signal, or when
 * its parent process has ended. */
const net = require('net');
const path = require('path');
const { startBrowser } = require('./browser.js');

const LOOK = 1000; /* milliseconds between looks for the parent process */

/* The client's side: resolves to the status. */
function ask(socket, operands) {
    return new Promise((resolve, reject) => {
        let text = '';
        net.connect(socket).on('error', reject)
            .on('data', (data) => { text += data; })
            .on('end', () => {
                const { lines, troubles } = JSON.parse(text);
                lines.forEach((line) => console.log(line));
                troubles.forEach((trouble) => console.error(trouble));
                resolve(troubles.length > 0 ? 1 : 0);
            })
            .setEncoding('utf8').end(JSON.stringify({ folder: process.cwd(), operands }));
    });
}

async function answer(own, { folder, operands }) {
    const { carryOut } = require('./browse.js');
    const lines = [];
    process.chdir(folder);
    try {
        const troubles = await own.withPage((page) => carryOut(page, operands, (line) => lines.push(line)));
        return { lines, troubles };
    } catch (error) {
        return { lines, troubles: [error.message] };
    }
}

function receive(connection) {
    return new Promise((resolve) => {
        let text = '';
        connection.setEncoding('utf8').on('data', (data) => { text += data; }).on('end', () => resolve(JSON.parse(text)));
    });
}

function serve(socket) {
    const parent = process.ppid;
    let own = null, last = Promise.resolve();
    const reply = async (connection) => {
        const call = await receive(connection);
        if (!own || own.isGone()) {
            await own?.end();
            own = await startBrowser();
        }
        connection.end(JSON.stringify(await answer(own, call)));
    };
    const server = net.createServer({ allowHalfOpen: true }, (connection) => {
        connection.on('error', () => {}); /* the test has ended */
        last = last.then(() => reply(connection)).catch((error) => { connection.destroy(error); });
    });
    const end = async () => {
        server.close();
        await own?.end();
        process.exit();
    };
    process.on('SIGTERM', end).on('SIGINT', end);
    setInterval(() => process.ppid !== parent && end(), LOOK);
    server.listen(path.resolve(socket));
}

module.exports = { ask };

if (require.main === module)
    serve(process.argv[2]);
