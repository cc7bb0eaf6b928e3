/* Writes the report: the rows that rows_start started, to the last. */
#ifndef STACKREPORT_WRITE_H
#define STACKREPORT_WRITE_H

#include "cmd/stackreport/rows.h"
#include "common/base/out.h"

/* In the order of --format's choices. */
enum format { FORMAT_TABLE, FORMAT_TSV, FORMAT_JSON };

/* As columns for people, with a line of titles. Lines have at most `width` characters, for which
 * names are cut; 0: they are not. What could change a terminal's state is shown as "?". */
void write_table(struct out *o, struct rows *rows, size_t width);

/* As tab-separated values, with a line of titles. Names are masked by utf8_mask, and tabs
 * in them, too. */
void write_tsv(struct out *o, struct rows *rows);

/* As one JSON object. */
void write_json(struct out *o, struct rows *rows);

/* What the names are: "function", "dso", ... */
const char *write_title(const struct counter *c);

/* The name of a function's kind, or "-" where it has none. */
const char *write_kind(const struct counter *c, const struct row *row);

/* Writes a count in percent of all, as printf's %.2f does and faster; with blanks in front if there
 * are fewer than so many digits before the point. */
void write_percent(struct out *o, size_t before_point, const struct counter *c,
                   struct decimal count);

#endif
