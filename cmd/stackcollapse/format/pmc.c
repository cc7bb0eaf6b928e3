/* The call graph that pmcstat -G prints, which begins with the leaves; the callers of a function
 * are indented by one more blank (pmcstat(8)):
 *
 *     @ CPU_CLK_UNHALTED_CORE [17 samples]
 *
 *     03.07%  [17]       witness_unlock @ /boot/kernel/kernel
 *      70.59%  [12]        __mtx_unlock_flags
 *       16.67%  [2]          selfdfree
 *      29.41%  [5]         pmap_ts_referenced */
#include "cmd/stackcollapse/build/calltree.h"

#include <stdlib.h>

#include "common/base/bytes.h"
#include "common/base/digits.h"
#include "common/base/num.h"

/* A function that may have callers in the next lines. */
struct level {
    size_t indent;
    uint32_t stack;   /* in the tree, whose root is above the leaves */
    uint64_t count;   /* the text's number */
    uint64_t callers; /* the sum of those of its callers */
};

struct state {
    struct calltree tree; /* of a script: a level for each blank of indentation */
    struct level *levels; /* of the last line's function, itself the last */
    size_t depth, levels_cap;
    size_t script_depth; /* how many levels the last line's function has, with its own */
    struct text count;   /* the last line's, of a script */
};

struct row {
    size_t indent;
    struct span count, name;
};

/* The count of the n digits at p; saturates. */
static uint64_t
count_of(const char *p, size_t n)
{
    uint64_t count = 0;
    if (n < 8)
        digits_read(p, &count);
    else
        num_u64(span_of(p, n), &count);
    return count;
}

/* "  16.67%  [2]          selfdfree". All stops at the newline after the line at the latest. */
static inline bool
parse_row(struct span line, struct row *row)
{
    const char *p = bytes_skip_blanks(line.ptr);
    row->indent = (size_t)(p - line.ptr);
    const char *percent = p;
    p = bytes_skip_number(p);
    if (p == percent || p[0] != '%' || p[1] != ' ' || p[2] != ' ' || p[3] != '[')
        return false;
    const char *count = p += 4;
    p = digits_end(p);
    row->count = span_of(count, (size_t)(p - count));
    if (row->count.len == 0 || *p++ != ']')
        return false;
    const char *name = p = bytes_skip_space(p);
    p = bytes_skip_word(p);
    row->name = span_of(name, (size_t)(p - name));
    return p > name;
}

/* The samples of a function that its callers do not account for are the function's as a root. */
static void
close_levels(struct state *st, size_t indent)
{
    for (; st->depth > 0 && st->levels[st->depth - 1].indent >= indent; st->depth--) {
        const struct level *l = &st->levels[st->depth - 1];
        if (l->count <= l->callers)
            continue;
        stacktree_count(&st->tree.stacks, l->stack, (struct decimal){l->count - l->callers, 0});
        st->tree.base.c->samples++;
    }
}

/* Sets the level of the row's function. */
static void
set_level(struct state *st, const struct row *row)
{
    st->levels = mem_grow(st->levels, &st->levels_cap, st->depth + 1, sizeof *st->levels);
    struct level *l = &st->levels[st->depth++], *calls = st->depth > 1 ? l - 1 : NULL;
    l->indent = row->indent;
    l->stack = stackbuild_child(&st->tree.base.stack, &st->tree.stacks,
                                calls != NULL ? calls->stack : STACKTREE_ROOT, row->name);
    l->count = count_of(row->count.ptr, row->count.len);
    l->callers = 0;
    if (calls != NULL && calls->indent + 1 == l->indent) /* else a line between them is missing */
        calls->callers = num_add(calls->callers, l->count);
}

/* The script prints the last function of each path with its count; a level without a name is
 * empty. */
static void
script_print(struct state *st)
{
    for (size_t n = st->script_depth; n-- > 0;)
        lineformat_push(&st->tree.base, intern_text(&st->tree.names, st->tree.levels[n]));
    lineformat_print(&st->tree.base, text_span(&st->count));
}

static void
script_take(struct state *st, const struct row *row)
{
    if (row->indent < st->script_depth)
        script_print(st);
    st->script_depth = row->indent + 1;
    calltree_set(&st->tree, row->indent, row->name);
    st->count.len = 0;
    text_add(&st->count, row->count);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    bool found = parse_row(line, &row);
    if (st->tree.base.script) {
        if (found)
            script_take(st, &row);
    } else if (found) {
        close_levels(st, row.indent);
        set_level(st, &row);
    } else if (span_trim(line).len > 0 && line.ptr[0] != '@') {
        input_skip(&st->tree.base.c->input, "not a line of pmcstat -G");
    }
}

/* Adds the stacks to the profile. The frames nearest to the root of the tree are the leaves. */
static void
add_stacks(struct state *st)
{
    struct stackbuild *b = &st->tree.base.stack;
    const struct stacktree_node *nodes = st->tree.stacks.nodes;
    for (size_t i = 1; i < st->tree.stacks.n; i++) {
        if (!nodes[i].counted)
            continue;
        for (size_t at = i; at != STACKTREE_ROOT; at = nodes[at].parent)
            stackbuild_push_name(b, nodes[at].name);
        stackbuild_emit(b, nodes[i].count);
    }
    stacktree_free(&st->tree.stacks);
}

static void
finish(void *state)
{
    struct state *st = state;
    if (st->tree.base.script) {
        script_print(st);
    } else {
        close_levels(st, 0);
        add_stacks(st);
    }
}

static void
end(void *state)
{
    struct state *st = state;
    calltree_free(&st->tree);
    free(st->levels);
    free(st->count.ptr);
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
