#include "cmd/stackcollapse/build/eustack.h"

enum { PID, TID }; /* their digits are the texts kept */

/* Push "PID=4242", the process of the stack, or its thread. */
static void
push_number(struct reader *f, struct span label, const struct text *number)
{
    text_set(&f->name, label);
    text_add(&f->name, text_span(number));
    stackbuild_push(&f->stack, text_span(&f->name));
}

void
eustack_finish(struct reader *f)
{
    const struct foldname_options *o = &f->c->options->fold.names;
    if (f->stack.n > 0 && o->tid)
        push_number(f, SPAN("TID="), &f->kept[TID]);
    if (f->stack.n > 0 && o->pid)
        push_number(f, SPAN("PID="), &f->kept[PID]);
    reader_finish(f);
}

bool
eustack_take(struct reader *f, struct span line)
{
    bool process = span_skip(&line, SPAN("PID "));
    if (!process && !span_skip(&line, SPAN("TID ")))
        return false;
    eustack_finish(f);
    text_set(&f->kept[process ? PID : TID], span_take_run(&line, is_digit));
    return true;
}
