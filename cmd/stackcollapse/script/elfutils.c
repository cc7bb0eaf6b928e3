/* stackcollapse-elfutils.pl */
#include "cmd/stackcollapse/script/scriptstack.h"

#include <stdlib.h>

struct state {
    struct lineformat base;
    struct text pid, tid; /* their digits */
};

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
emit(void *state)
{
    struct state *st = state;
    const struct foldname_options *o = &st->base.c->options->fold.names;
    if (st->base.stack.n > 0 && o->tid)
        push_number(&st->base, SPAN("TID="), &st->tid);
    if (st->base.stack.n > 0 && o->pid)
        push_number(&st->base, SPAN("PID="), &st->pid);
    lineformat_emit_reversed(&st->base);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span name, number = line;
    if (span_skip(&number, SPAN("PID "))) {
        emit(st);
        text_set(&st->pid, span_take_run(&number, is_digit));
    } else if (span_skip(&number, SPAN("TID "))) {
        emit(st);
        text_set(&st->tid, span_take_run(&number, is_digit));
    } else if (parse_frame(line, &name)) {
        scriptstack_prepend(&st->base, name);
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->pid.ptr);
    free(st->tid.ptr);
}

const struct format script_elfutils = {
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
