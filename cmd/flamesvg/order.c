#include "cmd/flamesvg/order.h"

#include <stdint.h>
#include <stdlib.h>

#include "common/base/mem.h"

#define NONE UINT32_MAX

/* A frame with what it is sorted by: callers before callees, siblings together, largest first. In
 * preorder a caller has a smaller number than its callees. */
struct place_of {
    uint32_t frame, parent;
    double size;
};

/* The callees of a frame as a list: the first of each, and the next one with the same caller. */
struct links {
    uint32_t callee, next; /* NONE: there is none */
};

static int
compare(const void *va, const void *vb)
{
    const struct place_of *a = va, *b = vb;
    if (a->parent != b->parent)
        return (a->parent > b->parent) - (a->parent < b->parent);
    if (a->size != b->size)
        return (a->size < b->size) - (a->size > b->size);
    return (a->frame > b->frame) - (a->frame < b->frame);
}

static size_t
find_deepest(const struct frames *f)
{
    size_t deepest = 0;
    for (size_t i = 0; i < f->count; i++)
        deepest = f->list[i].depth > deepest ? f->list[i].depth : deepest;
    return deepest;
}

/* The caller of a frame is the last one before it whose depth is one less. */
static void
find_parents(const struct frames *f, struct place_of *places, size_t deepest)
{
    uint32_t *newest = mem_alloc((deepest + 1) * sizeof *newest);
    newest[0] = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct frame *frame = &f->list[i];
        uint32_t parent = frame->depth > 0 ? newest[frame->depth - 1] : NONE;
        places[i] = (struct place_of){(uint32_t)i, parent, frame->end - frame->start};
        newest[frame->depth] = (uint32_t)i;
    }
    free(newest);
}

/* Sets start and end of the frames, which are sorted. */
static void
move(struct frames *f, const struct place_of *places)
{
    double at = 0;
    for (size_t i = 1; i < f->count; i++) { /* not the root, places[0] */
        const struct place_of *p = &places[i];
        if (p->parent != places[i - 1].parent)
            at = f->list[p->parent].start;
        f->list[p->frame].start = at;
        at += p->size;
        f->list[p->frame].end = at;
    }
}

/* Builds the list again: each frame, then its callees in their sorted order. */
static void
walk(struct frames *f, const struct links *links, size_t deepest)
{
    struct frame *list = mem_alloc(f->count * sizeof *list);
    uint32_t *next =
        mem_alloc((deepest + 2) * sizeof *next); /* by depth: the frame to go on with */
    size_t depth = 0, n = 0;
    next[0] = 0;
    while (depth != SPAN_NONE) {
        uint32_t i = next[depth];
        if (i == NONE) {
            depth--; /* after the root's depth, 0, comes SPAN_NONE */
            continue;
        }
        list[n++] = f->list[i];
        next[depth++] = links[i].next;
        next[depth] = links[i].callee;
    }
    free(next);
    free(f->list);
    f->list = list;
    f->cap = f->count;
}

void
order_by_size(struct frames *f)
{
    if (f->count == 0)
        return;
    if (f->count >= NONE)
        mem_exhausted();
    struct place_of *places = mem_alloc(f->count * sizeof *places);
    size_t deepest = find_deepest(f);
    find_parents(f, places, deepest);
    qsort(places + 1, f->count - 1, sizeof *places, compare);
    move(f, places);
    struct links *links = mem_alloc(f->count * sizeof *links);
    for (size_t i = 0; i < f->count; i++)
        links[i] = (struct links){NONE, NONE};
    for (size_t i = f->count; i-- > 1;) {
        struct links *caller = &links[places[i].parent];
        links[places[i].frame].next = caller->callee;
        caller->callee = places[i].frame;
    }
    free(places);
    walk(f, links, deepest);
    free(links);
}
