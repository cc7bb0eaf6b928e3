#include "cmd/flamesvg/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "common/base/num.h"
#include "common/stack/foldedtext.h"

/* A frame of the stack looked at last; its end is not known yet. open[0] is the root. */
struct open {
    struct span name;
    double start, delta;
};

struct merge {
    struct frames *frames;
    const struct frames_rules *rules;
    struct open *open;
    size_t depth, open_cap; /* how many are open */
    size_t *newest;         /* by depth: the frame kept last */
    size_t newest_count, newest_cap;
    const struct stack *first;
};

static void
keep(struct merge *m, const struct frame *frame)
{
    struct frames *f = m->frames;
    f->list = mem_grow(f->list, &f->cap, f->count + 1, sizeof *f->list);
    f->list[f->count] = *frame;
    m->newest[frame->depth] = f->count++;
}

/* The frame kept at the depth that has this name and end too, or NULL. Stacks that count 0 bring
 * such. */
static struct frame *
find_twin(const struct merge *m, struct span name, double end)
{
    struct frame *list = m->frames->list;
    size_t i = m->newest[m->depth];
    while (i != SPAN_NONE && list[i].end == end && !span_eq(list[i].name, name))
        i = list[i].before;
    return i != SPAN_NONE && list[i].end == end ? &list[i] : NULL;
}

/* Closes the innermost open frame. flamegraph.pl knows a frame by its name, depth and end, so of
 * twins there is one frame, which begins where the last of them does. */
static void
close_frame(struct merge *m, double end)
{
    const struct open *o = &m->open[--m->depth];
    struct frame *twin = m->rules->one_end ? find_twin(m, o->name, end) : NULL;
    if (twin != NULL) {
        twin->start = o->start;
        twin->delta = isnan(o->delta) ? twin->delta : o->delta;
    } else if (end - o->start >= m->rules->narrowest) {
        keep(m, &(struct frame){o->name, m->depth, o->start, end, o->delta, m->newest[m->depth]});
    }
}

static void
open_frame(struct merge *m, struct span name, double start, double delta)
{
    m->open = mem_grow(m->open, &m->open_cap, m->depth + 1, sizeof *m->open);
    if (m->depth == m->newest_count) {
        m->newest = mem_grow(m->newest, &m->newest_cap, m->depth + 1, sizeof *m->newest);
        m->newest[m->newest_count++] = SPAN_NONE;
    }
    m->open[m->depth++] = (struct open){name, start, delta};
}

/* A frame's end as flamegraph.pl writes it down, with 15 digits: sums of fractions meet there
 * again. */
static double
rounded(double time)
{
    char text[32];
    if (num_is_whole(time))
        return time;
    snprintf(text, sizeof text, "%.15g", time);
    return strtod(text, NULL);
}

static void
close_down_to(struct merge *m, size_t depth, double time)
{
    double end = rounded(time);
    while (m->depth > depth)
        close_frame(m, end);
}

/* Ends what the stack has not in common with the one before, and begins what it has of its own. */
static void
merge(struct merge *m, const struct stack *stack, double time)
{
    double not_last = isnan(stack->delta) ? NAN : 0; /* a difference counts for the leaf alone */
    if (m->depth == 0)
        open_frame(m, SPAN(""), time, not_last);
    size_t shared = 1 + stack->shared;
    close_down_to(m, shared, time);
    for (struct span rest = stack->rest; rest.ptr != NULL;)
        open_frame(m, folded_frame(&rest), time, not_last);
    if (m->depth > shared || stack == m->first)
        m->open[m->depth - 1].delta = stack->delta;
}

/* Leaves out what has become too narrow, and finds the depth. */
static void
prune(struct frames *f, double narrowest)
{
    size_t n = 0;
    f->deepest = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].end - f->list[i].start < narrowest)
            continue;
        f->list[n] = f->list[i];
        if (f->list[n].depth > f->deepest)
            f->deepest = f->list[n].depth;
        n++;
    }
    f->count = n;
}

void
frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules)
{
    struct merge m = {.frames = f, .rules = rules, .first = stacks->list};
    double time = 0;
    *f = (struct frames){0};
    for (size_t i = 0; i < stacks->count; i++) {
        merge(&m, &stacks->list[i], time);
        time += stacks->list[i].count;
    }
    close_down_to(&m, 0, time);
    prune(f, rules->narrowest);
    free(m.open);
    free(m.newest);
}
