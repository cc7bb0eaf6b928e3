/* The call tree that Visual Studio's profiler exports ("Call Tree View" in its documentation), with
 * the columns that the user chose to see:
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Module Name,
 *     0,"app.exe","8,735",0,100.00,"",
 *     1,"main","8,735",0,100.00,"app.exe",
 *     2,"std::map<int,std::less<int> >::find",306,16,3.50,"app.exe",
 *
 * Level 0 is the process. Numbers are grouped and separated from their fraction as the user's
 * locale has it. Where the program was instrumented, the columns have calls and times in place of
 * samples. */
#include "cmd/stackcollapse/shared/rowtree.h"
#include "common/base/num.h"

/* Return the column of a function's own count: "Exclusive Samples", "Elapsed Exclusive Time" or,
 * without these, its share in percent. Return SPAN_NONE if there is none. Columns of averages do
 * not count, since they cannot be added up. */
static size_t
weight_column(const struct rowtree *t)
{
    size_t percent = SPAN_NONE;
    for (size_t i = 0; i < t->fields.n; i++) {
        struct span name = t->fields.at[i];
        bool exclusive = span_holds(name, SPAN("Exclusive")), share = span_holds(name, SPAN("%"));
        if (exclusive && !share && !span_holds(name, SPAN("Avg")))
            return i;
        if (exclusive && share && percent == SPAN_NONE)
            percent = i;
    }
    return percent;
}

/* Take the line of column names. The level is the first column. */
static void
take_header(struct rowtree *t, struct span line)
{
    char delimiter = rowtree_delimiter(line, SPAN("Level"));
    rowtree_split(t, line, delimiter);
    t->named = rowtree_column(t, SPAN("Function Name"));
    t->weight = weight_column(t);
    if (delimiter == '\0')
        stacker_skip(&t->base, "a line before that of the columns, Level,Function Name,...");
    else if (t->named == SPAN_NONE)
        stacker_skip(&t->base, "there is no column Function Name: export it too");
    else if (t->weight == SPAN_NONE)
        stacker_skip(&t->base, "there is no column of exclusive samples or time: export one too");
    else
        t->delimiter = delimiter;
}

/* Parse "8,735", "8.735", "0.18" or "0,18": three digits after a separator are a group, since
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
            return false; /* neither separator, blank nor no-break space */
    }
    return decimal_parse(span_of(text, n), count);
}

static void
take_row(struct rowtree *t, struct span line)
{
    uint64_t level;
    struct decimal count;
    rowtree_split(t, line, t->delimiter);
    struct span name = span_trim(rowtree_field(t, t->named));
    if (!num_u64(span_trim(rowtree_field(t, 0)), &level) || level > INT32_MAX)
        stacker_skip(&t->base, "the line begins with no level");
    else if (name.len == 0)
        rowtree_skip(t, (size_t)level, "there is no function");
    else if (!parse_count(rowtree_field(t, t->weight), &count))
        rowtree_skip(t, (size_t)level, "there is no count");
    else if (rowtree_enter(t, (size_t)level, name))
        rowtree_count(t, count);
}

static void
take(struct stacker *f, struct span line)
{
    struct rowtree *t = (struct rowtree *)f;
    if (span_trim(line).len > 0)
        (t->delimiter == '\0' ? take_header : take_row)(t, line);
}

static bool
is_vsprof(struct span line)
{
    char delimiter = rowtree_delimiter(line, SPAN("Level"));
    return delimiter != '\0' &&
           rowtree_delimiter(span_from(line, 6), SPAN("Function Name")) == delimiter;
}

const struct format format_vsprof = {ROWTREE_FORMAT(struct rowtree), .is = is_vsprof,
                                     .per_file = true, .take = take, .finish = rowtree_finish};
