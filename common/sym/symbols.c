#include "common/sym/symbols.h"

#include <stdlib.h>

void
symbols_add(struct symbols *s, struct symbol_provider provider)
{
    s->providers = mem_grow(s->providers, &s->cap, s->count + 1, sizeof provider);
    s->providers[s->count++] = provider;
}

bool
symbols_find(const struct symbols *s, uint64_t addr, struct symbol *found)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct symbol_provider *p = &s->providers[i];
        uint64_t start;
        if (p->find(p->table, addr, &found->name, &start)) {
            found->offset = addr - start;
            found->dso = p->dso;
            return true;
        }
    }
    return false;
}

void
symbols_free(struct symbols *s)
{
    free(s->providers);
    *s = (struct symbols){0};
}
