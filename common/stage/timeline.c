#include "common/stage/timeline.h"

static void
pass(struct timeline *t, struct span bytes)
{
    struct record r;
    if (record_decode(t->events, bytes, &r) == NULL)
        t->to->record(t->to, &r);
    else
        t->skipped++;
}

static void
pass_ready(struct timeline *t)
{
    if (t->passing)
        return; /* called from the hook `pause`: the outer call continues afterwards */
    t->passing = true;
    for (struct order_entry held; order_next(&t->order, &held);) {
        pass(t, held.bytes);
        if (t->pause != NULL && !order_is_full(&t->order))
            t->pause(t->ctx);
    }
    t->passing = false;
}

/* Pass on the records that exceed the memory. */
static void
relieve(struct timeline *t)
{
    if (t->passing || !order_is_full(&t->order))
        return;
    t->passing = true;
    bool complete = t->complete == NULL || t->complete(t->ctx);
    t->passing = false;
    if (complete)
        pass_ready(t);
}

/* Add a record. Those without a time describe what ran before the recording: they come first. */
static void
take(struct rawsink *sink, struct span bytes)
{
    struct timeline *t = (struct timeline *)sink; /* its first member */
    uint64_t time = record_time(t->events, bytes);
    if (time == 0 && !t->passing) {
        pass(t, bytes);
        return;
    }
    if (t->shorten != NULL)
        bytes = t->shorten(t->shortener, bytes);
    order_add(&t->order, time, bytes, 0);
    relieve(t);
}

static void
end_round(struct rawsink *sink)
{
    struct timeline *t = (struct timeline *)sink;
    if (t->waits != NULL && order_has_room(&t->order) && t->waits(t->ctx))
        return;
    order_round(&t->order);
    pass_ready(t);
    sink_round(t->to);
}

static void
finish(struct rawsink *sink)
{
    struct timeline *t = (struct timeline *)sink;
    order_end(&t->order);
    pass_ready(t);
    sink_finish(t->to);
}

void
timeline_init(struct timeline *t, const struct eventset *events, struct recordsink *to,
              size_t limit)
{
    *t = (struct timeline){
        .sink = {take, end_round, finish}, .events = events, .to = to, .order.limit = limit};
}
