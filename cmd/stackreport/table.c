/* The report as a table for people:
 *
 *     self        %  total        %  kind    function
 *      120   60.00%    150   75.00%  app     parse /p/x.js:1:2
 *
 * In a tree names are indented by their depth. */
#include <stdlib.h>

#include "cmd/stackreport/write.h"
#include "common/base/columns.h"
#include "common/base/num.h"

enum {
    INDENT = 2,       /* columns for each level of a tree */
    INDENT_MOST = 40, /* deeper rows get their depth as a number */
    NAME_LEAST = 8,   /* columns for a name, however narrow the terminal is */
};

struct table {
    struct out *out;
    const struct counter *counter;
    size_t width;       /* of a line; 0: any */
    size_t self, total; /* widths of columns */
    struct text text;
};

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* No count is larger than that of all, but one with a fraction may take more columns. */
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

/* The columns that a line takes before its name. */
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
    write_percent(t->out, strlen("100"), t->counter, count);
    out_text(t->out, "%  ");
}

/* Writes what stands before a name in a tree and returns its width. */
static size_t
put_indent(struct table *t, uint32_t depth, size_t room)
{
    char digits[NUM_DIGITS];
    size_t most = room / 2 < INDENT_MOST ? room / 2 : INDENT_MOST, wanted = (size_t)depth * INDENT;
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
        columns_left(t->out, strlen("builtin  "), span_cstr(write_kind(t->counter, row)));
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
    put_title(&t, write_title(t.counter));
    while (rows_next(rows, &row))
        put_row(&t, &row);
    free(t.text.ptr);
}
