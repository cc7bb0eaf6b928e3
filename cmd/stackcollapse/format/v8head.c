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

#include "cmd/stackcollapse/build/jsontree.h"
#include "cmd/stackcollapse/build/sampletree.h"

struct file {
    struct collapse *c;
    struct json json;
    struct jsontree tree;
    struct sampletree samples; /* of a CPU profile */
    struct jsname frame;
    struct text name;
    uint64_t first_line; /* the number of a file's first line: 0, in a CPU profile 1 */
    uint32_t *leaves;    /* of a CPU profile's samples: the nodes' ids, by number */
    int64_t *times;      /* the same: in microseconds */
    size_t nleaves, leaves_cap, ntimes, times_cap;
};

/* Read a line or a column, and make it count from 0. */
static void
read_position(struct file *f, uint64_t *n)
{
    *n = UINT64_MAX;
    json_scalar(&f->json);
    if (json_u64(&f->json, n))
        *n = *n >= f->first_line ? *n - f->first_line : UINT64_MAX;
}

/* Read a member of a function's description. False if it is none, and nothing was read. */
static bool
read_function(struct file *f)
{
    static const struct span keys[] = {SPAN("functionName"), SPAN("url"), SPAN("lineNumber"),
                                       SPAN("columnNumber")};
    switch (json_which(&f->json, keys, sizeof keys / sizeof *keys)) {
    case 0:
        jsonfile_text(&f->json, &f->frame.function);
        return true;
    case 1:
        jsonfile_text(&f->json, &f->frame.url);
        return true;
    case 2:
        read_position(f, &f->frame.line);
        return true;
    case 3:
        read_position(f, &f->frame.column);
        return true;
    default:
        return false;
    }
}

static void
set_name(struct file *f, struct jsontree_node *node)
{
    jsname_write(&f->frame, &f->name);
    node->name = stackbuild_name(&f->samples.names, text_span(&f->name));
}

/* Read a member of a node of a heap profile. */
static void
read_heap_member(void *ctx, struct jsontree_node *node)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    bool is_size = json_is(j, SPAN("selfSize"));
    if (!json_is(j, SPAN("callFrame"))) {
        json_scalar(j);
        if (is_size && !json_u64(j, &node->self))
            input_skip(&f->c->input, "a node whose selfSize is not a number of bytes");
    } else if (json_enter(j, JSON_OBJECT)) {
        while (json_member(j))
            if (!read_function(f))
                json_scalar(j);
        set_name(f, node);
    }
}

/* Read a member of a node of a CPU profile, whose first is functionName. */
static void
read_cpu_member(void *ctx, struct jsontree_node *node)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    if (json_is(j, SPAN("functionName"))) {
        f->frame.url.len = 0;
        f->frame.line = f->frame.column = UINT64_MAX;
    }
    if (read_function(f)) {
        set_name(f, node);
        return;
    }
    bool is_id = json_is(j, SPAN("id")), is_hits = json_is(j, SPAN("hitCount"));
    json_scalar(j);
    if (is_id)
        node->id = sampletree_id(&f->samples, j);
    else if (is_hits)
        json_u64(j, &node->self);
}

static void
read_samples(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    for (; json_element(&f->json); json_skip(&f->json)) {
        f->leaves = mem_grow(f->leaves, &f->leaves_cap, f->nleaves + 1, sizeof *f->leaves);
        f->leaves[f->nleaves++] = sampletree_id(&f->samples, &f->json);
    }
}

static void
read_timestamps(struct file *f)
{
    if (!json_enter(&f->json, JSON_ARRAY))
        return;
    for (; json_element(&f->json); json_skip(&f->json)) {
        struct decimal us = {0, 0};
        if (!json_decimal(&f->json, 0, &us) || us.whole > INT64_MAX)
            input_skip(&f->c->input, "a timestamp is not a number of microseconds");
        f->times = mem_grow(f->times, &f->times_cap, f->ntimes + 1, sizeof *f->times);
        f->times[f->ntimes++] = us.whole <= INT64_MAX ? (int64_t)us.whole : 0;
    }
}

/* Count the samples of a CPU profile. */
static void
fold_samples(struct file *f)
{
    const struct jsontree_node *nodes = f->tree.nodes;
    for (size_t i = 0; i < f->tree.n; i++)
        sampletree_add_node(&f->samples, nodes[i].id,
                            nodes[i].parent != JSONTREE_NONE ? nodes[nodes[i].parent].id
                                                             : SAMPLETREE_NONE,
                            profile_name_text(&f->c->profile, nodes[i].name));
    for (size_t i = 0; i < f->nleaves && i < f->ntimes; i++)
        sampletree_add_sample(&f->samples, f->leaves[i], 0, f->times[i]);
    sampletree_fold(&f->samples);
}

/* Count what each node has itself: bytes, or in a CPU profile that lists no samples its hits. */
static void
fold_nodes(struct file *f)
{
    for (size_t i = 0; i < f->tree.n; i++)
        f->c->samples += f->tree.nodes[i].self > 0;
    jsontree_fold(&f->tree, &f->c->profile);
}

static void
fold_file(struct collapse *c, uint64_t first_line,
          void (*member)(void *ctx, struct jsontree_node *node))
{
    struct file f = {
        .c = c, .samples = {.c = c, .names = {.profile = &c->profile}}, .first_line = first_line};
    struct json *j = &f.json;
    f.tree.unnamed = stackbuild_name(&f.samples.names, SPAN("[unknown]"));
    bool heap = member == read_heap_member;
    jsonfile_start(j, c);
    if (json_next(j) == JSON_OBJECT)
        while (json_member(j)) {
            if (json_is(j, SPAN("head")))
                jsontree_read(&f.tree, j, member, &f);
            else if (!heap && json_is(j, SPAN("samples")))
                read_samples(&f);
            else if (!heap && json_is(j, SPAN("timestamps")))
                read_timestamps(&f);
            else
                json_scalar(j);
        }
    jsonfile_end(j, c);
    (f.nleaves > 0 && f.ntimes > 0 ? fold_samples : fold_nodes)(&f);
    jsontree_free(&f.tree);
    sampletree_free(&f.samples);
    free(f.frame.function.ptr);
    free(f.frame.url.ptr);
    free(f.name.ptr);
    free(f.leaves);
    free(f.times);
}

static void
fold_heap(struct collapse *c, void **state)
{
    (void)state;
    fold_file(c, 0, read_heap_member);
}

static void
fold_cpu(struct collapse *c, void **state)
{
    (void)state;
    fold_file(c, 1, read_cpu_member);
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

const struct format format_heapprofile = {.is_json = is_heap, .fold = fold_heap};
const struct format format_v8_head = {.is_json = is_cpu, .fold = fold_cpu};
