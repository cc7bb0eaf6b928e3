/* A hash table with open addressing, for entries that are numbered from 0 on and stored
 * elsewhere. */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include <stdint.h>

#include "common/base/mem.h"

/* The tag is the low half of an entry's hash. Its low bits are the first slot to try; a different
 * tag means a different entry, without reading the entry. */
struct hash_slot {
    uint32_t tag;
    uint32_t id1; /* number + 1; 0: empty */
};

/* {0} is empty; the owner frees `at`. */
struct slots {
    struct hash_slot *at;
    size_t mask;
};

/* Find the next entry with this tag, set *id and return true. *i is the tag at first. */
static inline bool
slots_next(const struct slots *s, uint32_t tag, size_t *i, uint32_t *id)
{
    for (;;) {
        struct hash_slot slot = s->at[(*i)++ & s->mask];
        *id = slot.id1 - 1;
        if (slot.id1 == 0 || slot.tag == tag)
            return slot.id1 != 0;
    }
}

/* Make the table larger, or make one if there is none. */
void slots_grow(struct slots *s);

static inline void
slots_put(struct slots *s, struct hash_slot slot)
{
    size_t i = slot.tag & s->mask;
    while (s->at[i].id1 != 0)
        i = (i + 1) & s->mask;
    s->at[i] = slot;
}

/* Add the entry with this number, which equals the number of entries in the table. */
static inline void
slots_add(struct slots *s, uint32_t tag, uint32_t id)
{
    if (id >= s->mask / 2)
        slots_grow(s);
    slots_put(s, (struct hash_slot){tag, id + 1});
}

#endif
