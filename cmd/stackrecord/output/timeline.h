/* Records in the order of their times: a rawsink that sorts, decodes and passes on. While a perf
 * map is read for the first time, they wait for its names as long as there is memory for them, and
 * five seconds at most. */
#ifndef STACKRECORD_TIMELINE_H
#define STACKRECORD_TIMELINE_H

#include "cmd/stackrecord/output/sink.h"
#include "common/event/order.h"
#include "common/symbolize/liveprocs.h"

struct timeline {
    struct rawsink sink;
    uint64_t skipped; /* records that could not be decoded */
    /* Gets the records of processes at once, since a process may end while its records wait. NULL:
     * nobody does. To be set by the caller. */
    struct liveprocs *live;
    /* Called after each record that was passed on, while there is room: names can take long to be
     * read, and the ring buffers are to be emptied meanwhile. Records that come then, or while one is
     * passed on, are held. NULL: nobody is called. To be set by the caller. */
    bool (*pause)(void *ctx);
    void *ctx;
    /* Called with each record that has to wait, to return what has to be kept of it. NULL: all. To be
     * set by the caller. */
    struct span (*shorten)(void *shortener, struct span bytes);
    void *shortener;

    /* private from here */
    const struct eventset *events;
    struct recordsink *to;
    struct order order;
    bool passing;
    uint64_t passed; /* when records were passed on last: nanoseconds of CLOCK_MONOTONIC */
};

/* Borrow both. `limit`: bytes of records held at most, see order.h. */
void timeline_init(struct timeline *t, const struct eventset *events, struct recordsink *to,
                   size_t limit);

#endif
