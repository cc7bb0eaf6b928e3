#include "common/base/intern.h"

#include <stdlib.h>

#include "common/base/hash.h"

/* A slot keeps half of the hash, so that a foreign text is told apart without touching it. */
struct intern_slot {
    uint32_t tag;
    uint32_t id1; /* number + 1; 0: empty */
};

enum { FIRST_SLOTS = 256 };

static void
place(struct intern *t, uint64_t hash, uint32_t id1)
{
    size_t i = hash & t->mask;
    while (t->slots[i].id1 != 0)
        i = (i + 1) & t->mask;
    t->slots[i] = (struct intern_slot){(uint32_t)(hash >> 32), id1};
}

static void
grow(struct intern *t)
{
    size_t n = t->slots != NULL ? (t->mask + 1) * 2 : FIRST_SLOTS;
    if (t->slots == NULL)
        t->seed = hash_seed();
    free(t->slots);
    t->slots = calloc(n, sizeof *t->slots);
    if (t->slots == NULL)
        mem_exhausted();
    t->mask = n - 1;
    for (size_t i = 0; i < t->count; i++)
        place(t, hash_bytes(t->texts[i], t->seed), (uint32_t)i + 1);
}

static uint32_t
find(const struct intern *t, struct span text, uint64_t hash)
{
    for (size_t i = hash & t->mask; t->slots[i].id1 != 0; i = (i + 1) & t->mask)
        if (t->slots[i].tag == (uint32_t)(hash >> 32) &&
            span_eq(t->texts[t->slots[i].id1 - 1], text))
            return t->slots[i].id1 - 1;
    return INTERN_NONE;
}

uint32_t
intern_find(const struct intern *t, struct span text)
{
    return t->count > 0 ? find(t, text, hash_bytes(text, t->seed)) : INTERN_NONE;
}

uint32_t
intern_add(struct intern *t, struct span text)
{
    if (t->slots == NULL)
        grow(t);
    uint64_t hash = hash_bytes(text, t->seed);
    uint32_t id = find(t, text, hash);
    if (id != INTERN_NONE)
        return id;
    if (t->count >= INTERN_NONE - 1)
        mem_exhausted();
    if (t->count >= t->mask / 2)
        grow(t);
    t->texts = mem_grow(t->texts, &t->cap, t->count + 1, sizeof *t->texts);
    t->texts[t->count] = arena_copy(&t->arena, text);
    place(t, hash, (uint32_t)t->count + 1);
    return (uint32_t)t->count++;
}

void
intern_free(struct intern *t)
{
    free(t->texts);
    free(t->slots);
    arena_free(&t->arena);
    *t = (struct intern){0};
}
