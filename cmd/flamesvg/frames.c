#include "cmd/flamesvg/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"

/* A frame of the stack looked at last; its end is not known yet. open[0] is the root. */
struct open {
    struct span name;
    size_t end; /* where the name ends in the stack's text */
    double start, delta;
};

struct merge {
    struct frames *frames;
    const struct frames_rules *rules;
    struct open *open;
    size_t depth, open_cap; /* how many are open */
    size_t *newest;         /* by depth: the frame kept last */
    size_t newest_count, newest_cap;
    struct span last;   /* the text of the stack looked at last */
    struct arena arena; /* texts with wakers marked */
};

/* How many of the open frames the stack begins with too, where so many bytes are common with the stack
 * before. A frame is the same where its text is and a ";" or the end follows on both sides. */
static size_t
count_shared(const struct merge *m, struct span stack, size_t common)
{
    size_t n = m->depth;
    if (stack.len == 0)
        return n < 1 ? n : 1;
    for (; n > 1; n--) {
        size_t end = m->open[n - 1].end;
        if (end < common || (end == common && (end == stack.len || stack.ptr[end] == ';')))
            break;
    }
    return n;
}

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
open_frame(struct merge *m, struct span name, size_t end, double start, double delta)
{
    m->open = mem_grow(m->open, &m->open_cap, m->depth + 1, sizeof *m->open);
    if (m->depth == m->newest_count) {
        m->newest = mem_grow(m->newest, &m->newest_cap, m->depth + 1, sizeof *m->newest);
        m->newest[m->newest_count++] = SPAN_NONE;
    }
    m->open[m->depth++] = (struct open){name, end, start, delta};
}

/* A frame's end as flamegraph.pl writes it down, with 15 digits: sums of fractions meet there
 * again. */
static double
rounded(double time)
{
    char text[32];
    if (time == floor(time))
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
merge(struct merge *m, struct span stack, size_t common, double time, double delta)
{
    double not_last = isnan(delta) ? NAN : 0; /* a difference counts for the leaf alone */
    size_t shared = count_shared(m, stack, common);
    close_down_to(m, shared, time);
    m->last = stack;
    if (m->depth == 0)
        open_frame(m, SPAN(""), 0, time, not_last);
    size_t at = m->depth > 1 ? m->open[m->depth - 1].end + 1 : 0;
    while (stack.len > 0 && at <= stack.len) {
        size_t semicolon = span_find(span_from(stack, at), ';');
        size_t end = semicolon == SPAN_NONE ? stack.len : at + semicolon;
        open_frame(m, span_of(stack.ptr + at, end - at), end, time, not_last);
        at = end + 1;
    }
    if (m->depth > shared)
        m->open[m->depth - 1].delta = delta;
}

static char *
append(char *to, struct span s)
{
    if (s.len > 0)
        memcpy(to, s.ptr, s.len);
    return to + s.len;
}

/* "a;b;--;c;d" becomes "a;b;--;c_[w];d_[w]", and "a;b" becomes "a;b;--;". */
static struct span
mark_wakers(struct arena *a, struct span stack)
{
    static const struct span between = {";--;", 4}, mark = {"_[w]", 4};
    size_t room = stack.len + between.len + mark.len;
    for (size_t i = 0; i < stack.len; i++)
        room += stack.ptr[i] == ';' ? mark.len : 0;
    size_t end = span_search(stack, between);
    char *text = arena_text(a, room), *to = text, *kept;
    to = append(to, span_head(stack, end == SPAN_NONE ? stack.len : end));
    kept = to = append(to, between);
    for (bool first = true; end != SPAN_NONE; first = false) {
        stack = span_from(stack, end + between.len);
        end = span_search(stack, between);
        if (!first)
            to = append(to, between);
        size_t len = end == SPAN_NONE ? stack.len : end;
        for (size_t i = 0; i < len; i++) {
            if (stack.ptr[i] == ';')
                to = append(to, mark);
            *to++ = stack.ptr[i];
        }
        to = append(to, mark);
        if (len > 0) /* empty parts at the end are none */
            kept = to;
    }
    return span_of(text, (size_t)(kept - text));
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

static size_t
least(size_t a, size_t b, size_t c)
{
    a = a < b ? a : b;
    return a < c ? a : c;
}

void
frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules)
{
    struct merge m = {.frames = f, .rules = rules, .last = SPAN("")};
    double time = 0;
    *f = (struct frames){0};
    for (size_t i = 0; i < stacks->count; i++) {
        struct stack stack = stacks->list[i];
        struct span text = rules->wakers ? mark_wakers(&m.arena, stack.frames) : stack.frames;
        while (text.len > 0 && text.ptr[text.len - 1] == ';')
            text.len--; /* empty frames at the end are no frames */
        size_t shared = rules->wakers ? span_common(m.last, text) : stack.shared;
        merge(&m, text, least(shared, m.last.len, text.len), time, stack.delta);
        time += stack.count;
    }
    close_down_to(&m, 0, time);
    prune(f, rules->narrowest);
    free(m.open);
    free(m.newest);
}
