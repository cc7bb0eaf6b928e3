/* Units of time by their names. */
#ifndef STACKCOLLAPSE_TIMEUNIT_H
#define STACKCOLLAPSE_TIMEUNIT_H

#include "common/base/span.h"

/* How many places to the left the decimal point of a value in this unit moves to make it
 * microseconds: 3 for "milliseconds". False, with *places set to 0, if the unit is none of time. */
bool timeunit_places(struct span unit, int *places);

#endif
