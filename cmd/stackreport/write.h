/* Writes the report: all rows of an iteration that rows_start has started. */
#ifndef STACKREPORT_WRITE_H
#define STACKREPORT_WRITE_H

#include "cmd/stackreport/rows.h"
#include "common/base/out.h"

/* In the order of --format's choices. */
enum report_format { FORMAT_TABLE, FORMAT_TSV, FORMAT_JSON };

/* Write a table for people, with a line of titles. Cut names so that lines have at most `width`
 * characters; with 0, do not cut them. Bytes that could change a terminal's state are shown as
 * "?". */
void write_table(struct out *o, struct rows *rows, size_t width);

/* Write tab-separated values, with a line of titles. Mask names by utf8_mask, and also the tabs in
 * them. */
void write_tsv(struct out *o, struct rows *rows);

/* Write one JSON object. */
void write_json(struct out *o, struct rows *rows);

#endif
