/* Writes a comparison as a table or as JSON, the largest growth first. */
#ifndef STACKDIFF_WRITE_H
#define STACKDIFF_WRITE_H

#include "cmd/stackdiff/compare.h"

/* In the order of --format's choices. */
enum format { FORMAT_FOLDED, FORMAT_TABLE, FORMAT_JSON };

/* As columns for people, with a line of titles: functions whose share changed by `least` points and
 * more. Lines have at most `width` columns, for which names and stacks are cut; 0: they are not.
 * What could change a terminal's state is shown as "?". */
void write_table(struct out *o, const struct comparison *c, double least, size_t width);

/* The same as one JSON object. */
void write_json(struct out *o, const struct comparison *c, double least);

#endif
