#include "common/stack/model/turns.h"

#include <stdlib.h>

#include "common/base/num.h"
#include "common/stack/model/slice.h"

struct turn_end
turn_end_parse(struct span text)
{
    static const struct span stopped = SPAN("stopped ");
    struct turn_end end = {.goes_on = span_holds(text, SPAN("going on"))};
    size_t at = span_search(text, stopped);
    if (at == SPAN_NONE)
        return end;
    text = span_from(text, at + stopped.len);
    num_u64(span_head(text, span_run(text, 0, is_digit)), &end.stopped);
    return end;
}

struct turns_held {
    int64_t tid;
    size_t first, n; /* of its names */
    struct decimal count;
};

void
turns_hold(struct turns *t, struct profile *p, const struct perf_header *h, const uint32_t *names,
           size_t n, struct decimal count)
{
    if (t->time != h->time)
        turns_add(t, p, NULL);
    t->time = h->time;
    VEC_ADD(t->held, (struct turns_held){h->tid, t->names.n, n, count});
    for (size_t i = 0; i < n; i++)
        VEC_ADD(t->names, names[i]);
}

/* Round microseconds to milliseconds, but to no more than `most`. */
static uint32_t
milliseconds(uint64_t us, uint32_t most)
{
    uint64_t ms = us / 1000 + (us % 1000 >= 500);
    return ms < most ? (uint32_t)ms : most;
}

/* Return the name of the turn's slice. A turn begins at 0 of the recording's clock or later. */
static uint32_t
name_turn(struct profile *p, const struct perf_header *turn)
{
    char text[SLICE_TEXT];
    struct turn_end ended = turn_end_parse(turn->field[PERF_REST]);
    uint64_t us = turn->period < turn->time / 1000 ? turn->period : turn->time / 1000;
    uint32_t length = milliseconds(us, UINT32_MAX);
    length += length == 0;
    struct slice slice = {
        .ms = (turn->time - us * 1000) / 1000000,
        .length = length,
        .stopped = milliseconds(ended.stopped, length),
        .goes_on = ended.goes_on,
        .tid = turn->tid > 0 && turn->tid < UINT32_MAX ? (uint32_t)turn->tid : 0,
    };
    return profile_name(p, slice_frame(text, slice));
}

void
turns_add(struct turns *t, struct profile *p, const struct perf_header *turn)
{
    uint32_t slice = 0;
    int64_t tid = 0;
    size_t left = 0;
    bool any = turn != NULL && turn->time == t->time && t->held.n > 0;
    if (any) {
        slice = name_turn(p, turn);
        tid = turn->tid;
    }
    for (size_t i = 0; i < t->held.n; i++) {
        const struct turns_held *h = &t->held.at[i];
        uint32_t *names = t->names.at + h->first;
        if (any && h->tid != tid) { /* a turn of the sample's own thread may follow */
            t->held.at[left++] = *h;
            continue;
        }
        if (any)
            names[0] = slice;
        profile_add(p, names, h->n, h->count, NULL);
    }
    t->held.n = left;
    t->names.n = left > 0 ? t->names.n : 0;
}

size_t
turns_size(const struct turns *t)
{
    return t->names.cap * sizeof *t->names.at + t->held.cap * sizeof *t->held.at;
}

void
turns_free(struct turns *t)
{
    free(t->names.at);
    free(t->held.at);
}
