/* The report of wallClockProfiler, leaf first (github.com/jasonrohrer/wallClockProfiler):
 *
 *     Full stacks with at least 0.100% of samples:
 *
 *     99.791% ===================================== (17194 samples)
 *            1: poll   (at /home/user/app/loop.c:343)
 *            2: main   (at /home/user/app/main.c:12)
 *
 * Two blank lines are between stacks. */
#include "cmd/stackcollapse/build/lineformat.h"

struct state {
    struct lineformat base;
    bool started;           /* after "Full stacks" */
    bool counted;           /* a line with `samples` was read, and its stack is not yet emitted */
    struct decimal samples; /* of the stack */
};

static bool
is_bar(char c)
{
    return c == '=';
}

/* "99.791% ==== (17194 samples)" */
static bool
parse_samples(struct span line, struct decimal *samples)
{
    size_t whole = span_run(line, 0, is_digit);
    if (whole == 0 || !span_starts(span_from(line, whole), SPAN(".")))
        return false;
    size_t fraction = span_run(line, whole + 1, is_digit);
    line = span_from(line, whole + 1 + fraction);
    if (fraction == 0 || !span_starts(line, SPAN("% ")))
        return false;
    size_t bar = span_run(line, 2, is_bar);
    line = span_from(line, 2 + bar);
    if (bar == 0 || !span_starts(line, SPAN(" (")))
        return false;
    size_t digits = span_run(line, 2, is_digit);
    return digits > 0 && span_starts(span_from(line, 2 + digits), SPAN(" samples)")) &&
           decimal_parse(span_of(line.ptr + 2, digits), samples);
}

/* "1: poll   (at /home/user/app/loop.c:343)" */
static bool
parse_frame(struct span line, struct span *name)
{
    size_t digits = span_run(line, 0, is_digit);
    if (digits == 0 || !span_starts(span_from(line, digits), SPAN(": ")))
        return false;
    *name = span_from(line, digits + 2);
    return true;
}

static void
emit(struct state *st)
{
    stackbuild_reverse(&st->base.stack, 0);
    if (st->base.stack.n > 0)
        lineformat_emit(&st->base, st->samples);
    else if (st->counted && !st->base.script)
        input_skip(&st->base.c->input, "a stack without frames ends here");
    st->counted = false;
}

/* To the script a stack ends at a blank line only, and without one it joins the next. */
static void
begin(struct state *st, struct decimal samples)
{
    if (st->counted && !st->base.script)
        emit(st);
    st->samples = samples;
    st->counted = true;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct decimal samples;
    struct span name;
    line = span_trim(line);
    if (span_starts(line, SPAN("Full stacks")))
        st->started = true;
    else if (!st->started)
        return;
    else if (parse_samples(line, &samples))
        begin(st, samples);
    else if (parse_frame(line, &name) && (st->counted || st->base.script))
        lineformat_push_leaf_first(&st->base, name);
    else if (line.len == 0)
        emit(st);
    else if (!st->base.script)
        input_skip(&st->base.c->input, "not a line of wallClockProfiler");
}

/* The script loses a last stack that no blank line follows. */
static void
finish(void *state)
{
    struct state *st = state;
    if (st->base.script)
        return;
    emit(st);
    st->started = false;
}

static bool
is_wcp(struct span line)
{
    struct decimal samples;
    return span_starts(line, SPAN("Full stacks with at least ")) ||
           parse_samples(span_trim(line), &samples);
}

const struct format format_wcp = {
    .is = is_wcp,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
};
