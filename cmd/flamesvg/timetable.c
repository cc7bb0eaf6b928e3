/* When the stacks of the table's frames were seen: with line breaks added,
 *
 *     "time":[4794564100,20,20],
 *     "cells":"011",
 *     "ends":"1202",
 *     "when":"0002",
 *     "counts":"1113"
 *
 * "time" has where the first cell begins, how long one is, and how long a slice of the input is, in
 * milliseconds. A cell is a slice, or several: slices.h. The others are columns of numbers, as
 * "frames" (base32.h):
 *
 *     "cells"   for each cell in which something was seen: how many cells later it is than the one before;
 *               of the first 0
 *     "ends"    for each frame that stacks end in: how far its index is after that of the one before, or
 *               after 0, and in how many cells it was seen
 *     "when"    for each of these: how many of the cells in which something was seen lie between it and the one
 *               before, or before it
 *     "counts"  for each of these: the count
 *
 * By frame, and not by time, since a frame that is often seen has a long run of zeros: a day's page
 * takes 2.9 MB in place of 4.0. And what a frame counts in a range of cells is the difference of
 * two sums.
 *
 * Of turns of event loops that took long there is another member, "turns". It has for each turn, by
 * when they began:
 *
 *     how many milliseconds later it began than the one before; of the first, than 0
 *     how many milliseconds it took
 *     the number of its thread
 *     twice for how many milliseconds its process was stopped meanwhile, and 1 more if the recording
 *         ended before it did
 *     for each frame that stacks end in, by index: twice how far its index is after that of the one
 *         before, or after -1, and 1 more if its count is not 1; and then that count
 *     0, the end of the turn
 *
 * The counts of turns are in the cells, too. */
#include "cmd/flamesvg/timetable.h"

#include <stdlib.h>

#include "cmd/flamesvg/base32.h"
#include "cmd/flamesvg/slices.h"
#include "common/base/number.h"
#include "common/stack/text/foldedtext.h"

/* The frames by their callers and names. */
struct tree {
    struct intern edges; /* each an index of the caller and a number of a name, as bytes */
    uint32_t *frames;    /* by edge */
    size_t cap;
};

struct edge {
    uint32_t caller, name;
};

static void
make_tree(struct tree *t, const struct frames *f, const struct names *n)
{
    uint32_t *open = NULL; /* by depth: the last frame */
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

/* Return the frame that the stack ends in. Where frames are left out of the picture, it is the last
 * of the stack that is not. */
static uint32_t
frame_of(const struct tree *t, const struct names *n, struct span stack)
{
    uint32_t frame = 0;
    while (stack.ptr != NULL) {
        struct edge e = {frame, intern_find(&n->texts, folded_frame(&stack))};
        uint32_t edge = e.name != INTERN_NONE ? intern_find(&t->edges, SPAN_BYTES(e)) : INTERN_NONE;
        if (edge >= t->edges.count) /* INTERN_NONE */
            break;
        frame = t->frames[edge];
    }
    return frame;
}

/* Return the frame that each stack ends in, by the stack's number. */
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

/* Return where the counts of the frame end whose first one is at i. */
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

/* Write the counts of n elements, which are of one turn. */
static void
put_turn(const struct canvas *c, const struct turn_count *list, size_t n)
{
    struct out *out = c->xml.out;
    uint32_t last = 0; /* the index of the last frame, plus 1 */
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
