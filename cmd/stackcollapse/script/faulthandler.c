/* Replaces stackcollapse-faulthandler.pl. Any line that is no frame ends the stack; "Thread" drops
 * it. */
#include "cmd/stackcollapse/script/scriptparts.h"

/* Match /^ File "([^"]*)", line ([0-9]*) in (.*)/, and set f->name to the three parts, joined by
 * ":". */
static bool
parse_frame(struct stacker *f, struct span line)
{
    if (!span_skip(&line, SPAN("  File \"")))
        return false;
    size_t quote = span_find(line, '"');
    struct span rest = span_from(line, quote != SPAN_NONE ? quote : line.len);
    if (!span_skip(&rest, SPAN("\", line ")))
        return false;
    struct span number = span_take_run(&rest, is_digit);
    if (!span_skip(&rest, SPAN(" in ")))
        return false;
    TEXT_SET(&f->name, span_head(line, quote), SPAN(":"), number, SPAN(":"), rest);
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    if (parse_frame(f, line))
        stacker_push_leaf_first(f, text_span(&f->name));
    else if (span_starts(line, SPAN("Thread")))
        f->n = 0;
    else
        stacker_emit(f, LEAF_FIRST, ONCE);
}

const struct format script_faulthandler = {.take = take, .finish = stacker_finish};
