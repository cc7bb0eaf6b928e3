#include "cmd/flamesvg/frames.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"
#include "common/base/text.h"
#include "common/stack/text/foldedtext.h"

/* The last frame kept at some depth. */
struct newest {
    size_t at;      /* SPAN_NONE: none */
    bool has_peers; /* another frame at its depth has the same end */
};

/* A cache of recently used numbers of names, by a cheap hash: twice as fast as looking up each name
 * in the table. {0} is empty, since 0 is the number of the empty name. */
struct seen {
    uint32_t number[4096];
};

struct merge {
    struct frames *frames;
    const struct frames_rules *rules;
    size_t most;   /* maximum number of frames */
    size_t room;   /* number of entries of the list with populated memory: see make_list_longer */
    bool compared; /* the frames have deltas */
    size_t
        *open; /* for each depth: index of the current stack's frame, whose end is not known yet */
    size_t depth, open_cap; /* depth: number of open frames */
    struct newest *newest;  /* for each depth */
    size_t newest_count, newest_cap;
    const struct stack *first;
    struct intern
        twins;       /* depth, end and name of kept frames that share the first two with others */
    size_t *twin_at; /* for each of them: index of the frame */
    size_t twin_cap;
    struct text key;
    struct seen seen;
};

/* Return the key that identifies a frame at the current depth; valid until the next call. */
static struct span
twin_key(struct merge *m, uint32_t name, double end)
{
    TEXT_SET(&m->key, SPAN_BYTES(m->depth), SPAN_BYTES(end), SPAN_BYTES(name));
    return text_span(&m->key);
}

static void
add_twin(struct merge *m, size_t at, double end)
{
    uint32_t id = intern_add(&m->twins, twin_key(m, m->frames->list[at].name, end));
    m->twin_at = mem_grow(m->twin_at, &m->twin_cap, m->twins.count, sizeof *m->twin_at);
    m->twin_at[id] = at;
}

/* Return true if the last frame kept at this depth has the same end. That happens after stacks with
 * a count of 0. */
static bool
has_peers(const struct merge *m, double end)
{
    size_t newest = m->newest[m->depth].at;
    return newest != SPAN_NONE && m->frames->list[newest].end == end;
}

/* Return the frame kept at this depth that has the same name and end, or NULL. */
static struct merged_frame *
find_twin(struct merge *m, uint32_t name, double end)
{
    if (!has_peers(m, end))
        return NULL;
    struct newest *newest = &m->newest[m->depth];
    if (!newest->has_peers) /* it is the first frame with this end */
        add_twin(m, newest->at, end);
    newest->has_peers = true;
    uint32_t id = intern_find(&m->twins, twin_key(m, name, end));
    return id != INTERN_NONE ? &m->frames->list[m->twin_at[id]] : NULL;
}

/* Close the innermost open frame. To flamegraph.pl, frames with the same name, depth and end are
 * one: it has the start of the last of them. */
static void
close_frame(struct merge *m, double end)
{
    size_t at = m->open[--m->depth];
    struct merged_frame *frame = &m->frames->list[at];
    struct merged_frame *twin = m->rules->dedup_by_end ? find_twin(m, frame->name, end) : NULL;
    if (twin != NULL) {
        twin->start = frame->start;
        if (!isnan(frames_delta(m->frames, frame)))
            m->frames->deltas[twin - m->frames->list] = frames_delta(m->frames, frame);
        frame->end = NAN; /* prune() removes it */
    } else if (end - frame->start >= m->frames->least) {
        bool peers = m->rules->dedup_by_end && has_peers(m, end);
        frame->end = end;
        if (peers)
            add_twin(m, at, end);
        m->newest[m->depth] = (struct newest){at, peers};
        if (m->depth > m->frames->deepest && frames_is_drawn(m->frames, frame))
            m->frames->deepest = m->depth;
    } else {
        m->frames->count = at; /* the frames after it are its callees, and narrower */
    }
}

/* Number of frames whose memory is populated at a time: that draws 400,000 frames in 20 % less
 * time. */
enum { STEP = 4 * 1024 };

static void
make_list_longer(struct merge *m)
{
    struct frames *f = m->frames;
    size_t cap = f->cap;
    f->list = mem_grow(f->list, &f->cap, f->count + 1, sizeof *f->list);
    if (m->compared)
        f->deltas = mem_grow(f->deltas, &cap, f->cap, sizeof *f->deltas);
    m->room = f->cap - f->count < STEP ? f->cap : f->count + STEP;
    if (f->count >= STEP)
        mem_populate(&f->list[f->count], (m->room - f->count) * sizeof *f->list);
}

static size_t
seen_at(struct span name)
{
    uint64_t first = 0, last = 0;
    if (name.len >= sizeof first) {
        first = hash_load(name.ptr);
        last = hash_load(name.ptr + name.len - sizeof last);
    } else if (name.len > 0) {
        last = (unsigned char)name.ptr[name.len - 1];
    }
    return (size_t)(hash_mix(hash_mix(name.len, first), last) % 4096);
}

static uint32_t
number_name(struct merge *m, struct span name)
{
    uint32_t *number = &m->seen.number[seen_at(name)];
    if (!span_eq(intern_text(&m->frames->names, *number), name))
        *number = intern_add(&m->frames->names, name);
    return *number;
}

static void
open_frame(struct merge *m, struct span name, double start, double delta)
{
    struct frames *f = m->frames;
    if (f->count >= m->room)
        make_list_longer(m);
    m->open = mem_grow(m->open, &m->open_cap, m->depth + 1, sizeof *m->open);
    if (m->depth == m->newest_count) {
        m->newest = mem_grow(m->newest, &m->newest_cap, m->depth + 1, sizeof *m->newest);
        m->newest[m->newest_count++] = (struct newest){SPAN_NONE, false};
    }
    f->list[f->count] = (struct merged_frame){number_name(m, name), (uint32_t)m->depth, start, NAN};
    if (m->compared)
        f->deltas[f->count] = delta;
    m->open[m->depth++] = f->count++;
}

/* Return a frame's end as flamegraph.pl stores it: as text of 15 digits, so that sums of the same
 * fractions in different orders are equal. */
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

static void
move_frame(struct frames *f, size_t to, size_t from)
{
    f->list[to] = f->list[from];
    if (f->deltas != NULL)
        f->deltas[to] = f->deltas[from];
}

/* Remove closed frames whose count is below f->least. */
static void
drop_narrow(struct merge *m)
{
    struct frames *f = m->frames;
    size_t n = 0, depth = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (depth < m->depth && m->open[depth] == i)
            m->open[depth++] = n;
        else if (f->list[i].end - f->list[i].start < f->least)
            continue;
        move_frame(f, n++, i);
    }
    f->count = n;
}

/* Raise f->least until the number of frames is within the limit: from 0 to narrowest / 1024, then
 * double it each time. Return false if there are still too many when it reaches narrowest. */
static bool
make_room(struct merge *m)
{
    struct frames *f = m->frames;
    while (f->count > m->most && f->least < f->narrowest) {
        f->least = f->least > 0 ? 2 * f->least : f->narrowest / 1024;
        if (f->least < f->narrowest)
            drop_narrow(m);
    }
    return f->count <= m->most;
}

/* Close the frames that the stack does not share with the stack before, and open its own. Return
 * false if there are too many frames. */
static bool
merge(struct merge *m, const struct stack *stack, double time)
{
    double not_leaf = isnan(stack->delta) ? NAN : 0; /* only the leaf has a difference */
    if (m->depth == 0)
        open_frame(m, SPAN(""), time, not_leaf);
    size_t shared = 1 + stack->shared;
    close_down_to(m, shared, time);
    for (struct span rest = stack_rest(stack); rest.ptr != NULL && m->depth < m->frames->limit;) {
        open_frame(m, folded_frame(&rest), time, not_leaf);
        if (m->frames->count > m->most && !make_room(m))
            return false;
    }
    if (m->compared && (m->depth > shared || stack == m->first))
        m->frames->deltas[m->open[m->depth - 1]] = stack->delta;
    return true;
}

/* Remove frames that close_frame() merged into others, and frames that became too narrow when it
 * moved their start. Set f->deepest. */
static void
prune(struct frames *f)
{
    size_t n = 0;
    f->deepest = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!(f->list[i].end - f->list[i].start >= f->least))
            continue;
        move_frame(f, n, i);
        if (f->list[n].depth > f->deepest && frames_is_drawn(f, &f->list[n]))
            f->deepest = f->list[n].depth;
        n++;
    }
    f->count = n;
}

/* Fill *f with the frames whose count is at least f->least. If there are more than `most`, raise
 * f->least. Return false if there are still too many. */
static bool
merge_all(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules,
          size_t most)
{
    struct merge m = {.frames = f,
                      .rules = rules,
                      .most = most,
                      .compared = stacks->compared,
                      .first = stacks->list};
    double time = 0;
    bool fits = true;
    f->count = f->deepest = 0;
    for (size_t i = 0; i < stacks->count && fits; i++) {
        fits = merge(&m, &stacks->list[i], time);
        time += stacks->list[i].count;
    }
    close_down_to(&m, 0, time);
    free(m.open);
    free(m.newest);
    intern_free(&m.twins);
    free(m.twin_at);
    free(m.key.ptr);
    return fits;
}

/* Fill *f with the frames that are wide enough; if there are too many, only up to a smaller
 * depth. */
static void
cut_stacks(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules)
{
    size_t most = FRAMES_WIDE_MAX;
    while (!merge_all(f, stacks, rules, most)) {
        f->limit = f->limit < most ? f->limit / 2 : most / 2;
        most = f->limit > 2 ? most : SIZE_MAX; /* keep at least the root and its callees */
    }
}

void
frames_merge(struct frames *f, const struct stacks *stacks, const struct frames_rules *rules)
{
    *f = (struct frames){.narrowest = rules->narrowest, .limit = SIZE_MAX};
    f->least = rules->keep_narrow ? 0 : rules->narrowest;
    intern_add(&f->names, SPAN("")); /* its number is 0 */
    if (f->least == f->narrowest || !merge_all(f, stacks, rules, FRAMES_MAX))
        cut_stacks(f, stacks, rules);
    if (rules->dedup_by_end)
        prune(f);
    for (size_t i = 0; stacks->compared && i < f->count; i++)
        f->compared |= !isnan(f->deltas[i]);
    /* Free unused memory: many more frames may have been added and removed. */
    f->cap = f->count > 0 ? f->count : 1;
    f->list = realloc(f->list, f->cap * sizeof *f->list);
    if (f->list == NULL)
        mem_exhausted();
}

#define NONE UINT32_MAX

/* Sort key of a frame: callers before callees, siblings together, largest first. In preorder a
 * caller has a smaller number than its callees. */
struct sort_key {
    uint32_t frame, parent;
    double size;
};

static int
by_caller_and_size(const void *va, const void *vb)
{
    const struct sort_key *a = va, *b = vb;
    if (a->parent != b->parent)
        return (a->parent > b->parent) - (a->parent < b->parent);
    if (a->size != b->size)
        return (a->size < b->size) - (a->size > b->size);
    return (a->frame > b->frame) - (a->frame < b->frame);
}

/* Return the sorted keys of all frames. The caller of a frame is the last one before it that is one
 * level less deep. */
static struct sort_key *
sort_frames(const struct frames *f)
{
    struct sort_key *keys = mem_alloc(f->count * sizeof *keys);
    uint32_t *newest = NULL; /* for each depth */
    size_t cap = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct merged_frame *frame = &f->list[i];
        newest = mem_grow(newest, &cap, frame->depth + 1, sizeof *newest);
        newest[frame->depth] = (uint32_t)i;
        keys[i].frame = (uint32_t)i;
        keys[i].parent = frame->depth > 0 ? newest[frame->depth - 1] : 0;
        keys[i].size = frame->end - frame->start;
    }
    free(newest);
    qsort(keys + 1, f->count - 1, sizeof *keys, by_caller_and_size); /* without the root */
    return keys;
}

/* Set start and end of the frames in the order of the keys, so that each caller comes before its
 * callees. */
static void
move_frames(struct frames *f, const struct sort_key *keys)
{
    double at = 0;
    for (size_t i = 1; i < f->count; i++) { /* without the root */
        if (keys[i].parent != keys[i - 1].parent || i == 1)
            at = f->list[keys[i].parent].start;
        f->list[keys[i].frame].start = at;
        at += keys[i].size;
        f->list[keys[i].frame].end = at;
    }
}

/* Rebuild the list in preorder: each frame, followed by its callees in the order of their keys.
 * callees[frame] is the index of the first callee's key, or NONE. */
static void
sort_list(struct frames *f, const struct sort_key *keys, const uint32_t *callees)
{
    struct merged_frame *list = mem_alloc(f->count * sizeof *list);
    double *deltas = f->deltas != NULL ? mem_alloc(f->count * sizeof *deltas) : NULL;
    uint32_t *next = NULL; /* for each depth: key to continue with, or NONE */
    size_t cap = 0, n = 0;
    next = mem_grow(next, &cap, 1, sizeof *next);
    next[0] = 0;
    for (size_t depth = 0; depth != SPAN_NONE;) {
        uint32_t i = next[depth];
        if (i == NONE) {
            depth--; /* SPAN_NONE after the root's depth, 0 */
            continue;
        }
        if (deltas != NULL)
            deltas[n] = f->deltas[keys[i].frame];
        list[n++] = f->list[keys[i].frame];
        bool more = i > 0 && i + 1 < f->count && keys[i + 1].parent == keys[i].parent;
        next[depth] = more ? i + 1 : NONE;
        next = mem_grow(next, &cap, ++depth + 1, sizeof *next);
        next[depth] = callees[keys[i].frame];
    }
    free(next);
    free(f->list);
    free(f->deltas);
    f->list = list;
    f->deltas = deltas;
    f->cap = f->count;
}

void
frames_order_by_size(struct frames *f)
{
    if (f->count == 0)
        return;
    if (f->count >= NONE)
        mem_exhausted();
    struct sort_key *keys = sort_frames(f);
    uint32_t *callees = mem_alloc(f->count * sizeof *callees);
    for (size_t i = 0; i < f->count; i++)
        callees[i] = NONE;
    for (size_t i = f->count; i-- > 1;)
        callees[keys[i].parent] = (uint32_t)i;
    move_frames(f, keys);
    sort_list(f, keys, callees);
    free(callees);
    free(keys);
}
