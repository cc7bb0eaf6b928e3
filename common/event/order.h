/* Puts records into the order of their times, a round at a time.
 *
 * Each CPU has a ring buffer of its own, and a recorder empties one after the other. So the records
 * of a recording are in order by CPU only. But what is not later than the latest record of one
 * round over all buffers has arrived when the next round ends. perf marks the end of a round by
 * FINISHED_ROUND.
 *
 *     for each record:
 *         order_add(o, time, bytes, offset);  at the end of a round order_round(o);
 *         while (order_next(o, &held))
 *             use(held.bytes);
 *     order_end(o), and once more order_next to its end
 */
#ifndef EVENT_ORDER_H
#define EVENT_ORDER_H

#include <stdint.h>

#include "common/base/span.h"

/* A record that is held. */
struct order_held {
    uint64_t time;
    uint64_t offset; /* where it stood in the input, for messages */
    struct span bytes;
    struct order_chunk *chunk; /* private */
};

/* {0} is an empty one. */
struct order {
    /* In bytes of memory; 0: ORDER_LIMIT. Above it order_next gives the earlier half without waiting
     * for the end of the round. A record that comes later with an earlier time is then out of order. */
    size_t limit;

    /* private from here */
    struct order_held *held, *merged;
    size_t cap, merged_cap;
    size_t at, ready,
        count;       /* held[at .. ready - 1] are to be given, those to count - 1 are held */
    size_t bytes;    /* of memory that the held ones take */
    size_t chunks;   /* in which they lie */
    uint64_t latest; /* time so far */
    uint64_t round;  /* the latest time when the last round ended */
    struct order_chunk *filling, *given, *spare;
};

/* Two rounds of thirty full ring buffers of perf's usual size. */
enum { ORDER_LIMIT = 32 << 20 };

/* Add a copy of a record, which has at most 64 KiB. Its time is in nanoseconds. */
void order_add(struct order *o, uint64_t time, struct span bytes, uint64_t offset);

/* Return true if more is held than the limit says, or lies in more than twice that memory. */
bool order_is_full(const struct order *o);

/* End a round. */
void order_round(struct order *o);

/* End the input: all records that are held are to be given. */
void order_end(struct order *o);

/* Give the earliest record held if no later one can precede it; of equal times that which was
 * added first. Its bytes are good until the next call; records may be added before that. False: there
 * is none now. */
bool order_next(struct order *o, struct order_held *next);

void order_free(struct order *o);

#endif
