#include "common/base/intern.h"

#include <stdlib.h>

static inline uint32_t
tag_of(const struct intern *t, struct span text)
{
    return (uint32_t)hash_bytes(text, t->key);
}

static inline uint32_t
find(const struct intern *t, struct span text, uint32_t tag)
{
    uint32_t id;
    for (size_t i = tag; slots_next(&t->slots, tag, &i, &id);)
        if (span_eq(t->texts[id], text))
            return id;
    return INTERN_NONE;
}

/* Insert a text that already has a number into the hash table. */
static void
insert(struct intern *t, uint32_t tag, uint32_t id)
{
    slots_add(&t->slots, tag, id);
    t->inserted = id + 1;
}

/* Insert the texts that intern_append left out. */
static inline void
insert_appended(struct intern *t)
{
    if (t->slots.at == NULL) {
        t->key = hash_key();
        slots_grow(&t->slots);
    }
    while (t->inserted < t->count)
        insert(t, tag_of(t, t->texts[t->inserted]), (uint32_t)t->inserted);
}

uint32_t
intern_find(const struct intern *t, struct span text)
{
    return t->inserted > 0 ? find(t, text, tag_of(t, text)) : INTERN_NONE;
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

uint32_t
intern_fetch(struct intern *t, struct span text)
{
    insert_appended(t);
    uint32_t tag = tag_of(t, text);
    __builtin_prefetch(&t->slots.at[tag & t->slots.mask]);
    return tag;
}

static inline bool
put(struct intern *t, struct span text, uint32_t tag, uint32_t *id)
{
    *id = find(t, text, tag);
    if (*id != INTERN_NONE)
        return false;
    *id = intern_append(t, text);
    insert(t, tag, *id);
    return true;
}

bool
intern_put(struct intern *t, struct span text, uint32_t *id)
{
    insert_appended(t);
    return put(t, text, tag_of(t, text), id);
}

bool
intern_put_later(struct intern *t, struct span text, uint32_t tag, uint32_t *id)
{
    return put(t, text, tag, id);
}

uint32_t
intern_add(struct intern *t, struct span text)
{
    uint32_t id;
    intern_put(t, text, &id);
    return id;
}

size_t
intern_size(const struct intern *t)
{
    size_t slots = t->slots.at != NULL ? t->slots.mask + 1 : 0;
    return t->cap * sizeof *t->texts + slots * sizeof *t->slots.at + arena_size(&t->arena);
}

void
intern_forget(struct intern *t)
{
    free(t->slots.at);
    t->slots = (struct slots){0};
    t->inserted = 0;
}

void
intern_empty(struct intern *t)
{
    if (t->slots.at != NULL)
        memset(t->slots.at, 0, (t->slots.mask + 1) * sizeof *t->slots.at);
    t->count = t->inserted = 0;
    arena_reset(&t->arena);
}

void
intern_free(struct intern *t)
{
    free(t->texts);
    free(t->slots.at);
    arena_free(&t->arena);
    *t = (struct intern){0};
}
