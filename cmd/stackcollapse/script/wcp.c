/* Replaces stackcollapse-wcp.pl, in which only a blank line ends a stack. Without one, a stack is
 * joined with the next, and the last one is lost. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

struct wcp_script {
    struct stacker base;
    bool started; /* "Full stacks" was read */
    struct decimal count;
};

static void
take(struct stacker *f, struct span line)
{
    struct wcp_script *w = (struct wcp_script *)f;
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks")))
        w->started = true;
    else if (!w->started || parts_wcp_samples(line, &w->count))
        return;
    else if (span_take_run(&name, is_digit).len > 0 && span_skip(&name, SPAN(": ")))
        stacker_push_leaf_first(f, name);
    else if (line.len == 0)
        stacker_emit(f, LEAF_FIRST, w->count);
}

const struct format script_wcp = {.state_size = sizeof(struct wcp_script), .take = take};
