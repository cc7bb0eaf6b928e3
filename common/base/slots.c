#include "common/base/slots.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

static void
put(struct slots *s, struct hash_slot slot)
{
    size_t i = slot.tag & s->mask;
    while (s->at[i].id1 != 0)
        i = (i + 1) & s->mask;
    s->at[i] = slot;
}

void
slots_grow(struct slots *s)
{
    struct hash_slot *old = s->at;
    size_t n = old != NULL ? s->mask + 1 : 0;
    s->mask = n > 0 ? n * 2 - 1 : FIRST_SLOTS - 1;
    s->at = calloc(s->mask + 1, sizeof *s->at);
    if (s->at == NULL)
        mem_exhausted();
    for (size_t i = 0; i < n; i++)
        if (old[i].id1 != 0)
            put(s, old[i]);
    free(old);
}

void
slots_add(struct slots *s, uint32_t tag, uint32_t id)
{
    if (id >= s->mask / 2)
        slots_grow(s);
    put(s, (struct hash_slot){tag, id + 1});
}
