/* Writes the report: the rows that rows_start started, to the last. */
#ifndef STACKREPORT_WRITE_H
#define STACKREPORT_WRITE_H

#include "cmd/stackreport/rows.h"
#include "common/base/out.h"

/* In the order of --format's choices. */
enum report_format { FORMAT_TABLE, FORMAT_TSV, FORMAT_JSON };

/* Write columns for people, with a line of titles. Lines have at most `width` characters, for which
 * names are cut; 0: they are not. What could change a terminal's state is shown as "?". */
void write_table(struct out *o, struct rows *rows, size_t width);

/* Write tab-separated values, with a line of titles. Names are masked by utf8_mask, and tabs
 * in them, too. */
void write_tsv(struct out *o, struct rows *rows);

/* Write one JSON object. */
void write_json(struct out *o, struct rows *rows);

#endif
