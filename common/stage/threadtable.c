#include "common/stage/threadtable.h"

#include <stdlib.h>

void *
threadtable_find(const struct threadtable *t, uint32_t tid)
{
    uint32_t number = intern_find(&t->tids, SPAN_BYTES(tid));
    return number != INTERN_NONE ? threadtable_at(t, number) : NULL;
}

void *
threadtable_add(struct threadtable *t, uint32_t tid)
{
    uint32_t number;
    bool added = intern_put(&t->tids, SPAN_BYTES(tid), &number);
    t->elements = mem_grow(t->elements, &t->cap, (size_t)number + 1, t->size);
    return added ? memset(threadtable_at(t, number), 0, t->size) : threadtable_at(t, number);
}

void
threadtable_sweep(struct threadtable *t, bool (*keeps)(void *ctx, const void *element), void *ctx)
{
    enum { FEW = 4096 };
    struct intern all = t->tids;
    uint32_t n;
    if (t->ended <= FEW || t->ended <= all.count / 2)
        return;
    t->tids = (struct intern){0};
    t->ended = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        if (!keeps(ctx, threadtable_at(t, i)))
            continue;
        intern_put(&t->tids, intern_text(&all, i), &n);
        memmove(threadtable_at(t, n), threadtable_at(t, i), t->size);
    }
    intern_free(&all);
}

void
threadtable_free(struct threadtable *t)
{
    intern_free(&t->tids);
    free(t->elements);
    *t = (struct threadtable){.size = t->size};
}
