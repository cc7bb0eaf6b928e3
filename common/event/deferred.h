/* Samples whose user callchain comes later (Linux 6.18): the kernel reads it when the thread
 * returns to user code. Until then, samples' chains end with PERF_CONTEXT_USER_DEFERRED and a
 * cookie. One PERF_RECORD_CALLCHAIN_DEFERRED record with that cookie then has the rest of all these
 * samples of the thread.
 *
 *     SAMPLE    tid 7  ffffffff81001000 PERF_CONTEXT_USER_DEFERRED 42
 *     DEFERRED  tid 7  42: 401000 401100
 */
#ifndef EVENT_DEFERRED_H
#define EVENT_DEFERRED_H

#include "common/base/text.h"
#include "common/event/record.h"

/* Maximum number of held samples. If there are more, the oldest one is returned incomplete, so that
 * a recording that lost records takes bounded memory. */
enum { DEFERRED_MAX = 1024 };

/* {0} is empty. */
struct deferred {
    /* private */
    struct deferred_sample {
        struct text bytes, chain;
        uint64_t cookie, offset;
        uint32_t tid;
        bool ready;
    } samples[DEFERRED_MAX]; /* from `first` on, `count` samples, sorted by time */
    size_t first, count, ready;
};

/* Hold a copy of a sample if its chain is incomplete; return true if so. `offset` is its offset in
 * the input. First take all samples from deferred_next(). */
bool deferred_hold(struct deferred *d, const struct record *sample, uint64_t offset);

/* Complete the samples of a thread by its PERF_RECORD_CALLCHAIN_DEFERRED record. Samples with
 * another cookie have lost theirs. */
void deferred_complete(struct deferred *d, const struct record *r);

/* Stop waiting: the input has ended. */
void deferred_end(struct deferred *d);

/* A sample that is complete, or as complete as it will be. */
struct deferred_given {
    struct span bytes;
    struct words chain; /* replaces the chain in `bytes` */
    uint64_t offset;
};

/* Return the next one in *given; it is valid until deferred_hold(). Return false if there is none
 * now. */
bool deferred_next(struct deferred *d, struct deferred_given *given);

void deferred_free(struct deferred *d);

#endif
