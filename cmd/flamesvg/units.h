/* Counts of time and of bytes, written in the unit that suits their size: "2.14 s", "5.94 GB". */
#ifndef FLAMESVG_UNITS_H
#define FLAMESVG_UNITS_H

#include "common/base/number.h"

struct count_unit;

/* Return the unit that --countname=ns|us|ms|bytes names; NULL if it is another word. */
const struct count_unit *units_find(struct span countname);

/* Return a value, which is in `unit`, as three significant digits of a unit that suits its size,
 * whose name goes into *name; as a whole number where it is one of ns or bytes, or 1000 or more of
 * the largest unit: "2.14", "30", "12,345". The text is in `text`. */
struct span units_text(char text[static NUMBER_TEXT], const struct count_unit *unit, double value,
                       struct span *name);

/* Return the names that units_text may give, with blanks between them. */
struct span units_names(const struct count_unit *unit);

#endif
