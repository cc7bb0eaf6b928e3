/* Puts records into the order of their times: a rawsink that sorts and decodes records, and passes
 * them on. A round is one pass over all ring buffers. At the end of a round, the records up to the
 * latest time of the previous round are passed on (order.h). If the buffered records exceed the
 * memory limit, records are also passed on before the end of the round. */
#ifndef STAGE_TIMELINE_H
#define STAGE_TIMELINE_H

#include "common/stage/sink.h"
#include "common/event/order.h"

struct timeline {
    struct rawsink sink;
    uint64_t skipped; /* records that could not be decoded */

    /* Hooks, set by the caller or NULL: */

    /* Called after each record that is passed on, unless the buffered records exceed the memory
     * limit. Passing records on can take long, since names are read; empty the ring buffers in this
     * call. Records that are added in the call, or while a record is passed on, are buffered. The
     * result is not used. */
    bool (*pause)(void *ctx);
    /* Called when the buffered records exceed the memory limit, before records are passed on early.
     * Add the records that must come first, such as those with names of JavaScript functions.
     * Return false if this is a call from within another call of this function: then no records
     * are passed on now. */
    bool (*complete)(void *ctx);
    /* Called at the end of a round if the buffered records take at most a quarter of the memory
     * limit. Return true to keep all of them for another round, because names are being read
     * meanwhile. */
    bool (*waits)(void *ctx);
    void *ctx;
    /* Called with the bytes of each record before it is buffered. Return the bytes to buffer
     * instead, in a record of the same kind. NULL: buffer all bytes. */
    struct span (*shorten)(void *shortener, struct span bytes);
    void *shortener;

    /* private from here */
    const struct eventset *events;
    struct recordsink *to;
    struct order order;
    bool passing;
};

/* Borrow the events and the sink. `limit`: maximum bytes of buffered records, see order.h. */
void timeline_init(struct timeline *t, const struct eventset *events, struct recordsink *to,
                   size_t limit);

#endif
