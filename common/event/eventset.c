#include "common/event/eventset.h"

#include <stdlib.h>

#include "common/base/hash.h"

struct eventset_id {
    uint64_t id;
    uint32_t event; /* number + 1; 0: the slot is free */
};

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

/* The slot of the id, or the free one where it belongs. */
static struct eventset_id *
slot_of(const struct eventset *s, uint64_t id)
{
    size_t at = (size_t)hash_number(id, s->key) & (s->id_cap - 1);
    while (s->ids[at].event != 0 && s->ids[at].id != id)
        at = (at + 1) & (s->id_cap - 1);
    return &s->ids[at];
}

static void
grow_ids(struct eventset *s)
{
    struct eventset_id *old = s->ids;
    size_t old_cap = s->id_cap;
    if (s->id_cap == 0)
        s->key = hash_key();
    s->id_cap = old_cap > 0 ? old_cap * 2 : 64;
    s->ids = calloc(s->id_cap, sizeof *s->ids);
    if (s->ids == NULL)
        mem_exhausted();
    for (size_t i = 0; i < old_cap; i++)
        if (old[i].event != 0)
            *slot_of(s, old[i].id) = old[i];
    free(old);
}

void
eventset_add_id(struct eventset *s, uint64_t id, const struct event *e)
{
    if (s->nids >= s->id_cap / 2)
        grow_ids(s);
    struct eventset_id *slot = slot_of(s, id);
    s->nids += slot->event == 0;
    *slot = (struct eventset_id){id, e->number + 1};
}

struct event *
eventset_find(const struct eventset *s, uint64_t id)
{
    if (s->nids == 0)
        return NULL;
    uint32_t number = slot_of(s, id)->event;
    return number > 0 ? &s->events[number - 1] : NULL;
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
    uint64_t *ids = mem_alloc((s->nids + 1) * sizeof *ids);
    *n = 0;
    for (size_t i = 0; i < s->id_cap; i++)
        if (s->ids[i].event == e->number + 1)
            ids[(*n)++] = s->ids[i].id;
    qsort(ids, *n, sizeof *ids, by_id);
    return ids;
}

void
eventset_free(struct eventset *s)
{
    free(s->events);
    free(s->ids);
    *s = (struct eventset){0};
}
