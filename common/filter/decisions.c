#include "common/filter/decisions.h"

#include "common/demangle/demangle.h"
#include "common/stack/frames/dso.h"
#include "common/stack/text/foldedtext.h"
#include "common/stack/frames/v8name.h"
#include "common/stack/frames/waitkind.h"

/* The part of a decision that depends only on the symbol. */
struct symbol_decision {
    struct span name;      /* the name to write */
    struct span source;    /* the symbol according to a source map; it decides the kind */
    uint32_t number;       /* number of the name in decisions.names */
    bool unknown;          /* the name is "[unknown]" or such */
    unsigned char matched; /* as in struct decision, if no pattern applies to DSOs */
    unsigned char work;    /* enum v8work */
    unsigned char traits;  /* enum trait, if they do not depend on the DSO */
    unsigned char runtime; /* enum runtime, if it does not depend on the DSO */
};

void
decisions_init(struct decisions *d, const struct rules *rules, struct sourcemaps *maps)
{
    *d = (struct decisions){.rules = rules, .maps = maps};
}

/* Return true for "[unknown]", and for what stackcollapse makes of it: "[libc.so.6]",
 * "[node]_[j]". */
static bool
is_unknown(struct span sym)
{
    sym = folded_unmarked(sym);
    return span_starts(sym, SPAN("[")) && span_ends(sym, SPAN("]")) && !frame_is_mark(sym) &&
           !waitkind_is(sym) && !frame_is_syscall(sym);
}

/* Return true for a function without a name in a program or library. Such functions of node do not
 * count, since they are V8's own or called by it; JIT-compiled code is of another kind.
 * stackcollapse turns the DSOs "/usr/bin/sort", "[heap]", "//anon" and "[unknown]" into the frames
 * "[sort]", "[[heap]]", "[anon]" and "[unknown]". */
static bool
is_nameless_native(struct span sym, struct span dso)
{
    if (!is_unknown(sym) || frame_kind(sym, dso) != KIND_NATIVE)
        return false;
    if (dso.len > 0)
        return dso.ptr[0] == '/' && !span_starts(dso, SPAN("//")) &&
               runtime_of_dso(dso) != RUNTIME_NODE;
    struct span name = folded_unmarked(sym), file = span_of(name.ptr + 1, name.len - 2);
    return !span_starts(file, SPAN("[")) && !span_eq(file, SPAN("anon")) &&
           !span_eq(file, SPAN("unknown")) && runtime_of_dso(file) != RUNTIME_NODE;
}

/* Return true for a function whose name is from a perf map. In folded stacks it is recognized by
 * the form of Python's names, or by the mark of stackcollapse --jit. */
static bool
is_named_jit(struct span sym, struct span dso)
{
    if (dso.len > 0)
        return dso_is_jit(dso) && !is_unknown(sym);
    return span_starts(sym, SPAN("py::")) || (span_ends(sym, SPAN("_[j]")) && !is_unknown(sym));
}

/* Return the traits that the symbol alone shows. */
static unsigned
traits_of(struct span sym)
{
    struct span name = folded_unmarked(sym), mark = span_from(sym, name.len);
    unsigned traits = 0;
    if (span_eq(name, SPAN("Builtins_InterpreterEntryTrampoline")) ||
        span_eq(name, SPAN("Builtin:InterpreterEntryTrampoline")))
        traits |= TRAIT_INTERPRETER;
    if (runtime_of_interpreter(name) != RUNTIME_UNKNOWN)
        traits |= TRAIT_LOOP;
    if (span_eq(mark, SPAN("_[k]")) || span_eq(mark, SPAN("_[j]")))
        traits |= TRAIT_MARKED;
    return traits;
}

/* Return the runtime of a symbol. Folded stacks have only the DSO of unknown symbols:
 * "[libjvm.so]". */
static enum runtime
runtime_of(struct span sym)
{
    struct span name = folded_unmarked(sym);
    return is_unknown(name) ? runtime_of_dso(span_of(name.ptr + 1, name.len - 2))
                            : runtime_of_symbol(name);
}

/* Append "get bar /p/foo.js:1:2", or with the tier "get bar /p/foo.js:1:2 [*]". */
static void
put_v8name(const struct v8name *n, bool tier, struct text *to)
{
    text_add(to, n->function.len > 0 ? n->function : SPAN("(anonymous)"));
    if (n->file.len > 0 || n->position.len > 0)
        text_add(to, SPAN(" "));
    text_add(to, n->file);
    if (n->position.len > 0)
        text_add(to, SPAN(":"));
    text_add(to, n->position);
    if (tier && n->tier != 0) {
        const char suffix[] = {' ', '[', n->tier, ']'};
        text_add(to, span_of(suffix, sizeof suffix));
    }
    text_add(to, n->mark);
}

/* Move the scratch text to the arena. */
static struct span
settle(struct decisions *d)
{
    struct span s = arena_copy(&d->arena, text_span(&d->scratch));
    d->scratch.len = 0;
    return s;
}

/* Return s after the substitutions for symbols, or for DSOs if `dso` is true. */
static struct span
substitute(struct decisions *d, struct span s, bool dso)
{
    const struct rules *r = d->rules;
    for (size_t i = 0; i < r->nrenames; i++)
        if (r->renames[i].dso == dso && rename_apply(&r->renames[i].rename, s, &d->scratch))
            s = settle(d);
    return s;
}

/* Return a JavaScript function's name in the form of --v8-names. */
static struct span
js_name(struct decisions *d, struct span sym, const struct v8name *n)
{
    d->has_js = true;
    d->has_interpreted = d->has_interpreted || n->tier == '~';
    if (d->rules->names == V8_NAMES_RAW)
        return sym;
    put_v8name(n, d->rules->names == V8_NAMES_TIER, &d->scratch);
    return settle(d);
}

/* Return the symbol with the function, file and position from a source map: "JS:*t /p/main.js:1:9"
 * may become "JS:*busy /p/busy.ts:1:17". */
static struct span
source_symbol(struct decisions *d, struct span sym)
{
    struct v8name n;
    if (d->maps == NULL || (!v8name_parse(sym, &n) && !v8name_parse_clean(sym, &n)))
        return sym;
    struct span head = span_head(sym, (size_t)(n.function.ptr - sym.ptr));
    bool clean = head.len == 0;
    if (!sourcemaps_find(d->maps, &n))
        return sym;
    if (clean) {
        put_v8name(&n, true, &d->scratch);
    } else {
        head.len = span_run_before(head, head.len, is_space);
        TEXT_ADD(&d->scratch, head, n.function, SPAN(" "), n.file, SPAN(":"), n.position, n.mark);
    }
    return settle(d);
}

/* Return the symbol in the form in which it is written. */
static struct span
new_name(struct decisions *d, struct span sym, enum v8work work)
{
    struct v8name n;
    struct span source;
    if (work != WORK_NONE) {
        sym = v8work_name(work);
    } else if (v8name_parse(sym, &n)) {
        sym = js_name(d, sym, &n);
    } else if (d->rules->names != V8_NAMES_RAW && v8name_regexp(sym, &source)) {
        TEXT_ADD(&d->scratch, SPAN("RegExp:"), source, span_from(sym, folded_unmarked(sym).len));
        sym = settle(d);
    }
    return substitute(d, sym, false);
}

/* Return true if V8's frames for this work are shown as one frame with the name of the work. */
static bool
shows_work(const struct rules *r, enum v8work work)
{
    return r->work == V8_WORK_DETAIL ||
           (r->work == V8_WORK_SUMMARIZE && (work == WORK_GC || work == WORK_COMPILER));
}

/* Return the symbol with its C++ or Rust name demangled, if the producer left it mangled. perf does
 * so for C++20 if its demangler is too old. */
static struct span
demangled(struct decisions *d, struct span sym)
{
    struct span name = folded_unmarked(sym);
    if (!span_starts(name, SPAN("_")))
        return sym;
    bool done = demangle(&d->mangled, name, DEMANGLE_SHORT, &d->scratch);
    arena_reset(&d->mangled);
    if (!done)
        return sym;
    text_add(&d->scratch, span_from(sym, name.len));
    return settle(d);
}

static struct symbol_decision
make_symbol(struct decisions *d, struct span as_read)
{
    const struct rules *r = d->rules;
    struct span sym = r->node ? demangled(d, as_read) : as_read;
    enum v8work work = r->work != V8_WORK_KEEP ? v8work_of(sym) : WORK_NONE;
    struct span source = source_symbol(d, sym);
    struct span name = new_name(d, source, shows_work(r, work) ? work : WORK_NONE);
    return (struct symbol_decision){
        .name = name,
        .source = source,
        .number = intern_add(&d->names, name),
        .unknown = is_unknown(name),
        .matched = (unsigned char)(r->any_dso ? 0 : rules_match(r, as_read, name, SPAN(""))),
        .work = (unsigned char)work,
        .traits = (unsigned char)traits_of(sym),
        .runtime = (unsigned char)runtime_of(sym),
    };
}

/* Return the decision about a symbol. It is valid until the next call. The table of symbols saves
 * 22 % of stackfilter's instructions for the recording node-http. */
static const struct symbol_decision *
find_symbol(struct decisions *d, struct span sym)
{
    uint32_t id;
    bool is_new = intern_put(&d->symbols, sym, &id);
    d->by_symbol = mem_grow(d->by_symbol, &d->symbols_cap, d->symbols.count, sizeof *d->by_symbol);
    if (is_new)
        d->by_symbol[id] = make_symbol(d, intern_text(&d->symbols, id));
    return &d->by_symbol[id];
}

/* Return the additional traits that the kind of a frame shows. */
static unsigned
traits_by_kind(enum frame_kind kind, struct span sym)
{
    switch (kind) {
    case KIND_APP:
    case KIND_DEP:
    case KIND_CORE:
    case KIND_WASM:
        return TRAIT_JS;
    case KIND_NAMELESS:
        return span_starts(sym, SPAN("(")) ? TRAIT_NAMELESS : TRAIT_NAMELESS_JIT;
    default:
        return 0;
    }
}

/* Return true for code that V8's collector and compiler do not call as part of their work. */
static bool
is_apart(enum frame_kind kind)
{
    return kind == KIND_APP || kind == KIND_DEP || kind == KIND_CORE || kind == KIND_WASM ||
           kind == KIND_REGEXP || kind == KIND_CPP || kind == KIND_NAMELESS;
}

static enum dropped
where_dropped(const struct rules *r, const struct symbol_decision *s, struct span sym,
              struct span dso, enum frame_kind kind, unsigned matched)
{
    if (matched & 1u << LIST_DROP || (r->counts[LIST_KEEP] > 0 && !(matched & 1u << LIST_KEEP)))
        return DROPPED;
    if (r->hidden & 1u << kind)
        return DROPPED;
    if (s->work != WORK_NONE && !shows_work(r, s->work))
        return DROPPED;
    if (r->node && span_starts(sym, SPAN("__libc_start")))
        return DROPPED;
    if (r->node && kind == KIND_NAMELESS)
        return DROPPED_REPEAT;
    if (r->node && is_unknown(sym))
        return is_nameless_native(sym, dso) ? DROPPED_CALLER : DROPPED;
    return NOT_DROPPED;
}

struct decision *
decisions_make(struct decisions *d, uint32_t frame, unsigned matched, struct span *sym,
               struct span *dso)
{
    const struct rules *r = d->rules;
    struct symbol_decision made;
    const struct symbol_decision *s = &made;
    if (d->distinct)
        made = make_symbol(d, *sym);
    else
        s = find_symbol(d, *sym);
    struct span new_dso = substitute(d, *dso, true);
    bool shown = s->work != WORK_NONE && shows_work(r, s->work);
    bool by_kind = r->hidden != 0 || r->work == V8_WORK_SUMMARIZE || r->node;
    enum frame_kind kind =
        !by_kind ? KIND_NATIVE : frame_kind(shown ? v8work_name(s->work) : s->source, *dso);
    enum runtime runtime = (enum runtime)s->runtime;
    if (runtime != RUNTIME_WASM && runtime_of_dso(*dso) != RUNTIME_UNKNOWN)
        runtime = runtime_of_dso(*dso); /* WebAssembly is called from V8's file */
    unsigned traits = s->traits | traits_by_kind(kind, s->source);
    if (s->traits & TRAIT_LOOP)
        runtime = runtime_of_interpreter(folded_unmarked(s->source));
    traits |= runtime == RUNTIME_NODE ? TRAIT_NODE : 0;
    traits |= is_named_jit(s->source, *dso) ? TRAIT_NAMED : 0;
    matched |= r->any_dso ? rules_match(r, *sym, s->name, *dso) : s->matched;
    size_t old = d->cap;
    d->list = mem_grow(d->list, &d->cap, (size_t)frame + 1, sizeof *d->list);
    memset(d->list + old, 0, (d->cap - old) * sizeof *d->list);
    d->list[frame] = (struct decision){
        .made = true,
        .shown = frame,
        .name = s->unknown && new_dso.len > 0 ? intern_add(&d->names, new_dso) : s->number,
        .dropped = where_dropped(r, s, s->source, *dso, kind, matched),
        .matched = (unsigned char)matched,
        .work = shown ? s->work : WORK_NONE,
        .apart = is_apart(kind),
        .traits = (unsigned char)traits,
        .runtime = (unsigned char)runtime,
    };
    *sym = s->name;
    *dso = new_dso;
    return &d->list[frame];
}
