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
#include "cmd/stackcollapse/shared/rowtree.h"
#include "cmd/stackcollapse/shared/parts.h"
#include "common/base/num.h"
#include "common/stack/frames/cxxname.h"

struct sample_report {
    struct rowtree tree;
    bool graph; /* between "Call graph" and "Total number" */
};

struct sample_row {
    size_t column;
    uint64_t count;
    struct span function; /* "work(int)  (in app) + 40  [0x10a5b8e94]" */
};

/* Parse " + 1341 work(int) (in app) + 40 [0x10a5b8e94]". */
static bool
parse_row(struct span line, struct sample_row *row)
{
    row->column = span_take_of(&line, SPAN(" +!:|")).len;
    struct span digits = span_take_run(&line, is_digit);
    if (row->column < 4 || !num_u64(digits, &row->count) || !span_starts(line, SPAN(" ")))
        return false;
    row->function = span_trim(line);
    return row->function.len > 0;
}

/* Return the module in a row's text. Its ptr is NULL in the row of a thread, which has none. */
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

/* Return "AppKit`-[Pool take:]" or "app`work". A method of Objective-C has no argument list. */
static struct span
name_of(struct stacker *f, struct span name, struct span module)
{
    struct text *t = &f->name;
    bool method = span_holds(name, SPAN("["));
    t->len = 0;
    if (module.len > 0 && !f->c->options->no_modules)
        TEXT_ADD(t, without_suffix(module), SPAN("`"));
    size_t start = t->len;
    text_add(t, name);
    if (module.ptr != NULL && !method && f->c->options->fold.names.tidy != TIDY_NONE)
        t->len = start + cxxname_tidy(name, t->ptr + start);
    return text_span(t);
}

static void
take_row(struct rowtree *t, const struct sample_row *row)
{
    struct span name = row->function, module = module_of(name);
    size_t blanks = span_search(name, SPAN("  ("));
    name = blanks != SPAN_NONE ? span_trim(span_head(name, blanks)) : name;
    rowtree_nest(t, row->column, name_of(&t->base, name, module));
    rowtree_total(t, row->count);
    t->path.at[t->path.n - 1].waits =
        span_eq(without_suffix(module), SPAN("libsystem_kernel")) && parts_is_macwait(name);
}

static void
take(struct stacker *f, struct span line)
{
    struct sample_report *s = (struct sample_report *)f;
    struct sample_row row;
    if (s->graph && parse_row(line, &row)) {
        take_row(&s->tree, &row);
    } else if (span_starts(line, SPAN("Call graph"))) {
        s->graph = true;
    } else if (span_starts(line, SPAN("Total number"))) {
        rowtree_leave(&s->tree, 0);
        s->graph = false;
    } else if (s->graph && span_trim(line).len > 0) {
        stacker_skip(f, "not a line of sample's call graph");
    }
}

static void
finish(struct stacker *f)
{
    rowtree_finish(f);
    ((struct sample_report *)f)->graph = false;
}

static bool
is_sample(struct span line)
{
    return span_starts(line, SPAN("Analysis of sampling ")) ||
           span_starts(line, SPAN("Call graph:"));
}

const struct format format_sample = {ROWTREE_FORMAT(struct sample_report), .is = is_sample,
                                     .take = take, .finish = finish,
                                     .left_out = "samples are of threads that wait"};
