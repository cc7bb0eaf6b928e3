/* stackcollapse-wcp.pl: a stack ends at a blank line only. Without one it joins the next, and the
 * last one is lost. */
#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

static void
take(struct stacker *f, struct span line)
{
    line = span_trim(line);
    struct span name = line;
    if (span_starts(line, SPAN("Full stacks")))
        f->started = true;
    else if (!f->started || parts_wcp_samples(line, &f->count))
        return;
    else if (span_take_run(&name, is_digit).len > 0 && span_skip(&name, SPAN(": ")))
        stacker_push_leaf_first(f, name);
    else if (line.len == 0)
        stacker_emit(f, LEAF_FIRST, f->count);
}

const struct format script_wcp = {.take = take};
