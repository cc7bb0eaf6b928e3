/* V8's own log (node --prof), as node --prof-process --preprocess prints it: JSON, written by
 * tools/profile.mjs and tools/tickprocessor.mjs in V8's source.
 *
 *     {"code": [
 *         {"name": "/usr/bin/node", "type": "SHARED_LIB"},
 *         {"name": "node::fs::Read(v8::FunctionCallbackInfo<v8::Value> const&)", "type": "CPP"},
 *         {"name": "CEntry_Return1_ArgvOnStack", "type": "CODE", "kind": "Builtin"},
 *         {"name": "hot /srv/app.js:13:13", "type": "JS", "kind": "Opt", "func": 137,
 *          "tm": 67182}],
 *      "functions": [...],
 *      "ticks": [{"tm": 68263, "vm": 0, "s": [3, 316, -1, 18634752]}]}
 *
 * A tick is a sample; its stack, leaf first, has two numbers a frame: an index of "code" and the
 * offset in that code, or -1 and an address that belongs to none. "vm" is what V8 was doing. */
#include <stdlib.h>

#include "cmd/stackcollapse/build/jsonfile.h"
#include "common/stack/cxxname.h"
#include "common/stack/dso.h"

/* Of the entry of "code" that is read, the texts kept. */
enum { NAME, TYPE, KIND };

/* The `list` of the reader has the names of the code: their numbers in the profile, plus 1, or 0
 * for an entry without a name. Its `tree` has the ticks' stacks, of indexes of "code", which may
 * come after them, and of these: */
enum { ROOT = UINT32_MAX - 8, UNKNOWN, COLLECTOR, NONE };

struct file {
    struct reader base;
    struct numbers stack; /* of the tick that is read, leaf first */
    uint64_t vm;          /* of that tick */
};

/* Return the sigil that V8's perf map writes for a tier of JavaScript. */
static struct span
sigil(struct span kind)
{
    static const struct {
        struct span kind, sigil;
    } tiers[] = {
        {SPAN("Unopt"), SPAN("~")},  {SPAN("Sparkplug"), SPAN("^")}, {SPAN("Baseline"), SPAN("^")},
        {SPAN("Maglev"), SPAN("+")}, {SPAN("Turboprop"), SPAN("+")}, {SPAN("NCI"), SPAN("-")},
        {SPAN("Opt"), SPAN("*")},
    };
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++)
        if (span_eq(kind, tiers[i].kind))
            return tiers[i].sigil;
    return SPAN("");
}

/* Compose the name that V8's perf map, or perf, has for the code of the entry read last. */
static struct span
compose(struct reader *f)
{
    struct text *t = &f->name;
    struct span name = text_span(&f->kept[NAME]), type = text_span(&f->kept[TYPE]),
                kind = text_span(&f->kept[KIND]);
    t->len = 0;
    if (span_eq(type, SPAN("JS"))) {
        TEXT_ADD(t, SPAN("JS:"), sigil(kind), name);
    } else if (span_eq(type, SPAN("CODE")) && kind.len > 0) {
        TEXT_ADD(t, kind, SPAN(":"), name);
    } else if (span_eq(type, SPAN("SHARED_LIB"))) {
        return reader_bracket(f, dso_base(name));
    } else {
        text_add(t, name);
        if (f->c->options->fold.names.tidy != TIDY_NONE)
            t->len = cxxname_tidy(text_span(t), t->ptr);
    }
    return text_span(t);
}

/* Read an entry of "code"; null is code that was not used. */
static void
read_entry(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct reader, kept[NAME]),
        FIELD_TEXT("type", struct reader, kept[TYPE]),
        FIELD_TEXT("kind", struct reader, kept[KIND]),
        FIELD_END,
    };
    struct reader *r = ctx;
    struct span name = SPAN("");
    if (j->item == JSON_OBJECT) {
        for (int i = NAME; i <= KIND; i++)
            r->kept[i].len = 0;
        jsonfile_object(j, fields, r);
        name = compose(r);
    }
    VEC_ADD(r->list, name.len > 0 ? 1 + stackbuild_name(&r->stack, name) : 0);
}

/* Read the stack of a tick: every second number is a code's, which may be none. */
static void
read_stack(void *ctx, struct json *j)
{
    struct file *f = ctx;
    if (!json_enter(j, JSON_ARRAY)) {
        VEC_ADD(f->stack, NONE);
        return;
    }
    for (size_t i = 0; json_element(j); json_skip(j), i++) {
        uint64_t code;
        if (i % 2 != 0)
            continue;
        if (j->item == JSON_NUMBER && j->text.ptr[0] == '-')
            VEC_ADD(f->stack, UNKNOWN);
        else
            VEC_ADD(f->stack, json_u64(j, &code) && code < ROOT ? (uint32_t)code : NONE);
    }
}

/* Read a tick, whose "{" was read. The stack gets the root "(root)", as in a CPU profile, where
 * other formats have the command's name. */
static void
read_tick(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_VALUE("s", read_stack),
        FIELD_U64("vm", struct file, vm),
        FIELD_END,
    };
    static const uint64_t collecting = 1; /* GC in V8's StateTag */
    struct file *f = ctx;
    struct stacktree *tree = &f->base.tree;
    f->vm = f->stack.n = 0;
    jsonfile_object(j, fields, f);
    if (j->item == JSON_ERROR)
        return;
    uint32_t stack = stacktree_child(tree, STACKTREE_ROOT, ROOT);
    while (f->stack.n > 0)
        stack = stacktree_child(tree, stack, f->stack.at[--f->stack.n]);
    if (f->vm == collecting)
        stack = stacktree_child(tree, stack, COLLECTOR);
    stacktree_count(tree, stack, READER_ONCE);
    f->base.c->samples++;
}

/* Return the number in the profile of a frame's name, plus 1; 0: it has none. */
static uint32_t
name_of(struct reader *r, uint32_t frame)
{
    if (frame < r->list.n)
        return r->list.at[frame];
    if (frame < ROOT || frame == NONE)
        return 0;
    return 1 + stackbuild_name(&r->stack, frame == ROOT      ? SPAN("(root)")
                                          : frame == UNKNOWN ? SPAN("[unknown]")
                                                             : SPAN("(garbage collector)"));
}

/* Add the stacks to the profile. */
static void
finish(struct reader *r)
{
    struct stacktree *to = &r->c->profile.tree;
    uint64_t lost = 0;
    uint32_t *places = mem_alloc((r->tree.n + 1) * sizeof *places);
    places[STACKTREE_ROOT] = STACKTREE_ROOT;
    for (uint32_t i = 1; i < r->tree.n; i++) {
        const struct stacktree_node *node = &r->tree.nodes[i];
        uint32_t caller = places[node->parent], name = name_of(r, node->name);
        places[i] = caller != NONE && name > 0 ? stacktree_child(to, caller, name - 1) : NONE;
        if (node->counted && places[i] != NONE)
            stacktree_count(to, places[i], node->count);
        else if (node->counted)
            lost += node->count.whole;
    }
    free(places);
    reader_warn_left_out(r, lost, "ticks of code that is not listed");
}

static void
end(struct reader *r)
{
    free(((struct file *)r)->stack.at);
}

/* The log's head may end within "code". */
static bool
is_ours(struct span head)
{
    size_t quote = span_find(head, '"');
    bool first = quote != SPAN_NONE && span_starts(span_from(head, quote), SPAN("\"code\""));
    return (first && jsonfile_has(head, SPAN("type"))) ||
           (jsonfile_has(head, SPAN("ticks")) && jsonfile_has(head, SPAN("vm"))) ||
           (jsonfile_has(head, SPAN("ticks")) && jsonfile_has(head, SPAN("code")));
}

static const struct jsonfield members[] = {
    FIELD_ELEMENTS("code", read_entry),
    FIELD_OBJECTS("ticks", read_tick),
    FIELD_END,
};

const struct format format_v8prof = {
    .is_json = is_ours, .members = members, .state_size = sizeof(struct file), .finish = finish,
    .end = end};
