/* stackcollapse-pmc.pl: it prints the last function of each path with its count. */
#include "cmd/stackcollapse/script/scriptstack.h"

struct state {
    struct lineformat base;
    struct scriptlevels levels; /* by indentation */
    size_t depth; /* levels of the last line's function, with its own; text kept: its count */
};

/* A level that has no name is an empty one. */
static void
print(void *state)
{
    struct state *st = state;
    for (size_t n = st->depth; n > 0; n--)
        scriptstack_push(&st->base, scriptlevels_name(&st->levels, n - 1));
    scriptstack_print(&st->base, text_span(st->base.kept));
}

/* /^( *)[0-9.]+%  \[([0-9]+)\]\s*(\S+)/ */
static void
take(void *state, struct span line)
{
    struct state *st = state;
    size_t indent = span_take_run(&line, is_blank).len;
    if (span_take_run(&line, is_number_part).len == 0 || !span_skip(&line, SPAN("%  [")))
        return;
    struct span count = span_take_run(&line, is_digit);
    if (count.len == 0 || !span_skip(&line, SPAN("]")))
        return;
    struct span name = span_take_word(&line);
    if (name.len == 0)
        return;
    if (indent < st->depth)
        print(st);
    st->depth = indent + 1;
    scriptlevels_set(&st->levels, indent, name);
    text_set(st->base.kept, count);
}

static void
end(void *state)
{
    struct state *st = state;
    scriptlevels_free(&st->levels);
}

const struct format script_pmc = {
    .state_size = sizeof(struct state),
    .take = take,
    .finish = print,
    .end = end,
};
