#include "common/event/recording.h"

#include <stdlib.h>

bool
recording_open(struct recording *g, struct lines *lines)
{
    *g = (struct recording){0};
    return perfdata_open(&g->data, lines);
}

static bool
has_counters(const struct record *r)
{
    return r->type == PERF_RECORD_SAMPLE && (r->has & PERF_SAMPLE_READ) != 0 &&
           (r->event->read_format & PERF_FORMAT_ID) != 0;
}

static enum recording_item
decode(struct recording *g, struct span bytes, uint64_t offset, struct record *r)
{
    g->at = (struct perfdata_fault){record_decode(&g->data.events, bytes, r), offset, false};
    return g->at.what == NULL ? RECORDING_RECORD : RECORDING_SKIPPED;
}

/* Return how much the counter has grown since it was last read. If threads inherit the counters of
 * their creator, the values under one id are those of the sample's thread. */
static uint64_t
growth(struct recording *g, const struct record *r, const struct record_counter *c)
{
    struct {
        uint64_t id, tid;
    } key = {c->id, event_flag(r->event, FLAG_INHERIT) ? r->tid : 0};
    uint32_t number;
    bool added = intern_put(&g->counted, SPAN_BYTES(key), &number);
    g->values = mem_grow(g->values, &g->values_cap, g->counted.count, sizeof *g->values);
    uint64_t last = added ? 0 : g->values[number];
    g->values[number] = c->value;
    return c->value - last;
}

/* Set *r to the sample with the next of its counters that has grown. Return RECORDING_END if there
 * is none. */
static enum recording_item
next_counter(struct recording *g, struct record *r)
{
    while (g->counter < g->ncounters) {
        const struct eventset *events = &g->data.events;
        struct record_counter c = record_counter(&g->sample, g->counter++);
        *r = g->sample;
        r->id = c.id;
        r->event = events->count == 1 ? &events->events[0] : eventset_find(events, c.id);
        if (r->event == NULL) {
            g->at.what = "a counter of a sample belongs to no event of the recording";
            return RECORDING_SKIPPED;
        }
        r->sample.period = growth(g, r, &c);
        if (r->sample.period > 0)
            return RECORDING_RECORD;
    }
    return RECORDING_END;
}

/* Return the next record of the input. */
static enum recording_item
next_record(struct recording *g, struct record *r)
{
    struct order_entry held;
    struct span bytes;
    uint64_t offset;
    for (;;) {
        if (order_next(&g->order, &held))
            return decode(g, held.bytes, held.offset, r);
        if (g->ended)
            return RECORDING_END;
        if (!perfdata_next(&g->data, &bytes, &offset)) {
            g->ended = true;
            order_end(&g->order);
        } else if (load_u32(bytes.ptr) == PERF_RECORD_FINISHED_ROUND) {
            order_round(&g->order);
        } else {
            uint64_t time = record_time(&g->data.events, bytes);
            if (time == 0)
                return decode(g, bytes, offset, r);
            order_add(&g->order, time, bytes, offset);
        }
    }
}

/* Return the next record. Samples are held until their callchains are complete. */
static enum recording_item
next_complete(struct recording *g, struct record *r)
{
    struct deferred_given given;
    for (;;) {
        if (deferred_next(&g->deferred, &given)) {
            enum recording_item item = decode(g, given.bytes, given.offset, r);
            if (item == RECORDING_RECORD)
                r->sample.callchain = given.chain;
            return item;
        }
        enum recording_item item = next_record(g, r);
        if (item == RECORDING_END && g->deferred.count > 0)
            deferred_end(&g->deferred);
        else if (item == RECORDING_RECORD && r->type == PERF_RECORD_CALLCHAIN_DEFERRED)
            deferred_complete(&g->deferred, r);
        else if (item != RECORDING_RECORD || r->type != PERF_RECORD_SAMPLE ||
                 !deferred_hold(&g->deferred, r, g->at.offset))
            return item;
    }
}

enum recording_item
recording_next(struct recording *g, struct record *r)
{
    for (;;) {
        enum recording_item item = next_counter(g, r);
        if (item != RECORDING_END)
            return item;
        item = next_complete(g, r);
        if (item != RECORDING_RECORD || !has_counters(r))
            return item;
        g->sample = *r;
        g->counter = 0;
        g->ncounters = r->sample.read.count;
    }
}

void
recording_free(struct recording *g)
{
    order_free(&g->order);
    deferred_free(&g->deferred);
    perfdata_free(&g->data);
    intern_free(&g->counted);
    free(g->values);
    *g = (struct recording){0};
}
