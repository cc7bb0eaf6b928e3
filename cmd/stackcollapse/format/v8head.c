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

/* A function of a node in a CPU profile. Its members may be anywhere among those of the node. */
struct v8_function {
    uint32_t name, url; /* numbers of jsonfile_string */
    uint64_t line, column;
};

struct v8head {
    struct jsontree tree;
    VEC(struct v8_function) functions; /* for each node */
    struct intern strings;             /* strings of these */
    struct sampletree samples;         /* of a CPU profile */
    struct u32vec ids;                 /* ids of the samples' nodes, by number */
    VEC(int64_t) times;                /* of the samples, in microseconds */
};

/* Read a member of a node of a heap profile. */
static void
read_heap_member(void *ctx, struct json *j)
{
    struct v8head *f = ctx;
    bool is_size = json_is(j, SPAN("selfSize"));
    if (!json_is(j, SPAN("callFrame"))) {
        json_scalar(j);
        if (is_size && !json_u64(j, &f->tree.node->self))
            stacker_skip(ctx, "a node whose selfSize is not a number of bytes");
    } else if (json_enter(j, JSON_OBJECT)) {
        jsname_clear(&f->samples.frame);
        jsonfile_object(j, jsname_fields, &f->samples.frame);
        jsname_write(&f->samples.frame, &f->tree.base.name);
        f->tree.node->name = stacker_name(ctx, text_span(&f->tree.base.name));
    }
}

/* Read a member of a node of a CPU profile. */
static void
read_cpu_member(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_U64("lineNumber", struct v8_function, line),
        FIELD_U64("columnNumber", struct v8_function, column),
        FIELD_END,
    };
    struct v8head *f = ctx;
    bool is_id = json_is(j, SPAN("id")), is_hits = json_is(j, SPAN("hitCount"));
    bool is_name = json_is(j, SPAN("functionName")), is_url = json_is(j, SPAN("url"));
    VEC_REACH(f->functions, f->tree.nodes.n);
    struct v8_function *function = &f->functions.at[f->tree.node - f->tree.nodes.at];
    jsonfile_member(j, fields, function);
    if (is_id)
        f->tree.node->id = sampletree_id(&f->samples, j);
    else if (is_hits)
        json_u64(j, &f->tree.node->self);
    else if (is_name)
        function->name = jsonfile_string(&f->strings, j);
    else if (is_url)
        function->url = jsonfile_string(&f->strings, j);
}

/* Name the nodes of a CPU profile. */
static void
name_nodes(struct v8head *f)
{
    struct stacker *r = &f->tree.base;
    VEC_REACH(f->functions, f->tree.nodes.n);
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        const struct v8_function *function = &f->functions.at[i];
        if (function->name == 0 && function->url == 0)
            continue;
        jsname_compose(&r->name, jsonfile_text(&f->strings, function->name),
                       jsonfile_text(&f->strings, function->url), function->line, function->column,
                       1);
        f->tree.nodes.at[i].name = stacker_name(r, text_span(&r->name));
    }
}

static void
read_sample(void *ctx, struct json *j)
{
    struct v8head *f = ctx;
    VEC_ADD(f->ids, sampletree_id(&f->samples, j));
}

static void
read_timestamp(void *ctx, struct json *j)
{
    struct v8head *f = ctx;
    struct decimal us = {0, 0};
    if (!json_decimal(j, 0, &us) || us.whole > INT64_MAX)
        stacker_skip(&f->tree.base, "a timestamp is not a number of microseconds");
    VEC_ADD(f->times, us.whole <= INT64_MAX ? (int64_t)us.whole : 0);
}

/* Count the samples of a CPU profile. */
static void
fold_samples(struct v8head *f)
{
    const struct jsontree_node *nodes = f->tree.nodes.at;
    const struct u32vec *ids = &f->ids;
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

/* Count the samples of a CPU profile or, if it lists none, the hits of its nodes. */
static void
finish_cpu(struct stacker *r)
{
    struct v8head *f = (struct v8head *)r;
    name_nodes(f);
    if (f->ids.n > 0 && f->times.n > 0)
        fold_samples(f);
    else
        jsonfile_fold_tree(r);
}

static void
end(struct stacker *r)
{
    struct v8head *f = (struct v8head *)r;
    free(f->tree.nodes.at);
    sampletree_free(&f->samples);
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

/* The DevTools protocol returns the profile in a member of the "result". */
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

#define V8HEAD_FORMAT                                                                              \
    .state_size = sizeof(struct v8head), .end = end, .interns = MEMBERS(struct v8head, strings),   \
    .buffers = MEMBERS(struct v8head, functions, ids, times)

const struct format format_heapprofile = {V8HEAD_FORMAT, .is_json = is_heap,
                                          .members = heap_members, .finish = jsonfile_fold_tree};
const struct format format_v8_head = {V8HEAD_FORMAT, .is_json = is_cpu, .members = cpu_members,
                                      .finish = finish_cpu};
