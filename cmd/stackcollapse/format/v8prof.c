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
#include "cmd/stackcollapse/shared/jsonfile.h"
#include "common/stack/frames/cxxname.h"
#include "common/stack/frames/dso.h"

/* Special values instead of an index of "code". The first entry of a stack is COLLECTOR or NOTHING;
 * the leaf follows. */
#define NOTHING   UINT32_MAX
#define COLLECTOR (UINT32_MAX - 1)
#define UNKNOWN   (UINT32_MAX - 2)
#define UNLISTED  (UINT32_MAX - 3)

struct v8prof {
    struct stacker base;
    /* The code may come after the ticks. */
    struct u32vec code;           /* for each entry: 1 + number of its name; 0: it has none */
    struct text name, type, kind; /* of the current entry */
    struct u32vec stack;          /* of the current tick */
    uint64_t vm;                  /* of the current tick */
    struct intern stacks;         /* distinct stacks, as bytes */
    VEC(uint64_t) ticks;          /* for each stack: number of ticks */
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

/* Compose the name of the current entry's code, as in V8's perf map, or as perf prints it. */
static struct span
compose(struct v8prof *f)
{
    struct text *t = &f->base.name;
    struct span name = text_span(&f->name), type = text_span(&f->type), kind = text_span(&f->kind);
    t->len = 0;
    if (span_eq(type, SPAN("JS"))) {
        TEXT_ADD(t, SPAN("JS:"), sigil(kind), name);
    } else if (span_eq(type, SPAN("CODE")) && kind.len > 0) {
        TEXT_ADD(t, kind, SPAN(":"), name);
    } else if (span_eq(type, SPAN("SHARED_LIB"))) {
        return stacker_bracket(&f->base, dso_base(name));
    } else {
        text_add(t, name);
        if (f->base.c->options->fold.names.tidy != TIDY_NONE)
            t->len = cxxname_tidy(text_span(t), t->ptr);
    }
    return text_span(t);
}

/* Read an entry of "code". Unused code is null. */
static void
read_entry(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_TEXT("name", struct v8prof, name),
        FIELD_TEXT("type", struct v8prof, type),
        FIELD_TEXT("kind", struct v8prof, kind),
        FIELD_END,
    };
    struct v8prof *f = ctx;
    struct span name = SPAN("");
    if (j->item == JSON_OBJECT) {
        f->name.len = f->type.len = f->kind.len = 0;
        jsonfile_object(j, fields, f);
        name = compose(f);
    }
    VEC_ADD(f->code, name.len > 0 ? 1 + stacker_name(&f->base, name) : 0);
}

/* Read the stack of a tick. Every second number is an index of code, or -1. */
static void
read_stack(void *ctx, struct json *j)
{
    struct v8prof *f = ctx;
    if (!json_enter(j, JSON_ARRAY)) {
        VEC_ADD(f->stack, UNLISTED);
        return;
    }
    for (size_t i = 0; json_element(j); json_skip(j), i++) {
        uint64_t code;
        if (i % 2 != 0)
            continue;
        if (j->item == JSON_NUMBER && j->text.ptr[0] == '-')
            VEC_ADD(f->stack, UNKNOWN);
        else
            VEC_ADD(f->stack, json_u64(j, &code) && code < UNLISTED ? (uint32_t)code : UNLISTED);
    }
}

/* Read a tick, after its "{". */
static void
read_tick(void *ctx, struct json *j)
{
    static const struct jsonfield fields[] = {
        FIELD_VALUE("s", read_stack),
        FIELD_U64("vm", struct v8prof, vm),
        FIELD_END,
    };
    static const uint64_t collecting = 1; /* GC in V8's StateTag */
    struct v8prof *f = ctx;
    f->vm = f->stack.n = 0;
    VEC_ADD(f->stack, NOTHING);
    jsonfile_object(j, fields, f);
    if (j->item == JSON_ERROR)
        return;
    if (f->vm == collecting)
        f->stack.at[0] = COLLECTOR;
    struct span stack = span_of((const char *)f->stack.at, f->stack.n * sizeof *f->stack.at);
    uint32_t number = intern_add(&f->stacks, stack);
    VEC_REACH(f->ticks, f->stacks.count);
    f->ticks.at[number]++;
}

/* Push a frame. Return false if it cannot be named. */
static bool
push(struct v8prof *f, uint32_t frame)
{
    struct stacker *r = &f->base;
    if (frame == NOTHING)
        return true;
    if (frame == COLLECTOR)
        stacker_push(r, SPAN("(garbage collector)"));
    else if (frame == UNKNOWN)
        stacker_push(r, SPAN("[unknown]"));
    else if (frame < f->code.n && f->code.at[frame] > 0)
        stacker_push_name(r, f->code.at[frame] - 1);
    else
        return false;
    return true;
}

/* Push the frames of a stack. Its root is "(root)", as in a CPU profile, where other formats have
 * the command's name. Return false if a frame cannot be named. */
static bool
push_stack(struct v8prof *f, struct span frames)
{
    struct stacker *r = &f->base;
    bool good = true;
    uint32_t frame; /* the bytes may be unaligned */
    r->n = 0;
    stacker_push(r, SPAN("(root)"));
    for (; frames.len > 0 && good; frames.len -= sizeof frame) {
        memcpy(&frame, frames.ptr + frames.len - sizeof frame, sizeof frame);
        good = push(f, frame);
    }
    return good;
}

/* Add the stacks to the profile. */
static void
finish(struct stacker *r)
{
    struct v8prof *f = (struct v8prof *)r;
    uint64_t lost = 0;
    for (uint32_t i = 0; i < f->stacks.count; i++) {
        uint64_t ticks = f->ticks.at[i];
        r->c->samples += ticks;
        if (!push_stack(f, intern_text(&f->stacks, i)))
            lost += ticks;
        else
            stacker_add(r, ROOT_FIRST, (struct decimal){ticks, 0});
    }
    r->n = 0;
    stacker_warn_left_out(r, lost, "ticks of code that is not listed");
}

/* The head of the log may end within "code". */
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
    .is_json = is_ours,
    .members = members,
    .state_size = sizeof(struct v8prof),
    .finish = finish,
    .interns = MEMBERS(struct v8prof, stacks),
    .buffers = MEMBERS(struct v8prof, code, name, type, kind, stack, ticks)};
