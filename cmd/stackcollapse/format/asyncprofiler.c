/* The text of async-profiler, leaf first, which its option "traces" limits to the stacks with most
 * samples (dumpText in src/profiler.cpp of github.com/async-profiler/async-profiler):
 *
 *     --- Execution profile ---
 *     Total samples       : 27890
 *     unknown_Java        : 196 (0.70%)
 *
 *     --- 74973646007 ns (6.79%), 7262 samples
 *       [ 0] app.Parser.read
 *       [ 1] java.lang.Thread.run
 *
 *               ns  percent  samples  top
 *       ----------  -------  -------  ---
 *       1375787484   17.54%      130  app.Parser.read */
#include "cmd/stackcollapse/shared/stacker.h"
#include "common/base/num.h"

/* Parse "--- 74973646007 ns (6.79%), 7262 samples". */
static bool
is_heading(struct span line, struct decimal *samples)
{
    size_t at = span_rsearch(line, SPAN("%), "));
    if (!span_starts(line, SPAN("--- ")) || at == SPAN_NONE)
        return false;
    line = span_from(line, at + 4);
    struct span digits = span_take_run(&line, is_digit);
    line = span_trim(line);
    return (span_eq(line, SPAN("samples")) || span_eq(line, SPAN("sample"))) &&
           decimal_parse(digits, samples);
}

/* Parse "Total samples : 27890". */
static bool
is_total(struct span line, uint64_t *total)
{
    if (!span_skip(&line, SPAN("Total samples")))
        return false;
    span_take_run(&line, is_blank);
    return span_skip(&line, SPAN(":")) && num_u64(span_trim(line), total);
}

/* Return true for "--- Execution profile ---". */
static bool
is_title(struct span line)
{
    return span_starts(line, SPAN("--- ")) && span_ends(span_trim(line), SPAN(" profile ---"));
}

/* Parse " [ 0] app.Parser.read". */
static bool
take_frame(struct span line, struct span *name)
{
    if (!span_skip(&line, SPAN("  [")))
        return false;
    span_take_run(&line, is_blank);
    bool number = span_take_run(&line, is_digit).len > 0;
    *name = span_trim(line);
    return number && span_skip(name, SPAN("] "));
}

struct async_profiler {
    struct stacker base;
    struct decimal count;   /* count of the current stack */
    bool open;              /* its heading was read, and it is not emitted yet */
    uint64_t total, listed; /* numbers of samples */
    bool titled;            /* "--- Execution profile ---" was read */
    bool started;           /* a heading was read */
};

static void
emit(struct async_profiler *f)
{
    struct stacker *r = &f->base;
    if (!f->open)
        return;
    f->open = false;
    f->listed = num_add(f->listed, f->count.whole);
    if (stacker_add(r, LEAF_FIRST, f->count))
        r->c->samples = num_add(r->c->samples, f->count.whole);
    else
        stacker_add_empty(r, f->count.whole);
}

/* Take a line. Lines of the head and of the table of functions are not part of stacks. */
static void
take(struct stacker *r, struct span line)
{
    struct async_profiler *f = (struct async_profiler *)r;
    struct decimal samples;
    struct span name;
    if (is_heading(line, &samples)) {
        emit(f);
        f->count = samples;
        f->open = f->started = true;
    } else if (f->open && take_frame(line, &name)) {
        stacker_push(r, name);
    } else if (span_trim(line).len == 0) {
        emit(f);
    } else if (f->open) {
        stacker_skip(r, "not a frame of async-profiler");
    } else if (!is_total(line, &f->total)) {
        f->titled |= is_title(line);
    }
}

static void
finish(struct stacker *r)
{
    struct async_profiler *f = (struct async_profiler *)r;
    emit(f);
    if (f->titled && !f->started)
        diag_error(r->c->diag, stacker_file(r),
                   "a table of async-profiler without stacks: print them with -o collapsed");
    else if (f->total > f->listed)
        stacker_warn_left_out(r, f->total - f->listed,
                              "samples whose stacks async-profiler did not print (-o collapsed "
                              "prints all)");
}

static bool
is_async_profiler(struct span line)
{
    struct decimal samples;
    return is_heading(line, &samples) || is_title(line);
}

const struct format format_async_profiler = {.is = is_async_profiler,
                                             .state_size = sizeof(struct async_profiler),
                                             .per_file = true,
                                             .take = take,
                                             .finish = finish};
