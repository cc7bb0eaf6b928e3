/* Stacks of eu-stack, one after the other, leaf first (eu-stack(1)); with -v a caller's address is
 * followed by "- 1":
 *
 *     PID 4242 - process
 *     TID 4242:
 *     #0  0x00007f14ce2d9745 clock_nanosleep
 *     #1  0x000055e3c1b4f0a5 - 1 work::run(int)
 *     #2  0x000055e3c1b4f1c0
 *     TID 4243:
 *     #0  0x00007f14ce2d9745 poll */
#include "cmd/stackcollapse/build/lineformat.h"

enum { PID, TID }; /* their digits are the texts kept */

/* Sets *name to what follows the address. */
static bool
parse_frame(struct span line, struct span *name)
{
    if (!span_skip(&line, SPAN("#")))
        return false;
    span_take_run(&line, is_digit);
    span_take_run(&line, is_blank);
    if (!span_skip(&line, SPAN("0x")))
        return false;
    span_take_run(&line, is_hex);
    *name = span_skip(&line, SPAN(" ")) ? line : SPAN("");
    return true;
}

static void
push(struct lineformat *f, struct span name)
{
    if (span_eq(name, SPAN("- 1")))
        name = SPAN("");
    span_skip(&name, SPAN("- 1 "));
    stackbuild_push(&f->stack, name.len > 0 ? name : SPAN("[unknown]"));
}

/* Push "PID=4242", the process of the stack, or its thread. */
static void
push_number(struct lineformat *f, struct span label, const struct text *number)
{
    text_set(&f->name, label);
    text_add(&f->name, text_span(number));
    stackbuild_push(&f->stack, text_span(&f->name));
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
        push(f, name);
    } else if (span_starts(line, SPAN("#"))) {
        input_skip(&f->c->input, "not a frame of eu-stack");
    }
}

/* A frame, or "PID 4242 - process"; a frame of gdb has "in" after the address. */
static bool
is_elfutils(struct span line)
{
    struct span name;
    bool frame = parse_frame(line, &name) && line.len > 1 && is_digit(line.ptr[1]);
    return (frame && !span_starts(name, SPAN("in "))) ||
           (span_starts(line, SPAN("PID ")) && span_ends(line, SPAN(" - process")));
}

const struct format format_elfutils = {
    .is = is_elfutils,
    .hash_is_text = true,
    .take = take,
    .finish = finish,
};
