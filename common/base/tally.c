#include "common/base/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

void
tally_count(struct tally *t, uint32_t number, uint64_t count, uint64_t sum)
{
    struct tally_row *row = &t->rows[number];
    row->count = num_add(row->count, count);
    row->sum = num_add(row->sum, sum);
}

uint32_t
tally_add(struct tally *t, struct span name, uint64_t count, uint64_t sum)
{
    uint32_t number;
    if (intern_put(&t->names, name, &number)) {
        t->rows = mem_grow(t->rows, &t->cap, t->names.count, sizeof *t->rows);
        t->rows[number] = (struct tally_row){0, 0};
    }
    tally_count(t, number, count, sum);
    return number;
}

struct ranked {
    uint64_t count;
    struct span name;
    uint32_t number;
};

static int
compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int by_count = (x->count < y->count) - (x->count > y->count);
    return by_count != 0 ? by_count : span_cmp(x->name, y->name);
}

const uint32_t *
tally_order(const struct tally *t, struct arena *a)
{
    size_t n = t->names.count;
    struct ranked *ranked = arena_alloc(a, n * sizeof *ranked);
    uint32_t *order = arena_alloc(a, n * sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){t->rows[i].count, intern_text(&t->names, i), i};
    qsort(ranked, n, sizeof *ranked, compare);
    for (size_t i = 0; i < n; i++)
        order[i] = ranked[i].number;
    return order;
}

void
tally_describe(const struct tally *t, char text[static TALLY_TEXT])
{
    enum { SHOWN = 8, NAME_BYTES_MAX = 80 }; /* the most that fit into the text */
    struct arena arena = {0};
    const uint32_t *order = tally_order(t, &arena);
    size_t len = 0, n = t->names.count, shown = n <= SHOWN + 1 ? n : SHOWN;
    for (size_t i = 0; i < shown; i++) {
        struct span name = intern_text(&t->names, order[i]);
        name = name.len == 0 ? SPAN("(no name)") : name;
        name.len = name.len < NAME_BYTES_MAX ? name.len : NAME_BYTES_MAX;
        len += (size_t)snprintf(text + len, TALLY_TEXT - len, "%s%.*s (%s)", i > 0 ? ", " : "",
                                SPAN_ARG(name), NUM_TEXT(t->rows[order[i]].count));
    }
    if (n > shown)
        snprintf(text + len, TALLY_TEXT - len, " and %zu others", n - shown);
    if (n == 0)
        snprintf(text, TALLY_TEXT, "nothing");
    arena_free(&arena);
}

void
tally_free(struct tally *t)
{
    intern_free(&t->names);
    free(t->rows);
    *t = (struct tally){0};
}
