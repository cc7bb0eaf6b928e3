#include "cmd/flamesvg/slices.h"

#include <stdlib.h>

void
slices_add(struct slices *s, uint64_t ms, struct span stack, double count)
{
    MEM_ADD(s->list, s->count, s->cap,
            (struct slice_count){ms, intern_add(&s->stacks, stack), count});
}

static int
by_time_and_stack(const void *va, const void *vb)
{
    const struct slice_count *a = va, *b = vb;
    if (a->ms != b->ms)
        return (a->ms > b->ms) - (a->ms < b->ms);
    return (a->stack > b->stack) - (a->stack < b->stack);
}

void
slices_sort(struct slices *s)
{
    if (s->count > 0)
        qsort(s->list, s->count, sizeof *s->list, by_time_and_stack);
}

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

uint64_t
slices_length(const struct slices *s)
{
    uint64_t length = 0;
    for (size_t i = 0; i < s->count; i++)
        length = greatest_divisor(length, s->list[i].ms);
    if (s->count > 0 &&
        s->list[0].ms == s->list[s->count - 1].ms) /* one slice does not tell much */
        length = greatest_divisor(length, 1000);
    return length > 0 ? length : 1;
}

void
slices_free(struct slices *s)
{
    intern_free(&s->stacks);
    free(s->list);
}
