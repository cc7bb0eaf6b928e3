/* The call tree that VTune prints as CSV, of CPU time or of allocations ("Top-down Report" in
 * VTune's documentation); a level is indented by a blank:
 *
 *     vtune -report top-down -call-stack-mode all -column "CPU Time:Self","Module" -format csv
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      main,0.010,tachyon
 *       "render_one_pixel<int, 4>",1.250,tachyon
 *
 *     vtune -report top-down -call-stack-mode all -column "Allocations:Self", ... -format csv
 *     war:Column filter is ON.
 *     Function Stack,Allocation Size:Self,Deallocation Size:Self,Allocations:Self,Module
 *     Total,,,,[Unknown]
 *      main,1024,1024,2,tachyon
 *
 * Lines that begin with "war:" are messages of VTune's. */
#include <stdio.h>

#include "cmd/stackcollapse/shared/rowtree.h"

struct vtune {
    struct rowtree tree;
    bool allocations; /* the tree counts allocations; else CPU time */
};

/* Return the column of a function's own count: CPU time, else what was recorded, such as
 * "Clockticks:Self". Return SPAN_NONE if there is none. */
static size_t
time_column(const struct rowtree *t)
{
    size_t at = rowtree_column(t, SPAN("CPU Time:Self"));
    for (size_t i = 1; i < t->fields.n && at == SPAN_NONE; i++)
        if (span_ends(t->fields.at[i], SPAN(":Self")))
            at = i;
    return at;
}

static void
take_header(struct rowtree *t, struct span line, char delimiter)
{
    bool time = !((const struct vtune *)t)->allocations;
    const char *column = t->base.c->options->size ? "Allocation Size:Self" : "Allocations:Self";
    char why[80];
    rowtree_split(t, line, delimiter);
    t->weight = time ? time_column(t) : rowtree_column(t, span_cstr(column));
    t->named = rowtree_column(t, SPAN("Module"));
    if (t->weight == SPAN_NONE) {
        snprintf(why, sizeof why, "there is no column %s: have VTune print it",
                 time ? "CPU Time:Self" : column);
        stacker_skip(&t->base, why);
        return;
    }
    t->places = span_search(t->fields.at[t->weight], SPAN("Time")) != SPAN_NONE ? 3 : 0;
    t->delimiter = delimiter;
}

/* Return "tachyon!main"; for allocations "main(tachyon)". */
static struct span
frame_name(struct rowtree *t, struct span function)
{
    struct text *name = &t->base.name;
    struct span module = span_trim(rowtree_field(t, t->named));
    if (module.len == 0 || span_eq(module, SPAN("[Unknown]")))
        return function;
    if (!((const struct vtune *)t)->allocations)
        TEXT_SET(name, module, SPAN("!"), function);
    else
        TEXT_SET(name, function, SPAN("("), module, SPAN(")"));
    return text_span(name);
}

/* Take a line that begins with `level` blanks. */
static void
take_row(struct rowtree *t, struct span line, size_t level)
{
    struct decimal count = {0, 0};
    rowtree_split(t, line, t->delimiter);
    struct span function = rowtree_field(t, 0);
    level += span_run(function, 0, is_blank); /* blanks after a quotation mark */
    function = span_trim(function);
    struct span number = span_trim(rowtree_field(t, t->weight)); /* an empty field is 0 */
    if (function.len == 0)
        rowtree_skip(t, level, "there is no function");
    else if (t->weight >= t->fields.n || (number.len > 0 && !decimal_parse(number, &count)))
        rowtree_skip(t, level, "there is no count");
    else if (rowtree_enter(t, level, frame_name(t, function)))
        rowtree_count(t, count);
}

static void
take(struct stacker *f, struct span line)
{
    struct rowtree *t = (struct rowtree *)f;
    size_t blanks = span_run(line, 0, is_blank);
    if (span_trim(line).len == 0 || span_starts(line, SPAN("war:")))
        return;
    char delimiter = rowtree_delimiter(line, SPAN("Function Stack"));
    if (t->delimiter != '\0')
        take_row(t, span_from(line, blanks), blanks);
    else if (delimiter != '\0')
        take_header(t, line, delimiter);
    else
        stacker_skip(f, "a line before that of the columns, Function Stack,...");
}

static void
take_allocations(struct stacker *f, struct span line)
{
    ((struct vtune *)f)->allocations = true;
    take(f, line);
}

static bool
is_allocations(struct span line)
{
    return rowtree_delimiter(line, SPAN("Function Stack")) != '\0' &&
           span_holds(line, SPAN("Allocation"));
}

static bool
is_time(struct span line)
{
    return rowtree_delimiter(line, SPAN("Function Stack")) != '\0' && !is_allocations(line);
}

const struct format format_vtune = {ROWTREE_FORMAT(struct vtune), .is = is_time, .per_file = true,
                                    .take = take, .finish = rowtree_finish};
const struct format format_vtune_mc = {ROWTREE_FORMAT(struct vtune), .is = is_allocations,
                                       .per_file = true, .take = take_allocations,
                                       .finish = rowtree_finish};
