#include "cmd/stackcollapse/shared/sampletree.h"

#include <stdlib.h>

#include "common/base/num.h"

#define NONE SAMPLETREE_NONE

/* Node ids usually are the numbers from 1 on. A number below this limit is used directly, as the
 * index of the node in a table. That halves the time for a .cpuprofile with 210,000 nodes:
 * consecutive samples are of nodes far apart, so that each lookup by text and by key misses the
 * cache. */
enum { SMALL = 1 << 22 };

uint32_t
sampletree_id(struct sampletree *t, const struct json *j)
{
    uint64_t n;
    if (j->item != JSON_NUMBER && j->item != JSON_STRING && j->item != JSON_KEY)
        return NONE;
    bool padded = j->text.len > 1 && j->text.ptr[0] == '0';
    bool whole = j->item == JSON_NUMBER ? json_u64(j, &n) : num_u64(j->text, &n);
    if (whole && n < SMALL && !padded)
        return (uint32_t)n;
    uint32_t id = intern_add(&t->ids, j->text);
    if (id >= NONE - SMALL)
        mem_exhausted();
    return SMALL + id;
}

static uint32_t
add_node(struct sampletree *t)
{
    if (t->nodes.n >= NONE)
        mem_exhausted();
    VEC_ADD(t->nodes, (struct sampletree_node){.parent = NONE, .name = NONE});
    return (uint32_t)t->nodes.n - 1;
}

/* Return the node of a profile with this id; NONE if there is no id. */
static uint32_t
node_of(struct sampletree *t, uint32_t profile, uint32_t id)
{
    const uint32_t key[] = {profile, id};
    uint32_t number;
    if (id == NONE)
        return NONE;
    if (profile > 0 || id >= SMALL) {
        if (intern_put(&t->keys, SPAN_BYTES(key), &number))
            VEC_ADD(t->by_key, add_node(t));
        return t->by_key.at[number];
    }
    VEC_REACH(t->by_id, id + 1);
    if (t->by_id.at[id] == 0)
        t->by_id.at[id] = add_node(t) + 1;
    return t->by_id.at[id] - 1;
}

/* Read a callFrame, and write its name to the stacker's buffer. */
static void
read_frame(void *ctx, struct json *j)
{
    struct sampletree *t = ctx;
    jsname_clear(&t->frame);
    jsonfile_object(j, jsname_fields, &t->frame);
    jsname_write(&t->frame, &t->r->name);
}

static void
read_child(void *ctx, struct json *j)
{
    struct sampletree *t = ctx;
    VEC_ADD(t->described, (struct described){sampletree_id(t, j), NONE, NONE, 0});
}

/* Read a node, after its "{". */
static void
read_node(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_ELEMENTS("children", read_child),
        FIELD_OBJECT("callFrame", read_frame),
        FIELD_END,
    };
    struct sampletree *t = ctx;
    size_t children = t->described.n;
    struct described node = {NONE, NONE, 0, 0};
    t->r->name.len = 0;
    while (json_member(j)) {
        bool is_id = json_is(j, SPAN("id")), is_parent = json_is(j, SPAN("parent")),
             is_hits = json_is(j, SPAN("hitCount"));
        jsonfile_member(j, fields, t);
        if (is_id)
            node.id = sampletree_id(t, j);
        else if (is_parent)
            node.parent = sampletree_id(t, j);
        else if (is_hits)
            json_u64(j, &node.hits);
    }
    if (node.id == NONE || j->item == JSON_ERROR) {
        t->described.n = children;
        return;
    }
    for (size_t i = children; i < t->described.n; i++)
        t->described.at[i].parent = node.id;
    node.name = stacker_name(t->r, text_span(&t->r->name));
    VEC_ADD(t->described, node);
}

static void
read_sample(void *ctx, struct json *j)
{
    struct sampletree *t = ctx;
    VEC_ADD(t->samples, (struct tree_sample){.node = sampletree_id(t, j)});
}

/* Store the next time delta. Usually its sample was read before it, and stores it: a separate list
 * of deltas would need half as much memory again. */
static void
set_delta(struct sampletree *t, int64_t us)
{
    size_t sample = t->added + t->ndeltas++;
    if (t->samples.n == t->added)
        VEC_ADD(t->deltas, us);
    else if (sample < t->samples.n)
        t->samples.at[sample].us = us;
}

static void
read_delta(void *ctx, struct json *j)
{
    static const double most = 1e15; /* 30 years */
    struct sampletree *t = ctx;
    uint64_t whole;
    double us = 0;
    if (json_u64(j, &whole) && whole <= (uint64_t)most) {
        set_delta(t, (int64_t)whole); /* saves 7 % of the time for a .cpuprofile */
        return;
    }
    if (!json_double(j, &us) || us > most || us < -most)
        stacker_skip(t->r, "a time delta is not a number of microseconds");
    set_delta(t, us <= most && us >= -most ? (int64_t)us : 0);
}

void
sampletree_read(void *tree, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_OBJECTS("nodes", read_node),
        FIELD_ELEMENTS("samples", read_sample),
        FIELD_ELEMENTS("timeDeltas", read_delta),
        FIELD_INSIDE("cpuProfile", JSON_OBJECT),
        FIELD_INSIDE("profile", JSON_OBJECT),
        FIELD_INSIDE("result", JSON_OBJECT),
        FIELD_END,
    };
    if (json_enter(j, JSON_OBJECT))
        jsonfile_object(j, fields, tree);
}

void
sampletree_add_node(struct sampletree *t, uint32_t profile, const struct described *d)
{
    uint32_t parent = node_of(t, profile, d->parent), id = node_of(t, profile, d->id);
    if (id == NONE)
        return;
    struct sampletree_node *node = &t->nodes.at[id];
    if (d->name != NONE) {
        node->name = d->name;
        node->hits = d->hits;
    }
    if (parent != NONE)
        node->parent = parent;
}

void
sampletree_add(struct sampletree *t, uint32_t profile, double time)
{
    for (size_t i = 0; i < t->described.n; i++)
        sampletree_add_node(t, profile, &t->described.at[i]);
    size_t n = t->samples.n - t->added;
    for (size_t i = 0; i < n; i++) {
        struct tree_sample *s = &t->samples.at[t->added + i];
        *s = (struct tree_sample){node_of(t, profile, s->node), profile,
                                  i < t->deltas.n ? t->deltas.at[i] : s->us};
    }
    if (n > 0)
        VEC_ADD(t->parts, (struct tree_part){profile, time, t->added, n});
    t->timed |= t->ndeltas > 0;
    t->added = t->samples.n;
    sampletree_drop(t);
}

void
sampletree_drop(struct sampletree *t)
{
    t->samples.n = t->added;
    t->described.n = t->deltas.n = t->ndeltas = 0;
}

void
sampletree_add_sample(struct sampletree *t, uint32_t id, uint32_t series, int64_t us)
{
    VEC_ADD(t->samples, (struct tree_sample){node_of(t, 0, id), series, us});
    t->added = t->samples.n;
    t->timed = t->absolute = true;
}

static int
by_part(const void *left, const void *right)
{
    const struct tree_part *a = left, *b = right;
    if (a->series != b->series)
        return (a->series > b->series) - (a->series < b->series);
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time)
                              : (a->first > b->first) - (a->first < b->first);
}

static int
by_time(const void *left, const void *right)
{
    const struct tree_sample *a = left, *b = right;
    if (a->series != b->series)
        return (a->series > b->series) - (a->series < b->series);
    return a->us != b->us ? (a->us > b->us) - (a->us < b->us)
                          : (a->node > b->node) - (a->node < b->node);
}

/* Set the time of each sample, and sort them: V8 writes some out of order, followed by a negative
 * delta. A sample without a delta has the time of the one before. */
static void
set_times(struct sampletree *t)
{
    uint64_t us = 0; /* modulo 2^64 */
    if (t->parts.n > 1)
        qsort(t->parts.at, t->parts.n, sizeof *t->parts.at, by_part);
    for (size_t p = 0; p < t->parts.n; p++) {
        const struct tree_part *part = &t->parts.at[p];
        us = p > 0 && part->series == t->parts.at[p - 1].series ? us : 0;
        for (size_t i = part->first; i < part->first + part->n; i++) {
            us += (uint64_t)t->samples.at[i].us;
            t->samples.at[i].us = (int64_t)us;
        }
    }
    bool sorted = true;
    for (size_t i = 1; i < t->samples.n && sorted; i++)
        sorted = t->samples.at[i].series == t->samples.at[i - 1].series &&
                 t->samples.at[i].us >= t->samples.at[i - 1].us;
    if (!sorted)
        qsort(t->samples.at, t->samples.n, sizeof *t->samples.at, by_time);
}

/* Count the samples. Each counts the time since the one before it, like a period of perf. */
static void
add_samples(struct sampletree *t)
{
    int64_t last = 0;
    uint64_t lost = 0;
    set_times(t);
    for (size_t i = 0; i < t->samples.n; i++) {
        const struct tree_sample *s = &t->samples.at[i];
        if (i == 0 || s->series != t->samples.at[i - 1].series)
            last = t->absolute ? s->us : 0;
        uint64_t us = s->us > last ? (uint64_t)s->us - (uint64_t)last : 0;
        last = s->us > last ? s->us : last;
        if (s->node == NONE || t->nodes.at[s->node].name == NONE) {
            lost++;
            continue;
        }
        t->nodes.at[s->node].samples++;
        t->nodes.at[s->node].us = num_add(t->nodes.at[s->node].us, us);
    }
    t->r->c->samples += t->samples.n;
    stacker_warn_left_out(t->r, lost, "samples of unknown nodes");
}

/* Return the stack of a node, its leaf, in the profile's tree. Its root is the frame "(root)",
 * where other formats have the command's name. Return STACKTREE_ROOT if the node, or one of its
 * callers, calls itself, as in a damaged file. */
static uint32_t
stack_of(struct sampletree *t, uint32_t leaf)
{
    uint32_t id = leaf, stack = STACKTREE_ROOT;
    t->path.n = 0;
    for (; id != NONE && !t->nodes.at[id].entered; id = t->nodes.at[id].parent) {
        t->nodes.at[id].entered = true;
        VEC_ADD(t->path, id);
    }
    if (id != NONE && (stack = t->nodes.at[id].stack) == STACKTREE_ROOT)
        return STACKTREE_ROOT;
    while (t->path.n-- > 0) {
        struct sampletree_node *node = &t->nodes.at[t->path.at[t->path.n]];
        uint32_t name = node->name != NONE ? node->name : stacker_name(t->r, SPAN("[unknown]"));
        stack = node->stack = stacktree_child(&t->r->c->profile.tree, stack, name);
    }
    return stack;
}

void
sampletree_fold(struct sampletree *t)
{
    bool by_time = t->timed && t->r->c->options->weight != WEIGHT_SAMPLES, any = false;
    uint64_t circular = 0;
    sampletree_drop(t);
    if (t->samples.n > 0)
        add_samples(t);
    bool hits = t->samples.n == 0; /* the file does not list samples */
    for (uint32_t id = 0; id < t->nodes.n; id++) {
        struct sampletree_node *node = &t->nodes.at[id];
        if (hits && node->name != NONE) {
            node->samples = node->hits;
            t->r->c->samples = num_add(t->r->c->samples, node->hits);
        }
        uint64_t count = by_time ? node->us : node->samples;
        any |= node->samples > 0;
        if (count == 0)
            continue; /* samples at the time of the one before them */
        uint32_t stack = stack_of(t, id);
        if (stack != STACKTREE_ROOT)
            stacktree_count(&t->r->c->profile.tree, stack, (struct decimal){count, 0});
        else
            circular = num_add(circular, node->samples);
    }
    stacker_warn_left_out(t->r, circular, "samples of nodes whose callers are called by them");
    if (!t->timed && any)
        diag_note(t->r->c->diag, "%s has no time deltas: each sample counts 1",
                  t->r->c->input.name);
}

void
sampletree_free(struct sampletree *t)
{
    intern_free(&t->ids);
    intern_free(&t->keys);
    free(t->by_key.at);
    free(t->by_id.at);
    free(t->nodes.at);
    free(t->samples.at);
    free(t->parts.at);
    free(t->described.at);
    free(t->deltas.at);
    free(t->frame.function.ptr);
    free(t->frame.url.ptr);
    free(t->path.at);
}
