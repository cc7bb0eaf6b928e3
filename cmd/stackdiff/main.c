/* stackdiff: compares folded profiles. */
#include <stdlib.h>

#include "cmd/stackdiff/match.h"
#include "cmd/stackdiff/options.h"
#include "common/base/columns.h"
#include "common/base/confine.h"
#include "common/base/num.h"

static const struct diff_dialect stackdiff = {
    .program = "stackdiff",
    .arithmetic = &arithmetic_exact,
    .crlf = true,
    .check_sides = true,
    .note_totals = true,
    .unreadable = 1,
};
static const struct diff_dialect difffolded = {
    .program = "difffolded.pl",
    .raw = true,
    .arithmetic = &arithmetic_perl,
    .bad_as_empty = true,
    .exact_names = true,
    .more_operands = true,
    .unreadable = 2,
    .unscalable = 255,
};

static void
read_runs(struct profiles *p, struct input *in, bool exact_names)
{
    while (input_next(in))
        profiles_read(p, in, in->at - 1);
    if (!exact_names)
        match_names(p);
    intern_forget(&p->stacks); /* what follows needs as much memory */
    input_say_skipped(in, profiles_lines(p), "folded line");
    if (profiles_differ(p))
        diag_note(in->diag,
                  "no stack is in both profiles: were they folded with the same options? Where the "
                  "command has another name, 'stackcollapse --no-comm' leaves that out");
}

/* Report sums that overflow, since the output and all shares depend on them. */
static void
check_sums(const struct profiles *p, struct diag *diag)
{
    const struct arithmetic *arithmetic = p->dialect->arithmetic;
    bool full = false;
    for (enum side side = BEFORE; side < SIDES; side++) {
        union number total = profiles_side_total(p, side);
        full |= arithmetic == &arithmetic_exact && decimal_is_full(total.exact);
    }
    if (full)
        diag_error(diag, NOWHERE, DECIMAL_FULL);
}

/* Read the files. Return the exit status that results. */
static int
read_files(struct profiles *p, const struct options *o, struct diag *diag)
{
    struct input in;
    char **files = mem_alloc(p->nruns * sizeof *files);
    for (size_t i = 0; i < p->nruns; i++)
        files[i] = (char *)p->runs[i].file;
    input_start(&in, diag, files, p->nruns);
    in.as_is = p->dialect == &difffolded;
    in.after_perf = "stackcollapse";
    read_runs(p, &in, o->exact_names || p->dialect->exact_names);
    int status = input_status(&in, o->strict);
    input_free(&in);
    free(files);
    return status;
}

/* Compare the profiles, and report what the gates find. */
static void
compare(struct comparison *c, const struct options *o, struct diag *diag)
{
    if (profiles_total(c->profiles, BEFORE) <= 0 || profiles_total(c->profiles, AFTER) <= 0) {
        diag_error(diag, NOWHERE, "a profile without samples has no shares to compare");
        return;
    }
    gate_check_samples(c, o->period > 0, diag);
    if (o->gate.growth || o->gate.total)
        gate_check_runs(c->profiles, diag);
    compare_functions(c);
    if (o->gate.expression != NULL)
        gate_check_matches(&o->gate, c, diag);
    if (o->gate.growth)
        gate_check_growth(&o->gate, c, diag);
    if (o->gate.appeared != NULL)
        gate_check_new(&o->gate, c, diag);
    if (o->gate.total)
        gate_check_total(&o->gate, c, diag);
}

/* Print a note if the totals differ much: if recordings differ in length or load, nearly every
 * stack has grown, or nearly every one has shrunk. Print none with a gate, which compares
 * shares. */
static void
note_totals(const struct profiles *p, bool gated, struct diag *diag)
{
    static const double much = 1.1; /* ratio of the larger to the smaller total */
    char text[NUMBER_TEXT], grouped[SIDES][NUMBER_TEXT + 6];
    struct span shown[SIDES];
    size_t runs[SIDES] = {profiles_runs(p, BEFORE), profiles_runs(p, AFTER)};
    double before = profiles_total(p, BEFORE), after = profiles_total(p, AFTER);
    for (enum side side = BEFORE; side < SIDES; side++)
        shown[side] = num_group(grouped[side],
                                p->dialect->arithmetic->text(text, profiles_side_total(p, side)));
    if (runs[BEFORE] != runs[AFTER])
        diag_note(diag,
                  "%zu profile%s before and %zu after are added up: --normalize makes their counts "
                  "comparable",
                  runs[BEFORE], runs[BEFORE] == 1 ? "" : "s", runs[AFTER]);
    else if (!gated && (before > much * after || after > much * before))
        diag_note(diag,
                  "the totals differ, %.*s before and %.*s after, and counts are compared: "
                  "--normalize compares shares",
                  SPAN_ARG(shown[BEFORE]), SPAN_ARG(shown[AFTER]));
}

static void
write_comparison(const struct options *o, const struct comparison *c)
{
    struct out out;
    struct listing listing = {o->changes.min_change, o->top, o->width};
    size_t lines;
    if (!o->width_given)
        columns_terminal(&listing.width, &lines);
    out_stdout(&out);
    if (o->format == FORMAT_TABLE)
        write_table(&out, c, &listing);
    else if (o->format == FORMAT_JSON)
        write_json(&out, c, &listing);
    else
        profiles_write(c->profiles, &o->changes, &out);
    out_close(&out);
}

/* Write the comparison to standard output. Return the exit status. */
static int
diff(struct profiles *p, const struct options *o, struct diag *diag)
{
    int status = read_files(p, o, diag);
    if (diag->status != 0)
        return p->dialect->unreadable;
    if (o->changes.normalize && profiles_total(p, BEFORE) <= 0 && profiles_total(p, AFTER) > 0) {
        diag_error(diag, (struct place){profiles_name(p, BEFORE), 0},
                   "no samples that could be scaled");
        return p->dialect->unscalable;
    }
    struct comparison c = {
        .profiles = p,
        .function = o->gate.expression != NULL ? &o->function : NULL,
        .period = o->period > 0 ? o->period : 1,
    };
    if (p->dialect->note_totals && o->format == FORMAT_FOLDED && !o->changes.normalize)
        note_totals(p, options_gated(o), diag);
    if (options_gated(o) || o->format != FORMAT_FOLDED)
        compare(&c, o, diag);
    write_comparison(o, &c);
    check_sums(p, diag);
    return diag->status != 0 ? diag->status : status;
}

int
main(int argc, char **argv)
{
    bool perl = opt_called(difffolded.program, argc, argv);
    const struct diff_dialect *dialect = perl ? &difffolded : &stackdiff;
    const struct opt_program program = {
        .name = dialect->program,
        .synopsis = perl ? "[option ...] before.folded after.folded"
                         : "[option ...] before.folded after.folded\n"
                           "   or: stackdiff [option ...] --before FILE ... --after FILE ...",
        .about =
            "Writes each stack of two folded profiles with its count in both; or which functions\n"
            "changed, and how certain that is. RE is a POSIX extended regular expression.",
        .table = options_table,
        .usage_status = 2,
        .perl_help = perl,
    };
    struct opt_reader r;
    struct options o = {0};
    opt_start(&r, &program, &o, argc, argv);
    options_read(&o, &r, dialect);

    struct diag diag;
    diag_init(&diag, dialect->program);
    diag.quiet = o.quiet;
    confine(CONFINE_READING);
    struct profiles p = {
        .dialect = dialect,
        .strip_hex = o.strip_hex,
        .runs = o.runs,
        .nruns = o.nruns,
    };
    return diff(&p, &o, &diag);
}
