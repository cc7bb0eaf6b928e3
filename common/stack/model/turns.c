#include "common/stack/model/turns.h"

#include <stdlib.h>

#include "common/stack/model/slice.h"

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

/* Return the name of the turn's slice. A turn begins at 0 of the recording's clock or later. */
static uint32_t
name_turn(struct profile *p, const struct perf_header *turn)
{
    char text[SLICE_TEXT];
    uint64_t us = turn->period, end = turn->time;
    uint64_t length = us < end / 1000 ? us * 1000 : end, ms = (length + 500000) / 1000000;
    struct slice slice = {
        .ms = (end - length) / 1000000,
        .length = ms == 0           ? 1
                  : ms < UINT32_MAX ? (uint32_t)ms
                                    : UINT32_MAX,
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
        if (any && h->tid != tid) { /* a turn of its own thread may follow */
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
