/* Writes a comparison as a table or as JSON, the largest growth first. */
#ifndef STACKDIFF_WRITE_H
#define STACKDIFF_WRITE_H

#include "cmd/stackdiff/compare.h"

/* In the order of --format's choices. */
enum diff_format { FORMAT_FOLDED, FORMAT_TABLE, FORMAT_JSON };

struct listing {
    double least; /* only functions whose share changed by that many points or more */
    size_t top;   /* how many of these, those that changed most; 0: all */
    size_t width; /* columns of a table's lines, 41 or more, for which names and stacks are cut;
                   * 0: any */
};

/* Write columns for people, with a line of titles. What could change a terminal's state is shown as
 * "?". */
void write_table(struct out *o, const struct comparison *c, const struct listing *l);

/* Write the same as one JSON object. */
void write_json(struct out *o, const struct comparison *c, const struct listing *l);

#endif
