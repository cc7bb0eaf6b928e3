#include "cmd/stackcollapse/shared/pstack.h"

/* Push "PID=4242", the process of the stack, or its thread. */
static void
push_number(struct stacker *f, struct span label, const struct text *number)
{
    TEXT_SET(&f->name, label, text_span(number));
    stacker_push(f, text_span(&f->name));
}

void
pstack_eu_finish(struct stacker *f)
{
    const struct pstack *p = (const struct pstack *)f;
    const struct foldname_options *o = &f->c->options->fold.names;
    if (f->n > 0 && o->tid)
        push_number(f, SPAN("TID="), &p->thread);
    if (f->n > 0 && o->pid)
        push_number(f, SPAN("PID="), &p->process);
    stacker_emit(f, LEAF_FIRST, ONCE);
}

bool
pstack_eu_take(struct stacker *f, struct span line)
{
    struct pstack *p = (struct pstack *)f;
    bool process = span_skip(&line, SPAN("PID "));
    if (!process && !span_skip(&line, SPAN("TID ")))
        return false;
    pstack_eu_finish(f);
    text_set(process ? &p->process : &p->thread, span_take_run(&line, is_digit));
    return true;
}

bool
pstack_eu_frame(struct span line, bool glued, struct span *name)
{
    if (!span_skip(&line, SPAN("#")))
        return false;
    struct span digits = span_take_run(&line, is_digit);
    if (glued && span_ends(digits, SPAN("0")) && span_starts(line, SPAN("x")))
        line = span_of(line.ptr - 1, line.len + 1);
    span_take_run(&line, is_blank);
    if (!span_skip(&line, SPAN("0x")))
        return false;
    span_take_run(&line, is_hex);
    *name = span_skip(&line, SPAN(" ")) ? line : SPAN("[unknown]");
    return true;
}

void
pstack_aix_finish(struct stacker *f)
{
    if (f->n > 0)
        stacker_push_leaf_first(f, text_span(&((struct pstack *)f)->process));
    stacker_emit(f, LEAF_FIRST, ONCE);
}

bool
pstack_aix_take(struct stacker *f, struct span line)
{
    struct span rest = line;
    bool process = span_take_run(&rest, is_digit).len > 0 && span_skip(&rest, SPAN(":"));
    if (!process &&
        !(span_skip(&line, SPAN("---------- tid# ")) && span_run(line, 0, is_digit) > 0))
        return false;
    pstack_aix_finish(f);
    if (process)
        text_set(&((struct pstack *)f)->process,
                 span_skip(&rest, SPAN(" ")) ? span_before(rest, ' ') : SPAN(""));
    return true;
}
