/* Replaces stackcollapse-stap.pl. */
#include "cmd/stackcollapse/script/scriptparts.h"

/* Do s/\+[^+]*$//; s/.* : //. An empty frame becomes "-". */
static struct span
name_of(struct span frame)
{
    size_t plus = span_rfind(frame, '+');
    frame = span_head(frame, plus != SPAN_NONE ? plus : frame.len);
    size_t colon = span_rsearch(frame, SPAN(" : "));
    frame = span_from(frame, colon != SPAN_NONE ? colon + 3 : 0);
    return frame.len > 0 ? frame : SPAN("-");
}

static void
take(struct stacker *f, struct span line)
{
    if (!scriptstack_count(f, line))
        stacker_push_leaf_first(f, name_of(span_from(line, span_run(line, 0, is_space))));
}

const struct format script_stap = {.take = take};
