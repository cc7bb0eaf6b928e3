/* When the stacks of the table's frames were seen: with line breaks added,
 *
 *     "time":[4794564100,20],
 *     "slices":"0240132300"
 *
 * "time" has where the first slice begins and how long one is, in milliseconds. "slices" has numbers
 * as "frames" has them (packed.h), for each slice in which something was seen:
 *
 *     how many slices later it is than the one before; of the first 0
 *     for each frame that stacks end in, by index: twice how far its index is after that of the one
 *         before, or after -1, and 1 more if its count is not 1; and then that count
 *     0, the end of the slice
 *
 * So a sample takes three or four characters: most counts are 1, and a frame of a slice is not far
 * after the one before.
 *
 * Of turns of event loops that took long there is a third member, "turns". It has for each turn, by
 * when they began:
 *
 *     how many milliseconds later it began than the one before; of the first, than 0
 *     how many milliseconds it took
 *     the number of its thread
 *     twice for how many milliseconds its process was stopped meanwhile, and 1 more if the recording
 *         ended before it did
 *     the frames that stacks end in, and 0, as in a slice
 *
 * The counts of turns are in "slices", too. */
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

/* Return the frame that the stack ends in. Where frames are left out of the picture, it is the last of
 * the stack that is not. */
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

/* Put the frames' indexes in the place of the stacks' numbers. */
static void
find_frames(struct slices *s, const struct frames *f, const struct names *n)
{
    struct tree tree;
    uint32_t *frames = mem_alloc(s->stacks.count * sizeof *frames);
    make_tree(&tree, f, n);
    for (uint32_t i = 0; i < s->stacks.count; i++)
        frames[i] = frame_of(&tree, n, intern_text(&s->stacks, i));
    for (size_t i = 0; i < s->list.n; i++)
        s->list.at[i].stack = frames[s->list.at[i].stack];
    for (size_t i = 0; i < s->turns.n; i++)
        s->turns.at[i].stack = frames[s->turns.at[i].stack];
    intern_free(&tree.edges);
    free(tree.frames);
    free(frames);
}

/* Write the counts of n elements, which are of one slice or turn. */
static void
put_counts(const struct canvas *c, const struct slice_count *list, size_t n)
{
    struct out *out = c->xml.out;
    uint32_t last = 0; /* the index of the last frame, plus 1 */
    for (size_t i = 0, next; i < n; i = next) {
        double sum = 0;
        for (next = i; next < n && list[next].stack == list[i].stack; next++)
            sum += list[next].count;
        uint64_t count = (uint64_t)number_whole(sum * c->svg->scale);
        base32_put(out, 2 * (uint64_t)(list[i].stack + 1 - last) + (count != 1));
        if (count != 1)
            base32_put(out, count);
        last = list[i].stack + 1;
    }
    base32_put(out, 0);
}

static void
put_slices(const struct canvas *c, const struct slice_list *list, uint64_t length)
{
    struct out *out = c->xml.out;
    uint64_t last = list->at[0].slice.ms;
    out_text(out, ",\n\"slices\":\"");
    for (size_t i = 0, n; i < list->n; i += n) {
        n = slices_of_first(list->at + i, list->n - i);
        base32_put(out, (list->at[i].slice.ms - last) / length);
        last = list->at[i].slice.ms;
        put_counts(c, list->at + i, n);
    }
    out_char(out, '"');
}

static void
put_turns(const struct canvas *c, const struct slice_list *list)
{
    struct out *out = c->xml.out;
    uint64_t last = 0;
    out_text(out, ",\n\"turns\":\"");
    for (size_t i = 0, n; i < list->n; i += n) {
        const struct slice *s = &list->at[i].slice;
        n = slices_of_first(list->at + i, list->n - i);
        base32_put(out, s->ms - last);
        base32_put(out, s->length);
        base32_put(out, s->tid);
        base32_put(out, 2 * (uint64_t)s->stopped + s->goes_on);
        last = s->ms;
        put_counts(c, list->at + i, n);
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
    find_frames(s, c->svg->frames, names);
    uint64_t length = slices_finish(s);
    if (s->list.n == 0)
        return;
    out_text(out, ",\n\"time\":[");
    out_u64(out, s->list.at[0].slice.ms);
    out_char(out, ',');
    out_u64(out, length);
    out_char(out, ']');
    put_slices(c, &s->list, length);
    if (s->turns.n > 0)
        put_turns(c, &s->turns);
}
