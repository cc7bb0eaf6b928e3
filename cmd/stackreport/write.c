#include "cmd/stackreport/write.h"

#include <stdlib.h>

#include "common/base/columns.h"
#include "common/base/jsontext.h"
#include "common/base/num.h"
#include "common/base/utf8.h"

/* The title of the column of names, by enum by. */
static const char *const titles[] = {
    [BY_FUNCTION] = "function", [BY_DSO] = "dso",   [BY_KIND] = "kind",
    [BY_PACKAGE] = "package",   [BY_COMM] = "comm", [BY_THREAD] = "thread",
};

static double
percent_of(const struct counter *c, struct decimal count)
{
    return decimal_is_zero(c->all) ? 0 : 100 * decimal_double(count) / decimal_double(c->all);
}

void
write_percent(struct out *o, size_t before_point, const struct counter *c, struct decimal count)
{
    static const double most = 1e9;
    char digits[NUM_DIGITS];
    double percent = percent_of(c, count), hundredths = percent * 100;
    uint64_t n = hundredths < most ? (uint64_t)hundredths : 0;
    double rest = hundredths - (double)n;
    if (hundredths >= most || (rest > 0.499 && rest < 0.501)) { /* printf knows how to round it */
        out_format(o, "%*.2f", (int)(before_point + strlen(".00")), percent);
        return;
    }
    n += rest > 0.5;
    columns_right(o, before_point, num_decimal(digits, n / 100));
    out_char(o, '.');
    out_char(o, (char)('0' + n / 10 % 10));
    out_char(o, (char)('0' + n % 10));
}

const char *
write_title(const struct counter *c)
{
    return titles[c->groups.by];
}

const char *
write_kind(const struct counter *c, const struct row *row)
{
    enum frame_kind kind = group_kind(&c->groups, row->node->group);
    return kind < KIND_COUNT ? frame_kind_name(kind) : "-";
}

static void
put_decimal(struct out *o, struct decimal d)
{
    char text[DECIMAL_TEXT];
    out_span(o, decimal_text(text, d));
}

/* Writes a name in a column, which a tab would end. */
static void
put_plain(struct out *o, struct text *masked, struct span name)
{
    name = utf8_masked(masked, name);
    for (size_t i = 0; i < name.len; i++)
        out_char(o, name.ptr[i] == '\t' ? '?' : name.ptr[i]);
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
    out_format(o, "%s\n", write_title(c));
    while (rows_next(rows, &row)) {
        if (tree)
            out_format(o, "%u\t", (unsigned)row.depth);
        put_decimal(o, row.node->self);
        out_char(o, '\t');
        write_percent(o, 0, c, row.node->self);
        out_char(o, '\t');
        put_decimal(o, row.node->total);
        out_char(o, '\t');
        write_percent(o, 0, c, row.node->total);
        out_char(o, '\t');
        if (functions)
            out_format(o, "%s\t", write_kind(c, &row));
        put_plain(o, &masked, row.name);
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
        out_format(o, ",\"kind\":\"%s\"", write_kind(c, row));
    out_text(o, ",\"self\":");
    put_decimal(o, row->node->self);
    out_text(o, ",\"self_percent\":");
    write_percent(o, 0, c, row->node->self);
    out_text(o, ",\"total\":");
    put_decimal(o, row->node->total);
    out_text(o, ",\"total_percent\":");
    write_percent(o, 0, c, row->node->total);
}

/* Closes the last row, and the rows above it that are deeper than `depth`. */
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
    uint32_t last = 0; /* depth of the row before */
    bool any = false;
    out_format(o, "{\"by\":\"%s\",\"count\":", write_title(c));
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
