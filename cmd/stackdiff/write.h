/* Writes a comparison as a table or as JSON, the largest growth first. */
#ifndef STACKDIFF_WRITE_H
#define STACKDIFF_WRITE_H

#include "cmd/stackdiff/compare.h"

/* In the order of --format's choices. */
enum diff_format { FORMAT_FOLDED, FORMAT_TABLE, FORMAT_JSON };

struct listing {
    double least; /* least change of the share of a listed function, in percentage points */
    size_t top;   /* maximum number of functions, those that changed most; 0: no limit */
    size_t width; /* maximum width of a table in columns, at least 41: names and stacks are cut;
                   * 0: no limit */
};

/* Write a table for people, with a line of titles. Bytes that could change a terminal's state are
 * shown as "?". */
void write_table(struct out *o, const struct comparison *c, const struct listing *l);

/* Write the same as one JSON object. */
void write_json(struct out *o, const struct comparison *c, const struct listing *l);

#endif
