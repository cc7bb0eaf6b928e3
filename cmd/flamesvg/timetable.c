/* The times at which the stacks of the table's frames were seen. With line breaks added:
 *
 *     "time":[4794564100,20,20],
 *     "cells":"011",
 *     "ends":"1202",
 *     "when":"0002",
 *     "counts":"1113"
 *
 * "time" has the start of the first cell, the length of a cell, and the length of a slice of the
 * input, in milliseconds. A cell is one or several slices: see slices.h. The others are columns of
 * numbers, as "frames" (base32.h):
 *
 *     "cells"   for each cell in which something was seen: its distance from the one before, in
 *               cells; 0 for the first
 *     "ends"    for each frame in which stacks end: the distance of its index from that of the one
 *               before, or from 0; and the number of cells in which it was seen
 *     "when"    for each of these cells: how many of the cells in which something was seen
 *               lie between it and the one before, or before it
 *     "counts"  for each of these cells: the count
 *
 * The columns are ordered by frame, not by time, since a frame that is often seen then has a long
 * run of zeros: the page of a day takes 2.9 MB instead of 4.0. And the count of a frame in a range
 * of cells is the difference of two sums.
 *
 * If long turns of event loops were recorded, there is also the member "turns". It has for each
 * turn, in the order of their starts:
 *
 *     the distance of its start from that of the one before, or from 0, in milliseconds
 *     its length in milliseconds
 *     the number of its thread
 *     twice the milliseconds for which its process was stopped meanwhile, plus 1 if the
 *         recording ended before it did
 *     for each frame in which stacks end, by index: twice the distance of its index from that of
 *         the one before, or from -1, plus 1 if its count is not 1; and in that case the count
 *     0, the end of the turn
 *
 * The counts of turns are also part of the cells. */
#include "cmd/flamesvg/timetable.h"

#include <stdlib.h>

#include "cmd/flamesvg/base32.h"
#include "cmd/flamesvg/slices.h"
#include "common/base/number.h"
#include "common/stack/text/foldedtext.h"

/* The frames, indexed by caller and name. */
struct tree {
    struct intern edges; /* index of the caller and number of the name, as bytes */
    uint32_t *frames;    /* for each edge */
    size_t cap;
};

struct edge {
    uint32_t caller, name;
};

static void
make_tree(struct tree *t, const struct frames *f, const struct names *n)
{
    uint32_t *open = NULL; /* for each depth: the last frame */
    size_t open_cap = 0;
    *t = (struct tree){0};
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t depth = f->list[i].depth;
        open = mem_grow(open, &open_cap, depth + 1, sizeof *open);
        open[depth] = i;
        if (depth == 0)
            continue;
        struct edge e = {open[depth - 1], names_of_frame(n, &f->list[i])};
        uint32_t edge = intern_add(&t->edges, SPAN_BYTES(e));
        t->frames = mem_grow(t->frames, &t->cap, edge + 1, sizeof *t->frames);
        t->frames[edge] = i;
    }
    free(open);
}

/* Return the frame in which a stack ends. If that is not in the picture, return the last one of the
 * stack that is. */
static uint32_t
frame_of(const struct tree *t, const struct names *n, struct span stack)
{
    uint32_t frame = 0;
    while (stack.ptr != NULL) {
        struct edge e = {frame, intern_find(&n->texts, folded_frame(&stack))};
        uint32_t edge = e.name != INTERN_NONE ? intern_find(&t->edges, SPAN_BYTES(e)) : INTERN_NONE;
        if (edge >= t->edges.count) /* also for INTERN_NONE */
            break;
        frame = t->frames[edge];
    }
    return frame;
}

/* Return the frame in which each stack ends, indexed by number of the stack. */
static uint32_t *
find_frames(const struct slices *s, const struct frames *f, const struct names *n)
{
    struct tree tree;
    uint32_t *frames = mem_alloc(s->stacks.count * sizeof *frames);
    make_tree(&tree, f, n);
    for (uint32_t i = 0; i < s->stacks.count; i++)
        frames[i] = frame_of(&tree, n, intern_text(&s->stacks, i));
    intern_free(&tree.edges);
    free(tree.frames);
    return frames;
}

static uint64_t
scaled(const struct canvas *c, double count)
{
    return (uint64_t)number_whole(count * c->svg->scale);
}

static void
start_column(struct out *out, const char *key)
{
    out_text(out, ",\n\"");
    out_cstr(out, key);
    out_text(out, "\":\"");
}

static void
put_cells(struct out *out, const struct slices *s)
{
    start_column(out, "cells");
    for (size_t i = 0; i < s->ncells; i++)
        base32_put(out, i > 0 ? s->cells[i] - s->cells[i - 1] : 0);
    out_char(out, '"');
}

/* Return the index after the last count of a frame whose first one is at i. */
static size_t
end_of_frame(const struct slices *s, size_t i)
{
    size_t end = i;
    while (end < s->n && s->list[end].stack == s->list[i].stack)
        end++;
    return end;
}

static void
put_ends(struct out *out, const struct slices *s)
{
    start_column(out, "ends");
    for (size_t i = 0, end; i < s->n; i = end) {
        end = end_of_frame(s, i);
        base32_put(out, s->list[i].stack - (i > 0 ? s->list[i - 1].stack : 0));
        base32_put(out, end - i);
    }
    out_char(out, '"');
}

static void
put_when(struct out *out, const struct slices *s)
{
    start_column(out, "when");
    for (size_t i = 0, end; i < s->n; i = end) {
        uint32_t next = 0;
        for (end = end_of_frame(s, i); i < end; i++) {
            base32_put(out, s->list[i].time - next);
            next = s->list[i].time + 1;
        }
    }
    out_char(out, '"');
}

static void
put_counts(const struct canvas *c, const struct slices *s)
{
    struct out *out = c->xml.out;
    start_column(out, "counts");
    for (size_t i = 0; i < s->n; i++)
        base32_put(out, scaled(c, s->list[i].count));
    out_char(out, '"');
}

/* Write n counts, which are of one turn. */
static void
put_turn(const struct canvas *c, const struct turn_count *list, size_t n)
{
    struct out *out = c->xml.out;
    uint32_t last = 0; /* 1 + index of the last frame */
    for (size_t i = 0, next; i < n; i = next) {
        double sum = 0;
        for (next = i; next < n && list[next].stack == list[i].stack; next++)
            sum += list[next].count;
        uint64_t count = scaled(c, sum);
        base32_put(out, 2 * (uint64_t)(list[i].stack + 1 - last) + (count != 1));
        if (count != 1)
            base32_put(out, count);
        last = list[i].stack + 1;
    }
    base32_put(out, 0);
}

static void
put_turns(const struct canvas *c, const struct slices *s)
{
    struct out *out = c->xml.out;
    uint64_t last = 0;
    start_column(out, "turns");
    for (size_t i = 0, n; i < s->nturns; i += n) {
        const struct slice *turn = &s->turns[i].turn;
        n = slices_of_first(s->turns + i, s->nturns - i);
        base32_put(out, turn->ms - last);
        base32_put(out, turn->length);
        base32_put(out, turn->tid);
        base32_put(out, 2 * (uint64_t)turn->stopped + turn->goes_on);
        last = turn->ms;
        put_turn(c, s->turns + i, n);
    }
    out_char(out, '"');
}

void
timetable_put(const struct canvas *c, const struct names *names)
{
    struct slices *s = c->svg->slices;
    struct out *out = c->xml.out;
    if (s == NULL)
        return;
    uint32_t *frames = find_frames(s, c->svg->frames, names);
    slices_finish(s, frames, c->svg->frames->count);
    free(frames);
    if (s->n == 0)
        return;
    out_text(out, ",\n\"time\":[");
    out_u64(out, s->cells[0] * s->cell);
    out_char(out, ',');
    out_u64(out, s->cell);
    out_char(out, ',');
    out_u64(out, s->slice);
    out_char(out, ']');
    put_cells(out, s);
    put_ends(out, s);
    put_when(out, s);
    put_counts(c, s);
    if (s->nturns > 0)
        put_turns(c, s);
}
