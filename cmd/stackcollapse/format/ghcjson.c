/* The report that a Haskell program writes with +RTS -pj ("JSON profile format" in GHC's user's
 * guide): cost centres, and a tree of their calls with the ticks and the bytes of each:
 *
 *     {"program": "app", "rts_arguments": ["-pj"], "total_ticks": 128, "tick_interval": 1000,
 *      "cost_centres": [
 *         {"id": 156, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>", "is_caf": false},
 *         {"id": 1, "label": "work", "module": "Main", "src_loc": "Main.hs:12:1", "is_caf": false}],
 *      "profile": {"id": 156, "entries": 0, "alloc": 816, "ticks": 0, "children": [
 *         {"id": 1, "entries": 1, "alloc": 248867432, "ticks": 128, "children": []}]}} */
#include <stdlib.h>

#include "cmd/stackcollapse/build/jsontree.h"
#include "cmd/stackcollapse/build/stackbuild.h"

struct file {
    struct collapse *c;
    struct json json;
    struct jsontree tree;
    struct stackbuild names;
    struct intern ids; /* of cost centres, as they are written */
    uint32_t *centres; /* by their number: names; JSONTREE_NONE: not listed */
    size_t ncentres, centres_cap;
};

/* Return the number of the id that is the next value. */
static uint32_t
read_id(struct file *f)
{
    json_scalar(&f->json);
    if (f->json.item != JSON_NUMBER)
        return JSONTREE_NONE;
    uint32_t id = intern_add(&f->ids, f->json.text);
    f->centres = mem_grow(f->centres, &f->centres_cap, f->ids.count, sizeof *f->centres);
    while (f->ncentres < f->ids.count)
        f->centres[f->ncentres++] = JSONTREE_NONE;
    return id;
}

/* Read a cost centre, whose "{" was read: its frame is "Main.work". */
static void
read_centre(void *ctx)
{
    struct file *f = ctx;
    struct json *j = &f->json;
    struct text label = {0}, name = {0};
    uint32_t id = JSONTREE_NONE;
    while (json_member(j)) {
        if (json_is(j, SPAN("id")))
            id = read_id(f);
        else if (json_is(j, SPAN("label")))
            jsonfile_text(j, &label);
        else if (json_is(j, SPAN("module")))
            jsonfile_text(j, &name);
        else
            json_scalar(j);
    }
    text_add(&name, SPAN("."));
    text_add(&name, text_span(&label));
    if (id != JSONTREE_NONE)
        f->centres[id] = stackbuild_name(&f->names, text_span(&name));
    free(label.ptr);
    free(name.ptr);
}

static void
read_member(void *ctx, struct jsontree_node *node)
{
    struct file *f = ctx;
    bool counts = json_is(&f->json, f->c->options->size ? SPAN("alloc") : SPAN("ticks"));
    if (json_is(&f->json, SPAN("id"))) {
        node->id = read_id(f);
    } else {
        json_scalar(&f->json);
        if (counts && !json_u64(&f->json, &node->self))
            input_skip(&f->c->input, "a node whose ticks or bytes are no number");
    }
}

/* Name the nodes by their cost centres, which may come after them. */
static void
name_nodes(struct file *f)
{
    for (size_t i = 0; i < f->tree.n; i++) {
        struct jsontree_node *node = &f->tree.nodes[i];
        uint32_t name = node->id != JSONTREE_NONE ? f->centres[node->id] : JSONTREE_NONE;
        if (name != JSONTREE_NONE)
            node->name = name;
        f->c->samples += node->self > 0;
    }
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c, .names = {.profile = &c->profile}};
    struct json *j = &f.json;
    f.tree.unnamed = stackbuild_name(&f.names, SPAN("[unknown]"));
    jsonfile_start(j, c);
    if (json_next(j) == JSON_OBJECT)
        while (json_member(j)) {
            if (json_is(j, SPAN("cost_centres")))
                jsonfile_objects(j, read_centre, &f);
            else if (json_is(j, SPAN("profile")))
                jsontree_read(&f.tree, j, read_member, &f);
            else
                json_scalar(j);
        }
    jsonfile_end(j, c);
    name_nodes(&f);
    jsontree_fold(&f.tree, &c->profile);
    jsontree_free(&f.tree);
    stackbuild_free(&f.names);
    intern_free(&f.ids);
    free(f.centres);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("cost_centres")) || jsonfile_has(head, SPAN("rts_arguments"));
}

const struct format format_ghcjson = {.is_json = is_ours, .fold = fold};
