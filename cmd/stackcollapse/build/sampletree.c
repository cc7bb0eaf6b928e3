#include "cmd/stackcollapse/build/sampletree.h"

#include <stdlib.h>

#include "common/base/num.h"

#define NONE SAMPLETREE_NONE

struct sampletree_node {
    uint32_t parent; /* NONE: none is known */
    uint32_t name;   /* its number in the profile */
    uint32_t stack;  /* in the profile's tree; STACKTREE_ROOT: it was not looked up */
    bool described;  /* false: other nodes or samples mention the node, and it is not there */
    bool entered;    /* its stack was looked up, or begun to be */
    uint64_t hits;   /* its hitCount */
    uint64_t samples, us;
};

struct tree_sample {
    uint32_t node;   /* its id, until it is added */
    uint32_t series; /* samples that follow each other in time */
    int64_t us; /* since the sample before it in its part; from set_times on, since the start */
};

struct part {
    uint32_t series;
    double time;
    size_t first, n; /* samples */
};

struct described {
    uint32_t id, parent; /* ids */
    uint32_t name;
    uint64_t hits;
};

struct link {
    uint32_t parent, child; /* ids */
};

uint32_t
sampletree_id(struct sampletree *t, const struct json *j)
{
    if (j->item != JSON_NUMBER && j->item != JSON_STRING && j->item != JSON_KEY)
        return NONE;
    return intern_add(&t->ids, j->text);
}

/* The profile's node of this id; NONE if there is no id. */
static uint32_t
node_of(struct sampletree *t, uint32_t profile, uint32_t id)
{
    const uint32_t key[] = {profile, id};
    uint32_t node;
    if (id == NONE)
        return NONE;
    if (intern_put(&t->keys, span_of((const char *)key, sizeof key), &node)) {
        t->nodes = mem_grow(t->nodes, &t->nodes_cap, t->keys.count, sizeof *t->nodes);
        t->nodes[node] = (struct sampletree_node){.parent = NONE};
    }
    return node;
}

static void
read_position(struct json *j, uint64_t *n)
{
    json_scalar(j);
    json_u64(j, n);
}

/* Reads a callFrame into t->name. */
static void
read_frame(struct sampletree *t, struct json *j)
{
    static const struct span keys[] = {SPAN("functionName"), SPAN("url"), SPAN("lineNumber"),
                                       SPAN("columnNumber")};
    t->frame.function.len = t->frame.url.len = 0;
    t->frame.line = t->frame.column = UINT64_MAX;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            jsonfile_text(j, &t->frame.function);
            break;
        case 1:
            jsonfile_text(j, &t->frame.url);
            break;
        case 2:
            read_position(j, &t->frame.line);
            break;
        case 3:
            read_position(j, &t->frame.column);
            break;
        default:
            json_scalar(j);
        }
    }
    jsname_write(&t->frame, &t->name);
}

static void
read_children(struct sampletree *t, struct json *j)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j)) {
        t->links = mem_grow(t->links, &t->links_cap, t->nlinks + 1, sizeof *t->links);
        t->links[t->nlinks++] = (struct link){.child = sampletree_id(t, j)};
    }
}

/* Reads a node, whose "{" was read. */
static void
read_node(struct sampletree *t, struct json *j)
{
    static const struct span keys[] = {SPAN("id"), SPAN("parent"), SPAN("hitCount"),
                                       SPAN("children"), SPAN("callFrame")};
    struct described node = {NONE, NONE, 0, 0};
    size_t link = t->nlinks;
    t->name.len = 0;
    while (json_member(j)) {
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            json_scalar(j);
            node.id = sampletree_id(t, j);
            break;
        case 1:
            json_scalar(j);
            node.parent = sampletree_id(t, j);
            break;
        case 2:
            read_position(j, &node.hits);
            break;
        case 3:
            read_children(t, j);
            break;
        case 4:
            read_frame(t, j);
            break;
        default:
            json_scalar(j);
        }
    }
    if (node.id == NONE || j->item == JSON_ERROR) {
        t->nlinks = link;
        return;
    }
    for (; link < t->nlinks; link++)
        t->links[link].parent = node.id;
    node.name = stackbuild_name(&t->names, text_span(&t->name));
    t->described =
        mem_grow(t->described, &t->described_cap, t->ndescribed + 1, sizeof *t->described);
    t->described[t->ndescribed++] = node;
}

static void
read_nodes(struct sampletree *t, struct json *j)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        if (j->item == JSON_OBJECT)
            read_node(t, j);
        else
            json_skip(j);
    }
}

static void
add_sample(struct sampletree *t, struct tree_sample sample)
{
    t->samples = mem_grow(t->samples, &t->samples_cap, t->nsamples + 1, sizeof *t->samples);
    t->samples[t->nsamples++] = sample;
}

static void
read_samples(struct sampletree *t, struct json *j)
{
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j))
        add_sample(t, (struct tree_sample){.node = sampletree_id(t, j)});
}

static void
read_deltas(struct sampletree *t, struct json *j)
{
    static const double most = 1e15; /* 30 years */
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j)) {
        double us = 0;
        if (!json_double(j, &us) || us > most || us < -most)
            input_skip(&t->c->input, "a time delta is not a number of microseconds");
        t->deltas = mem_grow(t->deltas, &t->deltas_cap, t->ndeltas + 1, sizeof *t->deltas);
        t->deltas[t->ndeltas++] = us <= most && us >= -most ? (int64_t)us : 0;
    }
}

void
sampletree_read(struct sampletree *t, struct json *j)
{
    static const struct span keys[] = {SPAN("nodes"), SPAN("samples"), SPAN("timeDeltas"),
                                       SPAN("cpuProfile")};
    size_t outside = j->depth;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_next(j) != JSON_ERROR && j->depth > outside) {
        if (j->item != JSON_KEY)
            continue; /* the end of "cpuProfile" */
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            read_nodes(t, j);
            break;
        case 1:
            read_samples(t, j);
            break;
        case 2:
            read_deltas(t, j);
            break;
        case 3:
            json_enter(j, JSON_OBJECT); /* its members come next */
            break;
        default:
            json_scalar(j);
        }
    }
}

static void
describe(struct sampletree *t, uint32_t profile, const struct described *d)
{
    uint32_t parent = node_of(t, profile, d->parent), id = node_of(t, profile, d->id);
    struct sampletree_node *node = &t->nodes[id];
    node->name = d->name;
    node->described = true;
    node->hits = d->hits;
    if (parent != NONE)
        node->parent = parent;
}

void
sampletree_add(struct sampletree *t, uint32_t profile, double time)
{
    for (size_t i = 0; i < t->ndescribed; i++)
        describe(t, profile, &t->described[i]);
    for (size_t i = 0; i < t->nlinks; i++) {
        uint32_t child = node_of(t, profile, t->links[i].child),
                 parent = node_of(t, profile, t->links[i].parent);
        if (child != NONE)
            t->nodes[child].parent = parent;
    }
    size_t n = t->nsamples - t->added;
    for (size_t i = 0; i < n; i++) {
        struct tree_sample *s = &t->samples[t->added + i];
        *s = (struct tree_sample){node_of(t, profile, s->node), profile,
                                  i < t->ndeltas ? t->deltas[i] : 0};
    }
    if (n > 0) {
        t->parts = mem_grow(t->parts, &t->parts_cap, t->nparts + 1, sizeof *t->parts);
        t->parts[t->nparts++] = (struct part){profile, time, t->added, n};
    }
    t->timed |= t->ndeltas > 0;
    t->added = t->nsamples;
    sampletree_drop(t);
}

void
sampletree_drop(struct sampletree *t)
{
    t->nsamples = t->added;
    t->ndescribed = t->nlinks = t->ndeltas = 0;
}

void
sampletree_add_node(struct sampletree *t, uint32_t id, uint32_t parent, struct span name)
{
    if (id != NONE)
        describe(t, 0, &(struct described){id, parent, stackbuild_name(&t->names, name), 0});
}

void
sampletree_add_sample(struct sampletree *t, uint32_t id, uint32_t series, int64_t us)
{
    add_sample(t, (struct tree_sample){node_of(t, 0, id), series, us});
    t->added = t->nsamples;
    t->timed = t->absolute = true;
}

static int
by_part(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
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

/* Gives each sample its time, and sorts them: V8 writes some out of order, with a negative delta
 * after them. A sample that has no delta is taken to follow at once. */
static void
set_times(struct sampletree *t)
{
    uint64_t us = 0; /* adds up modulo 2^64 */
    if (t->nparts > 1)
        qsort(t->parts, t->nparts, sizeof *t->parts, by_part);
    for (size_t p = 0; p < t->nparts; p++) {
        const struct part *part = &t->parts[p];
        us = p > 0 && part->series == t->parts[p - 1].series ? us : 0;
        for (size_t i = part->first; i < part->first + part->n; i++) {
            us += (uint64_t)t->samples[i].us;
            t->samples[i].us = (int64_t)us;
        }
    }
    bool sorted = true;
    for (size_t i = 1; i < t->nsamples && sorted; i++)
        sorted = t->samples[i].series == t->samples[i - 1].series &&
                 t->samples[i].us >= t->samples[i - 1].us;
    if (!sorted)
        qsort(t->samples, t->nsamples, sizeof *t->samples, by_time);
}

/* A sample counts the time since the one before it, as a sample's period does in perf. */
static void
add_samples(struct sampletree *t)
{
    char digits[NUM_COMMAS];
    int64_t last = 0;
    uint64_t lost = 0;
    set_times(t);
    for (size_t i = 0; i < t->nsamples; i++) {
        const struct tree_sample *s = &t->samples[i];
        if (i == 0 || s->series != t->samples[i - 1].series)
            last = t->absolute ? s->us : 0;
        uint64_t us = s->us > last ? (uint64_t)s->us - (uint64_t)last : 0;
        last = s->us > last ? s->us : last;
        if (s->node == NONE || !t->nodes[s->node].described) {
            lost++;
            continue;
        }
        t->nodes[s->node].samples++;
        t->nodes[s->node].us = num_add(t->nodes[s->node].us, us);
    }
    t->c->samples += t->nsamples;
    if (lost > 0)
        diag_warn(t->c->diag, NULL, (struct place){t->c->input.name, 0},
                  "samples of unknown nodes, left out: %.*s", SPAN_ARG(num_commas(digits, lost)));
}

/* The stack of a node, which is the leaf, in the profile's tree. Its root is the frame "(root)",
 * which stands where other formats have the command's name. STACKTREE_ROOT: in a damaged file, the
 * node is called by itself, or a caller of it is. */
static uint32_t
stack_of(struct sampletree *t, uint32_t leaf)
{
    size_t n = 0;
    uint32_t id = leaf, stack = STACKTREE_ROOT;
    for (; id != NONE && !t->nodes[id].entered; id = t->nodes[id].parent) {
        t->nodes[id].entered = true;
        t->path = mem_grow(t->path, &t->path_cap, n + 1, sizeof *t->path);
        t->path[n++] = id;
    }
    if (id != NONE && (stack = t->nodes[id].stack) == STACKTREE_ROOT)
        return STACKTREE_ROOT;
    while (n-- > 0) {
        struct sampletree_node *node = &t->nodes[t->path[n]];
        uint32_t name =
            node->described ? node->name : stackbuild_name(&t->names, SPAN("[unknown]"));
        stack = node->stack = stacktree_child(&t->c->profile.tree, stack, name);
    }
    return stack;
}

/* The sum of the hits, in a file that does not list its samples. */
static void
use_hits(struct sampletree *t)
{
    for (uint32_t id = 0; id < t->keys.count; id++) {
        t->nodes[id].samples = t->nodes[id].described ? t->nodes[id].hits : 0;
        t->c->samples = num_add(t->c->samples, t->nodes[id].samples);
    }
}

void
sampletree_fold(struct sampletree *t)
{
    bool by_time = t->timed && t->c->options->weight != WEIGHT_SAMPLES, any = false;
    char digits[NUM_COMMAS];
    uint64_t circular = 0;
    sampletree_drop(t);
    if (t->nsamples > 0)
        add_samples(t);
    else
        use_hits(t);
    for (uint32_t id = 0; id < t->keys.count; id++) {
        const struct sampletree_node *node = &t->nodes[id];
        uint32_t stack = node->samples > 0 ? stack_of(t, id) : STACKTREE_ROOT;
        uint64_t count = by_time ? node->us : node->samples;
        any |= node->samples > 0;
        if (stack != STACKTREE_ROOT)
            stacktree_count(&t->c->profile.tree, stack, (struct decimal){count, 0});
        else
            circular = num_add(circular, node->samples);
    }
    if (circular > 0)
        diag_warn(t->c->diag, NULL, (struct place){t->c->input.name, 0},
                  "samples of nodes whose callers are called by them, left out: %.*s",
                  SPAN_ARG(num_commas(digits, circular)));
    if (!t->timed && any)
        diag_note(t->c->diag, "%s has no time deltas: each sample counts 1", t->c->input.name);
}

void
sampletree_free(struct sampletree *t)
{
    intern_free(&t->ids);
    intern_free(&t->keys);
    stackbuild_free(&t->names);
    free(t->nodes);
    free(t->samples);
    free(t->parts);
    free(t->described);
    free(t->links);
    free(t->deltas);
    free(t->frame.function.ptr);
    free(t->frame.url.ptr);
    free(t->name.ptr);
    free(t->path);
}
