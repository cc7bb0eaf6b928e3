/* The call tree that Visual Studio's profiler exports ("Call Tree View" in its documentation), with
 * the columns that the user chose to see:
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,Inclusive Samples %,Module Name,
 *     0,"app.exe","8,735",0,100.00,"",
 *     1,"main","8,735",0,100.00,"app.exe",
 *     2,"std::map<int,std::less<int> >::find",306,16,3.50,"app.exe",
 *
 * Level 0 is the process. Numbers are grouped and separated from their fraction as the user's
 * locale has it. An instrumented program has no samples, but calls and times. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stackcollapse/build/calltree.h"
#include "cmd/stackcollapse/build/csv.h"
#include "cmd/stackcollapse/script/scriptnum.h"
#include "common/base/digits.h"
#include "common/base/num.h"

enum { LEVELS = 1000 }; /* of the script, which ends where there are more */

struct state {
    struct calltree tree;
    struct csv csv;
    char delimiter;      /* 0: the line of the columns' names was not read */
    size_t name, weight; /* columns; the level is the first */
    size_t columns;      /* how many there are up to these */
    struct text count;   /* of a script: the last line's */
    size_t depth, lines; /* of a script */
};

static bool
holds(struct span s, struct span text)
{
    return span_search(s, text) != SPAN_NONE;
}

/* The column of what a function did itself: "Exclusive Samples", "Elapsed Exclusive Time", or where
 * there is only that, its share in percent. SPAN_NONE: there is none. Averages are no sums. */
static size_t
weight_column(const struct csv *csv)
{
    size_t percent = SPAN_NONE;
    for (size_t i = csv->n; i-- > 0;)
        if (holds(csv->fields[i], SPAN("Exclusive")) && holds(csv->fields[i], SPAN("%")))
            percent = i;
    for (size_t i = 0; i < csv->n; i++)
        if (holds(csv->fields[i], SPAN("Exclusive")) && !holds(csv->fields[i], SPAN("%")) &&
            !holds(csv->fields[i], SPAN("Avg")))
            return i;
    return percent;
}

/* The line of the columns' names. */
static void
take_header(struct state *st, struct span line)
{
    struct collapse *c = st->tree.base.c;
    char delimiter = csv_delimiter(line, SPAN("Level"));
    csv_split(&st->csv, line, delimiter, CSV_ALL);
    st->name = csv_find(&st->csv, SPAN("Function Name"));
    st->weight = weight_column(&st->csv);
    if (delimiter == '\0')
        input_skip(&c->input, "a line before that of the columns, Level,Function Name,...");
    else if (st->name == SPAN_NONE)
        input_skip(&c->input, "there is no column Function Name: export it too");
    else if (st->weight == SPAN_NONE)
        input_skip(&c->input, "there is no column of exclusive samples or time: export one too");
    else {
        st->delimiter = delimiter;
        st->columns = 1 + (st->name > st->weight ? st->name : st->weight);
    }
}

/* Parses "12", which may have blanks around it. */
static bool
parse_level(struct span field, uint64_t *level)
{
    if (field.len > 0 && field.len < 8 && digits_read(field.ptr, level) == field.len)
        return true;
    return num_u64(span_trim(field), level);
}

/* Parses "8,735", "8.735", "0.18" and "0,18": three digits after a separator are a group, since
 * fractions have two. */
static bool
parse_count(struct span field, struct decimal *count)
{
    char text[64];
    size_t n = 0;
    bool group = field.len > 3 && field.ptr[field.len - 4] == '.';
    if (field.len > 0 && !group && decimal_read(field.ptr, count) == field.ptr + field.len)
        return true; /* "0.18" and "35", as most are */
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
    csv_split(&st->csv, line, st->delimiter, st->columns);
    struct span name = span_trim(csv_field(&st->csv, st->name));
    if (!parse_level(csv_field(&st->csv, 0), &level) || level > INT32_MAX)
        input_skip(&st->tree.base.c->input, "the line begins with no level");
    else if (name.len == 0)
        calltree_skip(&st->tree, (size_t)level, "there is no function");
    else if (!parse_count(csv_field(&st->csv, st->weight), &count))
        calltree_skip(&st->tree, (size_t)level, "there is no count");
    else if (calltree_enter(&st->tree, (size_t)level, name))
        calltree_count(&st->tree, count);
}

/* One of the script's fields: /("[^"]+"|[^,]+),/. `quoted`: its first form. */
static bool
script_field(struct span *rest, bool quoted, struct span *field)
{
    size_t quote = 0;
    if (quoted) {
        quote = rest->len > 0 ? span_find(span_from(*rest, 1), '"') : SPAN_NONE;
        if (!span_starts(*rest, SPAN("\"")) || quote == SPAN_NONE || quote == 0)
            return false;
    }
    size_t end = quoted ? quote + 2 : span_find(*rest, ',');
    if (end == SPAN_NONE || end == 0 || end == rest->len || rest->ptr[end] != ',')
        return false;
    *field = span_head(*rest, end);
    *rest = span_from(*rest, end + 1);
    return true;
}

/* Parses /^\s*(\d+?),/ and two fields, of which each is tried in both forms. */
static bool
script_row(struct span line, uint64_t *level, struct span *name, struct span *count)
{
    line = span_from(line, span_run(line, 0, is_space));
    size_t digits = span_run(line, 0, is_digit);
    if (digits == 0 || digits == line.len || line.ptr[digits] != ',')
        return false;
    num_u64(span_head(line, digits), level);
    for (int form = 0; form < 4; form++) {
        struct span rest = span_from(line, digits + 1);
        if (script_field(&rest, form < 2, name) && script_field(&rest, form % 2 == 0, count))
            return true;
    }
    return false;
}

/* The field without quotation marks at its ends, and without the characters that `drop` is true
 * of. */
static void
script_clean(struct text *to, struct span field, bool (*drop)(char))
{
    to->len = 0;
    text_add(to, SPAN("")); /* so that it has memory */
    for (size_t i = 0; i < field.len; i++) {
        bool end = i == 0 || i == field.len - 1;
        if (!drop(field.ptr[i]) && !(end && field.ptr[i] == '"'))
            text_add(to, span_of(field.ptr + i, 1));
    }
}

static bool
is_separator(char c)
{
    return c == '.' || c == ',' || c == ' ';
}

/* The number that Perl takes a text for: what it begins with, without a fraction. */
static void
script_number(struct text *count)
{
    static const double most = 9e18;
    char number[64];
    uint64_t whole = 0;
    struct span s = text_span(count);
    s = span_from(s, span_run(s, 0, is_space));
    s = span_head(s, scriptnum_length(s));
    double value = scriptnum(s);
    size_t sign = s.len > 0 && !is_digit(s.ptr[0]);
    if (value > most || value < -most)
        snprintf(number, sizeof number, "%.15g", value);
    else if (num_u64(span_from(s, sign), &whole)) /* a double may not hold all digits */
        snprintf(number, sizeof number, "%s%llu", value < 0 ? "-" : "", (unsigned long long)whole);
    else
        snprintf(number, sizeof number, "%lld", (long long)value);
    count->len = 0;
    text_add(count, span_cstr(number));
}

static void
take_as_script(struct state *st, struct span line)
{
    struct calltree *t = &st->tree;
    struct text *cleaned = &t->base.name;
    struct span name, count;
    uint64_t level;
    if (st->lines++ == 0 || span_trim(line).len == 0 || t->over)
        return;
    if (!script_row(line, &level, &name, &count)) {
        calltree_die(t, "no level, function and number");
        return;
    }
    if (level == 0)
        return;
    if (level > st->depth + 1) {
        calltree_die(t, "its caller's line is missing");
        return;
    }
    if (level <= st->depth)
        calltree_print(t, st->depth, text_span(&st->count));
    if (st->depth >= LEVELS) {
        calltree_die(t, "too many levels");
        return;
    }
    script_clean(cleaned, name, is_space);
    calltree_set(t, (size_t)level - 1, text_span(cleaned));
    script_clean(&st->count, count, is_separator);
    script_number(&st->count);
    st->depth = (size_t)level;
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (st->tree.base.script)
        take_as_script(st, line);
    else if (span_trim(line).len == 0)
        return;
    else if (st->delimiter == '\0')
        take_header(st, line);
    else
        take_row(st, line);
}

static void
finish(void *state)
{
    struct state *st = state;
    if (st->tree.base.script && !st->tree.over)
        calltree_print(&st->tree, st->depth, st->count.len > 0 ? text_span(&st->count) : SPAN("0"));
    st->delimiter = '\0';
    calltree_restart(&st->tree);
}

static void
end(void *state)
{
    struct state *st = state;
    csv_free(&st->csv);
    free(st->count.ptr);
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
