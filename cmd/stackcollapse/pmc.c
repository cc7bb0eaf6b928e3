/* The call graph that pmcstat -G prints, which begins with the leaves; the callers of a function
 * are indented by one more blank (pmcstat(8)):
 *
 *     @ CPU_CLK_UNHALTED_CORE [17 samples]
 *
 *     03.07%  [17]       witness_unlock @ /boot/kernel/kernel
 *      70.59%  [12]        __mtx_unlock_flags
 *       16.67%  [2]          selfdfree
 *      29.41%  [5]         pmap_ts_referenced */
#include "cmd/stackcollapse/lineformat.h"

#include <stdlib.h>

#include "common/base/num.h"

/* A function that may have callers in the next lines. */
struct level {
    struct text name;
    uint32_t frame;   /* its number in the profile; not of a script */
    uint64_t count;   /* the text's number */
    uint64_t callers; /* the sum of those of its callers */
};

struct state {
    struct lineformat base;
    struct level *levels; /* by indentation; to the script a name stays until another replaces it */
    size_t nlevels, levels_cap;
    size_t depth;      /* how many levels the last line's function has, with its own */
    struct text count; /* the last line's */
};

static bool
is_percent(char c)
{
    return is_digit(c) || c == '.';
}

struct row {
    size_t indent;
    struct span count, name;
};

/* "  16.67%  [2]          selfdfree" */
static bool
parse_row(struct span line, struct row *row)
{
    row->indent = span_run(line, 0, is_blank);
    size_t percent = span_run(line, row->indent, is_percent);
    struct span rest = span_from(line, row->indent + percent);
    if (percent == 0 || !span_starts(rest, SPAN("%  [")))
        return false;
    size_t digits = span_run(rest, 4, is_digit);
    row->count = span_of(rest.ptr + 4, digits);
    rest = span_from(rest, 4 + digits);
    if (digits == 0 || !span_starts(rest, SPAN("]")))
        return false;
    rest = span_from(rest, 1);
    rest = span_from(rest, span_run(rest, 0, is_space));
    size_t len = 0;
    while (len < rest.len && !is_space(rest.ptr[len]))
        len++;
    row->name = span_head(rest, len);
    return len > 0;
}

/* Pushes the functions of the first n levels, the leaf last; a level without a name is empty to the
 * script, and left out else. */
static void
push_levels(struct state *st, size_t n)
{
    while (n-- > 0)
        if (st->base.script)
            lineformat_push(&st->base, text_span(&st->levels[n].name));
        else if (st->levels[n].name.len > 0)
            stackbuild_push_name(&st->base.stack, st->levels[n].frame);
}

/* The samples of a function that its callers do not account for are the function's as a root. */
static void
close_levels(struct state *st, size_t depth)
{
    for (; st->depth > depth; st->depth--) {
        struct level *l = &st->levels[st->depth - 1];
        uint64_t rest = l->count > l->callers ? l->count - l->callers : 0;
        push_levels(st, st->depth);
        if (rest > 0)
            lineformat_emit(&st->base, (struct decimal){rest, 0});
        stackbuild_clear(&st->base.stack);
        l->name.len = 0;
        l->count = l->callers = 0;
    }
}

/* The script prints the last function of each path with its count. */
static void
print(struct state *st)
{
    push_levels(st, st->depth);
    lineformat_print(&st->base, text_span(&st->count));
}

static void
set_level(struct state *st, const struct row *row)
{
    size_t n = row->indent + 1;
    st->levels = mem_grow(st->levels, &st->levels_cap, n, sizeof *st->levels);
    while (st->nlevels < n)
        st->levels[st->nlevels++] = (struct level){0};
    struct level *l = &st->levels[row->indent];
    l->name.len = 0;
    text_add(&l->name, row->name);
    if (!st->base.script)
        l->frame = stackbuild_name(&st->base.stack, row->name);
    num_u64(row->count, &l->count);
    if (row->indent > 0)
        l[-1].callers = num_add(l[-1].callers, l->count);
    st->depth = n;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (!parse_row(line, &row)) {
        if (!st->base.script && span_trim(line).len > 0 && line.ptr[0] != '@')
            input_skip(&st->base.c->input, "not a line of pmcstat -G");
        return;
    }
    if (st->base.script && row.indent < st->depth)
        print(st);
    else if (!st->base.script)
        close_levels(st, row.indent);
    set_level(st, &row);
    st->count.len = 0;
    text_add(&st->count, row.count);
}

static void
finish(void *state)
{
    const struct lineformat *f = state;
    if (f->script)
        print(state);
    else
        close_levels(state, 0);
}

static void
end(void *state)
{
    struct state *st = state;
    for (size_t i = 0; i < st->nlevels; i++)
        free(st->levels[i].name.ptr);
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
