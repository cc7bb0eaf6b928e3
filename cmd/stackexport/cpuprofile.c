/* CPU profiles of V8, which Chrome's developer tools and editors open: the type Profile of the
 * DevTools protocol (https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-Profile).
 *
 *     {"nodes":[
 *      {"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,
 *       "columnNumber":-1},"hitCount":0,"children":[2]},
 *      {"id":2,"callFrame":{"functionName":"parse","scriptId":"0","url":"file:///srv/app.js",
 *       "lineNumber":11,"columnNumber":2},"hitCount":2}],
 *      "startTime":0,"endTime":2000,"samples":[2,2],"timeDeltas":[0,2000]}
 *
 * Some readers attribute to a sample the time since the one before it, others the time until the
 * next one. So each stack has a sample at the begin of its time, and one at the end. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/stackexport/formats.h"
#include "cmd/stackexport/samplelist.h"
#include "common/base/jsontext.h"
#include "common/base/num.h"
#include "common/stack/frames/v8name.h"

struct cpuprofile {
    struct samplelist samples;
    uint64_t *hits;            /* for each node of the tree */
    uint32_t *child, *sibling; /* for each node: first child, next sibling; 0: none */
    struct text url;
};

static void
add(struct export *e, const struct stack *s)
{
    samplelist_add(&((struct cpuprofile *)e->state)->samples, s);
}

/* Link the children of each node, in ascending order. */
static void
link_children(struct cpuprofile *f)
{
    const struct stacktree *tree = &f->samples.tree;
    f->child = mem_alloc((tree->n + 1) * sizeof *f->child);
    f->sibling = mem_alloc((tree->n + 1) * sizeof *f->sibling);
    memset(f->child, 0, (tree->n + 1) * sizeof *f->child);
    for (size_t i = tree->n; i-- > 1;) {
        uint32_t parent = tree->nodes[i].parent;
        f->sibling[i] = f->child[parent];
        f->child[parent] = (uint32_t)i;
    }
}

/* Count the hits of each node. Fractions are carried over to the next sample. */
static void
count_hits(struct cpuprofile *f)
{
    struct decimal carry = {0, 0};
    f->hits = mem_alloc((f->samples.tree.n + 1) * sizeof *f->hits);
    memset(f->hits, 0, (f->samples.tree.n + 1) * sizeof *f->hits);
    for (size_t i = 0; i < f->samples.list.n; i++) {
        uint64_t *hits = &f->hits[f->samples.list.at[i].node];
        *hits = num_add(*hits, export_whole(&carry, f->samples.list.at[i].count));
    }
}

/* Set the URL of a script: "file:///srv/app.js" for a path. */
static void
set_url(struct text *url, struct span file)
{
    text_set(url, file.len > 0 && file.ptr[0] == '/' ? SPAN("file://") : SPAN(""));
    for (size_t i = 0; i < file.len; i++) {
        static const char digits[] = "0123456789ABCDEF";
        unsigned char c = (unsigned char)file.ptr[i];
        char escaped[] = {'%', digits[c >> 4], digits[c & 15]};
        bool escape = url->len > 0 && (c == '%' || c == ' ' || c == '#' || c == '?');
        text_add(url, escape ? span_of(escaped, sizeof escaped) : span_of(&file.ptr[i], 1));
    }
}

/* Write a line or column, counted from 0; -1 if it is unknown. */
static void
write_place(struct out *o, struct span number)
{
    uint64_t n = 0;
    num_u64(number, &n);
    if (n > 0)
        out_u64(o, n - 1);
    else
        out_text(o, "-1");
}

/* Write a frame. JavaScript functions have a script, and a place in it. */
static void
write_frame(struct export *e, struct span name)
{
    struct cpuprofile *f = e->state;
    struct v8name v8;
    struct span line = SPAN(""), column = SPAN("");
    f->url.len = 0;
    if ((v8name_parse(name, &v8) || v8name_parse_clean(name, &v8)) && !v8.wasm && v8.file.len > 0) {
        name = v8.function;
        column = v8.position;
        line = span_take(&column, ':');
        set_url(&f->url, v8.file);
    }
    out_text(e->out, "\"callFrame\":{\"functionName\":");
    jsontext_string(e->out, name);
    out_text(e->out, ",\"scriptId\":\"0\",\"url\":");
    jsontext_string(e->out, text_span(&f->url));
    out_text(e->out, ",\"lineNumber\":");
    write_place(e->out, line);
    out_text(e->out, ",\"columnNumber\":");
    write_place(e->out, column);
    out_char(e->out, '}');
}

/* Write the nodes. The id of a node is its number in the tree + 1. */
static void
write_nodes(struct export *e)
{
    const struct cpuprofile *f = e->state;
    const struct stacktree *tree = &f->samples.tree;
    size_t n = tree->n > 0 ? tree->n : 1; /* without any sample, too, there is the root */
    for (size_t i = 0; i < n; i++) {
        out_format(e->out, "%s\n{\"id\":%zu,", i > 0 ? "," : "", i + 1);
        write_frame(e, i == STACKTREE_ROOT ? SPAN("(root)")
                                           : framelist_name(&e->frames, tree->nodes[i].name));
        out_format(e->out, ",\"hitCount\":%" PRIu64, f->hits[i]);
        for (uint32_t child = f->child[i]; child != 0; child = f->sibling[child]) {
            out_span(e->out, child == f->child[i] ? SPAN(",\"children\":[") : SPAN(","));
            out_u64(e->out, (uint64_t)child + 1);
        }
        out_span(e->out, f->child[i] != 0 ? SPAN("]}") : SPAN("}"));
    }
}

/* Return the length of a sample in microseconds. If the unit is no time, a count of 1 takes
 * 1 ms, V8's interval between samples; a byte takes a microsecond. */
static uint64_t
length(const struct export *e, struct decimal count, struct decimal *carry)
{
    int places = e->unit == UNIT_BYTES ? 0 : 3;
    export_time_places(e->unit, &places);
    return export_whole(carry, decimal_shift(count, places));
}

static void
write_samples(struct export *e)
{
    const struct samplelist *l = &((struct cpuprofile *)e->state)->samples;
    struct decimal carry = {0, 0};
    uint64_t end = 0;
    out_text(e->out, "\n],\n\"samples\":[");
    for (size_t i = 0; i < l->list.n; i++)
        out_format(e->out, "%s%" PRIu64 ",%" PRIu64, i > 0 ? "," : "",
                   (uint64_t)l->list.at[i].node + 1, (uint64_t)l->list.at[i].node + 1);
    out_text(e->out, "],\n\"timeDeltas\":[");
    for (size_t i = 0; i < l->list.n; i++) {
        uint64_t us = length(e, l->list.at[i].count, &carry);
        out_format(e->out, "%s0,%" PRIu64, i > 0 ? "," : "", us);
        end = num_add(end, us);
    }
    out_format(e->out, "],\n\"startTime\":0,\"endTime\":%" PRIu64 "}\n", end);
}

static void
end(struct export *e)
{
    struct cpuprofile *f = e->state;
    samplelist_sort(&f->samples);
    link_children(f);
    count_hits(f);
    out_text(e->out, "{\"nodes\":[");
    write_nodes(e);
    write_samples(e);
    samplelist_free(&f->samples);
    free(f->hits);
    free(f->child);
    free(f->sibling);
    free(f->url.ptr);
}

const struct format format_cpuprofile = {
    .state_size = sizeof(struct cpuprofile), .add = add, .end = end};
