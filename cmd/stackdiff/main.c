/* stackdiff: two folded profiles side by side. */
#include "cmd/stackdiff/gate.h"
#include "common/base/opt.h"

enum { NORMALIZE = 1, STRIP_HEX, MAX_GROWTH, FUNCTION };

static const struct opt table[] = {
    {"normalize", 'n', OPT_FLAG, false, NORMALIZE, NULL, "scale the first profile to the second"},
    {"strip-hex", 's', OPT_FLAG, false, STRIP_HEX, NULL, "take all hexadecimal numbers as equal"},
    {"max-growth", 0, OPT_NUM, true, MAX_GROWTH, "POINTS",
     "fail where a function's share grew by more percentage points"},
    {"function", 0, OPT_TEXT, true, FUNCTION, "RE", "with --max-growth: only functions that match"},
    OPT_COMMON,
};

static const struct dialect stackdiff = {
    .program = "stackdiff",
    .numbers = &numbers_exact,
    .crlf = true,
    .unreadable = 1,
    .unscalable = 1,
};
static const struct dialect difffolded = {
    .program = "difffolded.pl",
    .numbers = &numbers_perl,
    .bad_as_empty = true,
    .more_operands = true,
    .unreadable = 2,
    .unscalable = 255,
};

struct options {
    bool normalize, strip_hex, quiet;
    bool gated;
    struct gate gate;
    struct pattern function;
};

static void
set_max_growth(struct options *o, const struct opt_reader *r)
{
    if (r->real < 0)
        opt_usage(r->program, "option --%s: '%s' is below zero", r->name, r->value);
    o->gated = true;
    o->gate.max_growth = r->real;
}

static void
read_options(struct options *o, struct opt_reader *r)
{
    for (int id; (id = opt_next(r)) != OPT_DONE;) {
        switch (id) {
        case NORMALIZE:
            o->normalize = true;
            break;
        case STRIP_HEX:
            o->strip_hex = true;
            break;
        case MAX_GROWTH:
            set_max_growth(o, r);
            break;
        case FUNCTION:
            opt_pattern(r, &o->function);
            o->gate.function = &o->function;
            break;
        case OPT_QUIET:
            o->quiet = true;
            break;
        }
    }
    if (o->gate.function != NULL && !o->gated)
        opt_usage(r->program, "option --function needs --max-growth");
}

static void
check_operands(const struct opt_reader *r, const struct dialect *d)
{
    if (r->noperands < 2 || (r->noperands > 2 && !d->more_operands))
        opt_usage(r->program, "two files are wanted, not %d", r->noperands);
    if (strcmp(r->argv[0], "-") == 0 && strcmp(r->argv[1], "-") == 0)
        opt_usage(r->program, "only one of the two files can be standard input");
}

static void
read_side(struct profiles *p, struct input *in, size_t side)
{
    profiles_read(p, in, side);
    if (in->lines.error == 0 && profiles_total(p, side) <= 0)
        diag_warn(in->diag, "profiles without samples", (struct place){in->name, 0}, "no samples");
}

/* What the two files say, to standard output. Returns the exit status. */
static int
diff(struct profiles *p, const struct options *o, char **files, struct diag *diag)
{
    struct input in;
    input_start(&in, diag, files, 2);
    in.as_is = p->dialect == &difffolded;
    in.after_perf = "stackcollapse";
    while (input_next(&in))
        read_side(p, &in, in.at - 1);
    input_free(&in);
    diag_finish(diag);
    input_say_skipped(&in, p->stacks.count, "stack");
    if (diag->status != 0)
        return p->dialect->unreadable;

    if (o->normalize && profiles_total(p, 0) <= 0 && profiles_total(p, 1) > 0) {
        diag_error(diag, (struct place){files[0], 0}, "no samples that could be scaled");
        return p->dialect->unscalable;
    }
    /* The gate comes first: shares are of what was seen, before anything is scaled and rounded. */
    if (o->gated)
        gate_check(&o->gate, p, diag);
    if (o->normalize)
        profiles_normalize(p);
    struct out out;
    out_stdout(&out);
    profiles_write(p, &out);
    out_close(&out);
    return diag->status;
}

int
main(int argc, char **argv)
{
    bool perl = opt_called(difffolded.program, argc, argv);
    const struct dialect *dialect = perl ? &difffolded : &stackdiff;
    const struct opt_program program = {
        .name = dialect->program,
        .synopsis = "[option ...] before.folded after.folded",
        .about = "Writes each stack of two folded profiles with its count in both.",
        .table = table,
        .usage_status = 2,
        .perl_help = perl,
    };
    struct opt_reader r;
    struct options o = {0};
    opt_start(&r, &program, argc, argv);
    read_options(&o, &r);
    check_operands(&r, dialect);

    struct diag diag;
    diag_init(&diag, dialect->program);
    diag.quiet = o.quiet;
    struct profiles p = {.dialect = dialect, .strip_hex = o.strip_hex};
    int status = diff(&p, &o, r.argv, &diag);
    profiles_free(&p);
    if (o.gate.function != NULL)
        pattern_free(&o.function);
    return status;
}
