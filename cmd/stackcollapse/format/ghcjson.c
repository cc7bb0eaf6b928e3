/* The report that a Haskell program writes with +RTS -pj ("JSON profile format" in GHC's user's
 * guide): cost centres, and a tree of their calls with the ticks and the bytes of each:
 *
 *     {"program": "app", "rts_arguments": ["-pj"], "total_ticks": 128, "tick_interval": 1000,
 *      "cost_centres": [
 *         {"id": 156, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>", "is_caf": false},
 *         {"id": 1, "label": "work", "module": "Main", "src_loc": "Main.hs:12:1", "is_caf": false}],
 *      "profile": {"id": 156, "entries": 0, "alloc": 816, "ticks": 0, "children": [
 *         {"id": 1, "entries": 1, "alloc": 248867432, "ticks": 128, "children": []}]}} */
#include "cmd/stackcollapse/shared/jsonfile.h"

struct ghcjson {
    struct jsontree tree;
    struct intern ids;   /* of cost centres, as written */
    struct u32vec names; /* for each id: 1 + number of its name in the profile; 0: not listed */
    struct text label;   /* of the current centre */
};

/* Return the number of the id that was read last. */
static uint32_t
number_of(struct ghcjson *f, const struct json *j)
{
    if (j->item != JSON_NUMBER)
        return JSONTREE_NONE;
    uint32_t id = intern_add(&f->ids, j->text);
    VEC_REACH(f->names, f->ids.count);
    return id;
}

/* Read a cost centre, after its "{". Its frame is "Main.work". */
static void
read_centre(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("label", struct ghcjson, label),
        FIELD_TEXT("module", struct ghcjson, tree.base.name),
        FIELD_END,
    };
    struct ghcjson *f = ctx;
    struct stacker *r = ctx;
    uint32_t id = JSONTREE_NONE;
    f->label.len = r->name.len = 0;
    while (json_member(j)) {
        bool is_id = json_is(j, SPAN("id"));
        jsonfile_member(j, fields, f);
        if (is_id)
            id = number_of(f, j);
    }
    TEXT_ADD(&r->name, SPAN("."), text_span(&f->label));
    if (id != JSONTREE_NONE)
        f->names.at[id] = 1 + stacker_name(r, text_span(&r->name));
}

static void
read_member(void *ctx, struct json *j)
{
    struct jsontree *t = ctx;
    bool is_id = json_is(j, SPAN("id"));
    bool counts = json_is(j, t->base.c->options->size ? SPAN("alloc") : SPAN("ticks"));
    json_scalar(j);
    if (is_id)
        t->node->id = number_of(ctx, j);
    else if (counts && !json_u64(j, &t->node->self))
        stacker_skip(ctx, "a node whose ticks or bytes are no number");
}

/* Name the nodes by their cost centres, which may come after them. Add them to the profile. */
static void
finish(struct stacker *r)
{
    struct ghcjson *f = (struct ghcjson *)r;
    for (size_t i = 0; i < f->tree.nodes.n; i++) {
        struct jsontree_node *node = &f->tree.nodes.at[i];
        uint32_t name = node->id != JSONTREE_NONE ? f->names.at[node->id] : 0;
        node->name = name > 0 ? name - 1 : node->name;
    }
    jsonfile_fold_tree(r);
}

static bool
is_ours(struct span head)
{
    return jsonfile_has(head, SPAN("cost_centres")) || jsonfile_has(head, SPAN("rts_arguments"));
}

static const struct jsonfield members[] = {
    FIELD_OBJECTS("cost_centres", read_centre),
    FIELD_TREE("profile", read_member),
    FIELD_END,
};

const struct format format_ghcjson = {.is_json = is_ours,
                                      .members = members,
                                      .state_size = sizeof(struct ghcjson),
                                      .finish = finish,
                                      .interns = MEMBERS(struct ghcjson, ids),
                                      .buffers = MEMBERS(struct ghcjson, names, label)};
