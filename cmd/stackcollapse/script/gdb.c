/* Replaces stackcollapse-gdb.pl. Any line that is no frame ends the stack; "Thread" drops it. */
#include "cmd/stackcollapse/script/scriptparts.h"

/* Match /^#[0-9]* *([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*)/. The name is the first word or, if that is an
 * address, the third. */
static bool
parse_frame(struct span line, struct span *name)
{
    struct span word[3];
    if (!span_skip(&line, SPAN("#")))
        return false;
    span_take_run(&line, is_digit);
    if (!script_words(line, word, 3))
        return false;
    *name = span_search(word[0], SPAN("0x")) == SPAN_NONE ? word[0] : word[2];
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    struct span name;
    if (span_starts(line, SPAN("Thread")))
        f->n = 0;
    else if (parse_frame(line, &name))
        scriptstack_prepend(f, name);
    else
        stacker_emit(f, LEAF_FIRST, ONCE);
}

const struct format script_gdb = {.take = take, .finish = stacker_finish};
