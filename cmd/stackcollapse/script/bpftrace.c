/* stackcollapse-bpftrace.pl: it knows maps without a name, and keys after the stack. */
#include "cmd/stackcollapse/build/counted.h"
#include "cmd/stackcollapse/script/scriptstack.h"

struct state {
    struct lineformat base;
    bool open; /* within a stack */
};

/* The text without the white space at its start, of which at most `most` bytes. */
static struct span
without_space(struct span text, size_t most)
{
    size_t space = span_run(text, 0, is_space);
    return span_from(text, space < most ? space : most);
}

/* /^@\[$/, or an empty stack: /^@\[,\s(.*)\]: (\d+)/ */
static void
begin(struct state *st, struct span line)
{
    struct span text, count;
    st->open = span_eq(line, SPAN("@["));
    if (!span_skip(&line, SPAN("@[,")) || line.len == 0 || !is_space(line.ptr[0]) ||
        !counted_split(span_from(line, 1), &text, &count))
        return;
    scriptstack_push(&st->base, text);
    scriptstack_print(&st->base, count);
}

/* /^,?\s?(.*)\]: (\d+)/ */
static void
add(struct state *st, struct span line)
{
    struct span text, count;
    if (!counted_split(line, &text, &count)) {
        scriptstack_push_leaf_first(&st->base, without_space(line, line.len));
        return;
    }
    span_skip(&text, SPAN(","));
    text = without_space(text, 1);
    if (text.len > 0)
        scriptstack_push_leaf_first(&st->base, text);
    stackbuild_reverse(&st->base.stack, 0);
    scriptstack_print(&st->base, count);
    st->open = false;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    (st->open ? add : begin)(st, line);
}

const struct format script_bpftrace = {.state_size = sizeof(struct state), .take = take};
