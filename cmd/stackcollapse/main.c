/* stackcollapse: fold samples into one line a stack. */
#include <string.h>

#include "common/base/num.h"
#include "common/base/opt.h"
#include "dialect.h"
#include "formats.h"

enum {
    O_FROM = 1,
    O_PID,
    O_TID,
    O_INLINE,
    O_ALL,
    O_KERNEL,
    O_JIT,
    O_CONTEXT,
    O_SRCLINE,
    O_ADDRS,
    O_EVENT,
    O_WEIGHT,
    O_SKIP_AFTER,
    O_NO_COMM,
    O_COMM_DIGITS,
    O_TIDY,
};

static const struct opt table[] = {
    {"from", 0, OPT_TEXT, true, O_FROM, FORMAT_NAMES, "the input's format (guess)"},
    {"pid", 0, OPT_FLAG, false, O_PID, NULL, "put the process number behind the command name"},
    {"tid", 0, OPT_FLAG, false, O_TID, NULL, "the process and the thread number"},
    {"inline", 0, OPT_FLAG, false, O_INLINE, NULL, "show inlined calls, asking addr2line"},
    {"all", 0, OPT_FLAG, false, O_ALL, NULL, "--kernel and --jit"},
    {"kernel", 0, OPT_FLAG, false, O_KERNEL, NULL, "mark kernel functions with _[k]"},
    {"jit", 0, OPT_FLAG, false, O_JIT, NULL, "mark functions compiled at run time with _[j]"},
    {"context", 0, OPT_FLAG, false, O_CONTEXT, NULL, "with --inline: add source lines"},
    {"srcline", 0, OPT_FLAG, false, O_SRCLINE, NULL,
     "add the source lines of perf script -F +srcline"},
    {"addrs", 0, OPT_FLAG, false, O_ADDRS, NULL, "show the address where there is no symbol"},
    {"event-filter", 0, OPT_TEXT, false, O_EVENT, "EVENT",
     "fold samples of this event (the first one's)"},
    {"weight", 0, OPT_TEXT, true, O_WEIGHT, "period|samples", "what a sample counts (period)"},
    {"skip-after", 0, OPT_TEXT, true, O_SKIP_AFTER, "RE", "drop the callers of frames that match"},
    {"no-comm", 0, OPT_FLAG, true, O_NO_COMM, NULL, "leave the command name out"},
    {"comm-digits", 0, OPT_INT, true, O_COMM_DIGITS, "N",
     "in command names, replace runs of N digits and more by <N>"},
    {"tidy", 0, OPT_TEXT, true, O_TIDY, "perl|brackets|none",
     "how argument lists go from function names (brackets)"},
    OPT_COMMON,
};

static const struct opt_program right = {
    .name = "stackcollapse",
    .synopsis = "[option ...] [file ...]",
    .about = "Folds stack samples into one line a stack: \"root;caller;leaf count\".",
    .table = table,
    .usage_status = 2,
};

/* die() with errno 0: 255. */
static const struct opt_program perl = {
    .name = "stackcollapse-perf.pl",
    .synopsis = "[option ...] [file ...]",
    .about = "Folds perf script text into one line a stack, as the Perl script of this name does.",
    .table = table,
    .usage_status = 255,
    .perl_help = true,
};

void
collapse_skip(struct collapse *c, const char *why)
{
    struct place at = input_place(&c->input);
    if (c->skipped++ == 0)
        c->first_skipped = at;
    diag_warn(c->diag, "skipped lines", at, "%s", why);
}

/* Says what of the input is not in the output. */
static void
report(struct collapse *c)
{
    char samples[NUM_COMMAS], other[NUM_COMMAS];
    struct span n = num_commas(samples, c->samples);
    struct span left = num_commas(other, c->left_out);
    diag_finish(c->diag);
    if (c->left_out > 0)
        diag_note(c->diag,
                  "%.*s of %.*s samples are of other events and left out (see --event-filter)",
                  SPAN_ARG(left), SPAN_ARG(n));
    left = num_commas(other, c->without_frames);
    if (c->without_frames > 0)
        diag_note(c->diag, "%.*s of %.*s samples have no frames and are left out", SPAN_ARG(left),
                  SPAN_ARG(n));
    left = num_commas(other, c->skipped);
    if (c->skipped > 0)
        diag_note(c->diag, "%.*s samples, %.*s lines skipped (first at %s:%zu)", SPAN_ARG(n),
                  SPAN_ARG(left), c->first_skipped.file, c->first_skipped.line);
    else if (c->samples == 0 && c->diag->status == 0)
        diag_note(c->diag, "no samples in the input");
}

static void
fold_files(struct collapse *c, size_t from)
{
    void *states[FORMATS] = {NULL};
    while (input_next(&c->input)) {
        size_t format = from < FORMATS ? from : format_guess(&c->input.lines);
        format_at(format)->fold(c, &states[format]);
    }
}

static void
compile(struct pattern *p, const struct opt_reader *r)
{
    char error[PATTERN_ERROR];
    if (!pattern_compile(p, r->value, error))
        opt_usage(r->program, "option --%s: '%s': %s", r->name, r->value, error);
}

int
main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "";
    bool is_perl = strcmp(name, perl.name) == 0;
    const struct opt_program *program = is_perl ? &perl : &right;
    struct options o = {.dialect = is_perl ? &dialect_perl : &dialect_right};
    struct opt_reader r;
    struct pattern skip_after;
    struct diag diag;
    struct out out;
    size_t from = is_perl ? 0 : FORMATS;

    o.tidy = o.dialect->tidy;
    diag_init(&diag, program->name);
    opt_start(&r, program, argc, argv);
    for (int id; (id = opt_next(&r)) != OPT_DONE;) {
        switch (id) {
        case O_FROM:
            from = (size_t)opt_choice(&r);
            break;
        case O_PID:
            o.pid = true;
            break;
        case O_TID:
            o.tid = true;
            break;
        case O_INLINE:
            o.inlined = true;
            break;
        case O_ALL:
            o.kernel = o.jit = true;
            break;
        case O_KERNEL:
            o.kernel = true;
            break;
        case O_JIT:
            o.jit = true;
            break;
        case O_CONTEXT:
            o.context = true;
            break;
        case O_SRCLINE:
            o.srcline = true;
            break;
        case O_ADDRS:
            o.addrs = true;
            break;
        case O_EVENT:
            o.event = r.value;
            break;
        case O_WEIGHT:
            o.count_samples = opt_choice(&r) == 1;
            break;
        case O_SKIP_AFTER:
            compile(&skip_after, &r);
            o.skip_after = &skip_after;
            break;
        case O_NO_COMM:
            o.no_comm = true;
            break;
        case O_COMM_DIGITS:
            if (r.number < 1)
                opt_usage(program, "option --comm-digits: '%s' is below 1", r.value);
            o.comm_digits = r.number;
            break;
        case O_TIDY:
            o.tidy = (enum tidy)opt_choice(&r);
            break;
        case OPT_QUIET:
            diag.quiet = true;
            break;
        }
    }

    struct collapse c = {.options = &o, .diag = &diag};
    input_start(&c.input, &diag, r.argv, (size_t)r.noperands);
    out_stdout(&out);
    fold_files(&c, from);
    stacks_print(&c.stacks, &out);
    out_close(&out);
    report(&c);
    return is_perl ? 0 : diag.status;
}
