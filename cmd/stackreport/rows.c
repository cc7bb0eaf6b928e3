#include "cmd/stackreport/rows.h"

#include <stdlib.h>

/* Siblings that are still to be returned. */
struct level {
    struct row_item *items;
    size_t at, count;
    uint32_t depth;
};

static int
larger_first(struct decimal a, struct decimal b)
{
    if (a.whole != b.whole)
        return (a.whole < b.whole) - (a.whole > b.whole);
    return (a.fraction < b.fraction) - (a.fraction > b.fraction);
}

static int
by_name(const void *a, const void *b)
{
    const struct row_item *x = a, *y = b;
    int order = span_cmp(x->name, y->name);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static int
by_self(const void *a, const void *b)
{
    const struct count_node *x = ((const struct row_item *)a)->node,
                            *y = ((const struct row_item *)b)->node;
    int self = larger_first(x->self, y->self), total = larger_first(x->total, y->total);
    return self != 0 ? self : total != 0 ? total : by_name(a, b);
}

static int
by_total(const void *a, const void *b)
{
    const struct count_node *x = ((const struct row_item *)a)->node,
                            *y = ((const struct row_item *)b)->node;
    int total = larger_first(x->total, y->total);
    return total != 0 ? total : by_self(a, b);
}

struct row_item *
rows_siblings(const struct counter *c, uint32_t first, enum row_order sort, size_t *n)
{
    static int (*const compare[])(const void *, const void *) = {
        [SORT_SELF] = by_self, [SORT_TOTAL] = by_total, [SORT_NAME] = by_name};
    *n = 0;
    if (first == INTERN_NONE)
        return NULL;
    for (uint32_t i = first; i != INTERN_NONE; i = c->nodes[i].next)
        ++*n;
    struct row_item *items = mem_alloc(*n * sizeof *items), *item = items;
    for (uint32_t i = first; i != INTERN_NONE; i = c->nodes[i].next)
        *item++ = (struct row_item){&c->nodes[i], group_text(&c->groups, c->nodes[i].group),
                                    group_kind(&c->groups, c->nodes[i].group)};
    qsort(items, *n, sizeof *items, compare[sort]);
    return items;
}

/* Add a level with the node `first` and its siblings. */
static void
open_level(struct rows *r, uint32_t first, uint32_t depth)
{
    struct level level = {.depth = depth};
    level.items = rows_siblings(r->counter, first, r->sort, &level.count);
    if (level.items == NULL)
        return;
    if (r->top > 0 && level.count > r->top)
        level.count = r->top;
    MEM_ADD(r->levels, r->nlevels, r->cap, level);
}

void
rows_start(struct rows *r, const struct counter *c, enum row_order sort, size_t top)
{
    *r = (struct rows){.counter = c, .sort = sort, .top = top};
    if (c->nnodes > 0)
        open_level(r, c->first_root, 0);
}

bool
rows_next(struct rows *r, struct row *row)
{
    if (r->nlevels == 0) {
        free(r->levels);
        r->levels = NULL;
        return false;
    }
    struct level *last = &r->levels[r->nlevels - 1];
    const struct count_node *node = last->items[last->at].node;
    *row = (struct row){node, last->items[last->at].name, last->depth};
    if (++last->at == last->count) { /* now, so that a deep chain of calls needs one level */
        free(last->items);
        r->nlevels--;
    }
    open_level(r, node->first, row->depth + 1);
    return true;
}
