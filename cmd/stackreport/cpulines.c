/* A CPU profile is the type Profile of the DevTools protocol (https://chromedevtools.github.io/
 * devtools-protocol/v8/Profiler/#type-Profile):
 *
 *     {"nodes": [
 *         {"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "",
 *                                 "lineNumber": -1, "columnNumber": -1}, "children": [2]},
 *         {"id": 2, "callFrame": {"functionName": "get total", "scriptId": "80",
 *                                 "url": "file:///srv/app.js", "lineNumber": 21,
 *                                 "columnNumber": 13}, "hitCount": 2,
 *          "positionTicks": [{"line": 24, "ticks": 2}]}],
 *      "startTime": 27552904445, "endTime": 27553284283, ...}
 *
 * hitCount is the number of samples in the function itself, and positionTicks has those of each
 * line, which count from 1; lineNumber and columnNumber count from 0. Some writers give each node
 * the id of its parent in place of the children's, and what Profiler.stop returns has the object in
 * a member: {"id": 3, "result": {"profile": {"nodes": []}}} */
#include "cmd/stackreport/cpulines.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/num.h"

struct node {
    uint32_t parent, child, next; /* numbers of nodes; LINECOUNT_NONE: none */
    uint32_t function;            /* LINECOUNT_NONE: the node was only referred to */
    uint64_t sum;                 /* samples of the node and of those below it */
    enum { NODE_NEW, NODE_OPEN, NODE_DONE } state;
    bool outermost; /* no node above it is of the same function */
};

struct tick {
    uint64_t line, count;
};

struct profile_reader {
    struct linecount *count;
    struct json json;
    struct intern ids; /* of nodes, as written */
    VEC(struct node) nodes;
    VEC(uint32_t) path;  /* nodes that are open */
    VEC(uint32_t) depth; /* by function: number of open nodes */
    uint64_t samples;
    /* The node that is read: */
    struct text function, url;
    uint64_t line, column; /* UINT64_MAX: unknown */
    uint64_t hits;
    VEC(struct tick) ticks;
    VEC(uint32_t) children;
};

bool
cpulines_is(struct span head)
{
    return span_starts(span_trim(head), SPAN("{")) && span_holds(head, SPAN("\"nodes\"")) &&
           span_holds(head, SPAN("\"callFrame\"")) && !span_holds(head, SPAN("\"traceEvents\""));
}

/* Return the number of the node whose id was read last; LINECOUNT_NONE if it is no id. */
static uint32_t
node_of(struct profile_reader *r)
{
    static const struct node unknown = {
        LINECOUNT_NONE, LINECOUNT_NONE, LINECOUNT_NONE, LINECOUNT_NONE, 0, NODE_NEW, false};
    uint32_t number;
    if (r->json.item != JSON_NUMBER && r->json.item != JSON_STRING)
        return LINECOUNT_NONE;
    if (intern_put(&r->ids, r->json.text, &number))
        VEC_ADD(r->nodes, unknown);
    return number;
}

/* Read the next value as a number; UINT64_MAX if it is not one. */
static uint64_t
read_number(struct json *j)
{
    uint64_t value;
    json_scalar(j);
    return json_u64(j, &value) ? value : UINT64_MAX;
}

/* Read the next value as a text; empty if it is not one. */
static void
read_string(struct json *j, struct text *to)
{
    text_set(to, json_scalar(j) == JSON_STRING ? j->text : SPAN(""));
}

static void
read_frame(struct profile_reader *r)
{
    struct json *j = &r->json;
    while (json_member(j)) {
        if (json_is(j, SPAN("functionName")))
            read_string(j, &r->function);
        else if (json_is(j, SPAN("url")))
            read_string(j, &r->url);
        else if (json_is(j, SPAN("lineNumber")))
            r->line = read_number(j);
        else if (json_is(j, SPAN("columnNumber")))
            r->column = read_number(j);
        else
            json_scalar(j);
    }
}

static void
read_ticks(struct profile_reader *r)
{
    struct json *j = &r->json;
    while (json_element(j)) {
        struct tick t = {0, 0};
        if (j->item != JSON_OBJECT) {
            json_skip(j);
            continue;
        }
        while (json_member(j)) {
            if (json_is(j, SPAN("line")))
                t.line = read_number(j);
            else if (json_is(j, SPAN("ticks")))
                t.count = read_number(j);
            else
                json_scalar(j);
        }
        VEC_ADD(r->ticks, t);
    }
}

/* Append the path of a file: URL, in which bytes other than letters may be written as %20; or
 * another URL as it is. */
static void
add_path(struct text *to, struct span url)
{
    if (!span_starts(url, SPAN("file:///"))) {
        text_add(to, url);
        return;
    }
    url = span_from(url, SPAN("file://").len);
    for (size_t at; (at = span_find(url, '%')) != SPAN_NONE;) {
        uint64_t byte = '%';
        text_add(to, span_head(url, at));
        url = span_from(url, at + 1);
        if (url.len >= 2 && num_hex(span_head(url, 2), &byte))
            url = span_from(url, 2);
        text_add(to, span_of(&(char){(char)byte}, 1));
    }
    text_add(to, url);
}

static struct decimal
whole(uint64_t n)
{
    return (struct decimal){n, 0};
}

/* Add samples to a line of the function. */
static void
add_line(struct profile_reader *r, uint32_t function, struct span path, struct tick t)
{
    struct linecount *c = r->count;
    bool known = path.len > 0 && t.line > 0 && t.line < UINT64_MAX;
    if (t.count == 0 || !c->functions.at[function].wanted)
        return;
    uint32_t place = linecount_place(c, function, known ? path : SPAN(""), known ? t.line : 0);
    struct line_place *p = &c->places.at[place];
    p->self = p->total = decimal_add(p->self, whole(t.count));
}

/* Add the function that was read, "get total /srv/app.js:22:14", with its lines. */
static void
add_function(struct profile_reader *r, struct node *n)
{
    struct linecount *c = r->count;
    struct text name = {0}, path = {0};
    char digits[NUM_DIGITS];
    uint64_t left = r->hits;
    add_path(&path, text_span(&r->url));
    text_add(&name, r->function.len > 0 ? text_span(&r->function) : SPAN("(anonymous)"));
    if (path.len > 0)
        TEXT_ADD(&name, SPAN(" "), text_span(&path));
    if (path.len > 0 && r->line < UINT64_MAX)
        TEXT_ADD(&name, SPAN(":"), num_decimal(digits, r->line + 1));
    if (path.len > 0 && r->line < UINT64_MAX && r->column < UINT64_MAX)
        TEXT_ADD(&name, SPAN(":"), num_decimal(digits, r->column + 1));
    n->function = linecount_function(c, text_span(&name), SPAN(""));
    c->functions.at[n->function].self =
        decimal_add(c->functions.at[n->function].self, whole(r->hits));
    for (size_t i = 0; i < r->ticks.n; i++) {
        struct tick t = r->ticks.at[i];
        t.count = t.count < left ? t.count : left;
        left -= t.count;
        add_line(r, n->function, text_span(&path), t);
    }
    c->placed |= left < r->hits;
    add_line(r, n->function, SPAN(""), (struct tick){0, left});
    c->all = decimal_add(c->all, whole(r->hits));
    r->samples = num_add(r->samples, r->hits);
    free(name.ptr);
    free(path.ptr);
}

/* Read a node, after its "{". */
static void
read_node(struct profile_reader *r)
{
    struct json *j = &r->json;
    uint32_t id = LINECOUNT_NONE, parent = LINECOUNT_NONE;
    r->function.len = r->url.len = r->ticks.n = r->children.n = 0;
    r->line = r->column = UINT64_MAX;
    r->hits = 0;
    while (json_member(j)) {
        if (json_is(j, SPAN("id"))) {
            json_scalar(j);
            id = node_of(r);
        } else if (json_is(j, SPAN("parent"))) {
            json_scalar(j);
            parent = node_of(r);
        } else if (json_is(j, SPAN("hitCount"))) {
            r->hits = read_number(j);
        } else if (json_is(j, SPAN("callFrame"))) {
            if (json_enter(j, JSON_OBJECT))
                read_frame(r);
        } else if (json_is(j, SPAN("positionTicks"))) {
            if (json_enter(j, JSON_ARRAY))
                read_ticks(r);
        } else if (json_is(j, SPAN("children"))) {
            for (bool more = json_enter(j, JSON_ARRAY); more && json_element(j); json_skip(j))
                VEC_ADD(r->children, node_of(r));
        } else {
            json_scalar(j);
        }
    }
    r->hits = r->hits < UINT64_MAX ? r->hits : 0;
    if (id == LINECOUNT_NONE || r->nodes.at[id].function != LINECOUNT_NONE)
        return;
    struct node *n = &r->nodes.at[id];
    add_function(r, n);
    n->sum = r->hits;
    n->parent = parent != LINECOUNT_NONE ? parent : n->parent;
    for (size_t i = 0; i < r->children.n; i++)
        if (r->children.at[i] != LINECOUNT_NONE)
            r->nodes.at[r->children.at[i]].parent = id;
}

/* Read the members of the profile, or of the objects in which it is. */
static void
read_profile(struct profile_reader *r)
{
    static const struct span around[] = {SPAN("result"), SPAN("profile"), SPAN("cpuProfile")};
    struct json *j = &r->json;
    if (!json_enter(j, JSON_OBJECT))
        return;
    for (size_t depth = 1; depth > 0;) {
        if (!json_member(j)) {
            depth = j->item == JSON_OBJECT_END ? depth - 1 : 0;
        } else if (span_eq_any(j->text, around, sizeof around / sizeof *around)) {
            depth += json_enter(j, JSON_OBJECT);
        } else if (!json_is(j, SPAN("nodes"))) {
            json_scalar(j);
        } else if (json_enter(j, JSON_ARRAY)) {
            while (json_element(j)) {
                if (j->item == JSON_OBJECT)
                    read_node(r);
                else
                    json_skip(j);
            }
        }
    }
}

/* Begin with a node, and append the nodes that it calls to the path. */
static void
open_node(struct profile_reader *r, uint32_t number)
{
    struct node *n = &r->nodes.at[number];
    n->state = NODE_OPEN;
    n->outermost = n->function != LINECOUNT_NONE && r->depth.at[n->function]++ == 0;
    for (uint32_t child = n->child; child != LINECOUNT_NONE; child = r->nodes.at[child].next)
        VEC_ADD(r->path, child);
}

/* End a node, whose callees have ended: add its sum to the caller's and to the function's total. */
static void
close_node(struct profile_reader *r, uint32_t number)
{
    struct node *n = &r->nodes.at[number];
    n->state = NODE_DONE;
    if (n->parent != LINECOUNT_NONE)
        r->nodes.at[n->parent].sum = num_add(r->nodes.at[n->parent].sum, n->sum);
    if (n->function == LINECOUNT_NONE)
        return;
    r->depth.at[n->function]--;
    struct line_function *f = &r->count->functions.at[n->function];
    if (n->outermost)
        f->total = decimal_add(f->total, whole(n->sum));
}

/* Add up the totals of functions. Each node is the child of one other, so a node is in the path
 * once; nodes in a cycle of a damaged file are not reached. */
static void
add_totals(struct profile_reader *r)
{
    VEC_REACH(r->depth, r->count->functions.n);
    for (uint32_t i = 0; i < r->nodes.n; i++) {
        struct node *n = &r->nodes.at[i];
        if (n->parent == LINECOUNT_NONE)
            continue;
        n->next = r->nodes.at[n->parent].child;
        r->nodes.at[n->parent].child = i;
    }
    for (uint32_t i = 0; i < r->nodes.n; i++) {
        if (r->nodes.at[i].parent != LINECOUNT_NONE)
            continue;
        for (VEC_ADD(r->path, i); r->path.n > 0;) {
            uint32_t last = r->path.at[r->path.n - 1];
            if (r->nodes.at[last].state == NODE_NEW) {
                open_node(r, last);
            } else {
                close_node(r, last);
                r->path.n--;
            }
        }
    }
}

uint64_t
cpulines_read(struct linecount *c, struct lines *lines, char why[static JSON_WHY])
{
    struct profile_reader *r = mem_alloc(sizeof *r); /* it is large */
    *r = (struct profile_reader){.count = c};
    why[0] = '\0';
    json_start(&r->json, lines);
    read_profile(r);
    if (r->json.item == JSON_ERROR)
        snprintf(why, JSON_WHY, "%s", r->json.why);
    add_totals(r);
    uint64_t samples = r->samples;
    intern_free(&r->ids);
    free(r->nodes.at);
    free(r->path.at);
    free(r->depth.at);
    free(r->function.ptr);
    free(r->url.ptr);
    free(r->ticks.at);
    free(r->children.at);
    free(r);
    return samples;
}
