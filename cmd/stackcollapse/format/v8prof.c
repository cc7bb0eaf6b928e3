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
#include "cmd/stackcollapse/build/jsonfile.h"
#include "common/stack/cxxname.h"
#include "common/stack/dso.h"

/* Of the entry of "code" that is read, the texts kept. */
enum { NAME, TYPE, KIND };

/* The `list` of the reader has the names of the code: their numbers in the profile, plus 1, or 0
 * for an entry without a name. */
struct file {
    struct reader base;
    uint64_t vm; /* of the tick that is read */
    bool bad;    /* the tick has a frame that cannot be named, or no stack */
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
    const struct numbers *names = &f->base.list;
    bool array = json_enter(j, JSON_ARRAY);
    f->bad = !array;
    for (size_t i = 0; array && json_element(j); i++) {
        uint64_t code;
        if (i % 2 == 0 && j->item == JSON_NUMBER && j->text.ptr[0] == '-')
            stackbuild_push(&f->base.stack, SPAN("[unknown]"));
        else if (i % 2 == 0 && json_u64(j, &code) && code < names->n && names->at[code] > 0)
            stackbuild_push_name(&f->base.stack, names->at[code] - 1);
        else
            f->bad |= i % 2 == 0;
        json_skip(j);
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
    struct stackbuild *stack = &f->base.stack;
    f->vm = 0;
    f->bad = false;
    stackbuild_clear(stack);
    jsonfile_object(j, fields, f);
    if (j->item == JSON_ERROR)
        return;
    if (f->bad) {
        f->base.c->samples++;
        reader_skip(&f->base, "a tick of code that is not listed");
        return;
    }
    stackbuild_push(stack, SPAN("(root)"));
    stackbuild_reverse(stack, 0);
    if (f->vm == collecting)
        stackbuild_push(stack, SPAN("(garbage collector)"));
    reader_emit(&f->base, READER_ONCE);
}

/* The first key is "code". */
static bool
is_ours(struct span head)
{
    size_t quote = span_find(head, '"');
    bool mine = quote != SPAN_NONE && span_starts(span_from(head, quote), SPAN("\"code\""));
    return mine && jsonfile_has(head, SPAN("type"));
}

static const struct jsonfield members[] = {
    FIELD_ELEMENTS("code", read_entry),
    FIELD_OBJECTS("ticks", read_tick),
    FIELD_END,
};

const struct format format_v8prof = {
    .is_json = is_ours, .members = members, .state_size = sizeof(struct file)};
