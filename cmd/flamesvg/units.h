/* Writes times and byte counts in a unit that suits their size: "2.14 s", "5.94 GB". */
#ifndef FLAMESVG_UNITS_H
#define FLAMESVG_UNITS_H

#include "common/base/number.h"

struct count_unit;

/* Return the unit for --countname=ns|us|ms|bytes; NULL for any other word. */
const struct count_unit *units_find(struct span countname);

/* Write a value, which is in `unit`, to `text` with three significant digits in a unit that suits
 * its size: "2.14". Set *name to the name of that unit. Whole numbers of ns and bytes, and 1000 or
 * more of the largest unit, are written as whole numbers: "30", "12,345". */
struct span units_text(char text[static NUMBER_TEXT], const struct count_unit *unit, double value,
                       struct span *name);

/* Return all names that units_text may set, separated by blanks. */
struct span units_names(const struct count_unit *unit);

#endif
