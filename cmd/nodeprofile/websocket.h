/* A WebSocket to a server on this machine, as the inspector of Node speaks it: HTTP/1.1 to begin
 * with, then messages (RFC 6455). The server may be anybody's program: each length is checked, and
 * nothing is waited for without end.
 *
 *     websocket_open(&w, port, until)
 *     websocket_ask(&w, "/json/list", until)     or     websocket_upgrade(&w, path, until)
 *     w.message                                         websocket_send(&w, text)
 *                                                       websocket_receive(&w, until, stopped)
 *     websocket_close(&w)
 *
 * All times are those of clock_now. */
#ifndef NODEPROFILE_WEBSOCKET_H
#define NODEPROFILE_WEBSOCKET_H

#include <signal.h>
#include <stdint.h>

#include "common/base/text.h"

/* What a message, and an answer by HTTP with its header, may have at most. */
enum { WEBSOCKET_MESSAGE_MOST = 512 << 20, WEBSOCKET_ANSWER_MOST = 1 << 20 };

struct websocket {
    int fd;
    unsigned port;
    struct span message; /* received last; valid until the next call */
    const char *why;     /* why a call failed; NULL: the time was over, or *stopped was set */

    /* private */
    struct text input; /* what was received */
    size_t taken;      /* of the input */
    struct text parts; /* of a message in several frames */
};

/* Connect to the server on 127.0.0.1. This and the following return false where they fail. Then, too,
 * the caller closes w. */
bool websocket_open(struct websocket *w, unsigned port, uint64_t until);

/* Ask for a page by HTTP. The message is the page, and the connection is of no further use. */
bool websocket_ask(struct websocket *w, struct span path, uint64_t until);

/* Ask the server to go on with messages. */
bool websocket_upgrade(struct websocket *w, struct span path, uint64_t until);

/* Send a message of text of less than 64 KiB. */
bool websocket_send(struct websocket *w, struct span text, uint64_t until);

/* Wait for a message. Pings are answered. A signal handler that sets *stopped ends the wait; it may be
 * NULL. */
bool websocket_receive(struct websocket *w, uint64_t until, const volatile sig_atomic_t *stopped);

/* Hand over the memory of the message, which is valid then until the caller frees that. */
struct text websocket_keep(struct websocket *w);

void websocket_close(struct websocket *w);

/* A frame: a message, or a part of one, or what keeps the connection. */
struct websocket_frame {
    unsigned opcode;
    bool last;           /* of its message */
    struct span payload; /* borrowed */
    size_t size;         /* with its header */
};

enum websocket_parsed { WEBSOCKET_FRAME, WEBSOCKET_MORE, WEBSOCKET_BAD };

/* Parse the frame at the beginning of the bytes. WEBSOCKET_MORE: they end before it does.
 * WEBSOCKET_BAD: a server may not send it; *why says what is wrong. */
enum websocket_parsed websocket_parse(struct span bytes, struct websocket_frame *f,
                                      const char **why);

#endif
