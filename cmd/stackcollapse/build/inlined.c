#include "cmd/stackcollapse/build/inlined.h"

#include <stdlib.h>

#include "cmd/stackcollapse/build/dialect.h"

static struct span
take_line(struct span *lines)
{
    size_t end = span_find(*lines, '\n');
    struct span line = span_head(*lines, end);
    *lines = span_from(*lines, end + 1);
    return line;
}

/* Under the Perl script's name: addr2line's names as they are. False where it knows nothing. */
static bool
add_raw(struct foldname *n, struct span calls, bool context)
{
    struct span name = take_line(&calls), source = take_line(&calls);
    if (calls.len == 0 && span_eq(name, SPAN("??")) && (!context || span_eq(source, SPAN("??:0"))))
        return false;
    for (;; name = take_line(&calls), source = take_line(&calls)) {
        text_add(&n->text, name);
        if (context) {
            text_add(&n->text, SPAN(":"));
            text_add(&n->text, source);
        }
        foldname_push(n);
        if (calls.len == 0)
            return true;
    }
}

static void
add_source(struct foldname *n, struct span source, bool context)
{
    size_t at = n->text.len;
    if (!context || span_starts(source, SPAN("??:")))
        return;
    text_add(&n->text, SPAN(":"));
    text_add(&n->text, source);
    foldname_replace(n, at, ';', ':');
}

/* Adds the calls, of which the first is the function around the others. addr2line's name for that
 * one is used only where perf has no symbol: it depends on how the function was declared. */
static bool
add_calls(struct foldname *n, const struct frame *f, bool java, struct span calls, bool context)
{
    bool unnamed = frame_is_nameless(f);
    if (unnamed && span_starts(calls, SPAN("??\n")))
        return false;
    struct text outermost = {0};
    struct span name = take_line(&calls), source = take_line(&calls);
    foldname_write_symbol(n, unnamed ? name : f->sym, f, java);
    text_add(&outermost, text_span(&n->text));
    foldname_annotate(n, f);
    add_source(n, source, context);
    foldname_push(n);
    while (calls.len > 0) {
        name = take_line(&calls), source = take_line(&calls);
        foldname_write_symbol(n, name, f, java);
        /* addr2line 2.40 gives the innermost function the name of the symbol, where both begin at
         * the same address and the function has no linkage name. That would look like recursion. */
        if (calls.len == 0 && span_eq(text_span(&n->text), text_span(&outermost))) {
            n->text.len = 0;
            break;
        }
        add_source(n, source, context);
        foldname_push(n);
    }
    free(outermost.ptr);
    return true;
}

bool
inlined_add(struct foldname *n, const struct frame *f, bool java)
{
    struct inlined *in = n->ctx;
    bool raw = in->options->dialect->raw_inlined, context = in->options->context;
    if (!inliner_wants(f->dso))
        return false;
    if (in->inliner == NULL)
        in->inliner = inliner_new(in->diag, raw);
    struct span calls = inliner_ask(in->inliner, f);
    if (calls.len == 0)
        return false;
    return raw ? add_raw(n, calls, context) : add_calls(n, f, java, calls, context);
}
