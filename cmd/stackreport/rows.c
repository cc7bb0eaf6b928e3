#include "cmd/stackreport/rows.h"

#include <stdlib.h>

/* A node, to be sorted. */
struct item {
    const struct count_node *node;
    struct span name;
    enum frame_kind kind; /* functions of one name may differ in it */
};

/* The rows below one row. */
struct level {
    struct item *items;
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
    const struct item *x = a, *y = b;
    int order = span_cmp(x->name, y->name);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static int
by_self(const void *a, const void *b)
{
    const struct count_node *x = ((const struct item *)a)->node,
                            *y = ((const struct item *)b)->node;
    int self = larger_first(x->self, y->self), total = larger_first(x->total, y->total);
    return self != 0 ? self : total != 0 ? total : by_name(a, b);
}

static int
by_total(const void *a, const void *b)
{
    const struct count_node *x = ((const struct item *)a)->node,
                            *y = ((const struct item *)b)->node;
    int total = larger_first(x->total, y->total);
    return total != 0 ? total : by_self(a, b);
}

/* Add a level with the node `first` and those that have the same parent. */
static void
open_level(struct rows *r, uint32_t first, uint32_t depth)
{
    static int (*const compare[])(const void *, const void *) = {
        [SORT_SELF] = by_self, [SORT_TOTAL] = by_total, [SORT_NAME] = by_name};
    const struct count_node *nodes = r->counter->nodes;
    const struct groups *groups = &r->counter->groups;
    struct level level = {.depth = depth};
    if (first == INTERN_NONE)
        return;
    for (uint32_t i = first; i != INTERN_NONE; i = nodes[i].next)
        level.count++;
    level.items = mem_alloc(level.count * sizeof *level.items);
    struct item *item = level.items;
    for (uint32_t i = first; i != INTERN_NONE; i = nodes[i].next)
        *item++ = (struct item){&nodes[i], group_text(groups, nodes[i].group),
                                group_kind(groups, nodes[i].group)};
    qsort(level.items, level.count, sizeof *level.items, compare[r->sort]);
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
    if (++last->at == last->count) { /* now, so that a deep chain of calls takes one level */
        free(last->items);
        r->nlevels--;
    }
    open_level(r, node->first, row->depth + 1);
    return true;
}
