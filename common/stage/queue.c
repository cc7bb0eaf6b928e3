#include "common/stage/queue.h"

#include <stdlib.h>

static void
take(struct recordsink *s, const struct record *r)
{
    struct queue *q = (struct queue *)s; /* its first member */
    struct record kept = *r;
    if (r->type == PERF_RECORD_SAMPLE) {
        struct words chain = r->sample.callchain;
        kept.sample.callchain.ptr =
            arena_copy(&q->copies, span_of(chain.ptr, chain.count * sizeof(uint64_t))).ptr;
        kept.sample.raw = arena_copy(&q->copies, r->sample.raw);
    }
    VEC_ADD(q->records, kept);
}

void
queue_init(struct queue *q)
{
    *q = (struct queue){.sink.record = take};
}

bool
queue_next(struct queue *q, struct record *r)
{
    if (q->at < q->records.n) {
        *r = q->records.at[q->at++];
        return true;
    }
    q->at = q->records.n = 0;
    arena_reset(&q->copies);
    return false;
}

void
queue_free(struct queue *q)
{
    free(q->records.at);
    arena_free(&q->copies);
    *q = (struct queue){0};
}
