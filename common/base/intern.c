#include "common/base/intern.h"

#include <stdlib.h>

/* A slot of the hash table, open addressing. The tag is the low half of the text's hash: its low
 * bits are the first slot to try, and a different tag means a different text, without reading it.
 */
struct intern_slot {
    uint32_t tag;
    uint32_t id1; /* number + 1; 0: empty */
};

enum { FIRST_SLOTS = 256 };

static void
put_slot(struct intern *t, struct intern_slot slot)
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
        t->key = hash_key();
    t->mask = n > 0 ? n * 2 - 1 : FIRST_SLOTS - 1;
    t->slots = calloc(t->mask + 1, sizeof *t->slots);
    if (t->slots == NULL)
        mem_exhausted();
    for (size_t i = 0; i < n; i++)
        if (old[i].id1 != 0)
            put_slot(t, old[i]);
    free(old);
}

static uint32_t
tag_of(const struct intern *t, struct span text)
{
    return (uint32_t)hash_bytes(text, t->key);
}

static inline uint32_t
find(const struct intern *t, struct span text, uint32_t tag)
{
    for (size_t i = tag & t->mask; t->slots[i].id1 != 0; i = (i + 1) & t->mask)
        if (t->slots[i].tag == tag && span_eq(t->texts[t->slots[i].id1 - 1], text))
            return t->slots[i].id1 - 1;
    return INTERN_NONE;
}

/* Insert a text that has a number into the hash table. */
static void
insert(struct intern *t, uint32_t tag, uint32_t id)
{
    if (id >= t->mask / 2)
        grow(t);
    put_slot(t, (struct intern_slot){tag, id + 1});
    t->inserted = id + 1;
}

/* Insert what intern_append left out. */
static void
insert_appended(struct intern *t)
{
    if (t->slots == NULL)
        grow(t);
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

bool
intern_put(struct intern *t, struct span text, uint32_t *id)
{
    insert_appended(t);
    uint32_t tag = tag_of(t, text);
    *id = find(t, text, tag);
    if (*id != INTERN_NONE)
        return false;
    *id = intern_append(t, text);
    insert(t, tag, *id);
    return true;
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
    size_t slots = t->slots != NULL ? t->mask + 1 : 0;
    return t->cap * sizeof *t->texts + slots * sizeof *t->slots + arena_size(&t->arena);
}

void
intern_forget(struct intern *t)
{
    free(t->slots);
    t->slots = NULL;
    t->mask = t->inserted = 0;
}

void
intern_free(struct intern *t)
{
    free(t->texts);
    free(t->slots);
    arena_free(&t->arena);
    *t = (struct intern){0};
}
