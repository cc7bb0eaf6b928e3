/* The call tree that Visual Studio's profiler exports ("Call Tree View" in its documentation), with
 * the columns that the user chose to see:
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Module Name,
 *     0,"app.exe","8,735",0,100.00,"",
 *     1,"main","8,735",0,100.00,"app.exe",
 *     2,"std::map<int,std::less<int> >::find",306,16,3.50,"app.exe",
 *
 * Level 0 is the process. Numbers are grouped and separated from their fraction as the user's
 * locale has it. Where the program was instrumented, the columns have calls and times in place of samples. */
#include "cmd/stackcollapse/build/calltree.h"
#include "cmd/stackcollapse/build/csv.h"
#include "common/base/num.h"

struct state {
    struct calltree tree;
    struct csv csv;
    char delimiter;      /* 0: the line of the columns' names was not read */
    size_t name, weight; /* columns; the level is the first */
};

/* The column of what a function did itself: "Exclusive Samples", "Elapsed Exclusive Time", or where
 * there is only that, its share in percent. SPAN_NONE: there is none. Averages are no sums. */
static size_t
weight_column(const struct csv *csv)
{
    size_t percent = SPAN_NONE;
    for (size_t i = csv->n; i-- > 0;)
        if (span_holds(csv->fields[i], SPAN("Exclusive")) && span_holds(csv->fields[i], SPAN("%")))
            percent = i;
    for (size_t i = 0; i < csv->n; i++)
        if (span_holds(csv->fields[i], SPAN("Exclusive")) &&
            !span_holds(csv->fields[i], SPAN("%")) && !span_holds(csv->fields[i], SPAN("Avg")))
            return i;
    return percent;
}

/* The line of the columns' names. */
static void
take_header(struct state *st, struct span line)
{
    struct collapse *c = st->tree.base.c;
    char delimiter = csv_delimiter(line, SPAN("Level"));
    csv_split(&st->csv, line, delimiter);
    st->name = csv_find(&st->csv, SPAN("Function Name"));
    st->weight = weight_column(&st->csv);
    if (delimiter == '\0')
        input_skip(&c->input, "a line before that of the columns, Level,Function Name,...");
    else if (st->name == SPAN_NONE)
        input_skip(&c->input, "there is no column Function Name: export it too");
    else if (st->weight == SPAN_NONE)
        input_skip(&c->input, "there is no column of exclusive samples or time: export one too");
    else
        st->delimiter = delimiter;
}

/* Parses "8,735", "8.735", "0.18" and "0,18": three digits after a separator are a group, since
 * fractions have two. */
static bool
parse_count(struct span field, struct decimal *count)
{
    char text[64];
    size_t n = 0;
    for (size_t i = 0; i < field.len && n < sizeof text; i++) {
        char c = field.ptr[i];
        if (is_digit(c))
            text[n++] = c;
        else if ((c == '.' || c == ',') && span_run(field, i + 1, is_digit) != 3)
            text[n++] = '.';
        else if (span_find(SPAN(".,' \xc2\xa0\xe2\x80\xaf"), c) == SPAN_NONE)
            return false; /* no separator, blank or no-break space */
    }
    return decimal_parse(span_of(text, n), count);
}

static void
take_row(struct state *st, struct span line)
{
    uint64_t level;
    struct decimal count;
    csv_split(&st->csv, line, st->delimiter);
    struct span name = span_trim(csv_field(&st->csv, st->name));
    if (!num_u64(span_trim(csv_field(&st->csv, 0)), &level) || level > INT32_MAX)
        input_skip(&st->tree.base.c->input, "the line begins with no level");
    else if (name.len == 0)
        calltree_skip(&st->tree, (size_t)level, "there is no function");
    else if (!parse_count(csv_field(&st->csv, st->weight), &count))
        calltree_skip(&st->tree, (size_t)level, "there is no count");
    else if (calltree_enter(&st->tree, (size_t)level, name))
        calltree_count(&st->tree, count);
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (span_trim(line).len == 0)
        return;
    if (st->delimiter == '\0')
        take_header(st, line);
    else
        take_row(st, line);
}

static void
finish(void *state)
{
    struct state *st = state;
    st->delimiter = '\0';
    calltree_finish(&st->tree, 0);
}

static void
end(void *state)
{
    struct state *st = state;
    csv_free(&st->csv);
    calltree_free(&st->tree);
}

static bool
is_vsprof(struct span line)
{
    char delimiter = csv_delimiter(line, SPAN("Level"));
    return delimiter != '\0' &&
           csv_delimiter(span_from(line, 6), SPAN("Function Name")) == delimiter;
}

const struct format format_vsprof = {
    .is = is_vsprof,
    .take = take,
    .state_size = sizeof(struct state),
    .finish = finish,
    .end = end,
};
