/* A WebSocket connection to a server on this machine, such as the inspector of Node: first
 * HTTP/1.1, then messages (RFC 6455). The server is not trusted: each length is checked, and each
 * wait has a time limit.
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

/* Maximum bytes of a message, and of an HTTP answer with its header. */
enum { WEBSOCKET_MESSAGE_MAX = 512 << 20, WEBSOCKET_ANSWER_MAX = 1 << 20 };

struct websocket {
    int fd;
    unsigned port;
    struct span message; /* the last one received; valid until the next call */
    const char *why;     /* why a call failed; NULL: the time was over, or *stopped was set */

    /* private */
    struct text input; /* received bytes */
    size_t taken;      /* number of bytes of the input that were processed */
    struct text parts; /* the parts so far of a message in several frames */
};

/* Connect to the server on 127.0.0.1. This and the following functions return false on failure. The
 * caller closes w in any case. */
bool websocket_open(struct websocket *w, unsigned port, uint64_t until);

/* Request a page by HTTP: it becomes w->message. The connection cannot be used afterwards. */
bool websocket_ask(struct websocket *w, struct span path, uint64_t until);

/* Ask the server to switch to messages. */
bool websocket_upgrade(struct websocket *w, struct span path, uint64_t until);

/* Send a message of text of less than 64 KiB. */
bool websocket_send(struct websocket *w, struct span text, uint64_t until);

/* Wait for a message. Pings are answered. A signal handler that sets *stopped ends the wait; it may
 * be NULL. */
bool websocket_receive(struct websocket *w, uint64_t until, const volatile sig_atomic_t *stopped);

/* Hand over the memory of the message, which the caller frees. */
struct text websocket_keep(struct websocket *w);

void websocket_close(struct websocket *w);

/* A frame: a message, a part of one, or a control frame. */
struct websocket_frame {
    unsigned opcode;
    bool last;           /* of its message */
    struct span payload; /* borrowed */
    size_t size;         /* with its header */
};

enum websocket_parsed { WEBSOCKET_FRAME, WEBSOCKET_MORE, WEBSOCKET_BAD };

/* Parse the frame at the beginning of the bytes. Return WEBSOCKET_MORE if it is incomplete, and
 * WEBSOCKET_BAD, with *why set, if a server may not send it. */
enum websocket_parsed websocket_parse(struct span bytes, struct websocket_frame *f,
                                      const char **why);

#endif
