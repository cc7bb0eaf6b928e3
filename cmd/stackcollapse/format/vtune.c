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
#include <stdlib.h>

#include "cmd/stackcollapse/build/calltree.h"
#include "cmd/stackcollapse/build/csv.h"
#include "common/base/bytes.h"
#include "common/base/num.h"

struct state {
    struct calltree tree;
    struct csv csv;
    char delimiter;        /* 0: the line of the columns' names was not read */
    size_t weight, module; /* columns; SPAN_NONE: there is none; the function is the first */
    size_t columns;        /* how many there are up to these */
    int shift;             /* of seconds to milliseconds: 3 */
    bool allocations;      /* it is format_vtune_mc */
    size_t lines;          /* of a script */
    struct text line;      /* of a script, without quotation marks */
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
    struct collapse *c = st->tree.base.c;
    struct csv *csv = &st->csv;
    csv_split(csv, line, delimiter, CSV_ALL);
    st->weight = !st->allocations   ? time_column(csv)
                 : c->options->size ? csv_find(csv, SPAN("Allocation Size:Self"))
                                    : csv_find(csv, SPAN("Allocations:Self"));
    st->module = csv_find(csv, SPAN("Module"));
    st->shift = 0;
    if (st->weight == SPAN_NONE) {
        input_skip(&c->input, !st->allocations
                                  ? "there is no column CPU Time:Self: have VTune print it"
                              : c->options->size
                                  ? "there is no column Allocation Size:Self: have VTune print it"
                                  : "there is no column Allocations:Self: have VTune print it");
        return;
    }
    if (span_search(csv->fields[st->weight], SPAN("Time")) != SPAN_NONE)
        st->shift = 3;
    st->delimiter = delimiter;
    st->columns = 1 + st->weight;
    if (st->module != SPAN_NONE && st->module > st->weight)
        st->columns = 1 + st->module;
}

/* Copies the text in blocks, with up to LINES_SLACK bytes that follow it: that is faster than to
 * copy as many bytes as it has. Returns the end of the copy. */
static inline char *
put(char *to, struct span text)
{
    for (size_t i = 0; i < text.len; i += LINES_SLACK)
        memcpy(to + i, text.ptr + i, LINES_SLACK);
    return to + text.len;
}

/* "tachyon!main"; of allocations "main(tachyon)", as in the scripts. */
static inline struct span
frame_name(struct state *st, struct span function)
{
    struct text *name = &st->tree.base.name;
    struct span module = span_trim(csv_field(&st->csv, st->module));
    if (module.len == 0 || span_eq(module, SPAN("[Unknown]")))
        return function;
    name->ptr = mem_grow(name->ptr, &name->cap, module.len + function.len + 2 + LINES_SLACK, 1);
    char *p = put(name->ptr, st->allocations ? function : module);
    *p++ = st->allocations ? '(' : '!';
    p = put(p, st->allocations ? module : function);
    if (st->allocations)
        *p++ = ')';
    return span_of(name->ptr, (size_t)(p - name->ptr));
}

/* Parses "0.010", which may have blanks around it; nothing is 0. */
static inline bool
parse_count(struct span field, struct decimal *count)
{
    struct span number = span_trim(field);
    *count = (struct decimal){0, 0};
    return number.len == 0 || decimal_read(number.ptr, count) == number.ptr + number.len;
}

/* A line, and how many blanks were before it. */
static inline void
take_row(struct state *st, struct span line, size_t level)
{
    struct decimal count;
    csv_split(&st->csv, line, st->delimiter, st->columns);
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

/* Whether the text begins as /[0-9]*\.?[0-9]+/ does; then *number is what that matches. */
static bool
script_number(struct span text, struct span *number)
{
    size_t whole = span_run(text, 0, is_digit);
    size_t point = whole < text.len && text.ptr[whole] == '.';
    size_t fraction = point ? span_run(text, whole + 1, is_digit) : 0;
    *number = span_head(text, fraction > 0 ? whole + 1 + fraction : whole);
    return number->len > 0;
}

/* Prints a number of seconds as milliseconds, as Perl prints numbers. */
static void
print_time(struct state *st, size_t level, struct span seconds)
{
    char text[64];
    uint64_t whole;
    int len;
    size_t n = seconds.len < sizeof text ? seconds.len : sizeof text - 1;
    memcpy(text, seconds.ptr, n);
    text[n] = '\0';
    double time = strtod(text, NULL) * 1000;
    if (num_u64(seconds, &whole) && whole <= UINT64_MAX / 1000)
        len = snprintf(text, sizeof text, "%llu", (unsigned long long)whole * 1000);
    else
        len = snprintf(text, sizeof text, "%.15g", time);
    if (time != 0)
        calltree_print(&st->tree, level + 1, span_of(text, (size_t)len));
}

/* Takes a line without its quotation marks: /(\s*)(.*),(.*),.*,([0-9]*\.?[0-9]+)/: the last comma
 * before a number, the two commas before that one, and the first two of four fields. */
static void
script_time(struct state *st, struct span line)
{
    struct text *name = &st->tree.base.name;
    struct span number = SPAN("");
    size_t comma[3] = {SPAN_NONE, SPAN_NONE, SPAN_NONE}, level = span_run(line, 0, is_space);
    for (size_t i = line.len; i-- > level && comma[0] == SPAN_NONE;)
        if (line.ptr[i] == ',' && script_number(span_from(line, i + 1), &number))
            comma[0] = i;
    for (size_t n = 1; n < 3 && comma[n - 1] != SPAN_NONE; n++)
        comma[n] = span_rfind(span_head(line, comma[n - 1]), ',');
    if (comma[2] == SPAN_NONE) {
        calltree_die(&st->tree, "no function, module and number");
        return;
    }
    name->len = 0;
    text_add(name, span_of(line.ptr + comma[2] + 1, comma[1] - comma[2] - 1));
    text_add(name, SPAN("!"));
    text_add(name, span_of(line.ptr + level, comma[2] - level));
    calltree_set(&st->tree, level, text_span(name));
    print_time(st, level, number);
}

/* Takes /[0-9]*?\.?[0-9]*?,/ off the text; false if it begins otherwise. */
static bool
script_field(struct span *text, struct span *field)
{
    size_t len = span_run(*text, 0, is_digit);
    len += len < text->len && text->ptr[len] == '.';
    len += span_run(*text, len, is_digit);
    if (len == text->len || text->ptr[len] != ',')
        return false;
    *field = span_head(*text, len);
    *text = span_from(*text, len + 1);
    return true;
}

/* A line without its quotation marks: a function, three numbers, and the module. */
struct row {
    size_t level;
    struct span function, number[3], module;
};

/* The function ends at the first comma that allows that. */
static bool
script_row(struct span line, struct row *row)
{
    row->level = span_run(line, 0, is_space);
    line = span_from(line, row->level);
    for (size_t comma = 0; comma < line.len; comma++) {
        struct span rest = span_from(line, comma + 1);
        if (line.ptr[comma] != ',' || !script_field(&rest, &row->number[0]) ||
            !script_field(&rest, &row->number[1]) || !script_field(&rest, &row->number[2]))
            continue;
        row->function = span_head(line, comma);
        row->module = rest;
        return true;
    }
    return false;
}

static bool
is_zero_part(char c)
{
    return c == '0' || c == '.';
}

static void
script_allocations(struct state *st, struct span line)
{
    struct text *name = &st->tree.base.name;
    struct row row = {0};
    if (!script_row(line, &row)) {
        calltree_die(&st->tree, "no function, three numbers and module");
        return;
    }
    name->len = 0;
    text_add(name, row.function);
    text_add(name, SPAN("("));
    text_add(name, row.module);
    text_add(name, SPAN(")"));
    calltree_set(&st->tree, row.level, text_span(name));
    bool size = st->tree.base.c->options->size;
    struct span count = row.number[size ? 0 : 2];
    if (size ? count.len > 0 : span_run(count, 0, is_zero_part) < count.len)
        calltree_print(&st->tree, row.level + 1, count);
}

static void
take_as_script(struct state *st, struct span line)
{
    struct text *text = &st->line;
    bool message = st->allocations && span_starts(line, SPAN("war:"));
    if (st->tree.over || (st->lines == 0 && message) || st->lines++ == 0)
        return;
    text->len = 0;
    text_add(text, SPAN(""));
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] != '"')
            text_add(text, span_of(line.ptr + i, 1));
    (st->allocations ? script_allocations : script_time)(st, text_span(text));
}

static void
take(void *state, struct span line)
{
    struct state *st = state;
    if (st->tree.base.script) {
        take_as_script(st, line);
        return;
    }
    size_t blanks = (size_t)(bytes_skip_blanks(line.ptr) - line.ptr);
    struct span text = span_from(line, blanks);
    if (span_trim(text).len == 0 || span_starts(line, SPAN("war:")))
        return;
    if (st->delimiter != '\0') {
        take_row(st, text, blanks);
        return;
    }
    char delimiter = csv_delimiter(line, SPAN("Function Stack"));
    if (delimiter != '\0')
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
    calltree_shift(&st->tree, st->shift);
    calltree_restart(&st->tree);
}

static void
end(void *state)
{
    struct state *st = state;
    free(st->line.ptr);
    csv_free(&st->csv);
    calltree_free(&st->tree);
}

static bool
is_allocations(struct span line)
{
    return csv_delimiter(line, SPAN("Function Stack")) != '\0' &&
           span_search(line, SPAN("Allocation")) != SPAN_NONE;
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
