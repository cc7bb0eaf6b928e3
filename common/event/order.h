/* Sorts records by time, a round at a time.
 *
 * Each CPU has a ring buffer, and a recorder empties one after the other. So the records of a
 * recording are sorted for each CPU only. But all records up to the latest time in one round over
 * all buffers have arrived when the next round ends. perf marks the end of a round by
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

/* A buffered record. */
struct order_entry {
    uint64_t time;
    uint64_t offset; /* offset in the input, for messages */
    struct span bytes;
    struct order_chunk *chunk; /* private */
};

/* {0} is empty. */
struct order {
    /* Bytes of memory; 0: ORDER_LIMIT. Above the limit, order_next returns the earlier half without
     * waiting for the end of the round. A record that arrives later with an earlier time is then
     * out of order. */
    size_t limit;

    /* private from here */
    struct order_entry *held, *merged;
    size_t cap, merged_cap;
    /* held[at .. ready - 1] can be returned; held[ready .. count - 1] are buffered. */
    size_t at, ready, count;
    size_t bytes;    /* memory of the buffered records */
    size_t chunks;   /* number of chunks in use */
    uint64_t latest; /* the latest time so far */
    uint64_t round;  /* the latest time at the end of the last round */
    struct order_chunk *filling, *given, *spare;
};

/* Two rounds of thirty full ring buffers of perf's default size. */
enum { ORDER_LIMIT = 32 << 20 };

/* Add a copy of a record of at most 64 KiB. Its time is in nanoseconds. */
void order_add(struct order *o, uint64_t time, struct span bytes, uint64_t offset);

/* Return true if the buffered records exceed the limit, or occupy more than twice that memory. */
bool order_is_full(const struct order *o);

/* Return true if the buffered records take a quarter of the limit at most. */
bool order_has_room(const struct order *o);

/* End a round. */
void order_round(struct order *o);

/* End the input: order_next then returns all buffered records. */
void order_end(struct order *o);

/* Remove the earliest buffered record if no later one can precede it; on equal times, the one that
 * was added first. Its bytes are valid until the next call, also if records are added before it.
 * Return false if there is none now. */
bool order_next(struct order *o, struct order_entry *next);

void order_free(struct order *o);

#endif
