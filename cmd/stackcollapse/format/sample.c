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
#include "cmd/stackcollapse/script/samplescript.h"
#include "common/base/bytes.h"
#include "common/base/digits.h"
#include "common/base/num.h"
#include "common/stack/cxxname.h"

/* What a row's text says: "work(int)  (in app)". */
struct function {
    uint32_t name; /* its number in the profile */
    bool waits;
};

/* A function that may call those in the next lines. */
struct level {
    size_t column;
    uint32_t stack;        /* in the tree */
    uint64_t count, calls; /* the function's samples, and those in what it calls */
    bool waits;
};

struct state {
    struct lineformat base;
    bool found;                 /* between "Call graph" and "Total number" */
    struct intern texts;        /* that were read before */
    struct function *functions; /* by their number */
    size_t functions_cap;
    struct stacktree tree;
    struct level *levels; /* of the last row's function, itself the last */
    size_t depth, levels_cap;
    uint64_t waiting; /* samples left out */
    void *script;     /* the state of samplescript.c, which then does all */
};

struct row {
    size_t column;
    uint64_t count;
    struct span rest; /* from the function's name on, with the newline */
};

static inline bytes
not_mark(bytes v)
{
    return (bytes)((v != ' ') & (v != '+') & (v != '!') & (v != ':') & (v != '|'));
}

/* "    +   1341 work(int)  (in app) + 40  [0x10a5b8e94]" */
static inline bool
parse_row(struct span line, struct row *row)
{
    const char *count = bytes_find(line.ptr, not_mark), *end = line.ptr + line.len;
    size_t n = digits_read(count, &row->count);
    if (n == 8) {
        n = (size_t)(digits_end(count) - count);
        num_u64(span_of(count, n), &row->count);
    }
    const char *name = bytes_skip_space(count + n);
    row->column = (size_t)(count - line.ptr);
    row->rest = span_of(name, (size_t)(end + 1 - name));
    return row->column >= 4 && n > 0 && count[n] == ' ' && name < end;
}

/* What comes before a function's module. */
static const struct span in = SPAN("  (in ");

/* The text that tells the function: up to the module's ")", or all where there is none. For a text
 * this short a search for each "(" takes less time than span_search. */
static struct span
text_of(struct span rest)
{
    size_t at = 0, found;
    while ((found = span_find(span_from(rest, at), '(')) != SPAN_NONE) {
        at += found + 1;
        if (at < 3 || !span_starts(span_from(rest, at - 3), in))
            continue;
        size_t close = span_find(span_from(rest, at), ')');
        return close != SPAN_NONE ? span_head(rest, at + close + 1) : rest;
    }
    return rest;
}

/* The module in such a text; its ptr is NULL in the row of a thread, which has none. */
static struct span
module_of(struct span text)
{
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
    bool method = span_search(name, SPAN("[")) != SPAN_NONE;
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

static struct function
parse_function(struct lineformat *f, struct span text)
{
    struct span name = span_trim(text), module = module_of(name);
    size_t queue = span_search(name, SPAN("  ("));
    if (queue != SPAN_NONE)
        name = span_trim(span_head(name, queue));
    bool kernel = span_eq(without_suffix(module), SPAN("libsystem_kernel"));
    return (struct function){.name = stackbuild_name(&f->stack, name_of(f, name, module)),
                             .waits = kernel && samplescript_waits(name)};
}

/* The number of a text in st->functions. */
static uint32_t
function_of(struct state *st, struct span text)
{
    uint32_t id;
    if (intern_put(&st->texts, text, &id)) {
        st->functions =
            mem_grow(st->functions, &st->functions_cap, (size_t)id + 1, sizeof *st->functions);
        st->functions[id] = parse_function(&st->base, text);
    }
    return id;
}

/* The same for the row's text. The one that is guessed is tried first, which costs no search for
 * its end. */
static uint32_t
function_of_row(struct state *st, const struct row *row)
{
    uint32_t guess = stacktree_guess(&st->tree, INTERN_NONE);
    if (guess != INTERN_NONE && span_starts(row->rest, intern_text(&st->texts, guess)))
        return guess;
    return function_of(st, text_of(row->rest));
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
    close_levels(st, row->column);
    uint32_t caller = STACKTREE_ROOT;
    if (st->depth > 0) {
        struct level *l = &st->levels[st->depth - 1];
        caller = l->stack;
        l->calls = num_add(l->calls, row->count);
    }
    st->levels = mem_grow(st->levels, &st->levels_cap, st->depth + 1, sizeof *st->levels);
    uint32_t function = function_of_row(st, row);
    uint32_t stack = stacktree_child(&st->tree, caller, st->functions[function].name);
    stacktree_set_note(&st->tree, stack, function);
    st->levels[st->depth++] = (struct level){.column = row->column,
                                             .stack = stack,
                                             .count = row->count,
                                             .waits = st->functions[function].waits};
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
    profile_add_tree(&st->base.c->profile, &st->tree);
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
    intern_free(&st->texts);
    free(st->functions);
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
