/* Replaces stackcollapse-ibmjava.pl, which ends a thread only at its native callstack, and loses
 * the last one if there is none after it. See format/ibmjava.c. */
#include "cmd/stackcollapse/shared/javacore.h"

/* Parse the name in `3XMTHREADINFO      "main" J9VMThread:0x1, state:R, prio=5`. The line must
 * have " state:" and then ", ". The name ends at its quotation mark, or at " state:" if that is
 * earlier. */
static bool
parse_name(struct span line, struct span *name)
{
    size_t state = SPAN_NONE;
    if (!span_skip(&line, SPAN("3XMTHREADINFO      \"")))
        return false;
    size_t comma = span_rsearch(line, SPAN(", "));
    if (comma != SPAN_NONE)
        state = span_rsearch(span_head(line, comma), SPAN(" state:"));
    size_t quote = span_find(line, '"');
    *name = span_head(line, quote < state ? quote : state != SPAN_NONE ? state : 0);
    return state != SPAN_NONE;
}

static bool
take_name(struct stacker *f, struct span line)
{
    struct span name;
    bool named = parse_name(line, &name);
    if (!named && !span_holds(line, SPAN("3XMTHREADINFO      Anonymous native thread")))
        return false;
    if (!named || !f->c->options->fold.no_comm)
        javacore_name(f, named ? name : SPAN("Anonymous native thread"));
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    javacore_take(f, line, take_name);
}

const struct format script_ibmjava = {JAVACORE_FORMAT, .take = take};
