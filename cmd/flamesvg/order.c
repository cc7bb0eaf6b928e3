#include "cmd/flamesvg/order.h"

#include <stdlib.h>

#include "common/base/mem.h"

/* A frame with what it is sorted by: callers before callees, siblings together, largest first. */
struct place_of {
    size_t frame, parent, depth;
    double start, size;
};

static int
compare(const void *va, const void *vb)
{
    const struct place_of *a = va, *b = vb;
    if (a->depth != b->depth)
        return (a->depth > b->depth) - (a->depth < b->depth);
    if (a->parent != b->parent)
        return (a->parent > b->parent) - (a->parent < b->parent);
    if (a->size != b->size)
        return (a->size < b->size) - (a->size > b->size);
    return (a->start > b->start) - (a->start < b->start);
}

/* Each frame comes after all those that it called: read from the end, the caller of a frame is the
 * last one read whose depth is one less. */
static void
find_parents(const struct frames *f, struct place_of *places)
{
    size_t *newest = mem_alloc((f->deepest + 1) * sizeof *newest);
    newest[0] = SPAN_NONE;
    for (size_t i = f->count; i-- > 0;) {
        const struct frame *frame = &f->list[i];
        size_t parent = frame->depth > 0 ? newest[frame->depth - 1] : SPAN_NONE;
        places[i] =
            (struct place_of){i, parent, frame->depth, frame->start, frame->end - frame->start};
        newest[frame->depth] = i;
    }
    free(newest);
}

void
order_by_size(struct frames *f)
{
    struct place_of *places = mem_alloc(f->count * sizeof *places);
    find_parents(f, places);
    qsort(places, f->count, sizeof *places, compare);
    double at = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct place_of *p = &places[i];
        if (p->parent == SPAN_NONE)
            continue; /* the root */
        if (p->parent != places[i - 1].parent)
            at = f->list[p->parent].start;
        f->list[p->frame].start = at;
        at += p->size;
        f->list[p->frame].end = at;
    }
    free(places);
}
