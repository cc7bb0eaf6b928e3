/* The call tree that Xcode's Instruments copies with "Edit > Deep Copy": the time in a function and
 * its callees, that time's share of all, the time in the function itself, and its name. The name is
 * indented one blank deeper than the caller's. See Instruments' help, "View the call tree"; \t is a
 * tab:
 *
 *     Running Time\tSelf (ms)\t\tSymbol Name
 *     2.68 s  100.0%\t0 s\t \tapp (4242)
 *     2.60 s   97.0%\t12.00 ms\t \t main
 *     1.10 s   41.0%\t1.10 s\t \t  work(int)
 *
 * Older versions leave out the blank before a unit, and the unit of the second time, which is ms.
 * Since Instruments 13 the column is called Weight, may have cycles, and is "-" if empty. Since 16
 * there is no empty column before the name, a call tree may begin with any indent, and U+2007 pads
 * the share:
 *
 *     Weight\tSelf Weight\tSymbol Names
 *     96.08 Gc  100.0%\t-\t   start
 *     404.75 Mc  \u20070.4%\t404.75 Mc\t    main
 */
#include "cmd/stackcollapse/shared/rowtree.h"
#include "cmd/stackcollapse/shared/parts.h"

static const struct unit {
    struct span name;
    int places; /* the unit is times * 10^places milliseconds or cycles */
    unsigned times;
} units[] = {
    {SPAN("min"), 4, 6}, {SPAN("s"), 3, 1},      {SPAN("ms"), 0, 1}, {SPAN("\xc2\xb5s"), -3, 1},
    {SPAN("us"), -3, 1}, {SPAN("ns"), -6, 1},    {SPAN("Gc"), 9, 1}, {SPAN("Mc"), 6, 1},
    {SPAN("Kc"), 3, 1},  {SPAN("cycles"), 0, 1},
};

struct instruments_row {
    struct span self;        /* the number */
    const struct unit *unit; /* unit; NULL: none */
    size_t indent;
    struct span name;
};

static bool
take_unit(struct span *rest, const struct unit **unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_skip(rest, units[i].name)) {
            *unit = &units[i];
            return true;
        }
    *unit = NULL;
    return false;
}

static bool
parse_row(struct span line, struct instruments_row *row)
{
    struct span rest = span_from(line, span_run(line, 0, is_space));
    if (parts_number(&rest, true).len == 0)
        return false;
    span_skip(&rest, SPAN(" "));
    if (!take_unit(&rest, &row->unit) || span_take_run(&rest, is_space).len == 0)
        return false;
    while (span_skip(&rest, SPAN("\xc2\xa0")) || span_skip(&rest, SPAN("\xe2\x80\x87")))
        span_take_run(&rest, is_space); /* no-break and figure spaces pad the share */
    if (parts_number(&rest, true).len == 0 || !span_skip(&rest, SPAN("%")) ||
        span_take_run(&rest, is_space).len == 0)
        return false;
    row->self = span_starts(rest, SPAN("-\t")) ? SPAN("0") : parts_number(&rest, true);
    if (row->self.len == 0)
        return false;
    if (span_starts(rest, SPAN("-\t")))
        span_skip(&rest, SPAN("-"));
    span_skip(&rest, SPAN(" "));
    take_unit(&rest, &row->unit);
    if (!span_skip(&rest, SPAN("\t")))
        return false;
    if (!span_skip(&rest, SPAN(" \t"))) /* an empty column */
        span_skip(&rest, SPAN("\t"));
    row->indent = span_run(rest, 0, is_space);
    row->name = span_trim(rest);
    return row->name.len > 0;
}

/* Return the milliseconds or cycles of the function itself. */
static struct decimal
self_of(const struct instruments_row *row)
{
    struct decimal self = {0, 0}, sum = {0, 0};
    decimal_parse(row->self, &self);
    if (row->unit == NULL)
        return self;
    self = decimal_shift(self, row->unit->places);
    for (unsigned i = 0; i < row->unit->times; i++)
        sum = decimal_add(sum, self);
    return sum;
}

static bool
is_header(struct span line)
{
    struct span text = span_trim(line);
    return span_ends(text, SPAN("\tSymbol Name")) || span_ends(text, SPAN("\tSymbol Names"));
}

static void
take(struct stacker *f, struct span line)
{
    struct rowtree *t = (struct rowtree *)f;
    struct instruments_row row;
    if (parse_row(line, &row)) {
        struct decimal self = self_of(&row);
        rowtree_nest(t, row.indent, row.name);
        rowtree_count(t, self);
        t->base.c->samples += decimal_is_zero(self);
    } else if (!is_header(line) && span_trim(line).len > 0) {
        stacker_skip(f, "not a line of Instruments' call tree");
    }
}

static bool
is_instruments(struct span line)
{
    struct instruments_row row;
    return is_header(line) || parse_row(line, &row);
}

const struct format format_instruments = {ROWTREE_FORMAT(struct rowtree), .is = is_instruments,
                                          .take = take, .finish = rowtree_finish};
