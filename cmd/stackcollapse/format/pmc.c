/* The call graph that pmcstat -G prints, which begins with the leaves; the callers of a function
 * are indented by one more blank (pmcstat(8)):
 *
 *     @ CPU_CLK_UNHALTED_CORE [17 samples]
 *
 *     03.07%  [17]       witness_unlock @ /boot/kernel/kernel
 *      70.59%  [12]        __mtx_unlock_flags
 *       16.67%  [2]          selfdfree
 *      29.41%  [5]         pmap_ts_referenced */
#include "cmd/stackcollapse/build/lineformat.h"

#include <stdlib.h>

#include "common/base/num.h"

/* A function that may have callers in the next lines. */
struct level {
    size_t indent;
    uint32_t stack;   /* in the tree, whose root is above the leaves */
    uint64_t count;   /* the text's number */
    uint64_t callers; /* the sum of those of its callers */
};

struct state {
    struct lineformat base;
    struct stacktree stacks;
    struct level *levels; /* of the last line's function, itself the last */
    size_t depth, levels_cap;
};

struct row {
    size_t indent;
    struct span count, name;
};

/* "  16.67%  [2]          selfdfree" */
static bool
parse_row(struct span line, struct row *row)
{
    row->indent = span_take_run(&line, is_blank).len;
    if (span_take_run(&line, is_number_part).len == 0 || !span_skip(&line, SPAN("%  [")))
        return false;
    row->count = span_take_run(&line, is_digit);
    if (row->count.len == 0 || !span_skip(&line, SPAN("]")))
        return false;
    row->name = span_take_word(&line);
    return row->name.len > 0;
}

/* The samples of a function that its callers do not account for are the function's as a root. */
static void
close_levels(struct state *st, size_t indent)
{
    for (; st->depth > 0 && st->levels[st->depth - 1].indent >= indent; st->depth--) {
        const struct level *l = &st->levels[st->depth - 1];
        if (l->count <= l->callers)
            continue;
        stacktree_count(&st->stacks, l->stack, (struct decimal){l->count - l->callers, 0});
        st->base.c->samples++;
    }
}

/* Set the level of the row's function. */
static void
set_level(struct state *st, const struct row *row)
{
    st->levels = mem_grow(st->levels, &st->levels_cap, st->depth + 1, sizeof *st->levels);
    struct level *l = &st->levels[st->depth++], *calls = st->depth > 1 ? l - 1 : NULL;
    l->indent = row->indent;
    l->stack = stacktree_child(&st->stacks, calls != NULL ? calls->stack : STACKTREE_ROOT,
                               stackbuild_name(&st->base.stack, row->name));
    l->count = 0;
    num_u64(row->count, &l->count);
    l->callers = 0;
    if (calls != NULL && calls->indent + 1 == l->indent) /* else a line between them is missing */
        calls->callers = num_add(calls->callers, l->count);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (parse_row(line, &row)) {
        close_levels(st, row.indent);
        set_level(st, &row);
    } else if (span_trim(line).len > 0 && line.ptr[0] != '@') {
        input_skip(&st->base.c->input, "not a line of pmcstat -G");
    }
}

/* Add the stacks to the profile. The frames nearest to the root of the tree are the leaves. */
static void
finish(void *state)
{
    struct state *st = state;
    struct stackbuild *b = &st->base.stack;
    close_levels(st, 0);
    for (size_t i = 1; i < st->stacks.n; i++) {
        const struct stacktree_node *nodes = st->stacks.nodes;
        if (!nodes[i].counted)
            continue;
        for (size_t at = i; at != STACKTREE_ROOT; at = nodes[at].parent)
            stackbuild_push_name(b, nodes[at].name);
        stackbuild_emit(b, nodes[i].count);
    }
    stacktree_free(&st->stacks);
}

static void
end(void *state)
{
    struct state *st = state;
    stacktree_free(&st->stacks);
    free(st->levels);
}

static bool
is_pmc(struct span line)
{
    struct row row;
    return parse_row(line, &row);
}

const struct format format_pmc = {
    .is = is_pmc,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
