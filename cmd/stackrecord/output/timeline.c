#include "cmd/stackrecord/output/timeline.h"

#include "common/base/clock.h"
#include "common/base/load.h"

/* Samples wait for the names of a map that is read for the first time, and for those of jitdumps:
 * JavaScriptCore writes a record from a thread that may get no processor. (Measured: up to 0.65 s
 * late on a machine with four runnable threads a processor; without the wait, half of the frames of
 * Bun's first tenth of a second had no name.) */
static const uint64_t LONGEST = (uint64_t)5 * CLOCK_SECOND, DUMP = CLOCK_SECOND;

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
        return; /* it is called in a pause, and goes on after that */
    t->passing = true;
    for (struct order_held held; order_next(&t->order, &held);) {
        pass(t, held.bytes);
        if (t->pause != NULL && !order_is_full(&t->order))
            t->pause(t->ctx);
    }
    t->passing = false;
}

/* Pass a record of a process on before its turn. */
static void
show_early(struct timeline *t, struct span bytes)
{
    struct record r;
    uint32_t type = load_u32(bytes.ptr);
    if (t->live != NULL && (type == PERF_RECORD_MMAP2 || type == PERF_RECORD_COMM) &&
        record_decode(t->events, bytes, &r) == NULL)
        liveprocs_see(t->live, &r);
}

/* Records without a time, of what ran before, come first. */
static void
take(struct rawsink *sink, struct span bytes)
{
    struct timeline *t = (struct timeline *)sink; /* its first member */
    uint64_t time = record_time(t->events, bytes);
    show_early(t, bytes);
    if (time == 0 && !t->passing) {
        pass(t, bytes);
        return;
    }
    if (t->shorten != NULL)
        bytes = t->shorten(t->shortener, bytes);
    order_add(&t->order, time, bytes, 0);
    pass_ready(t); /* if too much is held */
}

static void
end_round(struct rawsink *sink)
{
    struct timeline *t = (struct timeline *)sink;
    uint64_t time = clock_now();
    uint64_t least = t->live == NULL                  ? 0
                     : liveprocs_has_new_map(t->live) ? LONGEST
                     : liveprocs_has_dump(t->live)    ? DUMP
                                                      : 0;
    if (time - t->passed >= least) {
        order_round(&t->order);
        t->passed = time;
    }
    pass_ready(t);
    t->to->round(t->to);
}

static void
finish(struct rawsink *sink)
{
    struct timeline *t = (struct timeline *)sink;
    order_end(&t->order);
    pass_ready(t);
    t->to->finish(t->to);
}

void
timeline_init(struct timeline *t, const struct eventset *events, struct recordsink *to,
              size_t limit)
{
    *t = (struct timeline){.sink = {take, end_round, finish},
                           .events = events,
                           .to = to,
                           .order.limit = limit,
                           .passed = clock_now()};
}
