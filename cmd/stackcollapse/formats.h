/* The table of input formats. */
#ifndef STACKCOLLAPSE_FORMATS_H
#define STACKCOLLAPSE_FORMATS_H

#include "cmd/stackcollapse/collapse.h"

enum { FORMATS = 2 };

/* What --from takes: their names in the table's order, then "guess". */
#define FORMAT_NAMES "perf|folded|guess"

const struct format *format_at(size_t i);

/* The place in the table of the format that the file's beginning is in; where no line tells, the
 * first's. Takes nothing from the lines. */
size_t format_guess(struct lines *l);

#endif
