/* The report of macOS's sample(1), a call tree that begins with the threads; what a function calls
 * is indented by two columns more:
 *
 *     Call graph:
 *         2681 Thread_2437561   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 2681 start  (in libdyld.dylib) + 1  [0x7fff6bd2a3d5]
 *         +   1341 work(int)  (in app) + 40  [0x10a5b8e94]
 *         +   ! 1000 -[Pool take:]  (in AppKit) + 7  [0x10a5b8f07]
 *         +   1340 mach_msg_trap  (in libsystem_kernel.dylib) + 10  [0x7fff6be5e25a]
 *
 *     Total number in stack (recursive counted multiple, when >=5): */
#include <stdlib.h>

#include "cmd/stackcollapse/build/lineformat.h"
#include "cmd/stackcollapse/build/macwait.h"
#include "common/base/num.h"
#include "common/stack/cxxname.h"
#include "common/stack/stacktree.h"

/* A function that may call those in the next lines. */
struct level {
    size_t column;
    uint32_t stack;        /* in the tree */
    uint64_t count, calls; /* the function's samples, and those in what it calls */
    bool waits;
};

struct state {
    struct lineformat base;
    bool found; /* between "Call graph" and "Total number" */
    struct stacktree tree;
    struct level *levels; /* of the last row's function, itself the last */
    size_t depth, levels_cap;
    uint64_t waiting; /* samples left out */
};

struct row {
    size_t column;
    uint64_t count;
    struct span function; /* "work(int)  (in app) + 40  [0x10a5b8e94]" */
};

static bool
is_mark(char c)
{
    return span_find(SPAN(" +!:|"), c) != SPAN_NONE;
}

/* "    +   1341 work(int)  (in app) + 40  [0x10a5b8e94]" */
static bool
parse_row(struct span line, struct row *row)
{
    row->column = span_run(line, 0, is_mark);
    size_t digits = span_run(line, row->column, is_digit);
    struct span rest = span_from(line, row->column + digits);
    if (row->column < 4 || digits == 0 || !span_starts(rest, SPAN(" ")))
        return false;
    num_u64(span_of(rest.ptr - digits, digits), &row->count);
    row->function = span_trim(rest);
    return row->function.len > 0;
}

/* The module in a row's text; its ptr is NULL in the row of a thread, which has none. */
static struct span
module_of(struct span text)
{
    const struct span in = SPAN("  (in ");
    size_t at = span_search(text, in);
    if (at == SPAN_NONE)
        return (struct span){NULL, 0};
    struct span module = span_from(text, at + in.len);
    size_t close = span_find(module, ')');
    return close != SPAN_NONE ? span_head(module, close) : module;
}

static struct span
without_suffix(struct span module)
{
    const struct span suffix = SPAN(".dylib");
    return span_ends(module, suffix) ? span_head(module, module.len - suffix.len) : module;
}

/* "AppKit`-[Pool take:]", "app`work". A method of Objective-C has no argument list. */
static struct span
name_of(struct lineformat *f, struct span name, struct span module)
{
    struct text *t = &f->name;
    bool method = span_holds(name, SPAN("["));
    t->len = 0;
    if (module.len > 0 && !f->c->options->no_modules) {
        text_add(t, without_suffix(module));
        text_add(t, SPAN("`"));
    }
    size_t start = t->len;
    text_add(t, name);
    if (module.ptr != NULL && !method && f->c->options->fold.names.tidy != TIDY_NONE)
        t->len = start + cxxname_tidy(name, t->ptr + start);
    return text_span(t);
}

/* Counts the samples of functions that those of their calls do not account for. */
static void
close_levels(struct state *st, size_t column)
{
    struct collapse *c = st->base.c;
    for (; st->depth > 0 && st->levels[st->depth - 1].column >= column; st->depth--) {
        const struct level *l = &st->levels[st->depth - 1];
        if (l->count <= l->calls)
            continue;
        uint64_t rest = l->count - l->calls;
        c->samples = num_add(c->samples, rest);
        if (l->waits)
            st->waiting = num_add(st->waiting, rest);
        else
            stacktree_count(&st->tree, l->stack, (struct decimal){rest, 0});
    }
}

static void
take_row(struct state *st, const struct row *row)
{
    struct lineformat *f = &st->base;
    struct span name = row->function, module = module_of(name);
    size_t blanks = span_search(name, SPAN("  ("));
    name = blanks != SPAN_NONE ? span_trim(span_head(name, blanks)) : name;
    close_levels(st, row->column);
    struct level *caller = st->depth > 0 ? &st->levels[st->depth - 1] : NULL;
    if (caller != NULL)
        caller->calls = num_add(caller->calls, row->count);
    uint32_t stack = stacktree_child(&st->tree, caller != NULL ? caller->stack : STACKTREE_ROOT,
                                     stackbuild_name(&f->stack, name_of(f, name, module)));
    bool kernel = span_eq(without_suffix(module), SPAN("libsystem_kernel"));
    st->levels = mem_grow(st->levels, &st->levels_cap, st->depth + 1, sizeof *st->levels);
    st->levels[st->depth++] = (struct level){.column = row->column,
                                             .stack = stack,
                                             .count = row->count,
                                             .waits = kernel && macwait_is(name)};
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (st->found && parse_row(line, &row)) {
        take_row(st, &row);
    } else if (span_starts(line, SPAN("Call graph"))) {
        st->found = true;
    } else if (span_starts(line, SPAN("Total number"))) {
        close_levels(st, 0);
        st->found = false;
    } else if (st->found && span_trim(line).len > 0) {
        input_skip(&st->base.c->input, "not a line of sample's call graph");
    }
}

static void
finish(void *state)
{
    struct state *st = state;
    close_levels(st, 0);
    profile_add_tree(&st->base.c->profile, &st->tree);
    st->found = false;
}

static void
end(void *state)
{
    struct state *st = state;
    char some[NUM_COMMAS], all[NUM_COMMAS];
    const struct collapse *c = st->base.c;
    if (st->waiting > 0)
        diag_note(c->diag, "%.*s of %.*s samples are of threads that wait, and are left out",
                  SPAN_ARG(num_commas(some, st->waiting)), SPAN_ARG(num_commas(all, c->samples)));
    free(st->levels);
}

static bool
is_sample(struct span line)
{
    return span_starts(line, SPAN("Analysis of sampling ")) ||
           span_starts(line, SPAN("Call graph:"));
}

const struct format format_sample = {
    .is = is_sample,
    .state_size = sizeof(struct state),
    .take = take,
    .finish = finish,
    .end = end,
};
