/* Tracebacks of Python's module faulthandler, one after the other, leaf first (the module's page in
 * Python's documentation):
 *
 *     Timeout (0:00:05)!
 *     Thread 0x00007fc2f0ed06c0 (most recent call first):
 *       File "/home/user/app/fh.py", line 3 in spin
 *       File "/usr/lib/python3.11/threading.py", line 1002 in _bootstrap
 *
 *     Current thread 0x00007fc2f1c30b80 (most recent call first):
 *       File "/home/user/app/fh.py", line 14 in <module> */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

struct pyframe {
    struct span file, line, function;
};

/* The script cannot read a file's name that holds quotation marks. */
static bool
parse_frame(struct span line, bool script, struct pyframe *p)
{
    const struct span file = SPAN("  File \""), number = SPAN("\", line "), in = SPAN(" in ");
    if (!span_starts(line, file))
        return false;
    line = span_from(line, file.len);
    for (size_t from = 0, at; (at = span_search(span_from(line, from), number)) != SPAN_NONE;
         from += at + 1) {
        size_t end = from + at + number.len, digits = span_run(line, end, is_digit);
        struct span rest = span_from(line, end + digits);
        if (script && span_find(span_head(line, from + at), '"') != SPAN_NONE)
            return false;
        if (!span_starts(rest, in) || (!script && (digits == 0 || rest.len == in.len)))
            continue;
        *p = (struct pyframe){span_head(line, from + at), span_of(line.ptr + end, digits),
                              span_from(rest, in.len)};
        return true;
    }
    return false;
}

static void
push(struct lineformat *f, const struct pyframe *p)
{
    f->name.len = 0;
    text_add(&f->name, p->file);
    text_add(&f->name, SPAN(":"));
    text_add(&f->name, p->line);
    text_add(&f->name, SPAN(":"));
    text_add(&f->name, p->function);
    lineformat_push_leaf_first(f, text_span(&f->name));
}

static void
take(void *state, struct span line)
{
    struct lineformat *f = state;
    struct pyframe p;
    if (parse_frame(line, f->script, &p))
        push(f, &p);
    else if (f->script && span_starts(line, SPAN("Thread")))
        stackbuild_clear(&f->stack);
    else if (!f->script && span_starts(line, SPAN("  File ")))
        input_skip(&f->c->input, "not a frame of faulthandler");
    else
        lineformat_emit_reversed(f);
}

static bool
is_frame(struct span line)
{
    struct pyframe p;
    return parse_frame(line, false, &p) ||
           ((span_starts(line, SPAN("Thread 0x")) ||
             span_starts(line, SPAN("Current thread 0x"))) &&
            span_search(line, SPAN(" (most recent call first):")) != SPAN_NONE);
}

const struct format format_faulthandler = {
    .is = is_frame,
    .state_size = sizeof(struct lineformat),
    .take = take,
    .finish = lineformat_finish,
};
