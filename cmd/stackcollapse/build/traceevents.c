#include "cmd/stackcollapse/build/traceevents.h"

#include <stdlib.h>

#include "common/base/mem.h"

void
traceevents_add(struct traceevents *t, struct trace_event e)
{
    t->events = mem_grow(t->events, &t->cap, t->n + 1, sizeof *t->events);
    e.order = t->n;
    t->events[t->n++] = e;
}

static int
compare(const void *left, const void *right)
{
    const struct trace_event *a = left, *b = right;
    if (a->thread != b->thread)
        return (a->thread > b->thread) - (a->thread < b->thread);
    if (a->start != b->start)
        return (a->start > b->start) - (a->start < b->start);
    return (a->order > b->order) - (a->order < b->order);
}

void
traceevents_sort(struct traceevents *t)
{
    if (t->n > 0)
        qsort(t->events, t->n, sizeof *t->events, compare);
}
