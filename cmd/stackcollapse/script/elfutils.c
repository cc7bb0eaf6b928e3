/* stackcollapse-elfutils.pl */
#include "cmd/stackcollapse/script/scriptstack.h"

enum { PID, TID }; /* their digits are the texts kept */

/* /^#[0-9]* *0x[0-9a-f]*( (.*))?/; the 0 of "0x" may be the number's last digit. */
static bool
parse_frame(struct span line, struct span *name)
{
    if (!span_skip(&line, SPAN("#")))
        return false;
    struct span digits = span_take_run(&line, is_digit);
    if (span_ends(digits, SPAN("0")) && span_starts(line, SPAN("x")))
        line = span_of(line.ptr - 1, line.len + 1);
    span_take_run(&line, is_blank);
    if (!span_skip(&line, SPAN("0x")))
        return false;
    span_take_run(&line, is_hex);
    *name = span_skip(&line, SPAN(" ")) ? line : SPAN("[unknown]");
    return true;
}

/* Push "PID=4242", the process of the stack, or its thread. */
static void
push_number(struct lineformat *f, struct span label, const struct text *number)
{
    text_set(&f->name, label);
    text_add(&f->name, text_span(number));
    scriptstack_push(f, text_span(&f->name));
}

static void
finish(void *state)
{
    struct lineformat *f = state;
    const struct foldname_options *o = &f->c->options->fold.names;
    if (f->stack.n > 0 && o->tid)
        push_number(f, SPAN("TID="), &f->kept[TID]);
    if (f->stack.n > 0 && o->pid)
        push_number(f, SPAN("PID="), &f->kept[PID]);
    lineformat_finish(f);
}

static void
take(void *state, struct span line)
{
    struct lineformat *f = state;
    struct span name, number = line;
    if (span_skip(&number, SPAN("PID "))) {
        finish(f);
        text_set(&f->kept[PID], span_take_run(&number, is_digit));
    } else if (span_skip(&number, SPAN("TID "))) {
        finish(f);
        text_set(&f->kept[TID], span_take_run(&number, is_digit));
    } else if (parse_frame(line, &name)) {
        scriptstack_prepend(f, name);
    }
}

const struct format script_elfutils = {
    .take = take,
    .finish = finish,
};
