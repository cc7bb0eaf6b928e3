#include "cmd/stackreport/rows.h"

#include <stdlib.h>

/* A node, to be sorted. */
struct item {
    struct span name;
    struct decimal by[2]; /* the larger first; for SORT_NAME both 0 */
    uint32_t parent, node;
    uint32_t kind; /* functions of one name may differ in it */
};

static int
larger_first(struct decimal a, struct decimal b)
{
    if (a.whole != b.whole)
        return (a.whole < b.whole) - (a.whole > b.whole);
    return (a.fraction < b.fraction) - (a.fraction > b.fraction);
}

/* By parent: the roots, whose parent is INTERN_NONE, come last. */
static int
compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    int order = (x->parent > y->parent) - (x->parent < y->parent);
    for (size_t i = 0; i < 2 && order == 0; i++)
        order = larger_first(x->by[i], y->by[i]);
    if (order == 0)
        order = span_cmp(x->name, y->name);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static struct item *
sort_nodes(const struct counter *c, enum sort sort)
{
    struct item *items = mem_alloc((c->nnodes + 1) * sizeof *items);
    for (uint32_t i = 0; i < c->nnodes; i++) {
        const struct node *n = &c->nodes[i];
        struct item *item = &items[i];
        *item = (struct item){
            .name = group_text(&c->groups, n->group),
            .parent = n->parent,
            .node = i,
            .kind = group_kind(&c->groups, n->group),
        };
        if (sort != SORT_NAME) {
            item->by[0] = sort == SORT_SELF ? n->count.self : n->count.total;
            item->by[1] = sort == SORT_SELF ? n->count.total : n->count.self;
        }
    }
    qsort(items, c->nnodes, sizeof *items, compare);
    return items;
}

/* A range of sorted nodes with one parent, of which those from `at` on are not yet written. */
struct range {
    size_t at, end;
};

struct ranges {
    struct range *below; /* by node; the roots' last */
    struct range *open;  /* one for each level of the tree */
    size_t nopen, open_cap;
};

static void
find_ranges(struct ranges *r, const struct item *items, size_t n, size_t top)
{
    r->below = mem_alloc((n + 1) * sizeof *r->below);
    memset(r->below, 0, (n + 1) * sizeof *r->below);
    for (size_t i = 0; i < n; i++) {
        struct range *range = &r->below[items[i].parent != INTERN_NONE ? items[i].parent : n];
        if (range->end == 0)
            *range = (struct range){i, i};
        if (top == 0 || range->end - range->at < top)
            range->end = i + 1;
    }
}

static void
open_range(struct ranges *r, struct range range)
{
    r->open = mem_grow(r->open, &r->open_cap, r->nopen + 1, sizeof *r->open);
    r->open[r->nopen++] = range;
}

void
rows_make(struct rows *rows, const struct counter *c, enum sort sort, size_t top)
{
    struct item *items = sort_nodes(c, sort);
    struct ranges r = {0};
    find_ranges(&r, items, c->nnodes, top);
    *rows = (struct rows){mem_alloc((c->nnodes + 1) * sizeof *rows->list), 0};
    open_range(&r, r.below[c->nnodes]);
    while (r.nopen > 0) {
        struct range *last = &r.open[r.nopen - 1];
        if (last->at == last->end) {
            r.nopen--;
            continue;
        }
        const struct item *item = &items[last->at++];
        const struct node *n = &c->nodes[item->node];
        rows->list[rows->count++] =
            (struct row){item->name, n->count, n->group, (uint32_t)(r.nopen - 1)};
        open_range(&r, r.below[item->node]);
    }
    free(items);
    free(r.below);
    free(r.open);
}
