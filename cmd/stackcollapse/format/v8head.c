/* Two profiles of V8 that are a tree of nodes within nodes. Its heap profiles, of node --heap-prof
 * and of "Allocation sampling" in Chrome's developer tools, are the type SamplingHeapProfile of
 * the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/
 * #type-SamplingHeapProfile); what counts are the bytes that are still in use:
 *
 *     {"head": {"callFrame": {"functionName": "(root)", "scriptId": "0", "url": "",
 *                             "lineNumber": -1, "columnNumber": -1},
 *               "selfSize": 0, "id": 1, "children": [
 *         {"callFrame": {"functionName": "fill", "scriptId": "80", "url": "file:///srv/app.js",
 *                        "lineNumber": 2, "columnNumber": 13},
 *          "selfSize": 32792, "id": 2, "children": []}]},
 *      "samples": [{"size": 32792, "nodeId": 2, "ordinal": 1}]}
 *
 * And the CPU profiles of old versions, Node 6.3 and v8-profiler up to Node 10 (src/inspector in
 * V8 5.0, Profiler.CPUProfile). A line and a column count from 1, and a time is in microseconds;
 * startTime is in seconds:
 *
 *     {"head": {"functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": 0,
 *               "columnNumber": 0, "hitCount": 0, "callUID": 25, "children": [
 *         {"functionName": "work", "scriptId": "61", "url": "/srv/app.js", "lineNumber": 5,
 *          "columnNumber": 14, "hitCount": 2, "callUID": 3, "children": [], "id": 2}], "id": 1},
 *      "startTime": 15190.4, "endTime": 15194.9,
 *      "samples": [2, 2], "timestamps": [15190451227, 15190452330]} */
#include <stdlib.h>

#include "cmd/stackcollapse/shared/sampletree.h"

/* A node's function in a CPU profile, where its members may be anywhere among the node's. */
struct function {
    uint32_t name, url; /* jsonfile_string */
    uint64_t line, column;
};

/* The `list` of the reader has a CPU profile's samples: the nodes' ids, by number. */
struct file {
    struct jsontree tree;
    VEC(struct function) functions; /* by node */
    struct sampletree samples;      /* of a CPU profile */
    VEC(int64_t) times;             /* of the samples, in microseconds */
};

/* Name a node by the frame of `samples`. */
static void
set_name(struct file *f, struct jsontree_node *node)
{
    struct stacker *r = &f->tree.base;
    jsname_write(&f->samples.frame, &r->name);
    node->name = stacker_name(r, text_span(&r->name));
}

/* Read a member of a node of a heap profile. */
static void
read_heap_member(void *ctx, struct json *j)
{
    struct file *f = ctx;
    bool is_size = json_is(j, SPAN("selfSize"));
    if (!json_is(j, SPAN("callFrame"))) {
        json_scalar(j);
        if (is_size && !json_u64(j, &f->tree.node->self))
            stacker_skip(ctx, "a node whose selfSize is not a number of bytes");
    } else if (json_enter(j, JSON_OBJECT)) {
        jsname_clear(&f->samples.frame);
        jsonfile_object(j, jsname_fields, &f->samples.frame);
        set_name(f, f->tree.node);
    }
}

/* Read a member of a node of a CPU profile. */
static void
read_cpu_member(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_U64("lineNumber", struct function, line),
        FIELD_U64("columnNumber", struct function, column),
        FIELD_END,
    };
    struct file *f = ctx;
    bool is_id = json_is(j, SPAN("id")), is_hits = json_is(j, SPAN("hitCount"));
    bool is_name = json_is(j, SPAN("functionName")), is_url = json_is(j, SPAN("url"));
    VEC_REACH(f->functions, f->tree.nodes.n);
    struct function *function = &f->functions.at[f->tree.node - f->tree.nodes.at];
    jsonfile_member(j, fields, function);
    if (is_id)
        f->tree.node->id = sampletree_id(&f->samples, j);
    else if (is_hits)
        json_u64(j, &f->tree.node->self);
    else if (is_name)
        function->name = jsonfile_string(&f->tree.base, j);
    else if (is_url)
        function->url = jsonfile_string(&f->tree.base, j);
}

/* Name the nodes of a CPU profile. */
static void
name_nodes(struct file *f)
{
    struct jsname *frame = &f->samples.frame;
    frame->first = 1;
    VEC_REACH(f->functions, f->tree.nodes.n);
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        const struct function *function = &f->functions.at[i];
        if (function->name == 0 && function->url == 0)
            continue;
        text_set(&frame->function, jsonfile_text(&f->tree.base, function->name));
        text_set(&frame->url, jsonfile_text(&f->tree.base, function->url));
        frame->line = function->line;
        frame->column = function->column;
        set_name(f, &f->tree.nodes.at[i]);
    }
}

static void
read_sample(void *ctx, struct json *j)
{
    struct file *f = ctx;
    VEC_ADD(f->tree.base.list, sampletree_id(&f->samples, j));
}

static void
read_timestamp(void *ctx, struct json *j)
{
    struct file *f = ctx;
    struct decimal us = {0, 0};
    if (!json_decimal(j, 0, &us) || us.whole > INT64_MAX)
        stacker_skip(&f->tree.base, "a timestamp is not a number of microseconds");
    VEC_ADD(f->times, us.whole <= INT64_MAX ? (int64_t)us.whole : 0);
}

/* Count the samples of a CPU profile. */
static void
fold_samples(struct file *f)
{
    const struct jsontree_node *nodes = f->tree.nodes.at;
    const struct numbers *ids = &f->tree.base.list;
    f->samples.r = &f->tree.base;
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        uint32_t parent = nodes[i].parent;
        parent = parent != JSONTREE_NONE ? nodes[parent].id : SAMPLETREE_NONE;
        sampletree_add_node(&f->samples, 0,
                            &(struct described){nodes[i].id, parent, nodes[i].name, 0});
    }
    for (size_t i = 0; i < ids->n && i < f->times.n; i++)
        sampletree_add_sample(&f->samples, ids->at[i], 0, f->times.at[i]);
    sampletree_fold(&f->samples);
}

static void
finish_heap(struct stacker *r)
{
    jsonfile_fold_tree((struct jsontree *)r);
}

/* Count the samples of a CPU profile, or if it lists none its nodes' hits. */
static void
finish_cpu(struct stacker *r)
{
    struct file *f = (struct file *)r;
    name_nodes(f);
    if (r->list.n > 0 && f->times.n > 0)
        fold_samples(f);
    else
        jsonfile_fold_tree(&f->tree);
}

static void
end(struct stacker *r)
{
    struct file *f = (struct file *)r;
    free(f->tree.nodes.at);
    free(f->functions.at);
    sampletree_free(&f->samples);
    free(f->times.at);
}

static bool
is_heap(struct span head)
{
    return jsonfile_has(head, SPAN("head")) && jsonfile_has(head, SPAN("selfSize"));
}

static bool
is_cpu(struct span head)
{
    return jsonfile_has(head, SPAN("head")) && jsonfile_has(head, SPAN("hitCount"));
}

/* What the DevTools protocol returns has the profile in a member of the "result". */
static const struct jsonfield heap_members[] = {
    FIELD_TREE("head", read_heap_member),
    FIELD_INSIDE("profile", JSON_OBJECT),
    FIELD_INSIDE("result", JSON_OBJECT),
    FIELD_END,
};

static const struct jsonfield cpu_members[] = {
    FIELD_TREE("head", read_cpu_member),          FIELD_ELEMENTS("samples", read_sample),
    FIELD_ELEMENTS("timestamps", read_timestamp), FIELD_INSIDE("profile", JSON_OBJECT),
    FIELD_INSIDE("result", JSON_OBJECT),          FIELD_END,
};

const struct format format_heapprofile = {.is_json = is_heap,
                                          .members = heap_members,
                                          .state_size = sizeof(struct file),
                                          .finish = finish_heap,
                                          .end = end};
const struct format format_v8_head = {.is_json = is_cpu,
                                      .members = cpu_members,
                                      .state_size = sizeof(struct file),
                                      .finish = finish_cpu,
                                      .end = end};
