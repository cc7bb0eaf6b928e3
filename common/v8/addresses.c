#include "common/v8/addresses.h"

#include <stdlib.h>

static uint32_t
tag_of(const struct addresses *t, uint64_t addr)
{
    return (uint32_t)hash_number(addr, t->key);
}

uint32_t
addresses_find(const struct addresses *t, uint64_t addr)
{
    uint32_t number, tag = tag_of(t, addr);
    if (t->slots.at == NULL)
        return ADDRESSES_NONE;
    for (size_t i = tag; slots_next(&t->slots, tag, &i, &number);)
        if (t->of.at[number] == addr)
            return number;
    return ADDRESSES_NONE;
}

bool
addresses_put(struct addresses *t, uint64_t addr, uint32_t *number)
{
    if (t->slots.at == NULL) {
        t->key = hash_key();
        slots_grow(&t->slots);
    }
    *number = addresses_find(t, addr);
    if (*number != ADDRESSES_NONE)
        return false;
    if (t->of.n >= ADDRESSES_NONE - 1)
        mem_exhausted();
    *number = (uint32_t)t->of.n;
    VEC_ADD(t->of, addr);
    slots_add(&t->slots, tag_of(t, addr), *number);
    return true;
}

void
addresses_empty(struct addresses *t)
{
    /* If the table was large once, clear only the used slots for a few addresses. */
    if (t->of.n < t->slots.mask / 16) {
        free(t->slots.at);
        t->slots = (struct slots){0};
    } else if (t->slots.at != NULL) {
        memset(t->slots.at, 0, (t->slots.mask + 1) * sizeof *t->slots.at);
    }
    t->of.n = 0;
}

size_t
addresses_size(const struct addresses *t)
{
    size_t slots = t->slots.at != NULL ? t->slots.mask + 1 : 0;
    return slots * sizeof *t->slots.at + t->of.cap * sizeof *t->of.at;
}

void
addresses_free(struct addresses *t)
{
    free(t->slots.at);
    free(t->of.at);
    *t = (struct addresses){0};
}
