/* The part of the table that says when the stacks were seen. */
#ifndef FLAMESVG_TIMETABLE_H
#define FLAMESVG_TIMETABLE_H

#include "cmd/flamesvg/names.h"

/* Write the members of the table about time, each after a comma. Nothing if the input has
 * no slices. */
void timetable_put(const struct canvas *c, const struct names *names);

#endif
