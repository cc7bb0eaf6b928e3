#include "cmd/stackcollapse/shared/pprofraw.h"

#include <stdlib.h>

#include "common/base/num.h"

struct span
pprofraw_list(struct span text)
{
    return span_skip(&text, SPAN(": ")) ? span_take_of(&text, SPAN("0123456789 ")) : SPAN("");
}

void
pprofraw_sample(struct stacker *f, struct span list, struct span value)
{
    struct pprofraw *p = (struct pprofraw *)f;
    uint64_t n = 0;
    uint32_t stack = intern_add(&p->stacks, list);
    VEC_REACH(p->values, p->stacks.count);
    num_u64(value, &n);
    p->values.at[stack] = num_add(p->values.at[stack], n);
    f->c->samples++;
}

void
pprofraw_location(struct stacker *f, struct span number, struct span name)
{
    struct pprofraw *p = (struct pprofraw *)f;
    p->location = intern_add(&p->ids, number);
    VEC_REACH(p->names, p->ids.count);
    text_set(&p->names.at[p->location], name);
}

void
pprofraw_inlined(struct stacker *f, struct span name)
{
    struct pprofraw *p = (struct pprofraw *)f;
    TEXT_ADD(&p->names.at[p->location], SPAN("\n"), name);
}

static void
push_location(struct pprofraw *p, struct span number)
{
    uint32_t id = intern_find(&p->ids, number);
    struct span names = id != INTERN_NONE ? text_span(&p->names.at[id]) : SPAN("");
    if (names.len == 0)
        stacker_push_leaf_first(&p->base, number);
    while (names.len > 0)
        stacker_push_leaf_first(&p->base, span_take(&names, '\n'));
}

void
pprofraw_finish(struct stacker *f)
{
    struct pprofraw *p = (struct pprofraw *)f;
    bool raw = f->c->options->dialect == &dialect_perl;
    for (uint32_t i = 0; i < p->stacks.count; i++) {
        struct span list = intern_text(&p->stacks, i);
        while (span_ends(list, SPAN(" ")))
            list.len--;
        while (list.len > 0) {
            struct span number = span_take(&list, ' ');
            if (number.len > 0 || raw)
                push_location(p, number);
        }
        if (f->n == 0 && raw)
            stacker_push(f, SPAN(""));
        stacker_add(f, LEAF_FIRST, (struct decimal){p->values.at[i], 0});
    }
}

void
pprofraw_end(struct stacker *f)
{
    struct pprofraw *p = (struct pprofraw *)f;
    for (size_t i = 0; i < p->names.n; i++)
        free(p->names.at[i].ptr);
}
