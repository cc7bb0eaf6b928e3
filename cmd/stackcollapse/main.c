/* stackcollapse: fold samples into one line a stack. */
#include "common/base/num.h"
#include "common/base/opt.h"
#include "cmd/stackcollapse/dialect.h"
#include "cmd/stackcollapse/formats.h"
#include "common/stack/lookslike.h"

enum {
    FROM = 1,
    PID,
    TID,
    INLINE,
    ALL,
    KERNEL,
    JIT,
    CONTEXT,
    SRCLINE,
    ADDRS,
    EVENT_FILTER,
    EVENT,
    WEIGHT,
    SKIP_AFTER,
    NO_COMM,
    COMM_DIGITS,
    TIDY,
};

static const struct opt table[] = {
    {"from", 0, OPT_TEXT, true, FROM, FORMAT_NAMES, "the input's format (guess)"},
    {"pid", 0, OPT_FLAG, false, PID, NULL, "append the process number to the command name"},
    {"tid", 0, OPT_FLAG, false, TID, NULL, "append the process and the thread number"},
    {"inline", 0, OPT_FLAG, false, INLINE, NULL, "show inlined calls, asking addr2line"},
    {"all", 0, OPT_FLAG, false, ALL, NULL, "--kernel and --jit"},
    {"kernel", 0, OPT_FLAG, false, KERNEL, NULL, "mark kernel functions with _[k]"},
    {"jit", 0, OPT_FLAG, false, JIT, NULL, "mark JIT-compiled functions with _[j]"},
    {"context", 0, OPT_FLAG, false, CONTEXT, NULL, "with --inline: add source lines"},
    {"srcline", 0, OPT_FLAG, false, SRCLINE, NULL,
     "add the source lines of perf script -F +srcline"},
    {"addrs", 0, OPT_FLAG, false, ADDRS, NULL, "show the address where there is no symbol"},
    {"event-filter", 0, OPT_TEXT, false, EVENT_FILTER, "EVENT",
     "fold samples of this event (the first one's)"},
    {"event", 0, OPT_TEXT, true, EVENT, "LIST",
     "fold samples of these events: names, patterns such as 'syscalls:*', all"},
    {"weight", 0, OPT_TEXT, true, WEIGHT, "samples|period",
     "what a sample counts: 1, or its period (samples; of off-cpu: period)"},
    {"skip-after", 0, OPT_TEXT, true, SKIP_AFTER, "RE", "drop the callers of frames that match"},
    {"no-comm", 0, OPT_FLAG, true, NO_COMM, NULL, "leave the command name out"},
    {"comm-digits", 0, OPT_INT, true, COMM_DIGITS, "N",
     "in command names, replace runs of N digits or more by <N>"},
    {"tidy", 0, OPT_TEXT, true, TIDY, "perl|brackets|none",
     "how argument lists are cut from function names (brackets)"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct opt_program native = {
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

/* Reports what of the input is not in the output. */
static void
report(const struct collapse *c)
{
    char some[NUM_COMMAS], all[NUM_COMMAS];
    uint64_t n = c->samples + c->stacks;
    const char *what = c->stacks == 0 ? "sample" : c->samples == 0 ? "folded line" : "item";
    diag_finish(c->diag);
    if (c->without_frames > 0)
        diag_note(c->diag, "%.*s of %.*s samples have no frames and are left out",
                  SPAN_ARG(num_commas(some, c->without_frames)),
                  SPAN_ARG(num_commas(all, c->samples)));
    input_say_skipped(&c->input, n, what);
    if (n == 0 && c->input.skipped == 0 && c->diag->status == 0)
        diag_note(c->diag, "no samples in the input");
}

static void
fold_file(struct collapse *c, size_t format, void **state)
{
    uint64_t items = c->samples + c->stacks, skipped = c->input.skipped;
    struct span head = lines_ahead(&c->input.lines, LOOKSLIKE_BYTES);
    const char *looks =
        looks_like(span_head(head, head.len < LOOKSLIKE_BYTES ? head.len : LOOKSLIKE_BYTES));
    format_at(format)->fold(c, state);
    if (c->samples + c->stacks > items || c->input.skipped == skipped)
        return;
    struct place file = {c->input.name, 0};
    if (looks != NULL)
        diag_error(c->diag, file, "no line could be used; this looks like %s", looks);
    else
        diag_error(c->diag, file,
                   "no line could be used: neither perf script text nor folded stacks");
}

static void
fold_files(struct collapse *c, size_t from, void *states[FORMAT_COUNT])
{
    while (input_next(&c->input)) {
        size_t format = from < FORMAT_COUNT ? from : format_guess(&c->input.lines);
        fold_file(c, format, &states[format]);
    }
}

/* Lets each format report, once the output is written. */
static void
end_formats(void *states[FORMAT_COUNT])
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (states[i] != NULL)
            format_at(i)->end(states[i]);
}

/* An option that sets a flag of the options and takes no value. */
static void
set_flag(struct options *o, int id)
{
    switch (id) {
    case PID:
        o->fold.names.pid = true;
        break;
    case TID:
        o->fold.names.tid = true;
        break;
    case INLINE:
        o->inlined = true;
        break;
    case ALL:
        o->fold.names.kernel = o->fold.names.jit = true;
        break;
    case KERNEL:
        o->fold.names.kernel = true;
        break;
    case JIT:
        o->fold.names.jit = true;
        break;
    case CONTEXT:
        o->context = true;
        break;
    case SRCLINE:
        o->fold.names.srcline = true;
        break;
    case ADDRS:
        o->fold.names.addrs = true;
        break;
    case NO_COMM:
        o->fold.no_comm = true;
        break;
    }
}

/* --event. Under the Perl script's name it abbreviates --event-filter. */
static void
read_event_list(struct opt_reader *r, struct options *o)
{
    static struct eventlist list;
    if (o->dialect == &dialect_perl) {
        o->event = r->value;
        return;
    }
    if (!eventlist_add(&list, span_cstr(r->value)))
        opt_usage(r->program, "option --event: '%s' names no event", r->value);
    o->event_list = &list;
}

/* Fills the options; *from becomes the input format's place in the table, or FORMAT_COUNT for any.
 */
static void
read_options(struct opt_reader *r, struct options *o, struct diag *diag, size_t *from)
{
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        switch (id) {
        case FROM:
            *from = (size_t)opt_choice(r);
            break;
        case EVENT_FILTER:
            o->event = r->value;
            break;
        case EVENT:
            read_event_list(r, o);
            break;
        case WEIGHT:
            o->weight = (enum weight)opt_choice(r);
            o->weight_given = true;
            break;
        case SKIP_AFTER:
            opt_pattern(r, &o->fold.skip_after);
            o->fold.has_skip_after = true;
            break;
        case COMM_DIGITS:
            if (r->number < 1)
                opt_usage(r->program, "option --comm-digits: '%s' is below 1", r->value);
            o->fold.names.comm_digits = r->number;
            break;
        case TIDY:
            o->fold.names.tidy = (enum tidy)opt_choice(r);
            break;
        case OPT_STRICT:
            o->strict = true;
            break;
        case OPT_QUIET:
            diag->quiet = true;
            break;
        default:
            set_flag(o, id);
        }
    }
    if (o->context && !o->inlined && o->dialect == &dialect_native)
        opt_usage(r->program, "option --context needs --inline");
}

int
main(int argc, char **argv)
{
    bool is_perl = opt_called(perl.name, argc, argv);
    const struct opt_program *program = is_perl ? &perl : &native;
    struct options o = {.dialect = is_perl ? &dialect_perl : &dialect_native};
    size_t from = is_perl ? 0 : FORMAT_COUNT;
    void *states[FORMAT_COUNT] = {NULL};
    struct opt_reader r;
    struct diag diag;
    struct out out;

    o.fold.names.dialect = o.dialect->names;
    o.fold.names.tidy = o.dialect->tidy;
    o.weight = o.dialect->weight;
    diag_init(&diag, program->name);
    opt_start(&r, program, argc, argv);
    read_options(&r, &o, &diag, &from);

    struct collapse c = {.options = &o, .diag = &diag};
    input_start(&c.input, &diag, r.argv, (size_t)r.noperands);
    c.input.as_is = is_perl;
    out_stdout(&out);
    fold_files(&c, from, states);
    profile_write(&c.profile, &out);
    out_close(&out);
    end_formats(states);
    report(&c);
    /* The script's status is 0 also if it cannot read a file. */
    return is_perl ? 0 : input_status(&c.input, o.strict);
}
