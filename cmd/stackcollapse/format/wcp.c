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
#include "cmd/stackcollapse/build/wcpsamples.h"

struct state {
    struct lineformat base;
    bool started;           /* after "Full stacks" */
    bool counted;           /* a line with `samples` was read, and its stack is not yet emitted */
    struct decimal samples; /* of the stack */
};

static void
emit(struct state *st)
{
    if (st->base.stack.n == 0 && st->counted)
        input_skip(&st->base.c->input, "a stack without frames ends here");
    lineformat_emit_reversed(&st->base, st->samples);
    st->counted = false;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct decimal samples;
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks"))) {
        st->started = true;
    } else if (!st->started) {
        return;
    } else if (wcpsamples_parse(line, &samples)) {
        emit(st);
        st->samples = samples;
        st->counted = true;
    } else if (st->counted && span_take_run(&name, is_digit).len > 0 &&
               span_skip(&name, SPAN(": "))) { /* "1: poll   (at /home/user/app/loop.c:343)" */
        stackbuild_push(&st->base.stack, name);
    } else if (line.len == 0) {
        emit(st);
    } else {
        input_skip(&st->base.c->input, "not a line of wallClockProfiler");
    }
}

static void
finish(void *state)
{
    struct state *st = state;
    emit(st);
    st->started = false;
}

static bool
is_wcp(struct span line)
{
    struct decimal samples;
    return span_starts(line, SPAN("Full stacks with at least ")) ||
           wcpsamples_parse(span_trim(line), &samples);
}

const struct format format_wcp = {
    .is = is_wcp,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
};
