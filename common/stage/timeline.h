/* Puts records into the order of their times: a rawsink that sorts, decodes and passes on. The end
 * of a round releases the records up to the latest time of the round before (order.h); if memory
 * runs out, more are passed on. */
#ifndef STAGE_TIMELINE_H
#define STAGE_TIMELINE_H

#include "common/stage/sink.h"
#include "common/event/order.h"

struct timeline {
    struct rawsink sink;
    uint64_t skipped; /* records that could not be decoded */

    /* Hooks, set by the caller or NULL: */

    /* Called after each record is passed on, if there is room for more: passing on can take long,
     * since names are read, and the ring buffers must be emptied meanwhile. Records that are added
     * in the call, or while a record is passed on, are held. */
    bool (*pause)(void *ctx);
    /* Called when memory runs out and records must be passed on before the end of their round: add
     * what has to precede them, such as names. Return false if that is already under way: the
     * records then wait for it. */
    bool (*complete)(void *ctx);
    /* Called at the end of a round. Return true to keep all records for another round, while they
     * take little of the memory: names are then read while ring buffers are emptied into the
     * rest. */
    bool (*waits)(void *ctx);
    void *ctx;
    /* Called with each record that must wait. Return the bytes to keep. NULL: all are kept. */
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
