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
#include "cmd/stackcollapse/shared/stacker.h"

struct pyframe {
    struct span file, line, function;
};

/* Parse a frame. The name of a file may contain quotation marks. */
static bool
parse_frame(struct span line, struct pyframe *p)
{
    const struct span number = SPAN("\", line ");
    if (!span_skip(&line, SPAN("  File \"")))
        return false;
    for (size_t end = 0, at; (at = span_search(span_from(line, end), number)) != SPAN_NONE; end++) {
        end += at;
        struct span rest = span_from(line, end + number.len);
        p->file = span_head(line, end);
        p->line = span_take_run(&rest, is_digit);
        if (p->line.len > 0 && span_skip(&rest, SPAN(" in ")) && rest.len > 0) {
            p->function = rest;
            return true;
        }
    }
    return false;
}

static void
take(struct stacker *f, struct span line)
{
    struct pyframe p;
    if (parse_frame(line, &p)) {
        TEXT_SET(&f->name, p.file, SPAN(":"), p.line, SPAN(":"), p.function);
        stacker_push(f, text_span(&f->name));
    } else if (span_starts(line, SPAN("  File "))) {
        input_skip(&f->c->input, "not a frame of faulthandler");
    } else {
        stacker_emit(f, LEAF_FIRST, ONCE);
    }
}

static bool
is_frame(struct span line)
{
    struct pyframe p;
    return parse_frame(line, &p) ||
           ((span_starts(line, SPAN("Thread 0x")) ||
             span_starts(line, SPAN("Current thread 0x"))) &&
            span_search(line, SPAN(" (most recent call first):")) != SPAN_NONE);
}

const struct format format_faulthandler = {.is = is_frame, .take = take, .finish = stacker_finish};
