#include "common/event/eventset.h"

#include <stdlib.h>

struct event *
eventset_add(struct eventset *s, const struct event *e, struct arena *names)
{
    s->events = mem_grow(s->events, &s->cap, s->count + 1, sizeof *s->events);
    struct event *added = &s->events[s->count];
    *added = *e;
    added->number = (uint32_t)s->count++;
    added->named = e->name.len > 0;
    if (!added->named) {
        struct text name = {0};
        event_name_of(e, &name);
        added->name = arena_copy(names, text_span(&name));
        free(name.ptr);
    }
    return added;
}

void
eventset_rename(struct event *e, struct span name)
{
    if (name.len == 0)
        return;
    e->name = name;
    e->named = true;
}

size_t
eventset_width(const struct eventset *s)
{
    size_t width = 0;
    for (size_t i = 0; i < s->count; i++)
        if (width < s->events[i].name.len)
            width = s->events[i].name.len;
    return width;
}

void
eventset_add_id(struct eventset *s, uint64_t id, const struct event *e)
{
    uint32_t n = intern_add(&s->ids, SPAN_BYTES(id));
    s->event_of = mem_grow(s->event_of, &s->event_of_cap, s->ids.count, sizeof *s->event_of);
    s->event_of[n] = e->number;
}

struct event *
eventset_find(const struct eventset *s, uint64_t id)
{
    uint32_t n = intern_find(&s->ids, SPAN_BYTES(id));
    return n != INTERN_NONE ? &s->events[s->event_of[n]] : NULL;
}

static int
by_id(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint64_t *
eventset_ids(const struct eventset *s, const struct event *e, size_t *n)
{
    uint64_t *ids = mem_alloc((s->ids.count + 1) * sizeof *ids);
    *n = 0;
    for (uint32_t i = 0; i < s->ids.count; i++)
        if (s->event_of[i] == e->number)
            memcpy(&ids[(*n)++], intern_text(&s->ids, i).ptr, sizeof *ids);
    qsort(ids, *n, sizeof *ids, by_id);
    return ids;
}

void
eventset_free(struct eventset *s)
{
    free(s->events);
    intern_free(&s->ids);
    free(s->event_of);
    *s = (struct eventset){0};
}
