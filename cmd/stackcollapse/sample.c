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

#include "cmd/stackcollapse/lineformat.h"
#include "cmd/stackcollapse/samplescript.h"
#include "common/base/num.h"
#include "common/stack/cxxname.h"

/* A function that may call those in the next lines; its frame is in the stack. */
struct level {
    size_t column;
    uint64_t count, calls; /* the function's samples, and those in what it calls */
    bool waits;
};

struct state {
    struct lineformat base;
    bool found; /* between "Call graph" and "Total number" */
    struct level *levels;
    size_t levels_cap;
    uint64_t waiting; /* samples left out */
    void *script;     /* the state of samplescript.c, which then does all */
};

static bool
is_tree(char c)
{
    return c == ' ' || c == '+' || c == '!' || c == ':' || c == '|';
}

struct row {
    size_t column;
    uint64_t count;
    struct span name, module; /* module.ptr NULL: a thread */
};

/* "    +   1341 work(int)  (in app) + 40  [0x10a5b8e94]" */
static bool
parse_row(struct span line, struct row *row)
{
    const struct span in = SPAN("  (in ");
    row->column = span_run(line, 0, is_tree);
    size_t digits = span_run(line, row->column, is_digit);
    struct span rest = span_from(line, row->column + digits);
    if (row->column < 4 || !num_u64(span_of(line.ptr + row->column, digits), &row->count) ||
        !span_starts(rest, SPAN(" ")))
        return false;
    row->name = span_trim(rest);
    row->module = (struct span){NULL, 0};
    size_t at = span_search(row->name, in);
    size_t queue = span_search(row->name, SPAN("  ("));
    if (at != SPAN_NONE) {
        row->module = span_from(row->name, at + in.len);
        row->module = span_head(row->module, span_find(row->module, ')') != SPAN_NONE
                                                 ? span_find(row->module, ')')
                                                 : row->module.len);
    }
    if (queue != SPAN_NONE)
        row->name = span_head(row->name, queue);
    row->name = span_trim(row->name);
    return row->name.len > 0;
}

static struct span
without_suffix(struct span module)
{
    const struct span suffix = SPAN(".dylib");
    return span_ends(module, suffix) ? span_head(module, module.len - suffix.len) : module;
}

/* "AppKit`-[Pool take:]", "app`work". A method of Objective-C has no argument list. */
static struct span
name_of(struct lineformat *f, const struct row *row)
{
    struct text *t = &f->name;
    bool method = span_search(row->name, SPAN("[")) != SPAN_NONE;
    t->len = 0;
    if (row->module.len > 0 && !f->c->options->no_modules) {
        text_add(t, without_suffix(row->module));
        text_add(t, SPAN("`"));
    }
    size_t start = t->len;
    text_add(t, row->name);
    if (row->module.ptr != NULL && !method && f->c->options->fold.names.tidy != TIDY_NONE)
        t->len = start + cxxname_tidy(row->name, t->ptr + start);
    return text_span(t);
}

/* Counts the samples of a function that those of its calls do not account for. */
static void
close_level(struct state *st)
{
    struct lineformat *f = &st->base;
    const struct level *l = &st->levels[f->stack.n - 1];
    uint64_t rest = l->count > l->calls ? l->count - l->calls : 0;
    f->c->samples = num_add(f->c->samples, rest);
    if (l->waits)
        st->waiting = num_add(st->waiting, rest);
    else if (rest > 0)
        profile_add(f->stack.profile, f->stack.frames, f->stack.n, (struct decimal){rest, 0}, NULL);
    f->stack.n--;
}

static void
close_levels(struct state *st, size_t column)
{
    while (st->base.stack.n > 0 && st->levels[st->base.stack.n - 1].column >= column)
        close_level(st);
}

static void
take_row(struct state *st, const struct row *row)
{
    struct lineformat *f = &st->base;
    close_levels(st, row->column);
    size_t n = f->stack.n;
    if (n > 0)
        st->levels[n - 1].calls = num_add(st->levels[n - 1].calls, row->count);
    st->levels = mem_grow(st->levels, &st->levels_cap, n + 1, sizeof *st->levels);
    bool kernel = span_eq(without_suffix(row->module), SPAN("libsystem_kernel"));
    st->levels[n] = (struct level){.column = row->column,
                                   .count = row->count,
                                   .waits = kernel && samplescript_waits(row->name)};
    lineformat_push(f, name_of(f, row));
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    struct row row;
    if (span_starts(line, SPAN("Call graph"))) {
        st->found = true;
    } else if (span_starts(line, SPAN("Total number"))) {
        close_levels(st, 0);
        st->found = false;
    } else if (st->found && parse_row(line, &row)) {
        take_row(st, &row);
    } else if (st->found && span_trim(line).len > 0) {
        input_skip(&st->base.c->input, "not a line of sample's call graph");
    }
}

static void
fold(struct collapse *c, void **state)
{
    struct state *st = lineformat_state(c, state, sizeof *st);
    if (c->options->script)
        samplescript_fold(c, &st->script);
    else
        lineformat_fold(c, state, sizeof *st, take);
}

static void
finish(void *state)
{
    struct state *st = state;
    close_levels(st, 0);
    st->found = false;
}

static void
end(void *state)
{
    struct state *st = state;
    char some[NUM_COMMAS], all[NUM_COMMAS];
    const struct collapse *c = st->base.c;
    if (st->script != NULL)
        samplescript_end(st->script);
    if (st->waiting > 0)
        diag_note(c->diag, "%.*s of %.*s samples are of threads that wait, and are left out",
                  SPAN_ARG(num_commas(some, st->waiting)), SPAN_ARG(num_commas(all, c->samples)));
    free(st->levels);
    lineformat_end(state);
}

static bool
is_sample(struct span line)
{
    return span_starts(line, SPAN("Analysis of sampling ")) ||
           span_starts(line, SPAN("Call graph:"));
}

const struct format format_sample = {.is = is_sample, .fold = fold, .finish = finish, .end = end};
