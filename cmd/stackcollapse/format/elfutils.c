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

#include <stdlib.h>

struct state {
    struct lineformat base;
    struct text pid, tid; /* "PID=4242", "TID=4243": the frames that --pid and --tid add */
};

/* Sets *name to what follows the address, and returns true, if the line is a frame. Its ptr is NULL
 * if not even a blank does. */
static bool
parse_frame(struct span line, bool script, struct span *name)
{
    if (!span_starts(line, SPAN("#")))
        return false;
    size_t digits = span_run(line, 1, is_digit), at = 1 + digits;
    while (at < line.len && line.ptr[at] == ' ')
        at++;
    /* To the script's pattern the 0 of 0x may be the number's last digit. */
    if (script && at > 1 && at == 1 + digits && line.ptr[at - 1] == '0')
        at -= span_starts(span_from(line, at), SPAN("x"));
    struct span rest = span_from(line, at);
    if (!span_starts(rest, SPAN("0x")))
        return false;
    rest = span_from(rest, 2 + span_run(rest, 2, is_hex));
    *name = span_starts(rest, SPAN(" ")) ? span_from(rest, 1) : (struct span){NULL, 0};
    return true;
}

static void
push(struct lineformat *f, struct span name)
{
    if (!f->script && (span_starts(name, SPAN("- 1 ")) || span_eq(name, SPAN("- 1"))))
        name = span_from(name, name.len > 3 ? 4 : 3);
    if (name.ptr == NULL || (!f->script && name.len == 0))
        name = SPAN("[unknown]");
    if (f->script)
        lineformat_prepend(f, name);
    else
        lineformat_push_leaf_first(f, name);
}

static void
emit(void *state)
{
    struct state *st = state;
    const struct foldname_options *o = &st->base.c->options->fold.names;
    if (st->base.stack.n > 0 && o->tid)
        lineformat_push(&st->base, st->tid.len > 0 ? text_span(&st->tid) : SPAN("TID="));
    if (st->base.stack.n > 0 && o->pid)
        lineformat_push(&st->base, st->pid.len > 0 ? text_span(&st->pid) : SPAN("PID="));
    lineformat_emit_reversed(&st->base);
}

/* Sets *frame to "PID=4242", from "PID " and the number that the line has there. */
static void
set_number(struct text *frame, struct span line)
{
    frame->len = 0;
    text_add(frame, span_head(line, 3));
    text_add(frame, SPAN("="));
    text_add(frame, span_of(line.ptr + 4, span_run(line, 4, is_digit)));
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span name;
    if (parse_frame(line, st->base.script, &name)) {
        push(&st->base, name);
    } else if (span_starts(line, SPAN("PID ")) || span_starts(line, SPAN("TID "))) {
        emit(st);
        set_number(line.ptr[0] == 'P' ? &st->pid : &st->tid, line);
    } else if (span_starts(line, SPAN("#")) && !st->base.script) {
        input_skip(&st->base.c->input, "not a frame of eu-stack");
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->pid.ptr);
    free(st->tid.ptr);
}

/* A frame, or "PID 4242 - process"; a frame of gdb has "in" after the address. */
static bool
is_elfutils(struct span line)
{
    struct span name;
    bool frame = parse_frame(line, false, &name) && line.len > 1 && is_digit(line.ptr[1]);
    return (frame && !span_starts(name, SPAN("in "))) ||
           (span_starts(line, SPAN("PID ")) && span_ends(line, SPAN(" - process")));
}

const struct format format_elfutils = {
    .is = is_elfutils,
    .hash_is_text = true,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
