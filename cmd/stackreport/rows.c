#include "cmd/stackreport/rows.h"

#include <stdlib.h>

#include "common/base/sort.h"

/* A node, to be sorted. */
struct item {
    struct decimal by[2]; /* the larger first; for SORT_NAME both 0 */
    struct span name;
    const struct node *node;
    uint32_t rank;        /* of the name among those of the level */
    enum frame_kind kind; /* functions of one name may differ in it */
};

/* The rows below one row. */
struct level {
    struct item *items;
    size_t at, count;
};

static int
larger_first(struct decimal a, struct decimal b)
{
    if (a.whole != b.whole)
        return (a.whole < b.whole) - (a.whole > b.whole);
    return (a.fraction < b.fraction) - (a.fraction > b.fraction);
}

static int
compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = larger_first(x->by[0], y->by[0]);
    if (order == 0)
        order = larger_first(x->by[1], y->by[1]);
    if (order == 0)
        order = (x->rank > y->rank) - (x->rank < y->rank);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static struct item
make_item(const struct rows *r, const struct node *n)
{
    struct item item = {
        .name = group_text(&r->counter->groups, n->group),
        .node = n,
        .kind = group_kind(&r->counter->groups, n->group),
    };
    if (r->sort != SORT_NAME) {
        item.by[0] = r->sort == SORT_SELF ? n->self : n->total;
        item.by[1] = r->sort == SORT_SELF ? n->total : n->self;
    }
    return item;
}

/* Ranks the level's items by name, which takes less time than to compare the names of many
 * functions whose counts are equal. */
static void
rank_names(struct level *level)
{
    struct span *names = mem_alloc(level->count * sizeof *names);
    uint32_t *order = mem_alloc(level->count * sizeof *order);
    for (size_t i = 0; i < level->count; i++)
        names[i] = level->items[i].name;
    sort_order(names, level->count, order);
    for (size_t i = 1; i < level->count; i++) {
        uint32_t rank = level->items[order[i - 1]].rank;
        bool equal = span_eq(names[order[i]], names[order[i - 1]]);
        level->items[order[i]].rank = equal ? rank : rank + 1;
    }
    free(order);
    free(names);
}

/* Adds a level with the node `first` and those that have the same parent. */
static void
open_level(struct rows *r, uint32_t first)
{
    const struct node *nodes = r->counter->nodes;
    struct level level = {NULL, 0, 0};
    if (first == INTERN_NONE)
        return;
    for (uint32_t i = first; i != INTERN_NONE; i = nodes[i].next)
        level.count++;
    level.items = mem_alloc(level.count * sizeof *level.items);
    struct item *item = level.items;
    for (uint32_t i = first; i != INTERN_NONE; i = nodes[i].next)
        *item++ = make_item(r, &nodes[i]);
    if (level.count > 1) {
        rank_names(&level);
        qsort(level.items, level.count, sizeof *level.items, compare);
    }
    if (r->top > 0 && level.count > r->top)
        level.count = r->top;
    r->levels = mem_grow(r->levels, &r->cap, r->nlevels + 1, sizeof *r->levels);
    r->levels[r->nlevels++] = level;
}

void
rows_start(struct rows *r, const struct counter *c, enum sort sort, size_t top)
{
    *r = (struct rows){.counter = c, .sort = sort, .top = top};
    if (c->nnodes > 0)
        open_level(r, c->first_root);
}

bool
rows_next(struct rows *r, struct row *row)
{
    while (r->nlevels > 0) {
        struct level *last = &r->levels[r->nlevels - 1];
        if (last->at < last->count) {
            const struct item *item = &last->items[last->at++];
            *row = (struct row){item->node, item->name, (uint32_t)(r->nlevels - 1)};
            open_level(r, item->node->first);
            return true;
        }
        free(last->items);
        r->nlevels--;
    }
    free(r->levels);
    r->levels = NULL;
    return false;
}
