/* Puts records into the order of their times, a few at a time.
 *
 * Each CPU has a ring buffer of its own, and a recorder empties one after the other. So the records
 * of a recording are in order by CPU only, but what is older than the latest record of one round
 * over all rings has arrived by the end of the next round. perf marks the end of a round by
 * FINISHED_ROUND.
 *
 *     for each record:
 *         at the end of a round: order_round(o);    at the end of the recording: order_end(o);
 *         else:                  order_add(o, time, bytes, offset);
 *         while (order_next(o, &held))
 *             use(held.bytes);
 */
#ifndef EVENT_ORDER_H
#define EVENT_ORDER_H

#include <stdint.h>

#include "common/base/span.h"

struct order_held {
    struct span bytes;
    uint64_t time;
    uint64_t offset;           /* where the record stood, for messages */
    struct order_chunk *chunk; /* private */
};

/* {0} is an empty one. */
struct order {
    size_t limit; /* bytes held before half of them are let go without a round; 0: ORDER_LIMIT */

    /* private from here */
    struct order_held *held, *merged;
    size_t count, cap, merged_cap;
    size_t sorted;    /* of them are in order already */
    size_t at, ready; /* held[at .. ready - 1] are to be given */
    size_t bytes;     /* held */
    uint64_t latest;  /* time so far */
    uint64_t release; /* latest time when the last round ended */
    struct order_chunk *chunks, *spare;
    struct order_held *given;
};

/* Two rounds of 64 rings of perf's default size. */
enum { ORDER_LIMIT = 64 << 20 };

/* Adds a copy of the record, of at most RECORD_MAX bytes. One with time 0 has no time and is given
 * next. */
void order_add(struct order *o, uint64_t time, struct span bytes, uint64_t offset);

/* A round has ended. */
void order_round(struct order *o);

/* No more records come: all that are held are to be given. */
void order_end(struct order *o);

/* Gives the next record that no later one can precede; records of equal times in the order in which
 * they were added. The bytes are good until the next call. False: add more first. */
bool order_next(struct order *o, struct order_held *next);

void order_free(struct order *o);

#endif
