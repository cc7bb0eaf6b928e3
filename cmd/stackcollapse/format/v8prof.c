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
#include "cmd/stackcollapse/build/stackbuild.h"
#include "common/stack/cxxname.h"

struct file {
    struct collapse *c;
    struct json json;
    struct span *names; /* of the code, in the arena; ptr NULL: an entry without a name */
    size_t nnames, names_cap;
    struct arena arena;
    struct text name, type, kind; /* of the entry read last */
    struct stackbuild stack;
};

/* How V8's perf map writes the tiers of JavaScript: a sigil for each. */
static const struct {
    struct span kind, sigil;
} tiers[] = {
    {SPAN("Unopt"), SPAN("~")},  {SPAN("Sparkplug"), SPAN("^")}, {SPAN("Baseline"), SPAN("^")},
    {SPAN("Maglev"), SPAN("+")}, {SPAN("Turboprop"), SPAN("+")}, {SPAN("NCI"), SPAN("-")},
    {SPAN("Opt"), SPAN("*")},
};

static struct span
sigil(struct span kind)
{
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++)
        if (span_eq(kind, tiers[i].kind))
            return tiers[i].sigil;
    return SPAN("");
}

/* The last part of a path. */
static struct span
base_name(struct span path)
{
    size_t slash = span_rfind(path, '/');
    return slash == SPAN_NONE ? path : span_from(path, slash + 1);
}

/* Makes the name that V8's perf map, or perf, has for the code of the entry read last. */
static void
compose(struct file *f, struct text *t)
{
    struct span name = text_span(&f->name), kind = text_span(&f->kind), type = text_span(&f->type);
    t->len = 0;
    if (span_eq(type, SPAN("JS"))) {
        text_add(t, SPAN("JS:"));
        text_add(t, sigil(kind));
        text_add(t, name);
    } else if (span_eq(type, SPAN("CODE")) && kind.len > 0) {
        text_add(t, kind);
        text_add(t, SPAN(":"));
        text_add(t, name);
    } else if (span_eq(type, SPAN("SHARED_LIB"))) {
        text_add(t, SPAN("["));
        text_add(t, base_name(name));
        text_add(t, SPAN("]"));
    } else {
        text_add(t, name);
        if (f->c->options->fold.names.tidy != TIDY_NONE)
            t->len = cxxname_tidy(text_span(t), t->ptr);
    }
}

/* Reads an entry of "code", whose "{" was read. */
static void
read_entry(struct file *f)
{
    struct json *j = &f->json;
    f->name.len = f->type.len = f->kind.len = 0;
    while (json_member(j)) {
        if (json_is(j, SPAN("name")))
            jsonfile_text(j, &f->name);
        else if (json_is(j, SPAN("type")))
            jsonfile_text(j, &f->type);
        else if (json_is(j, SPAN("kind")))
            jsonfile_text(j, &f->kind);
        else
            json_scalar(j);
    }
}

static void
read_code(struct file *f)
{
    struct json *j = &f->json;
    struct text composed = {0};
    if (!json_enter(j, JSON_ARRAY))
        return;
    while (json_element(j)) {
        bool is_entry = j->item == JSON_OBJECT;
        if (is_entry)
            read_entry(f);
        else
            json_skip(j); /* null: code that was not used */
        compose(f, &composed);
        f->names = mem_grow(f->names, &f->names_cap, f->nnames + 1, sizeof *f->names);
        f->names[f->nnames++] = is_entry && composed.len > 0
                                    ? arena_copy(&f->arena, text_span(&composed))
                                    : (struct span){NULL, 0};
    }
    free(composed.ptr);
}

/* Adds the frame whose code has the index that was read last; false if there is none. */
static bool
push_frame(struct file *f)
{
    uint64_t i;
    if (f->json.item == JSON_NUMBER && f->json.text.ptr[0] == '-') {
        stackbuild_push(&f->stack, SPAN("[unknown]"));
        return true;
    }
    if (!json_u64(&f->json, &i) || i >= f->nnames || f->names[i].ptr == NULL)
        return false;
    stackbuild_push(&f->stack, f->names[i]);
    return true;
}

/* Reads the stack of a tick; false if it has a frame that cannot be named. */
static bool
read_stack(struct file *f)
{
    struct json *j = &f->json;
    bool good = true;
    if (!json_enter(j, JSON_ARRAY))
        return false;
    for (size_t i = 0; json_element(j); i++) {
        if (i % 2 == 0)
            good &= push_frame(f);
        json_skip(j);
    }
    return good;
}

/* Reads a tick, whose "{" was read. The stack gets the root "(root)", as in a CPU profile, where
 * other formats have the command's name. */
static void
read_tick(void *ctx)
{
    struct file *f = ctx;
    static const uint64_t collecting = 1; /* GC in V8's StateTag */
    struct json *j = &f->json;
    uint64_t vm = 0;
    bool good = true;
    stackbuild_clear(&f->stack);
    while (json_member(j)) {
        if (json_is(j, SPAN("s"))) {
            good = read_stack(f);
        } else {
            bool is_vm = json_is(j, SPAN("vm"));
            json_scalar(j);
            if (is_vm)
                json_u64(j, &vm);
        }
    }
    if (j->item == JSON_ERROR)
        return;
    f->c->samples++;
    if (!good) {
        input_skip(&f->c->input, "a tick of code that is not listed");
        return;
    }
    stackbuild_push(&f->stack, SPAN("(root)"));
    stackbuild_reverse(&f->stack, 0);
    if (vm == collecting)
        stackbuild_push(&f->stack, SPAN("(garbage collector)"));
    stackbuild_emit(&f->stack, (struct decimal){1, 0});
}

static void
fold(struct collapse *c, void **state)
{
    (void)state;
    struct file f = {.c = c, .stack = {.profile = &c->profile}};
    jsonfile_start(&f.json, c);
    if (json_next(&f.json) == JSON_OBJECT)
        while (json_member(&f.json)) {
            if (json_is(&f.json, SPAN("code")))
                read_code(&f);
            else if (json_is(&f.json, SPAN("ticks")))
                jsonfile_objects(&f.json, read_tick, &f);
            else
                json_scalar(&f.json);
        }
    jsonfile_end(&f.json, c);
    stackbuild_free(&f.stack);
    arena_free(&f.arena);
    free(f.names);
    free(f.name.ptr);
    free(f.type.ptr);
    free(f.kind.ptr);
}

/* The first key is "code". */
static bool
is_ours(struct span head)
{
    size_t quote = span_find(head, '"');
    bool mine = quote != SPAN_NONE && span_starts(span_from(head, quote), SPAN("\"code\""));
    return mine && jsonfile_has(head, SPAN("type"));
}

const struct format format_v8prof = {.is_json = is_ours, .fold = fold};
