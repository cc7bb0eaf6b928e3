#include "cmd/stackcollapse/floatsum.h"

#include <stdlib.h>

void
floatsum_add(struct floatsum *s, struct span stack, double value)
{
    uint32_t number;
    bool is_new = intern_put(&s->stacks, stack, &number);
    s->sums = mem_grow(s->sums, &s->cap, s->stacks.count, sizeof *s->sums);
    s->sums[number] = is_new ? value : s->sums[number] + value;
}

void
floatsum_free(struct floatsum *s)
{
    intern_free(&s->stacks);
    free(s->sums);
    *s = (struct floatsum){0};
}
