/* The table for people:
 *
 *     self        %  total        %  kind    function
 *      120   60.00%    150   75.00%  app     parse /p/x.js:1:2
 *
 * In a tree, names are indented by their depth. */
#include "cmd/stackreport/write.h"

#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/num.h"
#include "common/base/number.h"
#include "common/base/utf8.h"

/* Titles of the column of names, indexed by enum by. */
static const char *const titles[] = {
    [BY_FUNCTION] = "function", [BY_DSO] = "dso",   [BY_KIND] = "kind",
    [BY_PACKAGE] = "package",   [BY_COMM] = "comm", [BY_THREAD] = "thread",
};

/* Write a count in percent of the total, in at least `width` columns. */
static void
put_percent(struct out *o, size_t width, const struct counter *c, struct decimal count)
{
    char text[NUMBER_TEXT];
    double all = decimal_double(c->all), percent = all > 0 ? 100 * decimal_double(count) / all : 0;
    columns_right(o, width, number_fixed(text, percent, 2));
}

/* Return the name of a function's kind; "-" if it has none. */
static const char *
kind_of(const struct counter *c, const struct row *row)
{
    enum frame_kind kind = group_kind(&c->groups, row->node->group);
    return kind < KIND_COUNT ? frame_kind_name(kind) : "-";
}

enum {
    INDENT = 2,      /* columns for each level of a tree */
    INDENT_MAX = 40, /* deeper rows get their depth as a number */
    NAME_LEAST = 8,  /* minimum columns of a name, on any terminal */
};

struct table {
    struct out *out;
    const struct counter *counter;
    size_t width;       /* maximum width of a line; 0: no limit */
    size_t self, total; /* widths of columns */
    struct text text;
};

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Set the widths of the columns. The total count is the largest, but counts with fractions may be
 * wider. */
static void
set_widths(struct table *t)
{
    const struct counter *c = t->counter;
    char text[DECIMAL_COMMAS];
    size_t all = decimal_commas(text, c->all).len;
    t->self = larger(all, strlen("self"));
    t->total = larger(all, strlen("total"));
    for (size_t i = 0; i < c->nnodes; i++) {
        if (c->nodes[i].self.fraction != 0)
            t->self = larger(t->self, decimal_commas(text, c->nodes[i].self).len);
        if (c->nodes[i].total.fraction != 0)
            t->total = larger(t->total, decimal_commas(text, c->nodes[i].total).len);
    }
}

/* Return the number of columns before the name. */
static size_t
before_name(const struct table *t)
{
    size_t kind = t->counter->groups.by == BY_FUNCTION ? strlen("builtin  ") : 0;
    return t->self + strlen(" 100.00%  ") + t->total + strlen(" 100.00%  ") + kind;
}

static void
put_title(struct table *t, const char *name)
{
    struct out *o = t->out;
    columns_right(o, t->self, SPAN("self"));
    out_text(o, "       %  ");
    columns_right(o, t->total, SPAN("total"));
    out_text(o, "       %  ");
    if (t->counter->groups.by == BY_FUNCTION)
        out_text(o, "kind     ");
    out_format(o, "%s\n", name);
}

static void
put_count(struct table *t, size_t width, struct decimal count)
{
    char text[DECIMAL_COMMAS];
    columns_right(t->out, width, decimal_commas(text, count));
    out_char(t->out, ' ');
    put_percent(t->out, sizeof "100.00" - 1, t->counter, count);
    out_text(t->out, "%  ");
}

/* Write the indent of a name in a tree. Return its width. */
static size_t
put_indent(struct table *t, uint32_t depth, size_t room)
{
    char digits[NUM_DIGITS];
    size_t most = room / 2 < INDENT_MAX ? room / 2 : INDENT_MAX, wanted = (size_t)depth * INDENT;
    if (wanted <= most) {
        columns_blanks(t->out, wanted);
        return wanted;
    }
    struct span number = num_decimal(digits, depth);
    columns_blanks(t->out, most);
    out_char(t->out, '[');
    out_span(t->out, number);
    out_text(t->out, "] ");
    return most + number.len + strlen("[] ");
}

static void
put_row(struct table *t, const struct row *row)
{
    const struct groups *groups = &t->counter->groups;
    put_count(t, t->self, row->node->self);
    put_count(t, t->total, row->node->total);
    if (groups->by == BY_FUNCTION)
        columns_left(t->out, strlen("builtin  "), span_cstr(kind_of(t->counter, row)));
    size_t before = before_name(t);
    size_t room = t->width > before ? t->width - before : 0;
    size_t indent = put_indent(t, row->depth, t->width > 0 ? room : SIZE_MAX);
    room = room > indent + NAME_LEAST ? room - indent : NAME_LEAST;
    columns_name(t->out, &t->text, row->name, t->width > 0 ? room : SIZE_MAX);
    out_char(t->out, '\n');
}

void
write_table(struct out *o, struct rows *rows, size_t width)
{
    struct table t = {.out = o, .counter = rows->counter, .width = width};
    struct row row;
    set_widths(&t);
    put_title(&t, titles[t.counter->groups.by]);
    while (rows_next(rows, &row))
        put_row(&t, &row);
    free(t.text.ptr);
}

static void
put_decimal(struct out *o, struct decimal d)
{
    char text[DECIMAL_TEXT];
    out_span(o, decimal_text(text, d));
}

void
write_tsv(struct out *o, struct rows *rows)
{
    const struct counter *c = rows->counter;
    struct row row;
    struct text masked = {0};
    bool tree = c->shape != SHAPE_TABLE, functions = c->groups.by == BY_FUNCTION;
    out_cstr(o, tree ? "depth\t" : "");
    out_text(o, "self\tself_percent\ttotal\ttotal_percent\t");
    out_cstr(o, functions ? "kind\t" : "");
    out_format(o, "%s\n", titles[c->groups.by]);
    while (rows_next(rows, &row)) {
        if (tree)
            out_format(o, "%u\t", (unsigned)row.depth);
        put_decimal(o, row.node->self);
        out_char(o, '\t');
        put_percent(o, 0, c, row.node->self);
        out_char(o, '\t');
        put_decimal(o, row.node->total);
        out_char(o, '\t');
        put_percent(o, 0, c, row.node->total);
        out_char(o, '\t');
        if (functions)
            out_format(o, "%s\t", kind_of(c, &row));
        struct span name = utf8_masked(&masked, row.name);
        for (size_t i = 0; i < name.len; i++)
            out_char(o, name.ptr[i] == '\t' ? '?' : name.ptr[i]); /* a tab would end the column */
        out_char(o, '\n');
    }
    free(masked.ptr);
}

static void
put_object(struct out *o, const struct counter *c, const struct row *row)
{
    out_text(o, "{\"name\":");
    jsontext_string(o, row->name);
    if (c->groups.by == BY_FUNCTION && group_kind(&c->groups, row->node->group) < KIND_COUNT)
        out_format(o, ",\"kind\":\"%s\"", kind_of(c, row));
    out_text(o, ",\"self\":");
    put_decimal(o, row->node->self);
    out_text(o, ",\"self_percent\":");
    put_percent(o, 0, c, row->node->self);
    out_text(o, ",\"total\":");
    put_decimal(o, row->node->total);
    out_text(o, ",\"total_percent\":");
    put_percent(o, 0, c, row->node->total);
}

/* Close the object of the last row, and those of its ancestors from `depth` on. */
static void
close_objects(struct out *o, uint32_t last, uint32_t depth)
{
    out_char(o, '}');
    for (; last > depth; last--)
        out_text(o, "]}");
}

void
write_json(struct out *o, struct rows *rows)
{
    const struct counter *c = rows->counter;
    struct row row;
    uint32_t last = 0; /* depth of the last row */
    bool any = false;
    out_format(o, "{\"by\":\"%s\",\"count\":", titles[c->groups.by]);
    put_decimal(o, c->all);
    out_text(o, ",\"rows\":[");
    while (rows_next(rows, &row)) {
        if (any && row.depth > last) {
            out_format(o, ",\"%s\":[", c->shape == SHAPE_CALLERS ? "callers" : "callees");
        } else if (any) {
            close_objects(o, last, row.depth);
            out_char(o, ',');
        }
        out_char(o, '\n');
        put_object(o, c, &row);
        last = row.depth;
        any = true;
    }
    if (any)
        close_objects(o, last, 0);
    out_text(o, "\n]}\n");
}
