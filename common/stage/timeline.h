/* Records in the order of their times: a rawsink that sorts, decodes and passes on. What came before
 * the last round but one is passed on at the end of a round; more, if there is no memory for it. */
#ifndef STAGE_TIMELINE_H
#define STAGE_TIMELINE_H

#include "common/stage/sink.h"
#include "common/event/order.h"

struct timeline {
    struct rawsink sink;
    uint64_t skipped; /* records that could not be decoded */
    /* Called after each record that was passed on, while there is room: names can take long to be
     * read, and the ring buffers are to be emptied meanwhile. Records that come then, or while one is
     * passed on, are held. NULL: nobody is called. To be set by the caller. */
    bool (*pause)(void *ctx);
    /* Called when records must be passed on before the end of their round, since there is no memory for
     * more: adds what has to come before them, such as names. False: that is being added just now, and
     * the records wait for it. NULL: nothing has to come before. To be set by the caller. */
    bool (*complete)(void *ctx);
    /* Asked at the end of a round: true keeps all records for another, while they take
     * little of the memory: ring buffers are emptied into the rest while names are read. NULL: false.
     * To be set by the caller. */
    bool (*waits)(void *ctx);
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
};

/* Borrow both. `limit`: bytes of records held at most, see order.h. */
void timeline_init(struct timeline *t, const struct eventset *events, struct recordsink *to,
                   size_t limit);

#endif
