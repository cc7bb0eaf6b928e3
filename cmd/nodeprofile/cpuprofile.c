/* Two profiles
 *
 *     {"nodes":[{"id":1,"callFrame":{"functionName":"(root)",...},"children":[2]},
 *               {"id":2,"callFrame":{"functionName":"work",...}}],
 *      "startTime":500,"endTime":900,"samples":[2,2],"timeDeltas":[100,200]}
 *
 * become one. Its root calls their roots, which get the names of the threads; the same number is
 * added to all ids of a thread. Readers expect samples to follow each other in time. So the threads
 * follow each other here, and each keeps all of its own time. */
#include "cmd/nodeprofile/cpuprofile.h"

#include <stdlib.h>

#include "common/base/json.h"
#include "common/base/num.h"

struct thread {
    struct span name, nodes, samples, deltas;
    uint64_t root; /* new id of its first node */
    uint64_t more; /* number to add to its ids */
};

static uint64_t
number(struct span value)
{
    uint64_t n = 0;
    num_u64(value, &n);
    return n;
}

/* Start reading the elements of an array. If the value is no array, there are none. */
static void
start_array(struct json *j, struct span array)
{
    json_start_text(j, array);
    json_enter(j, JSON_ARRAY);
}

/* Return the highest id of the nodes. Set *first to the id of the first one. */
static uint64_t
find_ids(struct span nodes, uint64_t *first)
{
    uint64_t highest = 0;
    struct json j;
    *first = 0;
    start_array(&j, nodes);
    for (bool any = false; json_element(&j); any = true) {
        uint64_t id = number(json_find(json_raw(&j), SPAN("id")));
        *first = any ? *first : id;
        highest = id > highest ? id : highest;
    }
    return highest;
}

/* Find the parts of the profiles, and choose new ids, from 2 on. */
static struct thread *
find_threads(const struct cpuprofile *profiles, size_t n)
{
    struct thread *threads = mem_alloc(n * sizeof *threads);
    uint64_t more = 1, first;
    for (size_t i = 0; i < n; i++) {
        struct span json = profiles[i].json, nodes = json_find(json, SPAN("nodes"));
        uint64_t highest = find_ids(nodes, &first);
        threads[i] = (struct thread){profiles[i].name,
                                     nodes,
                                     json_find(json, SPAN("samples")),
                                     json_find(json, SPAN("timeDeltas")),
                                     first + more,
                                     more};
        more += highest;
    }
    return threads;
}

/* Print a node that is not a function's, up to its children. */
static void
print_place(struct out *o, struct span name)
{
    out_text(o, "\"callFrame\":{\"functionName\":\"");
    out_span(o, name);
    out_text(o, "\",\"scriptId\":\"0\",\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}");
}

/* Print a comma unless this is the first item. */
static void
separate(struct out *o, bool *any)
{
    if (*any)
        out_char(o, ',');
    *any = true;
}

static void
print_ids(struct out *o, struct span ids, uint64_t more, bool *any)
{
    struct json j;
    start_array(&j, ids);
    while (json_element(&j)) {
        separate(o, any);
        out_u64(o, number(json_raw(&j)) + more);
    }
}

static void
print_member(struct out *o, const struct thread *t, struct span key, struct span value)
{
    bool any = false;
    out_char(o, '"');
    out_span(o, key);
    out_text(o, "\":");
    if (span_eq(key, SPAN("id"))) {
        out_u64(o, number(value) + t->more);
    } else if (span_eq(key, SPAN("children"))) {
        out_char(o, '[');
        print_ids(o, value, t->more, &any);
        out_char(o, ']');
    } else {
        out_span(o, value);
    }
}

static void
print_nodes(struct out *o, const struct thread *t)
{
    struct json j, node;
    start_array(&j, t->nodes);
    for (bool is_root = true; json_element(&j); is_root = false) {
        out_text(o, ",{");
        json_start_text(&node, json_raw(&j));
        json_enter(&node, JSON_OBJECT);
        for (bool any = false; json_member(&node);) {
            struct span key = node.text;
            json_next(&node);
            struct span value = json_raw(&node);
            separate(o, &any);
            if (is_root && span_eq(key, SPAN("callFrame")))
                print_place(o, t->name);
            else
                print_member(o, t, key, value);
        }
        out_char(o, '}');
    }
}

/* Print the time deltas. Return their sum. Deltas are negative if V8 has samples out of order. */
static uint64_t
print_deltas(struct out *o, struct span deltas, bool *any)
{
    struct json j;
    uint64_t us = 0; /* modulo 2^64 */
    start_array(&j, deltas);
    while (json_element(&j)) {
        struct span delta = json_raw(&j);
        separate(o, any);
        out_span(o, delta);
        us += span_skip(&delta, SPAN("-")) ? -number(delta) : number(delta);
    }
    return us;
}

static void
print_root(struct out *o, const struct thread *threads, size_t n)
{
    out_text(o, "{\"id\":1,");
    print_place(o, SPAN("(root)"));
    out_text(o, ",\"hitCount\":0,\"children\":[");
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            out_char(o, ',');
        out_u64(o, threads[i].root);
    }
    out_text(o, "]}");
}

/* Print the samples and their times. Before those of each thread, print a sample of its root that
 * takes no time: readers may show samples of the collector and other native code on top of the
 * sample before. */
static void
print_samples(struct out *o, const struct thread *threads, size_t n, uint64_t start)
{
    bool any = false;
    uint64_t end = start;
    out_text(o, "\"samples\":[");
    for (size_t i = 0; i < n; i++) {
        separate(o, &any);
        out_u64(o, threads[i].root);
        print_ids(o, threads[i].samples, threads[i].more, &any);
    }
    out_text(o, "],\"timeDeltas\":[");
    any = false;
    for (size_t i = 0; i < n; i++) {
        separate(o, &any);
        out_char(o, '0');
        end += print_deltas(o, threads[i].deltas, &any);
    }
    out_text(o, "],\"startTime\":");
    out_u64(o, start);
    out_text(o, ",\"endTime\":");
    out_u64(o, end);
}

void
cpuprofile_print(struct out *o, const struct cpuprofile *profiles, size_t n)
{
    if (n == 1) {
        out_span(o, profiles->json);
        return;
    }
    struct thread *threads = find_threads(profiles, n);
    out_text(o, "{\"nodes\":[");
    print_root(o, threads, n);
    for (size_t i = 0; i < n; i++)
        print_nodes(o, &threads[i]);
    out_text(o, "],");
    print_samples(o, threads, n, number(json_find(profiles->json, SPAN("startTime"))));
    out_char(o, '}');
    free(threads);
}
