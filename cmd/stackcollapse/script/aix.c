/* stackcollapse-aix.pl */
#include "cmd/stackcollapse/script/scriptnum.h"
#include "cmd/stackcollapse/script/scriptstack.h"

#include <stdlib.h>

struct state {
    struct lineformat base;
    struct text process;
};

/* /^(0x[0-9abcdef]*) *([^ ]*) ([^ ]*) ([^ ]*)/: the second up to a parenthesis or, if that is in
 * brackets, the first. */
static bool
parse_frame(struct span line, struct span *name)
{
    struct span rest = line, word[2];
    if (!span_skip(&rest, SPAN("0x")))
        return false;
    span_take_run(&rest, is_hex);
    if (!script_words(rest, word, 2))
        return false;
    *name = span_before(word[0], '(');
    if (name->len >= 2 && span_starts(*name, SPAN("[")) && span_ends(*name, SPAN("]")))
        *name = span_head(line, line.len - rest.len);
    return true;
}

static void
emit(void *state)
{
    struct state *st = state;
    if (st->base.stack.n > 0)
        scriptstack_push_leaf_first(&st->base, text_span(&st->process));
    lineformat_emit_reversed(&st->base);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct span name, rest = line, thread = line;
    if (span_take_run(&rest, is_digit).len > 0 && span_skip(&rest, SPAN(":"))) {
        emit(st);
        text_set(&st->process, span_skip(&rest, SPAN(" ")) ? span_before(rest, ' ') : SPAN(""));
    } else if (span_skip(&thread, SPAN("---------- tid# ")) && span_run(thread, 0, is_digit) > 0) {
        emit(st);
    } else if (parse_frame(line, &name)) {
        scriptstack_prepend(&st->base, name);
    }
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->process.ptr);
}

const struct format script_aix = {
    .state_size = sizeof(struct state),
    .take = take,
    .finish = emit,
    .end = end,
};
