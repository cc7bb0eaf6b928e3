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
#include "cmd/stackcollapse/build/calltree.h"
#include "cmd/stackcollapse/build/csv.h"

struct state {
    struct calltree tree;
    struct csv csv;
    char delimiter;        /* 0: the line of the columns' names was not read */
    size_t weight, module; /* columns; SPAN_NONE: there is none; the function is the first */
    int shift;             /* of seconds to milliseconds: 3 */
    bool allocations;      /* it is format_vtune_mc */
};

/* The column of what a function took itself: CPU time, or else what was recorded, such as
 * "Clockticks:Self". SPAN_NONE: there is none. */
static size_t
time_column(const struct csv *csv)
{
    size_t at = csv_find(csv, SPAN("CPU Time:Self"));
    for (size_t i = 1; i < csv->n && at == SPAN_NONE; i++)
        if (span_ends(csv->fields[i], SPAN(":Self")))
            at = i;
    return at;
}

static void
take_header(struct state *st, struct span line, char delimiter)
{
    struct csv *csv = &st->csv;
    bool size = st->tree.base.c->options->size;
    csv_split(csv, line, delimiter);
    st->weight = !st->allocations ? time_column(csv)
                 : size           ? csv_find(csv, SPAN("Allocation Size:Self"))
                                  : csv_find(csv, SPAN("Allocations:Self"));
    st->module = csv_find(csv, SPAN("Module"));
    if (st->weight == SPAN_NONE) {
        input_skip(&st->tree.base.c->input,
                   !st->allocations ? "there is no column CPU Time:Self: have VTune print it"
                   : size           ? "there is no column Allocation Size:Self: have VTune print it"
                                    : "there is no column Allocations:Self: have VTune print it");
        return;
    }
    st->shift = span_search(csv->fields[st->weight], SPAN("Time")) != SPAN_NONE ? 3 : 0;
    st->delimiter = delimiter;
}

/* "tachyon!main"; of allocations "main(tachyon)". */
static struct span
frame_name(struct state *st, struct span function)
{
    struct text *name = &st->tree.base.name;
    struct span module = span_trim(csv_field(&st->csv, st->module));
    if (module.len == 0 || span_eq(module, SPAN("[Unknown]")))
        return function;
    name->len = 0;
    text_add(name, st->allocations ? function : module);
    text_add(name, st->allocations ? SPAN("(") : SPAN("!"));
    text_add(name, st->allocations ? module : function);
    text_add(name, st->allocations ? SPAN(")") : SPAN(""));
    return text_span(name);
}

/* Parses "0.010", which may have blanks around it; nothing is 0. */
static bool
parse_count(struct span field, struct decimal *count)
{
    struct span number = span_trim(field);
    *count = (struct decimal){0, 0};
    return number.len == 0 || decimal_parse(number, count);
}

/* A line, and how many blanks were before it. */
static void
take_row(struct state *st, struct span line, size_t level)
{
    struct decimal count;
    csv_split(&st->csv, line, st->delimiter);
    struct span function = csv_field(&st->csv, 0);
    level += span_run(function, 0, is_blank); /* after a quotation mark */
    function = span_trim(function);
    if (function.len == 0)
        calltree_skip(&st->tree, level, "there is no function");
    else if (st->weight >= st->csv.n || !parse_count(st->csv.fields[st->weight], &count))
        calltree_skip(&st->tree, level, "there is no count");
    else if (calltree_enter(&st->tree, level, frame_name(st, function)))
        calltree_count(&st->tree, count);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    size_t blanks = span_run(line, 0, is_blank);
    if (span_trim(line).len == 0 || span_starts(line, SPAN("war:")))
        return;
    char delimiter = csv_delimiter(line, SPAN("Function Stack"));
    if (st->delimiter != '\0')
        take_row(st, span_from(line, blanks), blanks);
    else if (delimiter != '\0')
        take_header(st, line, delimiter);
    else
        input_skip(&st->tree.base.c->input,
                   "a line before that of the columns, Function Stack,...");
}

static void
take_allocations(void *state, struct span line)
{
    ((struct state *)state)->allocations = true;
    take(state, line);
}

static void
finish(void *state)
{
    struct state *st = state;
    st->delimiter = '\0';
    calltree_finish(&st->tree, st->shift);
}

static void
end(void *state)
{
    struct state *st = state;
    csv_free(&st->csv);
    calltree_free(&st->tree);
}

static bool
is_allocations(struct span line)
{
    return csv_delimiter(line, SPAN("Function Stack")) != '\0' &&
           span_holds(line, SPAN("Allocation"));
}

static bool
is_time(struct span line)
{
    return csv_delimiter(line, SPAN("Function Stack")) != '\0' && !is_allocations(line);
}

const struct format format_vtune = {
    .is = is_time,
    .take = take,
    .state_size = sizeof(struct state),
    .finish = finish,
    .end = end,
};

const struct format format_vtune_mc = {
    .is = is_allocations,
    .take = take_allocations,
    .state_size = sizeof(struct state),
    .finish = finish,
    .end = end,
};
