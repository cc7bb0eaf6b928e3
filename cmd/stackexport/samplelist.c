#include "cmd/stackexport/samplelist.h"

#include <stdlib.h>

/* Return the node of the stack in the tree. */
static uint32_t
node_of(struct samplelist *l, const struct stack *s)
{
    size_t same = 0;
    while (same < s->n && same < l->frames.n && l->frames.at[same] == s->frames[same])
        same++;
    uint32_t node = same > 0 ? l->nodes.at[same - 1] : STACKTREE_ROOT;
    l->frames.n = l->nodes.n = same;
    for (size_t i = same; i < s->n; i++) {
        node = stacktree_child(&l->tree, node, s->frames[i]);
        VEC_ADD(l->frames, s->frames[i]);
        VEC_ADD(l->nodes, node);
    }
    return node;
}

void
samplelist_add(struct samplelist *l, const struct stack *s)
{
    uint32_t node = node_of(l, s);
    struct listed *last = l->list.n > 0 ? &l->list.at[l->list.n - 1] : NULL;
    l->untimed |= !s->has_time;
    if (last != NULL && !s->has_time && last->node == node && last->thread == s->thread) {
        last->count = decimal_add(last->count, s->count);
        return;
    }
    if (l->list.n >= UINT32_MAX)
        mem_exhausted();
    VEC_ADD(l->list, (struct listed){.time = s->has_time ? s->time : 0,
                                     .count = s->count,
                                     .thread = s->thread,
                                     .node = node,
                                     .number = (uint32_t)l->list.n});
}

static int
by_time(const void *left, const void *right)
{
    const struct listed *a = left, *b = right;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time)
                              : (a->number > b->number) - (a->number < b->number);
}

static int
by_thread(const void *left, const void *right)
{
    const struct listed *a = left, *b = right;
    return a->thread != b->thread ? (a->thread > b->thread) - (a->thread < b->thread)
                                  : by_time(left, right);
}

/* If some times are missing, ignore all: the list stays in the order of the input. */
static void
sort(struct samplelist *l, int (*compare)(const void *left, const void *right))
{
    for (size_t i = 0; i < l->list.n && l->untimed; i++)
        l->list.at[i].time = 0;
    if (l->list.n > 0)
        qsort(l->list.at, l->list.n, sizeof *l->list.at, compare);
}

void
samplelist_sort(struct samplelist *l)
{
    sort(l, by_time);
}

void
samplelist_sort_by_thread(struct samplelist *l)
{
    sort(l, by_thread);
}

size_t
samplelist_thread_end(const struct samplelist *l, size_t i)
{
    uint32_t thread = l->list.at[i].thread;
    while (i < l->list.n && l->list.at[i].thread == thread)
        i++;
    return i;
}

void
samplelist_free(struct samplelist *l)
{
    stacktree_free(&l->tree);
    free(l->list.at);
    free(l->frames.at);
    free(l->nodes.at);
}
