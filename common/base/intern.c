#include "common/base/intern.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* A slot keeps half of the hash: its low bits are the slot's first choice of place, and all of it
 * tells a foreign text apart without touching it. */
struct intern_slot {
    uint32_t tag;
    uint32_t id1; /* number + 1; 0: empty */
};

enum { FIRST_SLOTS = 256 };

static void
place(struct intern *t, struct intern_slot slot)
{
    size_t i = slot.tag & t->mask;
    while (t->slots[i].id1 != 0)
        i = (i + 1) & t->mask;
    t->slots[i] = slot;
}

static void
grow(struct intern *t)
{
    struct intern_slot *old = t->slots;
    size_t n = old != NULL ? t->mask + 1 : 0;
    if (old == NULL)
        t->seed = hash_seed();
    t->mask = n > 0 ? n * 2 - 1 : FIRST_SLOTS - 1;
    t->slots = calloc(t->mask + 1, sizeof *t->slots);
    if (t->slots == NULL)
        mem_exhausted();
    for (size_t i = 0; i < n; i++)
        if (old[i].id1 != 0)
            place(t, old[i]);
    free(old);
}

static uint32_t
tag_of(const struct intern *t, struct span text)
{
    return (uint32_t)hash_bytes(text, t->seed);
}

static uint32_t
find(const struct intern *t, struct span text, uint32_t tag)
{
    for (size_t i = tag & t->mask; t->slots[i].id1 != 0; i = (i + 1) & t->mask)
        if (t->slots[i].tag == tag && span_eq(t->texts[t->slots[i].id1 - 1], text))
            return t->slots[i].id1 - 1;
    return INTERN_NONE;
}

/* Gives a text its slot. */
static void
place_text(struct intern *t, uint32_t tag, uint32_t id)
{
    if (id >= t->mask / 2)
        grow(t);
    place(t, (struct intern_slot){tag, id + 1});
    t->placed = id + 1;
}

/* Makes the table ready for a look-up. */
static void
place_all(struct intern *t)
{
    if (t->slots == NULL)
        grow(t);
    while (t->placed < t->count)
        place_text(t, tag_of(t, t->texts[t->placed]), (uint32_t)t->placed);
}

uint32_t
intern_find(const struct intern *t, struct span text)
{
    return t->placed > 0 ? find(t, text, tag_of(t, text)) : INTERN_NONE;
}

uint32_t
intern_append(struct intern *t, struct span text)
{
    if (t->count >= INTERN_NONE - 1)
        mem_exhausted();
    t->texts = mem_grow(t->texts, &t->cap, t->count + 1, sizeof *t->texts);
    t->texts[t->count] = arena_copy(&t->arena, text);
    return (uint32_t)t->count++;
}

bool
intern_put(struct intern *t, struct span text, uint32_t *id)
{
    place_all(t);
    uint32_t tag = tag_of(t, text);
    *id = find(t, text, tag);
    if (*id != INTERN_NONE)
        return false;
    *id = intern_append(t, text);
    place_text(t, tag, *id);
    return true;
}

uint32_t
intern_add(struct intern *t, struct span text)
{
    uint32_t id;
    intern_put(t, text, &id);
    return id;
}

void
intern_free(struct intern *t)
{
    free(t->texts);
    free(t->slots);
    arena_free(&t->arena);
    *t = (struct intern){0};
}
