/* The part of the table with the times at which stacks were seen. */
#ifndef FLAMESVG_TIMETABLE_H
#define FLAMESVG_TIMETABLE_H

#include "cmd/flamesvg/names.h"

/* Write the members of the table about time, each after a comma. Write nothing if the input has no
 * slices. */
void timetable_put(const struct canvas *c, const struct names *names);

#endif
