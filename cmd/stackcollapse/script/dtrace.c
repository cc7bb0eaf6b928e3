/* Replaces stackcollapse.pl, for DTrace. */
#include "cmd/stackcollapse/shared/counted.h"
#include "cmd/stackcollapse/script/scriptparts.h"

enum { HEADER = 3 }; /* number of lines that the script skips, whatever they are */

/* Remove all from the last "(" or "<" after the first "::" on. */
static struct span
without_arguments(struct span frame)
{
    size_t colons = span_search(frame, SPAN("::"));
    for (size_t i = frame.len; colons != SPAN_NONE && i > colons + 2; i--)
        if (frame.ptr[i - 1] == '(' || frame.ptr[i - 1] == '<')
            return span_head(frame, i - 1);
    return frame;
}

/* Take a line. With --includeoffset, only the leaf loses its offset. */
static void
take(struct stacker *f, struct span line)
{
    if (f->lines <= HEADER || scriptstack_count(f, line))
        return;
    span_take_run(&line, is_space);
    size_t plus = span_rfind(line, '+');
    if (!f->c->options->offsets || f->n == 0)
        line = span_head(line, plus != SPAN_NONE ? plus : line.len); /* s/\+[^+]*$// */
    line = without_arguments(line);
    counted_push_inlined(f, line.len > 0 ? line : SPAN("-"), true);
}

const struct format script_dtrace = {.take = take};
