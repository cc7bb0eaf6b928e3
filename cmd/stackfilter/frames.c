#include "cmd/stackfilter/frames.h"

#include "common/stack/folded.h"

void
frames_init(struct frames *f, const struct rules *rules)
{
    *f = (struct frames){.rules = rules};
}

/* "[unknown]", and what stackcollapse makes of it: "[libc.so.6]", "[node]_[j]". */
static bool
is_unknown(struct span sym)
{
    sym = folded_unmarked(sym);
    return span_starts(sym, SPAN("[")) && span_ends(sym, SPAN("]"));
}

/* "get bar /p/foo.js:1:2", and with its tier "get bar /p/foo.js:1:2 [*]". */
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

/* What is in the scratch text, to stay. */
static struct span
settle(struct frames *f)
{
    struct span s = arena_copy(&f->arena, text_span(&f->scratch));
    f->scratch.len = 0;
    return s;
}

/* s after the substitutions for symbols, or after those for DSOs. */
static struct span
substitute(struct frames *f, struct span s, bool dso)
{
    const struct rules *r = f->rules;
    for (size_t i = 0; i < r->nrenames; i++)
        if (r->renames[i].dso == dso && rename_apply(&r->renames[i].rename, s, &f->scratch))
            s = settle(f);
    return s;
}

/* The symbol as it is to be written. */
static struct span
new_name(struct frames *f, struct span sym, enum v8work work)
{
    const struct rules *r = f->rules;
    struct v8name n;
    if (work != WORK_NONE) {
        sym = v8work_name(work);
    } else if (r->names != V8_NAMES_RAW && v8name_parse(sym, &n)) {
        put_v8name(&n, r->names == V8_NAMES_TIER, &f->scratch);
        sym = settle(f);
    }
    return substitute(f, sym, false);
}

/* The frame's text with another symbol and DSO. The offset was the old symbol's. */
static struct span
new_text(struct frames *f, const struct frame_parts *p, struct span name, struct span dso)
{
    if (span_eq(name, p->sym) && span_eq(dso, p->dso))
        return p->whole;
    const char *end = p->whole.ptr + p->whole.len, *at = p->sym.ptr + p->sym.len;
    text_add(&f->scratch, span_of(p->whole.ptr, (size_t)(p->sym.ptr - p->whole.ptr)));
    text_add(&f->scratch, name);
    if (!span_eq(name, p->sym))
        at += p->offset.len;
    if (p->dso.len > 0) {
        text_add(&f->scratch, span_of(at, (size_t)(p->dso.ptr - at)));
        text_add(&f->scratch, dso);
        at = p->dso.ptr + p->dso.len;
    }
    text_add(&f->scratch, span_of(at, (size_t)(end - at)));
    return settle(f);
}

static bool
is_dropped(const struct rules *r, const struct frame_parts *p, enum v8work work, unsigned matched)
{
    if (matched & 1u << LIST_DROP || (r->counts[LIST_KEEP] > 0 && !(matched & 1u << LIST_KEEP)))
        return true;
    if (r->hidden & 1u << frame_kind(p->sym, p->dso))
        return true;
    if (r->drop_unknown && (is_unknown(p->sym) || span_starts(p->sym, SPAN("__libc_start"))))
        return true;
    return work != WORK_NONE && r->work == V8_WORK_HIDE;
}

void
frames_add(struct frames *f, const struct frame_parts *p)
{
    const struct rules *r = f->rules;
    enum v8work work = r->work != V8_WORK_SHOW ? v8work_of(p->sym) : WORK_NONE;
    enum v8work shown = r->work == V8_WORK_SUMMARIZE ? work : WORK_NONE;
    struct span name = new_name(f, p->sym, shown), dso = substitute(f, p->dso, true);
    unsigned matched = rules_match(r, p->sym, name, p->dso);
    f->list = mem_grow(f->list, &f->cap, f->count + 1, sizeof *f->list);
    f->list[f->count++] = (struct frame){
        .text = new_text(f, p, name, dso),
        .name = intern_add(&f->names, is_unknown(name) && dso.len > 0 ? dso : name),
        .dropped = is_dropped(r, p, work, matched),
        .matched = (unsigned char)matched,
        .work = (unsigned char)shown,
    };
}
