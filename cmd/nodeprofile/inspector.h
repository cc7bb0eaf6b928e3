/* The inspector of a Node process: V8's debugging protocol over a WebSocket. */
#ifndef NODEPROFILE_INSPECTOR_H
#define NODEPROFILE_INSPECTOR_H

#include "cmd/nodeprofile/websocket.h"

struct inspector {
    struct websocket socket;
    unsigned request;  /* number of the last one */
    struct text asked; /* the request */
    bool ending;       /* the process ends: Node waits only until nobody is connected any more */
    /* Called with each message, and its method; NULL: nothing is. The caller sets it, with ctx,
     * after inspector_open. */
    void (*event)(void *ctx, struct span method, struct span message);
    void *ctx;
};

/* The methods of V8's protocol for a kind of profile. */
enum { INSPECTOR_BEGIN = 5 };
struct inspector_profile {
    const char *begin[INSPECTOR_BEGIN]; /* methods that begin it, in this order */
    size_t n;                           /* number of these */
    const char *stop;                   /* method that ends it; its reply has "profile" */
};
extern const struct inspector_profile inspector_cpu, inspector_heap;

/* Connect to the inspector on a port of 127.0.0.1. Times are of clock_now(). Return NULL, or why
 * that failed. The caller closes it in either case. */
const char *inspector_open(struct inspector *i, unsigned port, uint64_t until);

/* Send a request for a method, with its parameters in JSON, "{}" if there are none. Return false if
 * that fails. */
bool inspector_send(struct inspector *i, const char *method, struct span parameters,
                    uint64_t until);

/* As inspector_send, and wait for the reply. Set *result to its "result" in JSON, valid until the
 * next call. Return NULL, or why there is none. */
const char *inspector_ask(struct inspector *i, const char *method, const char *parameters,
                          uint64_t until, struct span *result);

/* Wait for a message, and pass it to `event`. Return false at the time `until`, if *stopped is set,
 * or if the connection ends. */
bool inspector_receive(struct inspector *i, uint64_t until, const volatile sig_atomic_t *stopped);

/* Pass messages to `event` until the time `until`, or until *stopped is set or the process is
 * ending; then return true. Return false if the connection ends. */
bool inspector_wait(struct inspector *i, uint64_t until, const volatile sig_atomic_t *stopped);

void inspector_close(struct inspector *i);

#endif
