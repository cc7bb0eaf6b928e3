/* Replaces stackcollapse-instruments.pl. It exits unless the first line has the names of columns,
 * and each other line matches a pattern. It prints each function when it is read. See
 * format/instruments.c. */
#include <float.h>
#include <stdio.h>

#include "cmd/stackcollapse/shared/parts.h"
#include "cmd/stackcollapse/script/scriptparts.h"

struct script_row {
    struct span self; /* number */
    double unit;      /* milliseconds in its unit */
    size_t indent;    /* number of characters of white space before the name */
    struct span name;
};

enum { NUMBER_MAX = DBL_MAX_10_EXP + 8 }; /* characters of any double without its fraction */

static bool
take_unit(struct span *rest, double *ms)
{
    *ms = span_skip(rest, SPAN(" min"))  ? 60 * 1000
          : span_skip(rest, SPAN(" s"))  ? 1000
          : span_skip(rest, SPAN(" ms")) ? 1
                                         : 0;
    return *ms > 0;
}

/* Match /\d+\.\d+ (?:min|s|ms)\s+\d+\.\d+%\s+(\d+(?:\.\d+)?) (min|s|ms)\t \t(\s*)(.+)/ at the start
 * of the text. If there is no name, its only character is the last white space. */
static bool
match(struct span rest, struct script_row *row)
{
    if (parts_number(&rest, false).len == 0 || !take_unit(&rest, &row->unit) ||
        span_take_run(&rest, is_space).len == 0 || parts_number(&rest, false).len == 0 ||
        !span_skip(&rest, SPAN("%")) || span_take_run(&rest, is_space).len == 0)
        return false;
    row->self = parts_number(&rest, true);
    if (row->self.len == 0 || !take_unit(&rest, &row->unit) || !span_skip(&rest, SPAN("\t \t")) ||
        rest.len == 0)
        return false;
    row->indent = span_run(rest, 0, is_space);
    row->indent -= row->indent == rest.len;
    row->name = span_from(rest, row->indent);
    return true;
}

static void
take(struct stacker *f, struct span line)
{
    struct script_row row;
    char text[NUMBER_MAX];
    bool found = false;
    if (f->lines == 1)
        return;
    for (size_t i = 0; i < line.len && !found; i++) /* the match may begin anywhere in the line */
        found = (i == 0 || !is_digit(line.ptr[i - 1])) && match(span_from(line, i), &row);
    if (found) {
        int len = snprintf(text, sizeof text, "%.0f", scriptnum(row.self) * row.unit);
        scriptlevels_set((struct scriptlevels *)f, row.indent, row.name);
        scriptlevels_print((struct scriptlevels *)f, row.indent + 1, span_of(text, (size_t)len));
    } else {
        script_fail(f, "not a line of Instruments' call tree", 255);
    }
}

const struct format script_instruments = {SCRIPTLEVELS_FORMAT, .take = take};
