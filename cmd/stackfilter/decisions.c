#include "cmd/stackfilter/decisions.h"

#include "common/stack/foldedtext.h"
#include "common/stack/v8name.h"

void
decisions_init(struct decisions *d, const struct rules *rules)
{
    *d = (struct decisions){.rules = rules};
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

/* Copies the scratch text to the arena and empties it. */
static struct span
settle(struct decisions *d)
{
    struct span s = arena_copy(&d->arena, text_span(&d->scratch));
    d->scratch.len = 0;
    return s;
}

/* s after the substitutions for symbols, or after those for DSOs. */
static struct span
substitute(struct decisions *d, struct span s, bool dso)
{
    const struct rules *r = d->rules;
    for (size_t i = 0; i < r->nrenames; i++)
        if (r->renames[i].dso == dso && rename_apply(&r->renames[i].rename, s, &d->scratch))
            s = settle(d);
    return s;
}

/* The symbol as it is to be written. */
static struct span
new_name(struct decisions *d, struct span sym, enum v8work work)
{
    const struct rules *r = d->rules;
    struct v8name n;
    if (work != WORK_NONE) {
        sym = v8work_name(work);
    } else if (r->names != V8_NAMES_RAW && v8name_parse(sym, &n)) {
        put_v8name(&n, r->names == V8_NAMES_TIER, &d->scratch);
        sym = settle(d);
    }
    return substitute(d, sym, false);
}

static bool
is_dropped(const struct rules *r, struct span sym, struct span dso, enum v8work work,
           unsigned matched)
{
    if (matched & 1u << LIST_DROP || (r->counts[LIST_KEEP] > 0 && !(matched & 1u << LIST_KEEP)))
        return true;
    if (r->hidden != 0 && r->hidden & 1u << frame_kind(sym, dso))
        return true;
    if (r->drop_unknown && (is_unknown(sym) || span_starts(sym, SPAN("__libc_start"))))
        return true;
    return work != WORK_NONE && r->work == V8_WORK_HIDE;
}

struct decision *
decisions_make(struct decisions *d, uint32_t frame, struct span *sym, struct span *dso)
{
    const struct rules *r = d->rules;
    enum v8work work = r->work != V8_WORK_SHOW ? v8work_of(*sym) : WORK_NONE;
    enum v8work shown = r->work == V8_WORK_SUMMARIZE ? work : WORK_NONE;
    struct span name = new_name(d, *sym, shown), new_dso = substitute(d, *dso, true);
    unsigned matched = rules_match(r, *sym, name, *dso);
    d->list = mem_grow(d->list, &d->cap, (size_t)frame + 1, sizeof *d->list);
    d->list[frame] = (struct decision){
        .shown = frame,
        .name = intern_add(&d->names, is_unknown(name) && new_dso.len > 0 ? new_dso : name),
        .dropped = is_dropped(r, *sym, *dso, work, matched),
        .matched = (unsigned char)matched,
        .work = (unsigned char)shown,
    };
    *sym = name;
    *dso = new_dso;
    return &d->list[frame];
}
