#include "common/base/slots.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

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
            slots_put(s, old[i]);
    free(old);
}
