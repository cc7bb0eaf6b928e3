/* stackcollapse-wcp.pl: a stack ends at a blank line only. Without one it joins the next, and the
 * last one is lost. */
#include "cmd/stackcollapse/build/wcpsamples.h"
#include "cmd/stackcollapse/script/scriptstack.h"

struct state {
    struct lineformat base;
    bool started; /* after "Full stacks" */
    struct decimal samples;
};

static void
take(void *state, struct span line)
{
    struct state *st = state;
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks"))) {
        st->started = true;
    } else if (!st->started || wcpsamples_parse(line, &st->samples)) {
        return;
    } else if (span_take_run(&name, is_digit).len > 0 && span_skip(&name, SPAN(": "))) {
        scriptstack_push_leaf_first(&st->base, name);
    } else if (line.len == 0 && st->base.stack.n > 0) {
        stackbuild_reverse(&st->base.stack, 0);
        scriptstack_emit(&st->base, st->samples);
    }
}

const struct format script_wcp = {.state_size = sizeof(struct state), .take = take};
