/* Samples whose user callchain comes later (Linux 6.18): the kernel takes it when the thread returns
 * to user code. Until then the sample's chain ends in PERF_CONTEXT_USER_DEFERRED and a cookie; one
 * PERF_RECORD_CALLCHAIN_DEFERRED with that cookie has the rest of all samples that the thread had
 * in between.
 *
 *     SAMPLE    tid 7  ffffffff81001000 PERF_CONTEXT_USER_DEFERRED 42
 *     DEFERRED  tid 7  42: 401000 401100
 */
#ifndef EVENT_DEFERRED_H
#define EVENT_DEFERRED_H

#include "common/base/text.h"
#include "common/event/record.h"

/* As many samples are held; the one that was held first is given without its rest when there are
 * more, so that a recording that lost records takes no endless memory. */
enum { DEFERRED_MOST = 1024 };

/* {0} holds none. */
struct deferred {
    /* private */
    struct deferred_sample {
        struct text bytes, chain;
        uint64_t cookie, offset;
        uint32_t tid;
        bool ready;
    } samples[DEFERRED_MOST]; /* from `first` on, `count` of them, in the order of their times */
    size_t first, count, ready;
};

/* Hold a copy of a sample, if its chain is incomplete. `offset` is where it stood in the input.
 * Before, all that deferred_next() gives must have been taken. */
bool deferred_hold(struct deferred *d, const struct record *sample, uint64_t offset);

/* Complete the samples of a thread by its record of type PERF_RECORD_CALLCHAIN_DEFERRED. Those with
 * another cookie have lost theirs. */
void deferred_complete(struct deferred *d, const struct record *r);

/* Give up waiting: the input has ended. */
void deferred_end(struct deferred *d);

/* A sample that is complete, or as complete as it will be. */
struct deferred_given {
    struct span bytes;
    struct words chain; /* in place of that in the bytes */
    uint64_t offset;
};

/* Give the next one; valid until deferred_hold(). False: there is none now. */
bool deferred_next(struct deferred *d, struct deferred_given *given);

void deferred_free(struct deferred *d);

#endif
