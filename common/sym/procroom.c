#include "common/sym/procroom.h"

#include <stdlib.h>

void
procroom_remove_comms(struct procmaps *p)
{
    enum { FEW = 1024 };
    if (p->comms.count <= 2 * p->tids.count + FEW)
        return;
    struct intern all = p->comms;
    p->comms = (struct intern){0};
    for (uint32_t i = 0; i < p->tids.count; i++)
        if (p->threads[i].comm != 0)
            p->threads[i].comm =
                intern_add(&p->comms, intern_text(&all, p->threads[i].comm - 1)) + 1;
    intern_free(&all);
}

/* Where DSOs get new numbers. */
struct renumbering {
    const struct intern *old;
    struct intern new;
    uint32_t *numbers;
};

static void
renumber(void *ctx, struct map *map)
{
    struct renumbering *r = ctx;
    uint32_t *number = &r->numbers[map->dso];
    if (*number == INTERN_NONE)
        *number = intern_add(&r->new, intern_text(r->old, map->dso));
    map->dso = *number;
}

/* Forgets the DSOs that no map has. */
static void
remove_old_dsos(struct procmaps *p)
{
    struct intern all = p->dsos;
    struct renumbering r = {&all, {0}, mem_alloc(all.count * sizeof *r.numbers)};
    for (size_t i = 0; i < all.count; i++)
        r.numbers[i] = INTERN_NONE;
    mapnodes_each(&p->nodes, renumber, &r);
    p->dsos = r.new;
    if (p->renumbered != NULL)
        p->renumbered(p->ctx, r.numbers, all.count);
    intern_free(&all);
    free(r.numbers);
}

/* True if maps or names take more than this part of the limit, each of its half. */
static bool
is_over(const struct procmaps *p, size_t quarters)
{
    size_t most = p->limit / 8 * quarters;
    return mapnodes_size(&p->nodes) > most || intern_size(&p->dsos) > most;
}

struct growth {
    size_t added;
    uint32_t number; /* of the space */
};

static int
most_first(const void *a, const void *b)
{
    const struct growth *x = a, *y = b;
    if (x->added != y->added)
        return (x->added < y->added) - (x->added > y->added);
    return (x->number > y->number) - (x->number < y->number);
}

static void
forget_maps(struct procmaps *p, uint32_t number)
{
    struct procspace *space = &p->spaces[number];
    int32_t pid;
    memcpy(&pid, intern_text(&p->pids, number).ptr, sizeof pid);
    if (pid == PROCMAPS_KERNEL || space->tree == NULL)
        return;
    maptree_drop(&p->nodes, space->tree);
    space->tree = NULL;
    space->added = 0;
    if (p->forgotten++ == 0)
        p->forgotten_pid = pid;
}

void
procroom_make(struct procmaps *p)
{
    if (p->limit == 0 || !is_over(p, 4))
        return;
    remove_old_dsos(p);
    size_t count = p->pids.count, at = 0;
    struct growth *order = mem_alloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct growth){p->spaces[i].added, i};
        p->spaces[i].added /= 2;
    }
    qsort(order, count, sizeof *order, most_first);
    for (size_t n = 1; at < count && is_over(p, 3); n *= 2) {
        for (size_t end = n < count - at ? at + n : count; at < end; at++)
            forget_maps(p, order[at].number);
        remove_old_dsos(p);
    }
    free(order);
}
