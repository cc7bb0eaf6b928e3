/* stackdiff: compare two folded profiles. */
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/stackdiff/gate.h"
#include "common/base/opt.h"

enum { NORMALIZE = 1, STRIP_HEX, MAX_GROWTH, FUNCTION };

static const struct opt table[] = {
    {"normalize", 'n', OPT_FLAG, false, NORMALIZE, NULL, "scale the first profile to the second"},
    {"strip-hex", 's', OPT_FLAG, false, STRIP_HEX, NULL, "treat all hexadecimal numbers as equal"},
    {"max-growth", 0, OPT_NUM, true, MAX_GROWTH, "POINTS",
     "exit with status 1 if a function's share grew by more percentage points"},
    {"function", 0, OPT_TEXT, true, FUNCTION, "RE", "with --max-growth: only functions that match"},
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static const struct dialect stackdiff = {
    .program = "stackdiff",
    .numbers = &numbers_exact,
    .crlf = true,
    .check_sides = true,
    .unreadable = 1,
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
    bool normalize, strip_hex, strict, quiet;
    bool gated; /* --max-growth was given */
    struct gate gate;
    struct pattern function;
};

static void
set_max_growth(struct options *o, const struct opt_reader *r)
{
    if (r->real < 0)
        opt_usage(r->program, "option --%s: '%s' is below zero", r->name, r->value);
    if (r->real > 100)
        opt_usage(r->program, "option --%s: '%s' is too large: a share grows by 100 points at most",
                  r->name, r->value);
    o->gated = true;
    o->gate.max_growth = r->real;
    o->gate.limit = r->value;
}

static void
set_function(struct options *o, const struct opt_reader *r)
{
    if (r->value[0] == '\0') /* it would match every function */
        opt_usage(r->program, "option --%s needs a regular expression", r->name);
    if (o->gate.function != NULL)
        pattern_free(&o->function);
    opt_pattern(r, &o->function);
    o->gate.function = &o->function;
    o->gate.expression = r->value;
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
            set_function(o, r);
            break;
        case OPT_STRICT:
            o->strict = true;
            break;
        case OPT_QUIET:
            o->quiet = true;
            break;
        }
    }
    if (o->gate.function != NULL && !o->gated)
        opt_usage(r->program, "option --function needs --max-growth");
}

static bool
file_status(const char *name, struct stat *st)
{
    return (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(name, st)) == 0;
}

static bool
is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return file_status(a, &x) && file_status(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static void
check_operands(const struct opt_reader *r, const struct options *o, const struct dialect *d)
{
    if (r->noperands < 2 || (r->noperands > 2 && !d->more_operands))
        opt_usage(r->program, "two files are needed, not %d", r->noperands);
    if (strcmp(r->argv[0], "-") == 0 && strcmp(r->argv[1], "-") == 0)
        opt_usage(r->program, "only one of the two files can be standard input");
    if (o->gated && is_same_file(r->argv[0], r->argv[1]))
        opt_usage(r->program, "both operands are the same file, so --max-growth could never fail");
}

static void
read_sides(struct profiles *p, struct input *in)
{
    while (input_next(in))
        profiles_read(p, in, in->at - 1);
    input_say_skipped(in, p->lines[0] + p->lines[1], "folded line");
    if (profiles_total(p, 0) > 0 && profiles_total(p, 1) > 0 && !profiles_overlap(p))
        diag_note(in->diag,
                  "no stack is in both profiles: were they folded with the same options?");
}

/* Writes the comparison to standard output and returns the exit status. */
static int
diff(struct profiles *p, const struct options *o, char **files, struct diag *diag)
{
    struct input in;
    input_start(&in, diag, files, 2);
    in.as_is = p->dialect == &difffolded;
    in.after_perf = "stackcollapse";
    read_sides(p, &in);
    int status = input_status(&in, o->strict);
    input_free(&in);
    if (diag->status != 0)
        return p->dialect->unreadable;

    if (o->normalize && profiles_total(p, 0) <= 0 && profiles_total(p, 1) > 0) {
        diag_error(diag, (struct place){p->names[0], 0}, "no samples that could be scaled");
        return p->dialect->unscalable;
    }
    /* The gate uses the counts as they were read: --normalize rounds them. */
    if (o->gated)
        gate_check(&o->gate, p, diag);
    if (o->normalize)
        profiles_normalize(p);
    struct out out;
    out_stdout(&out);
    profiles_write(p, &out);
    out_close(&out);
    return diag->status != 0 ? diag->status : status;
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
    check_operands(&r, &o, dialect);

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
