/* stackcollapse-wcp.pl: a stack ends at a blank line only. Without one it joins the next, and the
 * last one is lost. */
#include "cmd/stackcollapse/script/scriptstack.h"

struct state {
    struct lineformat base;
    bool started; /* after "Full stacks" */
    struct decimal samples;
};

static bool
is_bar(char c)
{
    return c == '=';
}

/* /^\d+\.\d+% =+ \((\d+) samples\)/ */
static bool
parse_samples(struct span line, struct decimal *samples)
{
    if (span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN(".")) ||
        span_take_run(&line, is_digit).len == 0 || !span_skip(&line, SPAN("% ")) ||
        span_take_run(&line, is_bar).len == 0 || !span_skip(&line, SPAN(" (")))
        return false;
    struct span count = span_take_run(&line, is_digit);
    return span_starts(line, SPAN(" samples)")) && decimal_parse(count, samples);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks"))) {
        st->started = true;
    } else if (!st->started || parse_samples(line, &st->samples)) {
        return;
    } else if (span_take_run(&name, is_digit).len > 0 && span_skip(&name, SPAN(": "))) {
        scriptstack_push_leaf_first(&st->base, name);
    } else if (line.len == 0 && st->base.stack.n > 0) {
        stackbuild_reverse(&st->base.stack, 0);
        scriptstack_emit(&st->base, st->samples);
    }
}

const struct format script_wcp = {.state_size = sizeof(struct state), .take = take};
