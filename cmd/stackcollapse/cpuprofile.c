/* The CPU profiles of V8: node --cpu-prof, and "Save profile" of Chrome's developer tools. One JSON
 * object, the type Profile of the DevTools protocol (https://chromedevtools.github.io/
 * devtools-protocol/v8/Profiler/#type-Profile):
 *
 *     {"nodes": [
 *         {"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "",
 *                                 "lineNumber": -1, "columnNumber": -1}, "children": [2]},
 *         {"id": 2, "callFrame": {"functionName": "get total", "scriptId": "80",
 *                                 "url": "file:///srv/app.js", "lineNumber": 21,
 *                                 "columnNumber": 13}, "hitCount": 2}],
 *      "startTime": 27552904445, "endTime": 27553284283,
 *      "samples": [2, 2], "timeDeltas": [3246, 20381]}
 *
 * A sample is the id of its stack's leaf; a time delta is the microseconds since the sample before
 * it, or since startTime. Lines and columns count from 0. Some writers give each node the id of its
 * parent in place of the children's. */
#include <stdlib.h>

#include "cmd/stackcollapse/jsname.h"
#include "cmd/stackcollapse/jsonfile.h"
#include "cmd/stackcollapse/stackbuild.h"
#include "common/base/num.h"

#define NO_NODE UINT32_MAX

struct node {
    uint32_t parent; /* NO_NODE: none is known */
    uint32_t name;   /* its number in the profile */
    uint32_t stack;  /* in the profile's tree; STACKTREE_ROOT: it was not looked up */
    bool described;  /* false: other nodes or samples mention the node, and it is not there */
    bool entered;    /* its stack was looked up, or begun to be */
    uint64_t hits;   /* its hitCount */
    uint64_t samples, us;
};

struct tick {
    uint32_t node;
    int64_t us; /* since startTime */
};

struct file {
    struct collapse *c;
    struct json json;
    struct intern ids; /* of nodes, as they are written; a node's number is its id's */
    struct node *nodes;
    size_t nodes_cap;
    struct stackbuild names;
    struct jsname frame; /* read last */
    struct text name;    /* of it */
    uint32_t *children;  /* of the node read last */
    size_t nchildren, children_cap;
    struct tick *samples;
    size_t nsamples, samples_cap;
    int64_t *deltas;
    size_t ndeltas, deltas_cap;
    uint32_t *path; /* nodes whose stack is looked up, each after those that it calls */
    size_t path_cap;
};

/* The node whose id is the item read last; NO_NODE if that cannot be an id. */
static uint32_t
node_of(struct file *f)
{
    uint32_t node;
    if (f->json.item != JSON_NUMBER && f->json.item != JSON_STRING)
        return NO_NODE;
    if (intern_put(&f->ids, f->json.text, &node)) {
        f->nodes = mem_grow(f->nodes, &f->nodes_cap, f->ids.count, sizeof *f->nodes);
        f->nodes[node] = (struct node){.parent = NO_NODE};
    }
    return node;
}

static void
read_text(struct json *j, struct text *t)
{
    if (json_scalar(j) == JSON_STRING)
        text_add(t, j->text);
}

static void
read_position(struct json *j, uint64_t *n)
{
    json_scalar(j);
    json_u64(j, n);
}

/* Reads a callFrame into f->name. */
static void
read_frame(struct file *f)
{
    static const struct span keys[] = {SPAN("functionName"), SPAN("url"), SPAN("lineNumber"),
                                       SPAN("columnNumber")};
    struct json *j = &f->json;
    f->frame.function.len = f->frame.url.len = 0;
    f->frame.line = f->frame.column = UINT64_MAX;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            read_text(j, &f->frame.function);
            break;
        case 1:
            read_text(j, &f->frame.url);
            break;
        case 2:
            read_position(j, &f->frame.line);
            break;
        case 3:
            read_position(j, &f->frame.column);
            break;
        default:
            json_scalar(j);
        }
    }
    jsname_write(&f->frame, &f->name);
}

static void
read_children(struct file *f)
{
    struct json *j = &f->json;
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (uint32_t child; json_element(j); json_skip(j))
        if ((child = node_of(f)) != NO_NODE) {
            f->children =
                mem_grow(f->children, &f->children_cap, f->nchildren + 1, sizeof *f->children);
            f->children[f->nchildren++] = child;
        }
}

/* Enters the node that was read. */
static void
describe(struct file *f, uint32_t id, uint32_t parent, uint64_t hits)
{
    struct node *node = &f->nodes[id];
    node->name = stackbuild_name(&f->names, text_span(&f->name));
    node->described = true;
    node->hits = hits;
    if (parent != NO_NODE)
        node->parent = parent;
    for (size_t i = 0; i < f->nchildren; i++)
        f->nodes[f->children[i]].parent = id;
}

/* Reads a node, whose "{" was read. */
static void
read_node(struct file *f)
{
    static const struct span keys[] = {SPAN("id"), SPAN("parent"), SPAN("hitCount"),
                                       SPAN("children"), SPAN("callFrame")};
    struct json *j = &f->json;
    uint32_t id = NO_NODE, parent = NO_NODE;
    uint64_t hits = 0;
    f->nchildren = f->name.len = 0;
    while (json_member(j)) {
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            json_scalar(j);
            id = node_of(f);
            break;
        case 1:
            json_scalar(j);
            parent = node_of(f);
            break;
        case 2:
            read_position(j, &hits);
            break;
        case 3:
            read_children(f);
            break;
        case 4:
            read_frame(f);
            break;
        default:
            json_scalar(j);
        }
    }
    if (id != NO_NODE && j->item != JSON_ERROR)
        describe(f, id, parent, hits);
}

static void
read_nodes(struct file *f)
{
    struct json *j = &f->json;
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        if (j->item == JSON_OBJECT)
            read_node(f);
        else
            json_skip(j);
    }
}

static void
read_samples(struct file *f)
{
    struct json *j = &f->json;
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j)) {
        f->samples = mem_grow(f->samples, &f->samples_cap, f->nsamples + 1, sizeof *f->samples);
        f->samples[f->nsamples++] = (struct tick){node_of(f), 0};
    }
}

static void
read_deltas(struct file *f)
{
    static const double most = 1e15; /* 30 years */
    struct json *j = &f->json;
    if (!json_enter(j, JSON_ARRAY))
        return;
    for (; json_element(j); json_skip(j)) {
        double us = 0;
        if (!json_double(j, &us) || us > most || us < -most)
            input_skip(&f->c->input, "a time delta is not a number of microseconds");
        f->deltas = mem_grow(f->deltas, &f->deltas_cap, f->ndeltas + 1, sizeof *f->deltas);
        f->deltas[f->ndeltas++] = us <= most && us >= -most ? (int64_t)us : 0;
    }
}

static int
by_time(const void *left, const void *right)
{
    const struct tick *a = left, *b = right;
    return a->us != b->us ? (a->us > b->us) - (a->us < b->us)
                          : (a->node > b->node) - (a->node < b->node);
}

/* Gives each sample its time, and sorts them: V8 writes some out of order, with a negative delta
 * after them. A sample that has no delta is taken to follow at once. */
static void
set_times(struct file *f)
{
    bool sorted = true;
    uint64_t us = 0; /* adds up modulo 2^64 */
    for (size_t i = 0; i < f->nsamples; i++) {
        int64_t delta = i < f->ndeltas ? f->deltas[i] : 0;
        sorted &= delta >= 0;
        us += (uint64_t)delta;
        f->samples[i].us = (int64_t)us;
    }
    if (!sorted)
        qsort(f->samples, f->nsamples, sizeof *f->samples, by_time);
}

/* A sample counts the time since the one before it, as a sample's period does in perf. */
static void
add_samples(struct file *f)
{
    int64_t last = 0;
    uint64_t lost = 0;
    set_times(f);
    for (size_t i = 0; i < f->nsamples; i++) {
        const struct tick *s = &f->samples[i];
        uint64_t us = s->us > last ? (uint64_t)s->us - (uint64_t)last : 0;
        last = s->us > last ? s->us : last;
        if (s->node == NO_NODE || !f->nodes[s->node].described) {
            lost++;
            continue;
        }
        f->nodes[s->node].samples++;
        f->nodes[s->node].us = num_add(f->nodes[s->node].us, us);
    }
    f->c->samples += f->nsamples;
    if (lost > 0)
        diag_warn(f->c->diag, NULL, (struct place){f->c->input.name, 0},
                  "samples of nodes that are not there, left out: %llu", (unsigned long long)lost);
}

/* The stack of a node, which is the leaf, in the profile's tree. Its root is the frame "(root)",
 * which stands where other formats have the command's name. STACKTREE_ROOT: in a damaged file, the
 * node is called by itself, or a caller of it is. */
static uint32_t
stack_of(struct file *f, uint32_t leaf)
{
    size_t n = 0;
    uint32_t id = leaf, stack = STACKTREE_ROOT;
    for (; id != NO_NODE && !f->nodes[id].entered; id = f->nodes[id].parent) {
        f->nodes[id].entered = true;
        f->path = mem_grow(f->path, &f->path_cap, n + 1, sizeof *f->path);
        f->path[n++] = id;
    }
    if (id != NO_NODE && (stack = f->nodes[id].stack) == STACKTREE_ROOT)
        return STACKTREE_ROOT;
    while (n-- > 0) {
        struct node *node = &f->nodes[f->path[n]];
        uint32_t name =
            node->described ? node->name : stackbuild_name(&f->names, SPAN("[unknown]"));
        stack = node->stack = stacktree_child(&f->c->profile.tree, stack, name);
    }
    return stack;
}

/* The sum of the hits, in a file that does not list its samples. */
static void
use_hits(struct file *f)
{
    for (uint32_t id = 0; id < f->ids.count; id++) {
        f->nodes[id].samples = f->nodes[id].described ? f->nodes[id].hits : 0;
        f->c->samples = num_add(f->c->samples, f->nodes[id].samples);
    }
}

static void
add_stacks(struct file *f)
{
    bool by_time = f->ndeltas > 0 && f->c->options->weight != WEIGHT_SAMPLES, any = false;
    uint64_t circular = 0;
    if (f->nsamples > 0)
        add_samples(f);
    else
        use_hits(f);
    for (uint32_t id = 0; id < f->ids.count; id++) {
        const struct node *node = &f->nodes[id];
        uint32_t stack = node->samples > 0 ? stack_of(f, id) : STACKTREE_ROOT;
        uint64_t count = by_time ? node->us : node->samples;
        any |= node->samples > 0;
        if (stack != STACKTREE_ROOT)
            stacktree_count(&f->c->profile.tree, stack, (struct decimal){count, 0});
        else
            circular = num_add(circular, node->samples);
    }
    if (circular > 0)
        diag_warn(f->c->diag, NULL, (struct place){f->c->input.name, 0},
                  "samples of nodes whose callers are called by them, left out: %llu",
                  (unsigned long long)circular);
    if (f->ndeltas == 0 && any)
        diag_note(f->c->diag, "%s has no time deltas: each sample counts 1", f->c->input.name);
}

static void
read_profile(struct file *f)
{
    static const struct span keys[] = {SPAN("nodes"), SPAN("samples"), SPAN("timeDeltas")};
    struct json *j = &f->json;
    if (!json_enter(j, JSON_OBJECT))
        return;
    while (json_member(j)) {
        switch (json_which(j, keys, sizeof keys / sizeof *keys)) {
        case 0:
            read_nodes(f);
            break;
        case 1:
            read_samples(f);
            break;
        case 2:
            read_deltas(f);
            break;
        default:
            json_scalar(j);
        }
    }
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c, .names = {.profile = &c->profile}};
    jsonfile_start(&f.json, c);
    read_profile(&f);
    jsonfile_end(&f.json, c);
    add_stacks(&f);
    intern_free(&f.ids);
    stackbuild_free(&f.names);
    free(f.nodes);
    free(f.frame.function.ptr);
    free(f.frame.url.ptr);
    free(f.name.ptr);
    free(f.children);
    free(f.samples);
    free(f.deltas);
    free(f.path);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("nodes")) && jsonfile_has(head, SPAN("callFrame"));
}

const struct format format_cpuprofile = {.is_json = is_ours, .fold = fold};
