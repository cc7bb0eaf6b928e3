#include "cmd/stackdiff/options.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SET_BEFORE = 1,
    SET_AFTER,
    WIDTH,
    MIN_DELTA,
    MAX_GROWTH,
    MAX_TOTAL,
    NEW,
    FUNCTION,
    PERIOD,
};

#define AT(member) OPT_AT(struct options, member)

const struct opt options_table[] = {
    OPT_HEADING("Profiles"),
    {"before", 0, OPT_TEXT, true, SET_BEFORE, "FILE",
     "a profile before; the files that follow are too"},
    {"after", 0, OPT_TEXT, true, SET_AFTER, "FILE", "the same, of profiles after"},
    {"normalize", 'n', OPT_FLAG, false, AT(changes.normalize), NULL,
     "scale the counts before to those after"},
    {"period", 0, OPT_NUM, true, PERIOD, "N", "what one sample counts in the profiles (1)"},
    OPT_HEADING("Fail if the program became slower"),
    {"max-growth", 0, OPT_NUM, true, MAX_GROWTH, "POINTS",
     "exit with status 1 if a function's share grew by more percentage points, not by chance"},
    {"max-total", 0, OPT_NUM, true, MAX_TOTAL, "PERCENT",
     "exit with status 1 if the total grew by more, not by chance"},
    {"new", 0, OPT_TEXT, true, NEW, "RE",
     "exit with status 1 if there is a new function that matches"},
    {"function", 0, OPT_TEXT, true, FUNCTION, "RE", "compare only functions that match"},
    OPT_HEADING("Output"),
    {"format", 0, OPT_CHOICE, true, AT(format), "folded|table|json",
     "the output's format (folded)"},
    {"top", 0, OPT_COUNT, true, AT(top), "N",
     "of a table or JSON, only the N functions that changed most"},
    {"width", 0, OPT_INT, true, WIDTH, "N",
     "cut names so that a table's lines have N columns (the terminal's; 0: do not cut)"},
    {"min-delta", 0, OPT_NUM, true, MIN_DELTA, "POINTS",
     "ignore what changed by fewer percentage points"},
    {"missing", 0, OPT_FLAG, true, AT(changes.missing), NULL,
     "draw stacks that are gone beside the others, as wide as they were"},
    OPT_HEADING("Names"),
    {"strip-hex", 's', OPT_FLAG, false, AT(strip_hex), NULL,
     "treat all hexadecimal numbers as equal"},
    {"exact-names", 0, OPT_FLAG, false, AT(exact_names), NULL,
     "functions are the same only if their names are, lines and folders included"},
    OPT_HEADING("Other"),
    OPT_STRICT_ROW,
    OPT_COMMON,
};

static void
add(struct options *o, const char *file)
{
    MEM_ADD(o->runs, o->nruns, o->runs_cap, (struct run){.file = file, .side = o->side});
}

/* Add the value of the last option, --before or --after, and put the operands that follow on its
 * side. */
static void
name_side(struct options *o, const struct opt_reader *r, enum side side)
{
    if (!o->named && o->nruns > 0)
        opt_usage(r->program, "'%s' is neither of --before nor of --after", o->runs[0].file);
    o->named = true;
    o->side = side;
    add(o, r->value);
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

/* Check the files of a command line without --before and --after. */
static void
check_two(struct options *o, const struct opt_reader *r, const struct diff_dialect *d)
{
    if (o->nruns < 2 || (o->nruns > 2 && !d->more_operands))
        opt_usage(r->program, "two files are needed, not %d", r->noperands);
    o->nruns = 2;
    o->runs[0].side = BEFORE;
    o->runs[1].side = AFTER;
    if (strcmp(o->runs[0].file, "-") == 0 && strcmp(o->runs[1].file, "-") == 0)
        opt_usage(r->program, "only one of the two files can be standard input");
    if (options_gated(o) && is_same_file(o->runs[0].file, o->runs[1].file))
        opt_usage(r->program, "both operands are the same file, so nothing could have grown");
}

static void
check_named(const struct options *o, const struct opt_reader *r)
{
    bool given[SIDES] = {false, false};
    for (size_t i = 0; i < o->nruns; i++) {
        const char *file = o->runs[i].file;
        given[o->runs[i].side] = true;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(file, "-") == 0 && strcmp(o->runs[k].file, "-") == 0)
                opt_usage(r->program, "only one of the files can be standard input");
            if (is_same_file(file, o->runs[k].file))
                opt_usage(r->program, "'%s' and '%s' are the same file: each must be another run",
                          o->runs[k].file, file);
        }
    }
    if (!given[BEFORE] || !given[AFTER])
        opt_usage(r->program, "option --%s needs --%s", given[BEFORE] ? "before" : "after",
                  given[BEFORE] ? "after" : "before");
}

/* Return the value of an option, from 0 to `most`. `why` explains the limit. */
static double
number_to(const struct opt_reader *r, double most, const char *why)
{
    if (r->real < 0)
        opt_usage(r->program, "option --%s: '%s' is below zero", r->name, r->value);
    if (r->real > most)
        opt_usage(r->program, "option --%s: '%s' is too large: %s", r->name, r->value, why);
    return r->real;
}

static double
points(const struct opt_reader *r)
{
    return number_to(r, 100, "a share grows by 100 points at most");
}

/* Compile the value into `pattern`, and return its text. `old` is the text of the pattern that it
 * replaces, or NULL. */
static const char *
set_pattern(const struct opt_reader *r, struct pattern *pattern, const char *old)
{
    if (r->value[0] == '\0') /* an empty pattern matches every function */
        opt_usage(r->program, "option --%s needs a regular expression", r->name);
    if (old != NULL)
        pattern_free(pattern);
    opt_pattern(r, pattern);
    return r->value;
}

static void
set_option(struct options *o, const struct opt_reader *r, int id)
{
    switch (id) {
    case SET_BEFORE:
        name_side(o, r, BEFORE);
        break;
    case SET_AFTER:
        name_side(o, r, AFTER);
        break;
    case WIDTH:
        o->width = opt_at_least(r, 0);
        o->width_given = true;
        break;
    case MIN_DELTA:
        o->changes.min_change = o->gate.min_share = points(r);
        break;
    case MAX_GROWTH:
        o->gate.growth = true;
        o->gate.max_growth = points(r);
        o->gate.growth_limit = r->value;
        break;
    case MAX_TOTAL:
        o->gate.total = true;
        o->gate.max_total = number_to(r, 1e9, "it would permit everything");
        o->gate.total_limit = r->value;
        break;
    case NEW:
        o->gate.appeared_text = set_pattern(r, &o->appeared, o->gate.appeared_text);
        o->gate.appeared = &o->appeared;
        break;
    case FUNCTION:
        o->gate.expression = set_pattern(r, &o->function, o->gate.expression);
        break;
    case PERIOD:
        if (r->real <= 0)
            opt_usage(r->program, "option --period: '%s' is not above 0", r->value);
        o->period = r->real;
        break;
    }
}

void
options_read(struct options *o, struct opt_reader *r, const struct diff_dialect *d)
{
    int id;
    do {
        id = opt_next(r);
        for (; o->taken < r->noperands; o->taken++) /* those read since the last option */
            add(o, r->argv[o->taken]);
        set_option(o, r, id);
    } while (id != OPT_DONE);
    o->quiet = r->quiet;
    o->strict = r->strict;
    if (o->gate.expression != NULL && !o->gate.growth && o->gate.appeared == NULL &&
        o->format == FORMAT_FOLDED)
        opt_usage(r->program, "option --function needs --max-growth, --new, or another --format");
    if (o->top > 0 && o->format == FORMAT_FOLDED)
        opt_usage(r->program, "option --top needs --format=table or --format=json");
    if (o->changes.missing && o->format != FORMAT_FOLDED)
        opt_usage(r->program, "option --missing is for --format=folded");
    if (o->named)
        check_named(o, r);
    else
        check_two(o, r, d);
}
